// SPDX-License-Identifier: GPL-2.0-only

#ifndef UP_DOWN_PAIR_ROUTE_H
#define UP_DOWN_PAIR_ROUTE_H

#include "ns3/up-down-routing.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/// Finds up/down routes between two switches without a column for the whole fabric: for large
/// fabrics, and for routes that are needed once.
///
/// A route goes up to a switch, its *top*, and down from there, so its top is above both its ends.
/// Two breadth-first searches upwards, one from each end, find all possible tops: the switches that
/// both reach. The best tops have fewest links to both ends. Few switches are above a given one: on
/// average 40 of 300,000 in an irregular fabric, and 740 of 10,000 in a two-dimensional torus. The
/// distances suffice to break ties as UpDownColumns does, or by a RouteSpread.
///
/// A switch is expanded only if a top above it may be as good as the best one known, as no link
/// leads down by more than one level. An object needs 24 bytes per switch and four per link, and is
/// not thread-safe.
class UpDownPairRoute
{
  public:
    using Node = FabricGraph::Node;
    using Port = FabricGraph::Port;

    explicit UpDownPairRoute(const UpDownRouting& routing)
        : m_routing(routing)
    {
        const auto& adjacency = routing.GetAdjacency();
        const auto nSwitches = adjacency.GetNSwitches();
        m_firstAbove.reserve(std::size_t{nSwitches} + 1);
        for (Node node = 0; node < nSwitches; ++node)
        {
            m_levels.push_back(routing.GetLevel(node));
            const auto first = m_above.size();
            m_firstAbove.push_back(static_cast<uint32_t>(first));
            for (const auto& link : adjacency.Of(node))
            {
                const bool isNew = m_above.size() == first || m_above.back() != link.to;
                if (isNew && routing.LeadsUp(node, link.to))
                {
                    m_above.push_back(link.to);
                }
            }
        }
        m_firstAbove.push_back(static_cast<uint32_t>(m_above.size()));
        for (auto* search : {&m_gone, &m_left})
        {
            search->run.assign(nSwitches, 0);
            search->links.resize(nSwitches);
        }
        m_isWay.assign(nSwitches, 0);
    }

    /// @param spread selects among equally good ports
    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports)
    {
        if (from == to)
        {
            return;
        }
        if (++m_run == 0) // all numbers are used up: start again
        {
            m_run = 1;
            for (auto* runs : {&m_gone.run, &m_left.run, &m_isWay})
            {
                std::fill(runs->begin(), runs->end(), 0);
            }
        }
        Begin(m_gone, from);
        Begin(m_left, to);
        m_best = UINT32_MAX;
        // An end may be the top itself, so each search continues until its level reaches the length
        // of the shortest route known.
        for (bool goes = true; goes;)
        {
            goes = false;
            for (auto* search : {&m_gone, &m_left})
            {
                if (search->next < search->found.size() && search->level < m_best)
                {
                    Grow(*search, search == &m_gone ? m_left : m_gone);
                    goes = true;
                }
            }
        }
        MarkPaths();
        const auto& adjacency = m_routing.GetAdjacency();
        bool goneDown = false;
        for (auto node = from; node != to;)
        {
            uint32_t nEqual = 0;
            SwitchAdjacency::Link taken{};
            for (const auto& link : adjacency.Of(node))
            {
                if (IsOnRoute(node, link, goneDown))
                {
                    taken = nEqual++ == 0 ? link : taken;
                    if (spread.IsFirst())
                    {
                        break;
                    }
                }
            }
            auto skip = spread.Choose(node, nEqual);
            for (const auto& link : adjacency.Of(node))
            {
                if (skip == 0)
                {
                    break;
                }
                if (IsOnRoute(node, link, goneDown) && link.port != taken.port)
                {
                    --skip;
                    taken = link;
                }
            }
            ports.push_back(taken.port);
            goneDown = !m_routing.LeadsUp(node, taken.to);
            node = taken.to;
        }
    }

  private:
    struct Search
    {
        std::vector<uint32_t> run;   ///< by switch: the last search that reached it
        std::vector<uint32_t> links; ///< by switch: links from the start of that search
        std::vector<Node> found;     ///< switches found, nearest first
        std::size_t next{0};         ///< next switch to expand
        uint32_t level{0};           ///< links to the farthest switch found
    };

    void Begin(Search& search, Node end)
    {
        search.found.assign(1, end);
        search.next = 0;
        search.level = 0;
        search.run[end] = m_run;
        search.links[end] = 0;
    }

    void Grow(Search& search, const Search& other)
    {
        const auto levelEnd = search.found.size();
        ++search.level;
        for (; search.next < levelEnd; ++search.next)
        {
            const auto node = search.found[search.next];
            const auto far = m_levels[other.found.front()];
            const auto up = far > m_levels[node] ? far - m_levels[node] : 0; // at least, to any top
            if (search.links[node] + 1 + up > m_best)
            {
                continue;
            }
            for (auto i = m_firstAbove[node]; i < m_firstAbove[node + 1]; ++i)
            {
                const auto above = m_above[i];
                if (Has(search, above))
                {
                    continue;
                }
                search.run[above] = m_run;
                search.links[above] = search.level;
                search.found.push_back(above);
                if (Has(other, above))
                {
                    m_best = std::min(m_best, search.level + other.links[above]);
                }
            }
        }
    }

    bool Has(const Search& search, Node node) const
    {
        return search.run[node] == m_run;
    }

    void MarkPaths()
    {
        uint32_t highest = 0; // links up to the farthest top
        for (auto i = m_gone.found.size(); i-- > 0;)
        {
            const auto node = m_gone.found[i];
            const auto links = m_gone.links[node];
            bool isWay = Has(m_left, node) && links + m_left.links[node] == m_best;
            highest = isWay ? std::max(highest, links) : highest;
            const auto last = links < highest ? m_firstAbove[node + 1] : m_firstAbove[node];
            for (auto k = m_firstAbove[node]; !isWay && k < last; ++k)
            {
                const auto above = m_above[k];
                isWay = m_isWay[above] == m_run && m_gone.links[above] == links + 1;
            }
            if (isWay)
            {
                m_isWay[node] = m_run;
            }
        }
    }

    bool IsOnRoute(Node node, const SwitchAdjacency::Link& link, bool goneDown) const
    {
        if (m_routing.LeadsUp(node, link.to))
        {
            return !goneDown && m_isWay[link.to] == m_run &&
                   m_gone.links[link.to] == m_gone.links[node] + 1;
        }
        if (!Has(m_left, link.to))
        {
            return false;
        }
        const auto left = goneDown ? m_left.links[node] : m_best - m_gone.links[node];
        return m_left.links[link.to] + 1 == left;
    }

    const UpDownRouting& m_routing;
    std::vector<uint32_t> m_levels;     ///< links from the root, by switch
    std::vector<Node> m_above;          ///< upward neighbours, switch by switch
    std::vector<uint32_t> m_firstAbove; ///< index of each switch's first one, and the total
    uint32_t m_run{0};                  ///< number of the current search
    Search m_gone;
    Search m_left;
    std::vector<uint32_t> m_isWay; ///< by switch: the last search with a route upwards through it
    uint32_t m_best{0};            ///< links of the shortest route known
};

} // namespace ns3

#endif /* UP_DOWN_PAIR_ROUTE_H */
