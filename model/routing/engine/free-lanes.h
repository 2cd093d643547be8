/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FREE_LANES_H
#define FREE_LANES_H

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// Gives routes several lanes for each of theirs: at each node, a unicast worm takes the one that
/// is granted first (rule S12), hosts' cables included. Lane l of the routes becomes lanes l * n to
/// l * n + n - 1 of n, so what followed an order before still does: no cycle is added.
///
/// Tree worms and messages to switches stay in the first of each.
/// @param router the routes, free of deadlock
/// @param nFree lanes for each lane of the routes
/// @param name what the routes are, for messages
/// @return the routes with free lanes
/// @throws WormholeError if hosts relay worms of these routes (S13), or there are too many lanes
Ptr<WormholeRouter> MakeFreeLanes(const Ptr<WormholeRouter>& router,
                                  uint32_t nFree,
                                  const std::string& name);

} // namespace ns3

#endif /* FREE_LANES_H */
