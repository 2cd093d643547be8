// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/dragonfly-topology.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/grid-topology.h"
#include "ns3/regular-topology.h"

#include <ctime>

using namespace ns3;

SUITE("wormhole-regular", UNIT);

namespace
{

using Branches = ChannelDependency::Branches; //!< short name

/// @return count of all hosts but one, in random order
std::vector<uint32_t>
RandomOthers(const FabricGraph& graph,
             uint32_t without,
             UniformRandomVariable& random,
             uint32_t count)
{
    auto hosts = MakeRange(graph.GetNHosts());
    hosts.erase(hosts.begin() + without);
    Shuffle(hosts, random, count);
    hosts.resize(count);
    return hosts;
}

std::vector<uint32_t>
Levels(const FabricGraph& graph)
{
    std::vector<uint32_t> levels(graph.GetNSwitches(), UINT32_MAX);
    const SwitchAdjacency adjacency(graph);
    for (uint32_t i = 0; i < graph.GetNHosts(); ++i)
    {
        const auto distances = adjacency.Distances(graph.SwitchOf(graph.HostAt(i)).node);
        for (GraphNode node = 0; node < levels.size(); ++node)
        {
            levels[node] = std::min(levels[node], distances[node]);
        }
    }
    return levels;
}

bool
PassesOnce(const std::vector<GraphNode>& way)
{
    return std::set<GraphNode>(way.begin(), way.end()).size() == way.size();
}

/// What a way between switches must be.
using Rule = std::function<bool(const std::vector<GraphNode>&)>;

TEST_CASE(RegularRoutesTestCase,
          "routes follow the family's rule, are shortest where promised, and proved safe")
{
    // Checks unicast, to-switch and tree routes of a fabric. shortest: whether all routes must be
    // shortest; rule: what the switches of a way must be; none: legal for up/down routing
    const auto check = [&](const std::string& text, bool shortest, const Rule& rule = {}) {
        const auto topology = MakeTopology(text);
        const auto& graph = topology.graph;
        auto& router = *topology.router;
        const SwitchAdjacency adjacency(graph);
        ChannelDependency routes(graph, Branches::INDEPENDENT);
        auto* upDown = dynamic_cast<UpDownRouter*>(&router);
        NS_TEST_ASSERT_MSG_EQ((upDown != nullptr), !rule, text << ": " << topology.routing);
        const auto isLegal = rule ? rule : [&](const std::vector<GraphNode>& way) {
            const auto isUp = [&](auto a, auto b) { return upDown->GetRouting().LeadsUp(a, b); };
            return IsUpThenDown(way, isUp) && PassesOnce(way);
        };
        const auto checkRoute = [&](uint32_t from, GraphNode target, const WormRoute& route) {
            const auto source = graph.HostAt(from);
            auto way = graph.Walk(source, route);
            NS_TEST_ASSERT_MSG_EQ(way.back(), target, text << ": the route leads there");
            NS_TEST_ASSERT_MSG_EQ(route.GetNChannels(), way.size() - 1, text << ": one way");
            way.erase(way.begin());
            if (!graph.IsSwitch(target))
            {
                way.pop_back();
            }
            NS_TEST_ASSERT_MSG_EQ(isLegal(way), true, text << ": the family's rule");
            NS_TEST_ASSERT_MSG_EQ(PassesOnce(way), true, text << ": every switch once");
            const auto n = way.size() - 1;
            const auto least = shortest ? adjacency.Distances(way.front())[way.back()] : n;
            NS_TEST_ASSERT_MSG_EQ(n, least, text << ": a shortest way");
            routes.Add(source, route);
        };
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            checkRoute(from, graph.HostAt(to), *router.GetRoute(from, to));
        }
        for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
        {
            for (GraphNode to = 0; to < graph.GetNSwitches(); ++to)
            {
                checkRoute(from, to, *router.GetRouteToSwitch(from, to));
            }
        }
        ChannelDependency pairs(graph);
        pairs.AddAllPairs(router);
        NS_TEST_ASSERT_MSG_EQ(pairs.FindCycle().size(), 0, text << ": all pairs cannot deadlock");
        auto random = MakeRandom(502);
        for (uint32_t i = 0; i < 60; ++i)
        {
            const auto from = random->GetInteger(0, graph.GetNHosts() - 1);
            const auto others = graph.GetNHosts() - 1;
            const auto to =
                RandomOthers(graph, from, *random, i % 5 ? random->GetInteger(1, others) : others);
            const auto route = topology.router->GetTreeRoute(from, to);
            const auto nodes = graph.Walk(graph.HostAt(from), *route);
            NS_TEST_ASSERT_MSG_EQ(PassesOnce(nodes), true, topology.family << ": every node once");
            std::vector<std::vector<GraphNode>> ways(
                nodes.size()); // switches on the way to each stop
            std::set<uint32_t> reached;
            for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
            {
                if (graph.IsSwitch(nodes[stop]))
                {
                    ways[stop].push_back(nodes[stop]);
                }
                else if (stop > 0)
                {
                    reached.insert(nodes[stop] - graph.GetNSwitches());
                    NS_TEST_ASSERT_MSG_EQ(isLegal(ways[stop]), true, topology.family);
                }
                const bool ends = route->At(stop).size() == 0;
                NS_TEST_ASSERT_MSG_EQ(ends, (!graph.IsSwitch(nodes[stop]) && stop > 0), "at hosts");
                for (const auto& branch : route->At(stop))
                {
                    ways[branch.next] = ways[stop];
                }
            }
            const bool isRight = reached == std::set<uint32_t>(to.begin(), to.end());
            NS_TEST_ASSERT_MSG_EQ(isRight, true, topology.family << ": the hosts asked for");
            routes.Add(graph.HostAt(from), *route);
        }

        const auto circle = ErrorOf([&] { routes.CheckDeadlockFree(); });
        NS_TEST_ASSERT_MSG_EQ(circle, "", text << ": routes of all kinds cannot deadlock");
    };
    // On a mesh or torus the difference of neighbours' numbers tells the dimension.
    const auto ascending = [](std::vector<uint32_t> dimensionOf) {
        return [dimensionOf](const std::vector<GraphNode>& way) {
            uint32_t latest = 0;
            for (std::size_t i = 1; i < way.size(); ++i)
            {
                const auto apart = std::max(way[i], way[i - 1]) - std::min(way[i], way[i - 1]);
                if (apart >= dimensionOf.size() || dimensionOf[apart] < latest)
                {
                    return false;
                }
                latest = dimensionOf[apart];
            }
            return true;
        };
    };
    check("mesh:6", true, ascending({9, 0}));
    check("mesh:4x4,hosts=2", true, ascending({9, 0, 9, 9, 1}));
    check("mesh:3x2x4", true, ascending({9, 0, 9, 1, 9, 9, 2}));
    check("torus:3x3,routing=dimension-order", true, ascending({9, 0, 0, 1, 9, 9, 1}));
    check("torus:2x3x2,routing=dimension-order", true, ascending({9, 0, 1, 9, 1, 9, 2}));
    for (const auto& text :
         Words("kary-tree:k=2,n=4 kary-tree:k=3,n=3 kary-tree:k=4,n=2 clos:ports=8 "
               "clos:ports=4,levels=3 clos:down=4x4,up=2,cables=2 clos:down=5 "
               "clos:down=3x2x4,up=2x3,cables=1x2"))
    {
        const auto levels = Levels(MakeTopology(text).graph);
        check(text, true, [levels](const std::vector<GraphNode>& way) {
            return IsUpThenDown(way, [&](auto a, auto b) { return levels[b] > levels[a]; });
        });
    }
    check("full:6,hosts=3", true, [](const auto& way) { return way.size() <= 2; });
    check("full:1,hosts=3", true, [](const auto& way) { return way.size() == 1; });
    for (auto text :
         {"dragonfly:a=1,h=4,hosts=2", "dragonfly:a=4,h=2,g=2", "dragonfly:a=4,h=2,g=3"})
    {
        const auto a = text[12] - '0';
        check(text + std::string(",routing=minimal"), true, [a](const std::vector<GraphNode>& way) {
            // Every switch has a cable to every other group, so a worm leaves at once.
            for (std::size_t i = 1; i < way.size(); ++i)
            {
                if (way[i] / a != way[i - 1] / a && i > 1)
                {
                    return false;
                }
            }
            return way.size() <= 3;
        });
    }
    for (const auto& text :
         Words("torus:4x4 torus:5x3x2,hosts=2 dragonfly:a=4,h=2 dragonfly:a=2,h=1 "
               "dragonfly:a=3,h=2,g=6,hosts=2 torus:6,root=s3 "
               "mesh:4x4,routing=up-down,root=center "
               "full:5,routing=up-down kary-tree:k=3,n=2,routing=up-down "
               "clos:ports=4,levels=3,routing=up-down irregular:switches=12,hosts=20,f=0.6"))
    {
        check(text, false);
    }
}

