// SPDX-License-Identifier: GPL-2.0-only

#ifndef SMP_H
#define SMP_H

#include "ns3/group-schedules.h"

namespace ns3
{

/// Schedules of hosts with several members: one member of each host, its leader, performs the inner
/// algorithm with the leaders of the others. Pure.
///
/// The leader is a host's first member; at the root's host the root; in a scan its last. An inner
/// part consists of the parts of all members of a host; the inner algorithm divides these only at
/// boundaries between members' parts. If members of hosts are not consecutive ranks, and
/// contributions must be combined in order, the inner algorithm is used without leaders.
/// @param inner the inner algorithm; null: a CALL of the inner collective
GroupSchedules MakeSmpSchedules(const ScheduleRequest& request,
                                const ScheduleMaker* inner,
                                const std::string& name);

} // namespace ns3

#endif /* SMP_H */
