/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTABLE_GRAPH_H
#define ROUTABLE_GRAPH_H

#include "fabric-graph.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Refuses a fabric that no routes can be found for.
 * @param graph the fabric
 * @return the same
 * @throws WormholeError if traffic could not use it, or it has no switches
 */
const FabricGraph& CheckRoutable(const FabricGraph& graph);

} // namespace ns3

#endif /* ROUTABLE_GRAPH_H */
