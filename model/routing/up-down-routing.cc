/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-routing.h"

#include "center-search.h"
#include "route-request.h"
#include "switch-orbits.h"
#include "up-down-columns.h"
#include "up-down-pair-route.h"
#include "up-down-tree-route.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// @return the switch with most links @param adjacency the switches' links
FabricGraph::Node
MaxDegree(const SwitchAdjacency& adjacency)
{
    FabricGraph::Node best = 0;
    for (FabricGraph::Node node = 1; node < adjacency.GetNSwitches(); ++node)
    {
        if (adjacency.Of(node).size() > adjacency.Of(best).size())
        {
            best = node;
        }
    }
    return best;
}

/// @return the switch of least eccentricity @param adjacency the links of connected switches
FabricGraph::Node
MinEccentricity(const SwitchAdjacency& adjacency)
{
    std::vector<FabricGraph::Node> all(adjacency.GetNSwitches());
    std::iota(all.begin(), all.end(), 0);
    CenterSearch centers(adjacency, all, SwitchOrbits::FindFirst(adjacency));
    std::pair best{SwitchAdjacency::UNREACHED, FabricGraph::NONE};
    while (const auto search = centers.Next(best.second))
    {
        best = std::min(best, {search->GetDepth(), search->At(0)});
    }
    return best.second;
}

} // namespace

UpDownRouting::UpDownRouting(const FabricGraph& graph, RootRule rule)
    : UpDownRouting(RouteRequest::CheckFabric(graph), ChooseRoot(graph, rule))
{
}

UpDownRouting::UpDownRouting(const FabricGraph& graph, Node root)
    : m_graph(RouteRequest::CheckFabric(graph)),
      m_adjacency(graph),
      m_root(root),
      m_order(graph.GetNSwitches()),
      m_ranks(graph.GetNSwitches())
{
    CheckKind(root, true, "root");
    m_levels = m_adjacency.Distances(root);
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [this](Node a, Node b) {
        return m_levels[a] < m_levels[b];
    });
    for (std::size_t rank = 0; rank < m_order.size(); ++rank)
    {
        m_ranks[m_order[rank]] = static_cast<uint32_t>(rank);
    }
    m_columns = std::make_unique<UpDownColumns>(m_adjacency, m_order);
}

UpDownRouting::~UpDownRouting() = default;

uint32_t
UpDownRouting::GetNKinds() const
{
    return 2;
}

uint32_t
UpDownRouting::GetKind(Node node, Port port) const
{
    return LeadsUp(node, m_graph.Peer(node, port).node);
}

bool
UpDownRouting::MayFollow(uint32_t kind, uint32_t next) const
{
    return kind >= next;
}

UpDownRouting::Node
UpDownRouting::RootByName(const FabricGraph& graph, const std::string& name)
{
    if (name == "first" || name == "degree" || name == "center")
    {
        return ChooseRoot(RouteRequest::CheckFabric(graph),
                          name == "first"    ? RootRule::FIRST
                          : name == "degree" ? RootRule::DEGREE
                                             : RootRule::CENTER);
    }
    const auto node = graph.Find(name);
    if (!graph.IsSwitch(node))
    {
        throw WormholeError("root '" + name +
                            "': accepted are first, degree, center, or the name of a switch");
    }
    return node;
}

UpDownRouting::Node
UpDownRouting::ChooseRoot(const FabricGraph& graph, RootRule rule)
{
    switch (rule)
    {
    case RootRule::DEGREE:
        return MaxDegree(SwitchAdjacency(graph));
    case RootRule::CENTER:
        return MinEccentricity(SwitchAdjacency(graph));
    default:
        return 0;
    }
}

void
UpDownRouting::CheckKind(Node node, bool isSwitch, const char* role) const
{
    if (node < m_graph.GetNNodes() && m_graph.IsSwitch(node) == isSwitch)
    {
        return;
    }
    const auto nSwitches = m_graph.GetNSwitches();
    const auto first = isSwitch ? 0 : nSwitches;
    const auto last = (isSwitch ? nSwitches : m_graph.GetNNodes()) - 1;
    throw WormholeError(std::string(role) + " " + std::to_string(node) + ": accepted is a " +
                        (isSwitch ? "switch" : "host") + ", nodes " + std::to_string(first) +
                        " to " + std::to_string(last) + " of this fabric");
}

WormRoute
UpDownRouting::Route(Node source, Node destination) const
{
    return Route(source, destination, RouteSpread(RouteSpread::Rule::FIRST, 0, 0));
}

