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
/// @return ranks from a root on and round: root, root + 1, ..., root - 1 @param members how many
/// @param root the root
std::vector<uint32_t> MakeRanksFrom(uint32_t members, uint32_t root);

/// @ingroup wormhole
/// @brief Distributes blocks, in order, to as few messages as their length allows. Blocks without
///        any bytes are left out.
/// @param layout all blocks
/// @param blocks numbers of the blocks
/// @param longest longest message in bytes, unless a block is longer; 0: one message
/// @return the messages' blocks, each in rising order
std::vector<BlockRanges> CutIntoMessages(const BlockLayout& layout,
                                         const std::vector<uint32_t>& blocks,
                                         uint64_t longest);

/// @ingroup wormhole
/// @return numbers of blocks that follow one another @param range the blocks
std::vector<uint32_t> ListBlocks(const BlockRange& range);

/// @ingroup wormhole
/// @brief Adds messages that pass in one step, each cut by the request's SegmentBytes: who sends
/// and receives in it sends all of its own first. What was received before is taken before.
/// @param schedules the schedules
/// @param request the group and its data
/// @param messages the messages, of one range each
void AddExchange(GroupSchedules& schedules,
                 const ScheduleRequest& request,
                 const std::vector<BlockMessage>& messages);

/// @ingroup wormhole
/// @brief Has all members of a ring pass a share on to the next, one segment after the other.
/// @param ranks ranks in the order of the ring
/// @param firsts number of each share's first block, and in the end of all blocks
/// @param offset number of the share that the first member passes on; the next one's is one more
/// @param kind what receivers do with it
/// @param add adds the messages of one segment
void PassOnRing(const std::vector<uint32_t>& ranks,
                const std::vector<uint32_t>& firsts,
                uint32_t offset,
                ScheduleStep::Kind kind,
                const std::function<void(const std::vector<BlockMessage>&)>& add);

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

    /// Folds all behind the first ones, by turns into these.
    /// @param size how many stay, at least 1
    /// @param ranks all members
    /// @return who stays, in their order, and who is folded
    static FoldedRanks Beyond(uint32_t size, const std::vector<uint32_t>& ranks);

    /// @return number of those that stay
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    uint32_t GetLog() const; ///< @return binary logarithm of their number

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
    FoldedRanks() = default; ///< Nobody.

    /// Two ranks that become one.
    struct Pair
    {
        uint32_t folded; ///< who passes its vector on
        uint32_t kept;   ///< who stays
    };

    std::vector<uint32_t> m_ranks; ///< of those that stay
    std::vector<Pair> m_pairs;     ///< which ranks become one
};

/// @ingroup wormhole
/// @param first number of the first block
/// @param count how many, at most n
/// @param n number of all blocks, which follow one another in a ring
/// @return the blocks from the first on, in order
BlockRanges FindRingRanges(uint32_t first, uint32_t count, uint32_t n);

/**
 * @ingroup wormhole
 * @brief Adds messages whose receivers combine them, as GroupSchedules::Step does; but they combine
 *        each before they take the next, whatever comes first.
 *
 * Receives that follow one another are taken in the order in which they come, so that
 * contributions could be combined in any order; combining is a step of its own here.
 * @param schedules the schedules, whose blocks are followed by a place for work for each of them
 * @param messages the messages; no member receives a block twice
 */
void StepInOrder(GroupSchedules& schedules, const std::vector<BlockMessage>& messages);

} // namespace ns3

#endif /* SCHEDULE_BLOCKS_H */
