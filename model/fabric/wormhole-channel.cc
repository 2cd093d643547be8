/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-channel.h"

#include "wormhole-fabric.h"
#include "wormhole-net-device.h"
#include "wormhole-port.h"

#include "ns3/checked-attribute.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-node-state.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeChannel");

NS_OBJECT_ENSURE_REGISTERED(WormholeChannel);

TypeId
WormholeChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WormholeChannel")
            .SetParent<Channel>()
            .SetGroupName("Wormhole")
            .AddConstructor<WormholeChannel>()
            .AddAttribute(
                "Delay",
                "Propagation delay p of the cable, at least one ns-3 time unit.",
                TimeValue(NanoSeconds(20)),
                MakeFixedAccessor<WormholeChannel>("Delay",
                                                   MakeTimeAccessor(&WormholeChannel::m_delay)),
                ExactTime::MakeChecker(1))
            .AddAttribute("DataRate",
                          "Data rate of the cable, each way. 0bps: that of the fabric.",
                          DataRateValue(DataRate(0)),
                          MakeFixedAccessor<WormholeChannel>(
                              "DataRate",
                              MakeDataRateAccessor(&WormholeChannel::m_dataRate)),
                          MakeDataRateChecker())
            .AddAttribute(
                "FlitTime",
                "Flit time tau of the cable. 0 takes it from the fabric's FlitSize and DataRate.",
                TimeValue(Time(0)),
                MakeFixedAccessor<WormholeChannel>("FlitTime",
                                                   MakeTimeAccessor(&WormholeChannel::m_flitTime)),
                ExactTime::MakeChecker());
    return tid;
}

void
WormholeChannel::DoDispose()
{
    m_ports = {};
    Channel::DoDispose();
}

void
WormholeChannel::Connect(Ptr<WormholePort> a, Ptr<WormholePort> b)
{
    NS_LOG_FUNCTION(this << a << b);
    if (a == b)
    {
        throw WormholeError("a cable joins two ports, not port " + a->GetName() + " to itself");
    }
    a->Plug(this, *b);
    b->Plug(this, *a);
    m_ports = {a, b};
}

bool
WormholeChannel::HasStarted() const
{
    return m_ports[0] && m_ports[0]->HasStarted();
}

Ptr<WormholePort>
WormholeChannel::GetPort(std::size_t end) const
{
    return m_ports.at(end);
}

std::size_t
WormholeChannel::GetNDevices() const
{
    std::size_t n = 0;
    for (const auto& port : m_ports)
    {
        n += port && port->GetNode()->device;
    }
    return n;
}

Ptr<NetDevice>
WormholeChannel::GetDevice(std::size_t i) const
{
    for (const auto& port : m_ports)
    {
        auto device = port ? port->GetNode()->device : nullptr;
        if (device && i-- == 0)
        {
            return device;
        }
    }
    return nullptr;
}

NS_OBJECT_ENSURE_REGISTERED(WormholeSegment);

TypeId
WormholeSegment::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WormholeSegment")
                            .SetParent<Channel>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<WormholeSegment>()
                            .AddAttribute("Fabric",
                                          "The fabric whose hosts it joins.",
                                          TypeId::ATTR_GET,
                                          PointerValue(),
                                          MakePointerAccessor(&WormholeSegment::GetFabric),
                                          MakePointerChecker<WormholeFabric>());
    return tid;
}

void
WormholeSegment::DoDispose()
{
    m_fabric = nullptr;
    Channel::DoDispose();
}

void
WormholeSegment::SetFabric(Ptr<WormholeFabric> fabric)
{
    m_fabric = fabric;
}

Ptr<WormholeFabric>
WormholeSegment::GetFabric() const
{
    return m_fabric;
}

std::size_t
WormholeSegment::GetNDevices() const
{
    return m_fabric ? m_fabric->GetNHosts() : 0;
}

Ptr<NetDevice>
WormholeSegment::GetDevice(std::size_t i) const
{
    return m_fabric ? m_fabric->GetHost(static_cast<uint32_t>(i)) : nullptr;
}

} // namespace ns3
