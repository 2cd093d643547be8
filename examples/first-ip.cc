// SPDX-License-Identifier: GPL-2.0-only

// Sends IP over a fabric: every host sends datagrams to the next one, which sends them back, and
// FlowMonitor counts what arrives. See doc/user/ip-networks.rst.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/wormhole-module.h"

#include <iomanip>
#include <iostream>

using namespace ns3;

/// Adds the program's options, and sets defaults that the command line may change.
static void
AddOptions(ProgramOptions& options)
{
    // Before a host requests another's address, ARP waits for up to 10 ms by default, and drops all
    // but three of the packets sent in the meantime. This wait avoids collisions on shared media,
    // which a fabric does not have; here it would lose nearly all packets.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    // Broadcasts, such as ARP's requests, are tree worms, which need room for whole frames.
    Config::SetDefault("ns3::WormholeFabric::Buffers", StringValue("frame"));
    FabricOptions::Add(options, "torus:3x3", "torus:3x3");
    options.Add("packets", "N", "datagrams that each host sends to the next one", "20");
    options.Add("bytes",
                "BYTES",
                "payload of a datagram; above 4432 (3 frames of 1480, less 8 for UDP), ARP drops "
                "a host's first datagram",
                "4000");
    options.Add("interval", "TIME", "time between two datagrams of a host", "100us");
    options.Add("pcap", "PREFIX", "write each host's frames to PREFIX-NODE-DEVICE.pcap");
}

static void
PrintFlows(const FlowMonitor& monitor, FlowMonitorHelper& helper)
{
    const auto classifier = DynamicCast<Ipv4FlowClassifier>(helper.GetClassifier());
    std::cout << "flow,from,to,sent,received,lost,mean_delay_us\n"
              << std::fixed << std::setprecision(3);
    for (const auto& [id, stats] : monitor.GetFlowStats())
    {
        const auto flow = classifier->FindFlow(id);
        std::cout << id << "," << flow.sourceAddress << ":" << flow.sourcePort << ","
                  << flow.destinationAddress << ":" << flow.destinationPort << ","
                  << stats.txPackets << "," << stats.rxPackets << "," << stats.lostPackets << ",";
        if (stats.rxPackets > 0)
        {
            std::cout << stats.delaySum.GetSeconds() * 1e6 / stats.rxPackets;
        }
        std::cout << "\n";
    }
}

static void
Run(const ProgramOptions& options)
{
    const auto packets = options.GetWhole("packets", 1, 100000);
    const auto bytes = options.GetBytes("bytes", 1, 65507); // what fits into an IP packet
    const auto interval = options.GetTimeAboveZero("interval");
    if (interval > Seconds(1))
    {
        options.Refuse("interval", "expected times up to 1s");
    }
    const auto topology = FabricOptions::Read(options);
    const auto n = topology->graph.GetNHosts();
    if (n < 2)
    {
        options.Refuse(FabricOptions::GetName(options), "it has one host; expected 2 or more");
    }
    WormholeHelper helper;
    helper.SetRouter(topology->router);
    const auto devices = WormholeHelper::GetDevices(helper.Install(topology->graph));
    NodeContainer hosts;
    for (uint32_t h = 0; h < n; ++h)
    {
        hosts.Add(devices.Get(h)->GetNode());
    }
    if (options.Has("pcap"))
    {
        for (uint32_t h = 0; h < n; ++h)
        {
            options.CheckFile("pcap",
                              "-" + std::to_string(hosts.Get(h)->GetId()) + "-" +
                                  std::to_string(devices.Get(h)->GetIfIndex()) + ".pcap");
        }
        helper.EnablePcap(options.Get("pcap"), devices);
    }

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false); // IPv6 sends messages of its own
    stack.Install(hosts);
    stack.AssignStreams(hosts, 1); // of the jitter, where the command line asks for it
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(devices);
    const uint16_t port = 9;
    UdpEchoServerHelper(port).Install(hosts);
    for (uint32_t h = 0; h < n; ++h)
    {
        UdpEchoClientHelper client(InetSocketAddress(interfaces.GetAddress((h + 1) % n), port));
        client.SetAttribute("MaxPackets", UintegerValue(packets));
        client.SetAttribute("PacketSize", UintegerValue(bytes));
        client.SetAttribute("Interval", TimeValue(interval));
        client.Install(hosts.Get(h));
    }

    FlowMonitorHelper monitors;
    const auto monitor = monitors.Install(hosts);
    // FlowMonitor counts packets as lost after ten seconds, and has an event every second for ever.
    Simulator::Stop(interval * packets + Seconds(10));
    Simulator::Run();
    monitor->CheckForLostPackets();
    PrintFlows(*monitor, monitors);
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
{
    return OptionProgram{"first-ip",
                         __FILE__,
                         "Every host of a fabric sends UDP datagrams to the next one, which sends "
                         "them back; prints what FlowMonitor counts, as CSV.\n\n"
                         "Examples:\n"
                         "  first-ip --topology=mesh:2x2 --pcap=/tmp/first\n"
                         "  first-ip --fabric=cluster.json --bytes=1kB --interval=10us\n"
                         "  first-ip --ns3::WormholeFabric::DataRate=100Mbps --interval=2ms",
                         AddOptions,
                         Run}
        .Main(argc, argv);
}
