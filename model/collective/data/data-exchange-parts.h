/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_EXCHANGE_PARTS_H
#define DATA_EXCHANGE_PARTS_H

#include "data-schedules.h"

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
DataSchedules FallBackOn(DataSchedules schedules,
                         const std::string& name,
                         const std::string& reason);

/**
 * @ingroup wormhole
 * @brief Adds messages whose receivers combine them, as DataSchedules::Step does; but they combine
 *        each before they take the next, whatever comes first.
 *
 * Receives that follow one another are taken in the order in which they come, so that
 * contributions could be combined in any order; combining is a step of its own here.
 * @param schedules the schedules, whose blocks are followed by a place for work for each of them
 * @param messages the messages; no member receives a block twice
 */
void StepInOrder(DataSchedules& schedules, const std::vector<DataMessage>& messages);

/// @ingroup wormhole
/// @brief An all-gather round a ring. Pure. @param request the group
/// @return the schedules
DataSchedules MakeRingAllGather(const DataRequest& request);

/// @ingroup wormhole
/// @brief An all-gather by Bruck, see BruckDataAllGather. Pure. @param request the group
/// @return the schedules
DataSchedules MakeBruckAllGather(const DataRequest& request);

/// @ingroup wormhole
/// @brief A reduce-scatter in pairs, see PairwiseDataReduceScatter. Pure. @param request the group
/// @return the schedules
DataSchedules MakePairwiseReduceScatter(const DataRequest& request);

} // namespace ns3

#endif /* DATA_EXCHANGE_PARTS_H */
