/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-channels.h"

namespace ns3
{

SwitchChannels::SwitchChannels(const FabricGraph& graph)
    : m_nPorts(graph.GetNSwitches() ? graph.GetNPorts(0) : 0),
      m_at(std::size_t{graph.GetNSwitches()} * m_nPorts, NONE),
      m_first{0}
{
    for (Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        for (const auto port : graph.PortsToSwitches(node))
        {
            m_at[std::size_t{node} * m_nPorts + port] = static_cast<Channel>(m_from.size());
            m_from.push_back(node);
            m_to.push_back(graph.Peer(node, port).node);
            m_ports.push_back(port);
        }
        m_first.push_back(static_cast<Channel>(m_from.size()));
    }
    m_reverse.resize(m_from.size());
    for (Channel channel = 0; channel < m_from.size(); ++channel)
    {
        const auto far = graph.Peer(m_from[channel], m_ports[channel]);
        m_reverse[channel] = At(far.node, far.port);
    }
}

uint32_t
SwitchChannels::GetNSwitches() const
{
    return static_cast<uint32_t>(m_first.size()) - 1;
}

uint32_t
SwitchChannels::GetNChannels() const
{
    return static_cast<uint32_t>(m_from.size());
}

} // namespace ns3
