/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "channel-bound.h"

#include "ns3/uniform-pattern.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

namespace
{

/// Pairs of hosts whose routes are looked at.
constexpr uint64_t MOST_PAIRS = 1 << 22;

} // namespace

double
ChannelBound::Compute(const FabricGraph& graph,
                      WormholeRouter& router,
                      const TrafficPattern& pattern)
{
    std::vector<std::size_t> first{0}; // channel of each node's first port
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        first.push_back(first.back() + graph.GetNPorts(node));
    }
    std::vector<double> loads(first.back(), 0);
    const uint64_t nHosts = graph.GetNHosts();
    const auto stride = static_cast<uint32_t>(nHosts * nHosts / MOST_PAIRS + 1);
    double most = 1; // of the channel of a host that sends
    for (uint32_t source = 0; source < nHosts; source += stride)
    {
        if (pattern.IsSilent(source))
        {
            continue;
        }
        for (const auto& [destination, share] : pattern.GetShares(source))
        {
            const auto route = router.GetRoute(source, destination);
            auto node = graph.HostAt(source);
            for (WormRoute::Stop stop = 0; route->At(stop).size() > 0;)
            {
                const auto branch = *route->At(stop).begin();
                auto& load = loads[first[node] + branch.port];
                load += share * (graph.IsSwitch(node) ? stride : 1);
                most = std::max(most, load);
                node = graph.Peer(node, branch.port).node;
                stop = branch.next;
            }
        }
    }
    return 1 / most;
}

double
ChannelBound::ComputeUniform(const FabricGraph& graph, WormholeRouter& router)
{
    auto pattern = CreateObject<UniformPattern>();
    pattern->Prepare(graph);
    return Compute(graph, router, *pattern);
}

} // namespace ns3
