/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MULTICAST_BARRIER_H
#define MULTICAST_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A central barrier: every member sends to the root, which combines the values and sends
 *        the result to all members by one tree worm.
 */
class MulticastBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    uint32_t m_addressSize{2}; ///< attribute, bytes
};

} // namespace ns3

#endif /* MULTICAST_BARRIER_H */
