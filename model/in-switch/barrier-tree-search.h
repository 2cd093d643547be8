/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_TREE_SEARCH_H
#define BARRIER_TREE_SEARCH_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-adjacency.h"
#include "ns3/switch-search.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Finds the best barrier tree over a set of member switches; see BarrierTree.
 *
 * The height of a member switch's tree is its distance to the farthest one, so CenterSearch tells
 * which trees need be grown: few on irregular fabrics of medium connectivity, whatever their size.
 * Trees of equal height are grown one and all, as nothing cheaper tells their edges exactly. On a
 * torus, or where there are so many cables that most switches are as near to all others, that is
 * a tree for almost every member switch.
 */
class BarrierTreeSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// A switch of the tree.
    struct Step
    {
        Node node;      ///< the switch
        uint32_t above; ///< index of the step to the switch above it; NONE at the root
        Port port;      ///< port of the switch above that leads here
        uint32_t depth; ///< number of links from the root
    };

    /// Which leaves the third rule between trees counts; Moh et al. (2001), section 3.1, have it
    /// either way: the text speaks of leaves, and Figure 3 has two in a tree of five.
    enum class Leaves : uint8_t
    {
        ALL,    ///< all switches with none below
        DEEPEST ///< those among them that are as deep as the tree is high
    };

    /// No step: what is above the root.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// @param adjacency the links between switches, which must outlive this object @param members
    /// member switches by number, one at least @param leaves which leaves count
    BarrierTreeSearch(const SwitchAdjacency& adjacency,
                      const std::vector<Node>& members,
                      Leaves leaves = Leaves::ALL);

    /// @return switches of the best tree in the order of the search from its root; empty if no
    /// links         lead from one member switch to another
    std::vector<Step> FindBest();

    /// @return number of breadth-first searches that FindBest made to find the root
    uint32_t GetNSearches() const
    {
        return m_nSearches;
    }

  private:
    /// What decides between trees.
    struct Score
    {
        uint32_t height; ///< most edges between a switch and the root
        uint32_t edges;  ///< number of edges
        uint32_t leaves; ///< number of leaves that count
        Node root;       ///< root of the tree
        bool operator<(const Score& other) const;
    };

    /// Cuts leaves that are no member switches off the tree of a search until none is left, and
    /// notes which switches have others below them then. @return the score of what is left
    Score Prune(const SwitchSearch& search);

    /// @return what is left of the tree of a search @param search the search, pruned last
    std::vector<Step> ListSteps(const SwitchSearch& search) const;

    const SwitchAdjacency& m_adjacency; ///< links between switches
    const std::vector<Node>& m_members; ///< member switches
    const Leaves m_leaves;              ///< which leaves count
    std::vector<uint8_t> m_inner; ///< whether one is below, by index in the search pruned last
    uint32_t m_nSearches{0};      ///< number of searches made to find the root
};

} // namespace ns3

#endif /* BARRIER_TREE_SEARCH_H */
