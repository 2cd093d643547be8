// SPDX-License-Identifier: GPL-2.0-only

#ifndef UP_DOWN_ROUTING_H
#define UP_DOWN_ROUTING_H

#include "switch-search.h"
#include "turn-rule.h"
#include "wormhole-route-spread.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class UpDownColumns;
class UpDownPairRoute;

/// @ingroup wormhole
/// @brief Up/down routing (Autonet): routes of zero or more links up, then zero or more links down.
///
/// A breadth-first search from a root gives each switch a level. The up end of a cable is the end
/// nearer the root or, at equal levels, the end with the lower switch number. A worm that has gone
/// down does not go up again, so all channels can be numbered such that numbers increase along
/// every legal route, and worms cannot deadlock. Every switch has a path up to the root and from
/// there down to every other switch, so legal routes always exist.
///
/// The shortest legal route is used; ties are broken at each switch by the lowest number of the
/// neighbour, then of the port, or by a RouteSpread. Tables are created on demand, one column per
/// destination switch (UpDownColumns), and kept. Fabrics too large for tables, and set-up messages,
/// do without tables (UpDownPairRoute). Objects of this class are not thread-safe.
///
/// The fabric must outlive this object, and its cables must not change during that time.
class UpDownRouting : public ChannelKindRule
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// How the root is chosen; ties go to the lowest number.
    enum class RootRule
    {
        FIRST,  ///< switch 0
        DEGREE, ///< the switch with most links to switches
        CENTER  ///< the switch of least eccentricity, see CenterSearch
    };

    static constexpr Port NO_PORT = UINT16_MAX; ///< there is no legal route

    /// Prepares routes, or throws a WormholeError if FabricGraph::Validate does.
    explicit UpDownRouting(const FabricGraph& graph, RootRule rule = RootRule::FIRST);

    /// Prepares routes with a given root, which must be a switch; throws like Validate.
    UpDownRouting(const FabricGraph& graph, Node root);

    ~UpDownRouting() override;

    /// Refused by the compiler: the fabric would not outlive this object.
    UpDownRouting(FabricGraph&&, RootRule = RootRule::FIRST) = delete;
    /// Refused by the compiler: the fabric would not outlive this object.
    UpDownRouting(FabricGraph&&, Node) = delete;

    /// Finds the root for "first", "degree", "center" or a switch's name, or throws a
    /// WormholeError.
    static Node RootByName(const FabricGraph& graph, const std::string& name);

    /// Chooses the root of a connected fabric with at least one switch.
    static Node ChooseRoot(const FabricGraph& graph, RootRule rule);

    /// @param source,destination two hosts
    /// @param spread selects among equally good ports, by default the first
    /// @return a shortest legal route
    /// @throws WormholeError if `source` and `destination` are not two different hosts
    WormRoute Route(Node source,
                    Node destination,
                    const RouteSpread& spread = RouteSpread::First()) const;

    /// Finds the shortest legal route from a host to a switch, whose collective engine consumes the
    /// worm; throws a WormholeError if these are not a host and a switch.
    WormRoute RouteToSwitch(Node source, Node destination) const;

    /// Finds a tree worm's route. It leads up, by fewest links, from the source's switch to the
    /// nearest switch (of several, the one of lowest number) from which down links reach all
    /// destinations. Its branches are found by a breadth-first search down from all switches of
    /// that path. So the route is legal, and passes every switch at most once.
    /// @param source a host
    /// @param destinations other hosts, each once, in any order
    /// @return the route; the branches of a stop are ordered by port
    /// @throws WormholeError if the source is not a host, or there are no destinations, or one of
    ///         them is not a host, is repeated or is the source
    WormRoute TreeRoute(Node source, const std::vector<Node>& destinations) const;

    /// Tells whether a port with a cable leads up: from a host, yes; from a switch to a host, no.
    bool IsUp(Node node, Port port) const
    {
        const auto peer = m_graph.Peer(node, port).node;
        return m_graph.IsSwitch(peer) && (!m_graph.IsSwitch(node) || LeadsUp(node, peer));
    }

    /// @return whether the link from a switch to its neighbour goes up @param from,to the switches
    bool LeadsUp(Node from, Node to) const
    {
        return m_ranks[to] < m_ranks[from];
    }

    /// Gives the output port of one switch towards another; NO_PORT if they are the same, or if the
    /// worm has already gone down and has no legal route from here.
    Port NextPort(Node from, Node to, bool goneDown) const;

    /// @return number of cables on the route between two switches @param from,to the switches
    uint32_t GetDistance(Node from, Node to) const;

    /// @return number of cables between the root and a switch @param node a switch
    uint32_t GetLevel(Node node) const
    {
        CheckKind(node, true, "level of");
        return m_levels[node];
    }

    /// @return the root
    Node GetRoot() const
    {
        return m_root;
    }

    // Channels go down or up; no up channel follows a down channel.
    uint32_t GetNKinds() const override
    {
        return 2;
    }

    uint32_t GetKind(Node node, Port port) const override
    {
        return LeadsUp(node, m_graph.Peer(node, port).node);
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override
    {
        return kind >= next;
    }

    /// @return the fabric
    const FabricGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return the cables between the fabric's switches
    const SwitchAdjacency& GetAdjacency() const
    {
        return m_adjacency;
    }

  private:
    /// Appends the ports of the path from one switch to another.
    /// @param once whether no more routes to the same switch are expected
    void AppendPorts(Node from,
                     Node to,
                     const RouteSpread& spread,
                     WormRoute::Ports& ports,
                     bool once = false) const;

    void CheckKind(Node node, bool isSwitch, const char* role) const;

    const FabricGraph& m_graph;
    SwitchAdjacency m_adjacency; ///< cables between the fabric's switches
    Node m_root;
    std::vector<uint32_t> m_levels; ///< distance from the root, by switch
    std::vector<Node> m_order;      ///< switches from the root down: by level, then number
    std::vector<uint32_t> m_ranks;  ///< place in m_order, by switch
    mutable std::unique_ptr<UpDownColumns> m_columns;
    mutable std::unique_ptr<UpDownPairRoute> m_search; ///< finds routes without columns
};

