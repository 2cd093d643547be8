/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_ROOTS_H
#define PLAIN_ROOTS_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace ns3
{

/// Barrier trees' roots and centers found the long way: a tree from every switch that may be one.
class PlainRoots
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// What decides between roots: height, edges, leaves that count, number.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, Node>;

    /// @param isDeepest whether only leaves at the greatest depth count
    explicit PlainRoots(const FabricGraph& graph, bool isDeepest = false);

    /// @return the key of a root's tree when it is pruned
    Key PrunedTree(Node root, const std::set<Node>& members) const;

    /// @return the key of the best barrier tree
    Key BestTree(const std::set<Node>& members) const;

    /// @return the switch of least eccentricity
    Node Center() const;

  private:
    /// What a search from a switch finds.
    struct Search
    {
        std::vector<Node> order;     ///< switches in the order of finding
        std::vector<Node> parents;   ///< switch above, by switch
        std::vector<uint32_t> depth; ///< links to the root, by switch
    };

    /// @return what a search over all links finds
    Search SearchFrom(Node root) const;

    std::vector<std::set<Node>> m_neighbours; ///< by switch
    bool m_isDeepest;                         ///< whether only the deepest leaves count
};

} // namespace ns3

#endif /* PLAIN_ROOTS_H */
