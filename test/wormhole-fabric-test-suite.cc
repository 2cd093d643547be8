/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-oracle.h"
#include "refusing-test-case.h"
#include "test-tools.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/exact-time.h"
#include "ns3/global-value.h"
#include "ns3/node-container.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/worm-header.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-helper.h"

#include <map>
#include <sstream>

using namespace ns3;

namespace
{

/// A line of switches with a host at either end: host 0 at the first, host 1 at the last.
/// @param nSwitches number of switches @return the graph
FabricGraph
MakeLine(uint32_t nSwitches)
{
    FabricGraph graph(nSwitches, 2, 3);
    for (uint32_t s = 1; s < nSwitches; ++s)
    {
        graph.Connect(s - 1, 1, s, 0);
    }
    graph.Connect(graph.HostAt(0), 0, 0, 2);
    graph.Connect(graph.HostAt(1), 0, nSwitches - 1, 2);
    return graph;
}

} // namespace

/**
 * @ingroup wormhole-tests
 * The fabric gives the times of the flit oracle, every one, on random cases.
 */
class OracleTestCase : public TestCase
{
  public:
    /// @param name name of the test @param options kind of cases @param nCases how many
    OracleTestCase(const std::string& name, RandomCaseOptions options, uint32_t nCases)
        : TestCase(name),
          m_options(options),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        NeedPicoseconds();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        auto rng = CreateObject<UniformRandomVariable>();
        rng->SetStream(7);
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
            bool anyBlocked = false;
            for (const auto& worm : outcome.worms)
            {
                anyBlocked = anyBlocked || worm.blocked;
                delivered += worm.delivered.size();
            }
            blocked += anyBlocked;
            NS_TEST_ASSERT_MSG_EQ(anyBlocked,
                                  !outcome.deadlock.empty(),
                                  "case " << i
                                          << ": blocked worms and a reported deadlock go "
                                             "together");
            NS_TEST_ASSERT_MSG_EQ((outcome.deadlock.find("standstill") == std::string::npos),
                                  true,
                                  "case " << i << " names no cycle: " << outcome.deadlock);
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

/**
 * @ingroup wormhole-tests
 * A worm alone costs as many events whether it is short or long.
 */
class LoneWormTestCase : public TestCase
{
  public:
    LoneWormTestCase()
        : TestCase("A lone worm costs one event a switch, however long it is")
    {
    }

  private:
    /// @return events and arrival of a worm over nine switches @param flits its length
    std::pair<uint64_t, int64_t> Send(uint64_t flits)
    {
        Simulator::Destroy();
        auto fabric = WormholeHelper().Install(MakeLine(9));
        int64_t arrived = 0;
        fabric->GetHost(1)->SetReceiver(Worm::BARE,
                                        MakeBoundCallback(&LoneWormTestCase::Arrive, &arrived));
        Simulator::Run(); // ns-3's own initialisation of nodes and channels
        const auto before = Simulator::GetEventCount();
        fabric->GetHost(0)->SendWorm(
            Create<Worm>(Worm::BARE, nullptr, flits, fabric->GetRouter()->GetRoute(0, 1)));
        Simulator::Run();
        const auto events = Simulator::GetEventCount() - before;
        Simulator::Destroy();
        return {events, arrived};
    }

    /// Notes the time. @param arrived where
    static void Arrive(int64_t* arrived, Ptr<const Worm>)
    {
        *arrived = Simulator::Now().GetTimeStep();
    }

