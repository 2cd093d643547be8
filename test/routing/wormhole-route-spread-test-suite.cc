// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"
#include "routes-test-case.h"

#include "ns3/study-hosts.h"
#include "ns3/up-down-pair-route.h"

using namespace ns3;

SUITE("wormhole-route-spread", UNIT);

namespace
{

/// Topologies of all families, small, and with several ways.
const std::vector<std::string> TEXTS =
    Words("torus:4x4,hosts=2 torus:3x3x4 torus:3x3,routing=dimension-order mesh:4x3,hosts=2 "
          "mesh:4x4,routing=up-down,root=center kary-tree:k=3,n=3 kary-tree:k=3,n=3,spread=in-turn "
          "clos:ports=8,levels=2 clos:down=8x4,up=1,cables=8 "
          "clos:down=8x4,up=2,cables=4,spread=first clos:down=8x4,up=2,cables=4,routing=up-down "
          "dragonfly:a=4,h=2,g=5,hosts=2 dragonfly:a=2,h=2,g=2,hosts=2,routing=minimal "
          "full:8,hosts=2 full:6,hosts=2,routing=up-down,spread=in-turn "
          "irregular:switches=9,hosts=30 "
          "irregular:switches=9,hosts=20,f=0.9,parallel=yes,spread=hash "
          "roadrunner:wiring=ring,cables=4");

TEST_CASE(SpreadNumberTestCase, "Routes are shared by numbers that do not depend on the machine")
{
    // What splitmix64.c gives first for seed 0, as published with it.
    NS_TEST_EXPECT_MSG_EQ(RouteSpread(RouteSpread::Rule::HASH, 0, 0).GetNumber(),
                          static_cast<uint32_t>(0xe220a8397b1dcdaf),
                          "SplitMix64's first number of seed 0");
    for (const auto& name : RouteSpread::GetNames())
    {
        const auto rule = RouteSpread::ByName(name);
        NS_TEST_EXPECT_MSG_EQ(RouteSpread::NameOf(rule), name, "names and back");
        std::vector<uint32_t> taken(8, 0);
        for (const auto& [from, to] : Combine(MakeRange(64), MakeRange(64)))
        {
            ++taken[RouteSpread(rule, from, to).Choose(from % 5, 8)];
        }
        const bool first = rule == RouteSpread::Rule::FIRST;
        NS_TEST_EXPECT_MSG_EQ((taken[0] == 64 * 64), first, "only first takes one always");
        for (auto n : taken)
        {
            NS_TEST_EXPECT_MSG_EQ((first || (n > 400 && n < 624)), true, "alike, 512: " << n);
        }
    }
    Refuses([] { RouteSpread::ByName("yes"); }, "hash, in-turn, first, each");
}

TEST_CASE(EachWormTestCase, "With spread=each the worms of a pair share all ways")
{
    // A Clos with four ways between pods, and a mesh whose corner has 6 ways up to the root.
    for (const auto& [text, nWays] :
         {std::pair<std::string, std::size_t>{"clos:ports=8,levels=2,spread=each", 4},
          {"mesh:3x3,routing=up-down,spread=each", 6}})
    {
        const auto topology = MakeTopology(text);
        auto& router = *topology.router;
        const auto last = topology.graph.GetNHosts() - 1;
        std::map<std::vector<uint16_t>, uint32_t> ways;
        std::vector<std::vector<uint16_t>> first;
        router.StartAnew();
        for (int worm = 0; worm < 600; ++worm)
        {
            first.push_back(PortsOf(*router.GetRoute(last, 0)));
            ++ways[first.back()];
        }
        NS_TEST_EXPECT_MSG_EQ(ways.size(), nWays, text);
        for (const auto& [way, n] : ways)
        {
            NS_TEST_EXPECT_MSG_GT(n, 300 / nWays / 2, text << ": no way has few worms");
        }
        InstallFabric(topology);
        const bool isSame = AllOf(first, [&](const auto& way) {
            return PortsOf(*router.GetRoute(last, 0)) == way;
        });
        NS_TEST_EXPECT_MSG_EQ(isSame, true, text << ": a fabric begins anew");
        Simulator::Destroy();
    }
}

TEST_CASE(SameFromFileTestCase, "A fabric's text and its file mean the same")
{
    const auto timeOf = [&](const WormholeTopology& topology) -> std::vector<std::vector<Time>> {
        StudyHosts hosts(std::make_shared<const WormholeTopology>(topology),
                         NanoSeconds(20),
                         NanoSeconds(300));
        StudyHosts::Task task;
        task.hosts = MakeRange(topology.graph.GetNHosts());
        task.s = MicroSeconds(1);
        task.r = MicroSeconds(20);
        return hosts.Run(CollectiveHelper::MakeBarrier("dissemination"), task);
    };
    const auto checkRoutes =
        [&](const std::string& text, WormholeRouter& router, const WormholeTopology& again) {
            uint32_t nOthers = 0;
            for (const auto& [from, to] : ListPairs(again.graph.GetNHosts()))
            {
                nOthers += PortsOf(*router.GetRoute(from, to)) !=
                           PortsOf(*again.router->GetRoute(from, to));
            }
            NS_TEST_EXPECT_MSG_EQ(nOthers, 0, "other routes, " << text);
        };
    const auto path = CreateTempDirFilename("route-spread.json");
    const auto again = CreateTempDirFilename("route-spread-again.json");
    for (const auto& text : TEXTS)
    {
        const auto topology = MakeTopology(text);
        WriteFabricFile(topology.graph, path);
        for (const auto& file : {path, "file:" + path})
        {
            const auto read = MakeTopology(file);
            NS_TEST_EXPECT_MSG_EQ(read.routing, topology.routing, text);
            checkRoutes(text, *topology.router, read);
        }
        // Without a router that is set, the graph's own routes are taken.
        const auto own = WormholeHelper().Install(ReadFabricFile(path))->GetRouter();
        checkRoutes(text, *topology.router, {"", "", topology.graph, own});
        Simulator::Destroy();
        WriteFabricFile(MakeTopology(path).graph, again);
        NS_TEST_EXPECT_MSG_EQ(ReadText(path), ReadText(again), text);
        NS_TEST_EXPECT_MSG_EQ((timeOf(MakeTopology(path)) == timeOf(topology)), true, text);
    }
    WriteFabricFile(MakeTopology("clos:ports=4,levels=2").graph, path);
    const auto whole = ReadText(path);
    const auto refuses =
        [&](const std::string& from, const std::string& to, const std::string& part) {
            auto text = whole;
            const auto at = text.find(from);
            NS_TEST_ASSERT_MSG_NE(at, std::string::npos, from);
            std::ofstream(path) << text.replace(at, from.size(), to);
            Refuses([&] { MakeTopology(path); }, part);
        };
    refuses("\"hash\"", "\"shared\"", "hash, in-turn, first or each");
    refuses("nearest-ancestor", "table", "has no routes");
    refuses("nearest-ancestor", "minimal", "expected nearest-ancestor or up-down");
    refuses("ports=4", "ports=8", "the fabric has");
    refuses("\"topology\": \"clos:levels=2,ports=4\",", "", "\"topology\" beside it");
    // The topology may stand beside routes that do not follow its rule.
    auto upDown = whole;
    upDown.replace(upDown.find("nearest-ancestor"), 16, "up-down");
    std::ofstream(path) << upDown;
    NS_TEST_EXPECT_MSG_EQ(MakeTopology(path).routing, "up-down", "other routes");
    refuses("\"h0\",\n  \"h1\"", "\"h1\",\n  \"h0\"", "is cabled to");
    refuses("\"topology\"", "\"root\": \"s1\", \"topology\"", "routing up-down with it");
}

TEST_CASE(SharedRoutesTestCase, "Routes share parallel cables and equally short legal paths")
{
    for (const auto& text : TEXTS)
    {
        const auto topology = MakeTopology(text);
        if (const auto router = DynamicCast<UpDownRouter>(topology.router))
        {
            const auto& routing = router->GetRouting();
            const auto& graph = topology.graph;
            UpDownPairRoute search(routing);
            for (const auto& name : RouteSpread::GetNames())
            {
                std::set<std::pair<GraphNode, Port>> used;
                UpDownRouter router(graph, graph.GetName(routing.GetRoot()), name);
                uint64_t worm = 0;
                for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
                {
                    const auto a = graph.HostAt(from);
                    const auto b = graph.HostAt(to);
                    const auto route = router.GetRoute(from, to);
                    const auto first = routing.Route(a, b);
                    const auto way = graph.Walk(a, *route);
                    const auto isUp = [&](auto from, auto to) { return routing.LeadsUp(from, to); };
                    NS_TEST_ASSERT_MSG_EQ(IsUpThenDown({way.begin() + 1, way.end() - 1}, isUp),
                                          true,
                                          text << " " << name << ": up behind down");
                    NS_TEST_ASSERT_MSG_EQ(way.back(), b, text << " " << name);
                    NS_TEST_ASSERT_MSG_EQ(route->GetNChannels(), first.GetNChannels(), text);
                    const auto ports = PortsOf(*route);
                    NS_TEST_ASSERT_MSG_EQ((name != "first" || ports == PortsOf(first)), true, text);
                    WormRoute::Ports found;
                    search.Append(graph.SwitchOf(a).node,
                                  graph.SwitchOf(b).node,
                                  RouteSpread(RouteSpread::ByName(name), from, to, worm++),
                                  found);
                    NS_TEST_ASSERT_MSG_EQ(
                        std::equal(found.begin(), found.end(), ports.begin() + 1, ports.end() - 1),
                        true,
                        "with and without a column, " << text << " " << name);
                }
            }
        }
        ChannelDependency routes(topology.graph);
        for (const auto& [from, to] : ListPairs(topology.graph.GetNHosts()))
        {
            routes.Add(topology.graph.HostAt(from), *topology.router->GetRoute(from, to));
        }
        NS_TEST_EXPECT_MSG_EQ(routes.FindCycle().empty(), true, text);
    }
    for (const auto& [spread, routing] :
         Combine(Words("hash in-turn first"), Words("nearest-ancestor up-down")))
    {
        const auto clos =
            MakeTopology("clos:down=8x4,up=1,cables=8,routing=" + routing + ",spread=" + spread);
        const auto bundles = CableUse::Count(clos.graph, *clos.router);
        NS_TEST_EXPECT_MSG_EQ(bundles.size(), 8, "four switches and one, each way");
        for (const auto& bundle : bundles)
        {
            const auto used = spread == "first" ? 1U : 8U;
            NS_TEST_EXPECT_MSG_EQ(bundle.nUsed, used, spread << ", " << routing);
        }
    }
    const auto line = CableUse::Describe(MakeTopology("clos:down=8x4,up=1,cables=8").graph, [] {
        return MakeTopology("clos:down=8x4,up=1,cables=8,spread=first").router;
    });
    const std::string expected = "4 bundles of 8 parallel cables: 1 of each used, each way";
    NS_TEST_EXPECT_MSG_EQ(line, expected, "what is printed");
}

SUITE("wormhole-table-router", UNIT);

FabricGraph
WithTable(FabricGraph graph, std::shared_ptr<const RouteTable> table)
{
    auto routes = graph.GetRoutes();
    routes.routing = "table";
    routes.table = table;
    graph.SetRoutes(routes);
    return graph;
}

/// @return a table in which every route to a host goes down a tree of first ports: from the switch
/// of lowest number that is nearest to it, along cables of a breadth-first search from the first
/// switch
std::shared_ptr<RouteTable>
SpanningTable(const FabricGraph& graph)
{
    const auto nSwitches = graph.GetNSwitches();
    std::vector<FabricGraph::End> up(nSwitches); // port to the parent, by switch
    std::vector<GraphNode> order{0};
    std::vector<bool> seen(nSwitches, false);
    seen[0] = true;
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (const auto port : graph.PortsToSwitches(order[i]))
        {
            const auto far = graph.Peer(order[i], port);
            if (!seen[far.node])
            {
                seen[far.node] = true;
                up[far.node] = {order[i], far.port};
                order.push_back(far.node);
            }
        }
    }
    auto table = std::make_shared<RouteTable>(nSwitches, graph.GetNHosts());
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto end = graph.SwitchOf(graph.HostAt(host));
        for (GraphNode node = 0; node < nSwitches; ++node)
        {
            table->Set(node, host, node ? up[node].port : 0);
        }
        table->Set(end.node, host, end.port);
        for (auto node = end.node; node != 0; node = up[node].node)
        {
            table->Set(up[node].node, host, graph.Peer(node, up[node].port).port);
        }
    }
    return table;
}

} // namespace

