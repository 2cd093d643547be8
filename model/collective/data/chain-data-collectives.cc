/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts and reductions of data along a chain.

#include "data-tree-schedules.h"
#include "software-data-collective.h"

#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * A collective along a chain, in a pipeline: each member passes the segments on to the next rank,
 * one after the other; a reduction goes the same way backwards. SegmentBytes matters: without it,
 * the whole vector goes from one to the next (pipelined broadcasts, as in Thakur, Rabenseifner and
 * Gropp, 2005, and Pjesivac-Grbovic et al., Performance analysis of MPI collective operations,
 * 2007).
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector in k
 * segments of S = m / k bytes: (n + k - 2) (alpha + beta S), a reduction with gamma S more a step.
 * There are k (n - 1) messages, k of any member.
 *
 * Order is kept where it must be: the chain then ends at rank 0, which sends the result to the
 * root.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class ChainData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<ChainData>("Chain");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        return MakeTreeDataSchedules(MakeKaryTree(request.members, 1), request);
    }
};

/// A broadcast down a chain.
using ChainDataBroadcast = ChainData<DataKind::BROADCAST>;
/// A reduction up a chain.
using ChainDataReduction = ChainData<DataKind::REDUCTION>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ChainDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(ChainDataReduction);

} // namespace ns3
