// SPDX-License-Identifier: GPL-2.0-only

// A fabric as a part of a larger network: applications send by UDP and TCP between its hosts, and
// through a router host to a CSMA network and over a point-to-point link. Prints their throughput
// beside the line rate less headers, and FlowMonitor's table. See doc/user/ip-networks.rst.
//
//   host-0, host-1       host-2, router ---- point-to-point ---- far
//         |                |       |
//      switch 0 ------- switch 1   +-------- CSMA ------------- lan
//             \          /
//               switch 2
//                  |
//        host-4, host-5, host-6

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/wormhole-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

const uint32_t MTU = 1500; ///< bytes of an IP packet, on all links

/// A kind of link.
struct Link
{
    std::string name;  ///< for the table
    uint64_t rate;     ///< bit/s
    uint32_t overhead; ///< bytes of a frame besides the IP packet
};

const Link FABRIC{"fabric", 1280000000, 14};    ///< Ethernet's header
const Link CSMA{"csma", 100000000, 14 + 4};     ///< Ethernet's header and check sum
const Link POINT_TO_POINT{"p2p", 100000000, 2}; ///< PPP's header
const Time START = Seconds(2);                  ///< when senders begin; addresses are valid by then
const Time SETTLING = MilliSeconds(20);         ///< from START until measuring begins
const double UDP_LOAD = 1.02;                   ///< offered load, relative to what fits

/// Numbers of the nodes; the first ones are the fabric's hosts.
enum Host
{
    ROUTER = 3,
    FAR = 7,
    LAN = 8,
    N_HOSTS = 9
};

std::string
NameOf(uint32_t host)
{
    return host == ROUTER ? "router"
           : host == FAR  ? "far"
           : host == LAN  ? "lan"
                          : "host-" + std::to_string(host);
}

/// What an application sends to another one.
struct Flow
{
    std::string protocol;   ///< Udp or Tcp
    uint32_t from;          ///< node that sends
    uint32_t to;            ///< node that receives
    Link slowest;           ///< the slowest link on its route
    Ptr<PacketSink> sink{}; ///< the receiving application
    uint64_t before{0};     ///< bytes of payload received when measuring began
    uint64_t after{0};      ///< bytes of payload received when measuring ended
};

void
NoteBytes(Ptr<PacketSink> sink, uint64_t* bytes)
{
    *bytes = sink->GetTotalRx();
}

/// The network with one version of IP, and its flows.
class MixedNetwork
{
  public:
    explicit MixedNetwork(uint32_t version)
        : m_version(version)
    {
        m_nodes.Create(N_HOSTS);
        BuildFabric();
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", DataRateValue(DataRate(POINT_TO_POINT.rate)));
        pointToPoint.SetChannelAttribute("Delay", StringValue("10us"));
        m_toFar = pointToPoint.Install(m_nodes.Get(ROUTER), m_nodes.Get(FAR));
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", DataRateValue(DataRate(CSMA.rate)));
        csma.SetChannelAttribute("Delay", StringValue("100ns"));
        m_toLan = csma.Install(NodeContainer(m_nodes.Get(ROUTER), m_nodes.Get(LAN)));
        InternetStackHelper stack;
        stack.Install(m_nodes);
        csma.AssignStreams(m_toLan, stack.AssignStreams(m_nodes, 1) + 1);
        AssignAddresses();
    }

    /// @param time how long flows are measured @param flowFile where FlowMonitor's XML goes; or
    /// null
    void Run(Time time, AtomicFile* flowFile)
    {
        const auto begin = START + SETTLING;
        for (auto& flow : m_flows)
        {
            StartFlow(flow, begin + time);
            Simulator::Schedule(begin, &NoteBytes, flow.sink, &flow.before);
            Simulator::Schedule(begin + time, &NoteBytes, flow.sink, &flow.after);
        }
        FlowMonitorHelper monitors;
        auto monitor = monitors.Install(m_nodes);
        Simulator::Stop(begin + time + Seconds(1)); // packets in flight arrive
        Simulator::Run();
        PrintRates(time);
        monitor->CheckForLostPackets();
        PrintFlows(*monitor, monitors);
        if (flowFile)
        {
            flowFile->Get() << "<?xml version=\"1.0\" ?>\n";
            monitors.SerializeToXmlStream(flowFile->Get(), 0, false, false);
            flowFile->Finish();
        }
    }