TEST_CASE_OF(RoutesTestCase, TableRoutesTestCase, "routes by a table of several families")
{
    const auto check = [&](const FabricGraph& graph, const std::string& text) {
        const auto router = MakeRouter(graph);
        CheckAllKinds(graph, *router, {1, 2, 3}, text);
        ChannelDependency quick(graph);
        quick.AddAllPairs(*router);
        NS_TEST_EXPECT_MSG_EQ(quick.FindCycle().size(), 0, "free of deadlock by ranks");
    };
    for (const auto& text :
         Words("torus:4x4 clos:down=4x4,up=2,cables=2 kary-tree:k=2,n=3 dragonfly:a=4,h=2,g=3 "
               "irregular:switches=12,hosts=30"))
    {
        const auto graph = MakeTopology(text).graph;
        check(WithTable(graph, SpanningTable(graph)), text);
    }
    for (const auto& text :
         Words("mesh:4x4,hosts=2 clos:ports=8,levels=2,spread=in-turn "
               "clos:down=4x4,up=2,cables=2,spread=in-turn kary-tree:k=3,n=3,spread=in-turn "
               "full:6,hosts=2"))
    {
        const auto topology = MakeTopology(text);
        const auto nHosts = topology.graph.GetNHosts();
        auto table = std::make_shared<RouteTable>(topology.graph.GetNSwitches(), nHosts);
        for (const auto& [from, to] : ListPairs(nHosts)) // ports depend on the destination only
        {
            const auto route = topology.router->GetRoute(from, to);
            const auto nodes = topology.graph.Walk(topology.graph.HostAt(from), *route);
            for (WormRoute::Stop stop = 1; stop + 1 < nodes.size(); ++stop)
            {
                table->Set(nodes[stop], to, route->At(stop)[0].port);
            }
        }
        const auto graph = WithTable(topology.graph, table);
        check(graph, text);
        const auto router = MakeRouter(graph);
        for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
        {
            const auto to = (from + 5) % graph.GetNHosts();
            const auto source = graph.HostAt(from);
            Same(graph.Walk(source, *router->GetRoute(from, to)),
                 graph.Walk(source, *topology.router->GetRoute(from, to)),
                 "the route that the table was made of");
        }
    }
}

