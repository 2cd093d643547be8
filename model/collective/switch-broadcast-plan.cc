/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-broadcast-plan.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <deque>
#include <string>
#include <tuple>

namespace ns3
{

SwitchBroadcastPlan::SwitchBroadcastPlan(const WorkingSwitches& switches,
                                         const Heuristics& heuristics)
    : m_switches(switches),
      m_heuristics(heuristics),
      m_children(switches.GetSize()),
      m_parents(switches.GetSize(), CommunicationTree::NO_PARENT),
      m_arrivals(switches.GetSize()),
      m_used(switches.channels.size(), 0)
{
    FindShortestPaths();
    if (heuristics.downToUp)
    {
        SortChildren(GetOrder());
    }
    FindArrivals();
    if (heuristics.upToDown)
    {
        VisitAll(false);
        VisitAll(true);
    }
}

CommunicationTree
SwitchBroadcastPlan::GetTree() const
{
    return CommunicationTree(m_children);
}

const std::vector<Time>&
SwitchBroadcastPlan::GetArrivals() const
{
    return m_arrivals;
}

void
SwitchBroadcastPlan::FindShortestPaths()
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
            const auto& way = m_switches.ways[from][to];
            if (from != to && way.isEdge)
            {
                boost::add_edge(from, to, (m_switches.s + way.r).GetTimeStep(), graph);
            }
        }
    }
    std::vector<std::size_t> parents(n);
    boost::dijkstra_shortest_paths(graph, 0, boost::predecessor_map(parents.data()));
    for (uint32_t child = 1; child < n; ++child)
    {
        const auto parent = static_cast<uint32_t>(parents[child]);
        if (parent == child)
        {
            throw WormholeError("broadcast between switches: working switch " +
                                std::to_string(child) +
                                " can't be reached; accepted are ways to all of them");
        }
        m_parents[child] = parent;
        m_children[parent].push_back(child);
        Use(parent, child, 1);
    }
}

std::vector<uint32_t>
SwitchBroadcastPlan::GetOrder() const
{
    std::vector<uint32_t> order{0};
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const auto& children = m_children[order[i]];
        order.insert(order.end(), children.begin(), children.end());
    }
    return order;
}

void
SwitchBroadcastPlan::SortChildren(const std::vector<uint32_t>& order)
{
    // The paths hold their senders' start-ups. The paper leaves out that of the switch they begin
    // at, which changes no order: leaves come last both ways.
    std::vector<int64_t> longest(m_children.size(), 0); // w
    const auto way = [this](uint32_t child) {
        return m_switches.ways[m_parents[child]][child].r.GetTimeStep();
    };
    for (auto parent = order.rbegin(); parent != order.rend(); ++parent)
    {
        auto& children = m_children[*parent];
        std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
            return std::make_tuple(-longest[a], -way(a), a) <
                   std::make_tuple(-longest[b], -way(b), b);
        });
        for (const auto child : children)
        {
            longest[*parent] = std::max(longest[*parent],
                                        longest[child] + m_switches.s.GetTimeStep() + way(child));
        }
    }
}

void
SwitchBroadcastPlan::FindArrivals()
{
    for (const auto parent : GetOrder())
    {
        int64_t turn = 0;
        for (const auto child : m_children[parent])
        {
            m_arrivals[child] = m_arrivals[parent] + Time(m_switches.s.GetTimeStep() * ++turn) +
                                m_switches.ways[parent][child].r;
        }
    }
}

void
SwitchBroadcastPlan::VisitAll(bool depthFirst)
{
    std::deque<uint32_t> waiting{0};
    std::vector<uint32_t> holding;
    while (!waiting.empty())
    {
        const auto parent = waiting.front();
        waiting.pop_front();
        holding.push_back(parent);
        // A child that moved to a sibling waits until that one is visited.
        auto next = Parallel(parent, holding);
        next.insert(next.begin(), m_children[parent].begin(), m_children[parent].end());
        waiting.insert(depthFirst ? waiting.begin() : waiting.end(), next.begin(), next.end());
    }
}

std::vector<uint32_t>
SwitchBroadcastPlan::Parallel(uint32_t parent, const std::vector<uint32_t>& holding)
{
    auto candidates = holding;
    candidates.pop_back(); // the parent itself
    std::stable_sort(candidates.begin(), candidates.end(), [this](uint32_t a, uint32_t b) {
        return m_arrivals[a] < m_arrivals[b];
    });
    std::vector<uint32_t> moved;
    const auto children = m_children[parent];
    for (const auto child : children)
    {
        if (child != children.front())
        {
            const auto found = FindParent(child, candidates);
            if (found != parent)
            {
                Move(child, found);
                if (std::find(holding.begin(), holding.end(), found) != holding.end())
                {
                    moved.push_back(child);
                }
            }
        }
        if (m_heuristics.siblings)
        {
            candidates.push_back(child);
        }
    }
    return moved;
}

uint32_t
SwitchBroadcastPlan::FindParent(uint32_t child, const std::vector<uint32_t>& candidates) const
{
    auto best = m_parents[child];
    auto soonest = m_arrivals[child];
    for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate)
    {
        const auto turn = static_cast<int64_t>(m_children[*candidate].size()) + 1;
        const auto arrival = m_arrivals[*candidate] + Time(m_switches.s.GetTimeStep() * turn) +
                             m_switches.ways[*candidate][child].r;
        if (arrival < soonest && HasChannels(*candidate, child, child))
        {
            best = *candidate;
            soonest = arrival;
        }
    }
    return best;
}

bool
SwitchBroadcastPlan::HasChannels(uint32_t from, uint32_t to, uint32_t child) const
{
    if (!m_heuristics.channelCaps)
    {
        return true;
    }
    const auto& present = m_switches.ways[m_parents[child]][child].links;
    const auto& links = m_switches.ways[from][to].links;
    return std::all_of(links.begin(), links.end(), [&](uint32_t link) {
        const auto givenUp = std::count(present.begin(), present.end(), link);
        return m_used[link] - givenUp < m_switches.channels[link];
    });
}

void
SwitchBroadcastPlan::Move(uint32_t child, uint32_t parent)
{
    auto& siblings = m_children[m_parents[child]];
    siblings.erase(std::find(siblings.begin(), siblings.end(), child));
    Use(m_parents[child], child, -1);
    m_parents[child] = parent;
    m_children[parent].push_back(child);
    Use(parent, child, 1);
    FindArrivals();
}

void
SwitchBroadcastPlan::Use(uint32_t from, uint32_t to, int number)
{
    for (const auto link : m_switches.ways[from][to].links)
    {
        m_used[link] += number;
    }
}

} // namespace ns3
