// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
{

namespace
{

/// An all-gather in log2 n steps: in step k = 0, 1, ... members whose ranks differ in bit k
/// exchange all parts that they have, 2^k each (Thakur et al., 2005). With numbers of members that
/// are no power of two Bruck's serves in its place, which takes as many steps.
///
/// Time: log2(n) alpha + (n - 1) beta m.
GroupSchedules
MakeRecursiveDoublingAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    if ((n & (n - 1)) != 0)
    {
        return FallBackOn(request, "bruck", std::to_string(n) + " members are no power of two");
    }
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t distance = 1; distance < n; distance *= 2)
    {
        schedules.Step(ListMessages(n, [&](uint32_t rank) -> BlockMessage {
            return {rank, rank ^ distance, {{rank / distance * distance, distance}}};
        }));
    }
    return schedules;
}

/// A scan in ceil(log2 n) steps: in step k = 0, 1, ... members whose ranks differ in bit k exchange
/// what their groups of 2^k ranks have combined, which each keeps beside its own result. The one
/// with the higher rank combines what comes with both, from the left, the other with its group's
/// (Thakur et al., 2005). A member without a partner sits the step out; the groups below any member
/// are whole.
///
/// Time, for powers of two: log2(n) (alpha + beta m) + (2 log2(n) - 1) gamma m, since all but the
/// last step combine twice; and a copy of the vector at first.
///
/// Contributions are always combined in order of ranks.
GroupSchedules
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

BlockRanges
FindBruckBlocks(uint32_t rank, uint32_t distance, uint32_t n)
{
    BlockRanges blocks;
    for (uint32_t way = distance; way < n; ++way)
    {
        if ((way & distance) != 0)
        {
            // It has come as far as the lower bits of its way say.
            const auto from = (rank + n - way % distance) % n;
            blocks.push_back({from * n + (from + way) % n, 1});
        }
    }
    return blocks;
}

/// An all-gather in ceil(log2 n) steps: in step k = 0, 1, ... a member passes to the one 2^k ranks
/// below it the first 2^k parts that it has, those of ranks from its own upwards; in the last step
/// only those that are missing (Bruck, Ho, Kipnis, Upfal and Weathersby, Efficient algorithms for
/// all-to-all communications in multiport message-passing systems, 1997). Parts lie where they
/// belong from the first, so that nothing is rotated in the end.
///
/// Time: ceil(log2 n) alpha + (n - 1) beta m.
GroupSchedules
MakeBruckAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t held = 1; held < n; held *= 2)
    {
        schedules.Step(ListMessages(n, [&](uint32_t rank) -> BlockMessage {
            return {rank, (rank + n - held) % n, FindRingRanges(rank, std::min(held, n - held), n)};
        }));
    }
    return schedules;
}

/// An all-to-all in ceil(log2 n) steps: a part from rank i to rank j has a way of (j - i) mod n
/// ranks, and in step k = 0, 1, ... a member passes to the one 2^k ranks above it all parts whose
/// way has bit k set, in one message (Bruck et al., 1997). A part keeps its number on its way, so
/// that nothing is rotated before or afterwards. Few messages, for which parts are sent several
/// times: for short parts.
///
/// Time, for powers of two: log2(n) (alpha + beta n m / 2).
GroupSchedules
MakeBruckAllToAll(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t distance = 1; distance < n; distance *= 2)
    {
        schedules.Step(ListMessages(n, [&](uint32_t rank) -> BlockMessage {
            return {rank, (rank + distance) % n, FindBruckBlocks(rank, distance, n)};
        }));
    }
    return schedules;
}

const SoftwareAlgorithm<MakeRecursiveDoublingAllGather, DataKind::ALL_GATHER>
    g_recursiveDoublingAllGather{"RecursiveDoubling"};
const SoftwareAlgorithm<MakeRecursiveDoublingScan, DataKind::SCAN> g_recursiveDoublingScan{
    "RecursiveDoubling"};
const SoftwareAlgorithm<MakeBruckAllGather, DataKind::ALL_GATHER> g_bruckAllGather{"Bruck"};
const SoftwareAlgorithm<MakeBruckAllToAll, DataKind::ALL_TO_ALL> g_bruckAllToAll{"Bruck"};

} // namespace

} // namespace ns3
