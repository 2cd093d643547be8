/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "double-tree.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t NO_COLOUR = 2;

/// Makes a binary tree in symmetric order whose leaves are the first, third, ... of its processes.
void
MakeSymmetric(uint32_t first, uint32_t n, uint32_t parent, std::vector<uint32_t>& parents)
{
    if (n == 0)
    {
        return;
    }
    uint32_t place = 1; // the greatest power of two, so that the left subtree is full
    while (place <= n / 2)
    {
        place *= 2;
    }
    const auto root = first + place - 1;
    parents[root] = parent;
    MakeSymmetric(first, place - 1, root, parents);
    MakeSymmetric(root + 1, n - place, root, parents);
}

} // namespace

DoubleTree::DoubleTree(uint32_t processes, bool isInOrder)
{
    const auto parents = MakeParents(processes, isInOrder);
    for (uint32_t tree = 0; tree < 2; ++tree)
    {
        std::vector<std::vector<uint32_t>> children(processes);
        for (uint32_t child = 1; child < processes; ++child)
        {
            children[parents[tree][child]].push_back(child);
        }
        std::vector<uint32_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            const auto parent = order[i];
            for (const auto child : children[parent])
            {
                m_edges.push_back({parent, child, tree, NO_COLOUR, 0});
                order.push_back(child);
            }
        }
    }
    Colour(processes);
    Start(processes);
}

DoubleTree::Parents
DoubleTree::MakeParents(uint32_t processes, bool isInOrder)
{
    Parents parents;
    parents.fill(std::vector<uint32_t>(processes, 0));
    const auto n = processes - 1;
    MakeSymmetric(1, n, 0, parents[0]);
    if (n % 2 == 1 && isInOrder)
    {
        MakeSymmetric(2, n - 1, 1, parents[1]);
        return parents;
    }
    for (uint32_t place = 1; place <= n; ++place)
    {
        const auto find = [&](uint32_t at) {
            return at == 0 ? 0 : n % 2 == 0 ? n + 1 - at : at % n + 1;
        };
        parents[1][find(place)] = find(parents[0][place]);
    }
    return parents;
}

void
DoubleTree::Colour(uint32_t processes)
{
    // Edges that must differ: those by which a process sends, and those by which it receives.
    std::vector<std::vector<uint32_t>> sends(processes);
    std::vector<std::vector<uint32_t>> receives(processes);
    for (uint32_t i = 0; i < m_edges.size(); ++i)
    {
        sends[m_edges[i].parent].push_back(i);
        receives[m_edges[i].child].push_back(i);
    }
    for (uint32_t first = 0; first < m_edges.size(); ++first)
    {
        std::vector<uint32_t> open;
        if (m_edges[first].colour == NO_COLOUR)
        {
            m_edges[first].colour = m_edges[first].tree;
            open.push_back(first);
        }
        while (!open.empty())
        {
            const auto edge = open.back();
            open.pop_back();
            for (const auto* group : {&sends[m_edges[edge].parent], &receives[m_edges[edge].child]})
            {
                for (const auto other : *group)
                {
                    if (m_edges[other].colour == NO_COLOUR)
                    {
                        m_edges[other].colour = 1 - m_edges[edge].colour;
                        open.push_back(other);
                    }
                }
            }
        }
    }
}

void
DoubleTree::Start(uint32_t processes)
{
    std::array<std::vector<uint32_t>, 2> ready; // the first step in which a process may send
    ready.fill(std::vector<uint32_t>(processes, 0));
    for (auto& edge : m_edges)
    {
        const auto from = ready[edge.tree][edge.parent];
        edge.start = from + (from + edge.colour) % 2;
        ready[edge.tree][edge.child] = edge.start + 1;
    }
}

uint32_t
DoubleTree::GetLastStart() const
{
    uint32_t last = 0;
    for (const auto& edge : m_edges)
    {
        last = std::max(last, edge.start);
    }
    return last;
}

} // namespace ns3
