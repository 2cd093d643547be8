// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/grid-topology.h"
#include "ns3/regular-topology.h"

using namespace ns3;

SUITE("wormhole-topology", UNIT);

namespace
{

using TopologyModel = IrregularTopologyHelper::TopologyModel; //!< short name
using Parameters = IrregularTopologyHelper::Parameters;       //!< short name

/// @return a number that stands for all cables of a fabric (FNV-1a)
uint64_t
Fingerprint(const FabricGraph& graph)
{
    uint64_t hash = 14695981039346656037U;
    for (GraphNode node = 0; node < graph.GetNNodes(); ++node)
    {
        for (Port port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto peer = graph.Peer(node, port);
            for (auto value : {peer.node, uint32_t{peer.port}})
            {
                hash = (hash ^ value) * 1099511628211U;
            }
        }
    }
    return hash;
}

TEST_CASE(TopologyCountsTestCase,
          "hosts, links, connection and parallel links of 600 random fabrics")
{
    uint32_t parallel{0}; // cables beside others between the same two switches
    auto random = MakeRandom(31);
    for (uint32_t i = 0; i < 600; ++i)
    {
        Parameters parameters;
        const auto q = parameters.switches = random->GetInteger(2, 40);
        const auto k = parameters.ports = random->GetInteger(5, 10);
        const auto p = parameters.hosts = random->GetInteger(1, q * (k - 3));
        parameters.law = static_cast<TopologyModel>(i % 3);
        parameters.parallelLinks = i % 2 == 1;
        const auto most = std::min({(q * k - p) / 2, q * (q - 1) / 2, q + 10});
        const auto links = random->GetInteger(q - 1, std::max(q - 1, most));
        parameters.connectivity = (p + 2.0 * links) / (q * k);
        const auto graph = DrawFabric(parameters, i);
        graph.Validate();
        NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitches(), parameters.switches, "switches");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), parameters.hosts, "hosts");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNPorts(0), parameters.ports, "ports");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitchLinks(), links, "links between switches");
        uint32_t ends = 0;
        uint32_t hosts = 0;
        GraphNode lastHost = 0;
        for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
        {
            std::map<GraphNode, uint32_t> cables;
            for (auto port : graph.PortsToSwitches(node))
            {
                ++cables[graph.Peer(node, port).node];
                ++ends;
            }
            NS_TEST_ASSERT_MSG_EQ(cables.empty(), false, "each switch keeps a port for a switch");
            for (auto [peer, count] : cables)
            {
                const bool isRight = count == 1 || parameters.parallelLinks;
                NS_TEST_ASSERT_MSG_EQ(isRight, true, "parallel links");
                parallel += count - 1;
            }
            for (auto port : graph.PortsToHosts(node))
            {
                const auto host = graph.Peer(node, port).node;
                NS_TEST_ASSERT_MSG_GT(host, lastHost, "hosts are numbered by switch, then port");
                lastHost = host;
                ++hosts;
            }
        }
        NS_TEST_ASSERT_MSG_EQ(ends, 2 * links, "ports in use for links");
        NS_TEST_ASSERT_MSG_EQ(hosts, parameters.hosts, "ports in use for hosts");
    }
    NS_TEST_ASSERT_MSG_GT(parallel, 0, "parallel links are drawn when asked for");
}

TEST_CASE(TopologySeedTestCase,
          "one stream gives one fabric, the same on all machines and versions")
{
    const std::map<TopologyModel, uint64_t> expected{
        {TopologyModel::RECURSIVE, 11133695756869325370U},
        {TopologyModel::WALK, 2420172106102938096U},
        {TopologyModel::PAIRING, 12382859018505620060U}};
    for (auto [law, fingerprint] : expected)
    {
        Parameters parameters;
        parameters.law = law;
        IrregularTopologyHelper helper(parameters);
        helper.AssignStreams(5);
        const auto first = Fingerprint(helper.Create());
        const auto second = Fingerprint(helper.Create());
        NS_TEST_EXPECT_MSG_EQ(first, fingerprint, "law " << helper.NameOf(law));
        NS_TEST_EXPECT_MSG_NE(first, second, "the next draw is another");
        NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(5), 1, "streams used");
        NS_TEST_EXPECT_MSG_EQ(Fingerprint(helper.Create()), first, "the stream starts anew");
        NS_TEST_EXPECT_MSG_NE(Fingerprint(DrawFabric(parameters, 6)), first, "another stream");
    }
}

