/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SELF_CONGESTION_H
#define SELF_CONGESTION_H

#include "ns3/communication-tree.h"
#include "ns3/group-schedules.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Send times of a broadcast in which a message that would exceed the channels of a link
 *        waits at its sender, not in the network: the self-congestion technique of Sun et al.,
 *        section III. Pure.
 *
 * Every host knows the tree, the paths and the message time, and hence when all others send. Hosts
 * send to their children in order. A message occupies a channel of each link on its path for as
 * long as it keeps its sender busy; if none is free, it waits for the first one. Among messages
 * that could start at the same time, the one that has waited longest is first; ties go to the
 * lowest process. So a link never carries more messages at once than it has channels.
 *
 * The paper names the technique in one sentence without describing it; this is our interpretation.
 *
 * The time is proportional to the number of members, and to the square of the number of messages
 * that wait for a link at a time.
 */
class SelfCongestion
{
  public:
    /// @param tree the tree, with children in order @param ranks ranks by process of the tree
    /// @param request the group; without paths nothing waits
    SelfCongestion(const CommunicationTree& tree,
                   const std::vector<uint32_t>& ranks,
                   const ScheduleRequest& request);

    /// Send times by process and child, relative to when the process is active.
    using Times = std::vector<std::vector<Time>>;

    /// @return start times of messages that waited; 0 for others
    const Times& GetWaits() const
    {
        return m_waits;
    }

    /// @return when each process is active; the root at 0
    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    Times m_waits;
    std::vector<Time> m_arrivals;
};

} // namespace ns3

#endif /* SELF_CONGESTION_H */
