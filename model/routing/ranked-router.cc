/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ranked-router.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RankedRouter::RankedRouter(const FabricGraph& graph, const std::string& what)
    : m_graph(graph),
      m_what(what)
{
}

void
RankedRouter::SetRanks(std::vector<uint32_t> ranks, uint32_t nLanes)
{
    m_ranks = std::move(ranks);
    m_nLanes = nLanes;
}

const FabricGraph&
RankedRouter::GetGraph() const
{
    return m_graph;
}

std::size_t
RankedRouter::IndexOf(Node node, Port port) const
{
    return std::size_t{node} * m_graph.GetNPorts(node) + port;
}

uint32_t
RankedRouter::RankOf(Node node, const Exit& exit) const
{
    return m_ranks[IndexOf(node, exit.port) * m_nLanes + exit.lane];
}

FabricGraph::End
RankedRouter::EndOf(uint32_t host) const
{
    return m_graph.SwitchOf(m_graph.HostAt(host));
}

uint32_t
RankedRouter::GetNKinds() const
{
    return static_cast<uint32_t>(m_ranks.size()) + 1;
}

uint32_t
RankedRouter::GetKind(Node node, Port port) const
{
    const auto first =
        m_ranks.begin() + static_cast<std::ptrdiff_t>(IndexOf(node, port) * m_nLanes);
    return *std::max_element(first, first + m_nLanes);
}

bool
RankedRouter::MayFollow(uint32_t kind, uint32_t next) const
{
    return kind < next;
}

bool
RankedRouter::HasCircle(const FabricGraph&) const
{
    return false; // ranks increase
}

uint32_t
RankedRouter::CheckHost(const char* role, uint32_t host) const
{
    if (host >= m_graph.GetNHosts())
    {
        throw WormholeError(std::string(role) + " " + std::to_string(host) +
                            ": this fabric has 0 to " + std::to_string(m_graph.GetNHosts() - 1));
    }
    return host;
}

Ptr<const WormRoute>
RankedRouter::MakePath(const Exits& exits) const
{
    WormRoute::Ports ports{0};
    WormRoute::Lanes lanes; // stays empty where there is one: a worm's start needs its route
    for (const auto& exit : exits)
    {
        ports.push_back(exit.port);
    }
    if (m_nLanes > 1)
    {
        lanes.push_back(0);
        for (const auto& exit : exits)
        {
            lanes.push_back(exit.lane);
        }
    }
    return MakeRoute(WormRoute::Path(std::move(ports)), lanes);
}

Ptr<const WormRoute>
RankedRouter::MakeRoute(WormRoute route, const WormRoute::Lanes& lanes)
{
    const auto isOne =
        std::all_of(lanes.begin(), lanes.end(), [](uint8_t lane) { return lane == 0; });
    return isOne ? Create<WormRoute>(std::move(route)) : Create<WormRoute>(route.InLanes(lanes));
}

Ptr<const WormRoute>
RankedRouter::GetRoute(uint32_t from, uint32_t to)
{
    if (CheckHost("sending host", from) == CheckHost("receiving host", to))
    {
        throw WormholeError("a route from host " + std::to_string(from) +
                            " to itself: accepted is another host");
    }
    if (auto route = MakeChoiceOrTransitRoute(from, to))
    {
        return route;
    }
    return MakeExitPath(from, to);
}

Ptr<const WormRoute>
RankedRouter::MakeExitPath(uint32_t from, uint32_t to) const
{
    Exits exits;
    AppendExits(from, to, exits);
    return MakePath(exits);
}

Ptr<const WormRoute>
RankedRouter::MakeChoiceOrTransitRoute(uint32_t, uint32_t)
{
    return nullptr;
}

RankedRouter::Path
RankedRouter::FindPath(const Visits& visits, Node to) const
{
    /// A lane of a channel that was reached, or a switch to begin at.
    struct Step
    {
        Node node;        ///< switch that it leads to
        uint32_t rank;    ///< its rank
        Exit exit;        ///< port and lane that it leaves by
        std::size_t from; ///< step before it, its own number where the path begins
    };

    std::vector<Step> steps;
    for (const auto& [node, visit] : visits)
    {
        steps.push_back({node, visit.rank, {0, 0}, 0});
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
            Path path;
            auto at = i;
            for (; steps[at].from != at; at = steps[at].from)
            {
                path.exits.push_back(steps[at].exit);
            }
            std::reverse(path.exits.begin(), path.exits.end());
            path.first = steps[at].node;
            return path;
        }
        for (uint32_t place = 0; place < m_graph.GetNPorts(node) * m_nLanes; ++place)
        {
            const Exit exit{static_cast<Port>(place / m_nLanes),
                            static_cast<uint8_t>(place % m_nLanes)};
            const auto far = m_graph.Peer(node, exit.port).node;
            const auto vertex = IndexOf(node, exit.port) * m_nLanes + exit.lane;
            if (far < m_graph.GetNSwitches() && m_ranks[vertex] > rank && !seen[vertex] &&
                !visits.count(far))
            {
                seen[vertex] = true;
                steps.push_back({far, m_ranks[vertex], exit, i});
            }
        }
    }
    return {};
}

Ptr<const WormRoute>
RankedRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    CheckHost("sending host", from);
    if (toSwitch >= m_graph.GetNSwitches())
    {
        throw WormholeError("receiving switch " + std::to_string(toSwitch) +
                            ": this fabric has 0 to " + std::to_string(m_graph.GetNSwitches() - 1));
    }
    const auto first = EndOf(from).node;
    const auto ports = m_graph.PortsToHosts(toSwitch);
    if (first != toSwitch && !ports.empty())
    {
        Exits exits;
        AppendExits(from, m_graph.Peer(toSwitch, ports[0]).node - m_graph.GetNSwitches(), exits);
        exits.pop_back();
        return MakePath(exits);
    }
    const auto path = FindPath({{first, {}}}, toSwitch);
    if (path.first == FabricGraph::NONE)
    {
        throw WormholeError(m_what + ": none leads from " + m_graph.GetName(m_graph.HostAt(from)) +
                            " to " + m_graph.GetName(toSwitch) +
                            " without a circle of channels; accepted is a switch that has hosts, "
                            "or up/down routes");
    }
    return MakePath(path.exits);
}

