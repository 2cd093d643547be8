/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_COLLECTIVE_H
#define GOAL_COLLECTIVE_H

#include "ns3/goal-schedule.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Algorithms by software as GOAL schedules, so that other simulators can run them.
 */
class GoalCollective
{
  public:
    /**
     * @param kind a kind of collective, see CollectiveHelper::GetKindNames
     * @param name name of an algorithm by software: of data, or else of one value
     * @param members number of members, each on a host of its own
     * @param bytes length, as the attribute Bytes; of one value the length of messages
     * @param root rank of the root
     * @return the schedule
     * @throws WormholeError if there is no such algorithm, or it is not by software alone
     */
    static GoalSchedule Make(const std::string& kind,
                             const std::string& name,
                             uint32_t members,
                             uint64_t bytes,
                             uint32_t root = 0);

    /**
     * Puts an algorithm in the place of operations, see GoalConversion::Replace.
     * @param schedule where
     * @param kind kind of collective
     * @param name name of the algorithm
     * @param bytes its length
     * @param root rank of the root, of the schedule
     * @param labels a line for each rank: the rank, and labels of its operations
     * @throws WormholeError as Make, or if there is no such rank or label
     */
    static void Replace(GoalSchedule& schedule,
                        const std::string& kind,
                        const std::string& name,
                        uint64_t bytes,
                        uint32_t root,
                        const std::string& labels);
};

} // namespace ns3

#endif /* GOAL_COLLECTIVE_H */
