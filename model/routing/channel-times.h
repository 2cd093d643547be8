/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHANNEL_TIMES_H
#define CHANNEL_TIMES_H

#include "fabric-graph.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How long a bit takes on each channel, to some scale.
 * @param graph a fabric
 * @return by node, then by port; empty: all alike. Cables without a rate of their own have
 *         WormholeFabric::DataRate's default
 */
std::vector<double> FindChannelTimes(const FabricGraph& graph);

/// @ingroup wormhole
/// @return place of each node's first port among those of all nodes, and their number
/// @param graph a fabric
std::vector<std::size_t> FindFirstPorts(const FabricGraph& graph);

} // namespace ns3

#endif /* CHANNEL_TIMES_H */
