/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-places.h"

#include <algorithm>

namespace ns3
{

HostPlaces::HostPlaces(const FabricGraph& graph)
    : m_counts(graph.GetNSwitches(), 0)
{
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        m_switches.push_back(graph.SwitchOf(graph.HostAt(host)).node);
        m_places.push_back(m_counts[m_switches.back()]++);
    }
}

uint32_t
HostPlaces::GetNHosts() const
{
    return static_cast<uint32_t>(m_switches.size());
}

uint32_t
HostPlaces::GetMaxAt() const
{
    return m_counts.empty() ? 0 : *std::max_element(m_counts.begin(), m_counts.end());
}

} // namespace ns3
