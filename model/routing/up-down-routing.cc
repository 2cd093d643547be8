// SPDX-License-Identifier: GPL-2.0-only

#include "up-down-routing.h"

#include "ns3/ordering.h"
#include "ns3/route-request.h"
#include "ns3/up-down-pair-route.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace ns3
{

/// Tables of up/down routes: a column for each destination switch, created on demand, with the next
/// link at every switch.
///
/// A column of first choices takes a byte per switch where switches have few links, else four; a
/// column of alternatives takes four. Routes access columns irregularly, and the columns together
/// exceed the processor's caches. So a column begins with the switches next to the root, followed
/// by the branches of the tree below them, one after the other: most of a route lies in few cache
/// lines.
class UpDownColumns
{
  public:
    using Node = FabricGraph::Node;
    using Port = FabricGraph::Port;

    /// @param order the switches, such that every cable leads up to the one that comes first
    UpDownColumns(const SwitchAdjacency& adjacency, std::vector<Node> order)
        : m_order(std::move(order)),
          m_ranks(PlacesIn(m_order))
    {
        for (const auto node : m_order)
        {
            const auto links = adjacency.Of(node);
            m_maxLinks = std::max(m_maxLinks, links.size());
            m_switches.push_back({0, static_cast<uint32_t>(m_links.size())});
            for (const auto& link : links)
            {
                m_links.push_back({m_ranks[link.to], link.port});
            }
        }
        m_switches.push_back({0, static_cast<uint32_t>(m_links.size())});
        FindPlaces();
    }

    bool HoldAll() const
    {
        return m_ranks.size() <= GetMaxKept();
    }

    bool HoldChoices() const
    {
        return HoldAll() && m_maxLinks <= MAX_CHOICES;
    }

    bool IsKept(Node to) const
    {
        return (!m_firsts.to.empty() && !m_firsts.to[to].empty()) ||
               (!m_packed.to.empty() && !m_packed.to[to].empty());
    }

    std::optional<Port> GetNext(Node from, Node to, bool goneDown)
    {
        const auto& here = m_switches[m_ranks[from]];
        if (m_maxLinks <= NO_PACKED)
        {
            const auto link = Unpack(GetPacked(to)[here.place], goneDown);
            return link == NO_PACKED ? std::nullopt
                                     : std::optional(m_links[here.firstLink + link].port);
        }
        const auto& next = GetFirsts(to)[here.place];
        const auto link = goneDown ? next.down : next.free;
        return link == NO_LINK ? std::nullopt : std::optional(m_links[here.firstLink + link].port);
    }

    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports)
    {
        if (spread.IsFirst() && m_maxLinks <= NO_PACKED)
        {
            Follow(GetPacked(to), from, to, ports, [](uint8_t links, uint32_t, bool goneDown) {
                return Unpack(links, goneDown);
            });
            return;
        }
        if (spread.IsFirst())
        {
            Follow(GetFirsts(to),
                   from,
                   to,
                   ports,
                   [](const NextLinks& next, uint32_t, bool goneDown) {
                       return goneDown ? next.down : next.free;
                   });
            return;
        }
        const auto choose = [&](const NextLinks& next, uint32_t rank, bool goneDown) {
            uint32_t links = goneDown ? next.down : next.free;
            if (links & (links - 1)) // several
            {
                for (auto skip = spread.Choose(m_order[rank], CountBits(links)); skip > 0; --skip)
                {
                    links &= links - 1;
                }
            }
            uint32_t place = 0;
            while (!(links >> place & 1))
            {
                ++place;
            }
            return place;
        };
        Follow(GetChoices(to), from, to, ports, choose);
    }

  private:
    /// Memory that the columns kept may take, in bytes; every fabric up to 8,000 switches stays
    /// below.
    static constexpr std::size_t COLUMN_MEMORY = std::size_t{256} << 20;
    static constexpr uint32_t TOP = 64;             ///< switches that come first in a column
    static constexpr std::size_t MAX_CHOICES = 16;  ///< links in a column of alternatives
    static constexpr uint32_t NO_PACKED = 15;       ///< in a packed column
    static constexpr uint16_t NO_LINK = UINT16_MAX; ///< in another column of first choices

    /// The next link at a switch: the position of the first of the equally good links, or, in a
    /// column of alternatives, a bit for each of them.
    struct NextLinks
    {
        uint16_t free; ///< for a worm that may still go up
        uint16_t down; ///< for a worm that has gone down
    };

    using Column = std::vector<NextLinks>;

    /// The same for switches with few links: `free` in the low four bits, `down` in the high ones.
    using PackedColumn = std::vector<uint8_t>;

    template <typename COLUMN>
    struct Kept
    {
        std::vector<COLUMN> to; ///< by destination; empty: not kept
        std::deque<Node> order; ///< destinations of those kept, oldest first
    };

    /// A switch. Switches are identified by rank: their place in the order from the root down.
    struct Switch
    {
        uint32_t place{0};
        uint32_t firstLink{0}; ///< place of its first link in m_links
    };

    /// A link of a switch; equally good ones are preferred in this order.
    struct Link
    {
        uint32_t to; ///< rank of the switch that it leads to
        Port port;
    };

    /// The state of the search for routes to one destination, by rank.
    struct Search
    {
        std::vector<uint32_t> down;  ///< remaining links, down only
        std::vector<uint32_t> free;  ///< remaining links, up or down
        std::vector<uint32_t> queue; ///< switches that reach it by going down, nearest first
    };

    /// @param bits 16 bits
    static uint32_t CountBits(uint32_t bits)
    {
        bits -= bits >> 1 & 0x5555;
        bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
        bits = (bits + (bits >> 4)) & 0x0f0f;
        return (bits + (bits >> 8)) & 0x1f;
    }

    void FindPlaces()
    {
        const auto n = static_cast<uint32_t>(m_order.size());
        const auto top = std::min(n, TOP);
        std::vector<std::vector<uint32_t>> below(n);
        for (auto rank = top; rank < n; ++rank)
        {
            auto above = rank;
            for (auto at = m_switches[rank].firstLink; at < m_switches[rank + 1].firstLink; ++at)
            {
                above = std::min(above, m_links[at].to);
            }
            below[above].push_back(rank);
        }
        std::vector<uint32_t> next;
        for (auto rank = top; rank-- > 0;)
        {
            m_switches[rank].place = rank;
            next.push_back(rank);
        }
        auto place = top;
        while (!next.empty())
        {
            const auto rank = next.back();
            next.pop_back();
            if (rank >= top)
            {
                m_switches[rank].place = place++;
            }
            next.insert(next.end(), below[rank].rbegin(), below[rank].rend());
        }
    }

    std::size_t GetMaxKept() const
    {
        return std::max<std::size_t>(1, COLUMN_MEMORY / (sizeof(NextLinks) * m_ranks.size()));
    }

    /// Gets a column. If it is new and there are too many, the oldest is dropped.
    /// @param put adds a link to an entry, see FindShortestPaths
    template <typename COLUMN, typename PUT>
    const COLUMN& Get(Kept<COLUMN>& kept, Node to, typename COLUMN::value_type none, PUT put)
    {
        if (kept.to.empty())
        {
            kept.to.resize(m_ranks.size());
        }
        auto& column = kept.to[to];
        if (column.empty())
        {
            if (kept.order.size() >= GetMaxKept())
            {
                kept.to[kept.order.front()] = COLUMN();
                kept.order.pop_front();
            }
            kept.order.push_back(to);
            column.assign(m_ranks.size(), none);
            FindShortestPaths(to, [&](uint32_t rank, bool goneDown, uint32_t link, bool isBetter) {
                put(column[m_switches[rank].place], goneDown, link, isBetter);
            });
        }
        return column;
    }

    const Column& GetFirsts(Node to)
    {
        return Get(m_firsts,
                   to,
                   {NO_LINK, NO_LINK},
                   [](NextLinks& next, bool goneDown, uint32_t link, bool isBetter) {
                       auto& kept = goneDown ? next.down : next.free;
                       kept = isBetter ? static_cast<uint16_t>(link) : kept;
                   });
    }

    const PackedColumn& GetPacked(Node to)
    {
        return Get(m_packed,
                   to,
                   NO_PACKED << 4 | NO_PACKED,
                   [](uint8_t& links, bool goneDown, uint32_t link, bool isBetter) {
                       const auto kept = links & (goneDown ? NO_PACKED : NO_PACKED << 4);
                       links = isBetter ? static_cast<uint8_t>(kept | link << (goneDown ? 4 : 0))
                                        : links;
                   });
    }

    const Column& GetChoices(Node to)
    {
        return Get(m_choices,
                   to,
                   {0, 0},
                   [](NextLinks& next, bool goneDown, uint32_t link, bool isBetter) {
                       auto& links = goneDown ? next.down : next.free;
                       links = static_cast<uint16_t>((isBetter ? 0 : links) | 1 << link);
                   });
    }

    static uint32_t Unpack(uint8_t links, bool goneDown)
    {
        return goneDown ? links >> 4 : links & NO_PACKED;
    }

    template <typename NOTE>
    void FindShortestPaths(Node to, NOTE note)
    {
        constexpr uint32_t FAR = SwitchAdjacency::UNREACHED;
        auto& [down, free, queue] = m_search;
        const auto end = m_ranks[to];
        down.assign(m_ranks.size(), FAR);
        down[end] = 0;
        queue.assign(1, end);
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            const auto rank = queue[i];
            for (auto at = m_switches[rank].firstLink; at < m_switches[rank + 1].firstLink; ++at)
            {
                const auto next = m_links[at].to;
                if (next < rank && down[next] == FAR) // up
                {
                    down[next] = down[rank] + 1;
                    queue.push_back(next);
                }
            }
        }
        free.assign(m_ranks.size(), FAR);
        free[end] = 0;
        // What is up from a switch is before it.
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            if (rank == end)
            {
                continue;
            }
            auto bestFree = FAR;
            auto bestDown = FAR;
            const auto first = m_switches[rank].firstLink;
            for (auto at = first; at < m_switches[rank + 1].firstLink; ++at)
            {
                const auto next = m_links[at].to;
                const bool isUp = next < rank;
                const auto left = isUp ? free[next] : down[next];
                if (left < FAR && left <= bestFree)
                {
                    note(rank, false, at - first, left < bestFree);
                    bestFree = left;
                }
                if (!isUp && left < FAR && left <= bestDown)
                {
                    note(rank, true, at - first, left < bestDown);
                    bestDown = left;
                }
            }
            free[rank] = bestFree < FAR ? bestFree + 1 : FAR;
        }
    }

    template <typename COLUMN, typename CHOOSE>
    void Follow(const COLUMN& column, Node from, Node to, WormRoute::Ports& ports, CHOOSE choose)
        const
    {
        constexpr std::size_t LINE = 64 / sizeof(typename COLUMN::value_type);
        auto rank = m_ranks[from];
        const auto last = m_ranks[to];
        for (std::size_t i = 0; i < std::min<std::size_t>(column.size(), TOP); i += LINE)
        {
            __builtin_prefetch(&column[i]);
        }
        for (const std::size_t end : {m_switches[rank].place, m_switches[last].place})
        {
            // What is above a switch comes a little before it.
            __builtin_prefetch(&column[end]);
            __builtin_prefetch(&column[end - std::min(end, LINE)]);
        }
        bool goneDown = false;
        while (rank != last)
        {
            const auto& here = m_switches[rank];
            const auto& link = m_links[here.firstLink + choose(column[here.place], rank, goneDown)];
            goneDown = link.to > rank;
            ports.push_back(link.port);
            rank = link.to;
        }
    }

    std::vector<Node> m_order;     ///< the switches, by rank
    std::vector<uint32_t> m_ranks; ///< by switch
    std::vector<Switch>
        m_switches;            ///< by rank, and one behind them, where the last one's links end
    std::vector<Link> m_links; ///< of all switches, by rank
    std::size_t m_maxLinks{0}; ///< number of links of the switch with most links
    Kept<Column> m_firsts;
    Kept<PackedColumn> m_packed; ///< the same for switches with few links
    Kept<Column> m_choices;
    Search m_search; ///< kept so that its memory is reused
};

