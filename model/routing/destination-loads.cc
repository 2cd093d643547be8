/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-route-spread.h"

#include "ns3/data-rate.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-fabric.h"

namespace ns3
{

std::vector<std::size_t>
FindFirstPorts(const FabricGraph& graph)
{
    std::vector<std::size_t> first{0};
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        first.push_back(first.back() + graph.GetNPorts(node));
    }
    return first;
}

std::vector<double>
FindChannelTimes(const FabricGraph& graph)
{
    const auto& properties = graph.GetProperties();
    if (properties.IsEmpty())
    {
        return {};
    }
    const auto first = FindFirstPorts(graph);
    TypeId::AttributeInformation rate;
    TypeId::AttributeInformation size;
    WormholeFabric::GetTypeId().LookupAttributeByName("DataRate", &rate);
    WormholeFabric::GetTypeId().LookupAttributeByName("FlitSize", &size);
    const auto common = DynamicCast<const DataRateValue>(rate.initialValue)->Get();
    const auto bits = 8.0 * DynamicCast<const UintegerValue>(size.initialValue)->Get();
    std::vector<double> times(first.back(), 0);
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto cable = properties.GetCable({node, static_cast<FabricGraph::Port>(port)});
            times[first[node] + port] =
                cable.flitTime && !cable.flitTime->IsZero()
                    ? cable.flitTime->GetSeconds() / bits
                    : 1.0 / static_cast<double>(cable.rate.value_or(common).GetBitRate());
        }
    }
    return times;
}

} // namespace ns3
