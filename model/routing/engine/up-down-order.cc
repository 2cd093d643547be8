/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

UpDownOrder::UpDownOrder(const SwitchChannels& channels, std::vector<uint32_t> ranks)
    : m_channels(channels),
      m_ranks(std::move(ranks))
{
}

std::vector<UpDownOrder::Channel>
UpDownOrder::OrderChannels() const
{
    const auto height = [&](uint32_t channel) {
        const auto rank = static_cast<int64_t>(m_ranks[m_channels.From(channel)]);
        return IsUp(channel) ? -rank : rank + 1;
    };
    std::vector<Channel> order(m_channels.GetNChannels());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return height(a) < height(b);
    });
    return order;
}

TurnSet
UpDownOrder::MakeTurns() const
{
    TurnSet turns(OrderChannels());
    m_channels.ForEachTurn([&](Channel channel, Channel next) {
        if (IsUp(channel) || !IsUp(next))
        {
            turns.Add(channel, next);
        }
    });
    return turns;
}

UpDownDistances::UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks)
    : UpDownOrder(channels, std::move(ranks)),
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
