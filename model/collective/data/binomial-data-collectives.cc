/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts and reductions of data along a binomial tree.

#include "data-tree-schedules.h"
#include "software-data-collective.h"

#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * A collective along a binomial tree: in each step everybody who has the vector sends it to one who
 * has not, and a reduction goes the same way backwards (the usual algorithm for short vectors, as
 * in Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH,
 * 2005). With SegmentBytes the segments follow one another.
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes:
 * broadcast log2(n) (alpha + beta m), reduction log2(n) (alpha + beta m + gamma m). There are n - 1
 * messages.
 *
 * Order is kept where it must be: with rank 0 as the tree's root, subtrees are intervals of ranks;
 * it then sends the result to the root.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class BinomialData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<BinomialData>("Binomial");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        return MakeTreeDataSchedules(MakeBinomialTree(request.members), request);
    }
};

/// A broadcast down a binomial tree.
using BinomialDataBroadcast = BinomialData<DataKind::BROADCAST>;
/// A reduction up a binomial tree.
using BinomialDataReduction = BinomialData<DataKind::REDUCTION>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(BinomialDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(BinomialDataReduction);

} // namespace ns3
