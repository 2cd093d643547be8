/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMUNICATION_TREE_H
#define COMMUNICATION_TREE_H

#include "ns3/nstime.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// The tree of a software collective: which process sends to which.
///
/// Processes are numbered from 0, the root. A parent serves its children in the order listed.
/// MakeCommunicationTree and related functions create trees; TreeCost evaluates them. Pure: no
/// simulator or fabric is involved.
class CommunicationTree
{
  public:
    static constexpr uint32_t NO_PARENT = UINT32_MAX;

    /// @param children each process's children, in the order served
    /// @throws WormholeError if there is no process, or the lists are not a tree with root 0: a
    ///         child does not exist, is not reachable from the root, or is listed twice
    explicit CommunicationTree(std::vector<std::vector<uint32_t>> children);

    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_children.size());
    }

    /// @return a process's parent, NO_PARENT for process 0
    uint32_t GetParent(uint32_t process) const
    {
        return m_parents.at(process);
    }

    /// @return a process's children in the order served
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

/// The time of a communication tree, by the cost model of Cordsen et al. (1997), section 2.2.1.
///
/// A sender is busy for s + c with each message, in the order of its children; the receiver is
/// active r after its message is sent, and sends from then on. With several ports a sender sends
/// that many messages at once: to the first children, then to the next ones, and so on. In a
/// hierarchy, a message costs what its level does.
class TreeCost
{
  public:
    /// @param s time for which a message keeps its sender busy
    /// @param r time from then until the receiver is active
    /// @param ports number of messages that a sender sends at once
    /// @param c time for which a message keeps both busy, after s and before r
    /// @throws WormholeError if a time is negative, or there is no port
    TreeCost(Time s, Time r, uint32_t ports = 1, Time c = Time(0));

    explicit TreeCost(const ProcessHierarchy& hierarchy);

    /// @return when each process is active, the root at 0
    std::vector<Time> GetArrivals(const CommunicationTree& tree) const;

    /// @return when the last process is active
    Time GetFinish(const CommunicationTree& tree) const;

  private:
    MessageCost m_cost; ///< of any message, without a hierarchy
    uint32_t m_ports;   ///< number of messages that a sender sends at once
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< the hierarchy; may be null
};

} // namespace ns3

#endif /* COMMUNICATION_TREE_H */
