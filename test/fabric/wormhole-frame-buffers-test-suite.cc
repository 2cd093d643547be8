/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Frames as Ethernet has them: buffers that hold one, short ones, and lost ones.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/boolean.h"
#include "ns3/broadcast-hint.h"
#include "ns3/error-model.h"
#include "ns3/node-container.h"
#include "ns3/pointer.h"
#include "ns3/wormhole-node-state.h"

#include <iostream>
#include <list>

using namespace ns3;

namespace
{

constexpr uint16_t IP_TYPE = 0x0800; ///< Ethernet type

/// @return hosts' interfaces of a new fabric
std::vector<Ptr<WormholeNetDevice>>
MakeHosts(const std::string& topology, const WormholeHelper& helper, uint32_t nHosts)
{
    StartAnew();
    NodeContainer nodes;
    nodes.Create(nHosts);
    const auto devices = helper.Install(topology, nodes);
    std::vector<Ptr<WormholeNetDevice>> hosts;
    for (uint32_t h = 0; h < nHosts; ++h)
    {
        hosts.push_back(DynamicCast<WormholeNetDevice>(devices.Get(h)));
    }
    return hosts;
}

/// What comes of a broadcast of each host.
struct Burst
{
    uint32_t received{0}; ///< frames received
    std::string hint;     ///< what was printed
};

/// @return what comes of a broadcast of each host
Burst
SendBursts(const std::string& topology,
           uint32_t nHosts,
           const WormholeHelper& helper,
           uint32_t bytes)
{
    Burst burst;
    std::ostringstream text;
    const auto before = std::clog.rdbuf(text.rdbuf());
    const auto hosts = MakeHosts(topology, helper, nHosts);
    for (const auto& host : hosts)
    {
        Listen(host, "MacRx", [&](Ptr<const Packet>) { ++burst.received; });
        host->Send(Create<Packet>(bytes), host->GetBroadcast(), IP_TYPE);
    }
    Simulator::Run();
    Simulator::Destroy();
    std::clog.rdbuf(before);
    burst.hint = text.str();
    return burst;
}

} // namespace

class FrameBuffersTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(FrameBuffersTestCase,
                   "Buffers hold a frame of the Mtu, and a hint says where they should");

    void CheckDepths()
    {
        const auto depth = [](const WormholeHelper& helper, bool tellMtu) {
            const auto hosts = MakeHosts("torus:3,hosts=1", helper, 3);
            if (tellMtu)
            {
                hosts[1]->SetMtu(9000);
            }
            hosts[0]->GetFabric()->Start();
            const auto result = hosts[0]->GetPort()->GetState().depth;
            Simulator::Destroy();
            return static_cast<uint32_t>(result);
        };
        WormholeHelper helper;
        NS_TEST_EXPECT_MSG_EQ(depth(helper, false), 56, "the round trip, by default");
        helper.SetFabricAttribute("Buffers", StringValue("frame"));
        NS_TEST_EXPECT_MSG_EQ(depth(helper, false), 1514, "the Mtu and the header");
        NS_TEST_EXPECT_MSG_EQ(depth(helper, true), 9014, "the longest Mtu");
        helper.SetFabricAttribute("FlitSize", UintegerValue(4));
        NS_TEST_EXPECT_MSG_EQ(depth(helper, false), 379, "in flits, rounded up");
        helper.SetPortAttribute("BufferDepth", UintegerValue(77));
        NS_TEST_EXPECT_MSG_EQ(depth(helper, false), 77, "a depth that is given stays");
        WormholeHelper slow;
        slow.SetFabricAttribute("Buffers", StringValue("frame"));
        slow.SetChannelAttribute("Delay", TimeValue(MicroSeconds(10)));
        NS_TEST_EXPECT_MSG_EQ(depth(slow, false), 3249, "the round trip where that is more");
        WormholeHelper wrong;
        Refuses([&] { wrong.SetFabricAttribute("Buffers", StringValue("big")); },
                "ns3::WormholeFabric::Buffers=big: expected round-trip or frame");
        Refuses([] { CreateObject<WormholeFabric>()->SetAttribute("Buffers", StringValue("big")); },
                "Buffers is 'big'; it may be round-trip or frame");
    }

    void DoRun() override
    {
        CheckDepths();
        WormholeHelper frames;
        frames.SetFabricAttribute("Buffers", StringValue("frame"));
        auto burst = SendBursts("mesh:2x2,hosts=2", 8, frames, 1500);
        NS_TEST_EXPECT_MSG_EQ(burst.received, 56, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(burst.hint, "", "nothing to hint at");

        WormholeHelper watched;
        watched.SetFabricAttribute("ThrowOnDeadlock", BooleanValue(false));
        burst = SendBursts("mesh:2x2,hosts=2", 8, watched, 1500);
        NS_TEST_EXPECT_MSG_LT(burst.received, 56, "these wait for each other for ever");
        Says(burst.hint.substr(0, burst.hint.find('\n')), "of 1514 flits, and a switch's buffer");
        Says(burst.hint.substr(0, burst.hint.find('\n')), "set ns3::WormholeFabric::Buffers to");
        NS_TEST_EXPECT_MSG_EQ(std::count(burst.hint.begin(), burst.hint.end(), '\n'),
                              1,
                              "one line a fabric");
        burst = SendBursts("mesh:2x2,hosts=2", 8, watched, 28);
        NS_TEST_EXPECT_MSG_EQ(burst.received, 56, "ARP's frames fit the buffers");
        NS_TEST_EXPECT_MSG_EQ(burst.hint, "", "so that there is nothing to hint at");
        burst = SendBursts("full:1,hosts=5", 5, watched, 1500);
        NS_TEST_EXPECT_MSG_EQ(burst.received, 20, "one switch serves them in order");
        NS_TEST_EXPECT_MSG_EQ(burst.hint, "", "which needs nothing");
        burst = SendBursts("full:2,hosts=1", 2, watched, 1500);
        NS_TEST_EXPECT_MSG_EQ(burst.received, 2, "these two have nothing to share");
        NS_TEST_EXPECT_MSG_EQ(burst.hint, "", "so that two switches alone are no reason");
    }
};

