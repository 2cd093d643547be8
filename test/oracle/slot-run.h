/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_RUN_H
#define SLOT_RUN_H

#include "../test-tools.h"

#include "ns3/data-collective.h"

namespace ns3
{

/// Enters members of a group again and again, and writes down when they leave.
class SlotRun
{
  public:
    /// @param gaps by rank, then round: before a member enters, ps
    SlotRun(Ptr<DataCollective> group, std::vector<std::vector<int64_t>> gaps)
        : leaves(gaps.size()),
          m_group(group),
          m_gaps(std::move(gaps))
    {
        Listen(m_group, "Ready", [this](Time) { Ready(); });
        Listen(m_group, "Leave", [this](uint32_t rank, uint64_t) { Left(rank); });
    }

    int64_t start{-1}; ///< when members begin to wait for their first gap, ps
    std::vector<std::vector<int64_t>> leaves; ///< by rank, then round, ps

  private:
    void Ready()
    {
        // By then the credits of what made the group are back, too.
        constexpr int64_t LATER = 1'000'000'000;
        start = Simulator::Now().GetTimeStep() + LATER;
        for (uint32_t rank = 0; rank < m_gaps.size(); ++rank)
        {
            Schedule(rank, 0, LATER);
        }
    }

    /// Has a member enter. @param later how much later than after the gap, ps
    void Schedule(uint32_t rank, std::size_t round, int64_t later = 0)
    {
        Simulator::Schedule(TimeStep(m_gaps[rank][round] + later),
                            [this, rank] { m_group->Enter(rank); });
    }

    void Left(uint32_t rank)
    {
        leaves[rank].push_back(Simulator::Now().GetTimeStep());
        if (leaves[rank].size() < m_gaps[rank].size())
        {
            Schedule(rank, leaves[rank].size());
        }
    }

    Ptr<DataCollective> m_group;              ///< the group
    std::vector<std::vector<int64_t>> m_gaps; ///< before members enter
};

} // namespace ns3

#endif /* SLOT_RUN_H */
