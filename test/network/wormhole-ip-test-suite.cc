// SPDX-License-Identifier: GPL-2.0-only

// The Internet's protocols over a fabric: address resolution, rates, fragments, flow control.

#include "../test-fabrics.h"

#include "ns3/arp-cache.h"
#include "ns3/bridge-helper.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ndisc-cache.h"
#include "ns3/olsr-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 1500;           ///< bytes, of a WormholeNetDevice by default
constexpr uint32_t FRAME_HEADER = 14;    ///< bytes, of its frames
constexpr uint32_t UDP_HEADER = 8;       ///< bytes
constexpr uint32_t TCP_HEADER = 20 + 12; ///< bytes, with ns-3's time stamps
constexpr uint16_t PORT = 4000;          ///< of all receivers in these tests
constexpr double LINE_RATE = 1280e6;     ///< bit/s, of a fabric by default

/// Hosts of a fabric, each with IPv4 and IPv6.
class IpNetwork
{
  public:
    /// @param queueDisc type of the queue discs; empty: ns-3's default
    explicit IpNetwork(uint32_t nHosts,
                       const std::string& queueDisc = "",
                       const WormholeHelper& helper = WormholeHelper())
    {
        StartAnew();
        // Hosts ask for others' addresses at once; ns-3 else waits up to 10 ms, and drops
        // meanwhile.
        const StringValue none("ns3::ConstantRandomVariable[Constant=0]");
        Config::SetDefault("ns3::ArpL3Protocol::RequestJitter", none);
        Config::SetDefault("ns3::Icmpv6L4Protocol::SolicitationJitter", none);
        nodes.Create(nHosts);
        devices = helper.Install(nodes);
        InternetStackHelper().Install(nodes);
        if (!queueDisc.empty())
        {
            TrafficControlHelper control;
            control.SetRootQueueDisc(queueDisc);
            queueDiscs = control.Install(devices);
        }
        Ipv4AddressHelper v4Addresses("10.1.0.0", "255.255.255.0");
        v4 = v4Addresses.Assign(devices);
        Ipv6AddressHelper v6Addresses(Ipv6Address("fd00:1::"), Ipv6Prefix(64));
        v6 = v6Addresses.Assign(devices);
    }

    Address At(uint32_t host, int version) const
    {
        return version == 4 ? Address(InetSocketAddress(v4.GetAddress(host), PORT))
                            : Address(Inet6SocketAddress(v6.GetAddress(host, 1), PORT));
    }

    /// @return an application that takes what comes to PORT @param protocol "Udp" or "Tcp"
    static Ptr<PacketSink> Sink(Ptr<Node> node, const std::string& protocol, int version)
    {
        const auto any = version == 4 ? Address(InetSocketAddress(Ipv4Address::GetAny(), PORT))
                                      : Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT));
        auto applications =
            PacketSinkHelper("ns3::" + protocol + "SocketFactory", any).Install(node);
        applications.Start(Seconds(0));
        return DynamicCast<PacketSink>(applications.Get(0));
    }

    static std::vector<Ptr<PacketSink>> UdpSinks(const NodeContainer& nodes, int version)
    {
        return MadeOf(MakeRange(nodes.GetN()),
                      [&](uint32_t host) { return Sink(nodes.Get(host), "Udp", version); });
    }

    static uint32_t IpHeader(int version)
    {
        return version == 4 ? 20 : 40;
    }

    Ptr<WormholeNetDevice> Device(uint32_t host) const
    {
        return DynamicCast<WormholeNetDevice>(devices.Get(host));
    }

    NodeContainer nodes;           ///< the hosts
    NetDeviceContainer devices;    ///< their interfaces
    QueueDiscContainer queueDiscs; ///< their queue discs, if a type was given
    Ipv4InterfaceContainer v4;     ///< their IPv4 addresses
    Ipv6InterfaceContainer v6;     ///< their IPv6 addresses
};

/// Measures how fast an application takes bytes, from a time on when all have settled.
struct RateMeter
{
    RateMeter(Ptr<PacketSink> sink, Time from, Time to)
        : seconds((to - from).GetSeconds())
    {
        Simulator::Schedule(from, [this, sink] { bytes -= sink->GetTotalRx(); });
        Simulator::Schedule(to, [this, sink] { bytes += sink->GetTotalRx(); });
    }

    double Get() const
    {
        return 8.0 * static_cast<double>(bytes) / seconds;
    }

