// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

using namespace ns3;

// Rules S11 and S12: lanes and choices, judged by an oracle of their own.
SUITE("wormhole-lanes", UNIT);

TEST_CASE_WITH(LaneOracleTestCase,
               (const std::string& name, LaneCaseOptions options, uint32_t nCases),
               name)
{
    uint32_t nBlocked{0}; // cases with a deadlock
    auto rng = MakeRandom(11);
    for (uint32_t i = 0; i < nCases && !IsStatusFailure(); ++i)
    {
        const auto worms = MakeLaneCase(rng, options);
        const auto oracle = AskOracle(worms);
        nBlocked += !ListBlocked(oracle).empty();
        const auto check = [&](const std::string& scheduler, ReplaySending sending) {
            const auto outcome = ReplayBy(scheduler, worms, sending);
            NS_TEST_EXPECT_MSG_EQ(FindDifference(worms, oracle, outcome),
                                  "",
                                  name << ", case " << i << ", " << scheduler);
        };
        for (const std::string scheduler : {"Map", "PriorityQueue", "Wormhole"})
        {
            check(scheduler, ReplaySending::AT_FIRST);
        }
        // That worms have choices turns out while others have asked already.
        check("Map", ReplaySending::IN_TIME);
    }
    if (options.ring)
    {
        NS_TEST_EXPECT_MSG_GT(nBlocked, 0, "no case has a deadlock");
    }
}

TEST_CASE(LaneMistakesTestCase, "Lanes and choices that cannot be are refused")
{
    const auto refuse = [&](const std::string& head,
                            const std::string& flits,
                            const std::string& out,
                            const std::string& part) {
        const auto text = R"({"flit_time": 1, "link_delay": 1, "switch_delay": 0, "depth": 8, )" +
                          head + R"("hosts": ["h0", "h1"],
"links": [["h0", 0, "s0", 0], ["h1", 0, "s0", 1]],
"worms": [{"time": 0, "root": "h0", "flits": )" +
                          flits + R"(, "tree": {"h0": [0], "s0": [)" + out + "]}}]}";
        Refuses([&] { ReadWormCase(WriteTemporary("lanes.json", text)); }, part);
    };
    const std::string two = "\"lanes\": 2, \"grant\": \"worm\", ";
    refuse("\"lanes\": 0, ", "1", "1", "lanes");
    refuse("\"lanes\": 2, ", "1", "1", "expected 1, or grant worm");
    refuse("\"grant\": \"packet\", ", "1", "1", "flit or worm");
    refuse("\"grant\": \"worm\", \"replication\": \"sync\", ", "1", "1", "sync");
    refuse("\"grant\": \"worm\", \"route_header\": \"source\", ", "1", "1", "none");
    refuse(two + "\"priorities\": [0], ", "1", "1", "one for each of 2");
    refuse(two + "\"priorities\": [0, 256], ", "1", "1", "255");
    refuse(two, "9", "1", "up to 8 flits");
    refuse(two, "1", "[1, 2]", "0 to 1");
    refuse(two, "1", "[1]", "a port, or [port, lane]");
    refuse(two, "1", "{\"any\": []}", "one choice at least");
    refuse(two, "1", "{\"all\": [1]}", "an array");
    refuse(two, "1", "{\"any\": [1, 1]}", "each choice once");
    refuse(two, "1", "{\"any\": [1]}, 1", "at each node");
    refuse(two, "1", "{\"any\": [0]}", "where the worm has been");
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, const LaneCaseOptions& options) {
        // Of those in a ring some must be deadlocked, which a part of them may not be.
        AddQuick<LaneOracleTestCase>(name + " against the oracle",
                                     options,
                                     options.ring ? 25 : FewIfSanitized(15));
        AddExtensive<LaneOracleTestCase>("Many: " + name, options, 1000);
    };
    add("Choices", {1, false, true});
    add("Choices, several rates", {1, false, true, false, true});
    add("Choices in a ring", {1, false, true, true, true});
    add("Lanes", {3, true});
    add("Lanes, several rates", {3, true, false, false, true});
    add("Lanes and choices, several rates", {3, true, true, false, true});
    add("Lanes and choices in a ring", {2, true, true, true, true});
    add("Whole worms in a ring", {1, true, false, true, true});
}

