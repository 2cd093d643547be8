// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/butterfly-schedules.h"
#include "ns3/software-collective.h"

namespace ns3
{

/// An all-reduction by recursive doubling: in step b = 0, 1, ... members exchange all that they
/// have with that whose rank differs in bit b, and both combine it; best for short vectors. Members
/// beyond a power of two are folded (Thakur et al., 2005).
///
/// Time: log2(n) (alpha + beta m + gamma m). There are n log2(n) messages. With SegmentBytes each
/// is cut, and the segments follow one another.
///
/// Order is kept: what has been combined is an interval of ranks, and the lower one is the left.
static GroupSchedules
MakeRecursiveDoublingAllReduction(const ScheduleRequest& request)
{
    return MakeButterfly(request,
                         FoldedRanks(request.members, FoldedRanks::NO_ROOT),
                         ButterflyTwos(request.members));
}

/// An all-gather in log2 n steps: in step k = 0, 1, ... members whose ranks differ in bit k
/// exchange all parts that they have, 2^k each (Thakur et al., 2005). With numbers of members that
/// are no power of two Bruck's serves in its place, which takes as many steps.
///
/// Time: log2(n) alpha + (n - 1) beta m.
static GroupSchedules
MakeRecursiveDoublingAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    if ((n & (n - 1)) != 0)
    {
        return FallBackOn(request, "bruck", std::to_string(n) + " members are no power of two");
    }
    return MakeSteps(request, true, [](uint32_t rank, uint32_t distance) -> BlockMessage {
        return {rank, rank ^ distance, {{rank / distance * distance, distance}}};
    });
}

/// A scan in ceil(log2 n) steps: in step k = 0, 1, ... members whose ranks differ in bit k exchange
/// what their groups of 2^k ranks have combined, which each keeps beside its own result. The one
/// with the higher rank combines what comes with both, from the left, the other with its group's
/// (Thakur et al., 2005). A member without a partner sits the step out.
///
/// Time, for powers of two: log2(n) (alpha + beta m) + (2 log2(n) - 1) gamma m, since all but the
/// last step combine twice; and a copy of the vector at first.
///
/// Contributions are always combined in order of ranks.
static GroupSchedules
MakeRecursiveDoublingScan(const ScheduleRequest& request)
{
    const auto n = request.members;
    auto layout = request.MakeParts();
    const BlockRange own{0, 1};
    const BlockRange group{layout.AddWork(own), 1};
    const BlockRange came{layout.AddWork(own), 1};
    GroupSchedules schedules(request, layout);
    for (uint32_t rank = 0; n > 1 && rank < n; ++rank)
    {
        schedules.members[rank].CopyBlocks(group, own);
    }
    for (uint32_t distance = 1; distance < n; distance *= 2)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const auto other = rank ^ distance;
            if (other < rank)
            {
                messages.push_back({other, rank, {group}, ScheduleStep::REPLACE, true, {came}});
            }
            else if (other < n)
            {
                messages.push_back({other, rank, {group}, ScheduleStep::COMBINE});
            }
        }
        schedules.Step(messages);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            if ((rank & distance) != 0)
            {
                schedules.members[rank].MergeBlocks(own, came, true);
                if (2 * distance < n)
                {
                    schedules.members[rank].MergeBlocks(group, came, true);
                }
            }
        }
    }
    return schedules;
}

const SoftwareAlgorithm<MakeRecursiveDoublingAllReduction, DataKind::ALL_REDUCTION>
    g_recursiveDoublingAllReduction{"RecursiveDoubling"};
const SoftwareAlgorithm<MakeRecursiveDoublingAllGather, DataKind::ALL_GATHER>
    g_recursiveDoublingAllGather{"RecursiveDoubling"};
const SoftwareAlgorithm<MakeRecursiveDoublingScan, DataKind::SCAN> g_recursiveDoublingScan{
    "RecursiveDoubling"};

} // namespace ns3
