/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../oracle/flit-oracle.h"
#include "../oracle/random-cases.h"
#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/worm-header.h"

#include <fstream>

using namespace ns3;

/// The fabric gives the times of the flit oracle, every one, on random cases.
class OracleTestCase : public SimulationTestCase
{
  public:
    OracleTestCase(const std::string& name, RandomCaseOptions options, uint32_t nCases)
        : SimulationTestCase(name),
          m_options(options),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        auto rng = MakeRandom(7);
        uint32_t blocked = 0;
        uint32_t delivered = 0;
        for (uint32_t i = 0; i < m_nCases; ++i)
        {
            const auto worms = MakeRandomCase(rng, m_options);
            const FabricDelays delays(worms, m_options.uneven);
            std::ostringstream wanted;
            PrintReplay(wanted, worms, MoveFlitByFlit(worms, delays));
            ReplayOutcome outcome;
            for (const std::string scheduler : {"ns3::WormholeScheduler", "ns3::MapScheduler"})
            {
                GlobalValue::Bind("SchedulerType", StringValue(scheduler));
                outcome = ReplayWorms(worms, [&](WormholeFabric& fabric) { delays.Apply(fabric); });
                std::ostringstream got;
                PrintReplay(got, worms, outcome);
                NS_TEST_ASSERT_MSG_EQ(got.str(),
                                      wanted.str(),
                                      "case " << i << " differs with " << scheduler);
            }
            for (const auto& worm : outcome.worms)
            {
                blocked += worm.blocked;
                delivered += worm.delivered.size();
            }
        }
        NS_TEST_EXPECT_MSG_GT(delivered, m_nCases, "hardly any worm arrived");
        if (m_options.multicast == 0.0 && m_options.treeOfSwitches)
        {
            NS_TEST_EXPECT_MSG_EQ(blocked, 0, "unicast worms in a tree cannot deadlock");
        }
    }

    RandomCaseOptions m_options; ///< kind of cases
    uint32_t m_nCases;           ///< how many
};

/// Behind a unicast worm that waits for credits comes a tree worm, of which one branch has arrived;
/// the engine used the record of that branch again, for the unicast worm. Times are the oracle's.
SIMULATION_TEST_CASE(ReusedRecordTestCase,
                     "A branch that has arrived is not taken for a worm that uses its record")
{
    const auto path = CreateTempDirFilename("reused-record.json");
    std::ofstream(path) << R"({
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
   "tree": {"a2": [0], "a": [0, 1], "b.": [1], "c": [2]}}]})";
    const auto worms = ReadWormCase(path);
    std::ostringstream wanted;
    PrintReplay(wanted, worms, MoveFlitByFlit(worms, FabricDelays(worms, false)));
    for (const std::string scheduler : {"ns3::WormholeScheduler", "ns3::MapScheduler"})
    {
        GlobalValue::Bind("SchedulerType", StringValue(scheduler));
        std::ostringstream got;
        PrintReplay(got, worms, ReplayWorms(worms));
        NS_TEST_EXPECT_MSG_EQ(got.str(), wanted.str(), scheduler << " differs");
    }
}

