/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQUAL_SPLIT_H
#define EQUAL_SPLIT_H

#include "ns3/fabric-graph.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What routes are measured by: the load of each host at which the busiest channel is full if
 *        every host sends to all others alike, and each pair's worms take all paths of fewest
 *        channels evenly, parallel cables each.
 *
 * No routes need be so bad; free of deadlock in one lane these are seldom, and longer paths may do
 * better where few are shortest. Cables have the rates that ChannelBound takes.
 *
 * @param graph a fabric of two hosts at least
 * @return the load, over the rate of a host's own channel, 1 at most; NaN if the fabric is so large
 *         (switches with hosts times channels) that it would take minutes
 */
double GetEqualSplitBound(const FabricGraph& graph);

} // namespace ns3

#endif /* EQUAL_SPLIT_H */
