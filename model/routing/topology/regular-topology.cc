/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "regular-topology.h"

#include "ns3/route-request.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/// Ports of all switches of a fabric; channels are numbered with 32 bits.
constexpr double MAX_PORTS = UINT32_MAX / 2;

/// @return a number without a fraction, as text
std::string
Whole(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), value < 1e15 ? "%.0f" : "%.3g", value);
    return text;
}

} // namespace

RegularTopology::RegularTopology(const char* routing, bool hasSeveralWays, uint32_t nKinds)
    : m_routing(routing),
      m_hasSeveralWays(hasSeveralWays),
      m_nKinds(nKinds)
{
}

void
RegularTopology::SetHosts(End first, uint32_t each)
{
    m_firstHost = first;
    m_hostsEach = each;
}

void
RegularTopology::SetSize(const std::string& what, double nSwitches, double nHosts, double nPorts)
{
    if (nPorts > UINT16_MAX)
    {
        throw WormholeError(what + ": switches of " + Whole(nPorts) +
                            " ports; a switch has at most " + std::to_string(UINT16_MAX));
    }
    if (nSwitches * nPorts > MAX_PORTS || nHosts > MAX_PORTS)
    {
        throw WormholeError(what + ": " + Whole(nSwitches) + " switches of " + Whole(nPorts) +
                            " ports and " + Whole(nHosts) + " hosts; expected " + Whole(MAX_PORTS) +
                            " ports in all and as many hosts at most");
    }
    m_nSwitches = static_cast<uint32_t>(nSwitches);
    m_nHosts = static_cast<uint32_t>(nHosts);
    m_nPorts = static_cast<uint32_t>(nPorts);
}

void
RegularTopology::CheckRange(const std::string& what,
                            uint32_t value,
                            uint32_t least,
                            uint32_t greatest)
{
    if (value < least || value > greatest)
    {
        throw WormholeError(what + " = " + std::to_string(value) + ": expected " +
                            std::to_string(least) + " to " + std::to_string(greatest));
    }
}

FabricGraph
RegularTopology::MakeGraph() const
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

void
RegularTopology::CheckDeadlockFree(const FabricGraph&, RouteSpread::Rule) const
{
    // The rule of its turns leaves no circle.
}

RegularRouter::RegularRouter(std::shared_ptr<const RegularTopology> rule, RouteSpread::Rule spread)
    : m_rule(std::move(rule)),
      m_spread(spread)
{
}

bool
RegularRouter::AreBySwitch() const
{
    return !m_rule->HasSeveralPaths() || m_spread == RouteSpread::Rule::FIRST ||
           m_spread == RouteSpread::Rule::IN_TURN;
}

Ptr<const WormRoute>
RegularRouter::GetRoute(uint32_t from, uint32_t to)
{
    RouteRequest::CheckPair(from, to, m_rule->GetNHosts());
    WormRoute::Ports ports;
    ports.push_back(0);
    const auto end = m_rule->SwitchOf(to);
    m_rule->AppendPorts(m_rule->SwitchOf(from).node,
                        end.node,
                        RouteSpread(m_spread, from, to, CountWorm()).GetNumber(),
                        ports);
    ports.push_back(end.port);
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

Ptr<const WormRoute>
RegularRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
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

Ptr<const WormRoute>
RegularRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    std::unordered_map<Node, std::vector<Port>> exits; // ports of the tree, by switch
    const auto first = m_rule->SwitchOf(from).node;
    WormRoute::Ports way;
    const auto choice = RouteSpread(m_spread, from, from).GetNumber();
    auto last = FabricGraph::NONE;
    for (auto host : RouteRequest::CheckTree(from, to, m_rule->GetNHosts()))
    {
        const auto end = m_rule->SwitchOf(host);
        if (end.node != last) // else the way there is known
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
                                    " twice: a tree route takes ways that form a tree");
            }
            ports = std::move(entry->second);
            std::sort(ports.begin(), ports.end());
            exits.erase(entry);
        }
        return ports;
    };
    return Create<WormRoute>(RouteRequest::MakeTree(first, exitsOf, [this](Node node, Port port) {
        return m_rule->Peer(node, port).node;
    }));
}

} // namespace ns3
