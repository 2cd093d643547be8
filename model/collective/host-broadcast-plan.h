/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_BROADCAST_PLAN_H
#define HOST_BROADCAST_PLAN_H

#include "communication-tree.h"
#include "working-switches.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Who sends to whom in a broadcast among hosts if every host that has the message may send
 * to other switches, over the independent channels of a link: Sun et al., section 2.2. Pure.
 *
 * A greedy schedule in time: the host that is free first sends next; among these, the lowest
 * process. It serves a switch that nobody serves yet, the one with most hosts first; else a host of
 * its own switch; else one of another switch, the one with most hosts left first. A message
 * occupies a channel of each link on its path for as long as it keeps its sender busy; a host that
 * finds none free waits for one. Hosts of a switch are served in the order of their ranks, its
 * leader first.
 *
 * A host considers 16 switches at most, and 512 hosts wait at a time. Takes time proportional to
 * the number of hosts times that of switches with hosts to serve.
 */
class HostBroadcastPlan
{
  public:
    /// Makes a plan. @param switches the working switches, at least one; must outlive this @param
    /// channelCaps whether the channels of links limit the messages that cross them at once
    HostBroadcastPlan(const WorkingSwitches& switches, bool channelCaps);

    /// @return the tree of all hosts; processes are numbered switch by switch, leaders first
    CommunicationTree GetTree() const;

  private:
    /// A switch with hosts to serve: minus their number, and the switch.
    using Open = std::pair<int64_t, uint32_t>;

    /// Serves one host, or none.
    void Send(uint32_t process, Time now);

    bool SendElsewhere(uint32_t process, Time now, const std::function<bool(uint32_t)>& mayServe);

    /// @return number of hosts of a switch that are not served
    int64_t GetLeft(uint32_t number) const;

    /// @return number of rounds in which all are served, if all those who are double in each
    uint32_t CountRounds() const;

    /// @return how many hosts of a switch those that are served there can't serve in time
    int64_t GetLag(uint32_t number, uint32_t rounds) const;

    /// Serves the next host of a switch.
    void Serve(uint32_t process, Time now, uint32_t number, Time r);

    bool HasChannels(const SwitchPath& path, Time now);

    /// @return the path between two leaders
    const SwitchPath& GetPath(uint32_t from, uint32_t to);

    const WorkingSwitches& m_switches;             ///< the working switches
    bool m_channelCaps;                            ///< whether channels are counted
    std::vector<uint32_t> m_switchOf;              ///< by process
    std::vector<uint32_t> m_firsts;                ///< first process of each switch
    std::vector<uint32_t> m_served;                ///< of each switch: hosts served, or about to be
    std::vector<std::vector<uint32_t>> m_children; ///< of each process
    std::set<Open> m_untouched;                    ///< switches nobody serves
    std::size_t m_allServed{0};                    ///< hosts served, or about to be
    std::set<Open> m_open;                         ///< switches with hosts not served
    std::set<std::pair<Time, uint32_t>> m_free;    ///< senders, by when they are free
    std::map<SwitchLink, std::multiset<Time>> m_busy; ///< until when channels are, by link
    std::set<uint32_t> m_waiting;                     ///< hosts that wait for channels
    std::set<Time> m_releases;                        ///< when channels become free
    std::map<SwitchLink, SwitchPath> m_paths;         ///< those asked for, by working switches
};

} // namespace ns3

#endif /* HOST_BROADCAST_PLAN_H */
