// SPDX-License-Identifier: GPL-2.0-only

// Programs written for other networks: with WormholeHelper in the place of their helper, and
// nothing else changed, applications see the same.

#include "../test-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/csma-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/names.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/wormhole-helper.h"

using namespace ns3;

SUITE("wormhole-other-helpers", SYSTEM);

namespace
{

constexpr uint16_t ONE_PORT = 9; ///< of all receivers here

/// What applications have seen: a line for each packet, by application.
using Seen = std::map<std::string, std::vector<std::string>>;

template <typename HELPER>
HELPER
MakeHelper()
{
    HELPER helper;
    const StringValue rate("5Mbps");
    helper.SetChannelAttribute("Delay", StringValue("2ms"));
    if constexpr (std::is_same_v<HELPER, PointToPointHelper>)
    {
        helper.SetDeviceAttribute("DataRate", rate);
    }
    else if constexpr (std::is_same_v<HELPER, WormholeHelper>)
    {
        helper.SetFabricAttribute("DataRate", rate);
        helper.SetChannelAttribute("Delay", StringValue("1ms")); // two cables in a row
    }
    else
    {
        helper.SetChannelAttribute("DataRate", rate);
    }
    return helper;
}

/// Notes a packet, with its sender's address, which tells who has sent it.
void
Note(std::vector<std::string>* lines, Ptr<const Packet> packet, const Address& from)
{
    std::ostringstream line;
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    const auto sum = std::accumulate(bytes.begin(), bytes.end(), 0U, [](uint32_t all, auto byte) {
        return all * 31 + byte;
    });
    line << packet->GetSize() << " bytes, " << sum << " from "
         << InetSocketAddress::ConvertFrom(from).GetIpv4();
    lines->push_back(line.str());
}

Ptr<PacketSink>
AddSink(Ptr<Node> node, const std::string& protocol, Seen& seen, const std::string& name)
{
    PacketSinkHelper helper("ns3::" + protocol + "SocketFactory",
                            InetSocketAddress(Ipv4Address::GetAny(), ONE_PORT));
    auto applications = helper.Install(node);
    applications.Start(Seconds(0));
    auto sink = DynamicCast<PacketSink>(applications.Get(0));
    sink->TraceConnectWithoutContext("Rx", MakeBoundCallback(&Note, &seen[name]));
    return sink;
}

void
AddEcho(Ptr<Node> server, Ipv4Address address, Ptr<Node> client, Seen& seen)
{
    auto servers = UdpEchoServerHelper(ONE_PORT).Install(server);
    servers.Start(Seconds(1));
    UdpEchoClientHelper helper(address, ONE_PORT);
    helper.SetAttribute("MaxPackets", UintegerValue(5));
    helper.SetAttribute("Interval", TimeValue(MilliSeconds(100)));
    auto clients = helper.Install(client);
    for (uint32_t i = 0; i < clients.GetN(); ++i)
    {
        helper.SetFill(clients.Get(i), static_cast<uint8_t>(0xa5 + i), 1024);
    }
    clients.Start(Seconds(2));
    // The server's Rx has an address from ns-3.45 on; these have two in every ns-3.
    const auto listen = [](Ptr<Application> application, std::vector<std::string>* lines) {
        application->TraceConnectWithoutContext(
            "RxWithAddresses",
            CallbackOf([lines](Ptr<const Packet> packet, const Address& from, const Address&) {
                Note(lines, packet, from);
            }));
    };
    listen(servers.Get(0), &seen["server"]);
    listen(clients.Get(0), &seen["client"]);
}

Seen
Finish(const Seen& seen)
{
    RunFor(Seconds(30));
    return seen;
}

/// Four hosts on one network, whose frames are short; one asks another, which answers.
template <typename HELPER>
Seen
EchoOnOneNetwork()
{
    Seen seen;
    NodeContainer nodes(4);
    auto helper = MakeHelper<HELPER>();
    helper.SetDeviceAttribute("Mtu", UintegerValue(900)); // so that datagrams are cut
    auto devices = helper.Install(nodes);
    InternetStackHelper().Install(nodes);
    auto interfaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
    AddEcho(nodes.Get(1), interfaces.GetAddress(1), nodes.Get(0), seen);
    return Finish(seen);
}

/// A stream of bytes between two hosts.
template <typename HELPER>
Seen
BulkTransfer()
{
    Seen packets;
    NodeContainer nodes(2);
    auto devices = MakeHelper<HELPER>().Install(nodes);
    InternetStackHelper().Install(nodes);
    auto interfaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
    BulkSendHelper helper("ns3::TcpSocketFactory",
                          InetSocketAddress(interfaces.GetAddress(1), ONE_PORT));
    helper.SetAttribute("MaxBytes", UintegerValue(1234567));
    helper.Install(nodes.Get(0)).Start(Seconds(1));
    auto sink = AddSink(nodes.Get(1), "Tcp", packets, "sink");
    Finish(packets);
    return {{"sink", {std::to_string(sink->GetTotalRx()) + " bytes"}}};
}

/// A host on two networks sends to all on both of them.
template <typename HELPER>
Seen
BroadcastOnTwoNetworks()
{
    Seen seen;
    NodeContainer nodes(5);
    const auto helper = MakeHelper<HELPER>();
    NodeContainer left(nodes.Get(0), nodes.Get(1), nodes.Get(2));
    NodeContainer right(nodes.Get(0), nodes.Get(3), nodes.Get(4));
    auto onLeft = helper.Install(left);
    auto onRight = helper.Install(right);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.1.0.0", "255.255.255.0").Assign(onLeft);
    Ipv4AddressHelper("192.168.1.0", "255.255.255.0").Assign(onRight);
    OnOffHelper sender("ns3::UdpSocketFactory",
                       InetSocketAddress(Ipv4Address("255.255.255.255"), ONE_PORT));
    sender.SetConstantRate(DataRate("100kbps"));
    auto senders = sender.Install(nodes.Get(0));
    senders.Start(Seconds(1));
    senders.Stop(Seconds(3));
    for (uint32_t host = 1; host < nodes.GetN(); ++host)
    {
        AddSink(nodes.Get(host), "Udp", seen, "host " + std::to_string(host));
    }
    return Finish(seen);
}

/// A network behind a router and a point-to-point link; routes are found by global routing.
template <typename HELPER>
Seen
EchoBehindRouter()
{
    Seen seen;
    NodeContainer nodes(5); // the first one is behind the link, the second one is the router
    NodeContainer network;
    for (uint32_t host = 1; host < nodes.GetN(); ++host)
    {
        network.Add(nodes.Get(host));
    }
    auto onLink =
        MakeHelper<PointToPointHelper>().Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
    auto onNetwork = MakeHelper<HELPER>().Install(network);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(onLink);
    auto interfaces = Ipv4AddressHelper("10.1.2.0", "255.255.255.0").Assign(onNetwork);
    AddEcho(nodes.Get(4), interfaces.GetAddress(3), nodes.Get(0), seen);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return Finish(seen);
}

std::string
TextOf(const Seen& seen)
{
    std::ostringstream text;
    for (const auto& [name, lines] : seen)
    {
        text << name << ":\n";
        for (const auto& line : lines)
        {
            text << "  " << line << "\n";
        }
    }
    return text.str();
}

/// A program sees the same over another network as over a fabric.
/// @param nLines number of lines that tell what applications see
TEST_CASE_WITH(SameProgramTestCase,
               (const std::string& name, std::size_t nLines, Seen (*before)(), Seen (*now)()),
               name)
{
    const auto expected = before();
    StartAnew();
    const auto found = now();
    NS_TEST_EXPECT_MSG_EQ(TextOf(found), TextOf(expected), name << ": over a fabric, too");
    const auto nFound = SumOf(found, [](const auto& entry) { return entry.second.size(); });
    NS_TEST_EXPECT_MSG_EQ(nFound, nLines, "and that is something");
}

} // namespace

