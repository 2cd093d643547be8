// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include <deque>

using namespace ns3;

SUITE("wormhole-routing", UNIT);

namespace
{

using Branches = ChannelDependency::Branches; //!< short name

/// @return a fabric of up to 14 switches, of any law
FabricGraph
RandomFabric(UniformRandomVariable& random, uint32_t i)
{
    IrregularTopologyHelper::Parameters parameters;
    const auto q = parameters.switches = random.GetInteger(1, 14);
    const auto k = parameters.ports = random.GetInteger(4, 8);
    const auto p = parameters.hosts = random.GetInteger(2, 2 + q * (k - 3) / 2);
    parameters.law = static_cast<IrregularTopologyHelper::TopologyModel>(i % 3);
    parameters.parallelLinks = q > 1 && i % 2;
    const auto most = std::max(q - 1, std::min({q + 5, q * (q - 1) / 2, (q * k - p) / 2}));
    const auto links = random.GetInteger(q - 1, most);
    parameters.connectivity = (p + 2.0 * links) / (q * k);
    return DrawFabric(parameters, i);
}

/// Plain answers about up and down, made the long way.
class PlainUpDown
{
  public:
    static constexpr uint32_t FAR = 1000000; ///< distance of what can't be reached

    PlainUpDown(const FabricGraph& graph, GraphNode root)
        : m_graph(graph),
          m_level(graph.GetNSwitches(), FAR)
    {
        m_level[root] = 0;
        for (uint32_t level = 0; level < graph.GetNSwitches(); ++level)
        {
            for (GraphNode a = 0; a < graph.GetNSwitches(); ++a)
            {
                for (auto port : graph.PortsToSwitches(a))
                {
                    auto& far = m_level[graph.Peer(a, port).node];
                    far = m_level[a] == level ? std::min(far, level + 1) : far;
                }
            }
        }
    }

    bool Up(GraphNode from, GraphNode to) const
    {
        return std::make_pair(m_level[to], to) < std::make_pair(m_level[from], from);
    }

    /// @return distances from a switch, [0] of ways that went up alone, [1] of others
    /// @param goneDown whether only down links may be taken
    std::vector<std::vector<uint32_t>> Distances(GraphNode start, bool goneDown) const
    {
        std::vector<std::vector<uint32_t>> d(2, std::vector<uint32_t>(m_level.size(), FAR));
        d[goneDown][start] = 0;
        std::deque<std::pair<GraphNode, bool>> queue{{start, goneDown}};
        for (; !queue.empty(); queue.pop_front())
        {
            const auto [node, down] = queue.front();
            for (auto port : m_graph.PortsToSwitches(node))
            {
                const auto next = m_graph.Peer(node, port).node;
                const bool up = Up(node, next);
                if ((!down || !up) && d[!up][next] == FAR)
                {
                    d[!up][next] = d[down][node] + 1;
                    queue.emplace_back(next, !up);
                }
            }
        }
        return d;
    }

    /// @return links on the shortest legal way @param goneDown whether only down links may be taken
    uint32_t Distance(GraphNode from, GraphNode to, bool goneDown = false) const
    {
        const auto d = Distances(from, goneDown);
        return std::min(d[0][to], d[1][to]);
    }

    bool Legal(const std::vector<GraphNode>& nodes, const WormRoute& route) const
    {
        std::vector<bool> goneDown(nodes.size(), false);
        std::set<GraphNode> passed;
        for (uint32_t stop = 0; stop < nodes.size(); ++stop)
        {
            if (!passed.insert(nodes[stop]).second ||
                (stop > 0 && !m_graph.IsSwitch(nodes[stop]) && route.At(stop).size() > 0))
            {
                return false;
            }
            for (const auto& branch : route.At(stop))
            {
                const auto a = nodes[stop];
                const auto b = nodes[branch.next];
                const bool up = m_graph.IsSwitch(b) && (!m_graph.IsSwitch(a) || Up(a, b));
                if (up && goneDown[stop])
                {
                    return false;
                }
                goneDown[branch.next] = !up;
            }
        }
        return true;
    }

