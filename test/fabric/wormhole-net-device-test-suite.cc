/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The network device as other parts of ns-3 see it: queue, flow control, link, traces.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/pcap-file.h"
#include "ns3/queue-size.h"
#include "ns3/trace-helper.h"

#include <array>

using namespace ns3;

namespace
{

/// @return a fabric of one switch and three hosts
Ptr<WormholeFabric>
MakeFabric(const WormholeHelper& helper)
{
    NeedPicoseconds();
    Simulator::Destroy();
    return helper.Install(MakeStar(3));
}

/// Counts how often a trace source of packets fires.
void
CountPackets(const Ptr<WormholeNetDevice>& device, const std::string& source, uint32_t& count)
{
    Listen(device, source, [&count](Ptr<const Packet>) { ++count; });
}

constexpr uint32_t PAYLOAD = 1000; ///< bytes of a frame without its header
constexpr uint32_t HEADER = 14;    ///< bytes of its header
constexpr uint16_t IPV4 = 0x0800;  ///< Ethernet type
constexpr int64_t FLIT_PS = 6250;  ///< default flit time, of one byte

} // namespace

TEST_CASE(FrameQueueTestCase,
          "Frames wait in a queue, leave at line rate, and stop the stack when it is full")
{
    WormholeHelper helper;
    helper.SetQueueAttribute("MaxSize", QueueSizeValue(QueueSize("4p")));
    auto fabric = MakeFabric(helper);
    auto sender = fabric->GetHost(0);
    auto receiver = fabric->GetHost(1);
    std::vector<int64_t> arrivals;
    receiver->SetReceiveCallback(
        CallbackOf([&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
            arrivals.push_back(Simulator::Now().GetTimeStep());
            return true;
        }));
    uint32_t dropped = 0;
    CountPackets(sender, "MacTxDrop", dropped);
    auto stack = sender->GetObject<NetDeviceQueueInterface>();
    NS_TEST_ASSERT_MSG_NE(stack, nullptr, "flow control is on by default");
    uint32_t woken = 0;
    stack->GetTxQueue(0)->SetWakeCallback(CallbackOf([&] { ++woken; }));
    const auto send = [&]() {
        return sender->Send(Create<Packet>(PAYLOAD), receiver->GetAddress(), IPV4);
    };
    for (uint32_t i = 0; i < 5; ++i) // one for the interface, four in the queue
    {
        NS_TEST_EXPECT_MSG_EQ(stack->GetTxQueue(0)->IsStopped(), false, "there is room " << i);
        NS_TEST_EXPECT_MSG_EQ(send(), true, "taken " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(stack->GetTxQueue(0)->IsStopped(), true, "the queue is full");
    NS_TEST_EXPECT_MSG_EQ(send(), false, "no room");
    NS_TEST_EXPECT_MSG_EQ(dropped, 1, "the one too many");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(woken, 1, "the stack is told once that there is room again");
    NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 5, "all that were taken arrive");
    for (std::size_t i = 1; i < arrivals.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(arrivals[i] - arrivals[i - 1],
                              (PAYLOAD + HEADER) * FLIT_PS,
                              "line rate, frame " << i);
    }
    Simulator::Destroy();
}

/// A link that is down carries no frames and says so.
TEST_CASE(LinkDownTestCase, "Links go down and up")
{
    auto fabric = MakeFabric(WormholeHelper());
    auto sender = fabric->GetHost(0);
    auto receiver = fabric->GetHost(1);
    uint32_t changes = 0;
    receiver->AddLinkChangeCallback(CallbackOf([&] { ++changes; }));
    uint32_t lost = 0;
    uint32_t got = 0;
    CountPackets(receiver, "MacRxDrop", lost);
    CountPackets(receiver, "MacRx", got);
    receiver->SetLinkUp(false);
    receiver->SetLinkUp(false);
    NS_TEST_EXPECT_MSG_EQ(receiver->IsLinkUp(), false, "down");
    NS_TEST_EXPECT_MSG_EQ(changes, 1, "told once");
    NS_TEST_EXPECT_MSG_EQ(receiver->Send(Create<Packet>(10), sender->GetAddress(), IPV4),
                          false,
                          "sends nothing");
    sender->Send(Create<Packet>(10), receiver->GetAddress(), IPV4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(lost, 1, "takes nothing");
    receiver->SetLinkUp(true);
    NS_TEST_EXPECT_MSG_EQ(receiver->IsLinkUp(), true, "up");
    NS_TEST_EXPECT_MSG_EQ(changes, 2, "told again");
    sender->Send(Create<Packet>(10), receiver->GetAddress(), IPV4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(got, 1, "takes frames again");

    uint32_t dropped = 0;
    CountPackets(sender, "MacTxDrop", dropped);
    for (int i = 0; i < 3; ++i) // one for the interface, two for the queue
    {
        sender->Send(Create<Packet>(10), receiver->GetAddress(), IPV4);
    }
    sender->SetLinkUp(false);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(dropped, 2, "those in the queue do not leave any more");
    NS_TEST_EXPECT_MSG_EQ(got, 2, "the one handed over does");
    Simulator::Destroy();
}

/// Frames go to whoever has an address when they are sent.
SIMULATION_TEST_CASE(AddressTestCase, "Addresses may change")
{
    auto fabric = MakeFabric(WormholeHelper());
    std::array<uint32_t, 3> got{};
    for (uint32_t host = 0; host < 3; ++host)
    {
        CountPackets(fabric->GetHost(host), "MacRx", got[host]);
    }
    const auto send = [&](const Address& to) {
        fabric->GetHost(0)->Send(Create<Packet>(10), to, IPV4);
        Simulator::Run();
    };
    const auto first = fabric->GetHost(1)->GetAddress();
    const auto second = Mac48Address("02:00:00:00:00:77");
    send(first);
    NS_TEST_EXPECT_MSG_EQ(got[1], 1, "the first address");
    fabric->GetHost(1)->SetAddress(second);
    send(first);
    NS_TEST_EXPECT_MSG_EQ(got[1], 1, "nobody has it any more");
    send(second);
    NS_TEST_EXPECT_MSG_EQ(got[1], 2, "the new address");
    fabric->GetHost(2)->SetAttribute("Address",
                                     Mac48AddressValue(Mac48Address::ConvertFrom(first)));
    send(first);
    NS_TEST_EXPECT_MSG_EQ(got[1], 2, "another host has it");
    NS_TEST_EXPECT_MSG_EQ(got[2], 1, "that one");

    uint32_t dropped = 0;
    CountPackets(fabric->GetHost(0), "MacTxDrop", dropped);
    for (int i = 0; i < 3; ++i) // one for the interface, two for the queue
    {
        fabric->GetHost(0)->Send(Create<Packet>(10), first, IPV4);
    }
    fabric->GetHost(0)->SetAddress(first); // so they would come back to their sender
    fabric->GetHost(2)->SetAddress(Mac48Address("02:00:00:00:00:78"));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(dropped, 2, "those in the queue");

    fabric->GetHost(2)->SetAddress(second);
    Refuses([&] { send(first); }, "h1 and h2 both have the address 02:00:00:00:00:77");
    fabric->GetHost(2)->SetAddress(Mac48Address::GetBroadcast());
    Refuses([&] { send(first); }, "h2 has the address ff:ff:ff:ff:ff:ff");
    Refuses([&] { fabric->GetHost(3); }, "host 3: this fabric has 3");
    Refuses([&] { fabric->GetSwitch(1); }, "switch 1: this fabric has 1");
    Refuses([&] { fabric->AddHost(CreateObject<WormholeNetDevice>()); }, "has started");
    Refuses([&] { fabric->AddSwitch(CreateObject<WormholeSwitch>()); }, "has started");
    Refuses([&] { fabric->AddChannel(CreateObject<WormholeChannel>()); }, "has started");
    Simulator::Destroy();
}

/// Trace files hold the frames, with Ethernet's link type.
class TraceFileTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(TraceFileTestCase, "pcap and ascii files of hosts and switches");

    /// @param name name of a pcap file
    /// @return its number of packets, each of which must be the test's frame
    uint32_t CountPackets(const std::string& name)
    {
        PcapFile file;
        file.Open(name, std::ios::in);
        NS_TEST_EXPECT_MSG_EQ(file.Fail(), false, name << " is a pcap file");
        NS_TEST_EXPECT_MSG_EQ(file.GetDataLinkType(), 1, "Ethernet");
        uint32_t n = 0;
        uint8_t data[2048];
        uint32_t seconds;
        uint32_t micros;
        uint32_t included;
        uint32_t original;
        uint32_t read;
        for (;; ++n)
        {
            file.Read(data, sizeof(data), seconds, micros, included, original, read);
            if (file.Fail() || file.Eof())
            {
                return n;
            }
            NS_TEST_EXPECT_MSG_EQ(original, PAYLOAD + HEADER, "length");
            NS_TEST_EXPECT_MSG_EQ((data[12] << 8 | data[13]), IPV4, "Ethernet type");
        }
    }

    void DoRun() override
    {
        WormholeHelper helper;
        auto fabric = MakeFabric(helper);
        const auto name = [&](const std::string& file) { return CreateTempDirFilename(file); };
        helper.EnablePcap(name("sender.pcap"), fabric->GetHost(0), false, true);
        helper.EnablePcap(name("receiver.pcap"), fabric->GetHost(1), true, true);
        helper.EnablePcap(name("other.pcap"), fabric->GetHost(2), true, true);
        WormholeHelper::EnablePcapSwitch(name("switch"), fabric->GetSwitch(0));
        const auto nowhere = name("no/such/folder");
        Refuses([&] { helper.EnablePcap(nowhere, fabric->GetHost(0)); }, "expected a name");
        Refuses([&] { helper.EnableAscii(nowhere, fabric->GetHost(0)); }, "expected a name");
        Refuses([&] { WormholeHelper::EnablePcapSwitch(nowhere, fabric->GetSwitch(0)); },
                "expected a name");
        AsciiTraceHelper ascii;
        auto stream = ascii.CreateFileStream(name("all.tr"));
        helper.EnableAscii(stream, WormholeHelper::GetDevices(fabric));
        const auto node = fabric->GetSwitch(0)->GetObject<Node>()->GetId();
        const auto send = [&] {
            fabric->GetHost(0)->Send(Create<Packet>(PAYLOAD),
                                     fabric->GetHost(1)->GetAddress(),
                                     IPV4);
        };
        for (uint32_t i = 0; i < 3; ++i)
        {
            send();
        }
        Simulator::Run();
        fabric->GetHost(1)->SetLinkUp(false);
        send();
        Simulator::Run();
        Simulator::Destroy();
        *stream->GetStream() << std::flush;
        NS_TEST_EXPECT_MSG_EQ(CountPackets(name("sender.pcap")), 4, "sent");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(name("receiver.pcap")), 3, "received");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(name("other.pcap")), 0, "not there");
        for (uint32_t port = 0; port < 3; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(CountPackets(name("switch-" + std::to_string(node) + "-" +
                                                    std::to_string(port) + ".pcap")),
                                  (port == 1 ? 4 : 0),
                                  "switch port " << port);
        }
        std::ifstream file(name("all.tr"));
        std::map<char, uint32_t> lines;
        for (std::string line; std::getline(file, line);)
        {
            ++lines[line[0]];
        }
        NS_TEST_EXPECT_MSG_EQ(lines['+'], 4, "queued");
        NS_TEST_EXPECT_MSG_EQ(lines['-'], 4, "taken from the queue");
        NS_TEST_EXPECT_MSG_EQ(lines['r'], 3, "received");
        NS_TEST_EXPECT_MSG_EQ(lines['d'], 1, "dropped where the link was down");
    }
};

TEST_SUITE(WormholeNetDeviceTestSuite, "wormhole-net-device", UNIT)
{
    // First, since ns-3 can't name packets' headers any more once there was a packet.
    AddTestCase(new TraceFileTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new FrameQueueTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new LinkDownTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new AddressTestCase, WORMHOLE_TEST_QUICK);
}
