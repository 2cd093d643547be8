/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-channels.h"

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

} // namespace ns3
