/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-segment.h"

#include "wormhole-fabric.h"

#include "ns3/pointer.h"

namespace ns3
{

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
