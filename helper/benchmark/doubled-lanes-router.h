/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DOUBLED_LANES_ROUTER_H
#define DOUBLED_LANES_ROUTER_H

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Routes with choices (S12) made of routes without: each channel between switches is asked
 *        for in the route's lane and in the same one of a second set, and the worm goes on in the
 *        first that it gets.
 *
 * A worm goes to a later lane of the routes' order whatever set it takes, so these routes are as
 * free of deadlock as those that they were made of. Tree worms and messages to switches stay in the
 * first set.
 */
class DoubledLanesRouter : public WormholeRouter
{
  public:
    /// @param router the routes without choices
    explicit DoubledLanesRouter(Ptr<WormholeRouter> router);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;
    uint32_t GetNLanes() const override;

  private:
    Ptr<WormholeRouter> m_router;                        ///< the routes without choices
    std::vector<std::vector<WormRoute::Choice>> m_nodes; ///< of the last route, for their memory
};

} // namespace ns3

#endif /* DOUBLED_LANES_ROUTER_H */
