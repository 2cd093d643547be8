/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-oracle.h"
#include "worm-cases.h"

namespace ns3
{

void
AddOutages(Ptr<UniformRandomVariable> rng, WormCase& worms)
{
    const auto draw = [&rng](std::size_t n) {
        return rng->GetInteger(0, static_cast<uint32_t>(n) - 1);
    };
    const auto pick = [&](const std::vector<int64_t>& values) {
        return values[draw(values.size())];
    };
    const auto& graph = worms.graph;
    const auto [tau, p, delay, depth] = worms.timing;
    std::vector<int64_t> instants;
    for (const auto& worm : MoveFlitByFlit(worms, FabricDelays(worms, false)).worms)
    {
        for (const auto& entry : worm.legs)
        {
            instants.push_back(entry.second.headStart);
            instants.push_back(entry.second.tailEnd.value_or(0));
        }
        for (const auto& entry : worm.delivered)
        {
            instants.push_back(entry.second);
        }
    }
    const auto last = *std::max_element(instants.begin(), instants.end());
    worms.detectionDelayPs = pick({0, 0, 11, tau, 500'000});
    for (auto n = pick({1, 1, 2, 4}); n > 0; --n)
    {
        WormCase::Outage outage{};
        const auto kind = draw(5); // three in five are cables, one is a switch, one a host
        outage.node = kind == 3   ? draw(graph.GetNSwitches())
                      : kind == 4 ? graph.HostAt(draw(graph.GetNHosts()))
                                  : draw(graph.GetNNodes());
        auto shortest = worms.detectionDelayPs;
        std::vector<FabricGraph::Port> ports;
        for (uint32_t number = 0; number < graph.GetNPorts(outage.node); ++number)
        {
            const auto port = static_cast<FabricGraph::Port>(number);
            if (graph.Peer(outage.node, port).node != FabricGraph::NONE)
            {
                ports.push_back(port);
                shortest = std::max(shortest, worms.GetTiming({outage.node, port}).linkDelayPs);
            }
        }
        if (kind < 3)
        {
            outage.port = ports[draw(ports.size())];
        }
        const auto instant = draw(2) ? instants[draw(instants.size())] : draw(last + 1);
        outage.fromPs = std::max<int64_t>(
            0,
            instant + pick({0, 0, p, tau + p, tau + p + delay, -1, 1, -worms.detectionDelayPs}));
        const auto length = [&] { return shortest + pick({0, 1, 1'000, 100'000, 1'000'000}); };
        if (draw(5) < 3)
        {
            outage.toPs = outage.fromPs + length();
        }
        worms.outages.push_back(outage);
        if (outage.toPs && draw(3) == 0)
        {
            outage.fromPs = *outage.toPs + pick({0, 1, p, 100'000});
            outage.toPs = outage.fromPs + length();
            worms.outages.push_back(outage);
        }
    }
}

} // namespace ns3
