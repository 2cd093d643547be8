/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGULAR_ROUTER_H
#define REGULAR_ROUTER_H

#include "destination-loads.h"
#include "regular-topology.h"
#include "route-spread.h"
#include "turn-rule.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with the routes of its rule, without any table.
 *
 * A tree worm takes the same ways as unicast worms would, passes every switch once, and parts where
 * they do. The number that chooses a way is RouteSpread's: that of both hosts for a unicast route,
 * of the sending host alone for a tree route.
 */
class RegularRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /**
     * @param rule the fabric's rule; it is not checked whether worms on its routes can deadlock
     * @param spread how several ways that are equally good are shared
     */
    explicit RegularRouter(std::shared_ptr<const RegularTopology> rule,
                           RouteSpread::Rule spread = RouteSpread::Rule::HASH);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    /// @return whether routes do not depend on the sending host's number
    bool AreBySwitch() const override;

    bool HasCircle(const FabricGraph& graph) const override;

    /// Refuses routes on which worms can deadlock, see RegularTopology. @param graph the fabric's
    /// graph
    void CheckDeadlockFree(const FabricGraph& graph) const;

  private:
    using Node = RegularTopology::Node; ///< number of a switch
    using Port = RegularTopology::Port; ///< number of a port

    std::shared_ptr<const RegularTopology> m_rule; ///< the fabric's rule
    RouteSpread::Rule m_spread;                    ///< how ways are shared
};

} // namespace ns3

#endif /* REGULAR_ROUTER_H */
