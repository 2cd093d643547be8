/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_FABRICS_H
#define TEST_FABRICS_H

// Fabrics to test with. What makes fabrics and collectives of them is included here, and not again
// by those who include this file.

#include "test-tools.h"

#include "ns3/collective-helper.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/topology-factory.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-helper.h"

namespace ns3
{

/// A line of switches with a host at either end: host 0 at the first, host 1 at the last.
/// @param port the lowest of the three ports of each that have cables
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

/// @return hosts at one switch
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

/// Joins a graph's first switches in a ring, with a host each: port 0 leads to the next switch, 1
/// to the one before, 2 to the host.
inline void
ConnectRing(FabricGraph& graph, uint32_t nSwitches)
{
    for (uint32_t s = 0; s < nSwitches; ++s)
    {
        graph.Connect(s, 0, (s + 1) % nSwitches, 1);
        graph.Connect(graph.HostAt(s), 0, s, 2);
    }
}

/// @return a ring of switches with a host each
inline FabricGraph
MakeRing(uint32_t nSwitches)
{
    FabricGraph graph(nSwitches, nSwitches, 3);
    ConnectRing(graph, nSwitches);
    return graph;
}

/// Has hosts of a ring send a worm of 1,000 flits each two switches on, so that all of them
/// together block each other. @param first the first of these hosts @param end the first one after
/// them
inline void
SendAround(WormholeFabric& fabric, uint32_t first, uint32_t end)
{
    const auto route = Create<WormRoute>(WormRoute::Path({0, 0, 0, 2}));
    for (auto host = first; host < end; ++host)
    {
        fabric.GetHost(host)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 1000, route));
    }
}

/// @return a random fabric
inline FabricGraph
DrawFabric(uint32_t switches, uint32_t hosts, int64_t stream = 1)
{
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = switches;
    parameters.hosts = hosts;
    IrregularTopologyHelper topology(parameters);
    topology.AssignStreams(stream);
    return topology.Create();
}

/// @return count hosts in random order
inline std::vector<FabricGraph::Node>
RandomHosts(const FabricGraph& graph, UniformRandomVariable& random, uint32_t count)
{
    std::vector<FabricGraph::Node> hosts;
    for (uint32_t i = 0; i < graph.GetNHosts(); ++i)
    {
        hosts.push_back(graph.HostAt(i));
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        std::swap(hosts[i], hosts[random.GetInteger(i, graph.GetNHosts() - 1)]);
    }
    hosts.resize(count);
    return hosts;
}

} // namespace ns3

#endif /* TEST_FABRICS_H */
