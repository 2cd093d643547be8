// SPDX-License-Identifier: GPL-2.0-only

#ifndef ROUTES_TEST_CASE_H
#define ROUTES_TEST_CASE_H

#include "../test-case.h"

#include "ns3/channel-dependency.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

namespace ns3
{

/// @return routes of an engine that gives ways of lanes @param rule its rule; nullptr: none
inline Ptr<const RouteSet>
MakeLaneRoutes(const std::string& engine,
               const FabricGraph& graph,
               const RegularTopology* rule = nullptr)
{
    return DynamicCast<RouteSet>(RoutingEngine::Make(engine)->MakeRouter(graph, rule));
}

/// Ways between switches, followed one after the other, and what is so of all of them.
struct FollowedWays
{
    const RouteSet& routes; ///< whose they are
    bool leadThere{true};   ///< to their ends
    bool comeOnce{true};    ///< to no switch twice
    bool rise{true};        ///< in their ranks

    void Follow(FabricGraph::Node node, const RouteSet::Way& way, FabricGraph::Node end)
    {
        const auto& channels = routes.GetChannels();
        std::set<FabricGraph::Node> passed{node};
        int64_t rank = -1;
        for (const auto vertex : way)
        {
            const auto channel = vertex / routes.GetNLanes();
            leadThere =
                leadThere && channel < channels.GetNChannels() && channels.From(channel) == node;
            node = leadThere ? channels.To(channel) : node;
            comeOnce = passed.insert(node).second && comeOnce;
            rise = rise && routes.GetRanks()[vertex] > rank;
            rank = routes.GetRanks()[vertex];
        }
        leadThere = leadThere && node == end;
    }
};

class RoutesTestCase : public ModuleTestCase
{
  public:
    using ModuleTestCase::ModuleTestCase;

  protected:
    using Base = RoutesTestCase; ///< what TEST_CASE_NAME names

    /// Checks that whatever a worm chooses leads it to its end, and that it can always go on in the
    /// order: by any choice if there is one lane, else by the last. @param what what they are, for
    /// messages
    void CheckChoices(const FabricGraph& graph, const RouteSet& routes, const std::string& what)
    {
        const auto& channels = routes.GetChannels();
        const auto nLanes = routes.GetNLanes();
        bool leadThere = true;
        bool rise = true;
        const auto switches = MakeRange(graph.GetNSwitches());
        for (const auto& [from, end] : Combine(switches, switches))
        {
            if (routes.GetHosts().CountAt(from) == 0 || routes.GetHosts().CountAt(end) == 0)
            {
                continue;
            }
            const auto choices = routes.MakeChoices(from, end);
            std::vector<FabricGraph::Node> nodes(choices.size(), FabricGraph::NONE);
            std::vector<int64_t> ranks(choices.size(), -1); // the highest by which a worm comes
            nodes[0] = from;
            for (std::size_t place = 0; place < choices.size(); ++place)
            {
                leadThere = leadThere && nodes[place] != FabricGraph::NONE &&
                            choices[place].empty() == (nodes[place] == end);
                for (const auto& choice : choices[place])
                {
                    const auto channel = choice.vertex / nLanes;
                    const auto far = channels.To(channel);
                    auto& next = nodes[choice.next];
                    leadThere = leadThere && channels.From(channel) == nodes[place] &&
                                choice.next > place && (next == FabricGraph::NONE || next == far);
                    next = far;
                    const int64_t rank = routes.GetRanks()[choice.vertex];
                    ranks[choice.next] = std::max(ranks[choice.next], rank);
                    const bool isLast = &choice == &choices[place].back();
                    rise = rise && (rank > ranks[place] || (nLanes > 1 && !isLast));
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(leadThere, true, what << ": every choice leads to the host");
        NS_TEST_EXPECT_MSG_EQ(rise, true, what << ": a worm can always go on in the order");
    }

    /// Checks ways that hosts pass worms on at: each segment leads to its host, passes no switch
    /// twice, and ranks increase along it; the whole takes no channel twice, and is no longer than
    /// a route by switches alone. (On its way to and from such a host a worm may pass a switch
    /// twice.)
    /// @param what what they are, for messages
    void CheckLegs(const FabricGraph& graph, const RouteSet& routes, const std::string& what)
    {
        FollowedWays ways{routes};
        bool isShort = true;
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            auto node = graph.SwitchOf(graph.HostAt(from)).node;
            std::set<RouteSet::Channel> taken;
            std::size_t length = 0;
            const auto segments = routes.MakeRouteSegments(from, to);
            for (const auto& segment : segments)
            {
                const auto end = graph.SwitchOf(graph.HostAt(segment.host)).node;
                ways.Follow(node, segment.way, end);
                node = end;
                taken.insert(segment.way.begin(), segment.way.end());
                length += segment.way.size();
            }
            ways.leadThere = ways.leadThere && !segments.empty() && segments.back().host == to;
            ways.comeOnce = ways.comeOnce && taken.size() == length;
            RouteSet::Way way;
            routes.Append(from, to, way);
            isShort = isShort && length <= way.size();
        }
        NS_TEST_EXPECT_MSG_EQ(ways.leadThere, true, what << ": every segment leads to its host");
        NS_TEST_EXPECT_MSG_EQ(ways.comeOnce, true, what << ": no switch twice, no channel");
        NS_TEST_EXPECT_MSG_EQ(ways.rise, true, what << ": ranks increase along every segment");
        NS_TEST_EXPECT_MSG_EQ(isShort, true, what << ": segments make no way longer");
    }

    /// Checks that routes lead from every host to every other one, to no switch twice, and that
    /// worms on them cannot deadlock. @param what what they are, for messages
    void CheckRoutes(const FabricGraph& graph, WormholeRouter& router, const std::string& what)
    {
        if (const auto routes = dynamic_cast<const RouteSet*>(&router))
        {
            CheckLaneRoutes(graph, *routes, what);
            return;
        }
        bool leadThere = true;
        bool comeOnce = true;
        ChannelDependency dependency(graph);
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            const auto route = router.GetRoute(from, to);
            const auto nodes = graph.Walk(graph.HostAt(from), *route);
            leadThere = leadThere && nodes.back() == graph.HostAt(to);
            const std::set<FabricGraph::Node> passed(nodes.begin(), nodes.end());
            comeOnce = comeOnce && passed.size() == nodes.size();
            dependency.Add(graph.HostAt(from), *route);
        }
        NS_TEST_EXPECT_MSG_EQ(leadThere, true, what << ": every route leads to its host");
        NS_TEST_EXPECT_MSG_EQ(comeOnce, true, what << ": no route passes a switch twice");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { dependency.CheckDeadlockFree(); }), "", what);
    }

