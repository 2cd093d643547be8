/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISSEMINATION_BARRIER_H
#define DISSEMINATION_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier by dissemination: in step k every member tells the one 2^k ranks on, and waits
 *        for the one 2^k ranks back; so many steps that 2 to their power is the number of members
 *        or more.
 *
 * Unless the number of members is a power of two, some values come twice, so that ADD is refused.
 */
class DisseminationBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;
    bool UsesRoot() const override;
};

} // namespace ns3

#endif /* DISSEMINATION_BARRIER_H */