// The watch on worms whose lane does not get its turn.
SUITE("wormhole-lane-watch", UNIT);

TEST_CASE(LaneStarvationTestCase, "A worm that waits too long is told of once")
{
    struct Told
    {
        Ptr<const Worm> worm;    ///< who waits
        std::string port;        ///< where
        uint32_t lane;           ///< in which lane
        Ptr<const Worm> granted; ///< who goes instead
        Time wait;               ///< how long the first one has waited
        Time time;               ///< when
    };

    // Returns what is told while a worm of lane 0 waits for 20 worms of lane 1.
    const auto run = [&](const std::string& priorities,
                         Time patience,
                         const std::string& scheduler) -> std::vector<Told> {
        constexpr uint64_t FLITS = 50;
        constexpr uint32_t MANY = 20;
        StartAnew();
        UseScheduler(scheduler);
        auto helper =
            WithFabric({{"Lanes", "2"}, {"Priorities", priorities}, {"Grant", "worm"}}, 4 * FLITS);
        helper.SetFabricAttribute("StarvationTime", TimeValue(patience));
        auto fabric = helper.Install(MakeStar(3));
        std::vector<Told> told;
        const auto note = [&](Ptr<const Worm> worm,
                              Ptr<WormholePort> port,
                              uint8_t lane,
                              Ptr<const Worm> granted,
                              Time wait) {
            told.push_back({worm, port->GetName(), lane, granted, wait, Simulator::Now()});
        };
        Listen(fabric, "Starvation", note);
        const auto send = [&](uint32_t host, uint8_t lane) {
            const auto route = WormRoute::Path({0, 2}).InLanes({lane, lane});
            fabric->GetHost(host)->SendWorm(MakeWorm(FLITS, route));
        };
        for (uint32_t i = 0; i < MANY; ++i)
        {
            send(1, 1);
        }
        send(0, 0); // asks with the first one, and has the lower port
        send(0, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetCounts().flitsOut, (MANY + 2) * FLITS, "all arrive");
        Simulator::Destroy();
        return told;
    };
    const auto patience = MicroSeconds(1);
    for (const std::string scheduler : {"Map", "Wormhole"})
    {
        const auto told = run("0,1", patience, scheduler);
        NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "once; the one behind it asks when it has left");
        NS_TEST_EXPECT_MSG_EQ(told[0].worm->GetId(), 20, "the first one of lane 0");
        NS_TEST_EXPECT_MSG_EQ(told[0].port, "s0:2", "the output to the third host");
        NS_TEST_EXPECT_MSG_EQ(told[0].lane, 0, "its lane");
        // Worms of 50 flits of 6.25 ns pass; the fifth one is the first after 1 us.
        NS_TEST_EXPECT_MSG_EQ(told[0].granted->GetId(), 4, "who goes instead");
        NS_TEST_EXPECT_MSG_EQ(told[0].wait, NanoSeconds(1250), "how long it waits");
        NS_TEST_EXPECT_MSG_EQ((told[0].time > told[0].wait), true, "told when that is so");
    }
    NS_TEST_EXPECT_MSG_EQ(run("0,1", Time(0), "Map").size(), 0, "no watch");
    NS_TEST_EXPECT_MSG_EQ(run("0,1", MicroSeconds(10), "Map").size(), 0, "longer patience");
    NS_TEST_EXPECT_MSG_EQ(run("0,0", patience, "Map").size(), 0, "equal priorities");
}

// Rule S10: cables and switches that differ, and how they are told. Times of random cases are
// judged by the flit oracle in the suite wormhole-fabric.
SUITE("wormhole-cable-rates", UNIT);

