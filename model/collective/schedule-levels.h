/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_LEVELS_H
#define SCHEDULE_LEVELS_H

#include "group-schedules.h"
#include "process-hierarchy.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The hierarchy of a group's members, from the smallest groups on: tasks of a host, which
 *        exchange flags; hosts of a switch; all others. On an ideal network with levels of its own,
 *        those instead of the switches.
 *
 * Between hosts of different switches, r is that of the root's messages to one host of each other
 * switch, on average. A flag that takes no time counts as one unit of time, so that a writer does
 * one after the other.
 *
 * @param request the group
 * @param ranks ranks of the members, by their number in the hierarchy
 * @return the hierarchy
 */
ProcessHierarchy MakeLevels(const ScheduleRequest& request, const std::vector<uint32_t>& ranks);

} // namespace ns3

#endif /* SCHEDULE_LEVELS_H */
