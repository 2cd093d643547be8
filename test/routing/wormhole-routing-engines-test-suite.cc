// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"
#include "routes-test-case.h"

#include "ns3/dragonfly-topology.h"
#include "ns3/grid-topology.h"

using namespace ns3;

SUITE("wormhole-routing-engines", UNIT);

namespace
{

/// Engines for all fabrics, with so little effort that many fabrics can be looked at.
const std::vector<std::string> SETTINGS =
    Words("up-down up-down[Root=center|Spread=hash] balanced[Candidates=2|Rounds=2] "
          "balanced[Root=first|Rounds=2|Length=any] depth-first[Rounds=2] "
          "depth-first[Root=best|Candidates=2|Rounds=2|Length=any] "
          "turn-prohibition[Sets=3|Candidates=1|Rounds=2] "
          "turn-prohibition[Sets=1|Candidates=1|Rounds=2|Lanes=3] nue nue[Lanes=3] lash dfsssp "
          "adaptive[Lanes=1|Candidates=1|Order=breadth-first] adaptive[Lanes=3|Candidates=1] "
          "in-transit[Rounds=2] "
          "in-transit[Mode=whole|Root=best|Candidates=2|Order=depth-first|Spread=first]");

/// @return these, and each other engine that needs no table, and no fabrics of one family
std::vector<std::string>
ListEngines()
{
    auto engines = SETTINGS;
    std::set<std::string> others{"fat-tree", "table"};
    for (const auto& engine : SETTINGS)
    {
        others.insert(engine.substr(0, engine.find('[')));
    }
    for (const auto& name : RoutingEngine::GetNames())
    {
        if (others.count(name) == 0 && !RoutingEngine::Make(name)->UsesTopologyRule())
        {
            engines.push_back(name);
        }
    }
    return engines;
}

const std::vector<std::string> FAMILIES =
    Words("torus:4x4,hosts=2 torus:3x4x2 torus:9 mesh:4x3,hosts=2 kary-tree:k=3,n=3 "
          "clos:ports=8,levels=2 clos:down=8x4,up=1,cables=8 dragonfly:a=3,h=2 "
          "dragonfly:a=2,h=2,g=2 full:6,hosts=2 irregular:switches=9,hosts=20,f=0.9,parallel=yes "
          "roadrunner:wiring=mesh,cables=2");

TEST_CASE_WITH_OF(RoutesTestCase,
                  DrawnFabricsTestCase,
                  (uint32_t count, uint32_t largest, const std::vector<std::string>& engines),
                  "Routes of " + std::to_string(engines.size()) + " engines on " +
                      std::to_string(count) + " drawn fabrics of 2 to " + std::to_string(largest) +
                      " switches")
{
    auto random = MakeRandom(7);
    for (uint32_t i = 0; i < count; ++i)
    {
        // As many small ones as large ones: sizes grow by the same factor.
        const auto nSwitches =
            i == 0   ? 2U
            : i == 1 ? largest
                     : static_cast<uint32_t>(2 * std::pow(largest / 2.0, random->GetValue()));
        const auto nHosts = random->GetInteger(2 * nSwitches, 4 * nSwitches);
        const bool hasParallelLinks = nSwitches < 16; // else there are not links enough
        const auto graph = DrawFabric(nSwitches, nHosts, 1000 + i, hasParallelLinks);
        for (const auto& engine : engines)
        {
            const auto what = engine + " on drawing " + std::to_string(i) + " of " +
                              std::to_string(nSwitches) + " switches";
            CheckRoutes(graph, *RoutingEngine::Make(engine)->MakeRouter(graph), what);
        }
    }
}

TEST_CASE_OF(RoutesTestCase,
             FamiliesTestCase,
             "Every engine's routes on each family and from a file")
{
    const auto path = CreateTempDirFilename("routing-engines.json");
    for (const auto& text : FAMILIES)
    {
        const auto graph = MakeTopology(text + ",routing=up-down").graph;
        for (const auto& engine : ListEngines())
        {
            const auto routes = RoutingEngine::Make(engine)->MakeRouter(graph);
            CheckRoutes(graph, *routes, engine + " on " + text);
            if (routes->GetNLanes() == 1)
            {
                const auto topology = MakeTopology(text + ",routing=" + engine);
                // Layers have no routes to switches without hosts, as tables have none.
                const auto isLayered = engine == "lash" || engine == "dfsssp";
                const auto hasRoutes = [&](FabricGraph::Node node) {
                    return !isLayered || !graph.PortsToHosts(node).empty();
                };
                const auto what = engine + " on " + text;
                CheckAllKinds(topology.graph, *topology.router, {1}, what, hasRoutes);
                WriteFabricFile(topology.graph, path);
                const auto read = MakeTopology(path);
                NS_TEST_EXPECT_MSG_EQ(read.routing, topology.routing, engine << " on " << text);
                bool isSame = true;
                for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
                {
                    const auto source = graph.HostAt(from);
                    const auto way = graph.Walk(source, *topology.router->GetRoute(from, to));
                    isSame &= way == read.graph.Walk(source, *read.router->GetRoute(from, to));
                }
                NS_TEST_EXPECT_MSG_EQ(isSame, true, engine << " on " << text << " from a file");
            }
        }
    }
}

TEST_CASE_OF(RoutesTestCase, FamilyEnginesTestCase, "Engines for tori and dragonflies on these")
{
    // rule: the rule of a fabric; nLanes: number of lanes that it takes
    const auto check =
        [&](const RegularTopology& rule, const std::string& engine, uint32_t nLanes) {
            const auto graph = rule.MakeGraph();
            const auto routes = RoutingEngine::Make(engine)->MakeRouter(graph, &rule);
            NS_TEST_EXPECT_MSG_EQ(routes->GetNLanes(), nLanes, engine);
            const auto size = std::to_string(graph.GetNSwitches());
            CheckRoutes(graph, *routes, engine + " on " + size + " switches");
        };
    using Lengths = std::vector<uint32_t>;
    for (const auto& lengths :
         {Lengths{4, 4}, Lengths{8, 8}, Lengths{5, 6, 2}, Lengths{9}, Lengths{3, 2, 4}})
    {
        for (const auto& engine : {"dateline", "dateline[Lane=free]"})
        {
            check(GridTopology(lengths, GridTopology::Ends::JOINED, 2), engine, 2);
            check(GridTopology(lengths, GridTopology::Ends::OPEN), engine, 2);
        }
    }
    for (const uint32_t groups : {0, 2, 5})
    {
        const DragonflyTopology dragonfly({4, 2, groups, 2});
        check(dragonfly, "dragonfly-minimal", 2);
        check(dragonfly, "valiant", 3);
        check(dragonfly, "ugal[Detours=3]", 3);
        check(dragonfly, "ugal[Detours=0|Cables=4]", 2);
    }
    // LUMI-C: 8 groups of 16 switches and 256 hosts, 22.4 TB/s between groups: 16 cables a pair.
    const auto lumi =
        MakeTopology("dragonfly:a=16,h=7,g=8,hosts=16,routing=ugal[Detours=0|Cables=16]");
    NS_TEST_EXPECT_MSG_EQ(lumi.graph.GetNHosts(), 2048, "hosts");
    NS_TEST_EXPECT_MSG_EQ(lumi.router->GetNLanes(), 2, "minimal routes");
    const auto between = SumOf(MakeRange(16), [&](FabricGraph::Node node) {
        return CountIf(lumi.graph.PortsToSwitches(node),
                       [&](auto port) { return lumi.graph.Peer(node, port).node / 16 == 5; });
    });
    NS_TEST_EXPECT_MSG_EQ(between, 16, "cables of a pair of groups");
    // Dimension order is shortest.
    const GridTopology torus({6, 5}, GridTopology::Ends::JOINED);
    const auto routes = MakeLaneRoutes("dateline", torus.MakeGraph(), &torus);
    const SwitchAdjacency cables(torus.MakeGraph());
    for (const auto& [from, to] : Combine(MakeRange(30), MakeRange(30)))
    {
        RouteSet::Way way;
        routes->Append(from, to, way);
        NS_TEST_EXPECT_MSG_EQ(way.size(), cables.Distances(from)[to], from << " " << to);
    }
}

class PlantedRoutes : public RouteSet
{
  public:
    /// @param graph a ring of switches with a host each @param isDateline whether routes change to
    /// lane 1 at switch 0
    PlantedRoutes(const FabricGraph& graph, bool isDateline)
        : RouteSet(graph, 2),
          m_isDateline(isDateline)
    {
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const auto n = GetChannels().GetNSwitches();
        bool isBehind = !m_isDateline;
        for (auto node = GetHosts().SwitchOf(from); node != GetHosts().SwitchOf(to);)
        {
            auto channel = GetChannels().First(node);
            channel += GetChannels().To(channel) != (node + 1) % n;
            isBehind = isBehind || (m_isDateline && node == 0);
            way.push_back(2 * channel + isBehind);
            node = GetChannels().To(channel);
        }
    }