bool
RankedRouter::Graft(uint32_t from, uint32_t to, Visits& visits) const
{
    const auto first = EndOf(from).node;
    Path path{first, {}};
    AppendExits(from, to, path.exits);
    // From the last switch on the way that the tree has.
    auto node = first;
    std::size_t common = 0;
    for (std::size_t i = 0; i < path.exits.size(); ++i)
    {
        if (visits.count(node))
        {
            path.first = node;
            common = i;
        }
        node = m_graph.Peer(node, path.exits[i].port).node;
    }
    path.exits.erase(path.exits.begin(), path.exits.begin() + static_cast<std::ptrdiff_t>(common));
    const auto last = path.exits.back();
    if (path.exits.size() > 1 && RankOf(path.first, path.exits[0]) <= visits.at(path.first).rank)
    {
        path = FindPath(visits, EndOf(to).node);
        if (path.first == FabricGraph::NONE)
        {
            return false;
        }
        path.exits.push_back(last);
    }
    node = path.first;
    for (const auto& exit : path.exits)
    {
        auto& exits = visits[node].exits;
        const auto isKnown = std::any_of(exits.begin(), exits.end(), [&](const Exit& other) {
            return other.port == exit.port;
        });
        if (!isKnown)
        {
            exits.push_back(exit);
        }
        const auto far = m_graph.Peer(node, exit.port).node;
        if (m_graph.IsSwitch(far))
        {
            visits[far].rank = RankOf(node, exit);
        }
        node = far;
    }
    return true;
}

RankedRouter::Visits
RankedRouter::MakeForemostTree(uint32_t from, const std::vector<uint32_t>& hosts) const
{
    /// How a switch is reached.
    struct Arrival
    {
        uint32_t rank{UINT32_MAX};      ///< of the lane by which
        Node before{FabricGraph::NONE}; ///< switch that it comes from
        Exit exit{0, 0};                ///< by which it leaves that
    };

    std::vector<std::size_t> order; // lanes of channels by rank
    for (std::size_t vertex = 0; vertex < m_ranks.size(); ++vertex)
    {
        if (m_ranks[vertex] > 0)
        {
            order.push_back(vertex);
        }
    }
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return m_ranks[a] < m_ranks[b];
    });
    const auto first = EndOf(from).node;
    std::vector<Arrival> arrivals(m_graph.GetNSwitches());
    arrivals[first].rank = 0;
    const auto nPorts = m_graph.GetNPorts(0);
    for (const auto vertex : order)
    {
        const auto node = static_cast<Node>(vertex / m_nLanes / nPorts);
        const Exit exit{static_cast<Port>(vertex / m_nLanes % nPorts),
                        static_cast<uint8_t>(vertex % m_nLanes)};
        const auto far = m_graph.Peer(node, exit.port).node;
        if (arrivals[node].rank < m_ranks[vertex] && far < m_graph.GetNSwitches() &&
            arrivals[far].rank == UINT32_MAX)
        {
            arrivals[far] = {m_ranks[vertex], node, exit};
        }
    }
    Visits visits{{first, {}}};
    for (const auto host : hosts)
    {
        const auto end = EndOf(host);
        const bool isKnown = visits.count(end.node) > 0;
        visits[end.node].exits.push_back({end.port, 0});
        for (auto node = end.node; !isKnown && node != first;)
        {
            const auto& arrival = arrivals[node];
            const bool meets = visits.count(arrival.before) > 0;
            visits[arrival.before].exits.push_back(arrival.exit);
            node = meets ? first : arrival.before;
        }
    }
    return visits;
}

Ptr<const WormRoute>
RankedRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    CheckHost("sending host", from);
    auto hosts = to;
    std::sort(hosts.begin(), hosts.end());
    const bool isTwice = std::adjacent_find(hosts.begin(), hosts.end()) != hosts.end();
    if (hosts.empty() || isTwice || std::binary_search(hosts.begin(), hosts.end(), from))
    {
        throw WormholeError("a tree route from host " + std::to_string(from) + " to " +
                            (hosts.empty() ? "no host"
                             : isTwice     ? "a host twice"
                                           : "itself") +
                            ": accepted are other hosts, each once");
    }
    CheckHost("receiving host", hosts.back());
    const auto first = EndOf(from).node;
    Visits visits{{first, {}}};
    const bool isGrafted = std::all_of(hosts.begin(), hosts.end(), [&](uint32_t host) {
        return Graft(from, host, visits);
    });
    if (!isGrafted)
    {
        visits = MakeForemostTree(from, hosts);
    }
    std::vector<std::vector<uint16_t>> stops{{0}};
    WormRoute::Lanes lanes{0};
    std::vector<Node> nodes{first}; // switches and hosts of stops to come
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        stops.emplace_back();
        if (!m_graph.IsSwitch(nodes[i]))
        {
            continue;
        }
        auto& exits = visits.at(nodes[i]).exits;
        std::sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) {
            return a.port < b.port;
        });
        for (const auto& exit : exits)
        {
            nodes.push_back(m_graph.Peer(nodes[i], exit.port).node);
            stops.back().push_back(exit.port);
            lanes.push_back(exit.lane);
        }
    }
    return MakeRoute(WormRoute::Tree(stops), lanes);
}

} // namespace ns3
