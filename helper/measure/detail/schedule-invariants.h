// SPDX-License-Identifier: GPL-2.0-only

#ifndef SCHEDULE_INVARIANTS_H
#define SCHEDULE_INVARIANTS_H

#include "ns3/group-schedules.h"
#include "ns3/random-variable-stream.h"

#include <string>

namespace ns3
{

/// Checks the schedules of an algorithm without a simulator: all members leave, with exactly the
/// contributions required by DataKindInvariant, in order of ranks if required, independently of the
/// order of messages. Schedules that call another collective, such as those of `smp` with one in
/// the switches, are not checked: that collective's results are known only on a fabric.
class ScheduleInvariants
{
  public:
    /// @param request the group and its data; values are summed, or, if the algorithm refuses that,
    /// combined by MAX, for which a contribution may count twice
    /// @param rng selects the member that continues; null: the last receiver
    /// @return the first violation, in one line; empty if all invariants hold
    /// @throws WormholeError if the algorithm refuses the group
    static std::string Check(const ScheduleMaker& maker,
                             ScheduleRequest request,
                             Ptr<UniformRandomVariable> rng = nullptr);

    /// @param mayRepeat whether a contribution may count twice
    /// @return the first violation, in one line; empty if all invariants hold
    static std::string Check(const GroupSchedules& schedules,
                             const ScheduleRequest& request,
                             bool mayRepeat = false,
                             Ptr<UniformRandomVariable> rng = nullptr);
};

} // namespace ns3

#endif /* SCHEDULE_INVARIANTS_H */
