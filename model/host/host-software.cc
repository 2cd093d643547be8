/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-software.h"

#include "ns3/exact-time.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostSoftware");

NS_OBJECT_ENSURE_REGISTERED(HostSoftware);

TypeId
HostSoftware::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HostSoftware")
            .SetParent<Object>()
            .SetGroupName("Wormhole")
            .AddConstructor<HostSoftware>()
            .AddAttribute("StartUp",
                          "Start-up time t_s of a message: buffers, copies, setting up the "
                          "interface.",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&HostSoftware::m_startUp),
                          ExactTime::MakeChecker());
    return tid;
}

void
HostSoftware::DoDispose()
{
    m_device = nullptr;
    Object::DoDispose();
}

void
HostSoftware::Install(Ptr<WormholeNetDevice> device)
{
    m_device = device;
    device->AggregateObject(this);
}

Time
HostSoftware::Send(Ptr<Worm> worm)
{
    const auto wait = Occupy(m_startUp);
    m_device->SendWorm(worm, wait);
    return wait;
}

Time
HostSoftware::Occupy(Time duration)
{
    m_busyUntil = std::max(m_busyUntil, Simulator::Now()) + duration;
    return m_busyUntil - Simulator::Now();
}

Time
HostSoftware::GetStartUp() const
{
    return m_startUp;
}

Ptr<WormholeNetDevice>
HostSoftware::GetDevice() const
{
    return m_device;
}

void
HostSoftware::SetReceiver(Worm::Kind kind, Receiver receiver)
{
    m_device->SetReceiver(kind, receiver);
}

void
HostSoftware::SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver)
{
    m_device->SetHostReceiver(kind, receiver);
}

} // namespace ns3