TEST_CASE(TopologyDistributionTestCase,
          "shapes of trees, ports and hosts come out as often as the laws say")
{
    constexpr uint32_t DRAWS = 8000; // draws of each kind
    const auto shareOfStars = [&](TopologyModel law) -> double {
        // 3 links, every switch has 4 ports left
        IrregularTopologyHelper helper({4, 8, 10.0 / 32, 4, law, false});
        helper.AssignStreams(8);
        uint32_t stars = 0;
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            const auto graph = helper.Create();
            stars += CountIf(MakeRange(4), [&](GraphNode node) {
                return graph.PortsToSwitches(node).size() == 3;
            });
        }
        return 1.0 * stars / DRAWS;
    };
    // Of the 6 recursive trees of 4 nodes 2 are stars; of all 16 trees of 4 nodes 4 are.
    const double tolerance = 4 * std::sqrt(0.25 / DRAWS);
    const auto recursive = shareOfStars(TopologyModel::RECURSIVE);
    NS_TEST_EXPECT_MSG_EQ_TOL(recursive, 1.0 / 3, tolerance, "recursive");
    NS_TEST_EXPECT_MSG_EQ_TOL(shareOfStars(TopologyModel::WALK), 1.0 / 4, tolerance, "walk");

    // 3 hosts in 2 times 3 slots: all on one switch in 2 of 20 cases. All ports are equally likely.
    IrregularTopologyHelper helper({2, 4, 5.0 / 8, 3, TopologyModel::RECURSIVE, false});
    helper.AssignStreams(9);
    uint32_t together = 0;
    std::vector<uint32_t> linkAt(4, 0);
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        const auto graph = helper.Create();
        together += graph.PortsToHosts(0).size() % 3 == 0;
        ++linkAt[graph.PortsToSwitches(0)[0]];
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * together / DRAWS, 0.1, tolerance, "hosts on one switch");
    for (auto count : linkAt)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * count / DRAWS, 0.25, tolerance, "port of the link");
    }
}

TEST_CASE(TopologyRefusalsTestCase,
          "infeasible parameters are refused, naming what would be accepted")
{
    const auto refused = [&](const Parameters& parameters, const std::string& expected) {
        Refuses([&] { DrawFabric(parameters, 1); }, expected);
    };
    const auto law = TopologyModel::RECURSIVE;
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    refused({75, 8, 0.5, 256, law, false},
            "leaves 22 links to join the switches, and 74 are needed");
    refused({75, 8, 0.5, 256, law, false}, "least feasible is 0.6733");
    refused({300, 8, 0.67, 1024, law, false}, "least feasible is 0.6758");
    refused({75, 8, 1.1, 256, law, false}, "connectivity 1.1000");
    refused({75, 8, 1.1, 256, law, false}, "expected 0.6733 to 1.0000");
    refused({75, 8, 0, 256, law, false}, "connectivity 0.0000");
    refused({75, 8, -0.75, 256, law, false}, "connectivity -0.7500");
    refused({75, 8, nan, 256, law, false}, "connectivity nan");
    refused({75, 1, 0.75, 10, law, false}, "1 ports a switch: expected 2 to 65535");
    refused({75, 0, 0.75, 10, law, false}, "0 ports a switch");
    refused({75, 8, 0.75, 526, law, false}, "526 hosts");
    refused({75, 8, 0.75, 526, law, false}, "expected 1 to 525");
    refused({75, 8, 0.75, 0, law, false}, "0 hosts");
    refused({0, 8, 0.75, 1, law, false}, "0 switches");
    refused({75, 8, 0.99, 500, law, false}, "expected 452 hosts at most");
    refused({3, 8, 0.9, 4, law, false}, "calls for 9 links between switches, and 3 are possible");
    refused({3, 8, 0.9, 4, law, false}, "expected 0.3333 to 0.4167");
    refused({1, 8, 0.75, 3, law, true}, "expected 0.3750 to 0.3750");
    // Every switch must have one host exactly, which about one draw of 100,000 gives.
    refused({14, 14, 1, 14, law, false}, "1000 draws of 14 switches with law recursive");
    for (auto any : {TopologyModel::RECURSIVE, TopologyModel::WALK, TopologyModel::PAIRING})
    {
        const auto links = [&](const Parameters& parameters) {
            return DrawFabric(parameters, 1).GetNSwitchLinks();
        };
        const auto least = links({75, 8, 0.67334, 256, any, false});
        NS_TEST_EXPECT_MSG_EQ(least, 74, "the least is accepted");
        NS_TEST_EXPECT_MSG_EQ(links({75, 8, 1, 256, any, false}), 172, "and the greatest");
        NS_TEST_EXPECT_MSG_EQ(links({3, 8, 0.9, 4, any, true}), 9, "parallel links on request");
        NS_TEST_EXPECT_MSG_EQ(links({1, 8, 0.375, 3, any, false}), 0, "one switch");
        Holds(IrregularTopologyHelper::ModelByName(IrregularTopologyHelper::NameOf(any)) == any,
              "laws by name");
    }
    Refuses([] { IrregularTopologyHelper::ModelByName("random"); },
            "law 'random': expected recursive, walk or pairing");
}

