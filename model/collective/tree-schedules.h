/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_SCHEDULES_H
#define TREE_SCHEDULES_H

#include "communication-schedule.h"
#include "communication-tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Schedules that go up and down a communication tree. Pure.
 *
 * The root is process 0 of the tree; the other members are the others in the order of their ranks,
 * unless ranks are given.
 */
class TreeSchedules
{
  public:
    /**
     * @param tree name of the tree, see MakeCommunicationTree
     * @param request the group
     * @throws WormholeError if there is no such tree
     */
    TreeSchedules(const std::string& tree, const ScheduleRequest& request);

    /**
     * @param tree the tree
     * @param ranks ranks by process of the tree
     */
    TreeSchedules(CommunicationTree tree, std::vector<uint32_t> ranks);

    std::vector<CommunicationSchedule> MakeBarrier() const; ///< @return up, then down
    /// @return down @param waits when messages start that wait, see SelfCongestion; empty: none do
    std::vector<CommunicationSchedule> MakeBroadcast(
        const std::vector<std::vector<Time>>& waits = {}) const;
    std::vector<CommunicationSchedule> MakeReduction() const; ///< @return up

  private:
    /// @return schedules @param up whether they go up @param down whether they go down
    /// @param waits when messages down start that wait; empty: none do
    std::vector<CommunicationSchedule> Make(bool up,
                                            bool down,
                                            const std::vector<std::vector<Time>>& waits = {}) const;

    CommunicationTree m_tree;      ///< the tree
    std::vector<uint32_t> m_ranks; ///< ranks by process of the tree
};

} // namespace ns3

#endif /* TREE_SCHEDULES_H */
