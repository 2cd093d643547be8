/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "doubled-lanes-router.h"

namespace ns3
{

DoubledLanesRouter::DoubledLanesRouter(Ptr<WormholeRouter> router)
    : m_router(router)
{
}

Ptr<const WormRoute>
DoubledLanesRouter::GetRoute(uint32_t from, uint32_t to)
{
    const auto route = m_router->GetRoute(from, to);
    const auto nChannels = route->GetNChannels();
    m_nodes.resize(nChannels + 1);
    m_nodes.back().clear();
    for (WormRoute::Stop stop = 0; stop < nChannels; ++stop)
    {
        auto& choices = m_nodes[stop];
        choices.clear();
        const auto port = route->At(stop)[0].port;
        const auto next = stop + 1;
        const auto lane = route->GetLane(next);
        choices.push_back({port, lane, next});
        if (stop > 0 && next < nChannels) // between switches
        {
            const auto second = static_cast<uint8_t>(lane + m_router->GetNLanes());
            choices.push_back({port, second, next});
        }
    }
    return Create<WormRoute>(WormRoute::Adaptive(m_nodes));
}

Ptr<const WormRoute>
DoubledLanesRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    return m_router->GetTreeRoute(from, to);
}

Ptr<const WormRoute>
DoubledLanesRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    return m_router->GetRouteToSwitch(from, toSwitch);
}

uint32_t
DoubledLanesRouter::GetNLanes() const
{
    return 2 * m_router->GetNLanes();
}

} // namespace ns3
