/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-cases.h"

namespace ns3
{

/// Gives many cables and some switches times and depths of their own. @param longer whether worms
/// are longer than most buffers
static void
DrawProperties(Ptr<UniformRandomVariable> rng, FabricGraph& graph, bool longer)
{
    const auto pick = [&rng](const std::vector<int64_t>& values) {
        return values[rng->GetInteger(0, static_cast<uint32_t>(values.size()) - 1)];
    };
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        if (graph.IsSwitch(node) && rng->GetInteger(0, 2) == 0)
        {
            graph.ChangeProperties().SetSwitchDelay(node, TimeStep(pick({0, 90, 1000, 300'000})));
        }
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto far = graph.Peer(node, static_cast<FabricGraph::Port>(port));
            if (far.node == FabricGraph::NONE || far.node < node || rng->GetInteger(0, 2) == 0)
            {
                continue;
            }
            CableProperties cable;
            if (rng->GetInteger(0, 3) > 0)
            {
                cable.flitTime = TimeStep(pick({5, 7, 12, 1000, 2500, 6250}));
            }
            if (rng->GetInteger(0, 2) == 0)
            {
                cable.delay = TimeStep(pick({1, 90, 20'000}));
            }
            if (rng->GetInteger(0, 2) == 0)
            {
                cable.depth = static_cast<uint32_t>(longer ? pick({1, 2, 5, 20, 64, 150})
                                                           : pick({1, 2, 5, 64, 150}));
            }
            graph.SetCable(node, static_cast<FabricGraph::Port>(port), cable);
        }
    }
}

WormCase
MakeRandomCase(Ptr<UniformRandomVariable> rng, const RandomCaseOptions& options)
{
    const auto draw = [&rng](uint32_t low, uint32_t high) { return rng->GetInteger(low, high); };
    const auto pick = [&](const std::vector<int64_t>& values) {
        return values[draw(0, static_cast<uint32_t>(values.size()) - 1)];
    };
    const auto q = draw(2, 8);
    std::vector<std::pair<uint32_t, uint32_t>> links;
    const bool isLine = options.sourceRouted && draw(0, 1);
    for (uint32_t i = 1; i < q; ++i)
    {
        links.emplace_back(i, draw(isLine ? i - 1 : 0, i - 1));
    }
    for (uint32_t i = 0; !options.treeOfSwitches && i < q; ++i)
    {
        const auto a = draw(0, q - 1);
        const auto b = draw(0, q - 1);
        if (a != b)
        {
            links.emplace_back(a, b);
        }
    }
    std::vector<uint32_t> hostsAt(q);
    uint32_t nHosts = 0;
    for (auto& n : hostsAt)
    {
        n = draw(1, 3);
        nHosts += n;
    }

    FabricGraph graph(q, nHosts, 3 + 2 * static_cast<uint32_t>(links.size()));
    std::vector<FabricGraph::Port> used(q, 0);
    for (const auto& [a, b] : links)
    {
        const auto portA = used[a]++;
        graph.Connect(a, portA, b, used[b]++);
    }
    for (uint32_t s = 0, host = 0; s < q; ++s)
    {
        for (uint32_t i = 0; i < hostsAt[s]; ++i)
        {
            graph.Connect(graph.HostAt(host++), 0, s, used[s]++);
        }
    }

    std::vector<WormCase::Worm> worms(draw(2, options.maxWorms));
    for (auto& worm : worms)
    {
        const bool many = rng->GetValue(0, 1) < options.multicast;
        worm.timePs = draw(0, 6'000'000);
        worm.flits =
            options.longer ? pick({2, 40, 150, 151, 400, 600}) : pick({1, 2, 3, 5, 17, 64});
        worm.root = graph.HostAt(draw(0, nHosts - 1));
        std::set<FabricGraph::Node> to;
        const auto wanted = std::min<std::size_t>(nHosts - 1, many ? draw(2, 5) : 1);
        while (to.size() < wanted)
        {
            const auto host = graph.HostAt(draw(0, nHosts - 1));
            if (host != worm.root)
            {
                to.insert(host);
            }
        }
        // A random tree that spans the switches; the worm takes its branches to those hosts.
        const auto first = graph.SwitchOf(worm.root).node;
        std::map<FabricGraph::Node, std::pair<FabricGraph::Node, FabricGraph::Port>> parent;
        std::vector<FabricGraph::Node> reached{first};
        while (reached.size() < q)
        {
            const auto from = reached[draw(0, static_cast<uint32_t>(reached.size()) - 1)];
            const auto ports = graph.PortsToSwitches(from);
            const auto port = ports[draw(0, static_cast<uint32_t>(ports.size()) - 1)];
            const auto next = graph.Peer(from, port).node;
            if (next != first && !parent.count(next))
            {
                parent[next] = {from, port};
                reached.push_back(next);
            }
        }
        std::map<FabricGraph::Node, std::set<uint16_t>> tree;
        for (const auto host : to)
        {
            auto [at, port] = graph.SwitchOf(host);
            tree[at].insert(port);
            for (; at != first; at = parent[at].first)
            {
                tree[parent[at].first].insert(parent[at].second);
            }
        }
        tree[worm.root] = {0};
        std::vector<std::vector<uint16_t>> ports;
        worm.stopNodes = {worm.root};
        for (std::size_t stop = 0; stop < worm.stopNodes.size(); ++stop)
        {
            const auto node = worm.stopNodes[stop];
            const bool ends = stop > 0 && !graph.IsSwitch(node);
            ports.emplace_back();
            for (const auto port : ends ? std::set<uint16_t>() : tree[node])
            {
                ports.back().push_back(port);
                worm.stopNodes.push_back(graph.Peer(node, port).node);
            }
        }
        worm.route = WormRoute::Tree(ports);
    }

    WormCase made{graph};
    made.timing.flitTimePs = pick({7, 6250});
    made.timing.linkDelayPs = pick({1, 3, 20'000});
    made.timing.switchDelayPs = pick({0, 11, 300'000});
    made.timing.depth =
        static_cast<uint32_t>(options.longer ? pick({1, 2, 4, 7, 50}) : pick({1, 2, 3, 8, 100}));
    made.sync = options.sync;
    made.sourceRouted = options.sourceRouted;
    made.flitBytes = options.sourceRouted ? static_cast<uint32_t>(pick({1, 1, 2, 3, 8})) : 1;
    made.worms = worms;
    if (options.rates)
    {
        DrawProperties(rng, made.graph, options.longer);
    }
    return made;
}

} // namespace ns3
