/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_HELPER_H
#define COLLECTIVE_HELPER_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-fabric.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Installs host software and switches' collective engines, and creates collectives.
class CollectiveHelper
{
  public:
    CollectiveHelper();

    /// Sets an attribute of every host's software. @param name its name @param value its value
    void SetSoftwareAttribute(const std::string& name, const AttributeValue& value);

    /// Sets an attribute of every collective engine. @param name its name @param value its value
    void SetUnitAttribute(const std::string& name, const AttributeValue& value);

    /// Sets an attribute of the add-on networks, hw-1 and hw-all.
    /// @param name its name, but not Type
    /// @param value its value
    void SetAddOnNetworkAttribute(const std::string& name, const AttributeValue& value);

    /// Prepares a fabric for collectives. Add-on networks hw-1 and hw-all are also created.
    /// @param fabric the fabric
    /// @param graph the graph that it was built from
    /// @return its collective domain
    Ptr<CollectiveDomain> Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph) const;

    /// Finds the host numbers of nodes, for Collective::Create and the like; ns-3's Names finds
    /// nodes by name.
    /// @param domain the hosts
    /// @param nodes nodes of hosts
    /// @return the hosts' numbers, in the order of the nodes
    /// @throws WormholeError for a node that is not a host of the domain
    static std::vector<uint32_t> FindHosts(Ptr<CollectiveDomain> domain,
                                           const NodeContainer& nodes);

    /// Creates hosts of an ideal network, without a fabric: messages arrive a fixed time after
    /// their send ends, independently of each other.
    /// @param hosts number of hosts
    /// @param latency that time
    /// @return its collective domain
    Ptr<CollectiveDomain> InstallIdeal(uint32_t hosts, Time latency) const;

    /// Creates a barrier by its name, without a group; call Collective::Create next. With the
    /// attributes Operation and WidthBits it is an all-reduction.
    /// @param name short name such as dissemination, with attributes such as tree[Tree=fibo], or
    /// the name of a TypeId; see CollectiveRegistry::Make
    /// @return the barrier
    /// @throws WormholeError if there is no such barrier
    static Ptr<Barrier> MakeBarrier(const std::string& name);

    /// Creates a broadcast, like MakeBarrier. @param name its name @return the broadcast
    static Ptr<Broadcast> MakeBroadcast(const std::string& name);

    /// Creates a reduction, like MakeBarrier. @param name its name @return the reduction
    static Ptr<Reduction> MakeReduction(const std::string& name);

    /// Creates a collective, without a group. For the kinds barrier, allreduction (a barrier with
    /// values), broadcast and reduction it is one of a value, unless only an algorithm for data has
    /// that name and its attributes; for other kinds it is one of data.
    /// @param kind one of GetKindNames
    /// @param name its name, as for MakeBarrier
    /// @return the collective
    /// @throws WormholeError if there is no such kind, or no such collective of it
    static Ptr<Collective> MakeCollective(const std::string& kind, const std::string& name);

    /// Creates a data collective, without a group.
    /// @param kind any of GetKindNames except barrier
    /// @param name short name such as ring, with attributes such as ring[SegmentBytes=4096]
    /// @return the collective
    /// @throws WormholeError if there is no such kind, or no such collective of it
    static Ptr<DataCollective> MakeData(const std::string& kind, const std::string& name);

    /// @return whether MakeCollective creates a collective that moves data
    /// @param kind,name as there
    /// @throws WormholeError as there
    static bool MovesData(const std::string& kind, const std::string& name);

    /// @return short names of a kind's algorithms for data @param kind the kind, as for MakeData
    static std::vector<std::string> GetDataNames(const std::string& kind);

    /// @return names of all kinds
    static const std::vector<std::string>& GetKindNames();

    /// @return short names of a kind's algorithms for a value, or for data if it has only those
    /// @param kind the kind, as for MakeCollective
    static std::vector<std::string> GetNames(const std::string& kind);

    /// Counts the steps of an algorithm whose members proceed in lockstep, see
    /// LinkedSchedules::CountSteps.
    /// @param kind kind of collective, as for MakeCollective
    /// @param name its name
    /// @param members number of members, each on a host of its own
    /// @return number of steps
    /// @throws WormholeError if there is no such software algorithm
    static uint32_t CountSteps(const std::string& kind, const std::string& name, uint32_t members);

    /// @return the short names of barriers
    static std::vector<std::string> GetBarrierNames()
    {
        return GetNames("barrier");
    }

    /// Assigns random streams to all hosts' software.
    /// @param domain the hosts
    /// @param stream first stream index
    /// @return number of streams assigned
    static int64_t AssignStreams(Ptr<CollectiveDomain> domain, int64_t stream);

    /// @param kind name of a kind, the module's or MPI's, in any case: allreduce, MPI_Bcast
    /// @return the module's name, one of GetKindNames
    /// @throws WormholeError if there is no such kind
    static std::string GetKindName(const std::string& kind);

  private:
    void AddAddOnNetworks(CollectiveDomain& domain) const;

    ObjectFactory m_softwareFactory; ///< creates hosts' software
    ObjectFactory m_unitFactory;     ///< creates collective engines
    ObjectFactory m_addOnFactory;    ///< creates add-on networks
};

} // namespace ns3

#endif /* COLLECTIVE_HELPER_H */
