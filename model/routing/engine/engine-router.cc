/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "engine-router.h"

#include <utility>

namespace ns3
{

EngineRouter::EngineRouter(const FabricGraph& graph,
                           const std::string& engine,
                           std::shared_ptr<const LaneRoutes> routes)
    : RankedRouter(graph, "routing " + engine),
      m_routes(std::move(routes))
{
    const auto& channels = m_routes->GetChannels();
    const auto nLanes = m_routes->GetNLanes();
    std::vector<uint32_t> ranks(graph.GetNSwitches() * graph.GetNPorts(0) * std::size_t{nLanes});
    for (uint32_t vertex = 0; vertex < channels.GetNChannels() * nLanes; ++vertex)
    {
        const auto channel = vertex / nLanes;
        ranks[IndexOf(channels.From(channel), channels.PortOf(channel)) * nLanes +
              vertex % nLanes] = m_routes->GetRanks()[vertex] + 1;
    }
    SetRanks(std::move(ranks), nLanes);
}

uint32_t
EngineRouter::GetNLanes() const
{
    return m_routes->GetNLanes();
}

void
EngineRouter::AppendExits(uint32_t from, uint32_t to, Exits& exits) const
{
    LaneRoutes::Way way;
    m_routes->Append(from, to, way);
    const auto& channels = m_routes->GetChannels();
    const auto nLanes = m_routes->GetNLanes();
    for (const auto vertex : way)
    {
        exits.push_back({channels.PortOf(vertex / nLanes), static_cast<uint8_t>(vertex % nLanes)});
    }
    exits.push_back({EndOf(to).port, 0});
}

} // namespace ns3
