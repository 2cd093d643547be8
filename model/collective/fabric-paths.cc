/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-paths.h"

#include <algorithm>

namespace ns3
{

FabricPaths::FabricPaths(const Collective& group, HostSoftware::Transport transport, uint64_t bytes)
    : m_group(group),
      m_transport(transport),
      m_bytes(bytes)
{
}

Ptr<WormholeFabric>
FabricPaths::GetFabric() const
{
    auto fabric = m_group.GetDomain().GetFabric();
    fabric->Start();
    return fabric;
}

uint32_t
FabricPaths::GetSwitch(uint32_t host) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    return graph.SwitchOf(graph.HostAt(host)).node;
}

Time
FabricPaths::GetFlitTime(uint32_t host) const
{
    const auto fabric = GetFabric();
    return fabric->GetFlitTime(*fabric->GetHost(host)->GetPort()->GetChannel());
}

Time
FabricPaths::GetSendTime(uint32_t host) const
{
    const auto software = m_group.GetDomain().GetSoftware(host);
    return std::max({software->GetMeanSendTime(m_transport, m_bytes),
                     software->GetInterfaceTime(HostSoftware::Direction::SENT),
                     software->GetMessageGap(),
                     GetFlitTime(host) * static_cast<int64_t>(software->GetFlits(m_bytes))});
}

const FabricPaths::Parts&
FabricPaths::GetParts(uint32_t host) const
{
    if (host >= m_parts.size())
    {
        m_parts.resize(host + 1);
    }
    auto& parts = m_parts[host];
    if (!parts.isKnown)
    {
        auto fabric = GetFabric();
        auto device = fabric->GetHost(host);
        auto software = m_group.GetDomain().GetSoftware(host);
        const auto delay = device->GetPort()->GetChannel()->GetDelay();
        parts.sender = software->GetMeanSendTime(m_transport, m_bytes) +
                       software->GetInterfaceTime(HostSoftware::Direction::SENT) -
                       software->GetTransferTime(m_transport) - GetSendTime(host);
        parts.receiver = delay + device->GetDelay() * 2 +
                         GetFlitTime(host) * static_cast<int64_t>(software->GetFlits(m_bytes)) +
                         software->GetInterfaceTime(HostSoftware::Direction::RECEIVED) +
                         software->GetMeanReceiveTime(m_transport, m_bytes);
        parts.cable = delay + GetFlitTime(host) +
                      (fabric->GetNSwitches() > 0 ? fabric->GetSwitch(0)->GetDelay() : Time(0));
        parts.isKnown = true;
    }
    return parts;
}

SwitchPath
FabricPaths::GetPath(uint32_t from, uint32_t to) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    const auto route = GetFabric()->GetRouter()->GetSwitchPath(from, to);
    const auto nodes = graph.Walk(graph.HostAt(from), *route);
    SwitchPath path;
    path.links.reserve(nodes.size());
    for (std::size_t i = 2; i + 1 < nodes.size(); ++i)
    {
        path.links.emplace_back(nodes[i - 1], nodes[i]);
    }
    // In this order: the second may move what the first refers to.
    path.r = GetParts(from).sender;
    const auto& receiver = GetParts(to);
    path.r += receiver.receiver + receiver.cable * (static_cast<int64_t>(nodes.size()) - 2);
    path.r += GetFlitTime(from) * static_cast<int64_t>(GetFabric()->GetRouteFlits(*route));
    return path;
}

Time
FabricPaths::GetMinR() const
{
    // The sender's part and the receiver's are each as little as anybody's, one cable between them.
    auto sender = Time::Max();
    auto receiver = Time::Max();
    for (uint32_t rank = 0; rank < m_group.GetNMembers(); ++rank)
    {
        const auto& parts = GetParts(m_group.GetHost(rank));
        sender = std::min(sender, parts.sender);
        receiver = std::min(receiver, parts.receiver);
    }
    return sender + receiver;
}

std::vector<uint32_t>
FabricPaths::GetNeighbours(uint32_t number) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    std::vector<uint32_t> neighbours;
    for (const auto port : graph.PortsToSwitches(number))
    {
        neighbours.push_back(graph.Peer(number, port).node);
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    return neighbours;
}

uint32_t
FabricPaths::CountChannels(const SwitchLink& link) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    const auto ports = graph.PortsToSwitches(link.first);
    return static_cast<uint32_t>(std::count_if(ports.begin(), ports.end(), [&](auto port) {
        return graph.Peer(link.first, port).node == link.second;
    }));
}

uint32_t
FabricPaths::GetHeaderBytes(const TreeWormHeader& header,
                            uint32_t from,
                            const std::vector<uint32_t>& to) const
{
    const auto& graph = m_group.GetDomain().GetGraph();
    return header.GetBytes(graph,
                           graph.HostAt(from),
                           *GetFabric()->GetRouter()->GetTreeRoute(from, to));
}

} // namespace ns3