    double seconds;    ///< how long it measures
    uint64_t bytes{0}; ///< that came meanwhile
};

SUITE("wormhole-ip", SYSTEM);

const Time START = Seconds(2); ///< when senders begin; IPv6 has proved its addresses unique by then

/// Notes how long the packets are for which a trace source fires.
void
NoteSizes(const Ptr<NetDevice>& device, const std::string& source, std::vector<uint32_t>& sizes)
{
    Listen(device, source, [&](Ptr<const Packet> packet) { sizes.push_back(packet->GetSize()); });
}

void
SendDatagram(Ptr<Node> node, const Address& to, uint32_t bytes, Time wait)
{
    Simulator::Schedule(wait, [=] {
        auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        socket->SetAllowBroadcast(true);
        Inet6SocketAddress::IsMatchingType(to) ? socket->Bind6() : socket->Bind();
        socket->BindToNetDevice(node->GetDevice(0)); // the fabric's
        socket->SendTo(Create<Packet>(bytes), 0, to);
    });
}

void
SendDatagrams(const IpNetwork& network, int version, double rate)
{
    OnOffHelper sender("ns3::UdpSocketFactory", network.At(1, version));
    sender.SetConstantRate(DataRate(static_cast<uint64_t>(rate)),
                           MTU - IpNetwork::IpHeader(version) - UDP_HEADER);
    sender.Install(network.nodes.Get(0)).Start(START);
}

/// Datagrams of one host fill the fabric's line rate but for the frames' headers.
TEST_CASE_WITH(UdpRateTestCase,
               (int version),
               "UDP over IPv" + std::to_string(version) + " at line rate")
{
    const auto payload = MTU - IpNetwork::IpHeader(version) - UDP_HEADER;
    const auto most = LINE_RATE * payload / (MTU + FRAME_HEADER);
    for (const auto offered : {0.5, 1.0, 1.2})
    {
        IpNetwork network(2);
        RateMeter meter(IpNetwork::Sink(network.nodes.Get(1), "Udp", version),
                        START + MilliSeconds(2),
                        START + MilliSeconds(12));
        SendDatagrams(network, version, offered * most);
        RunFor(START + MilliSeconds(13));
        const auto expected = std::min(offered, 1.0) * most;
        NS_TEST_EXPECT_MSG_EQ_TOL(meter.Get(), expected, 0.002 * expected, offered);
    }
}

/// One connection fills at least 90 % of what frame and protocol headers leave.
TEST_CASE_WITH(TcpRateTestCase,
               (int version),
               "TCP over IPv" + std::to_string(version) + " near line rate")
{
    const auto segment = MTU - IpNetwork::IpHeader(version) - TCP_HEADER;
    const auto most = LINE_RATE * segment / (MTU + FRAME_HEADER);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 18));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 18));
    IpNetwork network(2);
    RateMeter meter(IpNetwork::Sink(network.nodes.Get(1), "Tcp", version),
                    START + MilliSeconds(5),
                    START + MilliSeconds(25));
    BulkSendHelper sender("ns3::TcpSocketFactory", network.At(1, version));
    sender.Install(network.nodes.Get(0)).Start(START);
    RunFor(START + MilliSeconds(26));
    NS_TEST_EXPECT_MSG_GT(meter.Get(), 0.9 * most, "at least 90 %");
    NS_TEST_EXPECT_MSG_LT(meter.Get(), 1.001 * most, "no more than fits");
    Simulator::Destroy();
    Config::Reset();
}

/// Number of frames that come by a host, by what they carry and whom they are for.
using Overheard = std::map<std::pair<uint16_t, NetDevice::PacketType>, uint32_t>;

/// Counts frames that come by a host. @param since when they begin to count
static void
Overhear(const Ptr<NetDevice>& device, Time since, Overheard& overheard)
{
    device->SetPromiscReceiveCallback(CallbackOf([since, &overheard](Ptr<NetDevice>,
                                                                     Ptr<const Packet>,
                                                                     uint16_t protocol,
                                                                     const Address&,
                                                                     const Address&,
                                                                     NetDevice::PacketType type) {
        overheard[{protocol, type}] += Simulator::Now() >= since;
        return true;
    }));
}