  private:
    bool m_isDateline; ///< whether routes change their lane
};

TEST_CASE_OF(RoutesTestCase,
             PlantedCircleTestCase,
             "A planted circle of lanes is named; where the lane changes there is none")
{
    const auto graph = MakeTopology("torus:5").graph;
    const auto check = [&](bool isDateline) {
        ChannelDependency dependency(graph, ChannelDependency::Branches::COUPLED, 2);
        dependency.AddAllPairs(PlantedRoutes(graph, isDateline));
        dependency.CheckDeadlockFree();
    };
    Refuses([&] { check(false); },
            "s0:0 lane 1 -> s1:0 lane 1 -> s2:0 lane 1 -> s3:0 lane 1 -> s4:0 lane 1 -> "
            "s0:0 lane 1");
    NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { check(true); }), "", "with a dateline");
}

TEST_CASE(TurnPathsTestCase, "A set of turns takes a path if and only if that closes no circle")
{
    using Turns = std::set<std::pair<uint32_t, uint32_t>>;
    const uint32_t SIZE = 9; // number of vertices
    // Returns whether turns have a circle: taking away all that nothing follows leaves some
    const auto hasCycle = [&](Turns turns) -> bool {
        for (std::size_t before = SIZE_MAX; before != turns.size();)
        {
            before = turns.size();
            for (uint32_t vertex = 0; vertex < SIZE; ++vertex)
            {
                if (turns.lower_bound({vertex, 0}) == turns.lower_bound({vertex + 1, 0}))
                {
                    for (uint32_t from = 0; from < SIZE; ++from)
                    {
                        turns.erase({from, vertex});
                    }
                }
            }
        }
        return !turns.empty();
    };
    uint32_t state = 1;
    const auto draw = [&state](uint32_t end) {
        state = state * 1664525 + 1013904223;
        return (state >> 16) % end;
    };
    uint32_t nRefused = 0;
    for (uint32_t round = 0; round < 200; ++round)
    {
        TurnSet set(SIZE);
        Turns turns;
        for (uint32_t i = 0; i < 40; ++i)
        {
            std::vector<uint32_t> path{draw(SIZE)};
            while (path.size() < 2 + round % 4)
            {
                const auto next = draw(SIZE);
                if (!IsIn(path, next))
                {
                    path.push_back(next);
                }
            }
            auto more = turns;
            for (std::size_t hop = 0; hop + 1 < path.size(); ++hop)
            {
                more.insert({path[hop], path[hop + 1]});
            }
            const auto fits = !hasCycle(more);
            NS_TEST_ASSERT_MSG_EQ(set.AddPath(path), fits, "path " << i << " of " << round);
            turns = fits ? more : turns;
            nRefused += !fits;
            const auto size =
                SumOf(MakeRange(SIZE), [&](uint32_t from) { return set.After(from).size(); });
            NS_TEST_ASSERT_MSG_EQ(size, turns.size(), "none of a path that was refused");
        }
    }
    NS_TEST_EXPECT_MSG_GT(nRefused, 1000, "some close circles");
}

