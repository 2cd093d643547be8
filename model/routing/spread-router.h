/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPREAD_ROUTER_H
#define SPREAD_ROUTER_H

#include "fabric-graph.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Another router's routes, spread over parallel cables: of the n cables from a switch to the
 *        next, a unicast worm takes the one that the receiving host's number, modulo n, says.
 *
 * Routers take the same of several parallel cables every time. The ways that worms take, switch by
 * switch, stay as they are: where worms on the other router's routes cannot deadlock, and that is
 * for an order of links, not of single cables, these cannot either. Tree worms, and worms that end
 * in a switch, are left as they are.
 */
class SpreadRouter : public WormholeRouter
{
  public:
    /**
     * @param router the other router
     * @param graph the fabric's graph; hosts and switches are numbered as in the fabric
     */
    SpreadRouter(Ptr<WormholeRouter> router, const FabricGraph& graph);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

  private:
    Ptr<WormholeRouter> m_router; ///< the other router
    FabricGraph m_graph;          ///< the fabric's graph
    /// Ports of each switch by the switch that they lead to, both increasing.
    std::vector<std::vector<std::pair<FabricGraph::Node, FabricGraph::Port>>> m_ports;
};

} // namespace ns3

#endif /* SPREAD_ROUTER_H */
