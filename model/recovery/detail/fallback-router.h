/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FALLBACK_ROUTER_H
#define FALLBACK_ROUTER_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-channels.h"
#include "ns3/turn-rule.h"
#include "ns3/wormhole-router.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Routes with other channels for each switch that a worm comes to, which it takes where the
///        first one's cable is known to be down; see LocalRecoveryWay.
class FallbackRouter : public WormholeRouter
{
  public:
    /// @param graph the fabric @param router its routes, which are paths by switches
    FallbackRouter(const FabricGraph& graph, Ptr<WormholeRouter> router);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;

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
        return m_nLanes;
    }

  private:
    using Vertex = TurnSet::Vertex; ///< a lane of a channel

    /// @return channels to a switch by those that begin with each vertex, it among them; NONE:
    /// there is no legal way @param to the switch
    const std::vector<uint32_t>& GetDistances(FabricGraph::Node to);

    /// @return the lanes of channels between switches that a route takes
    std::vector<Vertex> GetWay(uint32_t from, const WormRoute& route) const;

    FabricGraph m_graph;           ///< the fabric
    SwitchChannels m_channels;     ///< its channels
    HostAttachment m_hosts;        ///< its hosts
    Ptr<WormholeRouter> m_router;  ///< its routes
    uint32_t m_nLanes;             ///< lanes of each channel
    std::vector<uint32_t> m_ranks; ///< by vertex; they increase along each way
    std::vector<Vertex> m_order;   ///< by rank
    std::map<FabricGraph::Node, std::vector<uint32_t>> m_distances; ///< see GetDistances
};

} // namespace ns3

#endif /* FALLBACK_ROUTER_H */
