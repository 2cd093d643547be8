/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Has all members pass a share on. @param firsts first blocks of shares @param offset number of
/// the share that rank 0 passes on
void
PassOnRing(GroupSchedules& schedules,
           const std::vector<uint32_t>& firsts,
           uint32_t offset,
           ScheduleStep::Kind kind)
{
    const auto n = static_cast<uint32_t>(schedules.members.size());
    uint32_t longest = 0; // in segments
    for (uint32_t share = 0; share < n; ++share)
    {
        longest = std::max(longest, firsts[share + 1] - firsts[share]);
    }
    for (uint32_t segment = 0; segment < longest; ++segment)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const auto share = (rank + offset) % n;
            if (firsts[share] + segment < firsts[share + 1])
            {
                messages.push_back({rank, (rank + 1) % n, {{firsts[share] + segment, 1}}, kind});
            }
        }
        schedules.Step(messages);
    }
}

/**
 * A collective round a ring: in step k = 1, 2, ..., n - 1 a member passes to the next rank what it
 * has received in the step before. A reduce-scatter combines on the way, an all-gather does not,
 * and an all-reduction is the one and then the other: 2 (n - 1) messages of 1/n of the vector a
 * member (Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of
 * workstations, 2009). With SegmentBytes each is cut, and the segments follow one another.
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes:
 * all-reduction 2 (n - 1) (alpha + beta m / n) + (n - 1) gamma m / n.
 *
 * Contributions are not combined in order of ranks, so that with KeepsOrder another algorithm
 * serves: recursive doubling as an all-reduction, pairs as a reduce-scatter.
 */
GroupSchedules
MakeRing(const ScheduleRequest& request)
{
    const std::string reason = "a ring does not combine in order of ranks";
    if (request.kind == DataKind::REDUCE_SCATTER && request.keepsOrder)
    {
        return FallBackOn(request, "pairwise", reason);
    }
    if (request.kind == DataKind::ALL_REDUCTION && request.keepsOrder)
    {
        return FallBackOn(request, "recursive-doubling", reason);
    }
    const auto n = request.members;
    std::vector<uint32_t> firsts(n + 1);
    std::iota(firsts.begin(), firsts.end(), 0);
    auto layout = request.kind == DataKind::ALL_REDUCTION ? request.MakeSegments(n, firsts)
                                                          : request.MakeParts();
    GroupSchedules schedules(request, layout);
    for (uint32_t step = 1; request.kind != DataKind::ALL_GATHER && step < n; ++step)
    {
        PassOnRing(schedules, firsts, n - step, ScheduleStep::COMBINE);
    }
    for (uint32_t step = 1; request.kind != DataKind::REDUCE_SCATTER && step < n; ++step)
    {
        PassOnRing(schedules, firsts, n + 1 - step, ScheduleStep::REPLACE);
    }
    return schedules;
}

} // namespace

static const SoftwareAlgorithm<MakeRing,
                               DataKind::ALL_REDUCTION,
                               DataKind::ALL_GATHER,
                               DataKind::REDUCE_SCATTER>
    g_ring{"Ring"};

} // namespace ns3
