/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IP_NETWORK_H
#define IP_NETWORK_H

#include "../test-tools.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/wormhole-helper.h"

namespace ns3
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
    /// Builds the network in a simulation of its own. @param nHosts number of hosts, on one switch
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

    /// @return address and port of a host @param version 4 or 6
    Address At(uint32_t host, int version) const
    {
        return version == 4 ? Address(InetSocketAddress(v4.GetAddress(host), PORT))
                            : Address(Inet6SocketAddress(v6.GetAddress(host, 1), PORT));
    }

    /// @param protocol "Udp" or "Tcp" @param version 4 or 6 @return an application that takes what
    /// comes to PORT
    static Ptr<PacketSink> Sink(Ptr<Node> node, const std::string& protocol, int version)
    {
        const auto any = version == 4 ? Address(InetSocketAddress(Ipv4Address::GetAny(), PORT))
                                      : Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT));
        auto applications =
            PacketSinkHelper("ns3::" + protocol + "SocketFactory", any).Install(node);
        applications.Start(Seconds(0));
        return DynamicCast<PacketSink>(applications.Get(0));
    }

    /// @return bytes of an IP header @param version 4 or 6
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
class RateMeter : public SimpleRefCount<RateMeter>
{
  public:
    RateMeter(Ptr<PacketSink> sink, Time from, Time to)
        : m_sink(sink),
          m_seconds((to - from).GetSeconds())
    {
        Simulator::Schedule(from, &RateMeter::Note, this, &m_before);
        Simulator::Schedule(to, &RateMeter::Note, this, &m_after);
    }

    /// @return bits a second
    double Get() const
    {
        return 8.0 * static_cast<double>(m_after - m_before) / m_seconds;
    }

  private:
    /// Notes the bytes taken so far.
    void Note(uint64_t* bytes)
    {
        *bytes = m_sink->GetTotalRx();
    }

    Ptr<PacketSink> m_sink; ///< the application
    double m_seconds;       ///< how long it measures
    uint64_t m_before{0};   ///< bytes at the beginning
    uint64_t m_after{0};    ///< bytes at the end
};

} // namespace ns3

#endif /* IP_NETWORK_H */
