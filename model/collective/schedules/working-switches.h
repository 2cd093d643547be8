/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKING_SWITCHES_H
#define WORKING_SWITCHES_H

#include "ns3/group-schedules.h"
#include "ns3/nstime.h"
#include "ns3/tree-worm-header.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// Two adjacent switches, in the direction of a message: from, to.
using SwitchLink = std::pair<uint32_t, uint32_t>;

/// The path of a message from one host to another.
struct SwitchPath
{
    std::vector<SwitchLink> links; ///< links between switches, in order; none within a switch
    std::vector<uint32_t> ports;   ///< per link: output port of its first switch; empty: any cable
    Time r;                        ///< time from its sending until the receiver is active
};

/// Network information for topology-aware algorithms: the hosts' switches
/// and the paths of messages.
class SwitchPaths
{
  public:
    virtual ~SwitchPaths() = default;

    virtual uint32_t GetSwitch(uint32_t host) const = 0;

    virtual SwitchPath GetPath(uint32_t from, uint32_t to) const = 0;

    /// @return a nonnegative lower bound of r over all paths; the tighter it is, the fewer paths
    ///         are requested
    virtual Time GetMinR() const
    {
        return Time(0);
    }

    virtual std::vector<uint32_t> GetNeighbours(uint32_t number) const = 0;

    /// @return capacity of a link in messages: its number of cables
    virtual uint32_t CountChannels(const SwitchLink& link) const = 0;

    /// @param to receiving hosts, without the sender
    /// @return the header's length, bytes
    virtual uint32_t GetHeaderBytes(const TreeWormHeader& header,
                                    [[maybe_unused]] uint32_t from,
                                    const std::vector<uint32_t>& to) const
    {
        return header.GetBytesOnOneSwitch(static_cast<uint32_t>(to.size()) + 1);
    }
};

/// The working switches of a broadcast: those with a member of the group, and the paths between
/// their leaders; the graph G_w of Sun et al., section 2.2. Pure.
///
/// Switch 0 is the root's, the others are in the order of their first members' ranks. A switch's
/// leader is its first member; at the root's switch the root. The path between two leaders is the
/// fabric's own route; it is an edge of G_w if it passes no third working switch. Paths are
/// requested one by one, as a plan needs few of them.
class WorkingSwitches
{
  public:
    /// @param request a group with one member on each host; without paths, all are on one switch
    explicit WorkingSwitches(const ScheduleRequest& request);

    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /// @return members of a switch, its leader first
    const std::vector<uint32_t>& GetRanks(uint32_t number) const
    {
        return m_ranks[number];
    }

    /// @return members of all switches, switch by switch, leaders first
    std::vector<uint32_t> GetAllRanks() const;

    /// @return time for which a message keeps its sender busy
    Time GetSendTime() const
    {
        return m_s;
    }

    Time GetMinR() const; ///< @return a lower bound of all paths' r

    /// @return the path between two leaders
    SwitchPath GetPath(uint32_t from, uint32_t to) const;

    /// @return the path between two members
    SwitchPath GetPathOfRanks(uint32_t from, uint32_t to) const
    {
        return m_paths->GetPath(m_hosts[from], m_hosts[to]);
    }

    /// @return the network; null: all are on one switch
    const SwitchPaths* GetNetwork() const
    {
        return m_paths.get();
    }

    bool IsEdge(const SwitchPath& path) const;

    uint32_t CountChannels(const SwitchLink& link) const;

    /// @return for each working switch, potential neighbours in G_w by number: only cables and
    ///         nonworking switches are in between. Some are not neighbours.
    std::vector<std::vector<uint32_t>> FindNearby() const;

  private:
    std::vector<uint32_t> m_hosts;              ///< by rank
    Time m_s;                                   ///< time for which a message keeps its sender busy
    std::shared_ptr<const SwitchPaths> m_paths; ///< the network, null for one switch
    std::vector<std::vector<uint32_t>> m_ranks; ///< members of each switch, its leader first
    std::vector<uint32_t> m_numbers;            ///< by working switch, its number in the fabric
    std::unordered_map<uint32_t, uint32_t>
        m_indexOf; ///< index of a working switch, by its number in the fabric
};

} // namespace ns3

#endif /* WORKING_SWITCHES_H */
