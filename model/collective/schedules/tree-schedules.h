/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_SCHEDULES_H
#define TREE_SCHEDULES_H

#include "ns3/communication-tree.h"
#include "ns3/group-schedules.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Schedules of blocks along a tree of members.
 *
 * Segments are pipelined: a member sends one to all its children, in their order, before it waits
 * for the next. On the way up it waits for the segments of all children before it sends the
 * combined one. In a scatter a child is sent the parts of its subtree, in messages as long as
 * SegmentBytes permits, those of its children's subtrees first; a gather is the reverse.
 */
class TreeSchedules
{
  public:
    /// @param tree the tree @param ranks ranks by process; the first is the root
    TreeSchedules(CommunicationTree tree, std::vector<uint32_t> ranks);

    /// A tree with ranks such that each subtree is an interval of ranks, and each process has a
    /// lower rank than its descendants: contributions can be combined in order.
    /// @param tree the tree @return the tree with these ranks
    static TreeSchedules MakeInOrder(CommunicationTree tree);

    /// Start times of messages to a process's children, by process and child, see SelfCongestion.
    using Waits = std::vector<std::vector<Time>>;

    /// Makes the schedules of a barrier or all-reduction (up, then down), broadcast (down),
    /// reduction (up), gather or scatter. Without KeepsOrder the tree's root must be the group's,
    /// if it has one.
    /// @param request the group and its data
    /// @param waits start times of downward messages that wait; empty: none
    /// @return the schedules
    GroupSchedules Make(const ScheduleRequest& request, const Waits& waits = {}) const;

    /// Adds a scatter by the tree's root. @param schedules the schedules @param shares blocks for
    /// each process, by process @param longest maximum message length, see CutIntoMessages
    void AddScatter(GroupSchedules& schedules,
                    const std::vector<BlockRange>& shares,
                    uint64_t longest) const;

  private:
    void AddBroadcast(GroupSchedules& schedules, const Waits& waits) const;

    /// Adds a reduction. @param keepsOrder whether children are combined one after the other,
    /// lowest rank first @param root rank that gets the result, from the tree's root
    void AddReduction(GroupSchedules& schedules, bool keepsOrder, uint32_t root) const;

    /// @return messages of a scatter, in a possible order of sending
    std::vector<BlockMessage> ListScatter(const BlockLayout& layout,
                                          const std::vector<BlockRange>& shares,
                                          uint64_t longest) const;

    CommunicationTree m_tree;      ///< the tree
    std::vector<uint32_t> m_ranks; ///< by process
};

/**
 * @ingroup wormhole
 * @brief Makes schedules along a tree, whose processes are the ranks in cyclic order from the root.
 *
 * With KeepsOrder, processes are numbered by a traversal from rank 0 that visits children in
 * reverse order of service; rank 0 then sends the result to the root.
 *
 * @param tree the tree
 * @param request the group and its data
 * @return the schedules, see TreeSchedules::Make
 */
GroupSchedules MakeTreeSchedules(const CommunicationTree& tree, const ScheduleRequest& request);

/// @ingroup wormhole
/// @return all ranks, the root's first @param request the group
std::vector<uint32_t> RootFirst(const ScheduleRequest& request);

} // namespace ns3

#endif /* TREE_SCHEDULES_H */
