// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORKING_SWITCHES_H
#define WORKING_SWITCHES_H

#include "ns3/group-schedules.h"
#include "ns3/ordering.h"
#include "ns3/tree-worm-header.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ns3
{

/// Two adjacent switches, in the direction of a message: from, to.
using SwitchLink = std::pair<uint32_t, uint32_t>;

/// The path of a message from one host to another.
struct SwitchPath
{
    std::vector<SwitchLink> links; ///< links between switches, in order; none within a switch
    std::vector<uint32_t> ports;   ///< per link: output port of its first switch; empty: any cable
    Time r;                        ///< time from the sending until the receiver is active
};

/// Network information for topology-aware algorithms: hosts' switches, and paths of messages.
class SwitchPaths
{
  public:
    virtual ~SwitchPaths() = default;

    virtual uint32_t GetSwitch(uint32_t host) const = 0;

    virtual SwitchPath GetPath(uint32_t from, uint32_t to) const = 0;

    /// @return a nonnegative lower bound of r over all paths; the tighter, the fewer requests
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

/// @return ranks, the root's first
inline std::vector<uint32_t>
RootFirst(const ScheduleRequest& request)
{
    auto ranks = NumbersWith(request.members, [&](uint32_t rank) { return rank != request.root; });
    ranks.insert(ranks.begin(), request.root);
    return ranks;
}

/// The working switches of a broadcast, which have members of the group, and the paths between
/// their leaders; the graph G_w of Sun et al., section 2.2.
///
/// Switch 0 is the root's, the others are in the order of their first members' ranks. A switch's
/// leader is its first member; at the root's switch, the root. The path between two leaders is the
/// fabric's own route; it is an edge of G_w if it passes no third working switch. Paths are
/// requested one by one, as a plan needs few of them.
class WorkingSwitches
{
  public:
    /// @param request a group with one member on each host; without paths, all are on one switch
    explicit WorkingSwitches(const ScheduleRequest& request)
        : m_hosts(
              MadeOfNumbers(request.members, [&](uint32_t rank) { return request.GetHost(rank); })),
          m_s(request.s),
          m_paths(request.paths)
    {
        for (const auto rank : RootFirst(request))
        {
            const auto number = m_paths ? m_paths->GetSwitch(m_hosts[rank]) : 0;
            const auto [entry, isNew] = m_indexOf.emplace(number, GetSize());
            if (isNew)
            {
                m_ranks.emplace_back();
                m_numbers.push_back(number);
            }
            m_ranks[entry->second].push_back(rank);
        }
    }

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
    std::vector<uint32_t> GetAllRanks() const
    {
        return JoinedOf(m_ranks, [](const auto& ranks) { return ranks; });
    }

    /// @return time for which a message keeps its sender busy
    Time GetSendTime() const
    {
        return m_s;
    }

    /// @return a lower bound of all paths' r
    Time GetMinR() const
    {
        return m_paths ? m_paths->GetMinR() : Time(0);
    }

    SwitchPath GetPath(uint32_t from, uint32_t to) const
    {
        return GetPathOfRanks(m_ranks[from].front(), m_ranks[to].front());
    }

    SwitchPath GetPathOfRanks(uint32_t from, uint32_t to) const
    {
        return m_paths->GetPath(m_hosts[from], m_hosts[to]);
    }

    /// @return the network; null: all are on one switch
    const SwitchPaths* GetNetwork() const
    {
        return m_paths.get();
    }

    bool IsEdge(const SwitchPath& path) const
    {
        return NoneOf(path.links, [&](const auto& link) {
            return &link != &path.links.back() && m_indexOf.count(link.second) > 0;
        });
    }

    uint32_t CountChannels(const SwitchLink& link) const
    {
        return m_paths->CountChannels(link);
    }

    /// @return for each working switch, potential neighbours in G_w by number: only cables and
    ///         nonworking switches lie in between. Not all are neighbours.
    std::vector<std::vector<uint32_t>> FindNearby() const
    {
        std::vector<std::vector<uint32_t>> nearby(GetSize());
        std::vector<std::vector<uint32_t>> borders;      // working switches around each idle region
        std::unordered_map<uint32_t, uint32_t> regionOf; // of nonworking switches
        std::vector<std::vector<uint32_t>> regions(GetSize()); // next to each working switch
        const auto explore = [&](uint32_t start) {
            const auto region = static_cast<uint32_t>(borders.size());
            borders.emplace_back();
            std::vector<uint32_t> idle{start};
            for (std::size_t i = 0; i < idle.size(); ++i)
            {
                for (const auto next : m_paths->GetNeighbours(idle[i]))
                {
                    if (const auto working = m_indexOf.find(next); working != m_indexOf.end())
                    {
                        borders.back().push_back(working->second);
                    }
                    else if (regionOf.emplace(next, region).second)
                    {
                        idle.push_back(next);
                    }
                }
            }
        };
        for (uint32_t from = 0; m_paths && from < GetSize(); ++from)
        {
            for (const auto next : m_paths->GetNeighbours(m_numbers[from]))
            {
                if (const auto working = m_indexOf.find(next); working != m_indexOf.end())
                {
                    nearby[from].push_back(working->second);
                    continue;
                }
                if (regionOf.emplace(next, static_cast<uint32_t>(borders.size())).second)
                {
                    explore(next);
                }
                regions[from].push_back(regionOf.at(next));
            }
        }
        const auto sortOnce = [](std::vector<uint32_t>& list) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        };
        for (auto& border : borders)
        {
            sortOnce(border);
        }
        for (uint32_t from = 0; from < GetSize(); ++from)
        {
            auto& here = nearby[from];
            sortOnce(regions[from]);
            for (const auto region : regions[from])
            {
                here.insert(here.end(), borders[region].begin(), borders[region].end());
            }
            sortOnce(here);
            here.erase(std::remove(here.begin(), here.end(), from), here.end());
        }
        return nearby;
    }

  private:
    std::vector<uint32_t> m_hosts;              ///< by rank
    Time m_s;                                   ///< time for which a message keeps its sender busy
    std::shared_ptr<const SwitchPaths> m_paths; ///< the network, null for one switch
    std::vector<std::vector<uint32_t>> m_ranks; ///< members of each switch, its leader first
    std::vector<uint32_t> m_numbers;            ///< by working switch, its number in the fabric
    std::unordered_map<uint32_t, uint32_t> m_indexOf; ///< the inverse of m_numbers
};

} // namespace ns3

#endif /* WORKING_SWITCHES_H */