TEST_CASE(RoutingRefusalsTestCase,
          "Engines refuse names, attributes and fabrics that are none of theirs")
{
    Refuses([] { RoutingEngine::Make("balance"); }, "balanced");
    Refuses([] { RoutingEngine::Make("balanced[Rot=first]"); }, "'Rot=first' sets no attribute");
    Refuses([] { RoutingEngine::Make("balanced[Length=long]"); }, "shortest or any");
    Refuses([] { RoutingEngine::Make("balanced[Root=first"); }, "is not closed");
    const auto graph = DrawFabric(16, 40);
    const auto compute = [&](const std::string& name) {
        return [&graph, name] { RoutingEngine::Make(name)->MakeRouter(graph); };
    };
    Refuses([] { RoutingEngine::Make("nue[Lanes=2|Lanes=3]"); }, "Lanes is set twice");
    // A mistyped number would compute for days.
    for (const std::string engine :
         {"balanced[Rounds", "depth-first[Rounds", "turn-prohibition[Sets", "in-transit[Rounds"})
    {
        Refuses([&] { RoutingEngine::Make(engine + "=100000]"); },
                "expected a whole number from 1 to 1000");
    }
    const std::string rules = "first, degree, center, or the name of a switch";
    Refuses(compute("balanced[Root=s99]"), "root 's99': expected best, " + rules);
    Refuses(compute("adaptive[Root=]"), "root '': expected best, " + rules);
    Refuses(compute("depth-first[Root=h0]"), "root 'h0': expected farthest, best, " + rules);
    Refuses(compute("dateline"), "was not made as a torus");
    Refuses(compute("valiant"), "was not made as a dragonfly");
    Refuses(compute("lash[Lanes=1]"), "needs more than 1 lane on this fabric");
    Refuses(compute("dfsssp[Lanes=1]"), "needs more than 1 lane on this fabric");
    Refuses([] { MakeTopology("torus:4x4,routing=best"); },
            "up-down, dimension-order, adaptive, balanced");
    Refuses([] { MakeTopology("torus:4x4,routing=balanced,root=center"); },
            "only routing=up-down has a root");
    // Only engines that follow a rule ask whether the fabric does.
    auto torus = MakeTopology("torus:4x4,routing=balanced").graph;
    auto routes = torus.GetRoutes();
    routes.family = "torus:5x5";
    torus.SetRoutes(routes);
    NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { MakeRouter(torus); }), "", "balanced needs no torus");
    routes.routing = "dateline";
    torus.SetRoutes(routes);
    Refuses([&] { MakeRouter(torus); }, "instead of 25 switches");
    const FabricGraph none(0, 0, 4);
    Refuses([&] { RoutingEngine::Make("nue")->MakeRouter(none); }, "no switches");
    // A fabric made as a torus stays one, whatever its first routes were.
    auto plain = MakeTopology("torus:4x4").graph;
    NS_TEST_ASSERT_MSG_EQ(plain.GetRoutes().routing, "up-down", "a torus' routes");
    SetRouting(plain, "dateline");
    NS_TEST_EXPECT_MSG_EQ(MakeRouter(plain)->GetNLanes(), 2, "datelines take two lanes");
}