SUITE("wormhole-topology-text", UNIT);

TEST_CASE(TopologyTextTestCase, "a text makes the fabric and routes that it says")
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
    const auto rooted = DynamicCast<UpDownRouter>(MakeTopology("torus:4x4,root=s7").router);
    NS_TEST_EXPECT_MSG_EQ(rooted->GetRouting().GetRoot(), 7, "the root");
    const auto first = MakeTopology("kary-tree:k=2,n=3,routing=up-down");
    NS_TEST_EXPECT_MSG_EQ(first.graph.PortsToHosts(0).empty(), true, "s0 is on top of a tree");
    for (const auto& example : GetTopologyExamples())
    {
        const auto isRefused = !ErrorOf([&] { MakeTopology(example); }).empty();
        NS_TEST_EXPECT_MSG_EQ(isRefused, (example.substr(0, 5) == "file:"), example);
    }
}

TEST_CASE(TopologyTextOthersTestCase, "Texts of irregular fabrics and of files")
{
    IrregularTopologyHelper helper(
        {20, 6, 0.8, 40, IrregularTopologyHelper::TopologyModel::WALK, true});
    helper.AssignStreams(3);
    const std::string text =
        "irregular:switches=20,ports=6,f=0.8,hosts=40,law=walk,parallel=yes,stream=";
    const auto drawn = helper.Create();
    NS_TEST_EXPECT_MSG_EQ(Describe(MakeTopology(text + "3").graph), Describe(drawn), "all entries");
    NS_TEST_EXPECT_MSG_NE(Describe(MakeTopology(text + "4").graph), Describe(drawn), "the stream");
    IrregularTopologyHelper standard;
    standard.AssignStreams(0);
    const auto plain = Describe(standard.Create());
    NS_TEST_EXPECT_MSG_EQ(Describe(MakeTopology("irregular").graph), plain, "no entries");
    const auto path = CreateTempDirFilename("topology-text.json");
    const auto dragonfly = MakeTopology("dragonfly:a=3,h=2").graph;
    WriteFabricFile(dragonfly, path);
    for (const auto& name : {"file:" + path, path, path + ",root=s4"})
    {
        const auto topology = MakeTopology(name);
        NS_TEST_EXPECT_MSG_EQ(topology.family, "file", name);
        NS_TEST_EXPECT_MSG_EQ(Describe(topology.graph), Describe(dragonfly), name);
    }
}

