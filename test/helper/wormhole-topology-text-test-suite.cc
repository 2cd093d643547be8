/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/grid-topology.h"
#include "ns3/regular-topology.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-topology-factory.h"

using namespace ns3;

namespace
{

using GraphNode = FabricGraph::Node; //!< short name
using Port = FabricGraph::Port;      //!< short name

/// @return whether two fabrics have the same cables
bool
SameCables(const FabricGraph& a, const FabricGraph& b)
{
    bool same = a.GetNSwitches() == b.GetNSwitches() && a.GetNHosts() == b.GetNHosts();
    for (GraphNode node = 0; same && node < a.GetNNodes(); ++node)
    {
        same = a.GetNPorts(node) == b.GetNPorts(node);
        for (uint32_t port = 0; same && port < a.GetNPorts(node); ++port)
        {
            const auto farA = a.Peer(node, static_cast<Port>(port));
            const auto farB = b.Peer(node, static_cast<Port>(port));
            same = farA.node == farB.node && farA.port == farB.port;
        }
    }
    return same;
}

class TopologyTextTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(TopologyTextTestCase, "a text makes the fabric and routes that it says");

    void DoRun() override;

    /// Fabrics from files and drawn ones.
    void CheckOthers();
};

void
TopologyTextTestCase::DoRun()
{
    const std::vector<std::pair<std::string, std::string>> routings{
        {"mesh:4x4", "dimension-order"},
        {"mesh:4x4,routing=up-down", "up-down"},
        {"torus:4x4", "up-down"},
        {"torus:3x3,routing=dimension-order", "dimension-order"},
        {"kary-tree:n=2,k=4", "nearest-ancestor"},
        {"clos:ports=4,routing=up-down,root=s1", "up-down"},
        {"dragonfly:a=2,h=1", "up-down"},
        {"dragonfly:a=2,h=1,g=2,routing=minimal", "minimal"},
        {"full:3", "direct"},
        {"irregular", "up-down"}};
    for (const auto& [text, routing] : routings)
    {
        const auto topology = MakeTopology(text);
        NS_TEST_EXPECT_MSG_EQ(topology.routing, routing, text);
        NS_TEST_EXPECT_MSG_EQ(topology.family, text.substr(0, text.find(':')), text);
        const bool upDown = DynamicCast<UpDownRouter>(topology.router) != nullptr;
        NS_TEST_EXPECT_MSG_EQ(upDown, (routing == "up-down"), text);
    }
    const auto rooted = MakeTopology("torus:4x4,root=s7");
    NS_TEST_EXPECT_MSG_EQ(DynamicCast<UpDownRouter>(rooted.router)->GetRouting().GetRoot(),
                          7,
                          "the root");
    const auto first = MakeTopology("kary-tree:k=2,n=3,routing=up-down");
    NS_TEST_EXPECT_MSG_EQ(first.graph.PortsToHosts(0).empty(), true, "s0 is on top of a tree");
    for (const auto& example : GetTopologyExamples())
    {
        const bool isFile = example.substr(0, 5) == "file:";
        NS_TEST_EXPECT_MSG_EQ((Refusal([&] { MakeTopology(example); }) == "accepted"),
                              !isFile,
                              example);
    }
    CheckOthers();
}

