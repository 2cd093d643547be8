/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-near-route.h"

#include <utility>

namespace ns3
{

UpDownNearRoute::UpDownNearRoute(const UpDownRouting& routing, Node from, Node to)
    : m_routing(routing),
      m_from(from),
      m_to(to)
{
    Reach(to, m_left[to], 0, true);
    for (uint32_t links = 0; !IsFound() && !m_level.empty() && m_left.size() < PATIENCE; ++links)
    {
        for (auto node : std::exchange(m_level, {}))
        {
            const auto left = m_left[node];
            for (const auto& link : m_routing.GetAdjacency().Of(node))
            {
                // The worm comes the other way: down to here where this link leads up.
                const bool comesDown = m_routing.IsUp(node, link.port);
                if (comesDown ? left.down == links : left.free == links)
                {
                    Reach(link.to, m_left[link.to], links + 1, comesDown);
                }
            }
        }
    }
}

void
UpDownNearRoute::Reach(Node node, Left& known, uint32_t links, bool goneDown)
{
    const bool freer = links < known.free;
    const bool downer = goneDown && links < known.down;
    known.free = freer ? links : known.free;
    known.down = downer ? links : known.down;
    if (freer || downer)
    {
        m_level.push_back(node);
    }
}

bool
UpDownNearRoute::IsFound() const
{
    const auto found = m_left.find(m_from);
    return found != m_left.end() && found->second.free != SwitchAdjacency::UNREACHED;
}

std::vector<UpDownNearRoute::Port>
UpDownNearRoute::GetPorts() const
{
    std::vector<Port> ports;
    auto node = m_from;
    bool goneDown = false;
    for (auto links = m_left.at(m_from).free; links > 0; --links)
    {
        for (const auto& link : m_routing.GetAdjacency().Of(node))
        {
            const bool up = m_routing.IsUp(node, link.port);
            const auto next = m_left.find(link.to);
            if (next == m_left.end() || (goneDown && up) ||
                (up ? next->second.free : next->second.down) != links - 1)
            {
                continue;
            }
            ports.push_back(link.port);
            node = link.to;
            goneDown = !up;
            break;
        }
    }
    return ports;
}

} // namespace ns3
