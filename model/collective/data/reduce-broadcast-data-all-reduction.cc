/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// All-reductions of data by a reduction and a broadcast.

#include "data-tree-schedules.h"
#include "software-data-collective.h"

#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * An all-reduction as a reduction to rank 0 and a broadcast of its result, up and down one binomial
 * tree (the first of MPI's implementations, as in Thakur, Rabenseifner and Gropp, Optimization of
 * collective communication operations in MPICH, 2005). With SegmentBytes the segments follow one
 * another, all of them up and then all down.
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes:
 * log2(n) (2 alpha + 2 beta m + gamma m). There are 2 (n - 1) messages.
 *
 * Order is kept, if it must be: subtrees are intervals of ranks.
 */
class ReduceBroadcastDataAllReduction : public SoftwareData<DataKind::ALL_REDUCTION>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<ReduceBroadcastDataAllReduction>("ReduceBroadcast");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        return MakeTreeDataSchedules(MakeBinomialTree(request.members), request);
    }
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ReduceBroadcastDataAllReduction);

} // namespace ns3
