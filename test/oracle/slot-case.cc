/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-oracle.h"

namespace ns3
{

SlotCase
MakeRandomSlotCase(Ptr<UniformRandomVariable> rng, DataKind kind)
{
    const auto draw = [&rng](uint32_t low, uint32_t high) { return rng->GetInteger(low, high); };
    const auto pick = [&](const std::vector<int64_t>& values) {
        return values[draw(0, static_cast<uint32_t>(values.size()) - 1)];
    };
    SlotCase made;
    made.kind = kind;
    const auto q = draw(1, 6);
    const auto nHosts = draw(2, 12);
    FabricGraph graph(q, nHosts, q + nHosts);
    std::vector<FabricGraph::Port> used(q, 0);
    for (uint32_t i = 1; i < q; ++i)
    {
        const auto above = draw(0, i - 1);
        const auto port = used[i]++;
        graph.Connect(i, port, above, used[above]++);
    }
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        const auto at = draw(0, q - 1);
        graph.Connect(graph.HostAt(host), 0, at, used[at]++);
        made.hosts.push_back(host);
    }
    Shuffle(made.hosts, *rng);
    made.hosts.resize(draw(2, nHosts));
    const auto n = static_cast<uint32_t>(made.hosts.size());
    made.root = draw(0, n - 1);
    made.flitBytes = static_cast<uint32_t>(pick({1, 1, 2, 8}));
    made.slotBytes = static_cast<uint32_t>(pick({4, 8, 12, 32}));
    made.headerBytes = static_cast<uint32_t>(pick({1, 3, 8}));
    made.bytes = 4 * draw(1, kind == DataKind::ALL_TO_ALL ? 12 : 40);
    made.window = static_cast<uint32_t>(pick({1, 2, 3, 5, 100}));
    made.combineBps =
        static_cast<uint64_t>(pick({0, 0, 400'000'000, 1'300'000'000, 9'000'000'000}));
    made.combinePs = pick({0, 0, 40, 250'000});
    made.flitTimePs = pick({7, 1000, 6250});
    made.linkDelayPs = pick({1, 300, 20'000});
    made.switchDelayPs = pick({0, 11, 30'000});
    made.deviceDelayPs = pick({0, 90, 30'000});
    // A message that asks for slots has a byte, and one for each member where they have tables.
    const auto longest = std::max(static_cast<uint32_t>(made.GetFlits(made.slotBytes)), 1 + n);
    made.depth = longest + draw(0, 20);
    made.startUpPs = pick({0, 50, 700'000});
    made.receivePs = pick({0, 40, 300'000});
    for (FabricGraph::Node node = 0; draw(0, 1) && node < graph.GetNNodes(); ++node)
    {
        if (graph.IsSwitch(node) && draw(0, 2) == 0)
        {
            graph.ChangeProperties().SetSwitchDelay(node, TimeStep(pick({0, 90, 100'000})));
        }
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto far = graph.Peer(node, static_cast<FabricGraph::Port>(port));
            if (far.node == FabricGraph::NONE || far.node < node || draw(0, 1))
            {
                continue;
            }
            CableProperties cable;
            cable.flitTime = TimeStep(pick({5, 7, 900, 2500}));
            cable.delay = TimeStep(pick({1, 90, 20'000}));
            cable.depth = longest + draw(0, 9);
            graph.SetCable(node, static_cast<FabricGraph::Port>(port), cable);
        }
    }
    const auto rounds = draw(1, 3);
    made.gaps.resize(n);
    for (auto& gaps : made.gaps)
    {
        for (uint32_t round = 0; round < rounds; ++round)
        {
            gaps.push_back(draw(0, 1) ? 0 : draw(0, 900'000));
        }
    }
    made.graph = graph;
    return made;
}

} // namespace ns3
