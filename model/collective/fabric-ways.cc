/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-ways.h"

#include <algorithm>

namespace ns3
{

FabricWays::FabricWays(const Collective& group, HostSoftware::Transport transport)
    : m_group(group),
      m_transport(transport)
{
}

Ptr<WormholeFabric>
FabricWays::GetFabric() const
{
    auto fabric = m_group.GetDomain().GetFabric();
    fabric->Start();
    return fabric;
}

uint32_t
FabricWays::GetSwitch(uint32_t host) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    return graph.SwitchOf(graph.HostAt(host)).node;
}

Time
FabricWays::GetSendTime(uint32_t host) const
{
    const auto sending =
        GetFabric()->GetFlitTime() * static_cast<int64_t>(m_group.GetMessageFlits());
    return std::max(m_group.GetDomain().GetSoftware(host)->GetMeanSendTime(m_transport), sending);
}

SwitchWay
FabricWays::GetWay(uint32_t from, uint32_t to) const
{
    auto& domain = m_group.GetDomain();
    auto fabric = GetFabric();
    const auto& graph = domain.GetGraph();
    const auto route = fabric->GetRouter()->GetRoute(from, to);
    const auto nodes = graph.Walk(graph.HostAt(from), *route);
    SwitchWay way;
    for (std::size_t i = 2; i + 1 < nodes.size(); ++i)
    {
        way.links.emplace_back(nodes[i - 1], nodes[i]);
    }
    const auto nCables = static_cast<int64_t>(nodes.size()) - 1;
    auto device = fabric->GetHost(to);
    auto flight = device->GetPort()->GetChannel()->GetDelay() * nCables + device->GetDelay() * 2;
    if (nCables > 1)
    {
        flight += fabric->GetSwitch(0)->GetDelay() * (nCables - 1);
    }
    flight +=
        fabric->GetFlitTime() * (nCables - 1 + static_cast<int64_t>(m_group.GetMessageFlits()));
    way.r = domain.GetSoftware(from)->GetMeanSendTime(m_transport) + flight +
            domain.GetSoftware(to)->GetMeanReceiveTime(m_transport) - GetSendTime(from);
    return way;
}

uint32_t
FabricWays::CountChannels(const SwitchLink& link) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    const auto ports = graph.PortsToSwitches(link.first);
    return static_cast<uint32_t>(std::count_if(ports.begin(), ports.end(), [&](auto port) {
        return graph.Peer(link.first, port).node == link.second;
    }));
}

} // namespace ns3
