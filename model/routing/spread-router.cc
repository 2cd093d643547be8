/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spread-router.h"

#include <algorithm>

namespace ns3
{

SpreadRouter::SpreadRouter(Ptr<WormholeRouter> router, const FabricGraph& graph)
    : m_router(router),
      m_graph(graph),
      m_ports(graph.GetNSwitches())
{
    for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        for (const auto port : graph.PortsToSwitches(node))
        {
            m_ports[node].emplace_back(graph.Peer(node, port).node, port);
        }
    }
}

Ptr<const WormRoute>
SpreadRouter::GetRoute(uint32_t from, uint32_t to)
{
    const auto route = m_router->GetRoute(from, to);
    const auto nodes = m_graph.Walk(m_graph.HostAt(from), *route);
    std::vector<uint16_t> ports;
    for (WormRoute::Stop stop = 0; stop + 1 < nodes.size(); ++stop)
    {
        ports.push_back(route->At(stop)[0].port);
        if (!m_graph.IsSwitch(nodes[stop]) || !m_graph.IsSwitch(nodes[stop + 1]))
        {
            continue;
        }
        const auto& all = m_ports[nodes[stop]];
        const auto first = std::lower_bound(all.begin(),
                                            all.end(),
                                            std::make_pair(nodes[stop + 1], FabricGraph::Port{0}));
        auto last = first;
        while (last != all.end() && last->first == nodes[stop + 1])
        {
            ++last;
        }
        ports.back() = (first + to % (last - first))->second;
    }
    return Create<WormRoute>(WormRoute::Path(ports));
}

Ptr<const WormRoute>
SpreadRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    return m_router->GetTreeRoute(from, to);
}

Ptr<const WormRoute>
SpreadRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    return m_router->GetRouteToSwitch(from, toSwitch);
}

} // namespace ns3