namespace
{

/// @return a line of two switches with a host at each end, whose three cables have these rates
/// @param rates the rates, by the way from host 0 to host 1
FabricGraph
MakeThreeRates(const std::array<std::string, 3>& rates)
{
    auto graph = MakeLine(2);
    const auto set = [&](FabricGraph::Node node, FabricGraph::Port port, const std::string& rate) {
        CableProperties cable;
        cable.rate = CableText::ReadRate(rate);
        graph.SetCable(node, port, cable);
    };
    set(graph.HostAt(0), 0, rates[0]);
    set(0, graph.PortsToSwitches(0)[0], rates[1]);
    set(graph.HostAt(1), 0, rates[2]);
    return graph;
}

} // namespace

/// Alone on its way, a worm takes the head's way and, for every flit but one, the slowest cable's
/// flit time: its flits wait for the slowest cable only, since all buffers cover the round trip.
TEST_CASE(LoneWormRatesTestCase,
          "A lone message over three rates takes what the closed form says, 1 B to 1 GB")
{
    std::vector<std::pair<std::string, int64_t>> rates{{"10Gbps", 800},
                                                       {"100Gbps", 80},
                                                       {"400Gbps", 20}}; // ps a byte
    std::sort(rates.begin(), rates.end());
    do
    {
        std::array<std::string, 3> on;
        // Two interfaces and two switches of 300 ns, three cables of 20 ns.
        int64_t head = 4 * 300'000 + 3 * 20'000;
        int64_t slowest = 0;
        for (std::size_t i = 0; i < on.size(); ++i)
        {
            on[i] = rates[i].first;
            head += rates[i].second;
            slowest = std::max(slowest, rates[i].second);
        }
        uint64_t events = 0;
        for (const uint64_t bytes :
             {1ULL, 2ULL, 64ULL, 1000ULL, 65'536ULL, 12'345'678ULL, 1'000'000'000ULL})
        {
            const auto wanted = head + static_cast<int64_t>(bytes - 1) * slowest;
            // Flits are of one byte.
            const auto sent = SendLoneWorm(WormholeHelper(), MakeThreeRates(on), bytes);
            NS_TEST_EXPECT_MSG_EQ(sent.arrived,
                                  PicoSeconds(wanted),
                                  bytes << " bytes over " << on[0] << ' ' << on[1] << ' ' << on[2]);
            events = events ? events : sent.events;
            NS_TEST_EXPECT_MSG_EQ(sent.events, events, "as many events for " << bytes << " bytes");
        }
    } while (std::next_permutation(rates.begin(), rates.end()));
}

static Time
GetDelay(Ptr<Object> object)
{
    return Time(TextOf(object, "Delay"));
}

TEST_CASE(CableFileTestCase, "Cables and switches in files")
{
    const auto path = WriteTemporary("cables.json", R"({
  "defaults": {"rate": "10Gbps", "length": "2m", "switch_delay": "90ns"},
  "switches": {"s1": {"delay": "300ns"}},
  "hosts": ["h0", "h1"],
  "links": [["h0", 0, "s0", 0, {"depth": "4KiB"}],
            ["h1", 0, "s1", 0],
            ["s0", 1, "s1", 1, {"rate": "100Gbps", "delay": "15ns", "depth": 4096}]]
})");
    const auto again = CreateTempDirFilename("again.json");
    WriteFabricFile(ReadFabricFile(path), again);
    for (const auto& file : {path, again})
    {
        auto fabric = WithFabric({{"FlitSize", "64"}}).Install(ReadFabricFile(file));
        NS_TEST_EXPECT_MSG_EQ(GetDelay(fabric->GetSwitch(0)), NanoSeconds(90), file);
        NS_TEST_EXPECT_MSG_EQ(GetDelay(fabric->GetSwitch(1)), NanoSeconds(300), file);
        const auto host = fabric->GetHost(0)->GetPort();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(*host->GetChannel()), PicoSeconds(51'200), "10G");
        NS_TEST_EXPECT_MSG_EQ(GetDelay(host->GetChannel()), NanoSeconds(10), "2 m, 5 ns each");
        NS_TEST_EXPECT_MSG_EQ(TextOf(host, "BufferDepth"), "64", "4 KiB of 64 bytes");
        const auto trunk = fabric->GetSwitch(0)->GetPort(1);
        NS_TEST_EXPECT_MSG_EQ(TextOf(trunk->GetChannel(), "DataRate"), "100000000000bps", file);
        NS_TEST_EXPECT_MSG_EQ(GetDelay(trunk->GetChannel()), NanoSeconds(15), file);
        NS_TEST_EXPECT_MSG_EQ(TextOf(trunk, "BufferDepth"), "4096", file);
        Simulator::Destroy();
    }
    Refuses([&] { WithFabric({{"FlitSize", "8192"}}).Install(ReadFabricFile(path)); },
            "a buffer of 4096 bytes at s0:0 or h0:0: expected 1 to 268435455 flits of 8192");
}