namespace
{

FabricGraph::Node
MaxDegree(const SwitchAdjacency& adjacency)
{
    FabricGraph::Node best = 0;
    for (FabricGraph::Node node = 1; node < adjacency.GetNSwitches(); ++node)
    {
        best = adjacency.Of(node).size() > adjacency.Of(best).size() ? node : best;
    }
    return best;
}

FabricGraph::Node
MinEccentricity(const SwitchAdjacency& adjacency)
{
    CenterSearch centers(adjacency,
                         NumbersBelow(adjacency.GetNSwitches()),
                         SwitchOrbits::FindFirst(adjacency));
    std::pair best{SwitchAdjacency::UNREACHED, FabricGraph::NONE};
    while (const auto search = centers.Next(best.second))
    {
        best = std::min(best, {search->GetDepth(), search->At(0)});
    }
    return best.second;
}

/// Finds the route of one tree worm; the work behind UpDownRouting::TreeRoute.
class UpDownTreeRoute
{
  public:
    using Node = FabricGraph::Node;
    using Port = FabricGraph::Port;

    /// @throws WormholeError if a destination is the source or there twice
    UpDownTreeRoute(const UpDownRouting& routing,
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

    WormRoute Get() const
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

  private:
    struct Step
    {
        Node from{FabricGraph::NONE}; ///< switch that it came from
        Port port{0};
        bool reached{false};
    };

    void PlaceDestinations(const std::vector<Node>& destinations)
    {
        auto hosts = destinations;
        std::sort(hosts.begin(), hosts.end());
        const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
        const bool toItself = std::binary_search(hosts.begin(), hosts.end(), m_source);
        if (toItself || twice != hosts.end())
        {
            throw WormholeError("a tree route from " + m_graph.GetName(m_source) + " to " +
                                (toItself ? "itself" : m_graph.GetName(*twice) + " twice") +
                                ": expected other hosts, each once");
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

    void Climb()
    {
        const auto start = m_graph.SwitchOf(m_source).node;
        auto candidates = Search({start}, true);
        const auto climb = m_steps;
        // A candidate that misses a destination drops out with all others that are not above it.
        // The root is above every switch, so candidates remain.
        Node top = candidates.front();
        for (auto missed = SearchDown({top}); missed != FabricGraph::NONE;
             missed = SearchDown({top}))
        {
            Search({missed}, true);
            candidates = ThoseOf(candidates, [this](Node node) { return m_steps[node].reached; });
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

    /// Searches over links that all lead up, or all down.
    /// @param found where from @return the switches reached, by distance, then number if up
    std::vector<Node> Search(std::vector<Node> found, bool isUp)
    {
        m_steps.assign(m_graph.GetNSwitches(), Step());
        for (const auto node : found)
        {
            m_steps[node].reached = true;
        }
        for (std::size_t first = 0; first < found.size();)
        {
            const auto last = found.size(); // found[first] to found[last - 1] are equally far
            for (; first < last; ++first)
            {
                const auto node = found[first];
                for (const auto& link : m_routing.GetAdjacency().Of(node))
                {
                    if (!m_steps[link.to].reached && m_routing.LeadsUp(node, link.to) == isUp)
                    {
                        m_steps[link.to] = {node, link.port, true};
                        found.push_back(link.to);
                    }
                }
            }
            if (isUp)
            {
                std::sort(found.begin() + last, found.end());
            }
        }
        return found;
    }

    /// @return a switch with destinations that is not reached down; FabricGraph::NONE if all are
    Node SearchDown(const std::vector<Node>& sources)
    {
        Search(sources, false);
        const auto missed = FindIn(m_goals, [this](Node goal) { return !m_steps[goal].reached; });
        return missed == m_goals.end() ? FabricGraph::NONE : *missed;
    }

    /// Adds to m_ports what leads from the sources of the last downward search to destinations.
    void KeepBranches()
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

    const UpDownRouting& m_routing;
    const FabricGraph& m_graph;
    Node m_source;                          ///< sending host
    std::vector<Step> m_steps;              ///< the latest search, by switch
    std::vector<Node> m_goals;              ///< switches with destinations, each once
    std::vector<Node> m_climb;              ///< switches of the way up, the source's first
    std::vector<std::vector<Port>> m_ports; ///< ports of the route, by switch
};

} // namespace

UpDownRouting::UpDownRouting(const FabricGraph& graph, RootRule rule)
    : UpDownRouting(RouteRequest::CheckFabric(graph), ChooseRoot(graph, rule))
{
}

UpDownRouting::UpDownRouting(const FabricGraph& graph, Node root)
    : m_graph(RouteRequest::CheckFabric(graph)),
      m_adjacency(graph),
      m_root(root)
{
    CheckKind(root, true, "root");
    m_levels = m_adjacency.Distances(root);
    m_order = NumbersBy(m_levels.size(), [this](Node node) { return m_levels[node]; });
    m_ranks = PlacesIn(m_order);
    m_columns = std::make_unique<UpDownColumns>(m_adjacency, m_order);
}

UpDownRouting::~UpDownRouting() = default;

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
    WormholeError::ThrowIf(!graph.IsSwitch(node),
                           "root '" + name +
                               "': expected first, degree, center, or the name of a switch");
    return node;
}

UpDownRouting::Node
UpDownRouting::ChooseRoot(const FabricGraph& graph, RootRule rule)
{
    return rule == RootRule::DEGREE   ? MaxDegree(SwitchAdjacency(graph))
           : rule == RootRule::CENTER ? MinEccentricity(SwitchAdjacency(graph))
                                      : 0;
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
    throw WormholeError(std::string(role) + " " + std::to_string(node) + ": expected a " +
                        (isSwitch ? "switch" : "host") + ", nodes " + std::to_string(first) +
                        " to " + std::to_string(last) + " of this fabric");
}

WormRoute
UpDownRouting::Route(Node source, Node destination, const RouteSpread& spread) const
{
    CheckKind(source, false, "source");
    CheckKind(destination, false, "destination");
    if (source == destination)
    {
        throw WormholeError("a route from " + m_graph.GetName(source) +
                            " to itself: expected another host");
    }
    WormRoute::Ports ports{0};
    const auto end = m_graph.SwitchOf(destination);
    AppendPorts(m_graph.SwitchOf(source).node, end.node, spread, ports);
    ports.push_back(end.port);
    return WormRoute::Path(std::move(ports));
}

WormRoute
UpDownRouting::RouteToSwitch(Node source, Node destination) const
{
    CheckKind(source, false, "source");
    CheckKind(destination, true, "destination");
    WormRoute::Ports ports{0};
    AppendPorts(m_graph.SwitchOf(source).node, destination, RouteSpread::First(), ports, true);
    return WormRoute::Path(std::move(ports));
}

WormRoute
UpDownRouting::TreeRoute(Node source, const std::vector<Node>& destinations) const
{
    CheckKind(source, false, "source");
    if (destinations.empty())
    {
        throw WormholeError("a tree route from " + m_graph.GetName(source) +
                            " to no host: expected one or more");
    }
    for (auto destination : destinations)
    {
        CheckKind(destination, false, "destination");
    }
    return UpDownTreeRoute(*this, source, destinations).Get();
}

UpDownRouting::Port
UpDownRouting::NextPort(Node from, Node to, bool goneDown) const
{
    return m_columns->GetNext(from, to, goneDown).value_or(NO_PORT);
}

void
UpDownRouting::AppendPorts(Node from,
                           Node to,
                           const RouteSpread& spread,
                           WormRoute::Ports& ports,
                           bool once) const
{
    if (spread.IsFirst() ? m_columns->HoldAll() && (!once || m_columns->IsKept(to))
                         : m_columns->HoldChoices())
    {
        m_columns->Append(from, to, spread, ports);
        return;
    }
    if (!m_search)
    {
        m_search = std::make_unique<UpDownPairRoute>(*this);
    }
    m_search->Append(from, to, spread, ports);
}

uint32_t
UpDownRouting::GetDistance(Node from, Node to) const
{
    CheckKind(from, true, "source");
    CheckKind(to, true, "destination");
    WormRoute::Ports ports;
    AppendPorts(from, to, RouteSpread::First(), ports);
    return static_cast<uint32_t>(ports.size());
}

Ptr<const WormRoute>
UpDownRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    const auto hosts = MadeOf(to, [this](uint32_t host) { return m_graph.HostAt(host); });
    return Create<WormRoute>(m_routing.TreeRoute(m_graph.HostAt(from), hosts));
}

} // namespace ns3
