// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

/// An all-reduction as a reduction to rank 0 and a broadcast of its result, up and down one
/// binomial tree (the first of MPI's implementations, as in Thakur, Rabenseifner and Gropp,
/// Optimization of collective communication operations in MPICH, 2005). With SegmentBytes the
/// segments follow one another, all of them up and then all down.
///
/// Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m
/// bytes: log2(n) (2 alpha + 2 beta m + gamma m). There are 2 (n - 1) messages.
///
/// Order is kept, if it must be: subtrees are intervals of ranks.
static GroupSchedules
MakeReduceBroadcastAllReduction(const ScheduleRequest& request)
{
    return MakeTreeSchedules(MakeBinomialTree(request.members), request);
}

const SoftwareAlgorithm<MakeReduceBroadcastAllReduction, DataKind::ALL_REDUCTION>
    g_reduceBroadcastAllReduction{"ReduceBroadcast"};

} // namespace ns3