TEST_CASE(CableTextsTestCase, "Cables and switches in topology texts")
{
    const std::string text = "kary-tree:k=2,n=2,rate=100Gbps,uplink-rate=400Gbps,"
                             "switch-delay=90ns,length=2m,uplink-delay=50ns,depth=64KiB";
    auto fabric = WormholeHelper().Install(MakeTopology(text).graph);
    NS_TEST_EXPECT_MSG_EQ(GetDelay(fabric->GetSwitch(0)), NanoSeconds(90), text);
    const auto host = fabric->GetHost(0)->GetPort();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(*host->GetChannel()), PicoSeconds(80), "a byte");
    NS_TEST_EXPECT_MSG_EQ(GetDelay(host->GetChannel()), NanoSeconds(10), text);
    const auto graph = MakeTopology(text).graph;
    const auto up = fabric->GetSwitch(0)->GetPort(graph.PortsToSwitches(0)[0]);
    NS_TEST_EXPECT_MSG_EQ(TextOf(up->GetChannel(), "DataRate"), "400000000000bps", text);
    NS_TEST_EXPECT_MSG_EQ(GetDelay(up->GetChannel()), NanoSeconds(50), text);
    NS_TEST_EXPECT_MSG_EQ(TextOf(up, "BufferDepth"), "65536", text);
    Simulator::Destroy();
    const auto refuse = [this](const std::string& entry, const std::string& part) {
        Refuses([&] { MakeTopology("mesh:2x2," + entry); }, part);
    };
    refuse("rate=fast", "rate: 'fast' is not accepted; expected a data rate");
    for (const auto* rate :
         {"1Gbps\nGb", "1Gbps\v", "\n1Gbps", "1Gbp", "1e3bps", "99999999999Gbps"})
    {
        // ns-3 ends the program with the first three, and wraps the last one around.
        refuse(std::string("rate=") + rate, "is not accepted; expected a data rate");
    }
    refuse("uplink-length=1mm", "uplink-length: '1mm' is not accepted; expected a length");
    refuse("delay=1ns,length=1m", "one of delay and length");
    refuse("switch-delay=-1ns", "switch-delay: ");
    refuse("speed=1", "uplink-rate");
    refuse("rates=1Gbps+", "rates: '' is not accepted; expected a data rate");
    refuse("rates=1Gbps,rate=2Gbps", "rates and rate: expected one");
    const auto mixed = MakeTopology("full:2,hosts=1,rates=1Gbps+2Gbps").graph;
    const auto& properties = mixed.GetProperties();
    std::multiset<uint64_t> rates;
    for (FabricGraph::Node node = 0; node < mixed.GetNSwitches(); ++node)
    {
        for (const auto port : mixed.PortsToHosts(node))
        {
            rates.insert(properties.FindCable({node, port})->rate->GetBitRate());
        }
    }
    rates.insert(properties.FindCable({0, mixed.PortsToSwitches(0)[0]})->rate->GetBitRate());
    NS_TEST_EXPECT_MSG_EQ(rates.count(1'000'000'000), 2, "first and third of three cables");
    NS_TEST_EXPECT_MSG_EQ(rates.count(2'000'000'000), 1, "the second one");
}

TEST_CASE(CableNearestTestCase, "Rates that take the nearest flit time, of all cables and of some")
{
    for (const auto& [entry, bytes] :
         Combine<std::string, uint64_t>({"rate=~54545454545bps", "uplink-rate=~54.5454545454Gbps"},
                                        {1, 64}))
    {
        const auto text = "full:2,hosts=1," + entry;
        const auto graph = MakeTopology(text).graph;
        auto fabric = WithFabric({{"FlitSize", std::to_string(bytes)}}).Install(graph);
        const auto up = fabric->GetSwitch(0)->GetPort(graph.PortsToSwitches(0)[0]);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(*up->GetChannel()),
                              PicoSeconds(bytes == 1 ? 147 : 9387),
                              text << ", flits of " << bytes << " bytes");
        const auto cable = graph.GetProperties().GetCable({0, graph.PortsToSwitches(0)[0]});
        NS_TEST_EXPECT_MSG_EQ(CableText::Print(cable)[0].second, "~54545454545bps", text);
        Simulator::Destroy();
    }
    Refuses([] { WormholeHelper().Install(MakeTopology("full:2,rate=~2400Gbps").graph); },
            "the nearest flit time is more than 1 % off");
    Refuses([] { MakeTopology("full:2,rate=~"); }, "expected a data rate");
}

TEST_CASE(CableHelperTestCase, "Attributes of some channels by the helper")
{
    const auto graph = MakeLine(3);
    WormholeHelper helper;
    helper.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    const auto isTrunk = [](const FabricGraph& of, FabricGraph::End end) {
        return of.IsSwitch(end.node) && of.IsSwitch(of.Peer(end.node, end.port).node);
    };
    helper.SetChannelAttribute("DataRate", StringValue("10Gbps"), isTrunk);
    const std::vector<FabricGraph::End> ofHost{{graph.HostAt(1), 0}};
    helper.SetChannelAttribute("Delay", StringValue("7ns"), ofHost);
    auto fabric = helper.Install(graph);
    const auto trunk = fabric->GetSwitch(1)->GetPort(graph.PortsToSwitches(1)[0]);
    NS_TEST_EXPECT_MSG_EQ(TextOf(trunk->GetChannel(), "DataRate"), "10000000000bps", "some");
    const auto first = fabric->GetHost(0)->GetPort()->GetChannel();
    const auto last = fabric->GetHost(1)->GetPort()->GetChannel();
    NS_TEST_EXPECT_MSG_EQ(TextOf(first, "DataRate"), "1000000000bps", "the others");
    NS_TEST_EXPECT_MSG_EQ(GetDelay(first), NanoSeconds(20), "the others");
    NS_TEST_EXPECT_MSG_EQ(GetDelay(last), NanoSeconds(7), "one");
    Simulator::Destroy();
    helper.SetChannelAttribute("Delay", StringValue("7ns"), std::vector<FabricGraph::End>{{99, 0}});
    Refuses([&] { helper.Install(graph); }, "port 0 of node 99 has no cable");
    Refuses([&] { helper.SetChannelAttribute("Speed", StringValue("1"), nullptr); }, "Speed");
}

TEST_CASE(CableFlitTimesTestCase, "Flit times of all cables together")
{
    auto helper = WithFabric({{"DataRate", "3Gbps"}});
    const auto graph = MakeThreeRates({"7Gbps", "100Gbps", "100Gbps"});
    // 3 bytes at 3 Gbit/s and 7 at 7 Gbit/s take 8 ns, so 21 bytes do for both.
    Refuses([&] { helper.Install(graph); }, "also a FlitSize of 21 bytes");
    Simulator::Destroy();
    helper.SetFabricAttribute("FlitSize", UintegerValue(21));
    helper.Install(graph)->Start();
    Simulator::Destroy();

    constexpr uint32_t most = 256; // different flit times of a fabric, as is documented
    for (const auto hosts : {most, most + 1})
    {
        auto graph = MakeStar(hosts);
        for (uint32_t h = 0; h < hosts; ++h)
        {
            CableProperties cable;
            cable.flitTime = PicoSeconds(1 + h);
            graph.SetCable(graph.HostAt(h), 0, cable);
        }
        auto fabric = WormholeHelper().Install(graph);
        const auto message = ErrorOf([&] { fabric->Start(); });
        NS_TEST_EXPECT_MSG_EQ(message.empty(), (hosts == most), "different flit times");
        Simulator::Destroy();
    }
}
