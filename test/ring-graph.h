/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_GRAPH_H
#define RING_GRAPH_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-fabric.h"

#include <cstdint>

namespace ns3
{

/**
 * Joins a graph's first switches in a ring, with a host each: port 0 leads to the next switch, 1 to
 * the one before, 2 to the host.
 * @param graph the graph
 * @param nSwitches how many
 */
inline void
ConnectRing(FabricGraph& graph, uint32_t nSwitches)
{
    for (uint32_t s = 0; s < nSwitches; ++s)
    {
        graph.Connect(s, 0, (s + 1) % nSwitches, 1);
        graph.Connect(graph.HostAt(s), 0, s, 2);
    }
}

/// @return a ring of switches with a host each @param nSwitches how many
inline FabricGraph
MakeRing(uint32_t nSwitches)
{
    FabricGraph graph(nSwitches, nSwitches, 3);
    ConnectRing(graph, nSwitches);
    return graph;
}

/**
 * Has hosts of a ring send a worm of 1,000 flits each two switches on, so that all of them together
 * block each other.
 * @param fabric the ring
 * @param first the first of these hosts
 * @param end the first one after them
 */
inline void
SendAround(WormholeFabric& fabric, uint32_t first, uint32_t end)
{
    const auto route = Create<WormRoute>(WormRoute::Path({0, 0, 0, 2}));
    for (auto host = first; host < end; ++host)
    {
        fabric.GetHost(host)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 1000, route));
    }
}

} // namespace ns3

#endif /* RING_GRAPH_H */