  private:
    const FabricGraph& m_graph;    ///< the fabric
    std::vector<uint32_t> m_level; ///< distance from the root
};

TEST_CASE(FabricGraphTestCase, "the fabric's graph: cables, names, order of ports, what is refused")
{
    FabricGraph graph(3, 2, 5);
    ConnectAll(graph, {{0, 4, 2, 0}, {1, 0, 0, 3}, {0, 1, 2, 4}, {graph.HostAt(0), 0, 0, 2}});
    const auto refused = [&graph](GraphNode a, Port portA, GraphNode b, Port portB) {
        return Refusal([&] { graph.Connect(a, portA, b, portB); });
    };
    NS_TEST_EXPECT_MSG_EQ(refused(1, 0, 2, 1),
                          "port 0 of s1 is taken by the cable to port 3 of s0; an open port would "
                          "be accepted",
                          "taken port");
    NS_TEST_EXPECT_MSG_EQ(refused(1, 1, 2, 5), "port 5 of s2: it has ports 0 to 4", "no such port");
    NS_TEST_EXPECT_MSG_EQ(refused(4, 1, 2, 1), "port 1 of h1: it has ports 0 to 0", "host's port");
    NS_TEST_EXPECT_MSG_EQ(refused(5, 0, 2, 1), "node 5: this fabric has nodes 0 to 4", "no node");
    NS_TEST_EXPECT_MSG_EQ(refused(1, 1, 1, 2).substr(0, 27), "a cable from s1 to itself, ", "loop");
    Same(graph.PortsToSwitches(0), {3, 1, 4}, "ports by number of the neighbour, then port");
    Same(graph.PortsToHosts(0), {2}, "hosts' ports");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitchLinks(), 3, "links between switches");
    NS_TEST_EXPECT_MSG_EQ(graph.Peer(2, 0).port, 4, "far end");
    NS_TEST_EXPECT_MSG_EQ(graph.Peer(2, 1).node, FabricGraph::NONE, "open port");
    RefusesWith([&] { graph.Validate(); },
                "host h1 is cabled to nothing: expected a cable to a switch");
    graph.Connect(graph.HostAt(1), 0, 2, 3);
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { graph.Validate(); }), "accepted", "a sound fabric");
    const auto nodes = graph.Walk(3, WormRoute::Tree({{0}, {1, 3}, {3}, {}, {}}));
    Same(nodes, {3, 0, 2, 1, 4}, "nodes of a route");
    RefusesWith([&] { graph.Walk(3, WormRoute::Path({0, 0, 1})); },
                "a route from h0 leaves s0 by port 0: expected a port with a cable");

    FabricGraph parts(4, 2, 2);
    ConnectAll(parts, {{0, 0, 2, 0}, {4, 0, 5, 0}});
    RefusesWith([&] { parts.Validate(); },
                "host h0 is cabled to host h1: expected a cable to a switch");
    FabricGraph apart(4, 0, 2);
    apart.Connect(0, 0, 2, 0);
    RefusesWith([&] { apart.Validate(); },
                "the switches are not all connected: they fall into 3 parts, the 2 with "
                "s0, the 1 with s1, the 1 with s3; cables that join them would be "
                "accepted");
}

