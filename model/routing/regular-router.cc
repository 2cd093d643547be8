/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "regular-router.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace ns3
{

RegularRouter::RegularRouter(RouteSpread::Rule spread)
    : m_spread(spread)
{
}

RouteSpread::Rule
RegularRouter::GetSpread() const
{
    return m_spread;
}

bool
RegularRouter::AreBySwitch() const
{
    return m_spread == RouteSpread::Rule::FIRST || m_spread == RouteSpread::Rule::IN_TURN;
}

uint32_t
RegularRouter::GetNKinds() const
{
    return 1;
}

uint32_t
RegularRouter::GetKind(Node, Port) const
{
    return 0;
}

bool
RegularRouter::MayFollow(uint32_t, uint32_t) const
{
    return true;
}

void
RegularRouter::CheckExists(const char* role, uint32_t number, uint32_t count)
{
    if (number >= count)
    {
        throw WormholeError(std::string(role) + " " + std::to_string(number) +
                            ": this fabric has 0 to " + std::to_string(count - 1));
    }
}

Ptr<const WormRoute>
RegularRouter::GetRoute(uint32_t from, uint32_t to)
{
    const auto& topology = GetTopology();
    CheckExists("sending host", from, topology.GetNHosts());
    CheckExists("receiving host", to, topology.GetNHosts());
    if (from == to)
    {
        throw WormholeError("a route from host " + std::to_string(from) +
                            " to itself: accepted is another host");
    }
    WormRoute::Ports ports;
    ports.push_back(0);
    const auto end = topology.SwitchOf(to);
    AppendPorts(topology.SwitchOf(from).node,
                end.node,
                RouteSpread(m_spread, from, to, CountWorm()).GetNumber(),
                ports);
    ports.push_back(end.port);
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

Ptr<const WormRoute>
RegularRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    const auto& topology = GetTopology();
    CheckExists("sending host", from, topology.GetNHosts());
    CheckExists("receiving switch", toSwitch, topology.GetNSwitches());
    WormRoute::Ports ports;
    ports.push_back(0);
    AppendPorts(topology.SwitchOf(from).node,
                toSwitch,
                RouteSpread(m_spread, from, toSwitch).GetNumber(),
                ports);
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

Ptr<const WormRoute>
RegularRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    const auto& topology = GetTopology();
    CheckExists("sending host", from, topology.GetNHosts());
    auto hosts = to;
    std::sort(hosts.begin(), hosts.end());
    const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
    if (hosts.empty() || twice != hosts.end() ||
        std::binary_search(hosts.begin(), hosts.end(), from))
    {
        throw WormholeError("a tree route from host " + std::to_string(from) + " to " +
                            (hosts.empty()          ? "no host"
                             : twice != hosts.end() ? "host " + std::to_string(*twice) + " twice"
                                                    : "itself") +
                            ": accepted are other hosts, each once");
    }
    CheckExists("receiving host", hosts.back(), topology.GetNHosts());

    std::unordered_map<Node, std::vector<Port>> exits; // ports of the tree, by switch
    const auto first = topology.SwitchOf(from).node;
    WormRoute::Ports way;
    const auto choice = RouteSpread(m_spread, from, from).GetNumber();
    auto last = FabricGraph::NONE;
    for (auto host : hosts)
    {
        const auto end = topology.SwitchOf(host);
        if (end.node != last) // else the way there is known
        {
            way.clear();
            AppendPorts(first, end.node, choice, way);
            auto node = first;
            for (auto port : way)
            {
                auto& ports = exits[node];
                if (std::find(ports.begin(), ports.end(), port) == ports.end())
                {
                    ports.push_back(port);
                }
                node = topology.Peer(node, port).node;
            }
            last = end.node;
        }
        exits[end.node].push_back(end.port);
    }

    std::vector<std::vector<uint16_t>> stops{{0}};
    std::vector<Node> nodes{first}; // switches of stops to come, NONE for a host
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        stops.emplace_back();
        if (nodes[i] == FabricGraph::NONE)
        {
            continue;
        }
        auto entry = exits.find(nodes[i]);
        if (entry == exits.end())
        {
            throw WormholeError("the paths from switch " + std::to_string(first) +
                                " lead to switch " + std::to_string(nodes[i]) +
                                " twice: a tree route takes ways that form a tree");
        }
        std::sort(entry->second.begin(), entry->second.end());
        for (auto port : entry->second)
        {
            nodes.push_back(topology.Peer(nodes[i], port).node);
        }
        stops.back() = std::move(entry->second);
        exits.erase(entry);
    }
    return Create<WormRoute>(WormRoute::Tree(stops));
}

} // namespace ns3
