/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-route.h"

#include "ns3/wormhole-error.h"

#include <string>
#include <utility>

namespace ns3
{

WormRoute
WormRoute::Path(Ports ports)
{
    WormRoute route;
    route.m_ports = std::move(ports);
    return route;
}

WormRoute
WormRoute::Path(const std::vector<uint16_t>& ports)
{
    Ports own;
    for (const auto port : ports)
    {
        own.push_back(port);
    }
    return Path(std::move(own));
}

WormRoute
WormRoute::Path(std::initializer_list<uint16_t> ports)
{
    return Path(std::vector<uint16_t>(ports));
}

WormRoute
WormRoute::Tree(const std::vector<std::vector<uint16_t>>& ports)
{
    WormRoute route;
    std::vector<uint32_t> first;
    first.reserve(ports.size() + 1);
    for (const auto& stop : ports)
    {
        first.push_back(route.GetNChannels());
        route.m_ports.insert(route.m_ports.end(), stop.begin(), stop.end());
    }
    first.push_back(route.GetNChannels());
    route.m_first = std::make_shared<const std::vector<uint32_t>>(std::move(first));
    if (route.GetNChannels() + 1 != ports.size())
    {
        throw WormholeError("tree route lists " + std::to_string(ports.size()) +
                            " stops but its ports lead to " +
                            std::to_string(route.GetNChannels() + 1));
    }
    return route;
}

uint32_t
WormRoute::GetNEnds() const
{
    if (!m_first)
    {
        return 1;
    }
    // Where the next stop's branches begin at the same place, a stop has none.
    uint32_t ends = 0;
    for (auto first = m_first->begin(); first + 1 != m_first->end(); ++first)
    {
        ends += *first == *(first + 1);
    }
    return ends;
}

} // namespace ns3
