/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_LAWS_H
#define DATA_LAWS_H

#include "ns3/group-schedules.h"

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Checks schedules of blocks without a simulator: runs them on symbols, and looks whether
 *        every block of every result holds just the contributions that it must, each once, in
 *        whatever order messages come.
 */
class DataLaws
{
  public:
    /**
     * @param maker the algorithm
     * @param request the group and its data
     * @return why a law does not hold, in one line; empty: all hold
     * @throws WormholeError if the algorithm refuses the group
     */
    static std::string Check(const ScheduleMaker& maker, const ScheduleRequest& request);

    /**
     * @param schedules schedules
     * @param request the group and its data
     * @return as above
     */
    static std::string Check(const GroupSchedules& schedules, const ScheduleRequest& request);
};

} // namespace ns3

#endif /* DATA_LAWS_H */
