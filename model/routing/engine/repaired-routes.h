/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPAIRED_ROUTES_H
#define REPAIRED_ROUTES_H

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricGraph;

/// Routes of a fat tree that has lost parts: unchanged where all their cables are left; the others
/// are replaced, and balanced along with the former.
/// @param ranks place of each switch in the up/down order, see DestinationRoutes
Ptr<WormholeRouter> MakeRepairedRoutes(const FabricGraph& graph,
                                       const std::vector<uint32_t>& ranks,
                                       const FabricGraph& whole,
                                       Ptr<WormholeRouter> before);

} // namespace ns3

#endif /* REPAIRED_ROUTES_H */
