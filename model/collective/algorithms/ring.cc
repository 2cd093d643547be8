// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

#include <numeric>

namespace ns3
{

namespace
{

/// A collective round a ring: in step k = 1, 2, ..., n - 1 a member passes to the next rank what it
/// has received in the step before. A reduce-scatter combines on the way, an all-gather does not,
/// and an all-reduction is the one and then the other: 2 (n - 1) messages of 1/n of the vector a
/// member (Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of
/// workstations, 2009). With SegmentBytes each is cut, and the segments follow one another.
///
/// Time: all-reduction 2 (n - 1) (alpha + beta m / n) + (n - 1) gamma m / n.
///
/// Contributions are not combined in order of ranks, so that with KeepsOrder another algorithm
/// serves: recursive doubling as an all-reduction, pairs as a reduce-scatter.
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
    const auto ranks = MakeRanksFrom(n, 0);
    const auto add = [&](const auto& messages) { schedules.Step(messages); };
    for (uint32_t step = 1; request.kind != DataKind::ALL_GATHER && step < n; ++step)
    {
        PassOnRing(ranks, firsts, n - step, ScheduleStep::COMBINE, add);
    }
    for (uint32_t step = 1; request.kind != DataKind::REDUCE_SCATTER && step < n; ++step)
    {
        PassOnRing(ranks, firsts, n + 1 - step, ScheduleStep::REPLACE, add);
    }
    return schedules;
}

const SoftwareAlgorithm<MakeRing,
                        DataKind::ALL_REDUCTION,
                        DataKind::ALL_GATHER,
                        DataKind::REDUCE_SCATTER>
    g_ring{"Ring"};

/// An all-gather in n / 2 steps: first even ranks exchange their parts with the next rank; then
/// each member exchanges, by turns with its other and its first neighbour, the two parts that it
/// received last (Chen, Zhang, Zhang and Yuan, Performance evaluation of allgather algorithms on
/// terascale Linux cluster with fast Ethernet, 2005). Only neighbours in the ring exchange
/// messages, half as many as in a ring. With odd numbers of members the ring serves in its place.
///
/// Time, for even n: n / 2 alpha + (n - 1) beta m.
GroupSchedules
MakeNeighbourExchangeAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    if (n % 2 != 0 && n > 1)
    {
        return FallBackOn(request, "ring", std::to_string(n) + " members are an odd number");
    }
    GroupSchedules schedules(request, request.MakeParts());
    std::vector<BlockRange> last; // what each passes on
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        last.push_back({rank, 1});
    }
    for (uint32_t step = 0; step < n / 2; ++step)
    {
        std::vector<BlockMessage> messages;
        std::vector<BlockRange> came(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const bool isUp = (rank + step) % 2 == 0;
            const auto to = isUp ? (rank + 1) % n : (rank + n - 1) % n;
            messages.push_back({rank, to, {last[rank]}});
            came[to] = last[rank];
        }
        schedules.Step(messages);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            last[rank] = step == 0 ? BlockRange{rank / 2 * 2, 2} : came[rank];
        }
    }
    return schedules;
}

const SoftwareAlgorithm<MakeNeighbourExchangeAllGather, DataKind::ALL_GATHER>
    g_neighbourExchangeAllGather{"NeighbourExchange"};

/// A broadcast of a long vector: it is scattered along a binomial tree, a share of 1/n to each
/// member, and the shares are gathered by all round a ring (Barnett, Gupta, Payne, Shuler, van de
/// Geijn and Watts, Interprocessor collective communication library, 1994; Thakur et al., 2005).
///
/// Time: (log2(n) + n - 1) alpha + 2 (n - 1) / n beta m. There are n - 1 + n (n - 1) messages. With
/// SegmentBytes each is cut, and the segments follow one another.
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

/// A reduce-scatter in pairs that combines in order of ranks. What comes from lower ranks is
/// combined from the left as it comes, from the own rank downwards; what comes from higher ones,
/// from the last rank downwards, is kept apart until all of it is there.
GroupSchedules
MakeOrderedPairwise(const ScheduleRequest& request)
{
    const auto n = request.members;
    auto layout = request.MakeParts();
    layout.AddWork(layout.GetAll()); // what has come, see StepInOrder
    const auto higher = layout.AddWork(layout.GetAll());
    GroupSchedules schedules(request, layout);
    for (uint32_t step = 1; step < n; ++step)
    {
        schedules.Step(ListMessages(n, [&](uint32_t to) -> BlockMessage {
            const auto place = step == to + 1 ? higher + to : n + to;
            return {(to + n - step) % n, to, {{to, 1}}, ScheduleStep::REPLACE, false, {{place, 1}}};
        }));
        for (uint32_t to = 0; to < n; ++to)
        {
            if (step != to + 1 && layout.GetBytes(to) > 0)
            {
                schedules.members[to].MergeBlocks({step <= to ? to : higher + to, 1},
                                                  {n + to, 1},
                                                  true);
            }
        }
    }
    for (uint32_t rank = 0; rank + 1 < n; ++rank)
    {
        if (layout.GetBytes(rank) > 0)
        {
            schedules.members[rank].MergeBlocks({rank, 1}, {higher + rank, 1});
        }
    }
    return schedules;
}

/// A reduce-scatter in n - 1 steps: in step k = 1, 2, ... a member sends to the one k ranks above
/// it that one's part, and combines what comes from the one k ranks below it with its own (Thakur
/// et al., 2005).
///
/// Time: (n - 1) (alpha + (beta + gamma) m / n).
///
/// With KeepsOrder contributions are combined in order of ranks, in as many steps: what comes from
/// higher ranks is kept apart, and combined with the rest in the end.
GroupSchedules
MakePairwiseReduceScatter(const ScheduleRequest& request)
{
    if (request.keepsOrder)
    {
        return MakeOrderedPairwise(request);
    }
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t step = 1; step < n; ++step)
    {
        schedules.Step(ListMessages(n, [&](uint32_t rank) -> BlockMessage {
            const auto to = (rank + step) % n;
            return {rank, to, {{to, 1}}, ScheduleStep::COMBINE};
        }));
    }
    return schedules;
}

/// An all-to-all in n - 1 steps, in each of which a member sends one part and receives one: in step
/// k = 1, 2, ... it exchanges them with the one whose rank is its own XOR k, if their number is a
/// power of two; else it sends to the one k ranks above it, and receives from the one k ranks below
/// it (Thakur et al., 2005).
///
/// Time: (n - 1) (alpha + beta m).
GroupSchedules
MakePairwiseAllToAll(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t step = 1; step < n; ++step)
    {
        schedules.Step(ListMessages(n, [&](uint32_t rank) -> BlockMessage {
            const auto to = (n & (n - 1)) == 0 ? rank ^ step : (rank + step) % n;
            return {rank, to, {{rank * n + to, 1}}};
        }));
    }
    return schedules;
}

const SoftwareAlgorithm<MakePairwiseReduceScatter, DataKind::REDUCE_SCATTER>
    g_pairwiseReduceScatter{"Pairwise"};
const SoftwareAlgorithm<MakePairwiseAllToAll, DataKind::ALL_TO_ALL> g_pairwiseAllToAll{"Pairwise"};

} // namespace

} // namespace ns3