    void DoRun() override
    {
        NeedPicoseconds();
        const auto [eventsShort, arrivedShort] = Send(100);
        const auto [eventsLong, arrivedLong] = Send(200'000);
        NS_TEST_EXPECT_MSG_EQ(eventsShort, eventsLong, "events depend on the length");
        NS_TEST_EXPECT_MSG_EQ(eventsShort, 10, "nine grants and an arrival");
        // Ten channels and eleven delays of switches and interfaces; flits follow back to back.
        const int64_t head = 11 * 300'000 + 10 * 20'000 + 9 * 6'250;
        NS_TEST_EXPECT_MSG_EQ(arrivedShort, head + 100 * 6'250, "arrival of the short one");
        NS_TEST_EXPECT_MSG_EQ(arrivedLong, head + 200'000 * 6'250LL, "arrival of the long one");
    }
};

/**
 * @ingroup wormhole-tests
 * Worms that cannot be are refused where they are sent, and change nothing.
 */
class RefusedWormTestCase : public RefusingTestCase
{
  public:
    RefusedWormTestCase()
        : RefusingTestCase("Worms that cannot be are refused")
    {
    }

  private:
    /// Counts a worm. @param arrived those that have arrived
    static void Count(uint32_t* arrived, Ptr<const Worm> /* worm */)
    {
        ++*arrived;
    }

    void DoRun() override
    {
        StartAnew();
        const auto fabric = WormholeHelper().Install(MakeLine(2));
        uint32_t arrived = 0;
        fabric->GetHost(1)->SetReceiver(Worm::BARE,
                                        MakeBoundCallback(&RefusedWormTestCase::Count, &arrived));
        const auto send = [&](uint64_t flits, const std::vector<uint16_t>& ports, Worm::Kind kind) {
            fabric->GetHost(0)->SendWorm(
                Create<Worm>(kind, nullptr, flits, Create<WormRoute>(WormRoute::Path(ports))));
        };
        const std::vector<uint16_t> way{0, 1, 2};
        Refuses([&] { send(5, {}, Worm::BARE); }, "h0 is to send a worm without a route");
        Refuses(
            [&] { fabric->GetHost(0)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 5, nullptr)); },
            "without a route");
        Refuses([&] { send(0, way, Worm::BARE); }, "of 0 flits; accepted are 1 to");
        Refuses([&] { send(1ULL << 63, way, Worm::BARE); }, "accepted are 1 to");
        Refuses([&] { send(5, way, Worm::FRAME); }, "without a packet");
        Refuses([&] { send(5, {3, 1, 2}, Worm::BARE); }, "h0: a route leaves by port 3");
        Refuses(
            [&] {
                fabric->GetHost(0)->SendWorm(
                    Create<Worm>(Worm::BARE, nullptr, 5, fabric->GetRouter()->GetRoute(0, 1)),
                    NanoSeconds(-1000));
            },
            "a time that has passed");
        send(5, way, Worm::BARE);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(arrived, 1, "what can be arrives");
        send(5, {0, 1, 2, 0}, Worm::BARE);
        Refuses([] { Simulator::Run(); }, "h1: a route goes on beyond this host");
        NS_TEST_EXPECT_MSG_EQ(arrived, 1, "and nothing else does");
    }
};

/**
 * @ingroup wormhole-tests
 * Times that are no whole number of time units are refused, and say what they need.
 */
class ExactTimeTestCase : public RefusingTestCase
{
  public:
    ExactTimeTestCase()
        : RefusingTestCase("Times are exact or refused")
    {
    }

