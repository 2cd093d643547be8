/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts and reductions of data along a binary tree.

#include "data-tree-schedules.h"
#include "software-data-collective.h"

#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * A collective along a binary tree that is filled level by level, in a pipeline: each member passes
 * a segment on to both of its children before it takes the next; a reduction goes the same way
 * backwards (Open MPI's "split binary" and "binary"; Pjesivac-Grbovic et al., Performance analysis
 * of MPI collective operations, 2007).
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector in k
 * segments of S = m / k bytes: about 2 (log2(n) + k - 2) (alpha + beta S), as a member has two
 * messages a segment; a reduction with gamma S more a step. There are k (n - 1) messages.
 *
 * Order is kept where it must be: the tree's processes are then numbered such that subtrees are
 * intervals of ranks, and rank 0 sends the result to the root.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class BinaryData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<BinaryData>("Binary");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        return MakeTreeDataSchedules(MakeKaryTree(request.members, 2), request);
    }
};

/// A broadcast down a binary tree.
using BinaryDataBroadcast = BinaryData<DataKind::BROADCAST>;
/// A reduction up a binary tree.
using BinaryDataReduction = BinaryData<DataKind::REDUCTION>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(BinaryDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(BinaryDataReduction);

} // namespace ns3
