// SPDX-License-Identifier: GPL-2.0-only

#ifndef PLAIN_SWITCH_PLAN_H
#define PLAIN_SWITCH_PLAN_H

#include "ns3/broadcast-plans.h"
#include "ns3/working-switches.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/// @brief SwitchBroadcastPlan by its plain definition: all ways are asked for beforehand, all
///        arrivals found anew after each move.
class PlainSwitchPlan
{
  public:
    PlainSwitchPlan(const WorkingSwitches& switches,
                    const SwitchBroadcastPlan::Heuristics& heuristics)
        : m_switches(switches),
          m_heuristics(heuristics),
          m_paths(switches.GetSize(), std::vector<SwitchPath>(switches.GetSize())),
          m_children(switches.GetSize()),
          m_parents(switches.GetSize(), 0),
          m_arrivals(switches.GetSize())
    {
        for (uint32_t from = 0; from < switches.GetSize(); ++from)
        {
            for (uint32_t to = 0; to < switches.GetSize(); ++to)
            {
                if (from != to)
                {
                    m_paths[from][to] = switches.GetPath(from, to);
                }
            }
        }
        FindShortestPaths();
        if (heuristics.downToUp)
        {
            SortChildren();
        }
        FindArrivals();
        if (heuristics.upToDown)
        {
            VisitAll(false);
            VisitAll(true);
        }
    }

    /// @return children of each switch, in the order served
    const std::vector<std::vector<uint32_t>>& GetChildren() const
    {
        return m_children;
    }

  private:
    void FindShortestPaths()
    {
        using Weight = boost::property<boost::edge_weight_t, int64_t>;
        using Graph = boost::
            adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weight>;
        const auto n = m_switches.GetSize();
        Graph graph(n);
        for (uint32_t from = 0; from < n; ++from)
        {
            for (uint32_t to = 0; to < n; ++to)
            {
                const auto& way = m_paths[from][to];
                if (from != to && m_switches.IsEdge(way))
                {
                    const auto weight = m_switches.GetSendTime() + way.r;
                    boost::add_edge(from, to, weight.GetTimeStep(), graph);
                }
            }
        }
        std::vector<std::size_t> parents(n);
        boost::dijkstra_shortest_paths(graph, 0, boost::predecessor_map(parents.data()));
        for (uint32_t child = 1; child < n; ++child)
        {
            m_parents[child] = static_cast<uint32_t>(parents[child]);
            m_children[m_parents[child]].push_back(child);
            Use(m_paths[m_parents[child]][child], 1);
        }
    }

    std::vector<uint32_t> GetOrder() const
    {
        std::vector<uint32_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            const auto& children = m_children[order[i]];
            order.insert(order.end(), children.begin(), children.end());
        }
        return order;
    }

    void SortChildren()
    {
        std::vector<Time> longest(m_children.size()); // w
        const auto order = GetOrder();
        for (auto parent = order.rbegin(); parent != order.rend(); ++parent)
        {
            auto& children = m_children[*parent];
            const auto& ways = m_paths[*parent];
            std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
                return std::make_tuple(longest[b], ways[b].r, a) <
                       std::make_tuple(longest[a], ways[a].r, b);
            });
            for (const auto child : children)
            {
                longest[*parent] =
                    std::max(longest[*parent],
                             longest[child] + m_switches.GetSendTime() + ways[child].r);
            }
        }
    }

    void FindArrivals()
    {
        for (const auto parent : GetOrder())
        {
            auto turn = m_arrivals[parent];
            for (const auto child : m_children[parent])
            {
                turn += m_switches.GetSendTime();
                m_arrivals[child] = turn + m_paths[parent][child].r;
            }
        }
    }

    void VisitAll(bool depthFirst)
    {
        std::deque<uint32_t> waiting{0};
        std::vector<uint32_t> holding;
        while (!waiting.empty())
        {
            const auto parent = waiting.front();
            waiting.pop_front();
            auto next = Parallel(parent, holding);
            next.insert(next.begin(), m_children[parent].begin(), m_children[parent].end());
            waiting.insert(depthFirst ? waiting.begin() : waiting.end(), next.begin(), next.end());
            holding.push_back(parent);
        }
    }

    /// The paralleling procedure. @return children that got another parent which has been visited
    std::vector<uint32_t> Parallel(uint32_t parent, const std::vector<uint32_t>& holding)
    {
        auto candidates = holding;
        std::stable_sort(candidates.begin(), candidates.end(), [this](uint32_t a, uint32_t b) {
            return m_arrivals[a] < m_arrivals[b];
        });
        std::vector<uint32_t> moved;
        const auto children = m_children[parent];
        for (const auto child : children)
        {
            auto best = parent;
            auto soonest = m_arrivals[child];
            for (auto other = candidates.rbegin();
                 child != children.front() && other != candidates.rend();
                 ++other)
            {
                const auto turn = static_cast<int64_t>(m_children[*other].size()) + 1;
                const auto& way = m_paths[*other][child];
                const auto arrival = m_arrivals[*other] + m_switches.GetSendTime() * turn + way.r;
                if (arrival < soonest && HasChannels(way, m_paths[parent][child]))
                {
                    best = *other;
                    soonest = arrival;
                }
            }
            if (best != parent)
            {
                auto& siblings = m_children[parent];
                siblings.erase(std::find(siblings.begin(), siblings.end(), child));
                Use(m_paths[parent][child], -1);
                m_children[best].push_back(child);
                Use(m_paths[best][child], 1);
                FindArrivals();
                if (std::find(holding.begin(), holding.end(), best) != holding.end())
                {
                    moved.push_back(child);
                }
            }
            if (m_heuristics.siblings)
            {
                candidates.push_back(child);
            }
        }
        return moved;
    }

    /// @return whether links have channels for one more way @param present another one, which is
    /// given up
    bool HasChannels(const SwitchPath& way, const SwitchPath& present) const
    {
        return !m_heuristics.channelCaps ||
               std::all_of(way.links.begin(), way.links.end(), [&](const auto& link) {
                   const auto used = m_used.find(link);
                   return (used == m_used.end() ? 0 : used->second) -
                              std::count(present.links.begin(), present.links.end(), link) <
                          m_switches.CountChannels(link);
               });
    }

    /// Counts a way on its links. @param number 1 or -1
    void Use(const SwitchPath& way, int number)
    {
        for (const auto& link : way.links)
        {
            m_used[link] += number;
        }
    }

    const WorkingSwitches& m_switches;             ///< the working switches
    SwitchBroadcastPlan::Heuristics m_heuristics;  ///< what is done
    std::vector<std::vector<SwitchPath>> m_paths;  ///< from each, to each
    std::vector<std::vector<uint32_t>> m_children; ///< of each switch, in the order served
    std::vector<uint32_t> m_parents;               ///< of each switch
    std::vector<Time> m_arrivals;                  ///< when each is active
    std::map<SwitchLink, int64_t> m_used;          ///< ways across each link
};

} // namespace ns3

#endif /* PLAIN_SWITCH_PLAN_H */