void
TopologyTextTestCase::CheckOthers()
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    IrregularTopologyHelper helper(
        {20, 6, 0.8, 40, IrregularTopologyHelper::TopologyModel::WALK, true});
    helper.AssignStreams(3);
    const std::string text =
        "irregular:switches=20,ports=6,f=0.8,hosts=40,law=walk,parallel=yes,stream=";
    const auto drawn = helper.Create();
    NS_TEST_EXPECT_MSG_EQ(SameCables(MakeTopology(text + "3").graph, drawn), true, "all entries");
    NS_TEST_EXPECT_MSG_EQ(SameCables(MakeTopology(text + "4").graph, drawn), false, "the stream");
    IrregularTopologyHelper standard;
    standard.AssignStreams(0);
    NS_TEST_EXPECT_MSG_EQ(SameCables(MakeTopology("irregular").graph, standard.Create()),
                          true,
                          "no entries");
    const auto path = CreateTempDirFilename("topology-text.json");
    WriteFabricFile(MakeTopology("dragonfly:a=3,h=2").graph, path);
    for (const auto& name : {"file:" + path, path, path + ",root=s4"})
    {
        const auto topology = MakeTopology(name);
        NS_TEST_EXPECT_MSG_EQ(topology.family, "file", name);
        NS_TEST_EXPECT_MSG_EQ(SameCables(topology.graph, MakeTopology("dragonfly:a=3,h=2").graph),
                              true,
                              name);
    }
}

