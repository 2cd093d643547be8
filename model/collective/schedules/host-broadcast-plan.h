/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_BROADCAST_PLAN_H
#define HOST_BROADCAST_PLAN_H

#include "tree-schedules.h"
#include "working-switches.h"

#include "ns3/communication-tree.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// The plan of a broadcast among hosts in which every host that has the message may send to other
/// switches, over the independent channels of links: Sun et al., section 2.2. Pure.
///
/// A greedy schedule in time: the host that is free first sends next; ties go to the lowest
/// process. It serves an unserved switch, the one with most hosts first; else a host of its own
/// switch; else one of another switch, the one with most unserved hosts first. A message occupies
/// the channels of its path for as long as it keeps its sender busy; a host that finds none free
/// waits for one. Among a switch's hosts, the first one with a free path is served, its leader
/// first, then in the order of ranks: the cable that a message uses depends on its receiver.
///
/// A host considers at most 16 switches, and 4 hosts of each; at most 512 hosts wait at a time. The
/// time is proportional to the number of hosts times the number of switches with unserved hosts.
class HostBroadcastPlan
{
  public:
    /// @param switches the working switches, at least one; must outlive this
    /// @param channelCaps whether the channels of links limit the messages that cross them at once
    HostBroadcastPlan(const WorkingSwitches& switches, bool channelCaps);

    /// @return the tree of all hosts; processes are numbered switch by switch, leaders first
    CommunicationTree GetTree() const
    {
        return CommunicationTree(m_children);
    }

    /// @return planned time at which each process is active; the root at 0
    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    /// A switch with unserved hosts: minus their number, and the switch.
    using Open = std::pair<int64_t, uint32_t>;

    /// Serves at most one host.
    void Send(uint32_t process, Time now);

    bool SendElsewhere(uint32_t process, Time now, const std::function<bool(uint32_t)>& mayServe);

    int64_t GetLeft(uint32_t number) const
    {
        return static_cast<int64_t>(m_left[number].size());
    }

    /// @return number of rounds until all are served, if the served ones double in each
    uint32_t CountRounds() const;

    /// @return number of hosts of a switch that its served hosts can't serve in time
    int64_t GetLag(uint32_t number, uint32_t rounds) const;

    /// @return whether a host of the given switch is served, over free channels
    bool SendTo(uint32_t number, uint32_t process, Time now);

    /// @return the path from a process to a potential receiver, cached, as it may wait long
    const SwitchPath& GetPath(uint32_t process, uint32_t receiver);

    void Serve(uint32_t process, Time now, uint32_t receiver, Time r);

    const WorkingSwitches& m_switches;
    bool m_channelCaps;
    std::vector<uint32_t> m_switchOf;              ///< by process
    std::vector<uint32_t> m_ranks;                 ///< by process
    std::vector<std::vector<uint32_t>> m_left;     ///< per switch: unserved processes
    std::vector<uint32_t> m_served;                ///< per switch: hosts served, or about to be
    std::vector<std::vector<uint32_t>> m_children; ///< by process
    std::vector<Time> m_arrivals;                  ///< by process
    std::size_t m_allServed{0};                    ///< hosts served, or about to be
    std::set<Open> m_open;                         ///< switches with unserved hosts
    std::set<std::pair<Time, uint32_t>> m_free;    ///< senders, by the time at which they are free
    LinkChannels m_channels;                       ///< channels occupied by messages
    std::unordered_map<uint64_t, SwitchPath> m_paths; ///< by process and receiver
    std::set<uint32_t> m_waiting;                     ///< hosts that wait for channels
    std::set<Time> m_releases;                        ///< when channels become free
};

} // namespace ns3

#endif /* HOST_BROADCAST_PLAN_H */
