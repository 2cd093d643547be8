/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/recovery-way.h"
#include "ns3/route-recovery.h"
#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

namespace
{

/// Routes in one of two sets of lanes. Cables of hosts have lane 0 alone.
class LaneSetRouter : public WormholeRouter
{
  public:
    /// @param router the routes @param set number of the set, 0 or 1
    LaneSetRouter(Ptr<WormholeRouter> router, uint8_t set)
        : m_router(std::move(router)),
          m_offset(static_cast<uint8_t>(set * m_router->GetNLanes()))
    {
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        return Shift(m_router->GetRoute(from, to));
    }

    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override
    {
        return m_router->GetTreeRoute(from, to);
    }

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        return m_router->GetRouteToSwitch(from, toSwitch);
    }

    uint32_t GetNLanes() const override
    {
        return 2 * m_router->GetNLanes();
    }

  private:
    Ptr<const WormRoute> Shift(Ptr<const WormRoute> route) const
    {
        if (m_offset == 0)
        {
            return route;
        }
        const auto nChannels = route->GetNChannels();
        WormRoute::Lanes lanes(nChannels, 0);
        for (WormRoute::Stop stop = 2; stop < nChannels; ++stop)
        {
            lanes[stop - 1] = static_cast<uint8_t>(route->GetLane(stop) + m_offset);
        }
        return Create<WormRoute>(route->InLanes(lanes));
    }

    Ptr<WormholeRouter> m_router; ///< the routes
    uint8_t m_offset;             ///< first lane of the set
};

} // namespace

/**
 * @brief Two sets of lanes (Pinkston, Pang and Duato, Deadlock-Free Dynamic Reconfiguration Schemes
 *        for Increased Network Dependability, IEEE TPDS 14(8), 2003): routes alternate between
 *        them, so that worms on old and new ones wait for each other at hosts' own cables alone.
 *
 * Hosts go on meanwhile. New routes wait until the last worm has gone that took their set before.
 */
class DoubleRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<DoubleRecoveryWay>("ns3::DoubleRecoveryWay");
        return tid;
    }

    bool Explores() const override
    {
        return true;
    }

    Ptr<WormholeRouter> Prepare(const FabricGraph& graph, Ptr<WormholeRouter> router) const override
    {
        if (router->GetInTransit() != InTransit::NONE || router->GetNLanes() > 128 ||
            (graph.GetNHosts() > 1 && router->GetRoute(0, 1)->HasChoices()))
        {
            throw WormholeError("recovery double doubles the lanes of routes that are paths by "
                                "switches; expected routes without choices, of at most 128 lanes, "
                                "or another recovery");
        }
        return Create<LaneSetRouter>(router, uint8_t{0});
    }

    Ptr<WormholeRouter> Adapt(Ptr<WormholeRouter> router, uint32_t number) const override
    {
        return Create<LaneSetRouter>(router, static_cast<uint8_t>(number % 2));
    }

    bool MayGo(RouteRecovery& recovery, const RecoveryRoutes& routes) const override
    {
        return recovery.MayOverlap(routes);
    }
};

NS_OBJECT_ENSURE_REGISTERED(DoubleRecoveryWay);

} // namespace ns3