TEST_CASE(TopologyTextRefusalsTestCase,
          "a text with a mistake is refused, naming it and what would be accepted")
{
    const std::string families = "there are clos, dragonfly, file, full, irregular, kary-tree, "
                                 "mesh, roadrunner, torus, as in torus:8x8,hosts=2";
    const std::string whole = "expected a whole number up to 4294967295";
    const std::vector<std::pair<std::string, std::string>> refused{
        {"tours:8x8", "there is no family 'tours'; " + families},
        {"", "there is no family ''; " + families},
        {"8x8", "there is no family '8x8'; " + families},
        {"torus:8x8,host=2",
         "entry 'host=2': torus has lengths first, and the keys hosts, routing, root, spread, "
         "rate, delay, "
         "length, depth, uplink-rate, uplink-delay, uplink-length, uplink-depth, rates, "
         "switch-delay, lanes, priorities, grant"},
        {"kary-tree:4,n=3",
         "entry '4': kary-tree has the keys k, n, routing, root, spread, rate, delay, "
         "length, depth, uplink-rate, uplink-delay, uplink-length, uplink-depth, rates, "
         "switch-delay, lanes, priorities, grant"},
        {"torus", "torus without lengths: expected these first, as in torus:8x8,hosts=2"},
        {"torus:", "entry '': expected key=value, or a value"},
        {"torus:8x8,", "entry '': expected key=value"},
        {"torus:8x8,4", "entry '4': expected key=value"},
        {"torus:hosts=2,8x8", "entry '8x8': expected key=value"},
        {"torus:8x8,hosts=", "entry 'hosts=': expected key=value"},
        {"torus:=8", "entry '=8': expected key=value, or a value"},
        {"torus:8x8,hosts=2,hosts=3", "entry 'hosts=3': hosts is there twice; expected one"},
        {"torus:8xx8",
         "'8xx8': a number is missing after an x; expected whole numbers with x between them, "
         "as 8x8"},
        {"torus:x8",
         "'x8': a number is missing before an x; expected whole numbers with x between them, "
         "as 8x8"},
        {"torus:8x",
         "'8x': a number is missing after an x; expected whole numbers with x between them, "
         "as 8x8"},
        {"torus:8*8", "'8*8': '8*8' is not accepted; " + whole},
        {"torus:8x-8", "'8x-8': '-8' is not accepted; " + whole},
        {"mesh:8x5000000000", "'8x5000000000': '5000000000' is not accepted; " + whole},
        {"torus:8x1", "length of dimension 1 = 1: expected 2 to 2147483647"},
        {"torus:8x8,hosts=0", "hosts a switch = 0: expected 1 to 65535"},
        {"torus:8x8,hosts=two", "'hosts=two': 'two' is not accepted; " + whole},
        {"mesh:8x8,hosts=65535",
         "mesh of 8x8: switches of 65539 ports; a switch has at most 65535"},
        {"mesh:30000x30000",
         "mesh of 30000x30000: 900000000 switches of 5 ports and 900000000 hosts; expected "
         "2147483647 ports in all and as many hosts at most"},
        {"mesh:4x4,routing=least",
         "routing 'least': expected dimension-order, up-down, adaptive, balanced, dateline, "
         "depth-first, dfsssp, direct, dragonfly-minimal, fat-tree, in-transit, lash, minimal, "
         "nearest-ancestor, nue, table, turn-prohibition, ugal, valiant"},
        {"mesh:4x4,routing=minimal",
         "routing minimal: the fabric was made by another rule; expected dimension-order or "
         "up-down"},
        {"mesh:4x4,root=s3",
         "root s3 with routing dimension-order: only routing=up-down has a root"},
        {"torus:4x4,root=s16",
         "root 's16': expected first, degree, center, or the name of a switch"},
        {"kary-tree:k=4", "kary-tree without n: expected a whole number, as n=4"},
        {"kary-tree:k=1,n=3", "arity k of a k-ary n-tree = 1: expected 2 to 32767"},
        {"kary-tree:k=4,n=0", "levels n of a k-ary n-tree = 0: expected 1 to 32"},
        {"kary-tree:k=4,n=20",
         "4-ary 20-tree: 5497558138880 switches of 8 ports and 1099511627776 hosts; expected "
         "2147483647 ports in all and as many hosts at most"},
        {"clos:ports=7",
         "ports of a Clos network's switch = 7: expected an even number, half down and half up"},
        {"clos:ports=8,levels=1", "levels of a Clos network = 1: expected 2 to 32"},
        {"clos:ports=8,up=4",
         "ports or levels beside down, up or cables: expected ports and levels, or numbers by "
         "level"},
        {"clos:down=8x8,up=4x4",
         "fat tree of down = 8x8, up = 4x4, cables = 1: expected a number down for each of 1 to "
         "32 "
         "levels, and one up and of cables for each but the first"},
        {"clos:down=8x8,up=0", "up of level 1 = 0: expected 1 to 65535"},
        {"clos:down=9000x8,up=60000",
         "fat tree of down = 9000x8, up = 60000, cables = 1: switches of 69000 ports; a switch has "
         "at most 65535"},
        {"dragonfly:a=4,h=2,g=10",
         "groups of 4 switches with 2 global ports each, g = 10: expected 2 to 9"},
        {"dragonfly:a=4,h=2,g=0", "g = 0: expected 2 groups or more"},
        {"dragonfly:a=4,h=0", "global ports a switch, h = 0: expected 1 to 65535"},
        {"full:0", "fully meshed switches = 0: expected 1 to 65535"},
        {"full:65535",
         "full mesh of 65535 switches: 65535 switches of 65535 ports and 65535 hosts; expected "
         "2147483647 ports in all and as many hosts at most"},
        {"irregular:f=half", "'f=half': expected a number, as 0.75"},
        {"irregular:f=nan", "'f=nan': expected a number, as 0.75"},
        {"irregular:law=random", "law 'random': expected recursive, walk or pairing"},
        {"irregular:parallel=1", "'parallel=1': expected no, yes"},
        {"irregular:switches=0",
         "0 switches of 8 ports: expected 1 switch or more, and 2147483647 ports in all at "
         "most"},
    };
    for (const auto& [text, expected] : refused)
    {
        NS_TEST_EXPECT_MSG_EQ(Refusal([&, t = text] { MakeTopology(t); }),
                              "topology '" + text + "': " + expected,
                              "refusal");
    }
    for (std::string text : {"file:no/such.json", "no/such.json", "no/such.json,root=s0"})
    {
        NS_TEST_EXPECT_MSG_EQ(Refusal([&] { MakeTopology(text); }).substr(0, 13),
                              "no/such.json:",
                              "a file that is not there");
    }
    NS_TEST_EXPECT_MSG_NE(Refusal([] { MakeTopology("file:"); }), "accepted", "no file");
    NS_TEST_EXPECT_MSG_NE(Refusal([] { MakeTopology("x.json,hosts=3"); }), "accepted", "keys");
    NS_TEST_EXPECT_MSG_EQ(Refusal([] { GridTopology({}, GridTopology::Ends::OPEN); }),
                          "a mesh or torus of no dimensions: expected one length or more",
                          "no dimensions");
}