TEST_CASE(RegularCyclesTestCase, "routes that need virtual channels are refused with their cycle")
{
    // Checks that minimal routes cross to another group once at most, in 3 links.
    const auto checkMinimal = [&](const FabricGraph& graph, RegularRouter& router, uint32_t a) {
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            const auto nodes = graph.Walk(graph.HostAt(from), *router.GetRoute(from, to));
            uint32_t globals = 0;
            for (std::size_t i = 2; i + 1 < nodes.size(); ++i)
            {
                globals += nodes[i] / a != nodes[i - 1] / a;
            }
            NS_TEST_EXPECT_MSG_EQ(nodes.back(), graph.HostAt(to), "the route leads there");
            NS_TEST_EXPECT_MSG_EQ(globals, (from / a != to / a ? 1 : 0), "global links");
            NS_TEST_EXPECT_MSG_LT(nodes.size(), 7, "3 links between switches at most");
        }
    };
    for (uint32_t length = 2; length <= 7; ++length)
    {
        const GridTopology torus({2, length}, GridTopology::Ends::JOINED);
        const auto graph = torus.MakeGraph();
        RegularRouter router(torus.Copy());
        ChannelDependency all(graph);
        all.AddAllPairs(router);
        const auto cycle = all.FindCycle();
        NS_TEST_EXPECT_MSG_EQ(cycle.size(), (length > 3 ? length : 0), "a cycle round the torus");
        const bool isLong = AllOf(cycle, [](const auto& channel) { return channel.port / 2 == 1; });
        NS_TEST_EXPECT_MSG_EQ(isLong, true, "the cycle is in the long dimension");
        const auto quick = ErrorOf([&] { router.CheckDeadlockFree(graph); });
        NS_TEST_EXPECT_MSG_EQ(quick.empty(), cycle.empty(), "the quick check, too");
        const auto text = "torus:2x" + std::to_string(length) + ",routing=dimension-order";
        const bool isMade = ErrorOf([&] { MakeTopology(text); }).empty();
        NS_TEST_EXPECT_MSG_EQ(isMade, cycle.empty(), "so does the factory");
    }
    RefusesWith(
        [] { MakeTopology("torus:3x4,hosts=2,routing=dimension-order"); },
        "topology 'torus:3x4,hosts=2,routing=dimension-order': worms on these routes can wait "
        "for each other in a cycle, s0:2 -> s3:2 -> s6:2 -> s9:2 -> s0:2; expected routes "
        "without one, such as up/down routes");
    uint32_t safe = 0;
    uint32_t unsafe = 0;
    for (uint32_t a = 1; a <= 4; ++a)
    {
        for (uint32_t h = 1; h <= 4; ++h)
        {
            for (uint32_t g = 2; g <= std::min(a * h + 1, 9U); ++g)
            {
                const DragonflyTopology dragonfly({a, h, g, 1});
                const auto graph = dragonfly.MakeGraph();
                RegularRouter router(dragonfly.Copy(), RouteSpread::Rule::FIRST);
                checkMinimal(graph, router, a);
                ChannelDependency all(graph);
                all.AddAllPairs(router);
                const auto isSafe = ErrorOf([&] { all.CheckDeadlockFree(); }).empty();
                const auto got = ErrorOf([&] { router.CheckDeadlockFree(graph); });
                const auto text = "a=" + std::to_string(a) + ",h=" + std::to_string(h) +
                                  ",g=" + std::to_string(g);
                NS_TEST_EXPECT_MSG_EQ(got.empty(), isSafe, text);
                const bool isNamed = got.empty() || got.find("cycle, s") < got.size();
                NS_TEST_EXPECT_MSG_EQ(isNamed, true, text << " names no cycle: " << got);
                (got.empty() ? safe : unsafe) += 1;
                for (uint32_t from = 0; from < a * g; ++from)
                {
                    auto others = MakeRange(a * g);
                    others.erase(others.begin() + from);
                    const auto tree = router.GetTreeRoute(from, others);
                    NS_TEST_EXPECT_MSG_EQ(tree->GetNStops(), 2 * a * g, text << ": a tree");
                }
                const auto refused = ErrorOf(
                    [&] { MakeTopology("dragonfly:" + text + ",routing=minimal,spread=first"); });
                NS_TEST_EXPECT_MSG_EQ(refused.empty(), got.empty(), refused);
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(safe, 15, "safe ones were tried");
    NS_TEST_EXPECT_MSG_GT(unsafe, 15, "unsafe ones were tried");

    Refuses([] { MakeTopology("dragonfly:a=16,h=8,hosts=8,routing=minimal"); }, "cycle, s");
    // Safe, but who proves it?
    Refuses([] { MakeTopology("dragonfly:a=2,h=600,g=600,routing=minimal"); },
            "1200 switches: too many to prove");
}

TEST_CASE(FatTreeSpreadTestCase,
          "fat trees: each channel downwards serves one host, all roots are used")
{
    // nRoots: switches on its top level
    const auto check = [&](const FatTreeTopology& tree, uint32_t nRoots) {
        const auto graph = tree.MakeGraph();
        RegularRouter router(tree.Copy(), RouteSpread::Rule::IN_TURN);
        std::map<std::pair<GraphNode, Port>, std::set<uint32_t>>
            down;                                      // hosts served by each channel
        std::map<GraphNode, std::set<uint32_t>> roots; // hosts reached by each root
        std::set<GraphNode> tops;                      // roots of trees from all hosts
        uint32_t nTops = 0;
        for (const auto& [from, to] : ListPairs(tree.GetNHosts()))
        {
            const auto route = router.GetRoute(from, to);
            const auto nodes = graph.Walk(graph.HostAt(from), *route);
            for (std::size_t i = 1; i + 1 < nodes.size(); ++i)
            {
                if (nodes[i + 1] > nodes[i]) // numbers grow from the top down
                {
                    down[{nodes[i], route->At(i)[0].port}].insert(to);
                }
                if (nodes[i] < nRoots)
                {
                    roots[nodes[i]].insert(to);
                }
            }
        }
        for (uint32_t from = 0; from < tree.GetNHosts(); ++from)
        {
            auto random = CreateObject<UniformRandomVariable>();
            const auto all = RandomOthers(graph, from, *random, tree.GetNHosts() - 1);
            for (auto node : graph.Walk(graph.HostAt(from), *router.GetTreeRoute(from, all)))
            {
                nTops += node < nRoots && tops.insert(node).second;
            }
        }
        for (const auto& [channel, hosts] : down)
        {
            NS_TEST_EXPECT_MSG_EQ(hosts.size(), 1, "by " << channel.first << ":" << channel.second);
        }
        const auto nDown = graph.GetNSwitchLinks() + graph.GetNHosts();
        NS_TEST_EXPECT_MSG_EQ(down.size(), nDown, "all channels downwards are used");
        NS_TEST_EXPECT_MSG_EQ(roots.size(), nRoots, "all roots are used");
        for (const auto& [root, hosts] : roots)
        {
            NS_TEST_EXPECT_MSG_EQ(hosts.size(), tree.GetNHosts() / nRoots, "hosts of a root");
        }
        NS_TEST_EXPECT_MSG_EQ(nTops, nRoots, "all roots are used by tree worms");
    };
    check(FatTreeTopology::KAryNTree(2, 4), 8);
    check(FatTreeTopology::KAryNTree(4, 3), 16);
    check(FatTreeTopology::KAryNTree(5, 2), 5);
    check(FatTreeTopology::Clos(8, 2), 4);
    check(FatTreeTopology::Clos(6, 3), 9);
    check(FatTreeTopology({{4, 4}, {2}, {2}}), 2);
}

TEST_CASE(RegularScaleTestCase, "fabrics of 65,536 hosts and more give routes at once")
{
    const auto check = [&](const std::string& text, uint32_t hosts, uint32_t nRoutes) {
        const auto topology = MakeTopology(text);
        const auto& graph = topology.graph;
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), hosts, text);
        auto random = MakeRandom(503);
        for (uint32_t i = 0; i < nRoutes; ++i)
        {
            const auto from = random->GetInteger(0, hosts - 1);
            const auto to = (from + random->GetInteger(1, hosts - 1)) % hosts;
            const auto route = topology.router->GetRoute(from, to);
            const auto end = graph.Walk(graph.HostAt(from), *route).back();
            NS_TEST_ASSERT_MSG_EQ(end, graph.HostAt(to), text << ": the route leads there");
        }
        const auto all = RandomOthers(graph, 17, *random, hosts - 1);
        const auto tree = topology.router->GetTreeRoute(17, all);
        NS_TEST_ASSERT_MSG_EQ(tree->GetNDestinations(), hosts - 1, text);
    };
    const auto start = std::clock();
    check("mesh:32x32x64", 65536, 1000);
    check("torus:16x16x16x16", 65536, 20);
    check("kary-tree:k=16,n=4", 65536, 1000);
    check("clos:ports=64,levels=3", 65536, 1000);
    check("dragonfly:a=24,h=12,hosts=12", 83232, 20);
    check("full:256,hosts=256", 65536, 1000);
    RegularRouter millions(FatTreeTopology::KAryNTree(128, 3).Copy());
    RegularRouter cube(GridTopology({128, 128, 128}, GridTopology::Ends::OPEN).Copy());
    uint64_t channels = 0;
    uint64_t expected = 0;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        expected += 6 + std::abs(127 - 2 * static_cast<int>(i % 128)) + 127 + 127 + 2;
        channels += millions.GetRoute(i, 2097151 - i)->GetNChannels();
        channels += cube.GetRoute(i % 128, 2097151 - i % 128)->GetNChannels();
    }
    NS_TEST_EXPECT_MSG_EQ(channels, expected, "routes of 2,097,152 hosts, without a graph");
    const double seconds = 1.0 * (std::clock() - start) / CLOCKS_PER_SEC;
    NS_TEST_EXPECT_MSG_LT(seconds, 60, "takes some seconds");
}

} // namespace