TEST_CASE(AddressResolutionTestCase, "ARP and neighbour discovery")
{
    IpNetwork network(3);
    Overheard overheard;
    Overhear(network.devices.Get(2), START, overheard);
    std::vector<Ptr<PacketSink>> sinks;
    for (auto version : {4, 6})
    {
        sinks.push_back(IpNetwork::Sink(network.nodes.Get(1), "Udp", version));
        SendDatagram(network.nodes.Get(0), network.At(1, version), 100, START);
    }
    RunFor(START + MilliSeconds(1));
    for (const auto& sink : sinks)
    {
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 100, "the datagram has arrived");
    }
    const auto node = network.nodes.Get(0);
    auto arp = node->GetObject<Ipv4L3Protocol>()->GetInterface(1)->GetArpCache();
    auto inArp = arp->Lookup(network.v4.GetAddress(1));
    NS_TEST_ASSERT_MSG_NE(inArp, nullptr, "ARP knows the host");
    NS_TEST_EXPECT_MSG_EQ(inArp->GetMacAddress(), network.Device(1)->GetAddress(), "address");
    auto ndisc = node->GetObject<Ipv6L3Protocol>()->GetInterface(1)->GetNdiscCache();
    auto inNdisc = ndisc->Lookup(network.v6.GetAddress(1, 1));
    NS_TEST_ASSERT_MSG_NE(inNdisc, nullptr, "neighbour discovery knows the host");
    NS_TEST_EXPECT_MSG_EQ(inNdisc->GetMacAddress(), network.Device(1)->GetAddress(), "address");

    constexpr uint16_t ARP = 0x0806;
    constexpr uint16_t IPV4 = 0x0800;
    constexpr uint16_t IPV6 = 0x86dd;
    const auto seen = [&](uint16_t protocol, NetDevice::PacketType type) {
        return overheard[{protocol, type}];
    };
    NS_TEST_EXPECT_MSG_EQ(seen(ARP, NetDevice::PACKET_BROADCAST), 1, "host 0 asks all");
    NS_TEST_EXPECT_MSG_EQ(seen(IPV6, NetDevice::PACKET_MULTICAST), 1, "host 0 asks a group");
    for (auto protocol : {ARP, IPV4, IPV6})
    {
        NS_TEST_EXPECT_MSG_EQ(seen(protocol, NetDevice::PACKET_OTHERHOST) +
                                  seen(protocol, NetDevice::PACKET_HOST),
                              0,
                              "a switch sends nothing where it does not belong");
    }
}

TEST_CASE(FragmentTestCase, "Datagrams longer than a frame")
{
    constexpr uint32_t BYTES = 4000;
    // Fragments carry multiples of 8 bytes but for the last; IPv6 has 8 more for their header.
    // The frame's header takes 14.
    const std::map<int, std::vector<uint32_t>> expected{{4, {1514, 1514, 1082}},
                                                        {6, {1510, 1510, 1174}}};
    for (const auto& [version, sizes] : expected)
    {
        IpNetwork network(2);
        auto sink = IpNetwork::Sink(network.nodes.Get(1), "Udp", version);
        std::vector<uint32_t> frames;
        SendDatagram(network.nodes.Get(0), network.At(1, version), BYTES, START);
        NoteSizes(network.devices.Get(1), "MacRx", frames);
        RunFor(START + MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), BYTES, "whole, over IPv" << version);
        const auto isShort = [](uint32_t size) { return size <= 1000; }; // address resolution's
        frames.erase(std::remove_if(frames.begin(), frames.end(), isShort), frames.end());
        Same(frames, sizes, "in frames, over IPv" + std::to_string(version));
    }
}

TEST_CASE(IpBroadcastTestCase, "Datagrams to all hosts, by one tree worm")
{
    constexpr uint32_t HOSTS = 6;
    for (auto version : {4, 6})
    {
        IpNetwork network(HOSTS);
        const auto sinks = IpNetwork::UdpSinks(network.nodes, version);
        const auto all = version == 4 ? Address(InetSocketAddress(Ipv4Address("10.1.0.255"), PORT))
                                      : Address(Inet6SocketAddress(Ipv6Address("ff02::1"), PORT));
        uint32_t worms = 0;
        Listen(network.Device(2)->GetPort(), "HeadStart", [&](Ptr<const Worm>) { ++worms; });
        RunFor(START);
        worms = 0; // those of addresses' assignment
        SendDatagram(network.nodes.Get(2), all, 700, Time(0));
        RunFor(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(worms, 1, "a worm, over IPv" << version);
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(sinks[host]->GetTotalRx(),
                                  (host == 2 ? 0 : 700),
                                  "host " << host << " over IPv" << version);
        }
    }
}

