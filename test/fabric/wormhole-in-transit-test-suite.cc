// SPDX-License-Identifier: GPL-2.0-only

// Rule S13: hosts pass worms on, judged by the flit oracle.

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

#include <regex>

using namespace ns3;

SUITE("wormhole-in-transit", UNIT);

namespace
{

TEST_CASE_WITH(TransitOracleTestCase,
               (const std::string& name, TransitCaseOptions options, uint32_t nCases),
               name)
{
    auto rng = MakeRandom(13);
    uint32_t nBlocked = 0;
    uint32_t nPassed = 0;
    // Of circles some must be deadlocked: where they are rare, further cases find one.
    const auto isMissing = [&] { return options.circles && nBlocked == 0; };
    for (uint32_t i = 0; (i < nCases || (isMissing() && i < 2 * nCases)) && !IsStatusFailure(); ++i)
    {
        auto worms = MakeTransitCase(rng, options);
        if (i % 2 == 1)
        {
            AddTransitRivals(worms);
        }
        const auto oracle = AskOracle(worms);
        for (const std::string scheduler : {"Map", "PriorityQueue", "Wormhole"})
        {
            NS_TEST_EXPECT_MSG_EQ(FindDifference(worms, oracle, ReplayBy(scheduler, worms)),
                                  "",
                                  name << ", case " << i << ", " << scheduler);
        }
        for (std::size_t w = 0; w < worms.worms.size(); ++w)
        {
            nBlocked += oracle.worms[w].blocked;
            for (std::size_t stop = 1; stop + 1 < worms.worms[w].stopNodes.size(); ++stop)
            {
                nPassed += !worms.graph.IsSwitch(worms.worms[w].stopNodes[stop]);
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(nPassed, 5 * nCases, "worms that a host passes on");
    NS_TEST_EXPECT_MSG_EQ((nBlocked > 0), options.circles, nBlocked << " worms are blocked");
}

TEST_CASE(TransitByHandTestCase, "A worm that a host passes on, by hand, and what is refused")
{
    const auto makeFabric = [&](const std::string& mode) -> Ptr<WormholeFabric> {
        auto helper = WithTimes(10, 3, 11, 5);
        helper.SetFabricAttribute("InTransit", StringValue(mode));
        helper.SetDeviceAttribute("InTransitDelay", TimeValue(PicoSeconds(7)));
        return helper.Install(MakeStar(3));
    };
    const auto send = [&](Ptr<WormholeFabric> fabric, const WormRoute& route) {
        fabric->GetHost(0)->SendWorm(MakeWorm(4, route));
    };
    const auto check = [&](const std::string& mode, int64_t time) {
        Simulator::Destroy();
        auto fabric = makeFabric(mode);
        uint32_t passed = 0;
        uint32_t delivered = 0;
        int64_t arrived = 0;
        auto host = fabric->GetHost(1);
        Listen(host, "InTransit", [&](Ptr<const Worm>) { ++passed; });
        Listen(host->GetPort(), "Delivered", [&](Ptr<const Worm>) { ++delivered; });
        Listen(fabric->GetHost(2)->GetPort(), "Delivered", [&](Ptr<const Worm>) {
            arrived = Simulator::Now().GetTimeStep();
        });
        NS_TEST_EXPECT_MSG_EQ(host->GetMaxTransitFlits(), 0, "nothing before it starts");
        send(fabric, WormRoute::Path({0, 1, 0, 2}));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(arrived, time, mode);
        NS_TEST_EXPECT_MSG_EQ(passed, 1, "told when it is passed on");
        NS_TEST_EXPECT_MSG_EQ(delivered, 0, "no delivery on the way");
        NS_TEST_EXPECT_MSG_EQ(host->GetMaxTransitFlits(), 4, "held by the host");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetHost(0)->GetMaxTransitFlits(), 0, "not by the sender");
        const auto& counts = fabric->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.worms, 1, "one worm all the way");
        NS_TEST_EXPECT_MSG_EQ(counts.pendingDestinations, 0, "it has arrived");
        NS_TEST_EXPECT_MSG_EQ(counts.flitsIn, counts.flitsOut, "no flit is lost");
    };
    // It starts at 5, is ready at the switch from 29 on, at h1 from 29 + 18 = 47 on, all of it at
    // 77. Whole: h1 sends from 77 + 7 = 84 on, the switch from 108 to 148.
    check("whole", 148 + 3);
    // As it comes: h1 sends from 47 + 7 = 54 on, the switch from 78 to 118.
    check("as-it-comes", 118 + 3);
    Simulator::Destroy();
    auto fabric = makeFabric("none");
    send(fabric, WormRoute::Path({0, 1, 0, 2}));
    Refuses([] { Simulator::Run(); }, "h1: a route goes on beyond this host");
    fabric = makeFabric("whole");
    send(fabric, WormRoute::Tree({{0}, {1, 2}, {0}, {}, {2}, {}}));
    Refuses([] { Simulator::Run(); },
            "h1: a route goes on beyond this host; expected only routes of one end");
    fabric = makeFabric("as-it-comes");
    fabric->SetAttribute("Grant", StringValue("worm"));
    Refuses([&] { fabric->Start(); }, "InTransit is as-it-comes, but Grant is worm");
}

TEST_CASE(TransitFileTestCase, "Worms of a file that a host passes on, explained by hand")
{
    const auto shorten = [&](const std::string& json) -> std::string {
        const std::regex each(R"re("to_ps": (\d+), "cause": "([^"]*)", "place": "([^"]*)", )re"
                              R"re("worm": "[^"]*"(, "other": "([^"]*)")?)re");
        std::string text;
        for (std::sregex_iterator at(json.begin(), json.end(), each), end; at != end; ++at)
        {
            text += (*at)[1].str() + " " + (*at)[2].str() + " " + (*at)[3].str() +
                    ((*at)[5].matched ? " " + (*at)[5].str() : "") + "\n";
        }
        return text;
    };
    const auto check = [&](const std::string& mode,
                           const std::string& first,
                           const std::string& second) {
        const auto path = WriteTemporary(mode + ".json",
                                         R"({"flit_time": 10, "link_delay": 3, "switch_delay": 11,
            "depth": 3, "host_delay": 5, "transit_delay": 7, "transit": ")" +
                                             mode +
                                             R"(", "hosts": ["h0", "h1", "h2"],
            "links": [["h0", 0, "s0", 0], ["h1", 0, "s0", 1], ["h2", 0, "s0", 2]],
            "worms": [{"time": 5, "flits": 4, "root": "h0", "path": [0, 1, 0, 2]},
                      {"time": 60, "flits": 9, "root": "h1", "path": [0, 0]}]})");
        const auto worms = ReadWormCase(path);
        const auto oracle = AskOracle(worms);
        const auto found = ExplainWorms(worms).worms;
        NS_TEST_EXPECT_MSG_EQ((found[0].delivered == oracle.worms[0].delivered), true, "first");
        NS_TEST_EXPECT_MSG_EQ((found[1].delivered == oracle.worms[1].delivered), true, "second");
        NS_TEST_EXPECT_MSG_EQ(shorten(found[0].explained.at("h2")), first, mode);
        NS_TEST_EXPECT_MSG_EQ(shorten(found[1].explained.at("h0")), second, mode);
    };
    // The second is handed over at 55 and asks at 60. All of the first is at h1 at 77, so it is
    // put into the queue at 84, behind the second, which leaves at 150.
    check("whole",
          "5 interface-delay h0\n15 wire h0:0\n18 propagation h0:0\n29 switch-delay s0\n"
          "69 wire s0:1\n72 propagation s0:1\n77 interface-delay h1\n84 in-transit h1\n"
          "150 interface-busy h1 worm 1\n"
          "160 wire h1:0\n163 propagation h1:0\n174 switch-delay s0\n"
          "214 wire s0:2\n217 propagation s0:2\n222 interface-delay h2\n",
          "60 interface-delay h1\n70 wire h1:0\n73 propagation h1:0\n84 switch-delay s0\n"
          "174 wire s0:0\n177 propagation s0:0\n182 interface-delay h0\n");
    // The first one's head is at h1 at 47, and in the queue at 54, before the second.
    check("as-it-comes",
          "5 interface-delay h0\n15 wire h0:0\n18 propagation h0:0\n29 switch-delay s0\n"
          "39 wire s0:1\n42 propagation s0:1\n47 interface-delay h1\n54 in-transit h1\n"
          "64 wire h1:0\n67 propagation h1:0\n78 switch-delay s0\n"
          "118 wire s0:2\n121 propagation s0:2\n126 interface-delay h2\n",
          "60 interface-delay h1\n94 interface-busy h1 worm 0\n"
          "104 wire h1:0\n107 propagation h1:0\n118 switch-delay s0\n"
          "208 wire s0:0\n211 propagation s0:0\n216 interface-delay h0\n");
}

/// @return a case at one switch, many of whose worms start at once @param mode how hosts pass worms
/// on
WormCase
MakeCase(const Ptr<UniformRandomVariable>& rng, InTransit mode)
{
    constexpr uint16_t HOSTS = 4;
    WormCase worms{MakeStar(HOSTS)};
    worms.timing = {1, 1, 0, 4};
    worms.inTransit = mode;
    for (uint32_t i = 0; i < 8; ++i)
    {
        const auto from = static_cast<uint16_t>(rng->GetInteger(0, HOSTS - 1));
        const auto to = static_cast<uint16_t>((from + rng->GetInteger(1, HOSTS - 1)) % HOSTS);
        WormCase::Worm worm;
        worm.timePs = 5 + 3 * rng->GetInteger(0, 1);
        worm.flits = i + 1;
        worm.root = worms.graph.HostAt(from);
        worm.route = WormRoute::Path({0, to});
        worm.stopNodes = {worm.root, 0, worms.graph.HostAt(to)};
        worm.stopNames =
            MadeOf(worm.stopNodes, [&](GraphNode node) { return worms.graph.GetName(node); });
        worms.worms.push_back(worm);
    }
    return worms;
}

/// Worms of one instant, listed in another order than that of the hosts that they start at: what is
/// told of each is its own, where worms are blocked and explained, too.
TEST_CASE(TransitInstantTestCase,
          "What is told of worms of one instant, by any mode, is told of the right ones")
{
    const auto rng = MakeRandom(14);
    const std::vector modes{InTransit::NONE, InTransit::WHOLE, InTransit::AS_IT_COMES};
    for (uint32_t i = 0; i < 60; ++i)
    {
        const auto worms = MakeCase(rng, modes[i % modes.size()]);
        const auto oracle = AskOracle(worms);
        for (const auto sending : {ReplaySending::AT_FIRST, ReplaySending::IN_TIME})
        {
            const auto found = PrintOutcome(worms, ReplayWorms(worms, {}, sending));
            NS_TEST_EXPECT_MSG_EQ(found, PrintOutcome(worms, oracle), "case " << i);
        }
        const auto explained = ExplainWorms(worms);
        for (std::size_t w = 0; w < worms.worms.size(); ++w)
        {
            const auto& [host, time] = *oracle.worms[w].delivered.begin();
            const auto& json = explained.worms[w].explained.at(host);
            NS_TEST_EXPECT_MSG_NE(json.find("\"to_ps\": " + std::to_string(time)),
                                  std::string::npos,
                                  "case " << i << ", worm " << w << ": " << json);
        }
    }
}

TEST_CASE(TransitRoutesTestCase,
          "Routes by hosts on a ring, with and without a host where they turn")
{
    const auto makeRing = [&](uint32_t without) -> FabricGraph {
        FabricGraph graph(5, without < 5 ? 4 : 5, 3);
        uint32_t host = 0;
        for (uint32_t s = 0; s < 5; ++s)
        {
            graph.Connect(s, 0, (s + 1) % 5, 1);
            if (s != without)
            {
                graph.Connect(graph.HostAt(host), 0, s, 2);
                graph.SetName(graph.HostAt(host++), "h" + std::to_string(s));
            }
        }
        return graph;
    };
    const auto check = [&](const FabricGraph& graph, const std::string& names) {
        for (const std::string spread : {"hash", "first", "balanced"})
        {
            const auto router = RoutingEngine::Make("in-transit[Root=first|Spread=" + spread + "]")
                                    ->MakeRouter(graph);
            const auto from = graph.Find("h4");
            const auto to = graph.Find("h2");
            const auto n = graph.GetNSwitches();
            std::string found;
            const auto route = router->GetRoute(from - n, to - n);
            for (const auto node : graph.Walk(from, *route))
            {
                found += " " + graph.GetName(node);
            }
            NS_TEST_EXPECT_MSG_EQ(found, names, spread);
            const auto alone = router->GetSwitchPath(from - n, to - n);
            NS_TEST_EXPECT_MSG_EQ(graph.Walk(from, *alone).size(), 6, "up/down by switches alone");
            ChannelDependency dependency(graph);
            dependency.AddAllPairs(*router);
            dependency.Add(from, *route); // so that each is looked at
            NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { dependency.CheckDeadlockFree(); }), "", spread);
        }
    };
    // From s4 down to s3 and up to s2; up/down routes go by s0 and s1.
    check(makeRing(5), " h4 s4 s3 h3 s3 s2 h2");
    check(makeRing(3), " h4 s4 s0 s1 s2 h2");
    // The same legs in one, as if no host took the worm, close circles.
    const auto graph = makeRing(5);
    ChannelDependency dependency(graph);
    for (uint32_t host = 0; host < 5; ++host)
    {
        dependency.Add(graph.HostAt(host), WormRoute::Path({0, 0, 0, 2}));
    }
    Refuses([&] { dependency.CheckDeadlockFree(); }, "s0:0 -> s1:0");
}