  private:
    void DoRun() override
    {
        NeedPicoseconds();
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse("6.25ns"), PicoSeconds(6250), "6.25ns");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse("0.1us"), NanoSeconds(100), "0.1us");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse("2s"), Seconds(2), "2s");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Transmission(8, DataRate("1280Mbps")),
                              PicoSeconds(6250),
                              "a byte at 160 MB/s");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse("1.23456s"), MicroSeconds(1234560), "1.23456s");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse("2.000000s"), Seconds(2), "2.000000s");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Transmission(8 * 4096, DataRate("1280Mbps")),
                              NanoSeconds(25600),
                              "4 KiB at 160 MB/s");
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Transmission(8 * 1000001, DataRate(1000001000)),
                              MilliSeconds(8),
                              "a rate that has few divisors");
        Says(ErrorOf([] { ExactTime::Transmission(1ULL << 60, DataRate(1)); }), "5 hours");
        Says(ErrorOf([] { ExactTime::Parse("0.5ps"); }), "Time::SetResolution(Time::FS)");
        Says(ErrorOf([] { ExactTime::Parse("0.5fs"); }), "femtoseconds");
        for (const auto text : {"", "ns", "1", "-1ns", "1.2.3ns", "1e3ns", "1 ns", "5000h"})
        {
            Says(ErrorOf([text] { ExactTime::Parse(text); }), "is no time");
        }
        Says(ErrorOf([] { ExactTime::Transmission(8, DataRate("3Gbps")); }), "femtoseconds");
        Says(ErrorOf([] { ExactTime::Transmission(8, DataRate(1'280'000'000'000)); }),
             "Time::SetResolution(Time::FS)");

        WormholeHelper helper;
        Says(ErrorOf([&] { helper.SetChannelAttribute("Delay", StringValue("20.0005ns")); }),
             "Time::SetResolution(Time::FS)");
        Says(ErrorOf([&] { helper.SetChannelAttribute("Delay", StringValue("0ns")); }),
             "a time of 0ps is too short; accepted is 1ps at least");
        Says(ErrorOf([&] { helper.SetChannelAttribute("Delay", TimeValue(Time(0))); }),
             "too short");
        Says(ErrorOf([&] { helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(-1))); }),
             "a time of -1ps is too short; accepted is 0ps at least");
        WormholeHelper coarse;
        coarse.SetFabricAttribute("DataRate", StringValue("3Gbps"));
        auto fabric = coarse.Install(MakeLine(2));
        const auto refusal = ErrorOf([&] { fabric->Start(); });
        Says(refusal, "8 bits at 3000000000bps");
        Says(refusal, "also a FlitSize of 3 bytes");
        coarse.SetFabricAttribute("FlitSize", UintegerValue(3));
        fabric = coarse.Install(MakeLine(2));
        fabric->Start();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(), NanoSeconds(8), "24 bits at 3 Gbit/s");
        WormholeHelper distant;
        distant.SetChannelAttribute("Delay", TimeValue(Seconds(1000)));
        fabric = distant.Install(MakeLine(2));
        Says(ErrorOf([&] { fabric->Start(); }), "; accepted are at most 268435455");
        const auto setDelays = [&fabric] {
            for (const auto& port : {fabric->GetSwitch(0)->GetPort(1),
                                     fabric->GetHost(0)->GetPort(),
                                     fabric->GetHost(1)->GetPort()})
            {
                port->GetChannel()->SetAttribute("Delay", TimeValue(NanoSeconds(20)));
            }
        };
        setDelays();
        fabric->Start(); // what did not fit was mended
        Says(ErrorOf(setDelays), "first frame");
        WormholeHelper wrong;
        wrong.SetFabricAttribute("Replication", StringValue("lockstep"));
        fabric = wrong.Install(MakeLine(2));
        Says(ErrorOf([&] { fabric->Start(); }), "async or sync");
        Simulator::Destroy();
    }
};

/**
 * @ingroup wormhole-tests
 * Worms that wait for each other end the run with the cycle.
 */
class DeadlockTestCase : public TestCase
{
  public:
    DeadlockTestCase()
        : TestCase("A deadlock ends the run and names the wait cycle")
    {
    }

  private:
    /// Sends four worms clockwise around a ring of four switches, two links each. @return fabric
    static Ptr<WormholeFabric> FillRing()
    {
        FabricGraph graph(4, 4, 3);
        for (uint32_t s = 0; s < 4; ++s)
        {
            graph.Connect(s, 0, (s + 1) % 4, 1);
            graph.Connect(graph.HostAt(s), 0, s, 2);
        }
        WormholeHelper helper;
        helper.SetPortAttribute("BufferDepth", UintegerValue(2));
        auto fabric = helper.Install(graph);
        auto route = Create<WormRoute>(WormRoute::Path({0, 0, 0, 2}));
        for (uint32_t h = 0; h < 4; ++h)
        {
            fabric->GetHost(h)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 1000, route));
        }
        return fabric;
    }

    /// Notes a report. @param where where @param report it
    static void Note(std::string* where, const std::string& report)
    {
        *where = report;
    }

    void DoRun() override
    {
        NeedPicoseconds();
        Simulator::Destroy();
        auto fabric = FillRing();
        const auto error = ErrorOf([] { Simulator::Run(); });
        NS_TEST_EXPECT_MSG_EQ(error.substr(0, 41),
                              "deadlock, 4 worms wait for each other: wo",
                              error);
        NS_TEST_EXPECT_MSG_NE(error.find("wants output s1:0 held by"), std::string::npos, error);
        NS_TEST_EXPECT_MSG_EQ(error.find("tree worm"), std::string::npos, error);
        Simulator::Destroy();

        FabricGraph graph(2, 12, 7);
        graph.Connect(0, 6, 1, 6);
        for (uint32_t h = 0; h < 12; ++h)
        {
            graph.Connect(graph.HostAt(h), 0, h / 6, h % 6);
        }
        fabric = WormholeHelper().Install(graph);
        for (uint32_t h = 0; h < 12; ++h)
        {
            auto host = fabric->GetHost(h);
            host->Send(Create<Packet>(200), host->GetBroadcast(), 0x88b5);
        }
        const auto broadcasts = ErrorOf([] { Simulator::Run(); });
        NS_TEST_EXPECT_MSG_NE(
            broadcasts.find("is a tree worm, such as a broadcast frame, of 214 flits"),
            std::string::npos,
            broadcasts);
        Simulator::Destroy();

        fabric = FillRing();
        fabric->SetAttribute("ThrowOnDeadlock", BooleanValue(false));
        std::string report;
        fabric->TraceConnectWithoutContext("Deadlock",
                                           MakeBoundCallback(&DeadlockTestCase::Note, &report));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(report, error, "the trace says what the error says");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetCounts().endsLeft, 4, "all four are stuck");
        Simulator::Destroy(); // flits are conserved in a standstill too, or this aborts
    }
};

