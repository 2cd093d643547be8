/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_SEARCH_H
#define SWITCH_SEARCH_H

#include "switch-adjacency.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Breadth-first searches from one switch after another, each until it has found a set of
 *        target switches.
 *
 * Neighbours are taken in the order of their numbers, first found first searched. What is found is
 * held in that order, level by level and without gaps, so that a tree can be walked up or down by
 * going through it once: the switch above is named by its index, and those below one switch lie
 * side by side. Only a byte is looked up by switch, so that 300,000 of them stay in the processor's
 * cache.
 */
class SwitchSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /**
     * @param adjacency the links between switches, which must outlive this object
     * @param targets switches to find, each once, one at least
     */
    SwitchSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets);

    /**
     * Searches until all targets are found and the level of the last one is complete.
     * @param root switch to start from
     * @return whether all targets were found
     */
    bool Run(Node root);

    /// @return whether all targets were found
    bool IsComplete() const
    {
        return m_left == 0;
    }

    /// @return whether a switch is a target @param node a switch
    bool IsTarget(Node node) const
    {
        return m_isTarget[node];
    }

    /// @return links from the root to the target farthest from it, if the search is complete
    uint32_t GetDepth() const
    {
        return static_cast<uint32_t>(m_levels.size()) - 2;
    }

    /// @return number of switches found
    uint32_t GetNFound() const
    {
        return m_levels.back();
    }

    /**
     * @param depth a number of links, GetDepth() + 1 at most
     * @return index of the first switch that far from the root, or past the last one
     */
    uint32_t FirstAt(uint32_t depth) const
    {
        return m_levels[depth];
    }

    /// @return a switch found @param index its index in the order of finding, 0 the root
    Node At(uint32_t index) const
    {
        return m_nodes[index];
    }

    /// @return index of the switch from which one was found @param index its index, not 0
    uint32_t Above(uint32_t index) const
    {
        return m_above[index];
    }

  private:
    const SwitchAdjacency& m_adjacency;   ///< links between switches
    std::vector<bool> m_isTarget;         ///< whether a switch is to be found
    uint32_t m_nTargets;                  ///< number of those
    uint32_t m_left;                      ///< number of those that the latest search did not find
    std::vector<uint8_t> m_seen;          ///< whether a switch has been found
    std::vector<Node> m_nodes;            ///< what was found, and room for one more
    std::vector<uint32_t> m_above;        ///< index of the switch above each
    std::vector<uint32_t> m_levels{0, 0}; ///< index of the first switch of each level, and the end
};

} // namespace ns3

#endif /* SWITCH_SEARCH_H */