TEST_CASE_WITH(TransitTrafficTestCase,
               (const std::string& mode, const std::string& header),
               "Traffic and frames, " + mode + ", route header " + header)
{
    constexpr uint64_t WORMS = 1500; // worms that are made
    const auto graph =
        MakeTopology("irregular:switches=16,hosts=40,routing=in-transit[Mode=" + mode + "]").graph;
    auto fabric = WithFabric({{"RouteHeader", header}}).Install(graph);
    WormholeTrafficHelper traffic;
    traffic.SetAttribute("Load", DoubleValue(0.9));
    const auto worms = traffic.Install(fabric, graph, WormLength::Fixed(40), 1);
    uint64_t nMade = 0;
    Listen(worms, "Generated", [&](Ptr<const TrafficWorm>) {
        if (++nMade == WORMS)
        {
            worms->Stop();
        }
    });
    worms->Start();
    uint32_t passed = 0;
    uint32_t frames = 0;
    uint32_t sniffed = 0;
    for (uint32_t from = 0; from < fabric->GetNHosts(); ++from)
    {
        auto device = fabric->GetHost(from);
        Listen(device, "InTransit", [&](Ptr<const Worm>) { ++passed; });
        Listen(device, "MacRx", [&](Ptr<const Packet>) { ++frames; });
        Listen(device, "Sniffer", [&](Ptr<const Packet>) { ++sniffed; });
    }
    for (const auto& [from, to] : ListPairs(fabric->GetNHosts()))
    {
        fabric->GetHost(from)->Send(Create<Packet>(50), fabric->GetHost(to)->GetAddress(), 0x0800);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(worms->GetCounts().deliveredWorms, WORMS, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(frames, 40 * 39, "all frames arrive");
    NS_TEST_EXPECT_MSG_EQ(sniffed, 2 * frames, "where they start and end, and nowhere else");
    NS_TEST_EXPECT_MSG_GT(passed, 200, "worms are passed on");
    const auto held = MadeOf(MakeRange(fabric->GetNHosts()), [&](uint32_t host) {
        return fabric->GetHost(host)->GetMaxTransitFlits();
    });
    NS_TEST_EXPECT_MSG_GT(Greatest(held), 100, "hosts hold several at a time");
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, TransitCaseOptions options) {
        for (const auto mode : {InTransit::WHOLE, InTransit::AS_IT_COMES})
        {
            options.mode = mode;
            const auto full = NameInTransit(mode) + ": " + name;
            AddQuick<TransitOracleTestCase>(full + " against the oracle",
                                            options,
                                            options.circles ? 4 : 3);
            AddExtensive<TransitOracleTestCase>("Many, " + full, options, 1000);
        }
    };
    for (const std::string mode : {"whole", "as-it-comes"})
    {
        AddQuick<TransitTrafficTestCase>(mode, "none");
        AddQuick<TransitTrafficTestCase>(mode, "source");
    }
    add("worms", {});
    add("long worms", {{}, false, true});
    add("long worms, several rates", {{}, true, true});
    add("several rates", {{}, true});
    add("long worms in a ring", {{}, false, true, false, true});
    add("source routes", {{}, false, false, true});
    add("long worms with source routes", {{}, false, true, true});
}

} // namespace