/// @ingroup wormhole @brief Supplies a fabric's interfaces with up/down routes of its graph.
class UpDownRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /// @param graph the fabric's graph; hosts and switches are numbered as in the fabric
    /// @param root the root: "first", "degree", "center" or the name of a switch, see
    ///        UpDownRouting::RootRule; empty: the graph's own
    /// @param spread how routes share equally good paths, see RouteSpread; empty: the graph's own
    /// @throws WormholeError if there is no such rule or switch
    explicit UpDownRouter(const FabricGraph& graph,
                          const std::string& root = "",
                          const std::string& spread = "")
        : m_graph(graph),
          m_routing(
              m_graph,
              UpDownRouting::RootByName(m_graph, root.empty() ? graph.GetRoutes().root : root)),
          m_spread(RouteSpread::ByName(spread.empty() ? graph.GetRoutes().spread : spread))
    {
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        return Create<WormRoute>(m_routing.Route(m_graph.HostAt(from),
                                                 m_graph.HostAt(to),
                                                 RouteSpread(m_spread, from, to, CountWorm())));
    }

    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        return Create<WormRoute>(m_routing.RouteToSwitch(m_graph.HostAt(from), toSwitch));
    }

    bool HasCycle(const FabricGraph& graph) const override
    {
        return m_routing.HasCycle(graph);
    }

    bool AreBySwitch() const override
    {
        return m_spread == RouteSpread::Rule::FIRST || m_spread == RouteSpread::Rule::IN_TURN;
    }

    /// @return the routing
    const UpDownRouting& GetRouting() const
    {
        return m_routing;
    }

  private:
    FabricGraph m_graph;
    UpDownRouting m_routing;
    RouteSpread::Rule m_spread; ///< how routes share equally good paths
};

} // namespace ns3

#endif /* UP_DOWN_ROUTING_H */
