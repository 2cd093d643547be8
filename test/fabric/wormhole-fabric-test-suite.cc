// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

#include "ns3/barrier-model.h"
#include "ns3/worm-header.h"

using namespace ns3;

SUITE("wormhole-fabric", UNIT);

TEST_CASE_WITH(OracleTestCase,
               (const std::string& name, RandomCaseOptions options, uint32_t nCases),
               name)
{
    auto rng = MakeRandom(7);
    uint32_t blocked = 0;
    uint32_t delivered = 0;
    for (uint32_t i = 0; i < nCases; ++i)
    {
        const auto worms = MakeRandomCase(rng, options);
        const FabricDelays delays(worms, options.uneven);
        const auto wanted = PrintOutcome(worms, MoveFlitByFlit(worms, delays));
        ReplayOutcome outcome;
        for (const std::string scheduler : {"Wormhole", "Map"})
        {
            outcome =
                ReplayBy(scheduler, worms, ReplaySending::AT_FIRST, [&](WormholeFabric& fabric) {
                    delays.Apply(fabric);
                });
            NS_TEST_ASSERT_MSG_EQ(PrintOutcome(worms, outcome),
                                  wanted,
                                  name << ", case " << i << " differs with " << scheduler);
        }
        for (const auto& worm : outcome.worms)
        {
            blocked += worm.blocked;
            delivered += worm.delivered.size();
        }
    }
    NS_TEST_EXPECT_MSG_GT(delivered, nCases, "hardly any worm arrived");
    if (options.multicast == 0.0 && options.treeOfSwitches)
    {
        NS_TEST_EXPECT_MSG_EQ(blocked, 0, "unicast worms in a tree cannot deadlock");
    }
}

/// Behind a unicast worm that waits for credits comes a tree worm, of which one branch has arrived;
/// the engine used the record of that branch again, for the unicast worm. Times are the oracle's.
TEST_CASE(ReusedRecordTestCase,
          "A branch that has arrived is not taken for a worm that uses its record")
{
    const auto path = WriteTemporary("reused-record.json", R"({
 "flit_time": 100, "link_delay": 150, "switch_delay": 0, "depth": 2,
 "hosts": ["a0", "a1", "a2", "b", "c0", "c1", "d0", "d1"],
 "links": [["a", 0, "b.", 0], ["a", 1, "c", 0], ["c", 1, "d", 0],
       ["a0", 0, "a", 2], ["a1", 0, "a", 3], ["a2", 0, "a", 4], ["b", 0, "b.", 1],
       ["c0", 0, "c", 2], ["c1", 0, "c", 3], ["d0", 0, "d", 1], ["d1", 0, "d", 2]],
 "worms": [
  {"time": 0, "flits": 100, "root": "d1", "tree": {"d1": [0], "d": [1]}},
  {"time": 100, "flits": 2, "root": "c1", "tree": {"c1": [0], "c": [1], "d": [1]}},
  {"time": 0, "flits": 12, "root": "a0", "tree": {"a0": [0], "a": [1], "c": [2]}},
  {"time": 200, "flits": 2, "root": "a1", "tree": {"a1": [0], "a": [1], "c": [1], "d": [2]}},
  {"time": 400, "flits": 1, "root": "a2",
   "tree": {"a2": [0], "a": [0, 1], "b.": [1], "c": [2]}}]})");
    const auto worms = ReadWormCase(path);
    const auto wanted = PrintOutcome(worms, AskOracle(worms));
    for (const std::string scheduler : {"Wormhole", "Map"})
    {
        NS_TEST_EXPECT_MSG_EQ(PrintOutcome(worms, ReplayBy(scheduler, worms)), wanted, scheduler);
    }
}

