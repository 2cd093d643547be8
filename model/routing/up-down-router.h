/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_ROUTER_H
#define UP_DOWN_ROUTER_H

#include "fabric-graph.h"
#include "up-down-routing.h"

#include "ns3/wormhole-router.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with up/down routes of its graph.
 */
class UpDownRouter : public WormholeRouter
{
  public:
    /**
     * @param graph the fabric's graph; hosts and switches are numbered as in the fabric
     */
    explicit UpDownRouter(const FabricGraph& graph);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    /// @return the routing
    const UpDownRouting& GetRouting() const;

  private:
    FabricGraph m_graph;     ///< the fabric's graph
    UpDownRouting m_routing; ///< its routes
};

} // namespace ns3

#endif /* UP_DOWN_ROUTER_H */
