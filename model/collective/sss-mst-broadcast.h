/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SSS_MST_BROADCAST_H
#define SSS_MST_BROADCAST_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The broadcast of Sun et al., "Broadcast on Clusters of SMPs with Optimal Concurrency", in
 *        three levels.
 *
 * First between switches: see SwitchBroadcastPlan. Every working switch has a leader, the root or
 * its first member. A leader serves other switches first, then, within its switch, the first
 * members of the other hosts, down a binomial tree. Within a host, these set a flag for every other
 * member there. On an ideal network, all hosts are on one switch.
 */
class SssMstBroadcast : public SoftwareBroadcast
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    bool m_downToUp{true};    ///< attribute
    bool m_upToDown{true};    ///< attribute
    bool m_siblings{true};    ///< attribute
    bool m_channelCaps{true}; ///< attribute
};

} // namespace ns3

#endif /* SSS_MST_BROADCAST_H */
