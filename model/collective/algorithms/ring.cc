// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
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
static GroupSchedules
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
    auto firsts = NumbersBelow(n + 1);
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

} // namespace ns3
