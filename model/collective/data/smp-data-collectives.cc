/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of data of hosts with several members: shared memory inside a host, another algorithm
// between the hosts.

#include "smp-data-schedules.h"
#include "software-data-collective.h"

#include "ns3/collective-registry.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

namespace
{

/// @return the algorithm between hosts, unless said @param kind the kind
std::string
GetUsualInner(DataKind kind)
{
    switch (kind)
    {
    case DataKind::BROADCAST:
    case DataKind::REDUCTION:
        return "tree";
    case DataKind::GATHER:
    case DataKind::SCATTER:
        return "binomial";
    case DataKind::REDUCE_SCATTER:
        return "recursive-halving";
    case DataKind::ALL_TO_ALL:
        return "pairwise";
    case DataKind::SCAN:
        return "recursive-doubling";
    default:
        return "ring";
    }
}

/**
 * A collective of hosts with several members (Gupta, Panda and others, Efficient barrier using
 * remote memory operations on VIA-based clusters, 2002; Thakur, Rabenseifner and Gropp,
 * Optimization of collective communication operations in MPICH, 2005): members give their leader
 * what they have, combined if the kind combines; leaders do the inner algorithm of the same kind
 * among them, with parts as long as those of whole hosts together; and they give members their
 * results. The leader is the first member of a host, at the root's host the root. In a scan it is
 * the last: members of a host scan along a chain, leaders do the inner scan, and each gives the
 * next host the result of all before it, which that one's leader passes on to its members.
 *
 * Time, with t members a host, messages in memory by a_m + b_m S, and the time T_inner of the inner
 * algorithm of n / t leaders: an all-reduction of m bytes takes 2 (t - 1) (a_m / 2 + b_m m / 2) and
 * more, see doc/data-exchanges.rst.
 *
 * Order is kept if the inner algorithm keeps it and members of hosts are consecutive ranks. If they
 * are not, and contributions are to be combined in order, as always in a scan, the inner algorithm
 * serves, without leaders.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class SmpData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<SmpData>("Smp").AddAttribute(
            "Inner",
            "What hosts' leaders do among them: name of an algorithm of the same kind.",
            StringValue(GetUsualInner(KIND)),
            MakeStringAccessor(&SmpData::m_inner),
            MakeStringChecker());
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        const auto inner = MakeInner();
        return MakeSmpDataSchedules(request, GetMaker(inner), m_inner);
    }

    /// @return whether the inner schedules depend on s, r or paths
    bool UsesCosts() const override
    {
        const auto inner = MakeInner();
        return GetMaker(inner).UsesCosts();
    }

  private:
    /// @return what the attribute Inner names, without a group
    Ptr<Collective> MakeInner() const
    {
        return CollectiveRegistry::MakeInner(DataCollectiveOf<KIND>::GetTypeId(), m_inner);
    }

    /// @return the same as what makes schedules @param inner the inner algorithm
    const DataScheduleMaker& GetMaker(const Ptr<Collective>& inner) const
    {
        const auto maker = dynamic_cast<const DataScheduleMaker*>(PeekPointer(inner));
        if (!maker)
        {
            throw WormholeError("Inner is '" + m_inner +
                                "', which is not by software; accepted are "
                                "algorithms by software");
        }
        return *maker;
    }

    std::string m_inner; ///< attribute
};

/// A broadcast of hosts with several members.
using SmpDataBroadcast = SmpData<DataKind::BROADCAST>;
/// A reduction of hosts with several members.
using SmpDataReduction = SmpData<DataKind::REDUCTION>;
/// An all-reduction of hosts with several members.
using SmpDataAllReduction = SmpData<DataKind::ALL_REDUCTION>;
/// A gather of hosts with several members.
using SmpDataGather = SmpData<DataKind::GATHER>;
/// A scatter of hosts with several members.
using SmpDataScatter = SmpData<DataKind::SCATTER>;
/// An all-gather of hosts with several members.
using SmpDataAllGather = SmpData<DataKind::ALL_GATHER>;
/// A reduce-scatter of hosts with several members.
using SmpDataReduceScatter = SmpData<DataKind::REDUCE_SCATTER>;
/// An all-to-all of hosts with several members.
using SmpDataAllToAll = SmpData<DataKind::ALL_TO_ALL>;
/// A scan of hosts with several members.
using SmpDataScan = SmpData<DataKind::SCAN>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SmpDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(SmpDataReduction);
NS_OBJECT_ENSURE_REGISTERED(SmpDataAllReduction);
NS_OBJECT_ENSURE_REGISTERED(SmpDataGather);
NS_OBJECT_ENSURE_REGISTERED(SmpDataScatter);
NS_OBJECT_ENSURE_REGISTERED(SmpDataAllGather);
NS_OBJECT_ENSURE_REGISTERED(SmpDataReduceScatter);
NS_OBJECT_ENSURE_REGISTERED(SmpDataAllToAll);
NS_OBJECT_ENSURE_REGISTERED(SmpDataScan);

} // namespace ns3