TEST_CASE(BackpressureTestCase, "Queue discs hold what the interface has no room for")
{
    // Sends too much for 80 ms.
    const auto tryOne = [&](const std::string& type, bool flowControl) {
        WormholeHelper helper;
        if (!flowControl)
        {
            helper.DisableFlowControl();
        }
        IpNetwork network(2, type, helper);
        auto sink = IpNetwork::Sink(network.nodes.Get(1), "Udp", 4);
        std::vector<uint32_t> dropped;
        NoteSizes(network.devices.Get(0), "MacTxDrop", dropped);
        SendDatagrams(network, 4, 1.2 * LINE_RATE);
        RunFor(START + MilliSeconds(80));
        auto disc = network.queueDiscs.Get(0);
        const auto stats = disc->GetStats();
        const auto what = type + (flowControl ? "" : " without flow control");
        NS_TEST_EXPECT_MSG_EQ((dropped.empty()), flowControl, what << ": at the interface");
        NS_TEST_EXPECT_MSG_EQ((disc->GetNPackets() > 500), flowControl, what << ": held");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets,
                              stats.nTotalDroppedPackets + stats.nTotalSentPackets +
                                  disc->GetNPackets(),
                              what << ": all are accounted for");
        if (flowControl && type == "ns3::PfifoFastQueueDisc")
        {
            NS_TEST_EXPECT_MSG_GT(stats.nTotalDroppedPackets, 0, "full after 47 ms");
        }
        Simulator::Destroy();
    };
    const std::string pfifoFast = "ns3::PfifoFastQueueDisc";
    const std::string fqCoDel = "ns3::FqCoDelQueueDisc"; // which can't be without flow control
    tryOne(pfifoFast, true);
    tryOne(pfifoFast, false);
    tryOne(fqCoDel, true);
}

TEST_CASE(LinkOutageTestCase, "A stream over a link that goes down and up")
{
    IpNetwork network(2);
    auto sink = IpNetwork::Sink(network.nodes.Get(1), "Udp", 4);
    uint32_t changes = 0;
    auto device = network.Device(0);
    device->AddLinkChangeCallback(CallbackOf([&] { ++changes; }));
    SendDatagrams(network, 4, 0.5 * LINE_RATE);
    const auto at = [](int ms) { return START + MilliSeconds(ms); };
    Simulator::Schedule(at(10), &WormholeNetDevice::SetLinkUp, device, false);
    Simulator::Schedule(at(20), &WormholeNetDevice::SetLinkUp, device, true);
    RateMeter before(sink, at(5), at(10));
    RateMeter during(sink, at(11), at(20));
    RateMeter after(sink, at(21), at(26));
    RunFor(at(27));
    NS_TEST_EXPECT_MSG_EQ_TOL(before.Get(), 0.5 * LINE_RATE, 0.01 * LINE_RATE, "up");
    NS_TEST_EXPECT_MSG_EQ(during.Get(), 0, "down");
    NS_TEST_EXPECT_MSG_EQ_TOL(after.Get(), 0.5 * LINE_RATE, 0.01 * LINE_RATE, "up again");
    NS_TEST_EXPECT_MSG_EQ(changes, 2, "told twice");
}

TEST_CASE(PromiscuousTestCase, "Promiscuous receive")
{
    NodeContainer nodes(2);
    auto devices = WormholeHelper().Install(nodes);
    auto receiver = DynamicCast<WormholeNetDevice>(devices.Get(1));
    std::vector<NetDevice::PacketType> types;
    receiver->SetPromiscReceiveCallback(CallbackOf([&](Ptr<NetDevice>,
                                                       Ptr<const Packet>,
                                                       uint16_t,
                                                       const Address&,
                                                       const Address&,
                                                       NetDevice::PacketType type) {
        types.push_back(type);
        return true;
    }));
    std::vector<uint32_t> taken;
    NoteSizes(receiver, "MacRx", taken);
    const auto address = receiver->GetAddress();
    const auto group = receiver->GetMulticast(Ipv4Address("225.1.2.3"));
    const auto send = [&](const Address& to) {
        devices.Get(0)->Send(Create<Packet>(99), to, 0x88b5);
        Simulator::Run();
    };
    send(address);
    send(receiver->GetBroadcast());
    send(group);
    NS_TEST_EXPECT_MSG_EQ(taken.size(), 3, "the stack's");
    receiver->SetAddress(Mac48Address("00:00:00:00:12:34"));
    send(address);
    NS_TEST_EXPECT_MSG_EQ(taken.size(), 3, "not for this host any more");
    const std::vector<NetDevice::PacketType> expected{NetDevice::PACKET_HOST,
                                                      NetDevice::PACKET_BROADCAST,
                                                      NetDevice::PACKET_MULTICAST,
                                                      NetDevice::PACKET_OTHERHOST};
    NS_TEST_EXPECT_MSG_EQ((types == expected), true, "all are overheard");
}

