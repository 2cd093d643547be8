/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "center-search.h"

#include <algorithm>

namespace ns3
{

CenterSearch::CenterSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets)
    : CenterSearch(adjacency, targets, targets)
{
}

CenterSearch::CenterSearch(const SwitchAdjacency& adjacency,
                           const std::vector<Node>& targets,
                           const std::vector<Node>& candidates)
    : m_search(adjacency, targets),
      m_bounds(adjacency.GetNSwitches(), 0),
      m_searched(adjacency.GetNSwitches(), false)
{
    std::vector<Open> open;
    open.reserve(candidates.size());
    for (auto node : candidates)
    {
        open.emplace_back(0, node);
    }
    m_open = decltype(m_open)(std::greater<Open>(), std::move(open));
}

const SwitchSearch*
CenterSearch::Next(Node before)
{
    if (m_farthest != FabricGraph::NONE)
    {
        Search(m_farthest);
        RaiseBounds();
        m_farthest = FabricGraph::NONE;
        return &m_search;
    }
    while (!m_open.empty() && m_open.top() < Open(m_min, before))
    {
        const auto [bound, node] = m_open.top();
        m_open.pop();
        if (m_searched[node])
        {
            continue;
        }
        if (m_bounds[node] > bound)
        {
            m_open.emplace(m_bounds[node], node);
            continue;
        }
        Search(node);
        if (!m_search.IsComplete())
        {
            m_open = {};
        }
        else if (m_search.GetDepth() > bound)
        {
            RaiseBounds();
            m_farthest = FindFarthest();
        }
        return &m_search;
    }
    return nullptr;
}

void
CenterSearch::Search(Node root)
{
    ++m_nSearches;
    m_searched[root] = true;
    if (m_search.Run(root))
    {
        m_min = std::min(m_min, m_search.GetDepth());
    }
}

void
CenterSearch::RaiseBounds()
{
    const auto farthest = m_search.GetDepth();
    for (uint32_t depth = 0; depth <= farthest; ++depth)
    {
        const auto known = std::max(depth, farthest - depth);
        for (auto i = m_search.FirstAt(depth); i < m_search.FirstAt(depth + 1); ++i)
        {
            auto& bound = m_bounds[m_search.At(i)];
            bound = std::max(bound, known);
        }
    }
}

CenterSearch::Node
CenterSearch::FindFarthest() const
{
    for (auto i = m_search.FirstAt(m_search.GetDepth()); i < m_search.GetNFound(); ++i)
    {
        if (const auto node = m_search.At(i); m_search.IsTarget(node) && !m_searched[node])
        {
            return node;
        }
    }
    return FabricGraph::NONE;
}

uint32_t
CenterSearch::GetNSearches() const
{
    return m_nSearches;
}

} // namespace ns3
