/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_ORACLE_H
#define SLOT_ORACLE_H

#include "slot-case.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// Moves every flit of every message on its own, by the rules S1 to S8 and by those of reduction
/// slots, without a line in common with what it judges. @param top root switch of the members'
/// tree, for kinds without a root @param start when members begin to wait for the gap before their
/// first round, ps @return when they leave, by rank, then round, ps
std::vector<std::vector<int64_t>> MoveSegmentsFlitByFlit(const SlotCase& slotCase,
                                                         FabricGraph::Node top,
                                                         int64_t start);

} // namespace ns3

#endif /* SLOT_ORACLE_H */