/// Two fabrics, one of several switches, that a node joins by ns-3's bridge are one network. A
/// frame to a host behind the bridge goes to all of its own fabric.
TEST_CASE(BridgeTestCase, "A bridge between two fabrics")
{
    NodeContainer nodes(6);
    NodeContainer bridge(1);
    const auto helper = WithFabric({{"Buffers", "frame"}});
    const NodeContainer near(nodes.Get(0), nodes.Get(1), nodes.Get(2), bridge.Get(0));
    const NodeContainer far(nodes.Get(3), nodes.Get(4), nodes.Get(5), bridge.Get(0));
    const auto nearDevices = helper.Install(near);
    const auto farDevices = helper.Install("torus:2x2", far);
    BridgeHelper().Install(bridge.Get(0),
                           NetDeviceContainer(nearDevices.Get(3), farDevices.Get(3)));
    NetDeviceContainer devices;
    for (const auto& [side, i] :
         Combine<NetDeviceContainer, uint32_t>({nearDevices, farDevices}, {0, 1, 2}))
    {
        devices.Add(side.Get(i));
    }
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.1.0.0", "255.255.255.0").Assign(devices);
    const auto sinks = IpNetwork::UdpSinks(nodes, 4);
    Overheard overheard;
    Overhear(devices.Get(2), Seconds(0), overheard);
    // A second apart, so that each is through before the next.
    const auto send = [&](uint32_t from, uint32_t to, uint32_t bytes, double at) {
        const InetSocketAddress address(addresses.GetAddress(to), PORT);
        SendDatagram(nodes.Get(from), address, bytes, Seconds(at));
    };
    send(0, 4, 1000, 1);
    send(4, 0, 1400, 2);
    send(0, 1, 700, 3);
    RunFor(Seconds(3.5));
    NS_TEST_EXPECT_MSG_EQ(sinks[4]->GetTotalRx(), 1000, "over the bridge");
    NS_TEST_EXPECT_MSG_EQ(sinks[0]->GetTotalRx(), 1400, "and back");
    NS_TEST_EXPECT_MSG_EQ(sinks[1]->GetTotalRx(), 700, "within a fabric");
    const auto nForOthers = overheard[{0x0800, NetDevice::PACKET_OTHERHOST}];
    NS_TEST_EXPECT_MSG_EQ(nForOthers, 1, "only what is for behind the bridge goes to all");
}

WormholeHelper
WithOutages(const std::string& schedule)
{
    return WithFabric({{"Buffers", "frame"}, {"OutageSchedule", schedule}});
}

struct Takings
{
    void Watch(const Ptr<PacketSink>& sink)
    {
        const auto number = bytes.size();
        bytes.push_back(0);
        Listen(sink, "Rx", [this, number](Ptr<const Packet> packet, const Address&) {
            bytes[number] += packet->GetSize();
            text << number << ' ' << packet->GetSize() << ' ' << Simulator::Now() << '\n';
        });
    }

    std::vector<uint64_t> bytes; ///< by application
    std::ostringstream text;     ///< all of it
};

void
CompareSchedulers(const std::function<std::string(const std::string&)>& run)
{
    std::string first;
    for (const std::string scheduler :
         {"Map", "List", "Heap", "Calendar", "PriorityQueue", "Wormhole"})
    {
        StartAnew();
        const auto outcome = run(scheduler);
        first = first.empty() ? outcome : first;
        NS_ABORT_MSG_UNLESS(outcome == first, "another outcome by the scheduler " << scheduler);
    }
}

} // namespace