TEST_CASE(FabricNamesTestCase, "Names of the fabric's nodes")
{
    FabricGraph graph(2, 2, 4);
    ConnectAll(graph, {{0, 0, 1, 0}, {2, 0, 0, 1}, {3, 0, 0, 2}});
    NS_TEST_EXPECT_MSG_EQ(graph.GetName(1) + graph.GetName(3), "s1h1", "default names");
    NS_TEST_EXPECT_MSG_EQ(graph.Find("h1"), 3, "by default name");
    for (auto none : {"h2", "s2", "s", "s01", "x1", "", "s99999999999", "s4294967296"})
    {
        NS_TEST_EXPECT_MSG_EQ(graph.Find(none), FabricGraph::NONE, "no node " << none);
    }
    graph.SetName(0, "s1");
    RefusesWith([&] { graph.Validate(); },
                "node 1 was given no name, and s1, its name without one, was given to "
                "node 0; a name of its own would be accepted");
    graph.SetName(1, "core");
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { graph.Validate(); }), "accepted", "names in any order");
    NS_TEST_EXPECT_MSG_EQ(graph.Find("s1"), 0, "by the name given");
    NS_TEST_EXPECT_MSG_EQ(graph.Find("s0"), FabricGraph::NONE, "its default name is gone");
    RefusesWith([&] { graph.SetName(2, "core"); },
                "name 'core' for node 2: node 1 has this name; a name of its own would be "
                "accepted");
    graph.SetName(1, "edge");
    graph.SetName(1, "edge");
    NS_TEST_EXPECT_MSG_EQ(graph.Find("edge"), 1, "renamed");
    NS_TEST_EXPECT_MSG_EQ(graph.Find("core"), FabricGraph::NONE, "the old name is free again");
    NS_TEST_EXPECT_MSG_NE(Refusal([&] { graph.SetName(2, ""); }), "accepted", "no empty names");
}

TEST_CASE(UpDownRoutesTestCase,
          "routes are legal, shortest, by the tie-break, and proved free of deadlock")
{
    const auto checkRoute = [&](const UpDownRouting& routing,
                                const PlainUpDown& plain,
                                GraphNode source,
                                GraphNode target,
                                const WormRoute& route) {
        const auto& graph = routing.GetGraph();
        const auto nodes = graph.Walk(source, route);
        NS_TEST_ASSERT_MSG_EQ(nodes.back(), target, "the route leads there");
        NS_TEST_ASSERT_MSG_EQ(plain.Legal(nodes, route), true, "legal");
        const auto from = graph.SwitchOf(source).node;
        const auto to = graph.IsSwitch(target) ? target : graph.SwitchOf(target).node;
        const auto links = plain.Distance(from, to);
        const auto more = 1 + !graph.IsSwitch(target);
        NS_TEST_ASSERT_MSG_EQ(route.GetNChannels(), links + more, "shortest");
        NS_TEST_ASSERT_MSG_EQ(routing.GetDistance(from, to), links, "distance");
        bool goneDown = false;
        for (uint32_t stop = 0; stop < nodes.size(); ++stop)
        {
            const auto node = nodes[stop];
            if (!graph.IsSwitch(node) || node == to)
            {
                continue;
            }
            const auto left = plain.Distance(node, to, goneDown);
            for (auto port : graph.PortsToSwitches(node)) // in the order of the tie-break
            {
                const auto next = graph.Peer(node, port).node;
                const bool down = !plain.Up(node, next);
                if ((down || !goneDown) && plain.Distance(next, to, down) + 1 == left)
                {
                    NS_TEST_ASSERT_MSG_EQ(route.At(stop)[0].port, port, "tie-break at " << node);
                    NS_TEST_ASSERT_MSG_EQ(routing.NextPort(node, to, goneDown), port, "table");
                    NS_TEST_ASSERT_MSG_EQ(routing.IsUp(node, port), !down, "up");
                    goneDown = down;
                    break;
                }
            }
        }
    };
    auto random = MakeRandom(401);
    for (uint32_t i = 0; i < 120; ++i)
    {
        const auto graph = RandomFabric(*random, i);
        const auto root = random->GetInteger(0, graph.GetNSwitches() - 1);
        const auto rule = static_cast<UpDownRouting::RootRule>(i % 3);
        const auto routing = i % 4 ? UpDownRouting(graph, root) : UpDownRouting(graph, rule);
        const PlainUpDown plain(graph, routing.GetRoot());
        ChannelDependency oneByOne(graph);
        for (auto source = graph.GetNSwitches(); source < graph.GetNNodes(); ++source)
        {
            for (GraphNode target = 0; target < graph.GetNNodes(); ++target)
            {
                if (source == target)
                {
                    continue;
                }
                const auto route = graph.IsSwitch(target) ? routing.RouteToSwitch(source, target)
                                                          : routing.Route(source, target);
                checkRoute(routing, plain, source, target, route);
                if (!graph.IsSwitch(target))
                {
                    oneByOne.Add(source, route);
                }
            }
        }
        ChannelDependency allPairs(graph);
        allPairs.AddAllPairs(routing);
        NS_TEST_ASSERT_MSG_EQ(allPairs.GetNDependencies(),
                              oneByOne.GetNDependencies(),
                              "all pairs are the routes one by one");
        NS_TEST_ASSERT_MSG_EQ(allPairs.FindCycle().size(), 0, "free of deadlock");
        allPairs.CheckDeadlockFree();
    }
}

