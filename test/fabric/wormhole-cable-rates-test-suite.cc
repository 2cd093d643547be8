/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rule S10: cables and switches that differ, and how they are told. Times of random cases are
// judged by the flit oracle in the suite wormhole-fabric.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/cable-text.h"
#include "ns3/wormhole-topology-factory.h"

#include <array>

using namespace ns3;

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
SIMULATION_TEST_CASE(LoneWormRatesTestCase,
                     "A lone message over three rates takes what the closed form says, 1 B to 1 GB")
{
    std::vector<std::string> rates{"10Gbps", "100Gbps", "400Gbps"};
    const std::map<std::string, int64_t> taus{{"10Gbps", 800},
                                              {"100Gbps", 80},
                                              {"400Gbps", 20}}; // ps a byte
    do
    {
        const std::array<std::string, 3> on{rates[0], rates[1], rates[2]};
        uint64_t events = 0;
        for (const uint64_t bytes :
             {1ULL, 2ULL, 64ULL, 1000ULL, 65'536ULL, 12'345'678ULL, 1'000'000'000ULL})
        {
            // Two interfaces and two switches of 300 ns, three cables of 20 ns.
            int64_t wanted = 4 * 300'000 + 3 * 20'000;
            int64_t slowest = 0;
            for (const auto& rate : on)
            {
                wanted += taus.at(rate);
                slowest = std::max(slowest, taus.at(rate));
            }
            wanted += static_cast<int64_t>(bytes - 1) * slowest;
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

class PropertiesTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(PropertiesTestCase,
                   "Files, topology texts and helpers tell what cables and switches have");

    /// @return an attribute as text
    static std::string Get(Ptr<Object> object, const std::string& name)
    {
        StringValue value;
        object->GetAttribute(name, value);
        return value.Get();
    }

    static Time GetDelay(Ptr<Object> object)
    {
        TimeValue value;
        object->GetAttribute("Delay", value);
        return value.Get();
    }

    /// Checks a file, and that it is the same when it is written and read again.
    void CheckFile()
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
            WormholeHelper helper;
            helper.SetFabricAttribute("FlitSize", UintegerValue(64));
            auto fabric = helper.Install(ReadFabricFile(file));
            NS_TEST_EXPECT_MSG_EQ(GetDelay(fabric->GetSwitch(0)), NanoSeconds(90), file);
            NS_TEST_EXPECT_MSG_EQ(GetDelay(fabric->GetSwitch(1)), NanoSeconds(300), file);
            const auto host = fabric->GetHost(0)->GetPort();
            NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(*host->GetChannel()),
                                  PicoSeconds(51'200),
                                  "64 bytes at 10 Gbit/s");
            NS_TEST_EXPECT_MSG_EQ(GetDelay(host->GetChannel()), NanoSeconds(10), "2 m, 5 ns each");
            NS_TEST_EXPECT_MSG_EQ(Get(host, "BufferDepth"), "64", "4 KiB of 64 bytes");
            const auto trunk = fabric->GetSwitch(0)->GetPort(1);
            NS_TEST_EXPECT_MSG_EQ(Get(trunk->GetChannel(), "DataRate"), "100000000000bps", file);
            NS_TEST_EXPECT_MSG_EQ(GetDelay(trunk->GetChannel()), NanoSeconds(15), file);
            NS_TEST_EXPECT_MSG_EQ(Get(trunk, "BufferDepth"), "4096", file);
            Simulator::Destroy();
        }
        Refuses(
            [&] {
                WormholeHelper helper;
                helper.SetFabricAttribute("FlitSize", UintegerValue(8192));
                helper.Install(ReadFabricFile(path));
            },
            "a buffer of 4096 bytes at s0:0 or h0:0: expected 1 to 268435455 flits of 8192");
        Simulator::Destroy();
    }

    void CheckTexts()
    {
        const std::string text = "kary-tree:k=2,n=2,rate=100Gbps,uplink-rate=400Gbps,"
                                 "switch-delay=90ns,length=2m,uplink-delay=50ns,depth=64KiB";
        auto fabric = WormholeHelper().Install(MakeTopology(text).graph);
        NS_TEST_EXPECT_MSG_EQ(GetDelay(fabric->GetSwitch(0)), NanoSeconds(90), text);
        const auto host = fabric->GetHost(0)->GetPort();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(*host->GetChannel()),
                              PicoSeconds(80),
                              "1 byte at 100 Gbit/s");
        NS_TEST_EXPECT_MSG_EQ(GetDelay(host->GetChannel()), NanoSeconds(10), text);
        const auto graph = MakeTopology(text).graph;
        const auto up = fabric->GetSwitch(0)->GetPort(graph.PortsToSwitches(0)[0]);
        NS_TEST_EXPECT_MSG_EQ(Get(up->GetChannel(), "DataRate"), "400000000000bps", text);
        NS_TEST_EXPECT_MSG_EQ(GetDelay(up->GetChannel()), NanoSeconds(50), text);
        NS_TEST_EXPECT_MSG_EQ(Get(up, "BufferDepth"), "65536", text);
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
        const auto between = properties.FindCable({0, mixed.PortsToSwitches(0)[0]});
        rates.insert(between->rate->GetBitRate());
        NS_TEST_EXPECT_MSG_EQ(rates.count(1'000'000'000), 2, "first and third of three cables");
        NS_TEST_EXPECT_MSG_EQ(rates.count(2'000'000'000), 1, "the second one");
    }

    /// Checks rates that take the nearest flit time, of all cables and of some.
    void CheckNearest()
    {
        for (const auto& [bytes, flitTime] : {std::pair<uint64_t, int64_t>(1, 147), {64, 9387}})
        {
            for (const auto* entry : {"rate=~54545454545bps", "uplink-rate=~54.5454545454Gbps"})
            {
                const auto text = std::string("full:2,hosts=1,") + entry;
                const auto graph = MakeTopology(text).graph;
                WormholeHelper helper;
                helper.SetFabricAttribute("FlitSize", UintegerValue(bytes));
                auto fabric = helper.Install(graph);
                const auto up = fabric->GetSwitch(0)->GetPort(graph.PortsToSwitches(0)[0]);
                NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(*up->GetChannel()),
                                      PicoSeconds(flitTime),
                                      text << ", flits of " << bytes << " bytes");
                const auto cable = graph.GetProperties().GetCable({0, graph.PortsToSwitches(0)[0]});
                NS_TEST_EXPECT_MSG_EQ(CableText::Print(cable)[0].second, "~54545454545bps", text);
                Simulator::Destroy();
            }
        }
        Refuses([] { WormholeHelper().Install(MakeTopology("full:2,rate=~2400Gbps").graph); },
                "the nearest flit time is more than 1 % off");
        Refuses([] { MakeTopology("full:2,rate=~"); }, "expected a data rate");
    }

    /// Checks the helper's choice of cables.
    void CheckHelper()
    {
        const auto graph = MakeLine(3);
        WormholeHelper helper;
        helper.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        helper.SetChannelAttribute("DataRate",
                                   StringValue("10Gbps"),
                                   [](const FabricGraph& of, FabricGraph::End end) {
                                       const auto far = of.Peer(end.node, end.port).node;
                                       return of.IsSwitch(end.node) && of.IsSwitch(far);
                                   });
        helper.SetChannelAttribute("Delay",
                                   StringValue("7ns"),
                                   std::vector<FabricGraph::End>{{graph.HostAt(1), 0}});
        auto fabric = helper.Install(graph);
        const auto trunk = fabric->GetSwitch(1)->GetPort(graph.PortsToSwitches(1)[0]);
        NS_TEST_EXPECT_MSG_EQ(Get(trunk->GetChannel(), "DataRate"), "10000000000bps", "some");
        const auto first = fabric->GetHost(0)->GetPort()->GetChannel();
        const auto last = fabric->GetHost(1)->GetPort()->GetChannel();
        NS_TEST_EXPECT_MSG_EQ(Get(first, "DataRate"), "1000000000bps", "the others");
        NS_TEST_EXPECT_MSG_EQ(GetDelay(first), NanoSeconds(20), "the others");
        NS_TEST_EXPECT_MSG_EQ(GetDelay(last), NanoSeconds(7), "one");
        Simulator::Destroy();
        helper.SetChannelAttribute("Delay",
                                   StringValue("7ns"),
                                   std::vector<FabricGraph::End>{{99, 0}});
        Refuses([&] { helper.Install(graph); }, "port 0 of node 99 has no cable");
        Refuses([&] { helper.SetChannelAttribute("Speed", StringValue("1"), nullptr); }, "Speed");
        Simulator::Destroy();
    }

    /// Checks flit times that can't be.
    void CheckFlitTimes()
    {
        WormholeHelper helper;
        helper.SetFabricAttribute("DataRate", StringValue("3Gbps"));
        const auto refusal =
            ErrorOf([&] { helper.Install(MakeThreeRates({"7Gbps", "100Gbps", "100Gbps"})); });
        // 3 bytes at 3 Gbit/s and 7 at 7 Gbit/s take 8 ns, so 21 bytes do for both.
        Says(refusal, "also a FlitSize of 21 bytes");
        Simulator::Destroy();
        helper.SetFabricAttribute("FlitSize", UintegerValue(21));
        helper.Install(MakeThreeRates({"7Gbps", "100Gbps", "100Gbps"}))->Start();
        Simulator::Destroy();

        const auto most = static_cast<uint32_t>(FlitTimesMost());
        for (const auto hosts : {most, most + 1})
        {
            FabricGraph graph(1, hosts, hosts);
            for (uint32_t h = 0; h < hosts; ++h)
            {
                graph.Connect(0, static_cast<FabricGraph::Port>(h), graph.HostAt(h), 0);
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

    /// @return number of different flit times that a fabric may have, as its documentation says
    static std::size_t FlitTimesMost()
    {
        return 256;
    }

    void DoRun() override
    {
        CheckFile();
        CheckTexts();
        CheckNearest();
        CheckHelper();
        CheckFlitTimes();
    }
};

static ListedTestSuite g_cableRatesTestSuite("wormhole-cable-rates",
                                             {new LoneWormRatesTestCase, new PropertiesTestCase});
