/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMUNICATION_TREE_H
#define COMMUNICATION_TREE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Who sends to whom in a collective operation by software: a tree of processes.
 *
 * Processes are numbered from 0, which is the root. A parent serves its children in the order in
 * which they are listed. Shapes are made by MakeCommunicationTree and its likes; what a tree costs
 * is told by TreeCost. Nothing here knows of a simulator or a fabric.
 */
class CommunicationTree
{
  public:
    /// What the root has instead of a parent.
    static constexpr uint32_t NO_PARENT = UINT32_MAX;

    /// @param children each process's children, in the order in which they are served
    /// @throws WormholeError if there is no process, or the lists are no tree with the root 0: a
    /// child that is no process, or not below the root, or listed twice
    explicit CommunicationTree(std::vector<std::vector<uint32_t>> children);

    /// @return number of processes
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_children.size());
    }

    /// @return a process's parent, NO_PARENT for process 0 @param process the process
    uint32_t GetParent(uint32_t process) const
    {
        return m_parents.at(process);
    }

    /// @return all parents, by process; the root's is NO_PARENT
    const std::vector<uint32_t>& GetParents() const
    {
        return m_parents;
    }

    /// @return a process's children in the order served @param process the process
    const std::vector<uint32_t>& GetChildren(uint32_t process) const
    {
        return m_children.at(process);
    }

    /// @return all processes, each after its parent
    const std::vector<uint32_t>& GetOrder() const
    {
        return m_order;
    }

    /// @return number of edges from the root to the process farthest away
    uint32_t GetHeight() const;

    /// @return number of processes in each process's subtree, itself included
    std::vector<uint32_t> GetSubtreeSizes() const;

    /// The same tree with every parent serving its largest subtree first, and of equal ones the one
    /// that came first. @return that tree
    CommunicationTree LargestFirst() const;

  private:
    std::vector<std::vector<uint32_t>> m_children; ///< by process, in the order served
    std::vector<uint32_t> m_parents;               ///< by process
    std::vector<uint32_t> m_order;                 ///< all processes, each after its parent
};

} // namespace ns3

#endif /* COMMUNICATION_TREE_H */