/**
 * @ingroup wormhole-tests
 * Part of the worms deadlock while others go on moving: found by the watch, not at the end.
 */
class PartialDeadlockTestCase : public TestCase
{
  public:
    PartialDeadlockTestCase()
        : TestCase("A deadlock beside traffic that goes on is found in time")
    {
    }

  private:
    /// Sends a worm between two hosts that have nothing to do with the ring, again and again.
    /// @param fabric the fabric
    static void KeepSending(Ptr<WormholeFabric> fabric)
    {
        auto route = Create<WormRoute>(WormRoute::Path({0, 1}));
        fabric->GetHost(4)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 10, route));
        Simulator::Schedule(MicroSeconds(10), &PartialDeadlockTestCase::KeepSending, fabric);
    }

    void DoRun() override
    {
        NeedPicoseconds();
        Simulator::Destroy();
        // A ring of four switches with a host each, and a fifth with two hosts beside it.
        FabricGraph graph(5, 6, 4);
        for (uint32_t s = 0; s < 4; ++s)
        {
            graph.Connect(s, 0, (s + 1) % 4, 1);
            graph.Connect(graph.HostAt(s), 0, s, 2);
        }
        graph.Connect(4, 2, 0, 3);
        graph.Connect(graph.HostAt(4), 0, 4, 0);
        graph.Connect(graph.HostAt(5), 0, 4, 1);
        WormholeHelper helper;
        helper.SetPortAttribute("BufferDepth", UintegerValue(2));
        auto fabric = helper.Install(graph);
        auto route = Create<WormRoute>(WormRoute::Path({0, 0, 0, 2}));
        for (uint32_t h = 0; h < 4; ++h)
        {
            fabric->GetHost(h)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 1000, route));
        }
        KeepSending(fabric);
        Simulator::Stop(Seconds(1));
        const auto error = ErrorOf([] { Simulator::Run(); });
        NS_TEST_EXPECT_MSG_EQ(error.substr(0, 39),
                              "deadlock, 4 worms wait for each other: ",
                              "no deadlock reported");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(3), "found late");
        Simulator::Destroy();
    }
};

/**
 * @ingroup wormhole-tests
 * Frames go from one node's device to another's, or to all.
 */
class FrameTestCase : public TestCase
{
  public:
    FrameTestCase()
        : TestCase("The network device carries frames to one host and to all")
    {
    }