TEST_CASE(TcpOutageTestCase, "TCP goes on after an outage")
{
    CompareSchedulers([this](const std::string& scheduler) {
        constexpr uint32_t BYTES = 100'000;
        IpNetwork network(2, "", WithOutages("h0 at 1.0003s for 50ms"));
        UseScheduler(scheduler);
        Takings takings;
        takings.Watch(IpNetwork::Sink(network.nodes.Get(1), "Tcp", 4));
        BulkSendHelper sender("ns3::TcpSocketFactory", network.At(1, 4));
        sender.SetAttribute("MaxBytes", UintegerValue(BYTES));
        sender.Install(network.nodes.Get(0)).Start(Seconds(1));
        RunFor(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(takings.bytes[0], BYTES, "all has come");
        NS_TEST_EXPECT_MSG_GT(network.Device(0)->GetFabric()->GetCounts().flitsLost, 0, "again");
        return takings.text.str();
    });
}

TEST_CASE(OlsrOutageTestCase, "OLSR goes round a cable that flaps")
{
    CompareSchedulers([this](const std::string& scheduler) {
        UseScheduler(scheduler);
        NodeContainer nodes(3);
        InternetStackHelper stack;
        OlsrHelper olsr;
        stack.SetRoutingHelper(olsr);
        stack.Install(nodes);
        olsr.AssignStreams(nodes, 1 + stack.AssignStreams(nodes, 1));
        Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
        Ipv4InterfaceContainer direct;
        for (const auto& [from, to] : {std::pair{0, 2}, {0, 1}, {1, 2}})
        {
            const auto helper = from + to == 2
                                    ? WithOutages("h0 at 20s for 20s every 50s until 60s")
                                    : WormholeHelper();
            const auto ends =
                addresses.Assign(helper.Install(NodeContainer(nodes.Get(from), nodes.Get(to))));
            direct = from + to == 2 ? ends : direct;
            addresses.NewNetwork();
        }
        Takings takings;
        takings.Watch(IpNetwork::Sink(nodes.Get(2), "Udp", 4));
        const auto target = Address(InetSocketAddress(direct.GetAddress(1), PORT));
        for (const uint32_t second : {15, 21, 35, 55})
        {
            Simulator::Schedule(Seconds(second), [=] {
                auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
                socket->SendTo(Create<Packet>(second), 0, target);
            });
        }
        RunFor(Seconds(60));
        // Lost at 21 s, at first, then round by the other node.
        NS_TEST_EXPECT_MSG_EQ(takings.bytes[0], 15 + 35 + 55, "what came");
        return takings.text.str();
    });
}

TEST_CASE(BridgeOutageTestCase, "A bridge between two fabrics of which one fails")
{
    CompareSchedulers([this](const std::string& scheduler) {
        UseScheduler(scheduler);
        NodeContainer nodes(4);
        NodeContainer bridge(1);
        const auto near =
            WithOutages("").Install(NodeContainer(nodes.Get(0), nodes.Get(1), bridge.Get(0)));
        const auto far = WithOutages("s0 at 2.5s for 1s")
                             .Install(NodeContainer(nodes.Get(2), nodes.Get(3), bridge.Get(0)));
        BridgeHelper().Install(bridge.Get(0), NetDeviceContainer(near.Get(2), far.Get(2)));
        NetDeviceContainer devices(near.Get(0), near.Get(1));
        devices.Add(NetDeviceContainer(far.Get(0), far.Get(1)));
        InternetStackHelper stack;
        stack.Install(nodes);
        stack.AssignStreams(nodes, 1);
        const auto addresses = Ipv4AddressHelper("10.1.0.0", "255.255.255.0").Assign(devices);
        Takings takings;
        for (const auto& sink : IpNetwork::UdpSinks(nodes, 4))
        {
            takings.Watch(sink);
        }
        for (const auto& [second, to] : Combine<uint32_t, uint32_t>({2, 3, 4}, {1, 2}))
        {
            const InetSocketAddress address(addresses.GetAddress(to), PORT);
            SendDatagram(nodes.Get(0), address, 100 * second, Seconds(second));
        }
        RunFor(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(takings.bytes[1], 900, "the near fabric is whole");
        NS_TEST_EXPECT_MSG_EQ(takings.bytes[2], 600, "the far one was down at 3 s");
        return takings.text.str();
    });
}

ADD_CASES()
{
    for (auto version : {4, 6})
    {
        AddQuick<UdpRateTestCase>(version);
        AddQuick<TcpRateTestCase>(version);
    }
}
