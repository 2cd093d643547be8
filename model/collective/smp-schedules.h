/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_SCHEDULES_H
#define SMP_SCHEDULES_H

#include "collective.h"
#include "communication-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @param request a group
 * @return ranks of the hosts' masters, in the order of their hosts' first members
 */
std::vector<uint32_t> FindMasters(const ScheduleRequest& request);

/**
 * @ingroup wormhole
 * @brief Schedules of hosts with several members: each host's master does the inner algorithm with
 *        the masters of the other hosts. Pure.
 *
 * The master is a host's first member, at the root's host the root.
 *
 * @param request the group
 * @param inner the inner algorithm; null: a CALL of the inner collective
 * @param up whether masters first wait for the other members of their hosts
 * @param down whether they tell them in the end
 * @return every member's schedule, by rank
 */
std::vector<CommunicationSchedule> MakeSmpSchedules(const ScheduleRequest& request,
                                                    const ScheduleMaker* inner,
                                                    bool up,
                                                    bool down);

/**
 * @ingroup wormhole
 * @brief What an SMP collective's masters enter where their algorithm has no schedules.
 * @param inner the inner algorithm
 * @param request the group
 * @param[out] ranks its members, unless it has schedules
 * @return the inner algorithm; null if it has schedules
 */
Ptr<Collective> FindInnerCollective(Ptr<Collective> inner,
                                    const ScheduleRequest& request,
                                    std::vector<uint32_t>& ranks);

} // namespace ns3

#endif /* SMP_SCHEDULES_H */
