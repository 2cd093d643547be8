#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""first-ip.cc from Python: the same options, the same numbers.

Every host of a fabric sends UDP datagrams to the next one, which sends them back; prints what
FlowMonitor counts, as CSV.

Examples: first-ip.py --topology=mesh:2x2 --pcap=/tmp/first
          first-ip.py --fabric=cluster.json --bytes=1kB --interval=10us
"""

import sys

# This package first, with its few modules of ns-3, then ns-3's own package with all of them: in the
# other order ns-3 prints "Failed to materialize symbols", twice. Both names are one namespace.
from ns3_wormhole import WormholeError, ns, set_default, translated
from ns import ns  # noqa: F811

USAGE = """Every host of a fabric sends UDP datagrams to the next one, which sends them back; \
prints what FlowMonitor counts, as CSV.

Examples:
  first-ip.py --topology=mesh:2x2 --pcap=/tmp/first
  first-ip.py --fabric=cluster.json --bytes=1kB --interval=10us
  first-ip.py --ns3::WormholeFabric::DataRate=100Mbps --interval=2ms"""


def parse_arguments():
    # See first-ip.cc for why.
    set_default("ns3::ArpL3Protocol::RequestJitter", "ns3::ConstantRandomVariable[Constant=0]")
    set_default("ns3::WormholeFabric::Buffers", "frame")
    options = ns.ProgramOptions("first-ip.py", USAGE)
    ns.FabricOptions.Add(options, "torus:3x3", "torus:3x3")
    options.Add("packets", "N", "datagrams that each host sends to the next one", "20")
    options.Add("bytes", "BYTES",
                "payload of a datagram; above 4432 (3 frames of 1480, less 8 for UDP), ARP drops "
                "a host's first datagram", "4000")
    options.Add("interval", "TIME", "between a host's datagrams", "100us")
    options.Add("pcap", "PREFIX", "write each host's frames to PREFIX-NODE-DEVICE.pcap")
    options.Parse(len(sys.argv), sys.argv)
    return options


def print_flows(monitor, helper):
    """Prints FlowMonitor's statistics as CSV."""
    classifier = helper.GetClassifier()
    print("flow,from,to,sent,received,lost,mean_delay_us")
    for number, stats in monitor.GetFlowStats():
        flow = classifier.FindFlow(number)
        delay = ""
        if stats.rxPackets > 0:
            delay = f"{stats.delaySum.GetSeconds() * 1e6 / stats.rxPackets:.3f}"
        print(f"{number},{flow.sourceAddress}:{flow.sourcePort},"
              f"{flow.destinationAddress}:{flow.destinationPort},"
              f"{stats.txPackets},{stats.rxPackets},{stats.lostPackets},{delay}")


def run(options):
    """Builds the network and runs it."""
    packets = options.GetWhole("packets", 1, 100000)
    size = options.GetBytes("bytes", 1, 65507)  # what fits into an IP packet
    interval = options.GetTimeAboveZero("interval")
    if interval > ns.Seconds(1):
        options.Refuse("interval", "expected times up to 1s")
    topology = ns.FabricOptions.Read(options)
    n = topology.graph.GetNHosts()
    if n < 2:
        options.Refuse(ns.FabricOptions.GetName(options), "it has one host; expected 2 or more")
    helper = ns.WormholeHelper()
    helper.SetRouter(topology.router)
    devices = ns.WormholeHelper.GetDevices(helper.Install(topology.graph))
    hosts = ns.NodeContainer()
    for h in range(n):
        hosts.Add(devices.Get(h).GetNode())
    if options.Has("pcap"):
        for h in range(n):
            options.CheckFile("pcap", f"-{hosts.Get(h).GetId()}-{devices.Get(h).GetIfIndex()}.pcap")
        helper.EnablePcap(options.Get("pcap"), devices)

    stack = ns.InternetStackHelper()
    stack.SetIpv6StackInstall(False)  # IPv6 sends messages of its own
    stack.Install(hosts)
    stack.AssignStreams(hosts, 1)  # of the jitter, where the command line asks for it
    addresses = ns.Ipv4AddressHelper(ns.Ipv4Address("10.0.0.0"), ns.Ipv4Mask("255.0.0.0"))
    interfaces = addresses.Assign(devices)
    port = 9
    ns.UdpEchoServerHelper(port).Install(hosts)
    for h in range(n):
        there = ns.InetSocketAddress(interfaces.GetAddress((h + 1) % n), port)
        client = ns.UdpEchoClientHelper(there.ConvertTo())
        client.SetAttribute("MaxPackets", ns.UintegerValue(packets))
        client.SetAttribute("PacketSize", ns.UintegerValue(size))
        client.SetAttribute("Interval", ns.TimeValue(interval))
        client.Install(hosts.Get(h))

    monitors = ns.FlowMonitorHelper()
    monitor = monitors.Install(hosts)
    # FlowMonitor counts packets as lost after ten seconds, and has an event every second for ever.
    ns.Simulator.Stop(interval * packets + ns.Seconds(10))
    ns.Simulator.Run()
    monitor.CheckForLostPackets()
    print_flows(monitor, monitors)
    ns.Simulator.Destroy()


if __name__ == "__main__":
    try:
        with translated():
            run(parse_arguments())
    except WormholeError as error:
        sys.exit(f"first-ip: {error}")
