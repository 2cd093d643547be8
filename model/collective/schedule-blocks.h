/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_BLOCKS_H
#define SCHEDULE_BLOCKS_H

#include "group-schedules.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @return ranks from a root on and round: root, root + 1, ..., root - 1 @param members how many
/// @param root the root
std::vector<uint32_t> MakeRanksFrom(uint32_t members, uint32_t root);

/**
 * @ingroup wormhole
 * @brief Distributes blocks, in order, to as few messages as their length allows. Blocks without
 *        any bytes are left out.
 * @param layout all blocks
 * @param blocks numbers of the blocks
 * @param longest longest message in bytes, unless a block is longer; 0: one message
 * @return the messages' blocks, each in rising order
 */
std::vector<BlockRanges> CutIntoMessages(const BlockLayout& layout,
                                         const std::vector<uint32_t>& blocks,
                                         uint64_t longest);

/// @ingroup wormhole
/// @return numbers of blocks that follow one another @param range the blocks
std::vector<uint32_t> ListBlocks(const BlockRange& range);

/**
 * @ingroup wormhole
 * @brief Adds messages that pass in one step, each cut by the request's SegmentBytes: who sends and
 *        receives in it sends all of its own first. What was received before is taken before.
 * @param schedules the schedules
 * @param request the group and its data
 * @param messages the messages, of one range each
 */
void AddExchange(GroupSchedules& schedules,
                 const ScheduleRequest& request,
                 const std::vector<BlockMessage>& messages);

/**
 * @ingroup wormhole
 * @brief Adds an all-gather round a ring: everybody has one share, and then all.
 *
 * In step k = 1, 2, ..., n - 1 a member passes to the next what it has received in the step before.
 *
 * @param schedules the schedules
 * @param ranks ranks in the order of the ring; the i-th has share i
 * @param firsts number of each share's first block, and in the end of all blocks
 */
void AddRingAllGather(GroupSchedules& schedules,
                      const std::vector<uint32_t>& ranks,
                      const std::vector<uint32_t>& firsts);

/**
 * @ingroup wormhole
 * @brief Members of a butterfly: as many as the greatest power of two. Those that are too many are
 *        folded into their neighbours before, and told the result after; the order of ranks is
 * kept.
 *
 * With n = 2^q + e members, pairs of ranks (0, 1), (2, 3), ..., (2e - 2, 2e - 1) become one, as in
 * MPICH (Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in
 * MPICH, 2005). The odd one stays, unless the even one is the root.
 */
class FoldedRanks
{
  public:
    /// Says that there is no root.
    static constexpr uint32_t NO_ROOT = UINT32_MAX;

    /// @param members number of members @param root who is not to be folded, or NO_ROOT
    FoldedRanks(uint32_t members, uint32_t root);

    /// @return number of those that stay, a power of two
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /// @return binary logarithm of their number
    uint32_t GetLog() const;

    /// @return rank of one that stays @param place its number among them
    uint32_t GetRank(uint32_t place) const
    {
        return m_ranks[place];
    }

    /// @return number among those that stay @param rank the rank of one of them
    uint32_t FindPlace(uint32_t rank) const;

    /// Adds that those folded pass their vectors to their neighbours. @param schedules where
    /// @param request the group and its data
    void AddFolding(GroupSchedules& schedules, const ScheduleRequest& request) const;

    /// Adds that those folded are told the result. @param schedules where
    /// @param request the group and its data
    void AddUnfolding(GroupSchedules& schedules, const ScheduleRequest& request) const;

  private:
    /// Two ranks that become one.
    struct Pair
    {
        uint32_t folded; ///< who passes its vector on
        uint32_t kept;   ///< who stays
    };

    std::vector<uint32_t> m_ranks; ///< of those that stay, rising
    std::vector<Pair> m_pairs;     ///< which ranks become one
};

/**
 * @ingroup wormhole
 * @brief Recursive halving and its opposite, recursive doubling, of a vector in as many shares as
 *        members.
 *
 * In step b = 0, 1, ..., q - 1 of a halving, member i exchanges with i XOR 2^b: each keeps that
 * half of what it still cares for which is its own by bit b of i, and combines it with the other's.
 * As partners' ranks get farther, what has been combined is always an interval of ranks, and order
 * is kept. A doubling goes the same steps backwards.
 */
class RecursiveHalving
{
  public:
    /// @param request the group and its data @param root who is not to be folded, or
    /// FoldedRanks::NO_ROOT
    RecursiveHalving(const ScheduleRequest& request, uint32_t root);

    /// @return schedules that are empty but for the blocks @param request the group and its data
    GroupSchedules MakeSchedules(const ScheduleRequest& request) const;

    /// @return the members
    const FoldedRanks& GetRanks() const
    {
        return m_ranks;
    }

    /// Adds the reduce-scatter. @param schedules where @param request the group and its data
    void AddReduceScatter(GroupSchedules& schedules, const ScheduleRequest& request) const;

    /// Adds the all-gather, by doubling. @param schedules where
    /// @param request the group and its data
    void AddAllGather(GroupSchedules& schedules, const ScheduleRequest& request) const;

    /// Adds a gather to one member, by a binomial tree. @param schedules where
    /// @param request the group and its data @param place number of that member
    void AddGather(GroupSchedules& schedules, const ScheduleRequest& request, uint32_t place) const;

  private:
    /// @return the blocks that a member cares for after some steps of halving
    BlockRange GetKept(uint32_t place, uint32_t steps) const;

    FoldedRanks m_ranks;            ///< the members
    std::vector<uint32_t> m_firsts; ///< number of each share's first block, and of all blocks
    BlockLayout m_layout;           ///< the blocks
};

/**
 * @ingroup wormhole
 * @brief An all-reduction by recursive doubling, which serves others that do not keep order.
 * @param request the group and its data
 * @return the schedules
 */
GroupSchedules MakeRecursiveDoublingAllReduction(const ScheduleRequest& request);

} // namespace ns3

#endif /* SCHEDULE_BLOCKS_H */