TEST_CASE(PaddingTestCase, "Short frames are padded on the wire, not above it")
{
    WormholeHelper helper;
    helper.SetDeviceAttribute("MinFrameSize", UintegerValue(60));
    const auto hosts = MakeHosts("torus:3", helper, 3);
    std::vector<uint32_t> sniffed;
    std::vector<uint32_t> received;
    Listen(hosts[1], "Sniffer", [&](Ptr<const Packet> frame) {
        sniffed.push_back(frame->GetSize());
    });
    hosts[1]->SetReceiveCallback(
        CallbackOf([&](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&) {
            received.push_back(packet->GetSize());
            return true;
        }));
    const std::vector<uint32_t> wanted{0, 28, 46, 47, 1500};
    for (const auto size : wanted)
    {
        hosts[0]->Send(Create<Packet>(size), hosts[1]->GetAddress(), IP_TYPE);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(received.size(), wanted.size(), "all arrive");
    for (std::size_t i = 0; i < wanted.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(received[i], wanted[i], "as it was sent");
        NS_TEST_EXPECT_MSG_EQ(sniffed[i], std::max(wanted[i] + 14, 60U), "on the wire");
    }
    Simulator::Destroy();
}

TEST_CASE(ReceiveErrorTestCase, "Frames are lost by the error model alone, and told")
{
    constexpr uint32_t SENT = 1000;
    const auto hosts = MakeHosts("torus:3", WormholeHelper(), 3);
    auto list = CreateObject<ReceiveListErrorModel>();
    list->SetList({2, 5, 11});
    hosts[1]->SetReceiveErrorModel(list);
    auto rate = CreateObject<RateErrorModel>();
    rate->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    rate->SetRate(0.1);
    rate->AssignStreams(7);
    hosts[2]->SetAttribute("ReceiveErrorModel", PointerValue(rate));
    uint32_t got[3] = {};
    uint32_t lost[3] = {};
    for (const uint32_t h : {1, 2})
    {
        Listen(hosts[h], "MacRx", [&, h](Ptr<const Packet>) { ++got[h]; });
        Listen(hosts[h], "PhyRxDrop", [&, h](Ptr<const Packet>) { ++lost[h]; });
    }
    for (uint32_t i = 0; i < SENT; ++i)
    {
        // The queue holds a hundred frames.
        Simulator::Schedule(MicroSeconds(20 * i), [host = hosts[0]] {
            host->Send(Create<Packet>(30), host->GetBroadcast(), IP_TYPE);
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(lost[1], 3, "those of the list");
    NS_TEST_EXPECT_MSG_EQ(got[1] + lost[1], SENT, "each arrives or is told");
    NS_TEST_EXPECT_MSG_EQ(got[2] + lost[2], SENT, "each arrives or is told");
    // 0.1 of 1,000 has a standard deviation of 9.5 frames; five of these either way.
    NS_TEST_EXPECT_MSG_EQ_TOL(lost[2], 100U, 47U, "the rate");
    Simulator::Destroy();
}

/// Hosts get a fabric of a text; what can't be is refused before anything is built.
SIMULATION_TEST_CASE(TextInstallTestCase, "A text makes a fabric for nodes, in one rank")
{
    WormholeHelper helper;
    NodeContainer nodes;
    nodes.Create(32, 3);
    const auto devices = helper.Install("torus:4x4,hosts=2", nodes);
    NS_TEST_ASSERT_MSG_EQ(devices.GetN(), 32, "a device for each");
    auto fabric = DynamicCast<WormholeNetDevice>(devices.Get(0))->GetFabric();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNSwitches(), 16, "the switches");
    for (uint32_t i = 0; i < 32; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(devices.Get(i)->GetNode(), nodes.Get(i), "in order");
    }
    const auto rankOf = [](Ptr<WormholeSwitch> fabricSwitch) {
        return fabricSwitch->GetObject<Node>()->GetSystemId();
    };
    NS_TEST_EXPECT_MSG_EQ(rankOf(fabric->GetSwitch(15)), 3, "the hosts' rank");
    NodeContainer two;
    two.Create(2, 1);
    const auto joined = helper.Install(two);
    fabric = DynamicCast<WormholeNetDevice>(joined.Get(0))->GetFabric();
    NS_TEST_EXPECT_MSG_EQ(rankOf(fabric->GetSwitch(0)), 1, "of one switch, too");
    Refuses([&] { helper.Install("torus:4x4", two); },
            "topology 'torus:4x4' has 16 hosts, but 2 nodes were given");
    Refuses([&] { helper.Install("donut:4", two); }, "donut");

    NodeContainer apart;
    apart.Create(1, 0);
    apart.Create(1, 1);
    const auto id = [&](uint32_t i) { return std::to_string(apart.Get(i)->GetId()); };
    Refuses([&] { helper.Install(apart); },
            "(s0) is of rank 0, node " + id(1) + " (h1) is of rank 1; expected a fabric of");
    Refuses([&] { helper.Install("torus:2", apart); }, "across MPI ranks");
    helper.SetFabricAttribute("DataRate", StringValue("3Gbps"));
    Refuses([&] { helper.Install(NodeContainer(two)); }, "8 bits at 3000000000bps");
    WormholeHelper distant;
    distant.SetChannelAttribute("Delay", TimeValue(Seconds(1000)));
    Refuses([&] { distant.Install(two); }, "expected at most 268435455");
    NS_TEST_EXPECT_MSG_EQ(apart.Get(0)->GetNDevices(), 0, "nothing half done");
    NS_TEST_EXPECT_MSG_EQ(two.Get(0)->GetNDevices(), 1, "nothing half done");
}

static ListedTestSuite g_wormholeFrameBuffersTestSuite("wormhole-frame-buffers",
                                                       {new FrameBuffersTestCase,
                                                        new PaddingTestCase,
                                                        new ReceiveErrorTestCase,
                                                        new TextInstallTestCase});