  private:
    /// @return true, having taken a frame @param device where it arrived @param packet payload
    /// @param protocol its type @param from sender
    bool Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from)
    {
        m_received[device->GetIfIndex() + 10 * device->GetNode()->GetId()] = {packet->GetSize(),
                                                                              protocol};
        m_from = from;
        m_time = Simulator::Now();
        return true;
    }

    void DoRun() override
    {
        NeedPicoseconds();
        Simulator::Destroy();
        FabricGraph graph(1, 3, 4);
        for (uint32_t h = 0; h < 3; ++h)
        {
            graph.Connect(graph.HostAt(h), 0, 0, h);
        }
        auto fabric = WormholeHelper().Install(graph);
        for (uint32_t h = 0; h < 3; ++h)
        {
            fabric->GetHost(h)->SetReceiveCallback(MakeCallback(&FrameTestCase::Receive, this));
        }
        auto sender = fabric->GetHost(0);
        auto to = fabric->GetHost(2)->GetAddress();
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(100), to, 0x0800), true, "sent");
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_received.size(), 1, "one host got it");
        NS_TEST_EXPECT_MSG_EQ(m_received.begin()->second.first, 100, "payload");
        NS_TEST_EXPECT_MSG_EQ(m_received.begin()->second.second, 0x0800, "protocol");
        NS_TEST_EXPECT_MSG_EQ(m_from, sender->GetAddress(), "sender");
        // t_r, flit, p, t_r, 114 flits, p, t_r
        NS_TEST_EXPECT_MSG_EQ(m_time, PicoSeconds(3 * 300'000 + 2 * 20'000 + 115 * 6'250), "time");

        m_received.clear();
        sender->Send(Create<Packet>(10), sender->GetBroadcast(), 0x0806);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_received.size(), 2, "both others got the broadcast");

        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(1501), to, 0x0800), false, "MTU");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(10), sender->GetAddress(), 0x0800),
                              false,
                              "to itself");
        const auto& counts = fabric->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.flitsIn, 114 + 24, "flits in");
        NS_TEST_EXPECT_MSG_EQ(counts.flitsOut, 114 + 2 * 24, "flits out, copies included");
        NS_TEST_EXPECT_MSG_EQ(counts.endsLeft, 0, "nothing is under way");
        Simulator::Destroy();

        Packet packet(0);
        packet.AddHeader(WormHeader(Mac48Address("02:00:00:00:00:01"),
                                    Mac48Address("02:00:00:00:00:02"),
                                    0x86dd));
        WormHeader back;
        NS_TEST_EXPECT_MSG_EQ(packet.RemoveHeader(back), 14, "size of the header");
        NS_TEST_EXPECT_MSG_EQ(back.GetDestination(), Mac48Address("02:00:00:00:00:01"), "to");
        NS_TEST_EXPECT_MSG_EQ(back.GetSource(), Mac48Address("02:00:00:00:00:02"), "from");
        NS_TEST_EXPECT_MSG_EQ(back.GetProtocol(), 0x86dd, "protocol");
    }

    std::map<uint32_t, std::pair<uint32_t, uint16_t>> m_received; ///< size and protocol
    Address m_from;                                               ///< last sender
    Time m_time;                                                  ///< last arrival
};

/**
 * @ingroup wormhole-tests
 * Mistakes in building and using a fabric are refused in one line.
 */
class FabricMistakesTestCase : public RefusingTestCase
{
  public:
    FabricMistakesTestCase()
        : RefusingTestCase("Mistakes are refused with value and place")
    {
    }

  private:
    /// Refuses what is set when a fabric has started, since it has been read.
    void RefuseLate()
    {
        auto fabric = WormholeHelper().Install(MakeLine(2));
        const TimeValue delay(NanoSeconds(40));
        auto host = fabric->GetHost(0);
        auto cable = host->GetPort()->GetChannel();
        cable->SetAttribute("Delay", delay);
        fabric->Start();
        const auto late =
            [&](Ptr<Object> object, const std::string& name, const AttributeValue& to) {
                Says(ErrorOf([&] { object->SetAttribute(name, to); }),
                     object->GetInstanceTypeId().GetName() + "::" + name + " is set after");
            };
        late(cable, "Delay", TimeValue(NanoSeconds(50)));
        TimeValue kept;
        cable->GetAttribute("Delay", kept);
        NS_TEST_EXPECT_MSG_EQ(kept.Get(), delay.Get(), "stays as it was");
        late(host, "Delay", delay);
        late(fabric->GetSwitch(0), "Delay", delay);
        late(host->GetPort(), "BufferDepth", UintegerValue(7));
        late(fabric, "FlitSize", UintegerValue(2));
        late(fabric, "DataRate", StringValue("1Gbps"));
        late(fabric, "FlitTime", delay);
        late(fabric, "Replication", StringValue("sync"));
        late(fabric, "DeadlockCheckInterval", delay);
        fabric->SetAttribute("ThrowOnDeadlock", BooleanValue(false)); // at any time
        Simulator::Destroy();
    }

