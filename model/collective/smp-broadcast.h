/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_BROADCAST_H
#define SMP_BROADCAST_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A broadcast of hosts with several members: the masters of the hosts do the inner
 *        broadcast, and each sets a flag for every other member of its host.
 *
 * The master is a host's first member, at the root's host the root.
 */
class SmpBroadcast : public SoftwareBroadcast
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    Ptr<Collective> MakeInner(const ScheduleRequest& request,
                              std::vector<uint32_t>& ranks) const override;

    std::string m_inner; ///< attribute
};

} // namespace ns3

#endif /* SMP_BROADCAST_H */
