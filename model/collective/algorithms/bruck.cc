// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
{

static BlockRanges
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
static GroupSchedules
MakeBruckAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    return MakeSteps(request, true, [n](uint32_t rank, uint32_t held) -> BlockMessage {
        return {rank, (rank + n - held) % n, FindRingRanges(rank, std::min(held, n - held), n)};
    });
}

/// An all-to-all in ceil(log2 n) steps: a part from rank i to rank j has a way of (j - i) mod n
/// ranks, and in step k = 0, 1, ... a member passes to the one 2^k ranks above it all parts whose
/// way has bit k set, in one message (Bruck et al., 1997). A part keeps its number on its way, so
/// that nothing is rotated before or afterwards. For short parts, which are sent several times.
///
/// Time, for powers of two: log2(n) (alpha + beta n m / 2).
static GroupSchedules
MakeBruckAllToAll(const ScheduleRequest& request)
{
    const auto n = request.members;
    return MakeSteps(request, true, [n](uint32_t rank, uint32_t distance) -> BlockMessage {
        return {rank, (rank + distance) % n, FindBruckBlocks(rank, distance, n)};
    });
}

const SoftwareAlgorithm<MakeBruckAllGather, DataKind::ALL_GATHER> g_bruckAllGather{"Bruck"};
const SoftwareAlgorithm<MakeBruckAllToAll, DataKind::ALL_TO_ALL> g_bruckAllToAll{"Bruck"};

} // namespace ns3
