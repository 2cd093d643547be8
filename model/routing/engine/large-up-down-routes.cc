/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "large-up-down-routes.h"

#include "routing-progress.h"
#include "up-down-turns.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/// What can't be reached.
constexpr uint32_t FAR = UINT32_MAX;

} // namespace

LargeUpDownRoutes::LargeUpDownRoutes(const FabricGraph& graph, const std::vector<uint32_t>& ranks)
    : LaneRoutes(graph, 1),
      m_order(ranks),
      m_byPlace(ranks.size()),
      m_columns(ranks.size())
{
    const auto& channels = GetChannels();
    for (Node node = 0; node < ranks.size(); ++node)
    {
        m_byPlace[ranks[node]] = node;
        const auto count = channels.First(node + 1) - channels.First(node);
        if (count > UINT8_MAX)
        {
            throw WormholeError(graph.GetName(node) + " has " + std::to_string(count) +
                                " cables to switches: accepted are 255 on fabrics of so many "
                                "switches, or up/down routes");
        }
    }
    SetOrder(OrderUpDown(channels, ranks));
    std::vector<uint64_t> loads(channels.GetNChannels(), 0);
    Distances distances;
    RoutingProgress progress("switches with routes to them", ranks.size());
    for (Node to = 0; to < ranks.size(); ++to)
    {
        progress.Step();
        if (GetHosts().CountAt(to) > 0)
        {
            Measure(to, distances);
            Choose(to, distances, loads);
        }
    }
}

bool
LargeUpDownRoutes::IsUp(Channel channel) const
{
    return m_order[GetChannels().To(channel)] < m_order[GetChannels().From(channel)];
}

void
LargeUpDownRoutes::Measure(Node to, Distances& distances) const
{
    const auto& channels = GetChannels();
    auto& [free, down] = distances;
    down.assign(m_order.size(), FAR);
    down[to] = 0;
    std::vector<Node> queue{to};
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        const auto node = queue[i];
        for (auto channel = channels.First(node); channel < channels.First(node + 1); ++channel)
        {
            const auto far = channels.To(channel);
            if (IsUp(channel) && down[far] == FAR) // from there it is down
            {
                down[far] = down[node] + 1;
                queue.push_back(far);
            }
        }
    }
    free = down;
    for (const auto node : m_byPlace) // what is up from a switch is before it
    {
        for (auto channel = channels.First(node); channel < channels.First(node + 1); ++channel)
        {
            const auto left = free[channels.To(channel)];
            if (IsUp(channel) && left < FAR)
            {
                free[node] = std::min(free[node], left + 1);
            }
        }
    }
}

void
LargeUpDownRoutes::Choose(Node to, const Distances& distances, std::vector<uint64_t>& loads)
{
    const auto& channels = GetChannels();
    const auto& hosts = GetHosts();
    auto& column = m_columns[to];
    column.free.assign(m_order.size(), 0);
    column.down.assign(m_order.size(), 0);
    std::vector<uint64_t> climbing(m_order.size(), 0); // worms that may go up still, by switch
    std::vector<uint64_t> sinking(m_order.size(), 0);  // worms that have gone down
    const auto choose = [&](Node node, bool goneDown) {
        const auto left = (goneDown ? distances.down : distances.free)[node];
        auto best = SwitchChannels::NONE;
        for (auto channel = channels.First(node); channel < channels.First(node + 1); ++channel)
        {
            const auto isUp = IsUp(channel);
            const auto& rest = isUp ? distances.free : distances.down;
            if (!(isUp && goneDown) && rest[channels.To(channel)] + 1 == left &&
                (best == SwitchChannels::NONE || loads[channel] < loads[best]))
            {
                best = channel;
            }
        }
        return best;
    };
    const auto move = [&](Node node, bool goneDown, uint64_t worms) {
        const auto channel = choose(node, goneDown);
        (goneDown ? column.down : column.free)[node] =
            static_cast<uint8_t>(channel - channels.First(node));
        loads[channel] += worms * hosts.CountAt(to);
        (IsUp(channel) ? climbing : sinking)[channels.To(channel)] += worms;
    };
    for (auto place = m_byPlace.rbegin(); place != m_byPlace.rend(); ++place) // from the bottom
    {
        const auto worms = climbing[*place] + hosts.CountAt(*place);
        if (*place != to && worms > 0)
        {
            move(*place, false, worms);
        }
    }
    for (const auto node : m_byPlace) // from the top
    {
        if (node != to && sinking[node] > 0)
        {
            move(node, true, sinking[node]);
        }
    }
}

void
LargeUpDownRoutes::Append(uint32_t from, uint32_t to, Way& way) const
{
    const auto& channels = GetChannels();
    const auto last = GetHosts().SwitchOf(to);
    const auto& column = m_columns[last];
    bool goneDown = false;
    for (auto node = GetHosts().SwitchOf(from); node != last;)
    {
        const auto channel = channels.First(node) + (goneDown ? column.down : column.free)[node];
        goneDown = !IsUp(channel);
        way.push_back(channel);
        node = channels.To(channel);
    }
}

} // namespace ns3