TEST_CASE(ConfigPathTestCase, "Config paths and names")
{
    NodeContainer nodes(2);
    Names::Add("emil", nodes.Get(1));
    WormholeHelper helper;
    helper.SetDeviceAttribute("Mtu", UintegerValue(2000));
    helper.SetQueueAttribute("MaxSize", QueueSizeValue(QueueSize("7p")));
    auto devices = helper.Install(nodes.Get(0), nodes.Get(1));
    Names::Add("/Names/emil/fabric", devices.Get(1));
    NS_TEST_EXPECT_MSG_EQ(WormholeHelper::AssignStreams(devices, 5), 0, "no random numbers");
    NS_TEST_EXPECT_MSG_EQ(devices.Get(0)->GetMtu(), 2000, "as set by the helper");
    auto device = DynamicCast<WormholeNetDevice>(devices.Get(0));
    auto queue = device->GetQueue();
    NS_TEST_EXPECT_MSG_EQ(queue->GetMaxSize(), QueueSize("7p"), "as set by the helper");

    const std::string all = "/NodeList/*/DeviceList/*/$ns3::WormholeNetDevice/";
    Config::Set(all + "Mtu", UintegerValue(3000));
    NS_TEST_EXPECT_MSG_EQ(devices.Get(1)->GetMtu(), 3000, "by path");
    Config::Set("/Names/emil/fabric/Mtu", UintegerValue(4000));
    NS_TEST_EXPECT_MSG_EQ(devices.Get(0)->GetMtu(), 3000, "not of this name");
    NS_TEST_EXPECT_MSG_EQ(devices.Get(1)->GetMtu(), 4000, "by name");
    Config::Set(all + "TxQueue/MaxSize", QueueSizeValue(QueueSize("9p")));
    NS_TEST_EXPECT_MSG_EQ(queue->GetMaxSize(), QueueSize("9p"), "by path");
    Config::Set("/ChannelList/*/$ns3::WormholeChannel/Delay", TimeValue(NanoSeconds(77)));
    NS_TEST_EXPECT_MSG_EQ(device->GetPort()->GetChannel()->GetDelay(), NanoSeconds(77), "by path");
    Config::Set("/ChannelList/*/$ns3::WormholeSegment/Fabric/FlitSize", UintegerValue(4));
    Config::Set("/NodeList/*/$ns3::WormholeSwitch/Delay", TimeValue(NanoSeconds(88)));
    NS_TEST_EXPECT_MSG_EQ(device->GetFabric()->GetSwitch(0)->GetDelay(), NanoSeconds(88), "path");

    std::vector<std::string> contexts; // where frames were received
    std::vector<std::string> heads;    // where worms started
    Config::Connect(all + "MacRx", CallbackOf([&](std::string context, Ptr<const Packet>) {
                        contexts.push_back(context);
                    }));
    Config::Connect(
        "/NodeList/*/$ns3::WormholeSwitch/PortList/*/HeadStart",
        CallbackOf([&](std::string context, Ptr<const Worm>) { heads.push_back(context); }));
    devices.Get(0)->Send(Create<Packet>(1000), devices.Get(1)->GetAddress(), 0x88b5);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(device->GetFabric()->GetFlitTime(), NanoSeconds(25), "by path");
    const auto path = "/NodeList/" + std::to_string(nodes.Get(1)->GetId()) + "/DeviceList/0/";
    Same(contexts, {path + "$ns3::WormholeNetDevice/MacRx"}, "one frame, where it came");
    NS_TEST_ASSERT_MSG_EQ(heads.size(), 1, "by one port of the switch");
    NS_TEST_EXPECT_MSG_EQ(heads[0].substr(heads[0].find("PortList")), "PortList/1/HeadStart", "");
    Names::Clear();
}

