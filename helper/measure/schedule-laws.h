/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_LAWS_H
#define SCHEDULE_LAWS_H

#include "ns3/group-schedules.h"
#include "ns3/random-variable-stream.h"

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Checks the schedules of an algorithm without a simulator: everybody leaves, and with just
 * the contributions that its kind's law asks for. Schedules that call another collective, as those
 * of `smp` with one in the switches, are not checked: what that hands on is known on a fabric only.
 */
class ScheduleLaws
{
  public:
    /**
     * @param kind barrier, allreduction, broadcast or reduction
     * @param maker the algorithm
     * @param request the group; values are added, or if the algorithm refuses that, combined by MAX
     * @param rng picks who goes on next
     * @return why a law does not hold, in one line; empty: all hold
     * @throws WormholeError if the algorithm refuses the group
     */
    static std::string Check(const std::string& kind,
                             const ScheduleMaker& maker,
                             ScheduleRequest request,
                             Ptr<UniformRandomVariable> rng);
};

} // namespace ns3

#endif /* SCHEDULE_LAWS_H */
