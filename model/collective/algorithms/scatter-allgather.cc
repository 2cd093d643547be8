// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

/// A broadcast of a long vector: it is scattered along a binomial tree, a share of 1/n to each
/// member, and the shares are gathered by all round a ring (Barnett, Gupta, Payne, Shuler, van de
/// Geijn and Watts, Interprocessor collective communication library, 1994; Thakur et al., 2005).
///
/// Time: (log2(n) + n - 1) alpha + 2 (n - 1) / n beta m. There are n - 1 + n (n - 1) messages. With
/// SegmentBytes each is cut, and the segments follow one another.
static GroupSchedules
MakeScatterAllgatherBroadcast(const ScheduleRequest& request)
{
    std::vector<uint32_t> firsts;
    GroupSchedules schedules(request, request.MakeSegments(request.members, firsts));
    const auto shares = MadeOfNumbers(request.members, [&firsts](uint32_t process) {
        return BlockRange{firsts[process], firsts[process + 1] - firsts[process]};
    });
    const auto ranks = MakeRanksFrom(request.members, request.root);
    const TreeSchedules tree(MakeBinomialTree(request.members), ranks);
    tree.AddScatter(schedules, shares, request.segmentBytes);
    for (uint32_t step = 1; step < request.members; ++step)
    {
        PassOnRing(ranks,
                   firsts,
                   request.members + 1 - step,
                   ScheduleStep::REPLACE,
                   [&](const auto& messages) { AddExchange(schedules, request, messages); });
    }
    return schedules;
}

const SoftwareAlgorithm<MakeScatterAllgatherBroadcast, DataKind::BROADCAST>
    g_scatterAllgatherBroadcast{"ScatterAllgather"};

} // namespace ns3
