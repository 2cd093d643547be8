/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCHANGE_BLOCKS_H
#define EXCHANGE_BLOCKS_H

#include "group-schedules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @param first number of the first block
 * @param count how many, at most n
 * @param n number of all blocks, which follow one another in a ring
 * @return the blocks from the first on, in order
 */
BlockRanges FindRingRanges(uint32_t first, uint32_t count, uint32_t n);

/**
 * @ingroup wormhole
 * @brief Marks schedules as those of another algorithm.
 * @param schedules the schedules
 * @param name the other algorithm
 * @param reason why the one that was asked for can't do it
 * @return the schedules
 */
GroupSchedules FallBackOn(GroupSchedules schedules,
                          const std::string& name,
                          const std::string& reason);

/**
 * @ingroup wormhole
 * @brief Adds messages whose receivers combine them, as GroupSchedules::Step does; but they combine
 *        each before they take the next, whatever comes first.
 *
 * Receives that follow one another are taken in the order in which they come, so that
 * contributions could be combined in any order; combining is a step of its own here.
 * @param schedules the schedules, whose blocks are followed by a place for work for each of them
 * @param messages the messages; no member receives a block twice
 */
void StepInOrder(GroupSchedules& schedules, const std::vector<BlockMessage>& messages);

/// @ingroup wormhole
/// @brief An all-gather round a ring. Pure. @param request the group
/// @return the schedules
GroupSchedules MakeRingAllGather(const ScheduleRequest& request);

/// @ingroup wormhole
/// @brief An all-gather by Bruck, see BruckDataAllGather. Pure. @param request the group
/// @return the schedules
GroupSchedules MakeBruckAllGather(const ScheduleRequest& request);

/// @ingroup wormhole
/// @brief A reduce-scatter in pairs, see PairwiseDataReduceScatter. Pure. @param request the group
/// @return the schedules
GroupSchedules MakePairwiseReduceScatter(const ScheduleRequest& request);

} // namespace ns3

#endif /* EXCHANGE_BLOCKS_H */
