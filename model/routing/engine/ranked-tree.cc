/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ranked-tree.h"

#include "ns3/route-request.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RankedTree::RankedTree(const FabricGraph& graph,
                       const SwitchChannels& channels,
                       const std::vector<uint32_t>& ranks,
                       uint32_t nLanes,
                       uint32_t from)
    : m_graph(graph),
      m_channels(channels),
      m_ranks(ranks),
      m_nLanes(nLanes),
      m_first(graph.SwitchOf(graph.HostAt(from)).node),
      m_visits{{m_first, {}}}
{
}

RankedTree::Exit
RankedTree::ExitBy(Vertex vertex) const
{
    return {m_channels.PortOf(vertex / m_nLanes), static_cast<uint8_t>(vertex % m_nLanes)};
}

FabricGraph::End
RankedTree::EndOf(uint32_t host) const
{
    return m_graph.SwitchOf(m_graph.HostAt(host));
}

Ptr<const WormRoute>
RankedTree::MakeRoute(WormRoute route, const WormRoute::Lanes& lanes)
{
    const auto isOne =
        std::all_of(lanes.begin(), lanes.end(), [](uint8_t lane) { return lane == 0; });
    return isOne ? Create<WormRoute>(std::move(route)) : Create<WormRoute>(route.InLanes(lanes));
}

bool
RankedTree::FindPath(Node to, Way& way) const
{
    /// A lane of a channel that was reached, or a switch to begin at.
    struct Step
    {
        Node node;        ///< switch that it leads to
        uint32_t rank;    ///< 1 more than its rank; 0 where the worm begins
        Vertex vertex;    ///< the lane
        std::size_t from; ///< step before it, its own number where the path begins
    };

    std::vector<Step> steps;
    for (const auto& [node, visit] : m_visits)
    {
        steps.push_back({node, visit.rank, 0, 0});
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
        return a.node < b.node;
    });
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        steps[i].from = i;
    }
    std::vector<bool> seen(m_ranks.size(), false);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const auto node = steps[i].node;
        const auto rank = steps[i].rank;
        if (node == to)
        {
            way.clear();
            for (auto at = i; steps[at].from != at; at = steps[at].from)
            {
                way.push_back(steps[at].vertex);
            }
            std::reverse(way.begin(), way.end());
            return true;
        }
        for (uint32_t port = 0; port < m_graph.GetNPorts(node); ++port)
        {
            const auto channel = m_channels.At(node, static_cast<Port>(port));
            const auto isOpen =
                channel != SwitchChannels::NONE && !m_visits.count(m_channels.To(channel));
            for (uint32_t lane = 0; isOpen && lane < m_nLanes; ++lane)
            {
                const auto vertex = channel * m_nLanes + lane;
                if (m_ranks[vertex] >= rank && !seen[vertex])
                {
                    seen[vertex] = true;
                    steps.push_back({m_channels.To(channel), m_ranks[vertex] + 1, vertex, i});
                }
            }
        }
    }
    return false;
}

bool
RankedTree::Graft(uint32_t to, const Append& append)
{
    Way way;
    append(to, way);
    // From the last switch on the way that the tree has.
    auto first = m_first;
    std::size_t common = 0;
    for (std::size_t i = 0; i < way.size(); ++i)
    {
        const auto node = m_channels.To(way[i] / m_nLanes);
        if (m_visits.count(node))
        {
            first = node;
            common = i + 1;
        }
    }
    way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(common));
    const auto end = EndOf(to);
    if (!way.empty() && m_ranks[way.front()] < m_visits.at(first).rank && !FindPath(end.node, way))
    {
        return false;
    }
    for (const auto vertex : way)
    {
        m_visits[m_channels.From(vertex / m_nLanes)].exits.push_back(ExitBy(vertex));
        m_visits[m_channels.To(vertex / m_nLanes)].rank = m_ranks[vertex] + 1;
    }
    m_visits[end.node].exits.push_back({end.port, 0});
    return true;
}

void
RankedTree::MakeForemost(const std::vector<uint32_t>& hosts)
{
    /// How a switch is reached.
    struct Arrival
    {
        uint32_t rank{UINT32_MAX}; ///< 1 more than that of the lane by which; 0: it is the first
        Vertex vertex{0};          ///< that lane
    };

    std::vector<Vertex> order(m_ranks.size()); // by rank
    for (Vertex vertex = 0; vertex < m_ranks.size(); ++vertex)
    {
        order[m_ranks[vertex]] = vertex;
    }
    std::vector<Arrival> arrivals(m_channels.GetNSwitches());
    arrivals[m_first].rank = 0;
    for (const auto vertex : order)
    {
        auto& arrival = arrivals[m_channels.To(vertex / m_nLanes)];
        if (arrivals[m_channels.From(vertex / m_nLanes)].rank <= m_ranks[vertex] &&
            arrival.rank == UINT32_MAX)
        {
            arrival = {m_ranks[vertex] + 1, vertex};
        }
    }
    m_visits = {{m_first, {}}};
    for (const auto host : hosts)
    {
        const auto end = EndOf(host);
        bool isKnown = m_visits.count(end.node) > 0;
        m_visits[end.node].exits.push_back({end.port, 0});
        for (auto node = end.node; !isKnown;)
        {
            const auto vertex = arrivals[node].vertex;
            node = m_channels.From(vertex / m_nLanes);
            isKnown = m_visits.count(node) > 0;
            m_visits[node].exits.push_back(ExitBy(vertex));
        }
    }
}

void
RankedTree::AddAll(const std::vector<uint32_t>& hosts, const Append& append)
{
    const bool isGrafted =
        std::all_of(hosts.begin(), hosts.end(), [&](uint32_t host) { return Graft(host, append); });
    if (!isGrafted)
    {
        MakeForemost(hosts);
    }
}

Ptr<const WormRoute>
RankedTree::Get()
{
    WormRoute::Lanes lanes{0};
    const auto exitsOf = [&](Node node) {
        std::vector<Port> ports;
        if (m_graph.IsSwitch(node))
        {
            auto& exits = m_visits.at(node).exits;
            std::sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) {
                return a.port < b.port;
            });
            for (const auto& exit : exits)
            {
                ports.push_back(exit.port);
                lanes.push_back(exit.lane);
            }
        }
        return ports;
    };
    auto route = RouteRequest::MakeTree(m_first, exitsOf, [&](Node node, Port port) {
        return m_graph.Peer(node, port).node;
    });
    return MakeRoute(std::move(route), lanes);
}

} // namespace ns3