TEST_CASE(TopologyTextRefusalsTestCase,
          "a text with a mistake is refused, naming it and what would be accepted")
{
    const std::string families = "there are clos, dragonfly, file, full, irregular, kary-tree, "
                                 "mesh, roadrunner, torus, as in torus:8x8,hosts=2";
    const std::string keys =
        "routing, root, spread, rate, delay, length, depth, uplink-rate, uplink-delay, "
        "uplink-length, uplink-depth, rates, switch-delay, lanes, priorities, grant";
    const std::string lengths = "; expected whole numbers with x between them, as 8x8";
    const std::string most = "; expected 2147483647 ports in all and as many hosts at most";
    const std::string whole = "expected a whole number up to 4294967295";
    std::string engines = "dimension-order, up-down"; // a mesh's own come first
    for (const auto& name : RoutingEngine::GetNames())
    {
        engines += name == "dimension-order" || name == "up-down" ? "" : ", " + name;
    }
    const std::vector<std::pair<std::string, std::string>> refused{
        {"tours:8x8", "there is no family 'tours'; " + families},
        {"", "there is no family ''; " + families},
        {"8x8", "there is no family '8x8'; " + families},
        {"torus:8x8,host=2",
         "entry 'host=2': torus has lengths first, and the keys hosts, " + keys},
        {"kary-tree:4,n=3", "entry '4': kary-tree has the keys k, n, " + keys},
        {"torus", "torus without lengths: expected these first, as in torus:8x8,hosts=2"},
        {"torus:", "entry '': expected key=value, or a value"},
        {"torus:8x8,", "entry '': expected key=value"},
        {"torus:8x8,4", "entry '4': expected key=value"},
        {"torus:hosts=2,8x8", "entry '8x8': expected key=value"},
        {"torus:8x8,hosts=", "entry 'hosts=': expected key=value"},
        {"torus:=8", "entry '=8': expected key=value, or a value"},
        {"torus:8x8,hosts=2,hosts=3", "entry 'hosts=3': hosts is there twice; expected one"},
        {"torus:8xx8", "'8xx8': a number is missing after an x" + lengths},
        {"torus:x8", "'x8': a number is missing before an x" + lengths},
        {"torus:8x", "'8x': a number is missing after an x" + lengths},
        {"torus:8*8", "'8*8': '8*8' is not accepted; " + whole},
        {"torus:8x-8", "'8x-8': '-8' is not accepted; " + whole},
        {"mesh:8x5000000000", "'8x5000000000': '5000000000' is not accepted; " + whole},
        {"torus:8x1", "length of dimension 1 = 1: expected 2 to 2147483647"},
        {"torus:8x8,hosts=0", "hosts a switch = 0: expected 1 to 65535"},
        {"torus:8x8,hosts=two", "'hosts=two': 'two' is not accepted; " + whole},
        {"mesh:8x8,hosts=65535",
         "mesh of 8x8: switches of 65539 ports; a switch has at most 65535"},
        {"mesh:30000x30000",
         "mesh of 30000x30000: 900000000 switches of 5 ports and 900000000 hosts" + most},
        {"mesh:4x4,routing=least", "routing 'least': expected " + engines},
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
         "4-ary 20-tree: 5497558138880 switches of 8 ports and 1099511627776 hosts" + most},
        {"clos:ports=7",
         "ports of a Clos network's switch = 7: expected an even number, half down and half up"},
        {"clos:ports=8,levels=1", "levels of a Clos network = 1: expected 2 to 32"},
        {"clos:ports=8,up=4",
         "ports or levels beside down, up or cables: expected ports and levels, or numbers by "
         "level"},
        {"clos:down=8x8,up=4x4",
         "fat tree of down = 8x8, up = 4x4, cables = 1: expected a number down for each of 1 to 32 "
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
         "full mesh of 65535 switches: 65535 switches of 65535 ports and 65535 hosts" + most},
        {"irregular:f=half", "'f=half': expected a number, as 0.75"},
        {"irregular:f=nan", "'f=nan': expected a number, as 0.75"},
        {"irregular:law=random", "law 'random': expected recursive, walk or pairing"},
        {"irregular:parallel=1", "'parallel=1': expected no, yes"},
        {"irregular:switches=0",
         "0 switches of 8 ports: expected 1 switch or more, and 2147483647 ports in all at most"},
    };
    for (const auto& [text, expected] : refused)
    {
        RefusesWith([&, t = text] { MakeTopology(t); }, "topology '" + text + "': " + expected);
    }
    for (std::string text : {"file:no/such.json", "no/such.json", "no/such.json,root=s0"})
    {
        const auto error = ErrorOf([&] { MakeTopology(text); });
        NS_TEST_EXPECT_MSG_EQ(error.substr(0, 13), "no/such.json:", text);
    }
    NS_TEST_EXPECT_MSG_NE(Refusal([] { MakeTopology("file:"); }), "accepted", "no file");
    NS_TEST_EXPECT_MSG_NE(Refusal([] { MakeTopology("x.json,hosts=3"); }), "accepted", "keys");
    RefusesWith([] { GridTopology({}, GridTopology::Ends::OPEN); },
                "a mesh or torus of no dimensions: expected one length or more");
}

