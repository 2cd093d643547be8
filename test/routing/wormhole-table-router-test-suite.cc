/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/channel-dependency.h"
#include "ns3/wormhole-route-table.h"
#include "ns3/wormhole-topology-factory.h"

using namespace ns3;

namespace
{

using GraphNode = FabricGraph::Node; //!< short name

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

/// @return the table of routes whose ports depend on the destination only @param topology the
/// fabric and its routes
std::shared_ptr<RouteTable>
TableOf(const WormholeTopology& topology)
{
    const auto& graph = topology.graph;
    auto table = std::make_shared<RouteTable>(graph.GetNSwitches(), graph.GetNHosts());
    for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
    {
        for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
        {
            if (from == to)
            {
                continue;
            }
            const auto route = topology.router->GetRoute(from, to);
            const auto nodes = graph.Walk(graph.HostAt(from), *route);
            for (WormRoute::Stop stop = 1; stop + 1 < nodes.size(); ++stop)
            {
                table->Set(nodes[stop], to, route->At(stop)[0].port);
            }
        }
    }
    return table;
}

/// @return a ring's table in which all go round by port 0
std::shared_ptr<RouteTable>
RoundTable(const FabricGraph& graph)
{
    const auto n = graph.GetNSwitches();
    auto table = std::make_shared<RouteTable>(n, n);
    for (GraphNode node = 0; node < n; ++node)
    {
        for (uint32_t host = 0; host < n; ++host)
        {
            table->Set(node, host, node == host ? 2 : 0);
        }
    }
    return table;
}

} // namespace

