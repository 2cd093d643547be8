/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fibo-tree.h"

#include "fibo-sequence.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Divides processes among subtrees.
class FiboDivision
{
  public:
    FiboDivision(uint32_t processes, uint64_t s, uint64_t r)
        : m_s(static_cast<int64_t>(s)),
          m_r(static_cast<int64_t>(r)),
          m_sequence(s, r),
          m_children(processes)
    {
        if (processes > 0)
        {
            Divide(0, processes, m_sequence.GetSteps(processes));
        }
    }

    CommunicationTree TakeTree()
    {
        return CommunicationTree(std::move(m_children));
    }

  private:
    /// Divides a subtree. Its depth is about log f, so that recursion does no harm.
    void Divide(uint32_t root, uint32_t processes, int64_t time)
    {
        auto surplus = m_sequence.GetPopulation(time) - processes;
        auto child = root + 1;
        for (auto left = time - m_s - m_r; left >= 0 && child < root + processes; left -= m_s)
        {
            const auto fewer = std::min(surplus, m_sequence.GetGrowth(left));
            surplus -= fewer;
            const auto size = static_cast<uint32_t>(m_sequence.GetPopulation(left) - fewer);
            if (size > 0)
            {
                m_children[root].push_back(child);
                Divide(child, size, left);
                child += size;
            }
        }
    }

    int64_t m_s;                                   ///< steps that a sender is busy
    int64_t m_r;                                   ///< steps from then to the receiver's activity
    FiboSequence m_sequence;                       ///< sizes of full subtrees
    std::vector<std::vector<uint32_t>> m_children; ///< by process
};

} // namespace

CommunicationTree
MakeFiboTree(uint32_t processes, uint64_t s, uint64_t r)
{
    return FiboDivision(processes, s, r).TakeTree();
}

} // namespace ns3
