/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-tree-route.h"

#include "route-request.h"

#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

UpDownTreeRoute::UpDownTreeRoute(const UpDownRouting& routing,
                                 Node source,
                                 const std::vector<Node>& destinations)
    : m_routing(routing),
      m_graph(routing.GetGraph()),
      m_source(source),
      m_ports(m_graph.GetNSwitches())
{
    PlaceDestinations(destinations);
    Climb();
    SearchDown(m_climb);
    KeepBranches();
}

void
UpDownTreeRoute::PlaceDestinations(const std::vector<Node>& destinations)
{
    auto hosts = destinations;
    std::sort(hosts.begin(), hosts.end());
    const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
    const bool toItself = std::binary_search(hosts.begin(), hosts.end(), m_source);
    if (toItself || twice != hosts.end())
    {
        throw WormholeError("a tree route from " + m_graph.GetName(m_source) + " to " +
                            (toItself ? "itself" : m_graph.GetName(*twice) + " twice") +
                            ": accepted are other hosts, each once");
    }
    for (auto host : hosts)
    {
        const auto end = m_graph.SwitchOf(host);
        if (m_ports[end.node].empty())
        {
            m_goals.push_back(end.node);
        }
        m_ports[end.node].push_back(end.port);
    }
}

std::vector<UpDownTreeRoute::Node>
UpDownTreeRoute::AllAbove(Node from)
{
    m_steps.assign(m_graph.GetNSwitches(), Step());
    m_steps[from].reached = true;
    std::vector<Node> found{from};
    for (std::size_t first = 0; first < found.size();)
    {
        const auto last = found.size(); // found[first] to found[last - 1] are equally far
        for (; first < last; ++first)
        {
            const auto node = found[first];
            for (const auto& link : m_routing.GetAdjacency().Of(node))
            {
                if (!m_steps[link.to].reached && m_routing.IsUp(node, link.port))
                {
                    m_steps[link.to] = {node, link.port, true};
                    found.push_back(link.to);
                }
            }
        }
        std::sort(found.begin() + last, found.end());
    }
    return found;
}

UpDownTreeRoute::Node
UpDownTreeRoute::SearchDown(const std::vector<Node>& sources)
{
    m_steps.assign(m_graph.GetNSwitches(), Step());
    std::vector<Node> queue = sources;
    for (auto node : sources)
    {
        m_steps[node].reached = true;
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        const auto node = queue[i];
        for (const auto& link : m_routing.GetAdjacency().Of(node))
        {
            if (!m_steps[link.to].reached && !m_routing.IsUp(node, link.port))
            {
                m_steps[link.to] = {node, link.port, true};
                queue.push_back(link.to);
            }
        }
    }
    const auto missed = std::find_if(m_goals.begin(), m_goals.end(), [this](Node goal) {
        return !m_steps[goal].reached;
    });
    return missed == m_goals.end() ? FabricGraph::NONE : *missed;
}

void
UpDownTreeRoute::Climb()
{
    const auto start = m_graph.SwitchOf(m_source).node;
    auto candidates = AllAbove(start);
    const auto climb = m_steps;
    // A candidate that misses a destination drops out with all others that are not above it. The
    // root is above every switch, so candidates remain.
    Node top = candidates.front();
    for (auto missed = SearchDown({top}); missed != FabricGraph::NONE; missed = SearchDown({top}))
    {
        AllAbove(missed);
        candidates.erase(std::remove_if(candidates.begin(),
                                        candidates.end(),
                                        [this](Node node) { return !m_steps[node].reached; }),
                         candidates.end());
        top = candidates.front();
    }
    for (auto node = top; node != FabricGraph::NONE; node = climb[node].from)
    {
        m_climb.push_back(node);
        if (node != start)
        {
            m_ports[climb[node].from].push_back(climb[node].port);
        }
    }
    std::reverse(m_climb.begin(), m_climb.end());
}

void
UpDownTreeRoute::KeepBranches()
{
    std::vector<bool> kept(m_graph.GetNSwitches(), false);
    for (auto goal : m_goals)
    {
        for (auto node = goal; !kept[node]; node = m_steps[node].from)
        {
            kept[node] = true;
            if (m_steps[node].from == FabricGraph::NONE)
            {
                break;
            }
            m_ports[m_steps[node].from].push_back(m_steps[node].port);
        }
    }
}

WormRoute
UpDownTreeRoute::Get() const
{
    return RouteRequest::MakeTree(
        m_graph.SwitchOf(m_source).node,
        [this](Node node) {
            auto ports = m_graph.IsSwitch(node) ? m_ports[node] : std::vector<Port>();
            std::sort(ports.begin(), ports.end());
            return ports;
        },
        [this](Node node, Port port) { return m_graph.Peer(node, port).node; });
}

} // namespace ns3
