/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_SCHEDULES_H
#define SMP_SCHEDULES_H

#include "ns3/group-schedules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @return ranks of the hosts' leaders, in the order of their hosts' first members
std::vector<uint32_t> FindLeaders(const ScheduleRequest& request);

/// @return the request of the leaders of a group, whose parts are those of whole hosts
ScheduleRequest MakeRequestOfLeaders(const ScheduleRequest& request);

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

#endif /* SMP_SCHEDULES_H */
