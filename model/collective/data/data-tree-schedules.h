/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_TREE_SCHEDULES_H
#define DATA_TREE_SCHEDULES_H

#include "data-schedules.h"

#include "ns3/communication-tree.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Schedules of blocks along a tree of members.
 *
 * Segments follow one another: a member passes one on to all its children, in the order in which
 * they are listed, before it waits for the next. On the way up it waits for all children's before
 * it passes on what is combined. In a scatter a child is sent the parts of its subtree, in messages
 * as long as SegmentBytes allows, those of its children's subtrees first; a gather goes the same
 * way backwards.
 */
class DataTreeSchedules
{
  public:
    /// @param tree the tree @param ranks ranks by process; the first is the root
    DataTreeSchedules(CommunicationTree tree, std::vector<uint32_t> ranks);

    /**
     * A tree with ranks such that each subtree is an interval of ranks, and each process has a rank
     * lower than those of its subtree: contributions can be combined in order.
     * @param tree the tree
     * @return the tree with these ranks
     */
    static DataTreeSchedules MakeInOrder(CommunicationTree tree);

    /// Adds a broadcast by the tree's root. @param schedules where
    /// @param segments the segments
    void AddBroadcast(DataSchedules& schedules, const BlockRange& segments) const;

    /**
     * Adds a reduction.
     * @param schedules where
     * @param segments the segments
     * @param keepsOrder whether children are combined one after the other, lowest rank first
     * @param root who has the result, which the tree's root sends on
     */
    void AddReduction(DataSchedules& schedules,
                      const BlockRange& segments,
                      bool keepsOrder,
                      uint32_t root) const;

    /**
     * Adds a scatter by the tree's root.
     * @param schedules where
     * @param shares blocks that a process is to have, by process
     * @param longest longest message, see CutIntoMessages
     */
    void AddScatter(DataSchedules& schedules,
                    const std::vector<BlockRange>& shares,
                    uint64_t longest) const;

    /// Adds a gather to the tree's root. @param schedules where @param shares blocks that a process
    /// has, by process @param longest as above
    void AddGather(DataSchedules& schedules,
                   const std::vector<BlockRange>& shares,
                   uint64_t longest) const;

    /// @return the root's rank
    uint32_t GetRoot() const;

  private:
    /// @return messages of a scatter, in an order in which they can be sent @param layout the
    /// blocks
    /// @param shares,longest as above
    std::vector<DataMessage> ListScatter(const BlockLayout& layout,
                                         const std::vector<BlockRange>& shares,
                                         uint64_t longest) const;

    CommunicationTree m_tree;      ///< the tree
    std::vector<uint32_t> m_ranks; ///< by process
};

/**
 * @ingroup wormhole
 * @brief Makes schedules of a broadcast, reduction, all-reduction (up, then down), gather or
 * scatter along a tree, whose processes are the ranks from the root on and round.
 *
 * With KeepsOrder, processes are numbered in the order in which a walk from rank 0 meets them that
 * visits those served last first; rank 0 then sends the result to the root.
 *
 * @param tree the tree
 * @param request the group and its data
 * @return the schedules
 */
DataSchedules MakeTreeDataSchedules(const CommunicationTree& tree, const DataRequest& request);

} // namespace ns3

#endif /* DATA_TREE_SCHEDULES_H */
