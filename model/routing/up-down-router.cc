/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-router.h"

namespace ns3
{

UpDownRouter::UpDownRouter(const FabricGraph& graph,
                           const std::string& root,
                           const std::string& spread)
    : m_graph(graph),
      m_routing(m_graph,
                UpDownRouting::RootByName(m_graph, root.empty() ? graph.GetRoutes().root : root)),
      m_spread(RouteSpread::ByName(spread.empty() ? graph.GetRoutes().spread : spread))
{
}

bool
UpDownRouter::HasCircle(const FabricGraph& graph) const
{
    return m_routing.HasCircle(graph);
}

Ptr<const WormRoute>
UpDownRouter::GetRoute(uint32_t from, uint32_t to)
{
    return Create<WormRoute>(m_routing.Route(m_graph.HostAt(from),
                                             m_graph.HostAt(to),
                                             RouteSpread(m_spread, from, to, CountWorm())));
}

Ptr<const WormRoute>
UpDownRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    std::vector<FabricGraph::Node> hosts;
    hosts.reserve(to.size());
    for (const auto host : to)
    {
        hosts.push_back(m_graph.HostAt(host));
    }
    return Create<WormRoute>(m_routing.TreeRoute(m_graph.HostAt(from), hosts));
}

Ptr<const WormRoute>
UpDownRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    return Create<WormRoute>(m_routing.RouteToSwitch(m_graph.HostAt(from), toSwitch));
}

bool
UpDownRouter::AreBySwitch() const
{
    return m_spread == RouteSpread::Rule::FIRST || m_spread == RouteSpread::Rule::IN_TURN;
}

const UpDownRouting&
UpDownRouter::GetRouting() const
{
    return m_routing;
}

} // namespace ns3
