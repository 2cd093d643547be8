/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-cases.h"

namespace ns3
{

WormCase
MakeLaneCase(Ptr<UniformRandomVariable> rng, const LaneCaseOptions& options)
{
    const auto draw = [&rng](uint32_t low, uint32_t high) { return rng->GetInteger(low, high); };
    const auto pick = [&](const std::vector<int64_t>& values) {
        return values[draw(0, static_cast<uint32_t>(values.size()) - 1)];
    };
    const auto nSwitches = draw(3, 6);
    const auto nHosts = nSwitches * 2;
    FabricGraph graph(nSwitches, nHosts, 10);
    std::vector<FabricGraph::Port> used(nSwitches, 0);
    // A line of switches, or a ring, of one to three cables between neighbours.
    std::vector<std::vector<FabricGraph::Port>> right(nSwitches);
    for (uint32_t s = 0; s + (options.ring ? 0 : 1) < nSwitches; ++s)
    {
        const auto next = (s + 1) % nSwitches;
        for (auto n = options.choices ? draw(1, 3) : 1; n > 0; --n)
        {
            right[s].push_back(used[s]);
            graph.Connect(s, used[s]++, next, used[next]++);
            if (options.rates && draw(0, 1))
            {
                CableProperties cable;
                cable.flitTime = TimeStep(pick({7, 1000, 2500}));
                cable.delay = TimeStep(pick({1, 90, 20'000}));
                graph.SetCable(s, right[s].back(), cable);
            }
        }
    }
    for (uint32_t h = 0; h < nHosts; ++h)
    {
        graph.Connect(graph.HostAt(h), 0, h / 2, used[h / 2]++);
    }
    WormCase made{graph};
    made.lanes = options.lanes;
    made.whole = options.whole;
    for (uint32_t lane = 0; lane < options.lanes; ++lane)
    {
        made.priorities.resize(options.lanes);
        made.priorities[lane] = draw(0, 2);
    }
    made.timing.flitTimePs = pick({7, 6250});
    made.timing.linkDelayPs = pick({1, 3, 20'000});
    made.timing.switchDelayPs = pick({0, 11, 300'000});
    made.timing.depth =
        static_cast<uint32_t>(options.whole ? pick({64, 70, 150}) : pick({1, 2, 8, 100}));
    made.sync = !options.whole && draw(0, 1);
    const auto drawLane = [&] { return static_cast<uint8_t>(draw(0, options.lanes - 1)); };
    const auto nWorms = draw(2, options.ring ? 60 : 25);
    for (uint32_t w = 0; w < nWorms; ++w)
    {
        WormCase::Worm worm;
        worm.timePs = draw(0, options.ring ? 100'000 : 2'000'000);
        worm.flits = pick({1, 2, 5, 17, 64});
        const auto from = draw(0, nHosts - 1);
        auto to = draw(0, nHosts - 2);
        to += to >= from;
        worm.root = graph.HostAt(from);
        // From switch to switch to the right, round the ring; on a line, either way.
        std::vector<std::vector<WormRoute::Choice>> nodes{{{0, drawLane(), 1}}};
        std::vector<FabricGraph::Node> at{worm.root};
        bool many = false;
        for (auto s = from / 2; s != to / 2;)
        {
            const bool isRight = options.ring || to / 2 > s;
            const auto next = isRight ? (s + 1) % nSwitches : s - 1;
            const auto& cables = isRight ? right[s] : right[next];
            at.push_back(s);
            nodes.emplace_back();
            const auto nPorts = options.choices ? draw(1, static_cast<uint32_t>(cables.size())) : 1;
            for (uint32_t i = 0; i < nPorts; ++i)
            {
                const auto port = isRight ? cables[i] : graph.Peer(next, cables[i]).port;
                nodes.back().push_back({port, drawLane(), static_cast<uint32_t>(nodes.size())});
            }
            many = many || nPorts > 1;
            s = next;
        }
        at.push_back(to / 2);
        nodes.push_back({{graph.SwitchOf(graph.HostAt(to)).port,
                          drawLane(),
                          static_cast<uint32_t>(nodes.size() + 1)}});
        nodes.emplace_back();
        at.push_back(graph.HostAt(to));
        if (many)
        {
            worm.route = WormRoute::Adaptive(nodes);
            worm.stopNodes = {worm.root};
            for (const auto& choices : nodes)
            {
                for (const auto& choice : choices)
                {
                    worm.stopNodes.push_back(at[choice.nextNode]);
                }
            }
        }
        else
        {
            // The last switch's other host gets a copy of some.
            const bool isTree = options.trees && draw(0, 2) == 0 && to / 2 != from / 2;
            std::vector<std::vector<uint16_t>> ports;
            WormRoute::Lanes lanes;
            for (const auto& choices : nodes)
            {
                ports.emplace_back();
                for (const auto& choice : choices)
                {
                    ports.back().push_back(choice.port);
                    lanes.push_back(choice.lane);
                }
            }
            worm.stopNodes = at;
            if (isTree)
            {
                ports[ports.size() - 2].push_back(graph.SwitchOf(graph.HostAt(to ^ 1)).port);
                lanes.push_back(drawLane());
                ports.emplace_back();
                worm.stopNodes.push_back(graph.HostAt(to ^ 1));
            }
            worm.route = WormRoute::Tree(ports).InLanes(lanes);
        }
        made.worms.push_back(worm);
    }
    return made;
}

} // namespace ns3