    void EnablePcap(const std::string& prefix)
    {
        m_helper.EnablePcap(prefix, m_onFabric.Get(ROUTER));
        PointToPointHelper().EnablePcap(prefix, m_toFar.Get(0));
        CsmaHelper().EnablePcap(prefix, m_toLan.Get(0));
    }

  private:
    /// Three switches, each cabled to both others, with the hosts of the drawing above.
    void BuildFabric()
    {
        const std::vector<uint32_t> switchOf{0, 0, 1, 1, 2, 2, 2};
        FabricGraph graph(3, switchOf.size(), 5);
        graph.Connect(0, 0, 1, 0);
        graph.Connect(0, 1, 2, 0);
        graph.Connect(1, 1, 2, 1);
        NodeContainer hosts;
        for (uint32_t h = 0; h < switchOf.size(); ++h)
        {
            graph.Connect(graph.HostAt(h), 0, switchOf[h], 2 + h - 2 * switchOf[h]);
            hosts.Add(m_nodes.Get(h));
        }
        m_helper.SetFabricAttribute("DataRate", DataRateValue(DataRate(FABRIC.rate)));
        // Frames to all hosts are tree worms, which must find room for whole frames.
        m_helper.SetPortAttribute("BufferDepth", UintegerValue(MTU + FABRIC.overhead));
        NodeContainer switches;
        switches.Create(3);
        m_onFabric = WormholeHelper::GetDevices(m_helper.Install(graph, switches, hosts));
    }

    /// Gives nodes addresses and routes: with IPv4 by ns-3's global routing, with IPv6 default
    /// routes to the router.
    void AssignAddresses()
    {
        m_addresses.resize(N_HOSTS);
        uint32_t net = 0;
        for (const auto& devices : {m_onFabric, m_toFar, m_toLan})
        {
            const auto number = std::to_string(++net);
            const auto note = [&](auto getAddress) {
                for (uint32_t i = 0; i < devices.GetN(); ++i)
                {
                    // These nodes were the first to be made: a node's ID is its number.
                    m_addresses[devices.Get(i)->GetNode()->GetId()] = getAddress(i);
                }
            };
            if (m_version == 4)
            {
                const auto base = "10." + number + ".0.0";
                const auto interfaces =
                    Ipv4AddressHelper(base.c_str(), "255.255.255.0").Assign(devices);
                note([&](uint32_t i) { return interfaces.GetAddress(i); });
                continue;
            }
            const auto base = "fd00:" + number + "::";
            auto interfaces =
                Ipv6AddressHelper(Ipv6Address(base.c_str()), Ipv6Prefix(64)).Assign(devices);
            note([&](uint32_t i) { return interfaces.GetAddress(i, 1); });
            const uint32_t router = net == 1 ? ROUTER : 0;
            interfaces.SetForwarding(router, true);
            interfaces.SetDefaultRouteInAllNodes(router);
        }
        if (m_version == 4)
        {
            Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        }
    }

    /// @return bytes of a packet's payload @param flow its flow
    uint32_t GetPayload(const Flow& flow) const
    {
        const uint32_t ip = m_version == 4 ? 20 : 40;
        const uint32_t transport = flow.protocol == "Udp" ? 8 : 20 + 12; // TCP with time stamps
        return MTU - ip - transport;
    }

    /// @return bit/s of payload that a flow's slowest link has room for @param flow the flow
    double GetRoom(const Flow& flow) const
    {
        return static_cast<double>(flow.slowest.rate) * GetPayload(flow) /
               (MTU + flow.slowest.overhead);
    }

