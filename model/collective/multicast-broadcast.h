/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MULTICAST_BROADCAST_H
#define MULTICAST_BROADCAST_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A broadcast by one tree worm.
 */
class MulticastBroadcast : public SoftwareBroadcast
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

#endif /* MULTICAST_BROADCAST_H */