WormRoute
UpDownRouting::Route(Node source, Node destination, const RouteSpread& spread) const
{
    CheckKind(source, false, "source");
    CheckKind(destination, false, "destination");
    if (source == destination)
    {
        throw WormholeError("a route from " + m_graph.GetName(source) +
                            " to itself: accepted is another host");
    }
    WormRoute::Ports ports;
    ports.push_back(0);
    const auto end = m_graph.SwitchOf(destination);
    const auto from = m_graph.SwitchOf(source).node;
    if (spread.IsFirst())
    {
        AppendPorts(from, end.node, ports);
    }
    else if (m_columns->HoldChoices())
    {
        m_columns->Append(from, end.node, spread, ports);
    }
    else
    {
        SearchPorts(from, end.node, spread, ports);
    }
    ports.push_back(end.port);
    return WormRoute::Path(std::move(ports));
}

WormRoute
UpDownRouting::RouteToSwitch(Node source, Node destination) const
{
    CheckKind(source, false, "source");
    CheckKind(destination, true, "destination");
    WormRoute::Ports ports;
    ports.push_back(0);
    AppendPorts(m_graph.SwitchOf(source).node, destination, ports, true);
    return WormRoute::Path(std::move(ports));
}

WormRoute
UpDownRouting::RouteSwitchToSwitch(Node source, Node destination) const
{
    CheckKind(source, true, "source");
    CheckKind(destination, true, "destination");
    if (source == destination)
    {
        throw WormholeError("a route from " + m_graph.GetName(source) +
                            " to itself: accepted is another switch");
    }
    WormRoute::Ports ports;
    AppendPorts(source, destination, ports);
    return WormRoute::Path(std::move(ports));
}

WormRoute
UpDownRouting::TreeRoute(Node source, const std::vector<Node>& destinations) const
{
    CheckKind(source, false, "source");
    if (destinations.empty())
    {
        throw WormholeError("a tree route from " + m_graph.GetName(source) +
                            " to no host: accepted is one or more");
    }
    for (auto destination : destinations)
    {
        CheckKind(destination, false, "destination");
    }
    return UpDownTreeRoute(*this, source, destinations).Get();
}

bool
UpDownRouting::IsUp(Node node, Port port) const
{
    const auto peer = m_graph.Peer(node, port).node;
    return m_graph.IsSwitch(peer) && (!m_graph.IsSwitch(node) || LeadsUp(node, peer));
}

bool
UpDownRouting::IsLegal(Node source, const WormRoute& route) const
{
    std::vector<Node> nodes;
    try
    {
        nodes = m_graph.Walk(source, route);
    }
    catch (const WormholeError&)
    {
        return false;
    }
    std::vector<bool> goneDown(nodes.size(), false);
    for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
    {
        if (stop > 0 && !m_graph.IsSwitch(nodes[stop]) && route.At(stop).size() > 0)
        {
            return false; // a host passes nothing on
        }
        for (const auto& branch : route.At(stop))
        {
            const bool up = IsUp(nodes[stop], branch.port);
            if (up && goneDown[stop])
            {
                return false;
            }
            goneDown[branch.next] = !up;
        }
    }
    std::sort(nodes.begin(), nodes.end());
    return std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end();
}

UpDownRouting::Port
UpDownRouting::NextPort(Node from, Node to, bool goneDown) const
{
    return m_columns->GetNext(from, to, goneDown).value_or(NO_PORT);
}

void
UpDownRouting::SearchPorts(Node from,
                           Node to,
                           const RouteSpread& spread,
                           WormRoute::Ports& ports) const
{
    if (!m_search)
    {
        m_search = std::make_unique<UpDownPairRoute>(*this);
    }
    m_search->Append(from, to, spread, ports);
}

void
UpDownRouting::AppendPorts(Node from, Node to, WormRoute::Ports& ports, bool once) const
{
    if (m_columns->HoldAll() && (!once || m_columns->IsKept(to)))
    {
        m_columns->Append(from, to, ports);
    }
    else
    {
        SearchPorts(from, to, RouteSpread(RouteSpread::Rule::FIRST, 0, 0), ports);
    }
}

uint32_t
UpDownRouting::GetDistance(Node from, Node to) const
{
    CheckKind(from, true, "source");
    CheckKind(to, true, "destination");
    WormRoute::Ports ports;
    AppendPorts(from, to, ports);
    return static_cast<uint32_t>(ports.size());
}

uint32_t
UpDownRouting::GetLevel(Node node) const
{
    CheckKind(node, true, "level of");
    return m_levels[node];
}

UpDownRouting::Node
UpDownRouting::GetRoot() const
{
    return m_root;
}

const FabricGraph&
UpDownRouting::GetGraph() const
{
    return m_graph;
}

const SwitchAdjacency&
UpDownRouting::GetAdjacency() const
{
    return m_adjacency;
}

} // namespace ns3
