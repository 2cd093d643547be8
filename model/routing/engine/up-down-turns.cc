/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-turns.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/// @return whether a channel is up @param channels the channels @param ranks place of each switch
/// @param channel the channel
bool
IsUp(const SwitchChannels& channels, const std::vector<uint32_t>& ranks, uint32_t channel)
{
    return ranks[channels.To(channel)] < ranks[channels.From(channel)];
}

} // namespace

std::vector<SwitchChannels::Channel>
OrderUpDown(const SwitchChannels& channels, const std::vector<uint32_t>& ranks)
{
    const auto height = [&](uint32_t channel) {
        const auto rank = static_cast<int64_t>(ranks[channels.From(channel)]);
        return IsUp(channels, ranks, channel) ? -rank : rank + 1;
    };
    std::vector<SwitchChannels::Channel> order(channels.GetNChannels());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return height(a) < height(b);
    });
    return order;
}

TurnSet
MakeUpDownTurns(const SwitchChannels& channels, const std::vector<uint32_t>& ranks)
{
    const auto isUp = [&](uint32_t channel) { return IsUp(channels, ranks, channel); };
    TurnSet turns(OrderUpDown(channels, ranks));
    for (uint32_t channel = 0; channel < channels.GetNChannels(); ++channel)
    {
        const auto node = channels.To(channel);
        for (auto next = channels.First(node); next < channels.First(node + 1); ++next)
        {
            if (channels.To(next) != channels.From(channel) && (isUp(channel) || !isUp(next)))
            {
                turns.Add(channel, next);
            }
        }
    }
    return turns;
}

} // namespace ns3