/// @brief Routes of all kinds lead where they should, and all together cannot deadlock.
class TableRoutesTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(TableRoutesTestCase, "routes by a table of several families");

    void DoRun() override
    {
        for (const std::string text : {"torus:4x4",
                                       "clos:down=4x4,up=2,cables=2",
                                       "kary-tree:k=2,n=3",
                                       "dragonfly:a=4,h=2,g=3",
                                       "irregular:switches=12,hosts=30"})
        {
            const auto graph = MakeTopology(text).graph;
            Check(WithTable(graph, SpanningTable(graph)));
        }
        for (const std::string text : {"mesh:4x4,hosts=2",
                                       "clos:ports=8,levels=2,spread=in-turn",
                                       "clos:down=4x4,up=2,cables=2,spread=in-turn",
                                       "kary-tree:k=3,n=3,spread=in-turn",
                                       "full:6,hosts=2"})
        {
            const auto topology = MakeTopology(text);
            const auto graph = WithTable(topology.graph, TableOf(topology));
            Check(graph);
            const auto router = MakeRouter(graph);
            for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
            {
                const auto to = (from + 5) % graph.GetNHosts();
                const auto source = graph.HostAt(from);
                NS_TEST_EXPECT_MSG_EQ((graph.Walk(source, *router->GetRoute(from, to)) ==
                                       graph.Walk(source, *topology.router->GetRoute(from, to))),
                                      true,
                                      "the route that the table was made of");
            }
        }
    }

    void Check(const FabricGraph& graph)
    {
        const auto router = MakeRouter(graph);
        const auto nHosts = graph.GetNHosts();
        ChannelDependency dependency(graph, ChannelDependency::Branches::INDEPENDENT);
        for (uint32_t from = 0; from < nHosts; ++from)
        {
            const auto source = graph.HostAt(from);
            for (uint32_t to = 0; to < nHosts; ++to)
            {
                if (to == from)
                {
                    continue;
                }
                const auto route = router->GetRoute(from, to);
                NS_TEST_ASSERT_MSG_EQ(graph.Walk(source, *route).back(),
                                      graph.HostAt(to),
                                      "a route ends at its host");
                dependency.Add(source, *route);
            }
            for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
            {
                const auto route = router->GetRouteToSwitch(from, node);
                NS_TEST_ASSERT_MSG_EQ(graph.Walk(source, *route).back(),
                                      node,
                                      "a route ends in its switch");
                dependency.Add(source, *route);
            }
            for (uint32_t step : {1, 2, 3})
            {
                std::vector<uint32_t> to;
                for (uint32_t host = from % step; host < nHosts; host += step)
                {
                    if (host != from)
                    {
                        to.push_back(host);
                    }
                }
                const auto route = router->GetTreeRoute(from, to);
                const auto nodes = graph.Walk(source, *route);
                NS_TEST_ASSERT_MSG_EQ(std::set<GraphNode>(nodes.begin(), nodes.end()).size(),
                                      nodes.size(),
                                      "a tree passes every node once");
                NS_TEST_ASSERT_MSG_EQ(route->GetNDestinations(),
                                      to.size(),
                                      "a tree ends at its hosts");
                dependency.Add(source, *route);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(dependency.FindCycle().size(), 0, "free of deadlock");
        ChannelDependency quick(graph);
        quick.AddAllPairs(*router);
        NS_TEST_EXPECT_MSG_EQ(quick.FindCycle().size(), 0, "free of deadlock by ranks");
    }
};

/// @brief A tree worm whose unicast routes meet again takes each switch once.
SIMULATION_TEST_CASE(TableTreeTestCase, "tree worms where unicast routes meet again")
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

/// @brief Tables that do not lead to every host, or can deadlock, are refused with their place.
SIMULATION_TEST_CASE(TableMistakeTestCase, "mistakes in tables")
{
    // Changes an entry of a ring's good table. part: what the refusal must hold
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
    Refuses([&] { MakeRouter(WithTable(ring, RoundTable(ring))); },
            "s0:0 -> s1:0 -> s2:0 -> s3:0 -> s0:0");
    changeOne(2, 1, RouteTable::NONE, "routes to h1: s2 has no port for it");
    changeOne(2, 1, 3, "routes to h1: s2 has no port 3");
    changeOne(2, 1, 2, "s2 leaves by port 2, which leads to h2; expected ports that lead");
    // From switch 0, the first, down the tree 0 -> 1 -> 2, 0 -> 3.
    changeOne(1, 0, 0, "routes to h0: s1 leads in a circle, s1 -> s2 -> s1");

    RouteTable table(1, 3);
    table.SetRow(0, " 0 -  65534");
    NS_TEST_EXPECT_MSG_EQ(table.GetRow(0), "0 - 65534", "the row");
    Refuses([&] { table.SetRow(0, "0 1"); }, "a list of 2 ports; expected 3");
    Refuses([&] { table.SetRow(0, "0 1 2 3"); }, "a list of 4 ports");
    Refuses([&] { table.SetRow(0, "0 1 x2"); }, "'x2' is no port");
    Refuses([&] { table.SetRow(0, "0 1 65535"); }, "'65535' is no port");
    Refuses([&] { table.SetRow(0, "0 1 -2"); }, "'-2' is no port");
}

/// @brief A table in a fabric file, and back.
SIMULATION_TEST_CASE(TableFileTestCase, "tables in fabric files")
{
    const auto drawn = MakeTopology("irregular:switches=12,hosts=30").graph;
    const auto graph = WithTable(drawn, SpanningTable(drawn));
    const auto path = CreateTempDirFilename("table.json");
    WriteFabricFile(graph, path);
    const auto read = ReadFabricFile(path);
    NS_TEST_EXPECT_MSG_EQ(read.GetRoutes().routing, "table", "routing");
    for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
    {
        NS_TEST_EXPECT_MSG_EQ(read.GetRoutes().table->GetRow(node),
                              graph.GetRoutes().table->GetRow(node),
                              "row " << node);
    }
    NS_TEST_EXPECT_MSG_EQ(MakeTopology(path).routing, "table", "of a text");
    NS_TEST_EXPECT_MSG_EQ(MakeTopology(path + ",routing=up-down").routing, "up-down", "others");

    const std::string start = "{\"hosts\": [\"a\", \"b\"],\n"
                              "\"links\": [[\"a\", 0, \"s\", 0], [\"b\", 0, \"s\", 1]],\n";
    const auto refuses = [&](const std::string& text, const std::string& part) {
        const auto file = WriteTemporary("wrong.json", start + text + "}");
        Refuses([&] { ReadFabricFile(file); }, part);
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

static ListedTestSuite g_wormholeTableRouterTestSuite("wormhole-table-router",
                                                      {new TableRoutesTestCase,
                                                       new TableTreeTestCase,
                                                       new TableMistakeTestCase,
                                                       new TableFileTestCase});