    void StartFlow(Flow& flow, Time end)
    {
        const uint16_t port = 4000;
        const auto v4 = m_version == 4;
        const auto& address = m_addresses[flow.to];
        const auto to = v4 ? Address(InetSocketAddress(Ipv4Address::ConvertFrom(address), port))
                           : Address(Inet6SocketAddress(Ipv6Address::ConvertFrom(address), port));
        const auto any = v4 ? Address(InetSocketAddress(Ipv4Address::GetAny(), port))
                            : Address(Inet6SocketAddress(Ipv6Address::GetAny(), port));
        const auto factory = "ns3::" + flow.protocol + "SocketFactory";
        auto receiver = PacketSinkHelper(factory, any).Install(m_nodes.Get(flow.to));
        receiver.Start(Seconds(0));
        flow.sink = DynamicCast<PacketSink>(receiver.Get(0));

        ApplicationContainer sender;
        if (flow.protocol == "Udp")
        {
            OnOffHelper helper(factory, to);
            helper.SetConstantRate(DataRate(static_cast<uint64_t>(UDP_LOAD * GetRoom(flow))),
                                   GetPayload(flow));
            sender = helper.Install(m_nodes.Get(flow.from));
        }
        else
        {
            Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(GetPayload(flow)));
            BulkSendHelper helper(factory, to);
            helper.SetAttribute("SendSize", UintegerValue(10 * GetPayload(flow))); // whole segments
            sender = helper.Install(m_nodes.Get(flow.from));
        }
        sender.Start(START);
        sender.Stop(end);
    }

    void PrintRates(Time time) const
    {
        double step = 0; // one packet's share of a flow's room
        for (const auto& flow : m_flows)
        {
            step = std::max(step, 800.0 * GetPayload(flow) / time.GetSeconds() / GetRoom(flow));
            if (flow.after == flow.before)
            {
                throw WormholeError("nothing comes from " + NameOf(flow.from) + " to " +
                                    NameOf(flow.to) +
                                    " in the time given; expected a longer --time");
            }
        }
        std::cout << "IPv" << m_version << ", payload in Mbit/s over "
                  << time.GetMicroSeconds() / 1e3
                  << " ms; there is room for the slowest link's\n"
                     "rate times payload / (IP packet + its frame's other bytes)\n\n"
                     "  flow                     link      rate  payload / packet + other"
                     "      room  measured\n"
                  << std::fixed << std::setprecision(2);
        for (const auto& flow : m_flows)
        {
            const auto taken = flow.after - flow.before;
            const auto rate = 8.0 * static_cast<double>(taken) / time.GetSeconds();
            std::cout << "  " << flow.protocol << " " << std::left << std::setw(6)
                      << NameOf(flow.from) << " -> " << std::setw(6) << NameOf(flow.to) << "     "
                      << std::setw(6) << flow.slowest.name << std::right << std::setw(8)
                      << static_cast<double>(flow.slowest.rate) / 1e6 << std::setw(9)
                      << GetPayload(flow) << " /   " << MTU << " + " << std::setw(5)
                      << flow.slowest.overhead << std::setw(10) << GetRoom(flow) / 1e6
                      << std::setw(10) << rate / 1e6 << std::setw(8) << 100 * rate / GetRoom(flow)
                      << " %\n";
        }
        std::cout << "\nWhole packets are counted: in this time, one is up to " << step
                  << " % of the room.\n\n"
                  << std::defaultfloat;
    }

    void PrintFlows(FlowMonitor& monitor, FlowMonitorHelper& helper) const
    {
        std::cout
            << "FlowMonitor, IP packets\n\n"
               "  from                   to                     protocol   sent  received  lost"
               "  mean delay/us\n"
            << std::fixed << std::setprecision(2);
        for (const auto& [id, stats] : monitor.GetFlowStats())
        {
            std::ostringstream from;
            std::ostringstream to;
            uint32_t protocol = 0;
            const auto take = [&](const auto& flow) {
                from << flow.sourceAddress;
                to << flow.destinationAddress;
                protocol = flow.protocol;
            };
            if (m_version == 4)
            {
                take(DynamicCast<Ipv4FlowClassifier>(helper.GetClassifier())->FindFlow(id));
            }
            else
            {
                take(DynamicCast<Ipv6FlowClassifier>(helper.GetClassifier6())->FindFlow(id));
            }
            const auto delay =
                stats.rxPackets == 0 ? 0.0 : stats.delaySum.GetSeconds() * 1e6 / stats.rxPackets;
            std::cout << "  " << std::left << std::setw(23) << from.str() << std::setw(23)
                      << to.str() << std::setw(8) << (protocol == 6 ? "TCP" : "UDP") << std::right
                      << std::setw(7) << stats.txPackets << std::setw(10) << stats.rxPackets
                      << std::setw(6) << stats.lostPackets << std::setw(15) << delay << "\n";
        }
        std::cout << std::defaultfloat << std::endl;
    }

    uint32_t m_version;               ///< of IP
    NodeContainer m_nodes;            ///< all nodes but the switches'
    WormholeHelper m_helper;          ///< builds the fabric
    NetDeviceContainer m_onFabric;    ///< hosts' interfaces
    NetDeviceContainer m_toFar;       ///< ends of the point-to-point link
    NetDeviceContainer m_toLan;       ///< interfaces of the CSMA network
    std::vector<Address> m_addresses; ///< by node: the address to which others send
    /// The flows; no two of those within the fabric share a cable.
    std::vector<Flow> m_flows{{"Udp", 0, 2, FABRIC},
                              {"Tcp", 4, 1, FABRIC},
                              {"Tcp", 5, FAR, POINT_TO_POINT},
                              {"Udp", 6, LAN, CSMA}};
};

