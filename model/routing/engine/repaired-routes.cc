/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repaired-routes.h"

#include <utility>

namespace ns3
{

RepairedRoutes::RepairedRoutes(const FabricGraph& graph,
                               const std::vector<uint32_t>& ranks,
                               KeptRoutes kept)
    : DestinationRoutes(graph, ranks, kept.Count()),
      m_kept(std::move(kept))
{
    SetName("routing fat-tree");
}

void
RepairedRoutes::Append(uint32_t from, uint32_t to, Way& way) const
{
    const auto route = m_kept.Find(from, to);
    if (!route)
    {
        DestinationRoutes::Append(from, to, way);
        return;
    }
    auto node = GetHosts().SwitchOf(from);
    for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
    {
        way.push_back(GetChannels().At(node, route->At(stop)[0].port));
        node = GetChannels().To(way.back());
    }
}

bool
RepairedRoutes::AreBySwitch() const
{
    return m_kept.AreBySwitch();
}

bool
RepairedRoutes::AddLoads(uint32_t, const std::vector<double>&, Loads&) const
{
    return false;
}

} // namespace ns3
