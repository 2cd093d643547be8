// SPDX-License-Identifier: GPL-2.0-only

#ifndef REGULAR_TOPOLOGY_H
#define REGULAR_TOPOLOGY_H

#include "ns3/route-request.h"
#include "ns3/turn-rule.h"
#include "ns3/wormhole-route-spread.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
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
/// Where several paths are equally good, numbers select among all of them; for a fixed number, the
/// paths from one switch to all switches with hosts form a tree. As a ChannelKindRule it defines
/// which channels may follow each other on these paths. RegularRouter makes routes of these paths.
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

    /// @return the switch end that this port's cable leads to; End::node is NONE if the port is
    ///         open or leads to a host
    virtual End Peer(Node node, Port port) const = 0;

    End SwitchOf(uint32_t host) const
    {
        return {m_firstHost.node + host / m_hostsEach,
                static_cast<Port>(m_firstHost.port + host % m_hostsEach)};
    }

    FabricGraph MakeGraph() const
    {
        FabricGraph graph(m_nSwitches, m_nHosts, m_nPorts);
        for (Node node = 0; node < m_nSwitches; ++node)
        {
            for (uint32_t port = 0; port < m_nPorts; ++port)
            {
                const auto far = Peer(node, static_cast<Port>(port));
                if (far.node != FabricGraph::NONE && far.node > node) // else laid from there
                {
                    graph.Connect(node, static_cast<Port>(port), far.node, far.port);
                }
            }
        }
        for (uint32_t host = 0; host < m_nHosts; ++host)
        {
            const auto end = SwitchOf(host);
            graph.Connect(graph.HostAt(host), 0, end.node, end.port);
        }
        return graph;
    }

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

    bool HasSeveralPaths() const
    {
        return m_hasSeveralWays;
    }

    uint32_t GetNKinds() const override
    {
        return m_nKinds;
    }

    /// Throws for a fabric on which worms on these routes can deadlock.
    /// @throws WormholeError if worms can wait for each other in a cycle, naming its channels, or
    ///         if there are too many switches to prove that they cannot
    virtual void CheckDeadlockFree(const FabricGraph&, RouteSpread::Rule) const
    {
    }

  protected:
    RegularTopology(const char* routing, bool hasSeveralWays, uint32_t nKinds)
        : m_routing(routing),
          m_hasSeveralWays(hasSeveralWays),
          m_nKinds(nKinds)
    {
    }

    RegularTopology(const RegularTopology&) = default; ///< copied as part of a derived object only
    /// Copied as part of a derived object only.
    RegularTopology& operator=(const RegularTopology&) = default;

    /// Sets the numbers of nodes and ports, for constructors. Numbers are floating-point so that
    /// excessive ones are detected without overflow.
    /// @throws WormholeError if they are more than a FabricGraph can hold
    void SetSize(const std::string& what, double nSwitches, double nHosts, double nPorts)
    {
        WormholeError::ThrowIf(nPorts > UINT16_MAX,
                               what + ": switches of " + Whole(nPorts) +
                                   " ports; a switch has at most " + std::to_string(UINT16_MAX));
        WormholeError::ThrowIf(nSwitches * nPorts > MAX_PORTS || nHosts > MAX_PORTS,
                               what + ": " + Whole(nSwitches) + " switches of " + Whole(nPorts) +
                                   " ports and " + Whole(nHosts) + " hosts; expected " +
                                   Whole(MAX_PORTS) + " ports in all and as many hosts at most");
        m_nSwitches = static_cast<uint32_t>(nSwitches);
        m_nHosts = static_cast<uint32_t>(nHosts);
        m_nPorts = static_cast<uint32_t>(nPorts);
    }

    /// Sets where hosts are attached, for constructors.
    void SetHosts(End first, uint32_t each)
    {
        m_firstHost = first;
        m_hostsEach = each;
    }

    /// Checks a parameter, for constructors.
    /// @throws WormholeError if it is out of range
    static void CheckRange(const std::string& what,
                           uint32_t value,
                           uint32_t least,
                           uint32_t greatest)
    {
        WormholeError::ThrowIf(value < least || value > greatest,
                               what + " = " + std::to_string(value) + ": expected " +
                                   std::to_string(least) + " to " + std::to_string(greatest));
    }

  private:
    static constexpr double MAX_PORTS = UINT32_MAX / 2; ///< channels are numbered with 32 bits

    /// @return a number without a fraction, as text
    static std::string Whole(double value)
    {
        char text[32];
        std::snprintf(text, sizeof(text), value < 1e15 ? "%.0f" : "%.3g", value);
        return text;
    }

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
/// where the paths diverge. RouteSpread's number selects paths: for a unicast route the number of
/// both hosts, for a tree route that of the sending host.
class RegularRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /// @param rule the fabric's rule; its routes are not checked for deadlock
    explicit RegularRouter(std::shared_ptr<const RegularTopology> rule,
                           RouteSpread::Rule spread = RouteSpread::Rule::HASH)
        : m_rule(std::move(rule)),
          m_spread(spread)
    {
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        RouteRequest::CheckPair(from, to, m_rule->GetNHosts());
        WormRoute::Ports ports;
        ports.push_back(0);
        const auto end = m_rule->SwitchOf(to);
        m_rule->AppendPorts(
            m_rule->SwitchOf(from).node,
            end.node,
            RouteSpread(m_spread, from, to, CountWorm(m_spread == RouteSpread::Rule::EACH))
                .GetNumber(),
            ports);
        ports.push_back(end.port);
        return Create<WormRoute>(WormRoute::Path(std::move(ports)));
    }

    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override
    {
        std::unordered_map<Node, std::vector<Port>> exits; // ports of the tree, by switch
        const auto first = m_rule->SwitchOf(from).node;
        WormRoute::Ports way;
        const auto choice = RouteSpread(m_spread, from, from).GetNumber();
        auto last = FabricGraph::NONE;
        for (auto host : RouteRequest::CheckTree(from, to, m_rule->GetNHosts()))
        {
            const auto end = m_rule->SwitchOf(host);
            if (end.node != last) // else the path there is known
            {
                way.clear();
                m_rule->AppendPorts(first, end.node, choice, way);
                auto node = first;
                for (auto port : way)
                {
                    auto& ports = exits[node];
                    if (std::find(ports.begin(), ports.end(), port) == ports.end())
                    {
                        ports.push_back(port);
                    }
                    node = m_rule->Peer(node, port).node;
                }
                last = end.node;
            }
            exits[end.node].push_back(end.port);
        }
        const auto exitsOf = [&](Node node) {
            std::vector<Port> ports;
            if (node != FabricGraph::NONE) // else it is a host
            {
                const auto entry = exits.find(node);
                if (entry == exits.end())
                {
                    throw WormholeError("the paths from switch " + std::to_string(first) +
                                        " lead to switch " + std::to_string(node) +
                                        " twice; expected paths that form a tree");
                }
                ports = std::move(entry->second);
                std::sort(ports.begin(), ports.end());
                exits.erase(entry);
            }
            return ports;
        };
        return Create<WormRoute>(
            RouteRequest::MakeTree(first, exitsOf, [this](Node node, Port port) {
                return m_rule->Peer(node, port).node;
            }));
    }

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        RouteRequest::CheckExists("sending host", from, m_rule->GetNHosts());
        RouteRequest::CheckExists("receiving switch", toSwitch, m_rule->GetNSwitches());
        WormRoute::Ports ports;
        ports.push_back(0);
        m_rule->AppendPorts(m_rule->SwitchOf(from).node,
                            toSwitch,
                            RouteSpread(m_spread, from, toSwitch).GetNumber(),
                            ports);
        return Create<WormRoute>(WormRoute::Path(std::move(ports)));
    }

    /// @return whether routes are independent of the sending host
    bool AreBySwitch() const override
    {
        return !m_rule->HasSeveralPaths() || m_spread == RouteSpread::Rule::FIRST ||
               m_spread == RouteSpread::Rule::IN_TURN;
    }

    bool HasCycle(const FabricGraph& graph) const override
    {
        return m_rule->HasCycle(graph);
    }

    /// Throws for routes on which worms can deadlock, see RegularTopology.
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
