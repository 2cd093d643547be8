/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_TREE_SEARCH_H
#define BARRIER_TREE_SEARCH_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-adjacency.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Finds the best barrier tree over a set of member switches; see BarrierTree.
 *
 * A breadth-first search from every member switch, which ends when all member switches are found,
 * or when the tree gets higher than the best one so far. The way to a switch is settled when it is
 * found, so what is left unsearched would be cut off anyway.
 */
class BarrierTreeSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// How the search came to a switch.
    struct Step
    {
        Node node;      ///< the switch
        Node from;      ///< switch that it came from; NONE at the root
        Port port;      ///< port of that switch
        uint32_t depth; ///< number of links from the root
    };

    /**
     * @param adjacency the links between switches, which must outlive this object
     * @param members member switches by number, one at least
     */
    BarrierTreeSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& members);

    /**
     * @return switches of the best tree in the order of the search from its root; empty if no links
     *         lead from one member switch to another
     */
    std::vector<Step> FindBest();

  private:
    /// What decides between trees, the root's number apart.
    struct Score
    {
        uint32_t height; ///< most edges between a switch and the root
        uint32_t edges;  ///< number of edges
        uint32_t leaves; ///< number of leaves

        /// @return whether this is better @param other another score
        bool operator<(const Score& other) const;
    };

    /**
     * Grows the tree of a root, far enough to hold all member switches.
     * @param root a member switch
     * @param limit height above which the tree is not wanted
     * @return whether all member switches are in a tree that is no higher
     */
    bool Grow(Node root, uint32_t limit);

    /// Marks what is left of the latest tree when it is pruned. @return its score
    Score Prune();

    const SwitchAdjacency& m_adjacency; ///< links between switches
    const std::vector<Node>& m_members; ///< member switches
    std::vector<bool> m_isMember;       ///< whether a switch is one of them
    std::vector<Step> m_found;          ///< switches that the latest search found, in order
    std::vector<uint32_t> m_indices;    ///< index in m_found, by switch, where m_search is latest
    std::vector<uint32_t> m_searches;   ///< number of the latest search that found each switch
    uint32_t m_search{0};               ///< number of the latest search
    std::vector<bool> m_kept;           ///< whether pruning leaves it, by index in m_found
    std::vector<bool> m_inner;          ///< whether one below it is kept, by index in m_found
};

} // namespace ns3

#endif /* BARRIER_TREE_SEARCH_H */
