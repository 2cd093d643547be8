// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
{

/// A reduce-scatter in pairs that combines in order of ranks. What comes from lower ranks is
/// combined from the left as it comes, from the own rank downwards; what comes from higher ones,
/// from the last rank downwards, is kept apart until all of it is there.
static GroupSchedules
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
/// it that one's part, and combines what the one k ranks below sends (Thakur et al., 2005).
///
/// Time: (n - 1) (alpha + (beta + gamma) m / n).
///
/// With KeepsOrder contributions are combined in order of ranks, in as many steps: what comes from
/// higher ranks is kept apart, and combined with the rest in the end.
static GroupSchedules
MakePairwiseReduceScatter(const ScheduleRequest& request)
{
    if (request.keepsOrder)
    {
        return MakeOrderedPairwise(request);
    }
    const auto n = request.members;
    return MakeSteps(request, false, [n](uint32_t rank, uint32_t step) -> BlockMessage {
        const auto to = (rank + step) % n;
        return {rank, to, {{to, 1}}, ScheduleStep::COMBINE};
    });
}

/// An all-to-all in n - 1 steps, in each of which a member sends one part and receives one: in step
/// k = 1, 2, ... it exchanges them with the one whose rank is its own XOR k, if their number is a
/// power of two; else it sends to the one k ranks above it, and receives from the one k ranks below
/// it (Thakur et al., 2005).
///
/// Time: (n - 1) (alpha + beta m).
static GroupSchedules
MakePairwiseAllToAll(const ScheduleRequest& request)
{
    const auto n = request.members;
    return MakeSteps(request, false, [n](uint32_t rank, uint32_t step) -> BlockMessage {
        const auto to = (n & (n - 1)) == 0 ? rank ^ step : (rank + step) % n;
        return {rank, to, {{rank * n + to, 1}}};
    });
}

const SoftwareAlgorithm<MakePairwiseReduceScatter, DataKind::REDUCE_SCATTER>
    g_pairwiseReduceScatter{"Pairwise"};
const SoftwareAlgorithm<MakePairwiseAllToAll, DataKind::ALL_TO_ALL> g_pairwiseAllToAll{"Pairwise"};

} // namespace ns3