TEST_CASE(SegmentTestCase, "A fabric is one segment to protocols")
{
    NodeContainer nodes(5);
    auto devices = WormholeHelper().Install(nodes);
    auto channel = devices.Get(3)->GetChannel();
    NS_TEST_ASSERT_MSG_EQ(channel->GetNDevices(), 5, "all hosts");
    for (uint32_t host = 0; host < 5; ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(channel->GetDevice(host), devices.Get(host), "in order");
        NS_TEST_EXPECT_MSG_EQ(devices.Get(host)->GetChannel(), channel, "one for all");
        NS_TEST_EXPECT_MSG_EQ(devices.Get(host)->GetNode(), nodes.Get(host), "in order");
    }
    const auto none = Refusal([] { WormholeHelper().Install(NodeContainer()); });
    NS_TEST_EXPECT_MSG_EQ(none, "a fabric for no node: expected one or more", "no node");
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 0, "gone");
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, int nLines, Seen (*before)(), Seen (*now)()) {
        AddQuick<SameProgramTestCase>(name, nLines, before, now);
    };
    add("echo, CSMA", 10, EchoOnOneNetwork<CsmaHelper>, EchoOnOneNetwork<WormholeHelper>);
    add("stream, p2p", 1, BulkTransfer<PointToPointHelper>, BulkTransfer<WormholeHelper>);
    add("stream, CSMA", 1, BulkTransfer<CsmaHelper>, BulkTransfer<WormholeHelper>);
    add("broadcast on two networks, CSMA",
        4 * 48,
        BroadcastOnTwoNetworks<CsmaHelper>,
        BroadcastOnTwoNetworks<WormholeHelper>);
    add("echo behind a router, CSMA",
        10,
        EchoBehindRouter<CsmaHelper>,
        EchoBehindRouter<WormholeHelper>);
}
