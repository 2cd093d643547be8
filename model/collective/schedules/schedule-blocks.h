/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_BLOCKS_H
#define SCHEDULE_BLOCKS_H

#include "ns3/group-schedules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @return ranks in cyclic order from a root: root, root + 1, ..., root - 1
/// @param members number of members @param root the root
std::vector<uint32_t> MakeRanksFrom(uint32_t members, uint32_t root);

/// @ingroup wormhole
/// @brief Distributes blocks, in order, over as few messages as a maximum length permits. Empty
///        blocks are omitted.
/// @param layout all blocks
/// @param blocks numbers of the blocks
/// @param longest maximum length of a message in bytes, unless a block is longer; 0: one message
/// @return the messages' blocks, in increasing order
std::vector<BlockRanges> CutIntoMessages(const BlockLayout& layout,
                                         const std::vector<uint32_t>& blocks,
                                         uint64_t longest);

/// @ingroup wormhole
/// @return numbers of consecutive blocks @param range the blocks
std::vector<uint32_t> ListBlocks(const BlockRange& range);

/// @ingroup wormhole
/// @brief Adds the messages of one step, each divided by the request's SegmentBytes: a member that
///        both sends and receives sends first. Earlier receives are completed before.
/// @param schedules the schedules
/// @param request the group and its data
/// @param messages the messages, of one range each
void AddExchange(GroupSchedules& schedules,
                 const ScheduleRequest& request,
                 const std::vector<BlockMessage>& messages);

/// @ingroup wormhole
/// @brief Makes all members of a ring pass on a share, segment by segment.
/// @param ranks ranks in the order of the ring
/// @param firsts number of each share's first block, followed by the total
/// @param offset share that the first member passes on; each next member's is one higher
/// @param kind COMBINE or REPLACE
/// @param add called to add the messages of one segment
void PassOnRing(const std::vector<uint32_t>& ranks,
                const std::vector<uint32_t>& firsts,
                uint32_t offset,
                ScheduleStep::Kind kind,
                const std::function<void(const std::vector<BlockMessage>&)>& add);

/**
 * @ingroup wormhole
 * @brief The members of a butterfly: the greatest power of two. Excess members are folded into
 *        their neighbours before, and receive the result after; the order of ranks is preserved.
 *
 * With n = 2^q + e members, pairs of ranks (0, 1), (2, 3), ..., (2e - 2, 2e - 1) are merged, as in
 * MPICH (Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in
 * MPICH, 2005). The odd one remains, unless the even one is the root.
 */
class FoldedRanks
{
  public:
    /// No root.
    static constexpr uint32_t NO_ROOT = UINT32_MAX;

    /// @param members number of members @param root a member that is not folded, or NO_ROOT
    FoldedRanks(uint32_t members, uint32_t root);

    /// Folds all members beyond the first ones into these, cyclically.
    /// @param size number of members that remain, at least 1
    /// @param ranks all members
    /// @return the members that remain, in order, and those folded
    static FoldedRanks Beyond(uint32_t size, const std::vector<uint32_t>& ranks);

    /// @return number of remaining members
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    uint32_t GetLog() const; ///< @return binary logarithm of their number

    /// @return rank of a remaining member @param place its place among them
    uint32_t GetRank(uint32_t place) const
    {
        return m_ranks[place];
    }

    /// @return place of a remaining member @param rank its rank
    uint32_t FindPlace(uint32_t rank) const;

    /// Adds the messages by which folded members send their vectors. @param schedules the schedules
    /// @param request the group and its data
    void AddFolding(GroupSchedules& schedules, const ScheduleRequest& request) const;

    /// Adds the messages by which folded members receive the result. @param schedules the schedules
    /// @param request the group and its data
    void AddUnfolding(GroupSchedules& schedules, const ScheduleRequest& request) const;

  private:
    FoldedRanks() = default; ///< Empty.

    /// Two ranks that are merged.
    struct Pair
    {
        uint32_t folded; ///< rank that sends its vector
        uint32_t kept;   ///< rank that remains
    };

    std::vector<uint32_t> m_ranks; ///< of remaining members
    std::vector<Pair> m_pairs;
};

/// @ingroup wormhole
/// @param first number of the first block
/// @param count number of blocks, at most n
/// @param n number of all blocks, in a ring
/// @return the blocks in cyclic order from the first
BlockRanges FindRingRanges(uint32_t first, uint32_t count, uint32_t n);

/**
 * @ingroup wormhole
 * @brief Adds messages whose receivers combine them, like GroupSchedules::Step; but each is
 *        combined before the next one is received, whatever the order of arrival.
 *
 * Consecutive receives are processed in order of arrival, so that contributions could be combined
 * in any order; combining is a step of its own here.
 * @param schedules the schedules, whose blocks are followed by a work buffer for each
 * @param messages the messages; no member receives a block twice
 */
void StepInOrder(GroupSchedules& schedules, const std::vector<BlockMessage>& messages);

} // namespace ns3

#endif /* SCHEDULE_BLOCKS_H */
