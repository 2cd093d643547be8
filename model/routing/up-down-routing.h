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
/// @brief Up/down routing (Autonet): a route leads up by any number of links, then down by any.
///
/// A breadth-first search from a root switch gives each switch a level, its distance to the root. A
/// cable's up end is at the switch of lower level or, at equal levels, of lower number. A route is
/// legal if it does not go up after it has gone down. So all channels can be given numbers that
/// increase along every legal route, and worms cannot deadlock. Legal routes always exist, since
/// every switch has a path up to the root, and from there down to any other switch.
///
/// A shortest legal route is used. If several ports begin one, a RouteSpread selects a port; by
/// default, it selects the neighbour of lowest number, then the lowest port to this neighbour.
/// Tables of routes have a column per destination switch, made when first needed and kept. Fabrics
/// too large for tables, and set-up messages, use a search instead. The class is not thread-safe.
///
/// The fabric must outlive this object, and must not change its cables while this object exists.
class UpDownRouting : public ChannelKindRule
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// How the root is chosen; ties go to the switch of lowest number.
    enum class RootRule
    {
        FIRST,  ///< switch 0
        DEGREE, ///< the switch with most links to other switches
        CENTER  ///< the switch with the least distance to the switch farthest from it
    };

    static constexpr Port NO_PORT = UINT16_MAX; ///< result of NextPort: no port to take

    /// Prepares routes; throws a WormholeError as Validate does, or if there are no switches.
    explicit UpDownRouting(const FabricGraph& graph, RootRule rule = RootRule::FIRST);

    /// Like the other constructor, with a given root; throws also if the root is no switch.
    UpDownRouting(const FabricGraph& graph, Node root);

    ~UpDownRouting() override;

    /// Refused by the compiler: a temporary fabric would not outlive this object.
    UpDownRouting(FabricGraph&&, RootRule = RootRule::FIRST) = delete;
    /// Refused by the compiler: a temporary fabric would not outlive this object.
    UpDownRouting(FabricGraph&&, Node) = delete;

    /// Finds the root by a rule ("first", "degree" or "center") or by the switch's name; throws a
    /// WormholeError if there is no such rule or switch.
    static Node RootByName(const FabricGraph& graph, const std::string& name);

    /// Chooses the root of a connected fabric with at least one switch.
    static Node ChooseRoot(const FabricGraph& graph, RootRule rule);

    /// @param source,destination two hosts
    /// @param spread selects among ports of equally short routes; by default, the first port
    /// @return a shortest legal route
    /// @throws WormholeError if `source` and `destination` are not two different hosts
    WormRoute Route(Node source,
                    Node destination,
                    const RouteSpread& spread = RouteSpread::First()) const;

    /// Finds the shortest legal route from a host to a switch, where the collective unit takes the
    /// worm; throws a WormholeError if the source is no host, or the destination no switch.
    WormRoute RouteToSwitch(Node source, Node destination) const;

    /// Finds a tree worm's route. The route leads up, by fewest links, from the source's switch to
    /// the nearest switch from which down links reach all destinations; ties go to the lowest
    /// number. The branches are found by a breadth-first search down from all switches on the path
    /// up. So the route is legal, and passes every switch at most once.
    /// @param source a host
    /// @param destinations other hosts, each once, in any order
    /// @return the route; the branches of a stop are ordered by port
    /// @throws WormholeError if the source is not a host; if there are no destinations; or if a
    ///         destination is not a host, is repeated or is the source
    WormRoute TreeRoute(Node source, const std::vector<Node>& destinations) const;

    /// Tells whether a cabled port leads up: a host's port does, a switch's port to a host doesn't.
    bool IsUp(Node node, Port port) const
    {
        const auto peer = m_graph.Peer(node, port).node;
        return m_graph.IsSwitch(peer) && (!m_graph.IsSwitch(node) || LeadsUp(node, peer));
    }

    /// @return whether the link from a switch to a neighbour leads up @param from,to the switches
    bool LeadsUp(Node from, Node to) const
    {
        return m_ranks[to] < m_ranks[from];
    }

    /// Gives a switch's first good port towards another switch; NO_PORT if both are the same, or
    /// if the worm has gone down and has no legal route to the other switch.
    Port NextPort(Node from, Node to, bool goneDown) const;

    /// @return number of cables on the route from one switch to another @param from,to the switches
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
    /// @param once whether this is expected to be the only route to the destination switch
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

/// @ingroup wormhole @brief Gives a fabric's interfaces up/down routes, from the fabric's graph.
class UpDownRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /// @param graph the fabric's graph; hosts and switches are numbered as in the fabric
    /// @param root the root: a rule ("first", "degree" or "center", see UpDownRouting::RootRule) or
    ///        the name of a switch; empty: the graph states it
    /// @param spread how routes share equally short paths (RouteSpread); empty: the graph states it
    /// @throws WormholeError if there is no such rule, switch or spread
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
        const RouteSpread spread(m_spread,
                                 from,
                                 to,
                                 CountWorm(m_spread == RouteSpread::Rule::EACH));
        return Create<WormRoute>(m_routing.Route(m_graph.HostAt(from), m_graph.HostAt(to), spread));
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
    RouteSpread::Rule m_spread; ///< how routes share equally short paths
};

} // namespace ns3

#endif /* UP_DOWN_ROUTING_H */
