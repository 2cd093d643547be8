/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNICAST_BARRIER_H
#define UNICAST_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A central barrier: every member sends to the root, which combines the values and sends
 *        the result to one member after the other.
 */
class UnicastBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;
};

} // namespace ns3

#endif /* UNICAST_BARRIER_H */
