/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-distances.h"

#include <algorithm>
#include <utility>

namespace ns3
{

UpDownDistances::UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks)
    : m_channels(channels),
      m_ranks(std::move(ranks)),
      m_byPlace(m_ranks.size())
{
    for (Node node = 0; node < m_ranks.size(); ++node)
    {
        m_byPlace[m_ranks[node]] = node;
    }
}

void
UpDownDistances::Measure(Node to)
{
    m_down.assign(m_ranks.size(), FAR);
    m_down[to] = 0;
    m_queue.assign(1, to);
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        const auto node = m_queue[i];
        for (auto channel = m_channels.First(node); channel < m_channels.First(node + 1); ++channel)
        {
            const auto far = m_channels.To(channel);
            if (IsUp(channel) && m_down[far] == FAR) // from there it is down
            {
                m_down[far] = m_down[node] + 1;
                m_queue.push_back(far);
            }
        }
    }
    m_free = m_down;
    for (const auto node : m_byPlace) // what is up from a switch is before it
    {
        for (auto channel = m_channels.First(node); channel < m_channels.First(node + 1); ++channel)
        {
            const auto left = m_free[m_channels.To(channel)];
            if (IsUp(channel) && left < FAR)
            {
                m_free[node] = std::min(m_free[node], left + 1);
            }
        }
    }
}

} // namespace ns3