TEST_CASE(TableTreeTestCase, "tree worms where unicast routes meet again")
{
    // Leaves 0 and 1 with three hosts each, spines 2 to 4: a spine for each host.
    FabricGraph graph(5, 6, 6);
    auto table = std::make_shared<RouteTable>(5, 6);
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (GraphNode leaf : {0, 1})
        {
            const auto host = 3 * leaf + i;
            graph.Connect(leaf, i, graph.HostAt(host), 0);
            graph.Connect(leaf, 3 + i, 2 + i, leaf);
            table->Set(leaf, host, i);
            table->Set(1 - leaf, host, 3 + i);
            table->Set(2 + i, host, leaf);
        }
    }
    const auto router = MakeRouter(WithTable(graph, table));
    const auto route = router->GetTreeRoute(0, {1, 3, 4, 5});
    const auto nodes = graph.Walk(graph.HostAt(0), *route);
    NS_TEST_EXPECT_MSG_EQ(nodes.size(), 8, "the sender, two leaves, a spine and four hosts");
    NS_TEST_EXPECT_MSG_EQ(route->GetNDestinations(), 4, "all hosts");
    const auto toSpine = router->GetRouteToSwitch(0, 4);
    NS_TEST_EXPECT_MSG_EQ(graph.Walk(graph.HostAt(0), *toSpine).back(), 4, "a spine");
    NS_TEST_EXPECT_MSG_EQ(toSpine->GetNChannels(), 2, "at once");
}

