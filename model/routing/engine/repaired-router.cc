/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repaired-router.h"

#include <memory>
#include <utility>

namespace ns3
{

RepairedRouter::RepairedRouter(const FabricGraph& graph,
                               const std::vector<uint32_t>& ranks,
                               KeptRoutes kept)
    : EngineRouter(graph,
                   "fat-tree",
                   std::make_shared<DestinationRoutes>(graph, ranks, kept.Count())),
      m_kept(std::move(kept))
{
}

bool
RepairedRouter::AreBySwitch() const
{
    return EngineRouter::AreBySwitch() && m_kept.AreBySwitch();
}

bool
RepairedRouter::AddLoads(uint32_t, const std::vector<double>&, Loads&) const
{
    return false;
}

Ptr<const WormRoute>
RepairedRouter::MakeChoiceOrTransitRoute(uint32_t from, uint32_t to)
{
    return m_kept.Find(from, to);
}

} // namespace ns3
