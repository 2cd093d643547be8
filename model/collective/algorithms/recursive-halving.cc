// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
{

/// @return parts that a member sends in a step
static BlockRanges
FindHalf(const FoldedRanks& core, uint32_t to, uint32_t distance, bool isDoubling)
{
    const auto parts = [&](uint32_t place, uint32_t count) {
        const auto first = core.GetFirst(place);
        return BlockRange{first, core.GetFirst(place + count) - first};
    };
    if (!isDoubling)
    {
        return {parts(to / distance * distance, distance)};
    }
    BlockRanges ranges;
    for (auto place = to % (2 * distance); place < core.GetSize(); place += 2 * distance)
    {
        ranges.push_back(parts(place, 1));
    }
    return ranges;
}

/// A reduce-scatter in log2 n steps: members n / 2 ranks apart send each other that half of the
/// vector that the other one's half of the members is for, and combine what comes; then those n / 4
/// ranks apart a quarter, and so on (Thakur et al., 2005). If n is no power of two, one of each
/// pair of first ranks goes on for both, and sends the other its part in the end.
///
/// Time, for powers of two: log2(n) alpha + (n - 1) (beta + gamma) m / n.
///
/// With KeepsOrder distances double from 1 to n / 2 instead of halving, so that what neighbours
/// have combined is in order of ranks; the parts in a message are then no longer neighbours.
static GroupSchedules
MakeRecursiveHalvingReduceScatter(const ScheduleRequest& request)
{
    const auto n = request.members;
    const FoldedRanks core(n, FoldedRanks::NO_ROOT); // the odd ranks of pairs go on for both
    const auto nPairs = n - core.GetSize();
    auto layout = request.MakeParts();
    layout.AddWork(layout.GetAll()); // for StepInOrder
    GroupSchedules schedules(request, layout);
    const auto combine = [&](const std::vector<BlockMessage>& messages) {
        request.keepsOrder ? StepInOrder(schedules, messages) : schedules.Step(messages);
    };
    combine(ListMessages(nPairs, [&](uint32_t pair) -> BlockMessage {
        return {2 * pair, 2 * pair + 1, {layout.GetAll()}, ScheduleStep::COMBINE, true};
    }));
    for (uint32_t step = 1; step < core.GetSize(); step *= 2)
    {
        const auto distance = request.keepsOrder ? step : core.GetSize() / 2 / step;
        combine(ListMessages(core.GetSize(), [&](uint32_t place) -> BlockMessage {
            const auto to = place ^ distance;
            return {core.GetRank(place),
                    core.GetRank(to),
                    FindHalf(core, to, distance, request.keepsOrder),
                    ScheduleStep::COMBINE,
                    place < to};
        }));
    }
    schedules.Step(ListMessages(nPairs, [](uint32_t pair) -> BlockMessage {
        return {2 * pair + 1, 2 * pair, {{2 * pair, 1}}};
    }));
    return schedules;
}

const SoftwareAlgorithm<MakeRecursiveHalvingReduceScatter, DataKind::REDUCE_SCATTER>
    g_recursiveHalvingReduceScatter{"RecursiveHalving"};

} // namespace ns3
