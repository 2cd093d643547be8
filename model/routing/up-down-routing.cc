/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-routing.h"

#include "center-search.h"
#include "routable-graph.h"
#include "switch-orbits.h"
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

/// Memory that the columns kept may take, in bytes; every fabric up to 8,000 switches stays below.
constexpr std::size_t COLUMN_MEMORY = std::size_t{256} << 20;

/// Links of a switch for which a column to choose from has bits.
constexpr uint32_t MAX_LINKS = 16;

/// @return number of bits that are set @param bits 16 bits
uint32_t
CountBits(uint32_t bits)
{
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits + (bits >> 8)) & 0x1f;
}

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
    : UpDownRouting(CheckRoutable(graph), ChooseRoot(graph, rule))
{
}

UpDownRouting::UpDownRouting(const FabricGraph& graph, Node root)
    : m_graph(CheckRoutable(graph)),
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
    for (auto node : m_order)
    {
        m_maxLinks = std::max(m_maxLinks, static_cast<uint32_t>(m_adjacency.Of(node).size()));
    }
    m_choices.areToChooseFrom = true;
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
        return ChooseRoot(CheckRoutable(graph),
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
    else
    {
        AppendShared(from, end.node, spread, ports);
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
    const auto& column = GetColumn(m_firsts, to);
    return goneDown ? column[from].down : column[from].free;
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
UpDownRouting::AppendShared(Node from,
                            Node to,
                            const RouteSpread& spread,
                            WormRoute::Ports& ports) const
{
    if (GetMaxKept() < m_order.size() || m_maxLinks > MAX_LINKS)
    {
        SearchPorts(from, to, spread, ports);
        return;
    }
    const auto& column = GetColumn(m_choices, to);
    bool goneDown = false;
    while (from != to)
    {
        uint32_t links = goneDown ? column[from].down : column[from].free;
        if (links & (links - 1)) // several
        {
            for (auto skip = spread.Choose(from, CountBits(links)); skip > 0; --skip)
            {
                links &= links - 1;
            }
        }
        uint32_t place = 0;
        while (!(links >> place & 1))
        {
            ++place;
        }
        const auto link = m_adjacency.Of(from)[place];
        goneDown = !LeadsUp(from, link.to);
        ports.push_back(link.port);
        from = link.to;
    }
}

void
UpDownRouting::AppendPorts(Node from, Node to, WormRoute::Ports& ports, bool once) const
{
    if (GetMaxKept() < m_order.size() || (once && (m_firsts.to.empty() || m_firsts.to[to].empty())))
    {
        SearchPorts(from, to, RouteSpread(RouteSpread::Rule::FIRST, 0, 0), ports);
        return;
    }
    const auto& column = GetColumn(m_firsts, to);
    // The way jumps about in the column, so its memory had better come all at once.
    constexpr std::size_t LINE = 64 / sizeof(NextPorts);
    constexpr std::size_t MAX_LINES = 32;
    for (std::size_t i = 0; i < std::min(column.size(), MAX_LINES * LINE); i += LINE)
    {
        __builtin_prefetch(&column[i]);
    }
    bool goneDown = false;
    while (from != to)
    {
        const auto port = goneDown ? column[from].down : column[from].free;
        const auto next = m_graph.Peer(from, port).node;
        goneDown = !LeadsUp(from, next);
        ports.push_back(port);
        from = next;
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

std::size_t
UpDownRouting::GetMaxKept() const
{
    return std::max<std::size_t>(1, COLUMN_MEMORY / (sizeof(NextPorts) * m_order.size()));
}

const UpDownRouting::Column&
UpDownRouting::GetColumn(Columns& columns, Node to) const
{
    columns.to.resize(m_order.size());
    auto& column = columns.to[to];
    if (!column.empty())
    {
        return column;
    }
    if (columns.kept.size() >= GetMaxKept())
    {
        columns.to[columns.kept.front()] = Column();
        columns.kept.pop_front();
    }
    columns.kept.push_back(to);
    column = MakeColumn(to, columns.areToChooseFrom);
    return column;
}

UpDownRouting::Column
UpDownRouting::MakeColumn(Node to, bool toChooseFrom) const
{
    constexpr uint32_t FAR = SwitchAdjacency::UNREACHED;
    auto& [down, free, queue] = m_scratch;
    down.assign(m_order.size(), FAR);
    down[to] = 0;
    queue.assign(1, to);
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        for (const auto& link : m_adjacency.Of(queue[i]))
        {
            if (LeadsUp(queue[i], link.to) && down[link.to] == FAR)
            {
                down[link.to] = down[queue[i]] + 1;
                queue.push_back(link.to);
            }
        }
    }
    const uint16_t none = toChooseFrom ? 0 : NO_PORT;
    Column column(m_order.size(), {none, none});
    free.assign(m_order.size(), FAR);
    free[to] = 0;
    for (auto node : m_order) // what is up from a switch is before it
    {
        if (node == to)
        {
            continue;
        }
        uint32_t bestDown = FAR;
        uint32_t place = 0;
        for (const auto& link : m_adjacency.Of(node))
        {
            const bool up = LeadsUp(node, link.to);
            const auto left = up ? free[link.to] : down[link.to];
            const auto mark = toChooseFrom ? static_cast<uint16_t>(1 << place++) : link.port;
            if (left < FAR && left + 1 < free[node])
            {
                free[node] = left + 1;
                column[node].free = mark;
            }
            else if (toChooseFrom && left < FAR && left + 1 == free[node])
            {
                column[node].free |= mark;
            }
            if (!up && left < bestDown)
            {
                bestDown = left;
                column[node].down = mark;
            }
            else if (toChooseFrom && !up && left < FAR && left == bestDown)
            {
                column[node].down |= mark;
            }
        }
    }
    return column;
}

} // namespace ns3