    /// Checks that routes lead to every host, every switch and to sets of hosts by trees that pass
    /// no node twice, and that worms on all of them cannot deadlock in deep buffers.
    /// @param steps trees lead to every so many hosts @param leadsTo which switches routes lead to
    void CheckAllKinds(const FabricGraph& graph,
                       WormholeRouter& router,
                       const std::vector<uint32_t>& steps,
                       const std::string& what,
                       const std::function<bool(FabricGraph::Node)>& leadsTo = nullptr)
    {
        ChannelDependency all(graph, ChannelDependency::Branches::INDEPENDENT);
        for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
        {
            const auto source = graph.HostAt(from);
            const auto check = [&](FabricGraph::Node end, const WormRoute& route) {
                NS_TEST_ASSERT_MSG_EQ(graph.Walk(source, route).back(), end, what << ": it ends");
                all.Add(source, route);
            };
            for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
            {
                if (to != from)
                {
                    check(graph.HostAt(to), *router.GetRoute(from, to));
                }
            }
            for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
            {
                if (!leadsTo || leadsTo(node))
                {
                    check(node, *router.GetRouteToSwitch(from, node));
                }
            }
            for (const auto step : steps)
            {
                const auto to = ThoseOf(MakeRange(graph.GetNHosts()), [&](uint32_t host) {
                    return host != from && host % step == from % step;
                });
                const auto tree = router.GetTreeRoute(from, to);
                const auto nodes = graph.Walk(source, *tree);
                const std::set<FabricGraph::Node> passed(nodes.begin(), nodes.end());
                NS_TEST_ASSERT_MSG_EQ(passed.size(), nodes.size(), what << ": a tree, nodes once");
                NS_TEST_ASSERT_MSG_EQ(tree->GetNDestinations(), to.size(), what << ": its hosts");
                all.Add(source, *tree);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { all.CheckDeadlockFree(); }), "", what);
    }

  private:
    /// As CheckRoutes, and that ranks increase. @param what what they are, for messages
    void CheckLaneRoutes(const FabricGraph& graph, const RouteSet& routes, const std::string& what)
    {
        FollowedWays ways{routes};
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            RouteSet::Way way;
            routes.Append(from, to, way);
            const auto end = graph.SwitchOf(graph.HostAt(to)).node;
            ways.Follow(graph.SwitchOf(graph.HostAt(from)).node, way, end);
        }
        NS_TEST_EXPECT_MSG_EQ(ways.leadThere, true, what << ": every route leads to its host");
        NS_TEST_EXPECT_MSG_EQ(ways.comeOnce, true, what << ": no route passes a switch twice");
        NS_TEST_EXPECT_MSG_EQ(ways.rise, true, what << ": ranks increase along every route");
        if (routes.HasChoices())
        {
            CheckChoices(graph, routes, what);
        }
        if (routes.GetInTransit() != InTransit::NONE)
        {
            CheckLegs(graph, routes, what);
        }
        const auto nLanes = routes.GetNLanes();
        ChannelDependency dependency(graph, ChannelDependency::Branches::COUPLED, nLanes);
        dependency.AddAllPairs(routes);
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { dependency.CheckDeadlockFree(); }), "", what);
    }
};

} // namespace ns3

#endif /* ROUTES_TEST_CASE_H */