TEST_CASE(UpDownTreesTestCase,
          "tree routes reach their hosts, are legal, and branch where they should")
{
    auto random = MakeRandom(402);
    for (uint32_t i = 0; i < 150; ++i)
    {
        const auto graph = RandomFabric(*random, i);
        const UpDownRouting routing(graph, random->GetInteger(0, graph.GetNSwitches() - 1));
        ChannelDependency trees(graph, Branches::INDEPENDENT);
        trees.AddAllPairs(routing);
        for (uint32_t j = 0; j < 20; ++j)
        {
            const auto count = random->GetInteger(2, graph.GetNHosts());
            const auto hosts = RandomHosts(graph, *random, count);
            const auto& graph = routing.GetGraph();
            const PlainUpDown plain(graph, routing.GetRoot());
            const std::vector<GraphNode> destinations(hosts.begin() + 1, hosts.end());
            const auto route = routing.TreeRoute(hosts[0], destinations);
            const auto nodes = graph.Walk(hosts[0], route);
            NS_TEST_ASSERT_MSG_EQ(plain.Legal(nodes, route), true, "legal, every node once");

            // Where the way up should end, and how far destinations should be from the way up.
            const auto goals = ToSet(
                MadeOf(destinations, [&](GraphNode host) { return graph.SwitchOf(host).node; }));
            const auto start = graph.SwitchOf(hosts[0]).node;
            const auto above = plain.Distances(start, false)[0];
            std::pair<uint32_t, GraphNode> top{PlainUpDown::FAR, 0};
            for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
            {
                const auto below = plain.Distances(node, true)[1];
                const bool all = AllOf(goals, [&below](GraphNode goal) {
                    return below[goal] < PlainUpDown::FAR;
                });
                top = all ? std::min(top, {above[node], node}) : top;
            }
            std::set<GraphNode> climb{start};
            std::set<GraphNode> ends;
            std::map<GraphNode, uint32_t> depth; // down links since the way up
            GraphNode last = start;
            for (uint32_t stop = 0; stop < nodes.size(); ++stop)
            {
                Port before = 0;
                for (const auto& branch : route.At(stop))
                {
                    NS_TEST_ASSERT_MSG_EQ((branch.port >= before), true, "branches by port number");
                    before = branch.port;
                    const auto next = nodes[branch.next];
                    const bool up = stop > 0 && graph.IsSwitch(next) && plain.Up(nodes[stop], next);
                    depth[next] = stop == 0 || up ? 0 : depth[nodes[stop]] + 1;
                    last = up ? next : last;
                    climb.insert(last);
                }
                if (route.At(stop).size() == 0)
                {
                    ends.insert(nodes[stop]);
                }
            }
            const std::set<GraphNode> wanted(destinations.begin(), destinations.end());
            NS_TEST_ASSERT_MSG_EQ((ends == wanted), true, "it ends at its destinations");
            NS_TEST_ASSERT_MSG_EQ(last, top.second, "end of the way up");
            NS_TEST_ASSERT_MSG_EQ(climb.size(), top.first + 1, "the way up is shortest");
            for (auto goal : goals)
            {
                uint32_t nearest = PlainUpDown::FAR;
                for (auto node : climb)
                {
                    nearest = std::min(nearest, plain.Distances(node, true)[1][goal]);
                }
                NS_TEST_ASSERT_MSG_EQ(depth[goal], nearest, "branches leave where it is nearest");
            }

            trees.Add(hosts[0], routing.TreeRoute(hosts[0], {hosts.begin() + 1, hosts.end()}));
        }
        NS_TEST_ASSERT_MSG_EQ(trees.FindCycle().size(), 0, "free of deadlock in deep buffers");
    }
}