    /// Refuses what a helper can't build.
    void RefuseByHelper()
    {
        WormholeHelper helper;
        for (const std::string queue : {"ns3::NoQueue", "ns3::Node", "ns3::Queue", "DropTail"})
        {
            Refuses([&] { helper.SetQueue(queue); }, "SetQueue(\"" + queue + "\"): accepted are");
        }
        const StringValue rate("1Gbps");
        Refuses([&] { helper.SetChannelAttribute("DataRate", rate); }, "SetFabricAttribute");
        Refuses([&] { helper.SetDeviceAttribute("DataRate", rate); }, "SetFabricAttribute");
        Refuses([&] { helper.SetDeviceAttribute("Address", rate); }, "of its own");
        Refuses([&] { helper.SetQueue("ns3::DropTailQueue", "Max", StringValue("9p")); }, "Max");
        Refuses([&] { helper.Install("h", "nobody"); }, "no node of the name h");
        Refuses([] { WormholeHelper::EnablePcapSwitch("x", nullptr); }, "no switch is given");
        Refuses([] { MakeLine(2).HostAt(2); }, "there is no host 2; there are 2");
        helper.SetFabricAttribute("DataRate", StringValue("7Mbps"));
        Refuses([&] { helper.Install(MakeLine(2))->Start(); }, "WormholeFabric::FlitSize");
        Simulator::Destroy();

        NodeContainer hosts;
        hosts.Create(2);
        NodeContainer switches;
        switches.Create(1);
        const auto install = [&] { WormholeHelper().Install(MakeLine(2), switches, hosts); };
        switches.Add(switches.Get(0));
        const auto twice = "node " + std::to_string(switches.Get(0)->GetId()) + " is to be a";
        Refuses(install, twice);
        NS_TEST_EXPECT_MSG_EQ(hosts.Get(0)->GetNDevices(), 0, "nothing half done");
        NodeContainer two;
        two.Create(2);
        WormholeHelper().Install(MakeLine(2), two, hosts);
        switches = NodeContainer(two.Get(0));
        switches.Create(1);
        Refuses(install, "is to be a switch twice");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        NeedPicoseconds();
        Simulator::Destroy();
        auto fabric = WormholeHelper().Install(MakeLine(2));
        const auto send = [&](const WormRoute& route, uint64_t flits) {
            return ErrorOf([&] {
                fabric->GetHost(0)->SendWorm(
                    Create<Worm>(Worm::BARE, nullptr, flits, Create<WormRoute>(route)));
            });
        };
        Says(send(WormRoute::Path({3}), 1), "h0: a route leaves by port 3");
        Simulator::Destroy();

        fabric = WormholeHelper().Install(MakeLine(2));
        // The way is settled as far as it is certain, so a worm that ends in a switch without a
        // collective unit is refused when it is sent.
        Says(send(WormRoute::Path({0}), 1), "no collective unit");
        Simulator::Destroy();

        fabric = WormholeHelper().Install(MakeLine(2));
        Says(send(WormRoute::Path({0}), 57), "whose buffer holds 56");
        Simulator::Destroy();

        RefuseLate();
        RefuseByHelper();

        WormholeHelper misrouted;
        misrouted.SetRoutingRoot("s7");
        Says(ErrorOf([&] { misrouted.Install(MakeLine(2)); }), "s7");

        auto device = CreateObject<WormholeNetDevice>();
        Says(ErrorOf([&] {
                 device->SendWorm(
                     Create<Worm>(Worm::BARE, nullptr, 1, Create<WormRoute>(WormRoute::Path({0}))));
             }),
             "in no fabric");

        auto port = CreateObject<WormholeSwitch>()->GetPort(0);
        auto cable = CreateObject<WormholeChannel>();
        Says(ErrorOf([&] { cable->Connect(port, port); }), "to itself");
        Says(ErrorOf([] { WormRoute::Tree({{0}, {1, 2}, {}}); }), "3 stops");
    }
};

/**
 * @ingroup wormhole-tests
 * Tests of model/fabric.
 */
class WormholeFabricTestSuite : public TestSuite
{
  public:
    WormholeFabricTestSuite()
        : TestSuite("wormhole-fabric", TestSuite::Type::UNIT)
    {
        const auto add = [this](const std::string& name, RandomCaseOptions options, uint32_t n) {
            AddTestCase(new OracleTestCase(name, options, n), WORMHOLE_TEST_QUICK);
        };
        add("Oracle: unicast, tree of switches", {0.0, true, false, false}, 150);
        add("Oracle: unicast, general graphs", {0.0, false, false, false}, 150);
        add("Oracle: tree worms, tree of switches, async", {0.6, true, false, false}, 150);
        add("Oracle: tree worms, tree of switches, sync", {0.6, true, true, false}, 150);
        add("Oracle: tree worms, general graphs, async", {0.6, false, false, false}, 150);
        add("Oracle: tree worms, general graphs, sync", {0.6, false, true, false}, 150);
        add("Oracle: tree worms, uneven fabrics, async", {0.5, false, false, true}, 150);
        add("Oracle: tree worms, uneven fabrics, sync", {0.5, true, true, true}, 150);
        AddTestCase(new LoneWormTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new ExactTimeTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new RefusedWormTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new DeadlockTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new PartialDeadlockTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new FrameTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new FabricMistakesTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// The suite.
static WormholeFabricTestSuite g_wormholeFabricTestSuite;
