/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-tree-search.h"

#include "ns3/switch-search.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

BarrierTreeSearch::BarrierTreeSearch(const SwitchAdjacency& adjacency,
                                     const std::vector<Node>& members,
                                     Leaves leaves)
    : m_adjacency(adjacency),
      m_members(members),
      m_leaves(leaves),
      m_inner(adjacency.GetNSwitches())
{
}

bool
BarrierTreeSearch::Score::operator<(const Score& other) const
{
    return std::tie(height, edges, leaves, root) <
           std::tie(other.height, other.edges, other.leaves, other.root);
}

std::vector<BarrierTreeSearch::Step>
BarrierTreeSearch::FindBest()
{
    CenterSearch centers(m_adjacency, m_members);
    Score best{SwitchAdjacency::UNREACHED, 0, 0, FabricGraph::NONE};
    while (const auto search = centers.Next())
    {
        if (!search->IsComplete())
        {
            return {};
        }
        if (search->GetDepth() <= best.height)
        {
            best = std::min(best, Prune(*search));
        }
    }
    m_nSearches = centers.GetNSearches();
    SwitchSearch search(m_adjacency, m_members);
    search.Run(best.root);
    Prune(search);
    return ListSteps(search);
}

BarrierTreeSearch::Score
BarrierTreeSearch::Prune(const SwitchSearch& search)
{
    Score score{search.GetDepth(), 0, 0, search.At(0)};
    const auto counted = m_leaves == Leaves::DEEPEST ? search.FirstAt(score.height) : 0;
    std::fill(m_inner.begin(), m_inner.begin() + search.GetNFound(), 0);
    for (auto i = search.GetNFound() - 1; i > 0; --i)
    {
        const uint8_t inner = m_inner[i];
        const uint8_t kept = inner | static_cast<uint8_t>(search.IsTarget(search.At(i)));
        m_inner[search.Above(i)] |= kept;
        score.edges += kept;
        score.leaves += i >= counted ? kept - inner : 0;
    }
    score.leaves += m_inner[0] == 0;
    return score;
}

std::vector<BarrierTreeSearch::Step>
BarrierTreeSearch::ListSteps(const SwitchSearch& search) const
{
    std::vector<Step> steps{{search.At(0), NONE, 0, 0}};
    std::vector<uint32_t> places{0}; // of what was found, in the list
    for (uint32_t depth = 1; depth <= search.GetDepth(); ++depth)
    {
        for (auto i = search.FirstAt(depth); i < search.FirstAt(depth + 1); ++i)
        {
            const auto node = search.At(i);
            places.push_back(static_cast<uint32_t>(steps.size()));
            if (m_inner[i] == 0 && !search.IsTarget(node))
            {
                continue;
            }
            const auto links = m_adjacency.Of(search.At(search.Above(i)));
            auto link = links.begin();
            while (*link.to != node)
            {
                ++link;
            }
            steps.push_back({node, places[search.Above(i)], *link.port, depth});
        }
    }
    return steps;
}

} // namespace ns3
