/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "regular-router.h"

#include "route-request.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace ns3
{

RegularRouter::RegularRouter(std::shared_ptr<const RegularTopology> rule, RouteSpread::Rule spread)
    : m_rule(std::move(rule)),
      m_spread(spread)
{
}

bool
RegularRouter::AreBySwitch() const
{
    return !m_rule->HasSeveralWays() || m_spread == RouteSpread::Rule::FIRST ||
           m_spread == RouteSpread::Rule::IN_TURN;
}

bool
RegularRouter::HasCircle(const FabricGraph& graph) const
{
    return m_rule->HasCircle(graph);
}

void
RegularRouter::CheckDeadlockFree(const FabricGraph& graph) const
{
    m_rule->CheckDeadlockFree(graph, m_spread);
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