/// Routers by themselves and in WormholeHelper.
SIMULATION_TEST_CASE(CallersRouterTestCase,
                     "a fabric takes the caller's router; what does not fit is refused")
{
    RegularRouter router(FatTreeTopology::KAryNTree(2, 2).Copy());
    const std::vector<std::pair<std::string, std::function<void()>>> refused{
        {"a route from host 1 to itself: expected another host", [&] { router.GetRoute(1, 1); }},
        {"sending host 4: this fabric has 0 to 3", [&] { router.GetRoute(4, 1); }},
        {"receiving host 4: this fabric has 0 to 3", [&] { router.GetRoute(1, 4); }},
        {"receiving switch 4: this fabric has 0 to 3", [&] { router.GetRouteToSwitch(1, 4); }},
        {"receiving host 7: this fabric has 0 to 3", [&] { router.GetTreeRoute(1, {7, 0}); }},
        {"a tree route from host 1 to no host: expected other hosts, each once",
         [&] { router.GetTreeRoute(1, {}); }},
        {"a tree route from host 1 to itself: expected other hosts, each once",
         [&] { router.GetTreeRoute(1, {2, 1}); }},
        {"a tree route from host 1 to host 2 twice: expected other hosts, each once",
         [&] { router.GetTreeRoute(1, {2, 0, 2}); }}};
    for (const auto& [expected, action] : refused)
    {
        NS_TEST_EXPECT_MSG_EQ(Refusal(action), expected, "refusal");
    }
    const auto tree = MakeTopology("kary-tree:k=2,n=2");
    WormholeHelper helper;
    helper.SetRouter(tree.router);
    NS_TEST_EXPECT_MSG_EQ((helper.Install(tree.graph)->GetRouter() == tree.router),
                          true,
                          "the caller's router");
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { helper.Install(MakeTopology("torus:4").graph); }),
                          "the router's route from h0 to h3 (a route from h0 leaves s0 by port 3: "
                          "expected a port with a cable): expected a router made for this graph",
                          "a router of another graph");
    FabricGraph swapped(2, 4, 3);
    swapped.Connect(0, 0, 1, 0);
    swapped.Connect(2, 0, 0, 1);
    swapped.Connect(3, 0, 0, 2);
    swapped.Connect(4, 0, 1, 2);
    swapped.Connect(5, 0, 1, 1);
    WormholeHelper direct;
    direct.SetRouter(MakeTopology("full:2,hosts=2").router);
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { direct.Install(swapped); }),
                          "the router's route from h0 to h3 (it leads to h2): expected a router "
                          "made for this graph",
                          "a router of another graph with the same ports");
    helper.SetRoutingRoot("s1");
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { helper.Install(tree.graph); }),
                          "root 's1' of up/down routes, and a router for other routes: expected "
                          "one of the two",
                          "a router and a root");
    helper.SetRouter(nullptr);
    auto router2 = DynamicCast<UpDownRouter>(helper.Install(tree.graph)->GetRouter());
    NS_TEST_EXPECT_MSG_EQ(router2->GetRouting().GetRoot(), 1, "up/down again");
}

