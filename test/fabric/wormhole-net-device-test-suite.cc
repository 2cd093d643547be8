// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/pointer.h"
#include "ns3/wormhole-node-state.h"

using namespace ns3;

// The network device as other parts of ns-3 see it: queue, flow control, link, traces.
SUITE("wormhole-net-device", UNIT);

namespace
{
void
CountPackets(const Ptr<WormholeNetDevice>& device, const std::string& source, uint32_t& count)
{
    Listen(device, source, [&count](Ptr<const Packet>) { ++count; });
}

constexpr uint32_t PAYLOAD = 1000; ///< bytes of a frame without its header
constexpr uint32_t HEADER = 14;    ///< bytes of its header
constexpr uint16_t IPV4 = 0x0800;  ///< Ethernet type
constexpr int64_t FLIT_PS = 6250;  ///< default flit time, of one byte

// First, since ns-3 can't name packets' headers any more once there was a packet.
TEST_CASE(TraceFileTestCase, "pcap and ascii files of hosts and switches")
{
    // name: name of a pcap file. Returns its number of packets, each of which must be the test's
    // frame
    const auto countPackets = [&](const std::string& name) -> uint32_t {
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
    };
    WormholeHelper helper;
    auto fabric = helper.Install(MakeStar(3));
    const auto name = [&](const std::string& file) { return CreateTempDirFilename(file); };
    helper.EnablePcap(name("sender.pcap"), fabric->GetHost(0), false, true);
    helper.EnablePcap(name("receiver.pcap"), fabric->GetHost(1), true, true);
    helper.EnablePcap(name("other.pcap"), fabric->GetHost(2), true, true);
    WormholeHelper::EnablePcapSwitch(name("switch"), fabric->GetSwitch(0));
    const auto nowhere = name("no/such/folder");
    const auto first = fabric->GetSwitch(0);
    Refuses([&] { helper.EnablePcap(nowhere, fabric->GetHost(0)); }, "expected a name");
    Refuses([&] { helper.EnableAscii(nowhere, fabric->GetHost(0)); }, "expected a name");
    Refuses([&] { WormholeHelper::EnablePcapSwitch(nowhere, first); }, "expected a name");
    AsciiTraceHelper ascii;
    auto stream = ascii.CreateFileStream(name("all.tr"));
    helper.EnableAscii(stream, WormholeHelper::GetDevices(fabric));
    const auto files = "switch-" + std::to_string(first->GetObject<Node>()->GetId()) + "-";
    const auto send = [&] {
        fabric->GetHost(0)->Send(Create<Packet>(PAYLOAD), fabric->GetHost(1)->GetAddress(), IPV4);
    };
    auto losses = CreateObject<ReceiveListErrorModel>();
    losses->SetList({1});
    fabric->GetHost(1)->SetReceiveErrorModel(losses);
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
    NS_TEST_EXPECT_MSG_EQ(countPackets(name("sender.pcap")), 4, "sent");
    NS_TEST_EXPECT_MSG_EQ(countPackets(name("receiver.pcap")), 2, "received");
    NS_TEST_EXPECT_MSG_EQ(countPackets(name("other.pcap")), 0, "not there");
    for (uint32_t port = 0; port < 3; ++port)
    {
        const auto n = countPackets(name(files + std::to_string(port) + ".pcap"));
        NS_TEST_EXPECT_MSG_EQ(n, (port == 1 ? 4 : 0), "switch port " << port);
    }
    std::ifstream file(name("all.tr"));
    std::map<char, uint32_t> lines;
    for (std::string line; std::getline(file, line);)
    {
        ++lines[line[0]];
    }
    NS_TEST_EXPECT_MSG_EQ(lines['+'], 4, "queued");
    NS_TEST_EXPECT_MSG_EQ(lines['-'], 4, "taken from the queue");
    NS_TEST_EXPECT_MSG_EQ(lines['r'], 2, "received");
    NS_TEST_EXPECT_MSG_EQ(lines['d'], 2, "lost, or dropped where the link was down");
}

TEST_CASE(FrameQueueTestCase,
          "Frames wait in a queue, leave at line rate, and stop the stack when it is full")
{
    WormholeHelper helper;
    helper.SetQueueAttribute("MaxSize", QueueSizeValue(QueueSize("4p")));
    auto fabric = helper.Install(MakeStar(3));
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
        const auto gap = arrivals[i] - arrivals[i - 1];
        NS_TEST_EXPECT_MSG_EQ(gap, (PAYLOAD + HEADER) * FLIT_PS, "line rate, frame " << i);
    }
}

TEST_CASE(LinkDownTestCase, "Links go down and up")
{
    auto fabric = WormholeHelper().Install(MakeStar(3));
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
    Holds(!receiver->Send(Create<Packet>(10), sender->GetAddress(), IPV4), "sends nothing");
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
}

TEST_CASE(AddressTestCase, "Addresses may change")
{
    auto fabric = WormholeHelper().Install(MakeStar(3));
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
    const Mac48AddressValue firstToo(Mac48Address::ConvertFrom(first));
    fabric->GetHost(2)->SetAttribute("Address", firstToo);
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
}

// Frames as Ethernet has them: buffers that hold one, short ones, and lost ones.
SUITE("wormhole-frame-buffers", UNIT);

