// SPDX-License-Identifier: GPL-2.0-only

#include "up-down-routing.h"

#include "ns3/ordering.h"
#include "ns3/route-request.h"
#include "ns3/up-down-columns.h"
#include "ns3/up-down-pair-route.h"

#include <algorithm>
#include <utility>

namespace ns3
{

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
