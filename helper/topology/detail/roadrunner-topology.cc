/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roadrunner-topology.h"

#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

namespace
{

/// A way to cable the back ports.
struct Wiring
{
    std::string name;                                 ///< its name
    uint32_t most;                                    ///< most links of a switch
    std::vector<std::pair<uint32_t, uint32_t>> pairs; ///< switches that are cabled
};

const std::vector<Wiring>&
AllWirings()
{
    static const std::vector<Wiring> wirings{
        {"mesh", 3, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
        {"ring", 2, {{0, 1}, {0, 3}, {1, 2}, {2, 3}}},
        {"line", 2, {{0, 1}, {1, 2}, {2, 3}}},
        {"star", 3, {{0, 1}, {0, 2}, {0, 3}}}};
    return wirings;
}

} // namespace

std::vector<std::string>
GetRoadrunnerWirings()
{
    std::vector<std::string> names;
    for (const auto& wiring : AllWirings())
    {
        names.push_back(wiring.name);
    }
    return names;
}

FabricGraph
MakeRoadrunnerGraph(const std::string& wiring, uint32_t cables)
{
    constexpr uint32_t SWITCHES = 4;
    constexpr uint32_t FRONT = 16;
    constexpr uint32_t BACK = 8;
    FabricGraph graph(SWITCHES, SWITCHES * FRONT, FRONT + BACK);
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        graph.Connect(graph.HostAt(host),
                      0,
                      host / FRONT,
                      static_cast<FabricGraph::Port>(host % FRONT));
    }
    for (const auto& known : AllWirings())
    {
        if (known.name != wiring)
        {
            continue;
        }
        if (cables == 0 || cables > BACK / known.most)
        {
            throw WormholeError(std::to_string(cables) + " cables between two switches; with " +
                                "wiring " + wiring + ", expected 1 to " +
                                std::to_string(BACK / known.most) + ", for " +
                                std::to_string(BACK) + " back ports");
        }
        std::vector<FabricGraph::Port> next(SWITCHES, FRONT);
        for (const auto& [a, b] : known.pairs)
        {
            for (uint32_t cable = 0; cable < cables; ++cable)
            {
                graph.Connect(a, next[a]++, b, next[b]++);
            }
        }
        // The paper's figures are of cables that are used in turn.
        graph.SetRoutes({"up-down", "first", "in-turn", "", nullptr});
        return graph;
    }
    throw WormholeError("wiring '" + wiring + "'; expected " +
                        WordList::WithCommas(GetRoadrunnerWirings()));
}

} // namespace ns3