/// @param sets attribute of turn-prohibition: fewer sets of turns do not raise its bound
TEST_CASE_WITH(RoutingBoundsTestCase,
               (uint32_t count, [[maybe_unused]] const std::string& sets),
               "Channel loads of " + std::to_string(count) +
                   " drawings of 75 switches and 256 hosts")
{
    const auto names =
        Words("up-down balanced depth-first[Root=best|Length=any] turn-prohibition" + sets);
    std::vector<double> means(names.size(), 0);
    for (uint32_t seed = 1; seed <= count; ++seed)
    {
        RngSeedManager::SetSeed(seed);
        const auto graph = MakeTopology("irregular").graph;
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            const auto router = RoutingEngine::Make(names[i])->MakeRouter(graph);
            means[i] += ChannelBound::MeasureUniform(graph, *router).bound / count;
        }
    }
    RngSeedManager::SetSeed(1);
    NS_TEST_EXPECT_MSG_GT(means[1], 1.4 * means[0], "best root, balanced");
    NS_TEST_EXPECT_MSG_GT(means[2], 2 * means[0], "depth-first, any length");
    NS_TEST_EXPECT_MSG_GT(means[3], 2.2 * means[0], "any turns without a circle");
}

TEST_CASE(RoutingProgressTestCase, "progress of engines")
{
    struct Told
    {
        std::string what; ///< steps
        uint64_t done;    ///< how many are done
        uint64_t all;     ///< of how many
    };

    const auto listWays = [&](const FabricGraph& graph,
                              const std::string& engine) -> std::vector<RouteSet::Way> {
        const auto routes = MakeLaneRoutes(engine, graph);
        std::vector<RouteSet::Way> ways(graph.GetNHosts());
        for (uint32_t to = 1; to < graph.GetNHosts(); ++to)
        {
            routes->Append(0, to, ways[to]);
        }
        return ways;
    };
    const auto graph = MakeTopology("irregular:switches=16,hosts=32").graph;
    for (const auto& [engine, parts] : std::map<std::string, std::set<std::string>>{
             {"balanced", {"rounds that try roots", "rounds of balancing"}},
             {"adaptive", {"rounds that try roots"}},
             {"in-transit", {"rounds that try roots", "rounds of balancing"}},
             {"turn-prohibition",
              {"rounds that try roots", "rounds that try sets of turns", "rounds of balancing"}},
             {"nue", {"switches with routes to them"}},
             {"lash", {"switches with ways to them", "ways with a lane"}},
             {"dfsssp", {"switches with ways to them", "cycles broken"}}})
    {
        const auto silent = listWays(graph, engine);
        std::vector<Told> told;
        const auto before = RoutingProgress::SetListener(
            [&](const std::string& what, uint64_t done, uint64_t all) {
                told.push_back({what, done, all});
                return true;
            },
            0);
        const auto ways = listWays(graph, engine);
        RoutingProgress::SetListener(before);
        NS_TEST_EXPECT_MSG_EQ((ways == silent), true, engine << ": routes are others");
        std::set<std::string> ended;
        for (std::size_t i = 0; i < told.size(); ++i)
        {
            const auto& now = told[i];
            const bool isFirst = i == 0 || told[i - 1].done == told[i - 1].all; // a part
            Holds(isFirst || (told[i - 1].what == now.what && told[i - 1].done <= now.done),
                  engine + ": less is done");
            NS_TEST_EXPECT_MSG_EQ((now.all == 0 || now.done <= now.all), true, engine);
            if (now.done == now.all)
            {
                ended.insert(now.what);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((ended == parts), true, engine << ": its parts are others");
    }
}

TEST_CASE_WITH(LargeRoutingTestCase,
               (uint32_t nSwitches),
               "Balanced routes of " + std::to_string(nSwitches) +
                   " switches are legal, and as short as up-down routes below the same root")
{
    const auto graph = DrawFabric(nSwitches, 2 * nSwitches);
    const auto routes = MakeLaneRoutes("balanced", graph);
    const auto plain = RoutingEngine::Make("up-down[Root=center]")->MakeRouter(graph);
    FollowedWays ways{*routes};
    bool isShortest = true;
    auto random = MakeRandom(3);
    for (int i = 0; i < 10000; ++i)
    {
        const auto from = random->GetInteger(0, graph.GetNHosts() - 1);
        const auto to = random->GetInteger(0, graph.GetNHosts() - 1);
        RouteSet::Way way;
        routes->Append(from, to, way);
        const auto end = graph.SwitchOf(graph.HostAt(to)).node;
        ways.Follow(graph.SwitchOf(graph.HostAt(from)).node, way, end);
        if (i % 10 == 0 && from != to)
        {
            isShortest = isShortest && way.size() + 2 == plain->GetRoute(from, to)->GetNChannels();
        }
    }
    NS_TEST_EXPECT_MSG_EQ(ways.leadThere, true, "routes lead to their hosts");
    NS_TEST_EXPECT_MSG_EQ(isShortest, true, "no legal route is shorter");
    NS_TEST_EXPECT_MSG_EQ(ways.rise, true, "ranks increase along them");
}

ADD_CASES()
{
    AddQuick<DrawnFabricsTestCase>(5, 50, ListEngines());
    // The last set of turns is of a second root.
    AddQuick<DrawnFabricsTestCase>(16,
                                   30,
                                   Words("turn-prohibition[Sets=22|Candidates=2|Rounds=1]"));
    AddExtensive<DrawnFabricsTestCase>(1000, 200, ListEngines());
    AddQuick<RoutingBoundsTestCase>(1, "[Sets=8]");
    AddExtensive<RoutingBoundsTestCase>(20, "");
    AddQuick<LargeRoutingTestCase>(1500);
    AddExtensive<LargeRoutingTestCase>(10000);
}

} // namespace
