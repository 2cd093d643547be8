/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/run-engine.h"
#include "ns3/wormhole-exact-time.h"

using namespace ns3;

SIMULATION_TEST_CASE(RefusedWormTestCase, "Worms that cannot be are refused")
{
    const auto fabric = WormholeHelper().Install(MakeLine(2));
    const auto host = fabric->GetHost(0);
    uint32_t arrived = 0;
    fabric->GetHost(1)->SetReceiver(Worm::RAW, CallbackOf([&](Ptr<const Worm>) { ++arrived; }));
    const auto send = [&](uint64_t flits, const std::vector<uint16_t>& ports, Worm::Kind kind) {
        const auto route = Create<WormRoute>(WormRoute::Path(ports));
        host->SendWorm(Create<Worm>(kind, nullptr, flits, route));
    };
    const std::vector<uint16_t> way{0, 1, 2};
    Refuses([&] { send(5, {}, Worm::RAW); }, "h0 is to send a worm without a route");
    Refuses([&] { host->SendWorm(MakeWorm(5, nullptr)); }, "without a route");
    Refuses([&] { send(0, way, Worm::RAW); }, "of 0 flits; expected 1 to");
    Refuses([&] { send(1ULL << 63, way, Worm::RAW); }, "expected 1 to");
    Refuses([&] { send(5, way, Worm::FRAME); }, "without a packet");
    Refuses([&] { send(5, {3, 1, 2}, Worm::RAW); }, "h0: a route leaves by port 3");
    Refuses([&] { SendWorm(*fabric, 0, 1, 5, NanoSeconds(-1000)); }, "a time that has passed");
    send(5, way, Worm::RAW);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(arrived, 1, "what can be arrives");
    send(5, {0, 1, 2, 0}, Worm::RAW);
    Refuses([] { Simulator::Run(); }, "h1: a route goes on beyond this host");
    NS_TEST_EXPECT_MSG_EQ(arrived, 1, "and nothing else does");
}

/// Times that are no whole number of time units are refused, and say what they need.
class ExactTimeTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(ExactTimeTestCase, "Times are exact or refused");

    /// Reads what ns3::Time prints, and what attributes do.
    void ReadPrinted()
    {
        for (const int64_t steps : {int64_t{0},
                                    int64_t{1},
                                    int64_t{6250},
                                    int64_t{1'000'000'000},
                                    int64_t{123'000'000'000}})
        {
            for (const auto unit : {Time::PS, Time::NS, Time::US, Time::MS, Time::S, Time::MIN})
            {
                const auto exponent = unit == Time::MIN ? 60 : 1; // in steps that six digits hold
                std::ostringstream text;
                text << (TimeStep(steps) * exponent).As(unit);
                NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse(text.str()),
                                      TimeStep(steps) * exponent,
                                      text.str());
            }
        }
        for (const auto& [text, time] :
             std::vector<std::pair<std::string, Time>>{{"+1e+06ns", MilliSeconds(1)},
                                                       {"1e3ns", MicroSeconds(1)},
                                                       {"1.5e-3us", PicoSeconds(1500)},
                                                       {"+6.25e+00ns", PicoSeconds(6250)},
                                                       {"1e-12s", PicoSeconds(1)},
                                                       {"0.000001000e6s", Seconds(1)},
                                                       {"0e99s", Time(0)},
                                                       {"+0.5min", Seconds(30)},
                                                       {"0.25h", Seconds(900)},
                                                       {"1e-5d", MilliSeconds(864)}})
        {
            NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse(text), time, text);
        }
        for (const auto text :
             {"1ens", "1e+ns", "e3ns", "1e99s", "1e4s", "2h", "1d", "1e3", "1e3 ns"})
        {
            Says(ErrorOf([text] { ExactTime::Parse(text); }), "is no time");
        }
        Says(ErrorOf([] { ExactTime::Parse("1e-13s"); }), "Time::SetResolution(Time::FS)");

        const auto exact = PicoSeconds(1'234'567'890'123);
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Print(exact), "1.234567890123s", "to the last digit");
        auto fabricSwitch = CreateObject<WormholeSwitch>();
        fabricSwitch->SetAttribute("Delay", TimeValue(exact));
        StringValue text;
        fabricSwitch->GetAttribute("Delay", text);
        NS_TEST_EXPECT_MSG_EQ(text.Get(), "1.234567890123s", "as an attribute's text");
        fabricSwitch->SetAttribute("Delay", text);
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetDelay(), exact, "which sets the same again");
    }

    void DoRun() override
    {
        ReadPrinted();
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
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse("3600.000s"), Seconds(3600), "an hour");
        Says(ErrorOf([] { ExactTime::Parse("3600.001s"); }), "is no time");
        Says(ErrorOf([] { ExactTime::Parse("60.5min"); }), "is no time");
        for (const auto text : {"", "ns", "1", "-1ns", "1.2.3ns", "1 ns", "5000h"})
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
             "a time of 0ps is too short; expected 1ps at least");
        Says(ErrorOf([&] { helper.SetChannelAttribute("Delay", TimeValue(Time(0))); }),
             "too short");
        Says(ErrorOf([&] { helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(-1))); }),
             "a time of -1ps is too short; expected 0ps at least");
        WormholeHelper coarse;
        coarse.SetFabricAttribute("DataRate", StringValue("3Gbps"));
        const auto refusal = ErrorOf([&] { coarse.Install(MakeLine(2)); });
        Says(refusal, "8 bits at 3000000000bps");
        Says(refusal, "also a FlitSize of 3 bytes");
        coarse.SetFabricAttribute("FlitSize", UintegerValue(3));
        auto fabric = coarse.Install(MakeLine(2));
        fabric->Start();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(), NanoSeconds(8), "24 bits at 3 Gbit/s");
        fabric = WormholeHelper().Install(MakeLine(2));
        const auto setDelays = [&fabric](Time delay) {
            for (const auto& port : {fabric->GetSwitch(0)->GetPort(1),
                                     fabric->GetHost(0)->GetPort(),
                                     fabric->GetHost(1)->GetPort()})
            {
                port->GetChannel()->SetAttribute("Delay", TimeValue(delay));
            }
        };
        setDelays(Seconds(1000));
        Says(ErrorOf([&] { fabric->Start(); }), "; expected at most 268435455");
        setDelays(NanoSeconds(20));
        fabric->Start(); // what did not fit was mended
        Says(ErrorOf([&] { setDelays(NanoSeconds(20)); }), "first frame");
        WormholeHelper wrong;
        Says(ErrorOf([&] { wrong.SetFabricAttribute("Replication", StringValue("lockstep")); }),
             "expected async or sync");
    }
};

class FabricMistakesTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(FabricMistakesTestCase, "Mistakes are refused with value and place");

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
            Refuses([&] { helper.SetQueue(queue); }, "SetQueue(\"" + queue + "\"): expected");
        }
        const StringValue rate("1Gbps");
        Refuses([&] { helper.SetDeviceAttribute("DataRate", rate); }, "SetFabricAttribute");
        Refuses([&] { helper.SetDeviceAttribute("Address", rate); }, "of its own");
        Refuses([&] { helper.SetQueue("ns3::DropTailQueue", "Max", StringValue("9p")); }, "Max");
        Refuses([&] { helper.Install("h", "nobody"); }, "no node of the name h");
        Refuses([] { WormholeHelper::EnablePcapSwitch("x", nullptr); }, "no switch is given");
        Refuses([] { MakeLine(2).HostAt(2); }, "there is no host 2; there are 2");
        helper.SetFabricAttribute("DataRate", StringValue("7Mbps"));
        Refuses([&] { helper.Install(MakeLine(2)); }, "WormholeFabric::FlitSize");
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
        auto fabric = WormholeHelper().Install(MakeLine(2));
        const auto send = [&](const WormRoute& route, uint64_t flits) {
            return ErrorOf([&] { fabric->GetHost(0)->SendWorm(MakeWorm(flits, route)); });
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
        Says(ErrorOf([&] { device->SendWorm(MakeWorm(1, WormRoute::Path({0}))); }), "in no fabric");

        auto port = CreateObject<WormholeSwitch>()->GetPort(0);
        auto cable = CreateObject<WormholeChannel>();
        Says(ErrorOf([&] { cable->Connect(port, port); }), "to itself");
        Says(ErrorOf([] { WormRoute::Tree({{0}, {1, 2}, {}}); }), "3 stops");
    }
};

/// Times that 64 bits can't hold are refused where they come in, and are right up to there.
SIMULATION_TEST_CASE(LastTimeTestCase, "Times are right or refused, up to the last one")
{
    WormholeHelper helper;
    helper.SetFabricAttribute("FlitTime", TimeValue(Seconds(3600)));
    helper.SetPortAttribute("BufferDepth", UintegerValue(161));
    const auto fabric = helper.Install(MakeLine(2));
    Refuses([&] { fabric->Start(); },
            "a buffer of 161 flits takes 579600s; expected at most 576460.");

    // Returns how long a worm of two flits takes over five switches
    const auto send = [](Time wait) {
        return SendLoneWorm(WormholeHelper(), MakeLine(5), 2, wait).arrived - wait;
    };
    const auto alone = send(Time(0));
    NS_TEST_EXPECT_MSG_GT(alone, MicroSeconds(1), "a worm takes its time");
    const auto last = TimeStep(TimeLimit::LATEST);
    NS_TEST_EXPECT_MSG_EQ(send(last - alone), alone, "the same just before the limit");
    Refuses([&] { send(last - MicroSeconds(1)); },
            "after 2305843.009213693952s, the last time that fabrics know");
    Refuses([&] { send(last + TimeStep(1)); }, "h0 is to send a worm too late; the last time");
    Refuses([&] { send(Time::Max()); }, "h0 is to send a worm too late; the last time");
    Simulator::Destroy();
}

static ListedTestSuite g_wormholeFabricMistakesTestSuite("wormhole-fabric-mistakes",
                                                         {new ExactTimeTestCase,
                                                          new RefusedWormTestCase,
                                                          new LastTimeTestCase,
                                                          new FabricMistakesTestCase});
