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
 * @brief When the hosts of a broadcast send if a message that would meet too many others on a link
 *        waits at its sender, not in the network: the self-congestion technique of Sun et al.,
 *        section III. Pure.
 *
 * Every host knows the tree, the paths and the time of a message, and so when all others send.
 * Hosts send to their children in order. A message occupies a channel of each link on its path for
 * as long as it keeps its sender busy; where none is free, it waits for the first one. Of those
 * that could start at the same time, the one that has waited longest does, then that of the lowest
 * process. So links are never on more messages at once than they have channels.
 *
 * The paper names the technique in one sentence and does not describe it; this is our reading of
 * it.
 *
 * Takes time proportional to the number of members, and to the square of how many wait for one link
 * at a time.
 */
class SelfCongestion
{
  public:
    /// @param tree who sends to whom, children in order @param ranks ranks by process of the tree
    /// @param request the group; without paths nothing waits
    SelfCongestion(const CommunicationTree& tree,
                   const std::vector<uint32_t>& ranks,
                   const ScheduleRequest& request);

    /// When a process sends to its children, by process and child, from when it is active.
    using Times = std::vector<std::vector<Time>>;

    /// @return when messages start that have waited, 0 for others
    const Times& GetWaits() const
    {
        return m_waits;
    }

    /// @return when each process is active, the root at 0
    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    Times m_waits;                ///< when those that have waited start
    std::vector<Time> m_arrivals; ///< when each process is active
};

} // namespace ns3

#endif /* SELF_CONGESTION_H */
