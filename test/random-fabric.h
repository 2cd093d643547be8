/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_FABRIC_H
#define RANDOM_FABRIC_H

#include "ns3/irregular-topology-helper.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @return a random fabric @param switches number of switches @param hosts number of hosts
/// @param stream stream that draws it
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

/// @return uniformly random numbers @param stream their stream
inline Ptr<UniformRandomVariable>
MakeRandom(int64_t stream)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    return random;
}

/// @return count hosts in random order @param graph the fabric @param random the draws
/// @param count number of hosts
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

#endif /* RANDOM_FABRIC_H */
