// SPDX-License-Identifier: GPL-2.0-only

#ifndef GOAL_CONVERSION_H
#define GOAL_CONVERSION_H

#include "ns3/goal-schedule.h"
#include "ns3/wormhole-linked-schedules.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// Converts software collectives to GOAL, as schedules of their own or in place of operations of
/// another schedule.
///
/// A send requires all earlier receives of its member; consecutive receives are posted together,
/// when the receives before them have ended. Tags number the messages between the same two members.
class GoalConversion
{
  public:
    /// @param messageBytes length of messages that carry the value held
    /// @param combineNs calculation per combined byte, ns; 0: none
    /// @throws WormholeError if they call a collective that is not in software
    static GoalSchedule Convert(const LinkedSchedules& schedules,
                                uint64_t messageBytes,
                                double combineNs = 0);

    /// The operations of some ranks that form one collective: rank, and indices of its operations.
    typedef std::vector<std::pair<uint32_t, std::vector<uint32_t>>> Set;

    /// Replaces operations by a collective. Its first steps require what the operations required;
    /// whatever required an operation of a rank requires all of the collective's steps of that
    /// rank. Its tags are higher than all other tags.
    /// @param set the operations, by rank in the order of the collective's ranks
    /// @throws WormholeError if the numbers of ranks differ
    static void Replace(GoalSchedule& schedule, const Set& set, const GoalSchedule& collective);
};

} // namespace ns3

#endif /* GOAL_CONVERSION_H */
