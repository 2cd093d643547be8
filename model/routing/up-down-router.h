/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_ROUTER_H
#define UP_DOWN_ROUTER_H

#include "destination-loads.h"
#include "fabric-graph.h"
#include "up-down-routing.h"

#include "ns3/wormhole-router.h"

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with up/down routes of its graph.
 */
class UpDownRouter : public WormholeRouter, public TurnRule, public DestinationLoads
{
  public:
    /**
     * @param graph the fabric's graph; hosts and switches are numbered as in the fabric
     * @param root which switch is on top: "first", "degree", "center" or the name of a switch, see
     *             UpDownRouting::RootRule; empty: what the graph says
     * @param spread how routes share equally good paths, see RouteSpread; empty: as the graph says
     * @throws WormholeError if there is no such rule or switch
     */
    explicit UpDownRouter(const FabricGraph& graph,
                          const std::string& root = "",
                          const std::string& spread = "");

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    bool HasCircle(const FabricGraph& graph) const override;

    bool AreBySwitch() const override;

    /// @return the routing
    const UpDownRouting& GetRouting() const;

  private:
    FabricGraph m_graph;        ///< the fabric's graph
    UpDownRouting m_routing;    ///< its routes
    RouteSpread::Rule m_spread; ///< how they share equally good paths
};

} // namespace ns3

#endif /* UP_DOWN_ROUTER_H */
