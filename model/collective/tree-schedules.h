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

    std::vector<CommunicationSchedule> MakeBarrier() const;   ///< @return up, then down
    std::vector<CommunicationSchedule> MakeBroadcast() const; ///< @return down
    std::vector<CommunicationSchedule> MakeReduction() const; ///< @return up

  private:
    /// @return schedules @param up whether they go up @param down whether they go down
    std::vector<CommunicationSchedule> Make(bool up, bool down) const;

    CommunicationTree m_tree;      ///< the tree
    std::vector<uint32_t> m_ranks; ///< ranks by process of the tree
};

} // namespace ns3

#endif /* TREE_SCHEDULES_H */
