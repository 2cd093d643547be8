/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_DATA_SCHEDULES_H
#define SMP_DATA_SCHEDULES_H

#include "data-schedules.h"

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Schedules of a collective of data of hosts with several members: one member of each host,
 *        its leader, does the inner algorithm with the leaders of the others. Pure.
 *
 * The leader is a host's first member, at the root's host the root, in a scan its last. Inner parts
 * are what the members of whole hosts have together; the blocks into which the inner algorithm cuts
 * them are cut where members' parts meet. Where members of hosts are not consecutive ranks, and
 * contributions are to be combined in order, the inner algorithm serves without leaders.
 *
 * @param request the group
 * @param inner the inner algorithm
 * @param name its name, for DataSchedules::fallback
 * @return the schedules
 */
DataSchedules MakeSmpDataSchedules(const DataRequest& request,
                                   const DataScheduleMaker& inner,
                                   const std::string& name);

} // namespace ns3

#endif /* SMP_DATA_SCHEDULES_H */