TEST_CASE(TableMistakeTestCase, "mistakes in tables")
{
    const auto changeOne =
        [&](GraphNode node, uint32_t host, uint16_t port, const std::string& part) {
            const auto ring = MakeRing(4);
            auto table = SpanningTable(ring);
            table->Set(node, host, port);
            Refuses([&] { MakeRouter(WithTable(ring, table)); }, part);
        };
    const auto ring = MakeRing(4);
    Refuses([&] { MakeRouter(WithTable(ring, nullptr)); }, "the fabric has no table");
    Refuses([&] { MakeRouter(WithTable(ring, std::make_shared<RouteTable>(3, 4))); },
            "the table is of 3 switches and 4 hosts; expected one of its 4 switches");
    const auto round = std::make_shared<RouteTable>(4, 4); // all go round by port 0
    for (const auto& [node, host] : Combine(MakeRange(4), MakeRange(4)))
    {
        round->Set(node, host, node == host ? 2 : 0);
    }
    Refuses([&] { MakeRouter(WithTable(ring, round)); }, "s0:0 -> s1:0 -> s2:0 -> s3:0 -> s0:0");
    changeOne(2, 1, RouteTable::NONE, "routes to h1: s2 has no port for it");
    changeOne(2, 1, 3, "routes to h1: s2 has no port 3");
    changeOne(2, 1, 2, "s2 leaves by port 2, which leads to h2; expected ports that lead");
    // From switch 0, the first, down the tree 0 -> 1 -> 2, 0 -> 3.
    changeOne(1, 0, 0, "routes to h0: s1 leads in a cycle, s1 -> s2 -> s1");

    RouteTable table(1, 3);
    table.SetRow(0, " 0 -  65534");
    NS_TEST_EXPECT_MSG_EQ(table.GetRow(0), "0 - 65534", "the row");
    Refuses([&] { table.SetRow(0, "0 1"); }, "a list of 2 ports; expected 3");
    Refuses([&] { table.SetRow(0, "0 1 2 3"); }, "a list of 4 ports");
    Refuses([&] { table.SetRow(0, "0 1 x2"); }, "'x2' is no port");
    Refuses([&] { table.SetRow(0, "0 1 65535"); }, "'65535' is no port");
    Refuses([&] { table.SetRow(0, "0 1 -2"); }, "'-2' is no port");
}

