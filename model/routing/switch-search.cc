/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-search.h"

#include <algorithm>

namespace ns3
{

SwitchSearch::SwitchSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets)
    : m_adjacency(adjacency),
      m_isTarget(adjacency.GetNSwitches(), false),
      m_nTargets(static_cast<uint32_t>(targets.size())),
      m_left(m_nTargets),
      m_seen(adjacency.GetNSwitches()),
      m_nodes(std::size_t{adjacency.GetNSwitches()} + 1),
      m_above(m_nodes.size())
{
    for (auto node : targets)
    {
        m_isTarget[node] = true;
    }
}

bool
SwitchSearch::Run(Node root)
{
    // Far enough ahead for memory to answer, and not so far that it is forgotten again.
    constexpr uint32_t PLACES_AHEAD = 8;
    constexpr uint32_t NEIGHBOURS_AHEAD = 4;
    std::fill(m_seen.begin(), m_seen.end(), 0);
    m_seen[root] = 1;
    m_nodes[0] = root;
    m_levels = {0, 1};
    m_left = m_nTargets - m_isTarget[root];
    uint32_t found = 1;
    const auto nodes = m_nodes.data();
    const auto above = m_above.data();
    const auto seen = m_seen.data();
    for (uint32_t i = 0; m_left > 0;)
    {
        const auto levelEnd = found;
        for (; i < levelEnd; ++i)
        {
            if (i + PLACES_AHEAD < found)
            {
                m_adjacency.PrefetchPlace(nodes[i + PLACES_AHEAD]);
            }
            if (i + NEIGHBOURS_AHEAD < found)
            {
                m_adjacency.PrefetchNeighbours(nodes[i + NEIGHBOURS_AHEAD]);
            }
            for (const auto& link : m_adjacency.Of(nodes[i]))
            {
                // No branch: whether a switch is new can't be predicted. If not, the next one is
                // put in its place.
                nodes[found] = link.to;
                above[found] = i;
                found += 1 - seen[link.to];
                seen[link.to] = 1;
            }
        }
        if (found == levelEnd)
        {
            break;
        }
        m_levels.push_back(found);
        for (auto j = levelEnd; j < found; ++j)
        {
            m_left -= m_isTarget[m_nodes[j]];
        }
    }
    return m_left == 0;
}

} // namespace ns3
