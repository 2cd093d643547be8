/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "channel-bound.h"

#include "ns3/uinteger.h"
#include "ns3/uniform-pattern.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Pairs of hosts whose routes are looked at.
constexpr uint64_t MOST_PAIRS = 1 << 22;

/**
 * @param graph a fabric
 * @param first place of each node's first port
 * @return time that a bit takes on the channel at each place, to some scale; empty: all alike
 */
std::vector<double>
GetWeights(const FabricGraph& graph, const std::vector<std::size_t>& first)
{
    const auto& properties = graph.GetProperties();
    if (properties.IsEmpty())
    {
        return {};
    }
    TypeId::AttributeInformation rate;
    TypeId::AttributeInformation size;
    WormholeFabric::GetTypeId().LookupAttributeByName("DataRate", &rate);
    WormholeFabric::GetTypeId().LookupAttributeByName("FlitSize", &size);
    const auto common = DynamicCast<const DataRateValue>(rate.initialValue)->Get();
    const auto bits = 8.0 * DynamicCast<const UintegerValue>(size.initialValue)->Get();
    std::vector<double> weights(first.back(), 0);
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto cable = properties.GetCable({node, static_cast<FabricGraph::Port>(port)});
            weights[first[node] + port] =
                cable.flitTime
                    ? cable.flitTime->GetSeconds() / bits
                    : 1.0 / static_cast<double>(cable.rate.value_or(common).GetBitRate());
        }
    }
    return weights;
}

} // namespace

ChannelBound::Figures
ChannelBound::Measure(const FabricGraph& graph,
                      WormholeRouter& router,
                      const TrafficPattern& pattern)
{
    Figures figures;
    double shares = 0;
    FabricGraph::End busiest;
    std::vector<std::size_t> first{0}; // channel of each node's first port
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        first.push_back(first.back() + graph.GetNPorts(node));
    }
    std::vector<double> loads(first.back(), 0);
    const auto weights = GetWeights(graph, first);
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
            const auto route = router.GetPath(source, destination);
            auto node = graph.HostAt(source);
            uint32_t channels = 0;
            for (WormRoute::Stop stop = 0; route->At(stop).size() > 0;)
            {
                const auto branch = *route->At(stop).begin();
                auto& load = loads[first[node] + branch.port];
                const auto sent = share * (graph.IsSwitch(node) ? stride : 1);
                load += weights.empty() ? sent
                                        : sent * weights[first[node] + branch.port] /
                                              weights[first[graph.HostAt(source)]];
                if (load > most && graph.IsSwitch(node))
                {
                    busiest = {node, branch.port};
                }
                most = std::max(most, load);
                ++channels;
                node = graph.Peer(node, branch.port).node;
                stop = branch.next;
            }
            shares += share;
            figures.meanChannels += share * channels;
            figures.longest = std::max(figures.longest, channels);
        }
    }
    figures.bound = 1 / most;
    figures.meanChannels /= std::max(shares, 1e-300);
    if (busiest.node != FabricGraph::NONE)
    {
        figures.busiest = graph.GetName(busiest.node) + ":" + std::to_string(busiest.port) +
                          " to " + graph.GetName(graph.Peer(busiest.node, busiest.port).node);
    }
    return figures;
}

ChannelBound::Figures
ChannelBound::MeasureUniform(const FabricGraph& graph, WormholeRouter& router)
{
    auto pattern = CreateObject<UniformPattern>();
    pattern->Prepare(graph);
    return Measure(graph, router, *pattern);
}

double
ChannelBound::Compute(const FabricGraph& graph,
                      WormholeRouter& router,
                      const TrafficPattern& pattern)
{
    return Measure(graph, router, pattern).bound;
}

double
ChannelBound::ComputeUniform(const FabricGraph& graph, WormholeRouter& router)
{
    return MeasureUniform(graph, router).bound;
}

} // namespace ns3