TEST_CASE(LoneWormTestCase, "A lone worm costs one event a switch, however long it is")
{
    const auto few = SendLoneWorm(WormholeHelper(), MakeLine(9), 100);
    const auto many = SendLoneWorm(WormholeHelper(), MakeLine(9), 200'000);
    NS_TEST_EXPECT_MSG_EQ(few.events, many.events, "events depend on the length");
    NS_TEST_EXPECT_MSG_EQ(few.events, 10, "nine grants and an arrival");
    // Ten channels and eleven delays of switches and interfaces; flits follow back to back.
    const int64_t head = 11 * 300'000 + 10 * 20'000 + 9 * 6'250;
    NS_TEST_EXPECT_MSG_EQ(few.arrived, PicoSeconds(head + 100 * 6'250), "arrival of the short one");
    NS_TEST_EXPECT_MSG_EQ(many.arrived, PicoSeconds(head + 200'000 * 6'250LL), "the long one");
}

TEST_CASE(ShallowLoneWormTestCase,
          "A lone worm in shallow buffers is exact and costs the same, however long")
{
    constexpr int64_t TAU = 6'250;
    constexpr int64_t ROUND_TRIP = TAU + 2 * 20'000 + 300'000;
    // Ten channels and eleven delays of switches and interfaces.
    constexpr int64_t HEAD = 11 * 300'000 + 10 * 20'000 + 9 * TAU;
    for (const int64_t depth : {1, 2, 8, 55})
    {
        auto helper = WithFabric({}, depth);
        for (const int64_t flits : {1LL, 2LL, 64LL, 100'000LL, 1'000'000'007LL})
        {
            // A buffer of flits every round trip, those of a buffer back to back.
            const auto last = (flits - 1) / depth * ROUND_TRIP + (flits - 1) % depth * TAU;
            NS_TEST_EXPECT_MSG_EQ(SendLoneWorm(helper, MakeLine(9), flits).arrived,
                                  PicoSeconds(HEAD + last + TAU),
                                  flits << " flits, buffers of " << depth);
        }
    }
}

TEST_CASE(FrameTestCase, "The network device carries frames to one host and to all")
{
    auto fabric = WormholeHelper().Install(MakeStar(3));
    std::map<Ptr<NetDevice>, std::pair<uint32_t, uint16_t>> received; // size and protocol
    Address lastSender;
    Time time;
    for (uint32_t h = 0; h < 3; ++h)
    {
        fabric->GetHost(h)->SetReceiveCallback(CallbackOf([&](Ptr<NetDevice> device,
                                                              Ptr<const Packet> packet,
                                                              uint16_t protocol,
                                                              const Address& from) {
            received[device] = {packet->GetSize(), protocol};
            lastSender = from;
            time = Simulator::Now();
            return true;
        }));
    }
    auto sender = fabric->GetHost(0);
    auto to = fabric->GetHost(2)->GetAddress();
    NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(100), to, 0x0800), true, "sent");
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(received.size(), 1, "one host got it");
    NS_TEST_EXPECT_MSG_EQ(received.begin()->second.first, 100, "payload");
    NS_TEST_EXPECT_MSG_EQ(received.begin()->second.second, 0x0800, "protocol");
    NS_TEST_EXPECT_MSG_EQ(lastSender, sender->GetAddress(), "sender");
    // t_r, flit, p, t_r, 114 flits, p, t_r
    NS_TEST_EXPECT_MSG_EQ(time, PicoSeconds(3 * 300'000 + 2 * 20'000 + 115 * 6'250), "time");

    received.clear();
    sender->Send(Create<Packet>(10), sender->GetBroadcast(), 0x0806);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(received.size(), 2, "both others got the broadcast");

    NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(1501), to, 0x0800), false, "MTU");
    Holds(!sender->Send(Create<Packet>(10), sender->GetAddress(), 0x0800), "to itself");
    const auto& counts = fabric->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.flitsIn, 114 + 24, "flits in");
    NS_TEST_EXPECT_MSG_EQ(counts.flitsOut, 114 + 2 * 24, "flits out, copies included");
    NS_TEST_EXPECT_MSG_EQ(counts.pendingDestinations, 0, "nothing is under way");
    Simulator::Destroy();

    Packet packet(0);
    packet.AddHeader(
        WormHeader({Mac48Address("02:00:00:00:00:01"), Mac48Address("02:00:00:00:00:02"), 0x86dd}));
    WormHeader back;
    NS_TEST_EXPECT_MSG_EQ(packet.RemoveHeader(back), 14, "size of the header");
    const auto& said = back.message;
    NS_TEST_EXPECT_MSG_EQ(said.destination, Mac48Address("02:00:00:00:00:01"), "to");
    NS_TEST_EXPECT_MSG_EQ(said.source, Mac48Address("02:00:00:00:00:02"), "from");
    NS_TEST_EXPECT_MSG_EQ(said.protocol, 0x86dd, "protocol");
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, RandomCaseOptions options, uint32_t n) {
        AddQuick<OracleTestCase>(name, options, FewIfSanitized(n));
        AddExtensive<OracleTestCase>(name + ", thousands", options, 4000);
    };
    add("Oracle: unicast, tree of switches", {0.0, true, false, false}, 20);
    add("Oracle: unicast, general graphs", {0.0, false, false, false}, 20);
    add("Oracle: tree worms, tree of switches, async", {0.6, true, false, false}, 20);
    add("Oracle: tree worms, tree of switches, sync", {0.6, true, true, false}, 20);
    add("Oracle: tree worms, general graphs, async", {0.6, false, false, false}, 20);
    add("Oracle: tree worms, general graphs, sync", {0.6, false, true, false}, 20);
    add("Oracle: tree worms, uneven fabrics, async", {0.5, false, false, true}, 20);
    add("Oracle: tree worms, uneven fabrics, sync", {0.5, true, true, true}, 20);
    add("Oracle: longer worms, tree of switches", {0.0, true, false, false, true}, 5);
    add("Oracle: longer worms, uneven fabrics", {0.0, false, false, true, true}, 5);
    add("Oracle: longer tree worms among them", {0.2, false, false, true, true}, 5);
    const auto addRates = [&](const std::string& name, RandomCaseOptions options) {
        options.rates = true;
        add("Oracle, cables that differ: " + name, options, options.longer ? 8 : 40);
    };
    addRates("unicast, tree of switches", {});
    addRates("unicast, general graphs", {0.0, false});
    addRates("uneven depths", {0.0, false, false, true});
    addRates("longer worms", {0.0, false, false, false, true});
    addRates("tree worms, async", {0.5, true, false, false});
    addRates("tree worms, sync", {0.5, true, true, false});
    addRates("tree worms, general graphs, async", {0.5, false, false, true});
    addRates("tree worms, general graphs, sync", {0.5, false, true, true});
    addRates("longer tree worms among them", {0.3, false, false, true, true});
    RandomCaseOptions sourceRouted{0.2, false, false, true};
    sourceRouted.sourceRouted = true;
    addRates("source routes", sourceRouted);
    const auto addSourceRouted = [&](const std::string& name, RandomCaseOptions options) {
        options.sourceRouted = true;
        add("Oracle, source routes: " + name, options, options.longer ? 4 : 20);
    };
    addSourceRouted("unicast, tree of switches", {});
    addSourceRouted("unicast, general graphs", {0.0, false});
    addSourceRouted("uneven fabrics", {0.0, false, false, true});
    addSourceRouted("longer worms", {0.0, false, false, true, true});
    addSourceRouted("tree worms among them, async", {0.3, false, false, true});
    addSourceRouted("tree worms among them, sync", {0.3, true, true, false});
    addSourceRouted("longer tree worms among them", {0.2, false, false, true, true});
}

