/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINE_GRAPH_H
#define LINE_GRAPH_H

#include "ns3/fabric-graph.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// A line of switches with a host at either end: host 0 at the first, host 1 at the last.
/// @param nSwitches number of switches @param port the lowest of the three ports of each that have
/// cables @return the graph
inline FabricGraph
MakeLine(uint32_t nSwitches, FabricGraph::Port port = 0)
{
    FabricGraph graph(nSwitches, 2, port + 3U);
    for (uint32_t s = 1; s < nSwitches; ++s)
    {
        graph.Connect(s - 1, port + 1, s, port);
    }
    graph.Connect(graph.HostAt(0), 0, 0, port + 2);
    graph.Connect(graph.HostAt(1), 0, nSwitches - 1, port + 2);
    return graph;
}

/// @return hosts at one switch @param nHosts number of hosts
inline FabricGraph
MakeStar(uint32_t nHosts)
{
    FabricGraph graph(1, nHosts, std::max(nHosts, 2U));
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        graph.Connect(0, host, graph.HostAt(host), 0);
    }
    return graph;
}

} // namespace ns3

#endif /* LINE_GRAPH_H */