TEST_CASE(TableFileTestCase, "tables in fabric files")
{
    const auto drawn = MakeTopology("irregular:switches=12,hosts=30").graph;
    const auto graph = WithTable(drawn, SpanningTable(drawn));
    const auto path = CreateTempDirFilename("table.json");
    WriteFabricFile(graph, path);
    const auto read = ReadFabricFile(path);
    NS_TEST_EXPECT_MSG_EQ(read.GetRoutes().routing, "table", "routing");
    for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
    {
        const auto row = graph.GetRoutes().table->GetRow(node);
        NS_TEST_EXPECT_MSG_EQ(read.GetRoutes().table->GetRow(node), row, "row " << node);
    }
    NS_TEST_EXPECT_MSG_EQ(MakeTopology(path).routing, "table", "of a text");
    NS_TEST_EXPECT_MSG_EQ(MakeTopology(path + ",routing=up-down").routing, "up-down", "others");

    const std::string start = "{\"hosts\": [\"a\", \"b\"],\n"
                              "\"links\": [[\"a\", 0, \"s\", 0], [\"b\", 0, \"s\", 1]],\n";
    const auto refuses = [&](const std::string& text, const std::string& part) {
        Refuses([&] { ReadFabricFile(WriteTemporary("wrong.json", start + text + "}")); }, part);
    };
    const std::string table = "\"routing\": \"table\"";
    refuses(table, ":3: routing: 'table' has no routes");
    refuses("\"routes\": {}", "is a table, which routing up-down does not follow");
    refuses(table + ", \"routes\": {\"t\": \"0 1\"}", "'t' is no switch");
    refuses(table + ",\n \"routes\": {\"s\": \"0\"}", ":4: routes.s: '0' is no row of a table");
    refuses(table + ", \"routes\": {\"s\": \"0 0\"}", "s leaves by port 0, which leads to a");
    refuses(table + ", \"routes\": {}", "routes to a: s has no port for it");
    refuses(table + ", \"routes\": {\"s\": \"0 1\"}, \"root\": \"first\"", "is a root");
    refuses(table + ", \"routes\": {\"s\": \"0 1\"}, \"topology\": \"torus:4\"",
            "has a rule that table routes do not follow");
}