SUITE("wormhole-source-route", UNIT);

namespace
{

WormholeHelper
MakeHelper(uint32_t flitSize, const std::string& routeHeader, uint32_t depth = 0)
{
    return WithFabric({{"FlitSize", std::to_string(flitSize)},
                       {"FlitTime", "6250ps"},
                       {"RouteHeader", routeHeader}},
                      depth);
}

} // namespace

/// A lone worm with n switches ahead arrives when a worm of ceil(n / F) flits more would that
/// brings no route, in buffers of any depth, and costs as many events however long it is.
TEST_CASE(LoneSourceRouteTestCase, "A lone worm arrives as one of its length and its route's would")
{
    constexpr uint32_t NINE = 9; // switches on its way
    for (const auto& [depth, flitSize, flits] :
         Combine<uint32_t, uint32_t, uint64_t>({0, 1, 2, 8, 55, 200},
                                               {1, 2, 4, 9, 64},
                                               {1, 2, 64, 100'000}))
    {
        const auto send = [&, flitSize = flitSize, depth = depth](const std::string& header,
                                                                  uint64_t length) {
            return SendLoneWorm(MakeHelper(flitSize, header, depth), MakeLine(NINE), length);
        };
        const auto route = (NINE + flitSize - 1) / flitSize;
        const auto got = send("source", flits);
        const auto plain = send("none", flits + route);
        const auto how = std::to_string(flits) + " flits of " + std::to_string(flitSize) +
                         " bytes, buffers of " + std::to_string(depth);
        NS_TEST_EXPECT_MSG_EQ(got.arrived, plain.arrived, how);
        if (depth == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(got.events, plain.events, "events, " << how);
        }
        NS_TEST_EXPECT_MSG_EQ(got.counts.flitsIn, flits + route, how);
        NS_TEST_EXPECT_MSG_EQ(got.counts.flitsOut, flits, how);
        NS_TEST_EXPECT_MSG_EQ(got.counts.flitsDropped, route, how);
        NS_TEST_EXPECT_MSG_EQ(plain.counts.flitsDropped, 0, how);
    }
}

/// The example of the documentation, and the same with two bytes in a flit: every time by hand.
TEST_CASE(HandSourceRouteTestCase, "Three flits over two switches, by hand")
{
    // Returns what becomes of the worm. keys: further keys of the case
    const auto replay = [&](const std::string& keys,
                            const std::string& flits = "3") -> std::string {
        const auto path =
            WriteTemporary("hand.json",
                           R"({"flit_time": 6250, "link_delay": 20000, "switch_delay": 300000,
 "depth": 56, )" + keys + R"("hosts": ["h0", "h1"],
 "links": [["h0", 0, "s0", 0], ["s0", 1, "s1", 0], ["s1", 1, "h1", 0]],
 "worms": [{"time": 0, "flits": )" +
                               flits +
                               R"(, "root": "h0", "tree": {"h0": [0], "s0": [1], "s1": [1]}}]})");
        const auto worms = ReadWormCase(path);
        std::ostringstream text;
        const auto outcome = ReplayWorms(worms);
        for (const auto& [name, leg] : outcome.worms[0].legs)
        {
            text << name << " " << leg.headStart << " " << *leg.tailEnd << ", ";
        }
        text << outcome.worms[0].delivered.at("h1");
        return text.str();
    };
    const std::string plain = "h0:0 0 18750, s0:1 326250 345000, s1:1 652500 671250, 691250";
    const std::string source = R"("route_header": "source", )";
    NS_TEST_EXPECT_MSG_EQ(replay(""), plain, "without routes");
    NS_TEST_EXPECT_MSG_EQ(replay(R"("route_header": "none", "flit_size": 2, )"), plain, "none");
    NS_TEST_EXPECT_MSG_EQ(replay(source),
                          "h0:0 0 31250, s0:1 332500 357500, s1:1 665000 683750, 703750",
                          "5, 4 and 3 flits");
    // Both bytes are in one flit, which the first switch sends on and the second one drops.
    NS_TEST_EXPECT_MSG_EQ(replay(source + R"("flit_size": 2, )"),
                          "h0:0 0 25000, s0:1 326250 351250, s1:1 658750 677500, 697500",
                          "4, 4 and 3 flits");
    // A worm takes 2^53 ps at most, 1,441,151,880,758 flits; its route is part of it.
    Refuses([&] { replay(source, "1441151880757"); },
            "too long a worm behind 2 flits of its route: expected up to 1441151880758");
    NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { replay(source, "1441151880756"); }), "", "the longest");
}

/// A worm waits for an output that another one has: its route's flit is read and its slot free
/// meanwhile, so that in buffers of one flit the flit behind it is there when the output is free.
TEST_CASE(WaitingSourceRouteTestCase,
          "A worm that waits for its output has dropped its route's flit")
{
    const auto path = WriteTemporary("waiting.json", R"({
 "flit_time": 100, "link_delay": 50, "switch_delay": 0, "depth": 1, "route_header": "source",
 "hosts": ["a", "b", "c"], "links": [["a", 0, "s", 0], ["b", 0, "s", 1], ["c", 0, "s", 2]],
 "worms": [{"time": 0, "flits": 10, "root": "a", "tree": {"a": [0], "s": [2]}},
       {"time": 0, "flits": 2, "root": "b", "tree": {"b": [0], "s": [2]}}]})");
    const auto outcome = ReplayWorms(ReadWormCase(path));
    // Slots are free again 200 after the start of their flit upstream: a flit every 200. Of
    // the first worm, 11 flits start at 0, 200, ..., 2000, and 10 go on from 350 to 2150.
    const auto& first = outcome.worms[0].legs;
    NS_TEST_EXPECT_MSG_EQ(first.at("a:0").headStart, 0, "a's route");
    NS_TEST_EXPECT_MSG_EQ(*first.at("a:0").tailEnd, 2100, "a's tail");
    NS_TEST_EXPECT_MSG_EQ(first.at("s:2").headStart, 350, "a's worm at the switch");
    NS_TEST_EXPECT_MSG_EQ(*first.at("s:2").tailEnd, 2250, "its tail");
    // The second one's route is read at 150, its first flit is ready at 350 and starts at
    // 2250; its credit is back at 2300, and the last flit ready at 2450.
    const auto& second = outcome.worms[1].legs;
    NS_TEST_EXPECT_MSG_EQ(second.at("s:2").headStart, 2250, "b's worm at the switch");
    NS_TEST_EXPECT_MSG_EQ(*second.at("b:0").tailEnd, 2400, "b's tail");
    NS_TEST_EXPECT_MSG_EQ(*second.at("s:2").tailEnd, 2550, "and at the switch");
}

constexpr uint32_t SWITCHES = 4; ///< of the line

/// Creates a barrier of both hosts of a line, and has both enter. @return when the last one leaves,
/// after they entered @param model gets the closed form; may be null
static Time
Measure(const std::string& name, const std::string& routeHeader, Time* model)
{
    StartAnew();
    const auto domain = InstallDomain(MakeLine(SWITCHES), {}, MakeHelper(1, routeHeader));
    const auto barrier = SetUp(CollectiveHelper::MakeBarrier(name), domain, {0, 1});
    if (model)
    {
        domain->GetFabric()->Start(); // which the model's lengths with routes take
        *model = BarrierModel(*domain, *barrier).latency;
    }
    const auto left = CrossOnce(barrier);
    return PicoSeconds(std::max(left[0], left[1]));
}

TEST_CASE(SourceRouteBarrierTestCase, "Barriers with source routes")
{
    const auto plain = Measure("btin", "none", nullptr);
    const auto routed = Measure("btin", "source", nullptr);
    NS_TEST_EXPECT_MSG_EQ(routed, plain, "messages between neighbours bring no route");
    // There and back; the way back of multicast is a tree worm's, of one end.
    const auto tau = PicoSeconds(6'250);
    for (const std::string name : {"unicast", "multicast"})
    {
        Time model;
        const auto got = Measure(name, "source", &model);
        NS_TEST_EXPECT_MSG_EQ(got, model, name << " as its closed form");
        const auto more = got - Measure(name, "none", nullptr);
        const auto wanted = tau * (2 * SWITCHES);
        NS_TEST_EXPECT_MSG_EQ(more, wanted, name << ": a flit for each switch, each way");
    }
}

TEST_CASE(SourceRouteFrameTestCase,
          "Frames with source routes: all arrive, and flits are conserved")
{
    for (const auto& [scheduler, topology] :
         Combine(Words("Wormhole Map"), Words("torus:4x4,hosts=2 clos:ports=8,levels=2")))
    {
        StartAnew();
        UseScheduler(scheduler);
        uint32_t nTaken = 0;
        const auto made = MakeTopology(topology);
        auto helper = MakeHelper(2, "source", 1514);
        helper.SetRouter(made.router);
        const auto fabric = helper.Install(made.graph);
        const auto nHosts = fabric->GetNHosts();
        for (uint32_t h = 0; h < nHosts; ++h)
        {
            auto host = fabric->GetHost(h);
            host->SetReceiveCallback(CountFrames(nTaken));
            host->Send(Create<Packet>(700), host->GetBroadcast(), 0x0800);
            for (uint32_t i = 1; i < nHosts; i += 3)
            {
                const auto to = fabric->GetHost((h + i) % nHosts)->GetAddress();
                host->Send(Create<Packet>(10 * i), to, 0x0800);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Refusal([] { Simulator::Run(); }), "accepted", topology);
        NS_TEST_EXPECT_MSG_EQ(nTaken, nHosts * (nHosts - 1 + (nHosts + 1) / 3), topology);
        const auto& counts = fabric->GetCounts();
        NS_TEST_EXPECT_MSG_GT(counts.flitsDropped, 0, topology);
        // Of broadcasts, which bring no route, one flit comes in and many go out.
        const auto gone = counts.flitsOut + counts.flitsDropped;
        NS_TEST_EXPECT_MSG_EQ(counts.flitsIn + 357 * nHosts * (nHosts - 2), gone, topology);
        Simulator::Destroy(); // aborts unless every port's flits are accounted for
    }
}
