/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-channels.h"

#include <algorithm>

namespace ns3
{

SwitchChannels::SwitchChannels(const FabricGraph& graph)
    : SwitchAdjacency(graph),
      m_nPorts(graph.GetNSwitches() ? graph.GetNPorts(0) : 0),
      m_at(std::size_t{graph.GetNSwitches()} * m_nPorts, NONE)
{
    m_from.reserve(GetNChannels());
    for (Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        for (auto channel = First(node); channel < First(node + 1); ++channel)
        {
            m_from.push_back(node);
            m_at[std::size_t{node} * m_nPorts + PortOf(channel)] = channel;
        }
    }
    m_reverse.reserve(GetNChannels());
    for (Channel channel = 0; channel < GetNChannels(); ++channel)
    {
        const auto far = graph.Peer(From(channel), PortOf(channel));
        m_reverse.push_back(At(far.node, far.port));
    }
}

HostAttachment::HostAttachment(const FabricGraph& graph)
    : m_counts(graph.GetNSwitches(), 0)
{
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        m_switches.push_back(graph.SwitchOf(graph.HostAt(host)).node);
        m_places.push_back(m_counts[m_switches.back()]++);
    }
}

uint32_t
HostAttachment::GetMaxAt() const
{
    return m_counts.empty() ? 0 : *std::max_element(m_counts.begin(), m_counts.end());
}

} // namespace ns3
