/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_INVARIANTS_H
#define SCHEDULE_INVARIANTS_H

#include "ns3/group-schedules.h"
#include "ns3/random-variable-stream.h"

#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Checks the schedules of an algorithm without a simulator: everybody leaves, and has just
/// the contributions that DataKindInvariant asks for, in order of ranks if that is to be kept. It
/// does not depend on the order in which messages come. Schedules that call another collective, as
/// those of `smp` with one in the switches, are not checked: what that hands on is known on a
/// fabric only.
class ScheduleInvariants
{
  public:
    /// @param maker the algorithm
    /// @param request the group and its data; one value is added, or if the algorithm refuses that,
    ///        combined by MAX, so that it may count twice
    /// @param rng picks who goes on next; null: the one that was sent to last
    /// @return why an invariant does not hold, in one line; empty: all hold
    /// @throws WormholeError if the algorithm refuses the group
    static std::string Check(const ScheduleMaker& maker,
                             ScheduleRequest request,
                             Ptr<UniformRandomVariable> rng = nullptr);

    /// @param schedules the schedules @param request the group and its data @param mayRepeat
    /// whether a contribution may count twice @param rng as above
    /// @return why an invariant does not hold, in one line; empty: all hold
    static std::string Check(const GroupSchedules& schedules,
                             const ScheduleRequest& request,
                             bool mayRepeat = false,
                             Ptr<UniformRandomVariable> rng = nullptr);
};

} // namespace ns3

#endif /* SCHEDULE_INVARIANTS_H */
