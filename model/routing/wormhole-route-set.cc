// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-route-set.h"

#include "wormhole-routing-progress.h"

#include "ns3/ordering.h"
#include "ns3/route-request.h"

#include <algorithm>
#include <functional>
#include <map>

namespace ns3
{

namespace
{

/// Finds the route of one tree worm along which ranks increase, for RouteSet::GetTreeRoute.
///
/// It has the unicast routes to its hosts, each from the last switch where it meets the tree so
/// far. Where ranks do not increase there, it is a shortest path from anywhere in the tree. Where
/// there is none, the tree is made anew of the paths whose ranks end lowest at each switch: these
/// always form a tree, as the foremost journeys of a timetable do.
class RankedTree
{
  public:
    using Node = SwitchChannels::Node;
    using Port = SwitchChannels::Port;
    using Vertex = uint32_t; ///< number of a lane of a channel, see RouteSet

    /// Lanes of channels one after the other.
    using Way = boost::container::small_vector<Vertex, WormRoute::USUAL_CHANNELS>;

    /// Appends the way of the unicast route to a host.
    using Append = std::function<void(uint32_t to, Way& way)>;

    /// A tree of a sender alone.
    /// @param graph the fabric, which must outlive this object, as all below
    RankedTree(const FabricGraph& graph,
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

    /// Adds receivers. @param hosts indexes of all of them, in order
    void AddAll(const std::vector<uint32_t>& hosts, const Append& append)
    {
        if (!AllOf(hosts, [&](uint32_t host) { return Graft(host, append); }))
        {
            MakeForemost(hosts);
        }
    }

    /// Finds a shortest path of increasing ranks that begins in the tree, and comes through it no
    /// more.
    bool FindPath(Node to, Way& way) const
    {
        /// A lane of a channel that was reached, or a switch to begin at.
        struct Step
        {
            Node node;     ///< switch that it leads to
            uint32_t rank; ///< 1 more than its rank; 0 where the worm begins
            Vertex vertex;
            std::size_t from; ///< step before it, its own number where the path begins
        };

        std::vector<Step> steps;
        for (const auto& [node, visit] : m_visits)
        {
            steps.push_back({node, visit.rank, 0, steps.size()});
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

    Ptr<const WormRoute> Get()
    {
        WormRoute::Lanes lanes{0};
        const auto exitsOf = [&](Node node) {
            std::vector<Port> ports;
            if (m_graph.IsSwitch(node))
            {
                auto& exits = m_visits.at(node).exits;
                std::sort(exits.begin(), exits.end());
                for (const auto& [port, lane] : exits)
                {
                    ports.push_back(port);
                    lanes.push_back(lane);
                }
            }
            return ports;
        };
        auto route = RouteRequest::MakeTree(m_first, exitsOf, [&](Node node, Port port) {
            return m_graph.Peer(node, port).node;
        });
        return MakeRoute(std::move(route), lanes);
    }

    /// @param lanes lane of each of its channels, by stop; empty: all are lane 0
    static Ptr<const WormRoute> MakeRoute(WormRoute route, const WormRoute::Lanes& lanes)
    {
        const auto isOne = AllOf(lanes, [](uint8_t lane) { return lane == 0; });
        return isOne ? Create<WormRoute>(std::move(route))
                     : Create<WormRoute>(route.InLanes(lanes));
    }

  private:
    using Exit = std::pair<Port, uint8_t>; ///< how the worm leaves a node

    struct Visit
    {
        uint32_t rank{0};        ///< 1 more than that of the lane by which the worm comes
        std::vector<Exit> exits; ///< by which it leaves
    };

    bool Graft(uint32_t to, const Append& append)
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
        if (!way.empty() && m_ranks[way.front()] < m_visits.at(first).rank &&
            !FindPath(end.node, way))
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

    /// Makes the route of the paths whose ranks end lowest.
    void MakeForemost(const std::vector<uint32_t>& hosts)
    {
        struct Arrival
        {
            uint32_t rank{
                UINT32_MAX}; ///< 1 more than that of the lane by which; 0: it is the first
            Vertex vertex{0};
        };

        std::vector<Arrival> arrivals(m_channels.GetNSwitches());
        arrivals[m_first].rank = 0;
        for (const auto vertex : PlacesIn(m_ranks)) // by rank
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

    /// @param vertex by which lane of a channel
    Exit ExitBy(Vertex vertex) const
    {
        return {m_channels.PortOf(vertex / m_nLanes), static_cast<uint8_t>(vertex % m_nLanes)};
    }

    FabricGraph::End EndOf(uint32_t host) const
    {
        return m_graph.SwitchOf(m_graph.HostAt(host));
    }

    const FabricGraph& m_graph;
    const SwitchChannels& m_channels;
    const std::vector<uint32_t>& m_ranks; ///< ranks, by vertex
    uint32_t m_nLanes;
    Node m_first;                   ///< the sender's switch
    std::map<Node, Visit> m_visits; ///< switches of the route
};

} // namespace

void
RouteSet::SetRanks(const TurnSet& turns)
{
    m_ranks =
        MadeOfNumbers(turns.GetNVertices(), [&](Vertex vertex) { return turns.GetRank(vertex); });
}

void
RouteSet::SetOrder(const std::vector<Vertex>& order)
{
    const std::size_t nVertices = std::size_t{m_channels.GetNChannels()} * m_nLanes;
    std::vector<bool> isIn(nVertices, false);
    for (const auto vertex : order)
    {
        if (vertex >= nVertices || isIn[vertex])
        {
            throw WormholeError(m_name + ": vertex " + std::to_string(vertex) +
                                " is out of range or twice in their order; expected 0 to " +
                                std::to_string(nVertices - 1) + ", each once");
        }
        isIn[vertex] = true;
    }
    WormholeError::ThrowIf(order.size() < nVertices,
                           m_name + ": their order has " + std::to_string(order.size()) +
                               " vertices; expected all " + std::to_string(nVertices) +
                               " (channels times lanes)");
    m_ranks = PlacesIn(order);
}

const std::vector<uint32_t>&
RouteSet::GetRanks() const
{
    if (m_ranks.empty() && m_channels.GetNChannels() > 0)
    {
        throw WormholeError(m_name + ": they have no order, which tree worms and routes to "
                                     "switches need; expected a constructor that calls SetOrder "
                                     "or SetRanks");
    }
    return m_ranks;
}

void
RouteSet::AddLoad(Channel channel, double sent, uint32_t longest, Loads& loads) const
{
    // Switches come first, with equally many ports each.
    const auto node = m_channels.From(channel);
    const auto place = std::size_t{node} * m_graph.GetNPorts(node) + m_channels.PortOf(channel);
    loads.channels[place] += sent;
    loads.longest = std::max(loads.longest, longest);
}

bool
RouteSet::HasCycle(const FabricGraph&) const
{
    const auto nHosts = m_graph.GetNHosts();
    const bool isBySwitch = AreBySwitch();
    const auto falls = [this](const Way& way) {
        return std::adjacent_find(way.begin(), way.end(), [this](Vertex a, Vertex b) {
                   return m_ranks.empty() || m_ranks[a] >= m_ranks[b];
               }) != way.end();
    };
    Way way;
    RoutingProgress progress("routes of hosts checked for deadlock", nHosts);
    for (uint32_t from = 0; from < nHosts; ++from)
    {
        progress.Step();
        if (isBySwitch && m_hosts.GetIndexAtSwitch(from) > 0)
        {
            continue; // its routes are those of the switch's first host
        }
        for (uint32_t to = 0; to < nHosts; ++to)
        {
            if (m_hosts.SwitchOf(from) == m_hosts.SwitchOf(to))
            {
                continue;
            }
            way.clear();
            Append(from, to, way);
            auto node = m_hosts.SwitchOf(from);
            for (const auto vertex : way)
            {
                const auto channel = vertex / m_nLanes;
                node = m_channels.From(channel) == node ? m_channels.To(channel) : node;
            }
            if (node != m_hosts.SwitchOf(to))
            {
                throw WormholeError(
                    m_name + ": the route from " + m_graph.GetName(m_graph.HostAt(from)) + " to " +
                    m_graph.GetName(m_graph.HostAt(to)) + " leads to " + m_graph.GetName(node));
            }
            if (GetInTransit() == InTransit::NONE ? falls(way) : [&] {
                    const auto segments = MakeRouteSegments(from, to);
                    return AnyOf(segments, [&](const auto& segment) { return falls(segment.way); });
                }())
            {
                return true;
            }
        }
    }
    return false; // ranks increase
}

Ptr<const WormRoute>
RouteSet::MakePath(const Way& way, std::optional<Port> last) const
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
RouteSet::GetRoute(uint32_t from, uint32_t to)
{
    RouteRequest::CheckPair(from, to, m_graph.GetNHosts());
    return GetInTransit() != InTransit::NONE ? MakeTransitRoute(from, to)
           : HasChoices()                    ? MakeChoiceRoute(from, to)
                                             : MakePath(from, to);
}

RouteSet::Choices
RouteSet::MakeChoices(Node from, Node to) const
{
    using Finder = WormRoute::Finder;

    struct Place
    {
        Node node;          ///< where they are
        uint32_t number{0}; ///< in the result
        std::vector<Finder::Found> found;
    };

    const auto [finder, first] = MakeFinder(from, to);
    if (!finder)
    {
        return {};
    }
    std::map<Finder::State, Place> places{{first, {from, 0, {}}}};
    uint32_t n = 0;
    for (auto& [state, place] : places) // whatever a worm takes leads to a later one
    {
        place.number = n++;
        if (state != Finder::AT_END)
        {
            finder->Find(state, place.found);
        }
        for (const auto& choice : place.found)
        {
            places.try_emplace(choice.next,
                               Place{m_channels.To(m_channels.At(place.node, choice.port)), 0, {}});
        }
    }
    Choices choices;
    for (const auto& [state, place] : places)
    {
        choices.emplace_back();
        for (const auto& choice : place.found)
        {
            choices.back().push_back(
                {m_channels.At(place.node, choice.port) * m_nLanes + choice.lane,
                 places.at(choice.next).number});
        }
    }
    return choices;
}

Ptr<const WormRoute>
RouteSet::MakeChoiceRoute(uint32_t from, uint32_t to)
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
    const auto [finder, first] = MakeFinder(m_hosts.SwitchOf(from), m_hosts.SwitchOf(to));
    if (finder)
    {
        const auto maxLane =
            first == WormRoute::Finder::AT_END ? 0 : static_cast<uint8_t>(m_nLanes - 1);
        auto route = WormRoute::Found(finder, first, port, maxLane);
        if (m_made.size() < nSwitches * nSwitches)
        {
            return Create<WormRoute>(std::move(route)); // the next pair's would take its place
        }
        made = {pair, std::move(route)};
        return Create<WormRoute>(*made.route);
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
    made = {pair, WormRoute::Adaptive(nodes)};
    return Create<WormRoute>(*made.route);
}

Ptr<const WormRoute>
RouteSet::MakeTransitRoute(uint32_t from, uint32_t to) const
{
    WormRoute::Ports ports;
    for (const auto& segment : MakeRouteSegments(from, to))
    {
        ports.push_back(0); // of the host where it begins
        for (const auto channel : segment.way)
        {
            ports.push_back(m_channels.PortOf(channel));
        }
        ports.push_back(m_graph.SwitchOf(m_graph.HostAt(segment.host)).port);
    }
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

Ptr<const WormRoute>
RouteSet::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
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
    else if (first != toSwitch &&
             !RankedTree(m_graph, m_channels, GetRanks(), m_nLanes, from).FindPath(toSwitch, way))
    {
        throw WormholeError(m_name + ": no route leads from " +
                            m_graph.GetName(m_graph.HostAt(from)) + " to " +
                            m_graph.GetName(toSwitch) +
                            " without a cycle of channels; expected a switch that has hosts, "
                            "or up/down routes");
    }
    return MakePath(way, std::nullopt);
}

Ptr<const WormRoute>
RouteSet::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    const auto hosts = RouteRequest::CheckTree(from, to, m_graph.GetNHosts());
    RankedTree tree(m_graph, m_channels, GetRanks(), m_nLanes, from);
    tree.AddAll(hosts, [&](uint32_t host, Way& way) { Append(from, host, way); });
    return tree.Get();
}

uint32_t
StoredRoutes::Store::CountCopies(uint64_t nSwitches, const HostAttachment& hosts)
{
    constexpr uint64_t MAX_WAYS = uint64_t{1} << 21; // more than one for each pair only below
    const auto most = std::max<uint64_t>(1, MAX_WAYS / (nSwitches * nSwitches));
    return static_cast<uint32_t>(std::clamp<uint64_t>(hosts.GetMaxAt(), 1, most));
}

StoredRoutes::StoredRoutes(const FabricGraph& graph,
                           uint32_t nLanes,
                           Store store,
                           const TurnSet& turns)
    : RouteSet(graph, nLanes),
      m_store(std::move(store))
{
    SetRanks(turns);
    m_begins.reserve(m_store.m_ways.size() + 1);
    m_begins.push_back(0);
    for (const auto& way : m_store.m_ways)
    {
        m_begins.push_back(m_begins.back() + way.size());
    }
    m_vertices.reserve(m_begins.back());
    for (const auto& way : std::exchange(m_store.m_ways, {}))
    {
        m_vertices.insert(m_vertices.end(), way.begin(), way.end());
    }
}

void
StoredRoutes::Append(uint32_t from, uint32_t to, Way& way) const
{
    const auto& hosts = GetHosts();
    const auto index = m_store.IndexOf(hosts.SwitchOf(from),
                                       hosts.SwitchOf(to),
                                       hosts.GetIndexAtSwitch(to) % m_store.GetNCopies());
    const auto vertices = m_vertices.data();
    way.insert(way.end(), vertices + m_begins[index], vertices + m_begins[index + 1]);
}

} // namespace ns3
