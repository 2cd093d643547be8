/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-tree-search.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

BarrierTreeSearch::BarrierTreeSearch(const SwitchAdjacency& adjacency,
                                     const std::vector<Node>& members)
    : m_adjacency(adjacency),
      m_members(members),
      m_isMember(adjacency.GetNSwitches(), false),
      m_indices(adjacency.GetNSwitches(), 0),
      m_searches(adjacency.GetNSwitches(), 0)
{
    for (auto node : members)
    {
        m_isMember[node] = true;
    }
}

bool
BarrierTreeSearch::Score::operator<(const Score& other) const
{
    return std::tie(height, edges, leaves) < std::tie(other.height, other.edges, other.leaves);
}

std::vector<BarrierTreeSearch::Step>
BarrierTreeSearch::FindBest()
{
    Node bestRoot = FabricGraph::NONE;
    Score best{SwitchAdjacency::UNREACHED, 0, 0};
    for (auto root : m_members)
    {
        if (!Grow(root, best.height))
        {
            continue;
        }
        if (const auto score = Prune(); score < best)
        {
            bestRoot = root;
            best = score;
        }
    }
    std::vector<Step> tree;
    if (bestRoot == FabricGraph::NONE)
    {
        return tree;
    }
    Grow(bestRoot, best.height);
    Prune();
    for (std::size_t i = 0; i < m_found.size(); ++i)
    {
        if (m_kept[i])
        {
            tree.push_back(m_found[i]);
        }
    }
    return tree;
}

bool
BarrierTreeSearch::Grow(Node root, uint32_t limit)
{
    ++m_search;
    m_found.assign(1, {root, FabricGraph::NONE, 0, 0});
    m_searches[root] = m_search;
    m_indices[root] = 0;
    auto left = m_members.size() - 1; // member switches not found yet
    for (std::size_t i = 0; left > 0; ++i)
    {
        if (i == m_found.size() || m_found[i].depth == limit)
        {
            return false;
        }
        const auto [node, from, port, depth] = m_found[i];
        for (const auto& link : m_adjacency.Of(node))
        {
            if (m_searches[link.to] != m_search)
            {
                m_searches[link.to] = m_search;
                m_indices[link.to] = static_cast<uint32_t>(m_found.size());
                m_found.push_back({link.to, node, link.port, depth + 1});
                left -= m_isMember[link.to];
            }
        }
    }
    return true;
}

BarrierTreeSearch::Score
BarrierTreeSearch::Prune()
{
    m_kept.assign(m_found.size(), false);
    m_inner.assign(m_found.size(), false);
    Score score{0, 0, 0};
    uint32_t inner = 0;
    for (auto member : m_members)
    {
        auto i = m_indices[member];
        score.height = std::max(score.height, m_found[i].depth);
        for (; !m_kept[i] && m_found[i].from != FabricGraph::NONE; ++score.edges)
        {
            m_kept[i] = true;
            i = m_indices[m_found[i].from];
            inner += !m_inner[i];
            m_inner[i] = true;
        }
    }
    m_kept[0] = true;
    score.leaves = score.edges + 1 - inner;
    return score;
}

} // namespace ns3
