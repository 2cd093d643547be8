/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-route.h"

#include "wormhole-error.h"

#include <string>

namespace ns3
{

WormRoute
WormRoute::Path(const std::vector<uint16_t>& ports)
{
    WormRoute route;
    route.m_branches.reserve(ports.size());
    for (auto port : ports)
    {
        route.m_branches.push_back({port, static_cast<Stop>(route.m_branches.size() + 1)});
    }
    return route;
}

WormRoute
WormRoute::Tree(const std::vector<std::vector<uint16_t>>& ports)
{
    WormRoute route;
    Stop next = 1;
    for (const auto& stop : ports)
    {
        route.m_first.push_back(route.GetNChannels());
        for (auto port : stop)
        {
            route.m_branches.push_back({port, next++});
        }
    }
    route.m_first.push_back(route.GetNChannels());
    if (next != ports.size())
    {
        throw WormholeError("tree route lists " + std::to_string(ports.size()) +
                            " stops but its ports lead to " + std::to_string(next));
    }
    return route;
}

uint32_t
WormRoute::GetNEnds() const
{
    uint32_t ends = m_first.empty();
    for (Stop stop = 0; stop + 1 < m_first.size(); ++stop)
    {
        ends += m_first[stop] == m_first[stop + 1];
    }
    return ends;
}

} // namespace ns3
