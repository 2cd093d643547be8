/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DOUBLE_TREE_H
#define DOUBLE_TREE_H

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Two binary trees of the same processes, in which a process that has children in one has
 *        none in the other; process 0 is above both (Sanders, Speck and Träff, Two-tree algorithms
 *        for full bandwidth broadcast, reduction and scan, 2009).
 *
 * Processes 1 to n form a binary tree in symmetric order, whose leaves are the odd ones. With an
 * even n the second tree is its mirror image; with an odd one it is shifted by one, or, so that
 * subtrees stay intervals, process 1 is above such a tree of processes 2 to n.
 *
 * Edges have two colours such that a process sends by one edge of each colour at most, and receives
 * by one of each: in steps by turns of either colour it sends one message and receives one.
 */
class DoubleTree
{
  public:
    /// An edge, down which a broadcast goes.
    struct Edge
    {
        uint32_t parent; ///< the process above
        uint32_t child;  ///< the process below
        uint32_t tree;   ///< 0 or 1
        uint32_t colour; ///< 0 or 1
        uint32_t start;  ///< first step of a broadcast in which it has a message; then every second
    };

    /// @param processes number of processes, at least 1 @param isInOrder whether all subtrees are
    /// to be intervals
    DoubleTree(uint32_t processes, bool isInOrder);

    /// @return the edges, those of parents first
    const std::vector<Edge>& GetEdges() const
    {
        return m_edges;
    }

    /// @return the last edge's first step
    uint32_t GetLastStart() const;

  private:
    using Parents = std::array<std::vector<uint32_t>, 2>;
    static Parents MakeParents(uint32_t processes, bool isInOrder);
    void Colour(uint32_t processes);

    /// Finds edges' first steps.
    void Start(uint32_t processes);

    std::vector<Edge> m_edges; ///< those of parents first
};

} // namespace ns3

#endif /* DOUBLE_TREE_H */
