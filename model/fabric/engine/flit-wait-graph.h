/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_WAIT_GRAPH_H
#define FLIT_WAIT_GRAPH_H

#include "ns3/wormhole-deadlock.h"
#include "ns3/wormhole-port.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class LaneEngine;

/// @ingroup wormhole
/// @brief Finds worms that wait for ever where outputs are granted flit by flit (S5).
/// @param ports ports of the fabric, both ends of every cable. Whatever follows from what their
/// worms know must have been scheduled (RunEngine::CatchUp)
/// @param times flit times of its channels
/// @param hasQueues whether worms behind the first in sending interfaces are part of it. Nobody
/// waits for these but those behind them, so that without them it takes as long as what is in the
/// fabric, and finds no deadlock just if there is none; but not all who wait
/// @param longestTreeWorm as WaitGraph::FindDeadlock @return as WaitGraph::FindDeadlock
Deadlock FindFlitDeadlock(const std::vector<Ptr<WormholePort>>& ports,
                          const FlitTimes& times,
                          bool hasQueues,
                          uint64_t longestTreeWorm);

/// @ingroup wormhole
/// @brief Finds worms that wait for ever where outputs are granted to whole worms (S11).
/// @param lanes what moves the worms @param ports as above @param hasQueues as above
/// @param longestTreeWorm as above @return as above
Deadlock FindLaneDeadlock(const LaneEngine& lanes,
                          const std::vector<Ptr<WormholePort>>& ports,
                          bool hasQueues,
                          uint64_t longestTreeWorm);

} // namespace ns3

#endif /* FLIT_WAIT_GRAPH_H */