void
AddOptions(ProgramOptions& options)
{
    options.Add("time", "TIME", "how long to measure, such as 20ms", "50ms");
    options.Add("ip", "LIST", "versions of IP, one after the other: 4, 6 or both", "4,6");
    options.Add("pcap",
                "PREFIX",
                "write what the router sees to PREFIX-ipVERSION-NODE-DEVICE.pcap");
    options.Add("flows", "PREFIX", "write FlowMonitor's XML to PREFIX-ipVERSION.xml");
}

void
Run(const ProgramOptions& options)
{
    const auto time = options.GetTimeAboveZero("time");
    if (options.GetWords("ip", {"4", "6"}).empty())
    {
        options.Refuse("ip", "expected 4, 6 or 4,6");
    }
    std::istringstream attributes(
        "WormholeFabric::DataRate WormholeFabric::FlitSize WormholeFabric::FlitTime "
        "WormholePort::BufferDepth WormholeNetDevice::Mtu PointToPointNetDevice::Mtu "
        "CsmaNetDevice::Mtu OnOffApplication::DataRate OnOffApplication::PacketSize "
        "BulkSendApplication::SendSize TcpSocketBase::Timestamp PointToPointNetDevice::DataRate "
        "PointToPointChannel::Delay CsmaChannel::DataRate CsmaChannel::Delay "
        "ArpL3Protocol::RequestJitter Icmpv6L4Protocol::SolicitationJitter TcpSocket::SndBufSize "
        "TcpSocket::RcvBufSize TcpSocket::SegmentSize");
    for (std::string attribute; attributes >> attribute;)
    {
        options.RefuseAttribute("ns3::" + attribute);
        options.WarnIgnored("ns3::" + attribute, "mixed-network");
    }
    // Hosts request addresses at once; ns-3's default is to wait up to 10 ms and drop packets.
    const StringValue none("ns3::ConstantRandomVariable[Constant=0]");
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter", none);
    Config::SetDefault("ns3::Icmpv6L4Protocol::SolicitationJitter", none);
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 18));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 18));
    const auto versions = options.GetWords("ip", {"4", "6"});
    std::map<std::string, std::unique_ptr<AtomicFile>> flowFiles;
    for (const auto& version : versions)
    {
        if (options.Has("flows"))
        {
            options.Check("flows", [&] {
                flowFiles[version] =
                    std::make_unique<AtomicFile>(options.Get("flows") + "-ip" + version + ".xml");
            });
        }
        if (options.Has("pcap"))
        {
            for (const std::string device : {"0", "1", "2"})
            {
                options.CheckFile("pcap",
                                  "-ip" + version + "-" + std::to_string(ROUTER) + "-" + device +
                                      ".pcap");
            }
        }
    }
    for (const auto& version : versions)
    {
        MixedNetwork network(version == "4" ? 4 : 6);
        if (options.Has("pcap"))
        {
            network.EnablePcap(options.Get("pcap") + "-ip" + version);
        }
        network.Run(time, flowFiles[version].get());
        Simulator::Destroy();
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return OptionProgram{"mixed-network",
                         __FILE__,
                         "Runs UDP and TCP over a fabric, and through a router to a CSMA network "
                         "and a point-to-point link. Example: mixed-network --ip=6 --time=20ms "
                         "--pcap=/tmp/mixed. Attributes of ns-3 are set as "
                         "--ns3::WormholeChannel::Delay=50ns, except those on which the printed "
                         "values depend; these are refused.",
                         AddOptions,
                         Run}
        .Main(argc, argv);
}
