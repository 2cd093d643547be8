/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Adds an all-gather round a ring: in step k = 1, 2, ..., n - 1 a member passes to the next what
/// it has received in the step before. @param ranks ranks in the order of the ring; the i-th has
/// share i @param firsts number of each share's first block, and in the end of all blocks
void
AddRingAllGather(GroupSchedules& schedules,
                 const ScheduleRequest& request,
                 const std::vector<uint32_t>& ranks,
                 const std::vector<uint32_t>& firsts)
{
    const auto n = request.members;
    uint32_t longest = 0; // in segments
    for (uint32_t share = 0; share < n; ++share)
    {
        longest = std::max(longest, firsts[share + 1] - firsts[share]);
    }
    for (uint32_t step = 1; step < n; ++step)
    {
        for (uint32_t segment = 0; segment < longest; ++segment)
        {
            std::vector<BlockMessage> messages;
            for (uint32_t place = 0; place < n; ++place)
            {
                const auto share = (place + n + 1 - step) % n;
                if (firsts[share] + segment < firsts[share + 1])
                {
                    messages.push_back(
                        {ranks[place], ranks[(place + 1) % n], {{firsts[share] + segment, 1}}});
                }
            }
            AddExchange(schedules, request, messages);
        }
    }
}

/**
 * A broadcast of a long vector: it is scattered along a binomial tree, a share of 1/n to each
 * member, and the shares are gathered by all round a ring (Barnett, Gupta, Payne, Shuler, van de
 * Geijn and Watts, Interprocessor collective communication library, 1994; Thakur, Rabenseifner and
 * Gropp, 2005).
 *
 * Time, of messages of S bytes by alpha + beta S, for a vector of m bytes:
 * (log2(n) + n - 1) alpha + 2 (n - 1) / n beta m. There are n - 1 + n (n - 1) messages. With
 * SegmentBytes each is cut, and the segments follow one another.
 */
GroupSchedules
MakeScatterAllgatherBroadcast(const ScheduleRequest& request)
{
    std::vector<uint32_t> firsts;
    GroupSchedules schedules(request, request.MakeSegments(request.members, firsts));
    std::vector<BlockRange> shares;
    for (uint32_t process = 0; process < request.members; ++process)
    {
        shares.push_back({firsts[process], firsts[process + 1] - firsts[process]});
    }
    const auto ranks = MakeRanksFrom(request.members, request.root);
    const TreeSchedules tree(MakeBinomialTree(request.members), ranks);
    tree.AddScatter(schedules, shares, request.segmentBytes);
    AddRingAllGather(schedules, request, ranks, firsts);
    return schedules;
}

} // namespace

static const SoftwareAlgorithm<MakeScatterAllgatherBroadcast, DataKind::BROADCAST>
    g_scatterAllgatherBroadcast{"ScatterAllgather"};

} // namespace ns3
