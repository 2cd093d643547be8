/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_CONVERSION_H
#define GOAL_CONVERSION_H

#include "ns3/goal-schedule.h"
#include "ns3/wormhole-linked-schedules.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Writes collectives by software as GOAL, by themselves or in place of operations of a
 *        schedule. Pure.
 *
 * A send waits for all receives before it in its member's part; receives that follow one another
 * are posted together, when the receives before them have ended. Tags are numbers of messages
 * between the same two members.
 */
class GoalConversion
{
  public:
    /// @param schedules members' schedules
    /// @param messageBytes length of messages that are about the value held
    /// @param combineNs a calculation for each byte that is combined, ns; 0: none
    /// @return the same as GOAL
    /// @throws WormholeError if they call a collective that is not by software
    static GoalSchedule Convert(const LinkedSchedules& schedules,
                                uint64_t messageBytes,
                                double combineNs = 0);

    /// Operations of some ranks that are one collective: rank, and indices of its operations.
    typedef std::vector<std::pair<uint32_t, std::vector<uint32_t>>> Set;

    /// Puts a collective in the place of operations. What these waited for, its first steps do;
    /// what waited for them, waits for all its steps of that rank. Its tags are beyond all others'.
    /// @param schedule where
    /// @param set the operations, of each rank in the order of the collective's ranks
    /// @param collective the collective
    /// @throws WormholeError if the numbers of ranks differ
    static void Replace(GoalSchedule& schedule, const Set& set, const GoalSchedule& collective);
};

} // namespace ns3

#endif /* GOAL_CONVERSION_H */
