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
 * @brief The tree of a software collective: which process sends to which.
 *
 * Processes are numbered from 0, the root. A parent serves its children in the order listed.
 * MakeCommunicationTree and related functions create trees; TreeCost evaluates them. Pure: no
 * simulator or fabric is involved.
 */
class CommunicationTree
{
  public:
    /// The root's parent.
    static constexpr uint32_t NO_PARENT = UINT32_MAX;

    /// @param children each process's children, in the order served
    /// @throws WormholeError if there is no process, or the lists are not a tree with root 0: a
    ///         child does not exist, is not reachable from the root, or is listed twice
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

    /// @return number of edges from the root to the farthest process
    uint32_t GetHeight() const;

    /// @return number of processes in each process's subtree, including itself
    std::vector<uint32_t> GetSubtreeSizes() const;

    /// @return the same tree with every parent serving its largest subtree first; ties keep their
    ///         order
    CommunicationTree LargestFirst() const;

  private:
    std::vector<std::vector<uint32_t>> m_children; ///< by process, in the order served
    std::vector<uint32_t> m_parents;               ///< by process
    std::vector<uint32_t> m_order;                 ///< all processes, each after its parent
};

} // namespace ns3

#endif /* COMMUNICATION_TREE_H */