TEST_CASE(UpDownRequestsTestCase, "roots by rule and by name, and requests that are refused")
{
    // A line of seven switches, 0 at its end, with two short twigs at 5.
    FabricGraph graph(9, 2, 8);
    const GraphNode links[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {5, 7}, {5, 8}};
    ConnectOpen(graph, links);
    ConnectAll(graph, {{9, 0, 0, 7}, {10, 0, 8, 7}});
    graph.SetName(4, "spine");
    const std::map<std::string, GraphNode> roots{{"first", 0},
                                                 {"degree", 5},
                                                 {"center", 3},
                                                 {"spine", 4},
                                                 {"s6", 6}};
    for (const auto& [name, root] : roots)
    {
        NS_TEST_EXPECT_MSG_EQ(UpDownRouting::RootByName(graph, name), root, "root " << name);
    }
    RefusesWith([&] { UpDownRouting::RootByName(graph, "h0"); },
                "root 'h0': expected first, degree, center, or the name of a switch");
    FabricGraph even(4, 0, 2);
    for (GraphNode node = 0; node < 3; ++node)
    {
        even.Connect(node, 0, node + 1, 1);
    }
    NS_TEST_EXPECT_MSG_EQ(UpDownRouting::RootByName(even, "degree"), 1, "equal degrees");
    NS_TEST_EXPECT_MSG_EQ(UpDownRouting::RootByName(even, "center"), 1, "two centers");
    const UpDownRouting routing(graph, UpDownRouting::RootRule::CENTER);
    NS_TEST_EXPECT_MSG_EQ(routing.GetLevel(0), 3, "level");
    const std::map<std::string, std::function<void()>> refused{
        {"source 3: expected a host, nodes 9 to 10", [&] { routing.Route(3, 9); }},
        {"destination 11: expected a host, nodes 9 to 10", [&] { routing.Route(9, 11); }},
        {"a route from h0 to itself", [&] { routing.Route(9, 9); }},
        {"destination 9: expected a switch, nodes 0 to 8", [&] { routing.RouteToSwitch(9, 9); }},
        {"a tree route from h0 to no host", [&] { routing.TreeRoute(9, {}); }},
        {"a tree route from h0 to itself", [&] { routing.TreeRoute(9, {10, 9}); }},
        {"a tree route from h0 to h1 twice", [&] { routing.TreeRoute(9, {10, 10}); }},
        {"destination 1: expected a host", [&] { routing.TreeRoute(9, {10, 1}); }},
        {"root 9: expected a switch", [&] { UpDownRouting(graph, GraphNode{9}); }}};
    for (const auto& [expected, action] : refused)
    {
        NS_TEST_EXPECT_MSG_EQ(Refusal(action).substr(0, expected.size()), expected, "refusal");
    }
    NS_TEST_EXPECT_MSG_EQ(routing.RouteToSwitch(9, 0).GetNChannels(), 1, "to the host's switch");
    FabricGraph apart(2, 2, 2);
    ConnectAll(apart, {{2, 0, 0, 0}, {3, 0, 1, 0}});
    NS_TEST_EXPECT_MSG_NE(Refusal([&] { UpDownRouting{apart}; }), "accepted", "not connected");
}

} // namespace