std::vector<Ptr<WormholeNetDevice>>
MakeHosts(const std::string& topology, const WormholeHelper& helper, uint32_t nHosts)
{
    StartAnew();
    NodeContainer nodes(nHosts);
    const auto devices = helper.Install(topology, nodes);
    return MadeOf(MakeRange(nHosts),
                  [&](uint32_t host) { return DynamicCast<WormholeNetDevice>(devices.Get(host)); });
}

struct Burst
{
    uint32_t received{0}; ///< frames received
    std::string hint;     ///< what was printed
};

Burst
SendBursts(const std::string& topology,
           uint32_t nHosts,
           const WormholeHelper& helper,
           uint32_t bytes)
{
    Burst burst;
    burst.hint = PrintedBy(std::clog, [&] {
        const auto hosts = MakeHosts(topology, helper, nHosts);
        for (const auto& host : hosts)
        {
            Listen(host, "MacRx", [&](Ptr<const Packet>) { ++burst.received; });
            host->Send(Create<Packet>(bytes), host->GetBroadcast(), IPV4);
        }
        Simulator::Run();
        Simulator::Destroy();
    });
    return burst;
}

} // namespace

TEST_CASE(FrameBuffersTestCase,
          "Buffers hold a frame of the Mtu, and a hint says where they should")
{
    auto frames = WithFabric({{"Buffers", "frame"}});
    const auto arrives = [this](const std::string& topology,
                                uint32_t nHosts,
                                const WormholeHelper& helper,
                                uint32_t bytes,
                                const std::string& why) {
        const auto burst = SendBursts(topology, nHosts, helper, bytes);
        NS_TEST_EXPECT_MSG_EQ(burst.received, nHosts * (nHosts - 1), why);
        NS_TEST_EXPECT_MSG_EQ(burst.hint, "", why << ": nothing to hint at");
    };
    arrives("mesh:2x2,hosts=2", 8, frames, 1500, "buffers hold a frame");
    auto watched = WithFabric({{"ThrowOnDeadlock", "false"}});
    const auto burst = SendBursts("mesh:2x2,hosts=2", 8, watched, 1500);
    NS_TEST_EXPECT_MSG_LT(burst.received, 56, "these wait for each other for ever");
    Says(burst.hint.substr(0, burst.hint.find('\n')), "of 1514 flits, and a switch's buffer");
    Says(burst.hint.substr(0, burst.hint.find('\n')), "set ns3::WormholeFabric::Buffers to");
    NS_TEST_EXPECT_MSG_EQ(std::count(burst.hint.begin(), burst.hint.end(), '\n'), 1, "one line");
    arrives("mesh:2x2,hosts=2", 8, watched, 28, "ARP's frames fit the buffers");
    arrives("full:1,hosts=5", 5, watched, 1500, "one switch serves them in order");
    arrives("full:2,hosts=1", 2, watched, 1500, "two switches alone are no reason");
}

TEST_CASE(DepthsTestCase, "Depths of buffers by Mtu and Buffers")
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
    auto slow = WithFabric({{"Buffers", "frame"}});
    slow.SetChannelAttribute("Delay", TimeValue(MicroSeconds(10)));
    NS_TEST_EXPECT_MSG_EQ(depth(slow, false), 3249, "the round trip where that is more");
    WormholeHelper wrong;
    Refuses([&] { wrong.SetFabricAttribute("Buffers", StringValue("big")); },
            "ns3::WormholeFabric::Buffers=big: expected round-trip or frame");
    Refuses([] { CreateObject<WormholeFabric>()->SetAttribute("Buffers", StringValue("big")); },
            "Buffers is 'big'; it may be round-trip or frame");
}

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
        hosts[0]->Send(Create<Packet>(size), hosts[1]->GetAddress(), IPV4);
    }
    Simulator::Run();
    Same(received, wanted, "all arrive as they were sent");
    const auto padded = [](uint32_t size) { return std::max(size + 14, 60U); };
    Same(sniffed, MadeOf(wanted, padded), "on the wire");
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
            host->Send(Create<Packet>(30), host->GetBroadcast(), IPV4);
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(lost[1], 3, "those of the list");
    NS_TEST_EXPECT_MSG_EQ(got[1] + lost[1], SENT, "each arrives or is told");
    NS_TEST_EXPECT_MSG_EQ(got[2] + lost[2], SENT, "each arrives or is told");
    // 0.1 of 1,000 has a standard deviation of 9.5 frames; five of these either way.
    NS_TEST_EXPECT_MSG_EQ_TOL(lost[2], 100U, 47U, "the rate");
}

TEST_CASE(TextInstallTestCase, "A text makes a fabric for nodes, in one rank")
{
    WormholeHelper helper;
    NodeContainer nodes(32, 3);
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
    NodeContainer two(2, 1);
    fabric = DynamicCast<WormholeNetDevice>(helper.Install(two).Get(0))->GetFabric();
    NS_TEST_EXPECT_MSG_EQ(rankOf(fabric->GetSwitch(0)), 1, "of one switch, too");
    Refuses([&] { helper.Install("torus:4x4", two); },
            "topology 'torus:4x4' has 16 hosts, but 2 nodes were given");
    Refuses([&] { helper.Install("donut:4", two); }, "donut");

    NodeContainer apart(1, 0);
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
