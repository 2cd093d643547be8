// SPDX-License-Identifier: GPL-2.0-only

#ifndef COMMUNICATION_TREE_H
#define COMMUNICATION_TREE_H

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <algorithm>
#include <memory>
#include <utility>

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
    explicit CommunicationTree(std::vector<std::vector<uint32_t>> children)
        : m_children(std::move(children)),
          m_parents(m_children.size(), NO_PARENT)
    {
        const auto size = m_children.size();
        WormholeError::ThrowIf(size == 0 || size >= NO_PARENT,
                               "communication tree of " + std::to_string(size) +
                                   " processes: expected 1 to " + std::to_string(NO_PARENT - 1));
        m_order.reserve(size);
        m_order.push_back(0);
        for (std::size_t i = 0; i < m_order.size(); ++i)
        {
            const auto parent = m_order[i];
            for (auto child : m_children[parent])
            {
                const auto place = "communication tree: child " + std::to_string(child) +
                                   " of process " + std::to_string(parent);
                if (child >= size)
                {
                    throw WormholeError(place + ": expected 1 to " + std::to_string(size - 1));
                }
                if (child == 0 || m_parents[child] != NO_PARENT)
                {
                    throw WormholeError(place +
                                        (child == 0 ? " is the root"
                                                    : " is a child of process " +
                                                          std::to_string(m_parents[child])) +
                                        " already: expected each process but 0 once");
                }
                m_parents[child] = parent;
                m_order.push_back(child);
            }
        }
        if (m_order.size() < size)
        {
            const auto lost = std::find(m_parents.begin() + 1, m_parents.end(), NO_PARENT);
            throw WormholeError("communication tree: process " +
                                std::to_string(lost - m_parents.begin()) +
                                " is not below process 0: expected each process but 0 once");
        }
    }

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
    uint32_t GetHeight() const
    {
        uint32_t height = 0; // the last process in breadth-first order is as far as any
        for (auto process = m_order.back(); process != 0; process = m_parents[process])
        {
            ++height;
        }
        return height;
    }

    /// @return number of processes in each process's subtree, including itself
    std::vector<uint32_t> GetSubtreeSizes() const
    {
        std::vector<uint32_t> sizes(GetSize(), 1);
        for (auto process = m_order.rbegin(); *process != 0; ++process)
        {
            sizes[m_parents[*process]] += sizes[*process];
        }
        return sizes;
    }

    /// @return the same tree, each parent serving its largest subtree first; ties keep order
    CommunicationTree LargestFirst() const
    {
        const auto sizes = GetSubtreeSizes();
        auto sorted = m_children;
        for (auto& children : sorted)
        {
            std::stable_sort(children.begin(), children.end(), [&sizes](uint32_t a, uint32_t b) {
                return sizes[a] > sizes[b];
            });
        }
        return CommunicationTree(std::move(sorted));
    }

  private:
    std::vector<std::vector<uint32_t>> m_children; ///< by process, in the order served
    std::vector<uint32_t> m_parents;               ///< by process
    std::vector<uint32_t> m_order;                 ///< all processes, each after its parent
};

/// The time of a communication tree, by the cost model of Cordsen et al. (1997), section 2.2.1.
///
/// A sender is busy for s + c with each message, in the order of its children; a receiver is active
/// r after its message is sent, and sends from then on. With several ports a sender sends that many
/// messages at once: to the first children, then to the next, and so on. In a hierarchy, a message
/// has the cost of its level.
class TreeCost
{
  public:
    /// @param s time for which a message keeps only its sender busy
    /// @param r time from the end of the sender's work, at s + c, until the receiver is active
    /// @param ports number of messages that a sender sends at once
    /// @param c time in between, for which a message keeps sender and receiver busy
    /// @throws WormholeError if a time is negative, or there is no port
    TreeCost(Time s, Time r, uint32_t ports = 1, Time c = Time(0))
        : m_cost{s, r, c},
          m_ports(ports)
    {
        if (std::min({s, r, c}).IsStrictlyNegative() || ports == 0)
        {
            throw WormholeError("costs of a tree: " + m_cost.Print() + ", " +
                                std::to_string(ports) +
                                " ports: expected times of 0 and above, and 1 port at least");
        }
    }

    explicit TreeCost(const ProcessHierarchy& hierarchy)
        : m_cost(hierarchy.GetCost(hierarchy.GetNLevels())),
          m_ports(1),
          m_levels(std::make_shared<ProcessHierarchy>(hierarchy))
    {
    }

    /// @return when each process is active, the root at 0
    std::vector<Time> GetArrivals(const CommunicationTree& tree) const
    {
        if (m_levels && m_levels->GetSize() != tree.GetSize())
        {
            throw WormholeError("costs of a tree of " + std::to_string(tree.GetSize()) +
                                " processes in a hierarchy of " +
                                std::to_string(m_levels->GetSize()) + ": expected as many");
        }
        std::vector<Time> arrivals(tree.GetSize(), Time(0));
        for (auto process : tree.GetOrder())
        {
            uint32_t nServed = 0;
            auto sent = arrivals[process];
            for (auto child : tree.GetChildren(process))
            {
                const auto& cost = m_levels ? m_levels->GetCost(process, child) : m_cost;
                if (nServed++ % m_ports == 0)
                {
                    sent = TimeLimit::Add(sent, cost.Busy());
                }
                arrivals[child] = TimeLimit::Add(sent, cost.r);
            }
        }
        return arrivals;
    }

    /// @return when the last process is active
    Time GetFinish(const CommunicationTree& tree) const
    {
        const auto arrivals = GetArrivals(tree);
        return *std::max_element(arrivals.begin(), arrivals.end());
    }

  private:
    MessageCost m_cost; ///< cost of any message, without a hierarchy
    uint32_t m_ports;   ///< number of messages that a sender sends at once
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< the hierarchy; may be null
};

} // namespace ns3

#endif /* COMMUNICATION_TREE_H */
