/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-routes.h"

#include "ranked-tree.h"

#include "ns3/route-request.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LaneRoutes::LaneRoutes(const FabricGraph& graph, uint32_t nLanes)
    : m_graph(graph),
      m_channels(graph),
      m_hosts(graph),
      m_nLanes(nLanes),
      m_name("these routes")
{
}

LaneRoutes::Choices
LaneRoutes::MakeChoices(Node, Node) const
{
    return {};
}

std::vector<LaneRoutes::Leg>
LaneRoutes::MakeLegs(uint32_t, uint32_t) const
{
    return {};
}

bool
LaneRoutes::HasChoices() const
{
    return false;
}

bool
LaneRoutes::AreBySwitch() const
{
    return false;
}

void
LaneRoutes::SetName(const std::string& name)
{
    m_name = name;
}

void
LaneRoutes::SetRanks(const TurnSet& turns)
{
    m_ranks.resize(turns.GetNVertices());
    for (Vertex vertex = 0; vertex < m_ranks.size(); ++vertex)
    {
        m_ranks[vertex] = turns.GetRank(vertex);
    }
}

void
LaneRoutes::SetOrder(const std::vector<Vertex>& order)
{
    m_ranks.resize(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
    {
        m_ranks[order[rank]] = static_cast<uint32_t>(rank);
    }
}

void
LaneRoutes::AddLoad(Channel channel, double sent, uint32_t longest, Loads& loads) const
{
    // Switches come first, with equally many ports each.
    const auto node = m_channels.From(channel);
    const auto place = std::size_t{node} * m_graph.GetNPorts(node) + m_channels.PortOf(channel);
    loads.channels[place] += sent;
    loads.longest = std::max(loads.longest, longest);
}

bool
LaneRoutes::HasCircle(const FabricGraph&) const
{
    return false; // ranks increase
}

Ptr<const WormRoute>
LaneRoutes::MakePath(const Way& way, std::optional<Port> last) const
{
    WormRoute::Ports ports{0};
    for (const auto vertex : way)
    {
        ports.push_back(m_channels.PortOf(vertex / m_nLanes));
    }
    if (last)
    {
        ports.push_back(*last);
    }
    WormRoute::Lanes lanes; // stays empty where there is one: a worm's start needs its route
    if (m_nLanes > 1)
    {
        lanes.assign(ports.size(), 0);
        std::transform(way.begin(), way.end(), lanes.begin() + 1, [this](Vertex vertex) {
            return static_cast<uint8_t>(vertex % m_nLanes);
        });
    }
    return RankedTree::MakeRoute(WormRoute::Path(std::move(ports)), lanes);
}

Ptr<const WormRoute>
LaneRoutes::MakePath(uint32_t from, uint32_t to) const
{
    Way way;
    Append(from, to, way);
    return MakePath(way, m_graph.SwitchOf(m_graph.HostAt(to)).port);
}

Ptr<const WormRoute>
LaneRoutes::GetRoute(uint32_t from, uint32_t to)
{
    RouteRequest::CheckPair(from, to, m_graph.GetNHosts());
    if (GetInTransit() != InTransit::NONE)
    {
        return MakeTransitRoute(from, to);
    }
    return HasChoices() ? MakeChoiceRoute(from, to) : MakePath(from, to);
}

Ptr<const WormRoute>
LaneRoutes::GetSwitchPath(uint32_t from, uint32_t to)
{
    return GetInTransit() == InTransit::NONE ? GetPath(from, to) : MakePath(from, to);
}

Ptr<const WormRoute>
LaneRoutes::MakeChoiceRoute(uint32_t from, uint32_t to)
{
    const auto port = m_graph.SwitchOf(m_graph.HostAt(to)).port;
    const uint64_t nSwitches = m_channels.GetNSwitches();
    const auto pair = m_hosts.SwitchOf(from) * nSwitches + m_hosts.SwitchOf(to);
    constexpr uint64_t MAX_MADE = 1U << 16; // some 100 MB
    if (m_made.empty())
    {
        m_made.resize(std::min(nSwitches * nSwitches, MAX_MADE));
    }
    auto& made = m_made[pair % m_made.size()];
    if (made.route && made.pair == pair)
    {
        return made.route->EndingBy(port);
    }
    const auto choices = MakeChoices(m_hosts.SwitchOf(from), m_hosts.SwitchOf(to));
    // The sender comes before its switch in the list, the receiver behind all.
    const auto end = static_cast<uint32_t>(choices.size() + 1);
    std::vector<std::vector<WormRoute::Choice>> nodes{{{0, 0, 1}}};
    nodes.reserve(choices.size() + 2);
    for (const auto& taken : choices)
    {
        nodes.emplace_back();
        nodes.back().reserve(taken.size());
        for (const auto& choice : taken)
        {
            nodes.back().push_back({m_channels.PortOf(choice.vertex / m_nLanes),
                                    static_cast<uint8_t>(choice.vertex % m_nLanes),
                                    choice.next + 1});
        }
        if (taken.empty())
        {
            nodes.back().push_back({port, 0, end});
        }
    }
    nodes.emplace_back();
    auto route = WormRoute::Adaptive(nodes);
    made.pair = pair;
    made.route = route;
    return Create<WormRoute>(std::move(route));
}

Ptr<const WormRoute>
LaneRoutes::MakeTransitRoute(uint32_t from, uint32_t to) const
{
    WormRoute::Ports ports;
    for (const auto& leg : MakeLegs(from, to))
    {
        ports.push_back(0); // of the host where it begins
        for (const auto channel : leg.way)
        {
            ports.push_back(m_channels.PortOf(channel));
        }
        ports.push_back(m_graph.SwitchOf(m_graph.HostAt(leg.host)).port);
    }
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

RankedTree
LaneRoutes::MakeTree(uint32_t from) const
{
    return RankedTree(m_graph, m_channels, m_ranks, m_nLanes, from);
}

Ptr<const WormRoute>
LaneRoutes::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    RouteRequest::CheckExists("sending host", from, m_graph.GetNHosts());
    RouteRequest::CheckExists("receiving switch", toSwitch, m_graph.GetNSwitches());
    const auto first = m_hosts.SwitchOf(from);
    const auto ports = m_graph.PortsToHosts(toSwitch);
    Way way;
    if (first != toSwitch && !ports.empty())
    {
        Append(from, m_graph.Peer(toSwitch, ports[0]).node - m_graph.GetNSwitches(), way);
    }
    else if (first != toSwitch && !MakeTree(from).FindPath(toSwitch, way))
    {
        throw WormholeError(m_name + ": none leads from " + m_graph.GetName(m_graph.HostAt(from)) +
                            " to " + m_graph.GetName(toSwitch) +
                            " without a circle of channels; accepted is a switch that has hosts, "
                            "or up/down routes");
    }
    return MakePath(way, std::nullopt);
}

Ptr<const WormRoute>
LaneRoutes::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    const auto hosts = RouteRequest::CheckTree(from, to, m_graph.GetNHosts());
    auto tree = MakeTree(from);
    tree.AddAll(hosts, [&](uint32_t host, Way& way) { Append(from, host, way); });
    return tree.Get();
}

} // namespace ns3
