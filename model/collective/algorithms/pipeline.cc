/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * A collective along a tree that is filled level by level, in a pipeline: each member passes a
 * segment on to all its children before it takes the next; a reduction goes the same way backwards.
 * With one child each it is a chain: SegmentBytes matters, since without it the whole vector goes
 * from one to the next (pipelined broadcasts, as in Thakur, Rabenseifner and Gropp, Optimization of
 * collective communication operations in MPICH, 2005). With two it is a binary tree
 * (Pjesivac-Grbovic et al., Performance analysis of MPI collective operations, 2007, has both).
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector in k
 * segments of S = m / k bytes: of a chain (n + k - 2) (alpha + beta S), of a binary tree about
 * 2 (log2(n) + k - 2) (alpha + beta S), as a member has two messages a segment; a reduction with
 * gamma S more a step. There are k (n - 1) messages.
 *
 * Order is kept where it must be: the tree's processes are then numbered such that subtrees are
 * intervals of ranks, and rank 0 sends the result to the root.
 *
 * @tparam CHILDREN most children of a member: 1 or 2
 */
template <uint32_t CHILDREN>
GroupSchedules
MakePipeline(const ScheduleRequest& request)
{
    return MakeTreeSchedules(MakeKaryTree(request.members, CHILDREN), request);
}

} // namespace

static const SoftwareAlgorithm<MakePipeline<1>, DataKind::BROADCAST, DataKind::REDUCTION> g_chain{
    "Chain"};
static const SoftwareAlgorithm<MakePipeline<2>, DataKind::BROADCAST, DataKind::REDUCTION> g_binary{
    "Binary"};

} // namespace ns3
