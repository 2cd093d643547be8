/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts and reductions of data along a chain or a binary tree.

#include "data-parts.h"
#include "data-tree-schedules.h"
#include "software-data-collective.h"

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
 * @tparam KIND the kind
 * @tparam CHILDREN most children of a member: 1 or 2
 */
template <DataKind KIND, uint32_t CHILDREN>
class PipelineData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<PipelineData>(
            CHILDREN == 1 ? "Chain" : "Binary");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        return MakeTreeDataSchedules(MakeKaryTree(request.members, CHILDREN), request);
    }
};

/// A broadcast down a chain.
using ChainDataBroadcast = PipelineData<DataKind::BROADCAST, 1>;
/// A reduction up a chain.
using ChainDataReduction = PipelineData<DataKind::REDUCTION, 1>;
/// A broadcast down a binary tree.
using BinaryDataBroadcast = PipelineData<DataKind::BROADCAST, 2>;
/// A reduction up a binary tree.
using BinaryDataReduction = PipelineData<DataKind::REDUCTION, 2>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ChainDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(ChainDataReduction);
NS_OBJECT_ENSURE_REGISTERED(BinaryDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(BinaryDataReduction);

} // namespace ns3
