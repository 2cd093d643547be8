/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/cable-use.h"
#include "ns3/channel-dependency.h"
#include "ns3/study-hosts.h"
#include "ns3/up-down-pair-route.h"
#include "ns3/up-down-routing.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-topology-factory.h"

#include <fstream>

using namespace ns3;

namespace
{

using GraphNode = FabricGraph::Node; ///< number of a node
using Port = FabricGraph::Port;      ///< number of a port

std::vector<Port>
PortsOf(const WormRoute& route)
{
    std::vector<Port> ports;
    for (WormRoute::Stop stop = 0; stop < route.GetNChannels(); ++stop)
    {
        ports.push_back(route.At(stop)[0].port);
    }
    return ports;
}

/// Topologies of all families, small, and with several ways.
const std::vector<std::string> TEXTS{"torus:4x4,hosts=2",
                                     "torus:3x3x4",
                                     "torus:3x3,routing=dimension-order",
                                     "mesh:4x3,hosts=2",
                                     "mesh:4x4,routing=up-down,root=center",
                                     "kary-tree:k=3,n=3",
                                     "kary-tree:k=3,n=3,spread=in-turn",
                                     "clos:ports=8,levels=2",
                                     "clos:down=8x4,up=1,cables=8",
                                     "clos:down=8x4,up=2,cables=4,spread=first",
                                     "clos:down=8x4,up=2,cables=4,routing=up-down",
                                     "dragonfly:a=4,h=2,g=5,hosts=2",
                                     "dragonfly:a=2,h=2,g=2,hosts=2,routing=minimal",
                                     "full:8,hosts=2",
                                     "full:6,hosts=2,routing=up-down,spread=in-turn",
                                     "irregular:switches=9,hosts=30",
                                     "irregular:switches=9,hosts=20,f=0.9,parallel=yes,spread=hash",
                                     "roadrunner:wiring=ring,cables=4"};

SIMULATION_TEST_CASE(SpreadNumberTestCase,
                     "Routes are shared by numbers that do not depend on the machine")
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
        for (uint32_t from = 0; from < 64; ++from)
        {
            for (uint32_t to = 0; to < 64; ++to)
            {
                ++taken[RouteSpread(rule, from, to).Choose(from % 5, 8)];
            }
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

/// Every worm has a way of its own, the same each time a fabric gets the router.
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
        WormholeHelper helper;
        helper.SetRouter(topology.router);
        helper.Install(topology.graph);
        bool isSame = true;
        for (const auto& way : first)
        {
            isSame = isSame && PortsOf(*router.GetRoute(last, 0)) == way;
        }
        NS_TEST_EXPECT_MSG_EQ(isSame, true, text << ": a fabric begins anew");
        Simulator::Destroy();
    }
}

class SameFromFileTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(SameFromFileTestCase, "A fabric's text and its file mean the same");

    void DoRun() override
    {
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
                CheckRoutes(text, *topology.router, read);
            }
            // Without a router that is set, the graph's own routes are taken.
            const auto own = WormholeHelper().Install(ReadFabricFile(path))->GetRouter();
            CheckRoutes(text, *topology.router, {"", "", topology.graph, own});
            Simulator::Destroy();
            WriteFabricFile(MakeTopology(path).graph, again);
            NS_TEST_EXPECT_MSG_EQ(ReadAll(path), ReadAll(again), text);
            NS_TEST_EXPECT_MSG_EQ((TimeOf(MakeTopology(path)) == TimeOf(topology)), true, text);
        }
        JudgeRefusals(path);
    }

    /// @return what is in a file
    static std::string ReadAll(const std::string& path)
    {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// @return when members of an exchange of long messages leave
    static std::vector<std::vector<Time>> TimeOf(const WormholeTopology& topology)
    {
        StudyHosts hosts(std::make_shared<const WormholeTopology>(topology),
                         NanoSeconds(20),
                         NanoSeconds(300));
        StudyHosts::Task task;
        task.hosts = MakeRange(topology.graph.GetNHosts());
        task.s = MicroSeconds(1);
        task.r = MicroSeconds(20);
        return hosts.Run(CollectiveHelper::MakeBarrier("dissemination"), task);
    }

    /// Judges whether routes are the same. @param again what should be the same
    void CheckRoutes(const std::string& text, WormholeRouter& router, const WormholeTopology& again)
    {
        const auto nHosts = again.graph.GetNHosts();
        uint32_t nOthers = 0;
        for (uint32_t from = 0; from < nHosts; ++from)
        {
            for (uint32_t to = 0; to < nHosts; ++to)
            {
                nOthers += from != to && PortsOf(*router.GetRoute(from, to)) !=
                                             PortsOf(*again.router->GetRoute(from, to));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(nOthers, 0, "other routes, " << text);
    }

    void JudgeRefusals(const std::string& path)
    {
        WriteFabricFile(MakeTopology("clos:ports=4,levels=2").graph, path);
        const auto whole = ReadAll(path);
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
};

class SharedRoutesTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(SharedRoutesTestCase,
                   "Routes share parallel cables and equally short legal paths");

    void DoRun() override
    {
        for (const auto& text : TEXTS)
        {
            const auto topology = MakeTopology(text);
            if (const auto router = DynamicCast<UpDownRouter>(topology.router))
            {
                CheckUpDown(text, topology, router->GetRouting());
            }
            ChannelDependency routes(topology.graph);
            for (uint32_t from = 0; from < topology.graph.GetNHosts(); ++from)
            {
                for (uint32_t to = 0; to < topology.graph.GetNHosts(); ++to)
                {
                    if (from != to)
                    {
                        routes.Add(topology.graph.HostAt(from),
                                   *topology.router->GetRoute(from, to));
                    }
                }
            }
            NS_TEST_EXPECT_MSG_EQ(routes.FindCycle().empty(), true, text);
        }
        for (const auto& [spread, used] :
             std::map<std::string, uint32_t>{{"hash", 8}, {"in-turn", 8}, {"first", 1}})
        {
            for (const std::string routing : {"nearest-ancestor", "up-down"})
            {
                const auto clos = MakeTopology("clos:down=8x4,up=1,cables=8,routing=" + routing +
                                               ",spread=" + spread);
                const auto bundles = CableUse::Count(clos.graph, *clos.router);
                NS_TEST_EXPECT_MSG_EQ(bundles.size(), 8, "four switches and one, each way");
                for (const auto& bundle : bundles)
                {
                    NS_TEST_EXPECT_MSG_EQ(bundle.nUsed, used, spread << ", " << routing);
                }
            }
        }
        const auto line = CableUse::Describe(MakeTopology("clos:down=8x4,up=1,cables=8").graph, [] {
            return MakeTopology("clos:down=8x4,up=1,cables=8,spread=first").router;
        });
        NS_TEST_EXPECT_MSG_EQ(line,
                              "4 bundles of 8 parallel cables: 1 of each used, each way",
                              "what is printed");
    }

    void CheckUpDown(const std::string& text,
                     const WormholeTopology& topology,
                     const UpDownRouting& routing)
    {
        const auto& graph = topology.graph;
        UpDownPairRoute search(routing);
        for (const auto& name : RouteSpread::GetNames())
        {
            std::set<std::pair<GraphNode, Port>> used;
            UpDownRouter router(graph, graph.GetName(routing.GetRoot()), name);
            uint64_t worm = 0;
            for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
            {
                for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
                {
                    if (from == to)
                    {
                        continue;
                    }
                    const auto a = graph.HostAt(from);
                    const auto b = graph.HostAt(to);
                    const auto route = router.GetRoute(from, to);
                    const auto first = routing.Route(a, b);
                    NS_TEST_ASSERT_MSG_EQ(routing.IsLegal(a, *route), true, text << " " << name);
                    NS_TEST_ASSERT_MSG_EQ(graph.Walk(a, *route).back(), b, text << " " << name);
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
    }
};

static ListedTestSuite g_routeSpreadTestSuite("wormhole-route-spread",
                                              {new SpreadNumberTestCase,
                                               new EachWormTestCase(),
                                               new SameFromFileTestCase,
                                               new SharedRoutesTestCase});

} // namespace