TEST_CASE(CallersRouterTestCase, "a fabric takes the caller's router; what does not fit is refused")
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
    Holds(helper.Install(tree.graph)->GetRouter() == tree.router, "the caller's router");
    RefusesWith([&] { helper.Install(MakeTopology("torus:4").graph); },
                "the router's route from h0 to h3 (a route from h0 leaves s0 by port 3: "
                "expected a port with a cable): expected a router made for this graph");
    FabricGraph swapped(2, 4, 3);
    ConnectAll(swapped, {{0, 0, 1, 0}, {2, 0, 0, 1}, {3, 0, 0, 2}, {4, 0, 1, 2}, {5, 0, 1, 1}});
    WormholeHelper direct;
    direct.SetRouter(MakeTopology("full:2,hosts=2").router);
    RefusesWith([&] { direct.Install(swapped); },
                "the router's route from h0 to h3 (it leads to h2): expected a router "
                "made for this graph");
    helper.SetRoutingRoot("s1");
    RefusesWith([&] { helper.Install(tree.graph); },
                "root 's1' of up/down routes, and a router for other routes: expected "
                "one of the two");
    helper.SetRouter(nullptr);
    auto router2 = DynamicCast<UpDownRouter>(helper.Install(tree.graph)->GetRouter());
    NS_TEST_EXPECT_MSG_EQ(router2->GetRouting().GetRoot(), 1, "up/down again");
}

TEST_CASE(RegularTrafficTestCase,
          "worms arrive and barriers end on every family; on bad routes worms deadlock")
{
    // Sends a worm from every switch of a ring to the one two further on. Returns what that ends
    // with
    const auto circle = [&](Ptr<WormholeRouter> router, const FabricGraph& graph) -> std::string {
        StartAnew();
        WormholeHelper helper;
        helper.SetRouter(router);
        const auto fabric = helper.Install(graph);
        uint32_t arrived = 0;
        ReceiveAll(fabric, [&](Ptr<const Worm>) { ++arrived; });
        for (uint32_t from = 0; from < 4; ++from)
        {
            SendWorm(*fabric, from, (from + 2) % 4, 1000);
        }
        auto end = Refusal([] { Simulator::Run(); });
        return end == "accepted" ? std::to_string(arrived) + " arrived" : end;
    };
    for (const auto& text :
         Words("mesh:3x3,hosts=2 torus:4x4 torus:3x3,routing=dimension-order kary-tree:k=3,n=3 "
               "clos:ports=8 clos:down=4x4,up=2,cables=2 dragonfly:a=4,h=2 "
               "dragonfly:a=4,h=2,g=3,routing=minimal full:5,hosts=3"))
    {
        StartAnew();
        const auto topology = MakeTopology(text);
        const auto fabric = InstallFabric(topology);
        const auto nHosts = fabric->GetNHosts();
        auto random = MakeRandom(504);
        uint32_t arrived = 0;
        ReceiveAll(fabric, [&](Ptr<const Worm>) { ++arrived; });
        for (uint32_t i = 0; i < 20 * nHosts; ++i)
        {
            const auto from = i / 20;
            const auto to = (from + random->GetInteger(1, nHosts - 1)) % nHosts;
            SendWorm(*fabric, from, to, random->GetInteger(1, 2000));
        }
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([] { Simulator::Run(); }), "", text << ": no deadlock");
        NS_TEST_EXPECT_MSG_EQ(arrived, 20 * nHosts, text << ": all worms arrive");
        Simulator::Destroy();

        for (const auto& name : CollectiveHelper::GetNames("barrier"))
        {
            StartAnew();
            const auto domain = InstallDomain(topology);
            const auto left = CrossOnce(domain, "barrier", name, MakeRange(nHosts));
            const auto nInside = std::count(left.begin(), left.end(), -1);
            NS_TEST_EXPECT_MSG_EQ(nInside, 0, text << ", " << name << ": everybody leaves");
        }
    }
    const GridTopology ring({4}, GridTopology::Ends::JOINED);
    const auto graph = ring.MakeGraph();
    const auto bad = circle(Create<RegularRouter>(ring.Copy()), graph);
    NS_TEST_EXPECT_MSG_NE(bad.find("s0"), std::string::npos, bad << ": a deadlock on a ring");
    const auto upDown = circle(Create<UpDownRouter>(graph), graph);
    NS_TEST_EXPECT_MSG_EQ(upDown, "4 arrived", "up/down on a ring");
}

} // namespace