/// Worms and barriers on all families.
class RegularTrafficTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(RegularTrafficTestCase,
                   "worms arrive and barriers end on every family; on bad routes worms deadlock");

    void DoRun() override
    {
        const std::string families[]{"mesh:3x3,hosts=2",
                                     "torus:4x4",
                                     "torus:3x3,routing=dimension-order",
                                     "kary-tree:k=3,n=3",
                                     "clos:ports=8",
                                     "clos:down=4x4,up=2,cables=2",
                                     "dragonfly:a=4,h=2",
                                     "dragonfly:a=4,h=2,g=3,routing=minimal",
                                     "full:5,hosts=3"};
        for (const auto& text : families)
        {
            CheckWorms(text);
            for (const auto& kind : CollectiveHelper::GetBarrierNames())
            {
                CheckBarrier(text, kind);
            }
        }
        const GridTopology ring({4}, GridTopology::Ends::JOINED);
        const auto graph = ring.MakeGraph();
        const auto bad = Circle(Create<RegularRouter>(ring.Copy()), graph);
        NS_TEST_EXPECT_MSG_NE(bad.find("s0"), std::string::npos, bad << ": a deadlock on a ring");
        NS_TEST_EXPECT_MSG_EQ(Circle(Create<UpDownRouter>(graph), graph),
                              "4 arrived",
                              "up/down on a ring");
    }

    /// Sends random worms.
    void CheckWorms(const std::string& text)
    {
        StartAnew();
        const auto topology = MakeTopology(text);
        const auto fabric = InstallFabric(topology);
        const auto nHosts = fabric->GetNHosts();
        auto random = MakeRandom(504);
        uint32_t arrived = 0;
        uint32_t expected = 0;
        for (uint32_t from = 0; from < nHosts; ++from)
        {
            auto host = fabric->GetHost(from);
            host->SetReceiver(Worm::RAW, CallbackOf([&](Ptr<const Worm>) { ++arrived; }));
            for (uint32_t i = 0; i < 20; ++i, ++expected)
            {
                const auto to = (from + random->GetInteger(1, nHosts - 1)) % nHosts;
                const auto route = topology.router->GetRoute(from, to);
                host->SendWorm(MakeWorm(random->GetInteger(1, 2000), route));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Refusal([] { Simulator::Run(); }),
                              "accepted",
                              text << ": no deadlock");
        NS_TEST_EXPECT_MSG_EQ(arrived, expected, text << ": all worms arrive");
        Simulator::Destroy();
    }

    /// Runs a round of a barrier of all hosts.
    void CheckBarrier(const std::string& text, const std::string& kind)
    {
        StartAnew();
        const auto topology = MakeTopology(text);
        const auto domain = InstallDomain(topology);
        auto barrier = CollectiveHelper::MakeBarrier(kind);
        uint32_t left = 0;
        Listen(barrier, "Ready", [&](Time) { EnterAll(*barrier); });
        Listen(barrier, "Leave", [&](uint32_t, uint64_t) { ++left; });
        barrier->Create(domain, MakeRange(topology.graph.GetNHosts()));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(left,
                              domain->GetNHosts(),
                              text << ", " << kind << ": everybody leaves");
        Simulator::Destroy();
    }

    /// Sends a worm from every switch of a ring to the one two further on. @return what that ends
    /// with
    std::string Circle(Ptr<WormholeRouter> router, const FabricGraph& graph)
    {
        StartAnew();
        WormholeHelper helper;
        helper.SetRouter(router);
        const auto fabric = helper.Install(graph);
        uint32_t arrived = 0;
        for (uint32_t from = 0; from < 4; ++from)
        {
            auto host = fabric->GetHost(from);
            host->SetReceiver(Worm::RAW, CallbackOf([&](Ptr<const Worm>) { ++arrived; }));
            host->SendWorm(MakeWorm(1000, router->GetRoute(from, (from + 2) % 4)));
        }
        auto end = Refusal([] { Simulator::Run(); });
        Simulator::Destroy();
        return end == "accepted" ? std::to_string(arrived) + " arrived" : end;
    }
};

static ListedTestSuite g_wormholeTopologyTextTestSuite("wormhole-topology-text",
                                                       {new TopologyTextTestCase,
                                                        new TopologyTextRefusalsTestCase,
                                                        new CallersRouterTestCase,
                                                        new RegularTrafficTestCase});

} // namespace
