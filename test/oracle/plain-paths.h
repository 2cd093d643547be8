// SPDX-License-Identifier: GPL-2.0-only

#ifndef PLAIN_PATHS_H
#define PLAIN_PATHS_H

#include "ns3/group-schedules.h"
#include "ns3/working-switches.h"

#include <deque>

namespace ns3
{

/// Switches joined by some links, with equally many hosts each. A path is a shortest one, by lowest
/// numbers; r is 0 or so much a link. A message takes any channel of a link, or the one that its
/// receiver's number says.
class PlainPaths : public SwitchPaths
{
  public:
    /// @param perLink what a link adds to r @param byReceiver whether its number says which channel
    PlainPaths(uint32_t hosts,
               const std::vector<SwitchLink>& links,
               uint32_t channels = 2,
               Time perLink = Time(0),
               bool byReceiver = false)
        : m_hosts(hosts),
          m_channels(channels),
          m_perLink(perLink),
          m_byReceiver(byReceiver),
          m_minR(perLink)
    {
        for (const auto& [a, b] : links)
        {
            m_next[a].insert(b);
            m_next[b].insert(a);
        }
    }

    uint32_t GetSwitch(uint32_t host) const override
    {
        return host / m_hosts;
    }

    SwitchPath GetPath(uint32_t from, uint32_t to) const override
    {
        // Breadth first from the end, so that the way can be read from the start.
        std::map<uint32_t, uint32_t> towards{{GetSwitch(to), GetSwitch(to)}};
        std::deque<uint32_t> waiting{GetSwitch(to)};
        for (; !waiting.empty(); waiting.pop_front())
        {
            for (const auto next : m_next.at(waiting.front()))
            {
                if (towards.emplace(next, waiting.front()).second)
                {
                    waiting.push_back(next);
                }
            }
        }
        SwitchPath path;
        for (auto at = GetSwitch(from); at != GetSwitch(to); at = towards.at(at))
        {
            path.links.emplace_back(at, towards.at(at));
            path.r += m_perLink;
            if (m_byReceiver)
            {
                path.ports.push_back(to % m_channels);
            }
        }
        return path;
    }

    Time GetMinR() const override
    {
        return m_minR;
    }

    std::vector<uint32_t> GetNeighbours(uint32_t number) const override
    {
        const auto entry = m_next.find(number);
        return entry == m_next.end()
                   ? std::vector<uint32_t>()
                   : std::vector<uint32_t>(entry->second.begin(), entry->second.end());
    }

    uint32_t CountChannels(const SwitchLink&) const override
    {
        return m_channels;
    }

  private:
    uint32_t m_hosts;                              ///< hosts of each switch
    uint32_t m_channels;                           ///< channels of each link
    Time m_perLink;                                ///< what a link adds to r
    bool m_byReceiver;                             ///< whether receivers say which channel
    Time m_minR;                                   ///< r of the shortest way
    std::map<uint32_t, std::set<uint32_t>> m_next; ///< neighbours
};

inline ScheduleRequest
UnitCost(const std::vector<uint32_t>& hosts, std::shared_ptr<const SwitchPaths> paths)
{
    ScheduleRequest request;
    request.members = static_cast<uint32_t>(hosts.size());
    request.s = Time(1);
    request.r = Time(0);
    request.paths = paths;
    request.hosts = hosts;
    return request;
}

inline std::vector<SwitchLink>
Mesh(uint32_t n)
{
    std::vector<SwitchLink> links;
    for (uint32_t a = 0; a < n; ++a)
    {
        for (uint32_t b = a + 1; b < n; ++b)
        {
            links.emplace_back(a, b);
        }
    }
    return links;
}

} // namespace ns3

#endif /* PLAIN_PATHS_H */
