/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGULAR_TOPOLOGY_H
#define REGULAR_TOPOLOGY_H

#include "ns3/fabric-graph.h"
#include "ns3/turn-rule.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-router.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// A fabric whose cables and routes follow a rule: its cabling, and the ports on the path from one
/// switch to another, are computed, not stored.
///
/// Switches and hosts are numbered as in the FabricGraph that MakeGraph returns. Hosts are attached
/// in order, the same number to each switch that has hosts. An object takes a few bytes, whatever
/// the size of the fabric, and can be copied.
///
/// Where several paths are equally good, a number selects one, so that all are used; for a fixed
/// number, the paths from one switch to all switches with hosts form a tree. As a ChannelKindRule
/// it defines which channels may follow each other on these paths. RegularRouter makes routes of
/// them.
class RegularTopology : public ChannelKindRule
{
  public:
    using Node = FabricGraph::Node;
    using Port = FabricGraph::Port;
    using End = FabricGraph::End;

    virtual std::shared_ptr<const RegularTopology> Copy() const = 0;

    uint32_t GetNSwitches() const
    {
        return m_nSwitches;
    }

    uint32_t GetNHosts() const
    {
        return m_nHosts;
    }

    /// @return number of ports of each switch, including open ones
    uint32_t GetNPorts() const
    {
        return m_nPorts;
    }

    /// @return the far end of the cable there, if that is a switch; End::node is NONE if the port
    /// is open or leads to a host
    virtual End Peer(Node node, Port port) const = 0;

    End SwitchOf(uint32_t host) const
    {
        return {m_firstHost.node + host / m_hostsEach,
                static_cast<Port>(m_firstHost.port + host % m_hostsEach)};
    }

    /// @return the fabric, cable by cable
    FabricGraph MakeGraph() const;

    /// @return name of the routing engine of its own routes, such as dimension-order
    std::string GetRouting() const
    {
        return m_routing;
    }

    /// Appends the ports of the path between two switches.
    /// @param to a switch; nothing is appended if it is the same
    /// @param choice selects among several paths
    virtual void AppendPorts(Node from,
                             Node to,
                             uint32_t choice,
                             WormRoute::Ports& ports) const = 0;

    /// @return whether there may be several paths between two switches
    bool HasSeveralPaths() const
    {
        return m_hasSeveralWays;
    }

    uint32_t GetNKinds() const override
    {
        return m_nKinds;
    }

    /// Refuses a fabric on which worms on these routes can deadlock.
    /// @throws WormholeError if worms can wait for each other in a cycle, naming its channels; or
    /// if there are too many switches to prove that they cannot
    virtual void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const;

  protected:
    RegularTopology(const char* routing, bool hasSeveralWays, uint32_t nKinds);
    RegularTopology(const RegularTopology&) = default; ///< copied as part of a derived object only
    /// Copied as part of a derived object only.
    RegularTopology& operator=(const RegularTopology&) = default;

    /// Sets the numbers of nodes and ports, for constructors. Numbers are floating-point so that
    /// excessive ones are detected without overflow.
    /// @throws WormholeError if they are more than a FabricGraph can hold
    void SetSize(const std::string& what, double nSwitches, double nHosts, double nPorts);

    /// Sets the hosts' places, for constructors.
    void SetHosts(End first, uint32_t each);

    /// Refuses a parameter out of range, for constructors.
    /// @throws WormholeError if it is out of range
    static void CheckRange(const std::string& what,
                           uint32_t value,
                           uint32_t least,
                           uint32_t greatest);

  private:
    const char* m_routing;
    bool m_hasSeveralWays;
    uint32_t m_nKinds;
    uint32_t m_nSwitches{0};
    uint32_t m_nHosts{0};
    uint32_t m_nPorts{0};
    End m_firstHost;
    uint32_t m_hostsEach{1};
};

/// A family of regular topologies.
template <class FAMILY>
class RegularFamily : public RegularTopology
{
  public:
    using RegularTopology::RegularTopology;

    std::shared_ptr<const RegularTopology> Copy() const override
    {
        return std::make_shared<const FAMILY>(static_cast<const FAMILY&>(*this));
    }
};

/// Supplies a fabric's interfaces with the routes of its rule, without any table.
///
/// A tree worm uses the same paths as unicast worms would, passes every switch once, and forks
/// where their paths part. RouteSpread's number selects paths: that of both hosts for a unicast
/// route, that of the sending host for a tree route.
class RegularRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /// @param rule the fabric's rule; its routes are not checked for deadlock
    explicit RegularRouter(std::shared_ptr<const RegularTopology> rule,
                           RouteSpread::Rule spread = RouteSpread::Rule::HASH);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    /// @return whether routes are independent of the sending host
    bool AreBySwitch() const override;

    bool HasCycle(const FabricGraph& graph) const override
    {
        return m_rule->HasCycle(graph);
    }

    /// Refuses routes on which worms can deadlock, see RegularTopology.
    void CheckDeadlockFree(const FabricGraph& graph) const
    {
        m_rule->CheckDeadlockFree(graph, m_spread);
    }

  private:
    using Node = RegularTopology::Node;
    using Port = RegularTopology::Port;

    std::shared_ptr<const RegularTopology> m_rule;
    RouteSpread::Rule m_spread; ///< how paths are shared
};

} // namespace ns3

#endif /* REGULAR_TOPOLOGY_H */
