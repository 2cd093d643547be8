// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_HELPER_H
#define COLLECTIVE_HELPER_H

#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-attribute-text.h"
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
    void SetSoftwareAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_softwareFactory, name, value);
    }

    /// Sets an attribute of every collective engine. @param name its name @param value its value
    void SetUnitAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_unitFactory, name, value);
    }

    /// Sets an attribute, except Type, of both add-on networks beside the fabric, hw-1 and hw-all.
    void SetAddOnNetworkAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_addOnFactory, name, value);
    }

    /// Prepares a fabric for collectives, and adds the add-on networks hw-1 and hw-all; `graph` is
    /// the graph from which the fabric was built.
    Ptr<CollectiveDomain> Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph) const;

    /// Finds the host number of each node, in the nodes' order, as Collective::Create needs them;
    /// throws a WormholeError if a node is not a host of the domain; to find nodes by name, use
    /// ns-3's Names.
    static std::vector<uint32_t> FindHosts(Ptr<CollectiveDomain> domain,
                                           const NodeContainer& nodes);

    /// Creates hosts of an ideal network, without a fabric: each message arrives `latency` after
    /// its send has ended, independently of other messages.
    Ptr<CollectiveDomain> InstallIdeal(uint32_t hosts, Time latency) const;

    /// Creates a barrier without a group; Collective::Create sets the group; if the attributes
    /// Operation and WidthBits are set, the barrier is an all-reduction; `name` is a TypeId's name
    /// or a short name, such as dissemination or, with an attribute, tree[Tree=fibo], see
    /// CollectiveRegistry::Make; throws a WormholeError if the name is unknown.
    static Ptr<Barrier> MakeBarrier(const std::string& name);

    /// Creates a broadcast, like MakeBarrier. @param name its name @return the broadcast
    static Ptr<Broadcast> MakeBroadcast(const std::string& name);

    /// Creates a reduction, like MakeBarrier. @param name its name @return the reduction
    static Ptr<Reduction> MakeReduction(const std::string& name);

    /// Creates a collective of a kind in GetKindNames, with a name as for MakeBarrier; whether it
    /// moves a value or data follows from the name, see CollectiveRegistry::Moves::EITHER.
    static Ptr<Collective> MakeCollective(const std::string& kind, const std::string& name);

    /// Creates a collective for data, of any kind except barrier, as MakeBarrier creates a barrier;
    /// `name` is, for example, ring or, with an attribute, ring[SegmentBytes=4096].
    static Ptr<DataCollective> MakeData(const std::string& kind, const std::string& name);

    /// Tells whether the collective that MakeCollective would create moves data; throws likewise.
    static bool MovesData(const std::string& kind, const std::string& name);

    /// Lists short names of the algorithms for data, for a kind of collective other than barrier.
    static std::vector<std::string> GetDataNames(const std::string& kind);

    /// @return names of all kinds of collectives
    static const std::vector<std::string>& GetKindNames();

    /// Lists short names of a kind's algorithms for a value or, if the kind has none, for data.
    static std::vector<std::string> GetNames(const std::string& kind);

    /// Counts the steps of a software algorithm if all members, each on a host of its own, proceed
    /// in lockstep, see LinkedSchedules::CountSteps; throws a WormholeError if the algorithm is not
    /// a software algorithm.
    static uint32_t CountSteps(const std::string& kind, const std::string& name, uint32_t members);

    /// Assigns streams, `stream` the first, to all hosts' software; returns how many it assigned.
    static int64_t AssignStreams(Ptr<CollectiveDomain> domain, int64_t stream);

    /// Finds the module's name of a kind of collective, given that name or MPI's (allreduce or
    /// MPI_Bcast), in upper or lower case; throws a WormholeError if there is no such kind.
    static std::string GetKindName(const std::string& kind);

  private:
    void AddAddOnNetworks(CollectiveDomain& domain) const;

    ObjectFactory m_softwareFactory; ///< creates hosts' software
    ObjectFactory m_unitFactory;     ///< creates collective engines
    ObjectFactory m_addOnFactory;    ///< creates add-on networks
};

} // namespace ns3

#endif /* COLLECTIVE_HELPER_H */