SIMULATION_TEST_CASE(LoneWormTestCase, "A lone worm costs one event a switch, however long it is")
{
    const auto few = SendLoneWorm(WormholeHelper(), MakeLine(9), 100);
    const auto many = SendLoneWorm(WormholeHelper(), MakeLine(9), 200'000);
    NS_TEST_EXPECT_MSG_EQ(few.events, many.events, "events depend on the length");
    NS_TEST_EXPECT_MSG_EQ(few.events, 10, "nine grants and an arrival");
    // Ten channels and eleven delays of switches and interfaces; flits follow back to back.
    const int64_t head = 11 * 300'000 + 10 * 20'000 + 9 * 6'250;
    NS_TEST_EXPECT_MSG_EQ(few.arrived, PicoSeconds(head + 100 * 6'250), "arrival of the short one");
    NS_TEST_EXPECT_MSG_EQ(many.arrived,
                          PicoSeconds(head + 200'000 * 6'250LL),
                          "arrival of the long one");
}

/// Where buffers don't cover the round trip, a worm of any length is simulated in no time.
SIMULATION_TEST_CASE(ShallowLoneWormTestCase,
                     "A lone worm in shallow buffers is exact and costs the same, however long")
{
    constexpr int64_t TAU = 6'250;
    constexpr int64_t ROUND_TRIP = TAU + 2 * 20'000 + 300'000;
    // Ten channels and eleven delays of switches and interfaces.
    constexpr int64_t HEAD = 11 * 300'000 + 10 * 20'000 + 9 * TAU;
    for (const int64_t depth : {1, 2, 8, 55})
    {
        WormholeHelper helper;
        helper.SetPortAttribute("BufferDepth", UintegerValue(depth));
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

/// Frames go from one node's device to another's, or to all.
SIMULATION_TEST_CASE(FrameTestCase, "The network device carries frames to one host and to all")
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
    NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(10), sender->GetAddress(), 0x0800),
                          false,
                          "to itself");
    const auto& counts = fabric->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.flitsIn, 114 + 24, "flits in");
    NS_TEST_EXPECT_MSG_EQ(counts.flitsOut, 114 + 2 * 24, "flits out, copies included");
    NS_TEST_EXPECT_MSG_EQ(counts.pendingDestinations, 0, "nothing is under way");
    Simulator::Destroy();

    Packet packet(0);
    packet.AddHeader(
        WormHeader(Mac48Address("02:00:00:00:00:01"), Mac48Address("02:00:00:00:00:02"), 0x86dd));
    WormHeader back;
    NS_TEST_EXPECT_MSG_EQ(packet.RemoveHeader(back), 14, "size of the header");
    NS_TEST_EXPECT_MSG_EQ(back.GetDestination(), Mac48Address("02:00:00:00:00:01"), "to");
    NS_TEST_EXPECT_MSG_EQ(back.GetSource(), Mac48Address("02:00:00:00:00:02"), "from");
    NS_TEST_EXPECT_MSG_EQ(back.GetProtocol(), 0x86dd, "protocol");
}

/// Tests of model/fabric.
TEST_SUITE(WormholeFabricTestSuite, "wormhole-fabric", UNIT)
{
    const auto add = [this](const std::string& name, RandomCaseOptions options, uint32_t n) {
        AddTestCase(new OracleTestCase(name, options, FewIfSanitized(n)), WORMHOLE_TEST_QUICK);
        AddTestCase(new OracleTestCase(name + ", thousands", options, 4000),
                    WORMHOLE_TEST_EXTENSIVE);
    };
    add("Oracle: unicast, tree of switches", {0.0, true, false, false}, 40);
    add("Oracle: unicast, general graphs", {0.0, false, false, false}, 40);
    add("Oracle: tree worms, tree of switches, async", {0.6, true, false, false}, 40);
    add("Oracle: tree worms, tree of switches, sync", {0.6, true, true, false}, 40);
    add("Oracle: tree worms, general graphs, async", {0.6, false, false, false}, 40);
    add("Oracle: tree worms, general graphs, sync", {0.6, false, true, false}, 40);
    add("Oracle: tree worms, uneven fabrics, async", {0.5, false, false, true}, 40);
    add("Oracle: tree worms, uneven fabrics, sync", {0.5, true, true, true}, 40);
    add("Oracle: longer worms, tree of switches", {0.0, true, false, false, true}, 10);
    add("Oracle: longer worms, uneven fabrics", {0.0, false, false, true, true}, 10);
    add("Oracle: longer tree worms among them", {0.2, false, false, true, true}, 10);
    const auto addRates = [&](const std::string& name, RandomCaseOptions options) {
        options.rates = true;
        add("Oracle, cables that differ: " + name, options, options.longer ? 16 : 80);
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
        add("Oracle, source routes: " + name, options, options.longer ? 8 : 40);
    };
    addSourceRouted("unicast, tree of switches", {});
    addSourceRouted("unicast, general graphs", {0.0, false});
    addSourceRouted("uneven fabrics", {0.0, false, false, true});
    addSourceRouted("longer worms", {0.0, false, false, true, true});
    addSourceRouted("tree worms among them, async", {0.3, false, false, true});
    addSourceRouted("tree worms among them, sync", {0.3, true, true, false});
    addSourceRouted("longer tree worms among them", {0.2, false, false, true, true});
    AddTestCase(new ReusedRecordTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new LoneWormTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new ShallowLoneWormTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new FrameTestCase, WORMHOLE_TEST_QUICK);
}
