// SPDX-License-Identifier: GPL-2.0-only

#ifndef SCHEDULE_BLOCKS_H
#define SCHEDULE_BLOCKS_H

#include "ns3/group-schedules.h"

#include <algorithm>
#include <functional>

namespace ns3
{

/// @return ranks in cyclic order from a root: root, root + 1, ..., root - 1
std::vector<uint32_t> MakeRanksFrom(uint32_t members, uint32_t root);

/// Distributes blocks, in order, over the fewest messages of a maximum length. Empty blocks are
/// omitted.
/// @param longest maximum length of a message in bytes, unless a block is longer; 0: one message
/// @return the messages' blocks, in increasing order
std::vector<BlockRanges> CutIntoMessages(const BlockLayout& layout,
                                         const std::vector<uint32_t>& blocks,
                                         uint64_t longest);

std::vector<uint32_t> ListBlocks(const BlockRange& range);

/// Appends blocks to others; blocks that continue the last range extend it.
inline void
AppendRange(BlockRanges& ranges, const BlockRange& range)
{
    if (!ranges.empty() && ranges.back().first + ranges.back().count == range.first)
    {
        ranges.back().count += range.count;
    }
    else if (range.count > 0)
    {
        ranges.push_back(range);
    }
}

/// Adds the messages of one step, each divided by the request's SegmentBytes: a member that both
/// sends and receives sends first. Earlier receives are completed before the step.
void AddExchange(GroupSchedules& schedules,
                 const ScheduleRequest& request,
                 const std::vector<BlockMessage>& messages);

/// Makes all members of a ring pass on a share, segment by segment.
/// @param ranks ranks in the order of the ring
/// @param firsts number of each share's first block, followed by the total
/// @param offset share that the first member passes on; each next member's is one higher
/// @param kind COMBINE or REPLACE
void PassOnRing(const std::vector<uint32_t>& ranks,
                const std::vector<uint32_t>& firsts,
                uint32_t offset,
                ScheduleStep::Kind kind,
                const std::function<void(const std::vector<BlockMessage>&)>& add);

/// @return schedules of steps, in each of which every member sends one message
/// @param doubles true: steps 1, 2, 4, ... below the number of members; false: 1, 2, 3, ...
/// @param make returns a member's message, by its rank and the step's number
template <typename MAKE>
GroupSchedules
MakeSteps(const ScheduleRequest& request, bool doubles, MAKE make)
{
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t step = 1; step < request.members; step += doubles ? step : 1)
    {
        schedules.Step(
            ListMessages(request.members, [&](uint32_t rank) { return make(rank, step); }));
    }
    return schedules;
}

/// The members of a butterfly: the greatest power of two. Excess members are folded into neighbours
/// beforehand, and receive the result afterwards; the order of ranks is preserved.
///
/// With n = 2^q + e members, pairs of ranks (0, 1), (2, 3), ..., (2e - 2, 2e - 1) are merged, as in
/// MPICH (Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in
/// MPICH, 2005). The odd rank remains, unless the even rank is the root.
class FoldedRanks
{
  public:
    static constexpr uint32_t NO_ROOT = UINT32_MAX;

    /// @param root a member that is not folded, or NO_ROOT
    FoldedRanks(uint32_t members, uint32_t root);

    /// Folds all members beyond the first ones into these, cyclically.
    /// @param size number of members that remain, at least 1
    /// @return the members that remain, in order, and the folded members
    static FoldedRanks Beyond(uint32_t size, const std::vector<uint32_t>& ranks)
    {
        FoldedRanks folded;
        folded.m_ranks.assign(ranks.begin(), ranks.begin() + size);
        for (auto place = size; place < ranks.size(); ++place)
        {
            folded.m_pairs.push_back({ranks[place], ranks[place % size]});
        }
        return folded;
    }

    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    uint32_t GetLog() const
    {
        uint32_t log = 0;
        while ((GetSize() >> log) > 1)
        {
            ++log;
        }
        return log;
    }

    uint32_t GetRank(uint32_t place) const
    {
        return m_ranks[place];
    }

    /// @return the first of the ranks that the member at a place represents; after the last place,
    ///         the number of all ranks. Not after Beyond
    uint32_t GetFirst(uint32_t place) const
    {
        return place + std::min(place, static_cast<uint32_t>(m_pairs.size()));
    }

    uint32_t FindPlace(uint32_t rank) const
    {
        return static_cast<uint32_t>(std::lower_bound(m_ranks.begin(), m_ranks.end(), rank) -
                                     m_ranks.begin());
    }

    /// Adds the messages by which folded members send their vectors.
    void AddFolding(GroupSchedules& schedules, const ScheduleRequest& request) const;

    /// Adds the messages by which folded members receive the result.
    void AddUnfolding(GroupSchedules& schedules, const ScheduleRequest& request) const
    {
        AddExchange(schedules,
                    request,
                    ListMessages(m_pairs.size(), [&](uint32_t i) -> BlockMessage {
                        const auto& pair = m_pairs[i];
                        return {pair.kept, pair.folded, {schedules.layout.GetAll()}};
                    }));
    }

  private:
    FoldedRanks() = default;

    /// Two ranks that are merged.
    struct Pair
    {
        uint32_t folded; ///< rank that sends its vector
        uint32_t kept;   ///< rank that remains
    };

    std::vector<uint32_t> m_ranks; ///< ranks of remaining members
    std::vector<Pair> m_pairs;
};

/// @return the blocks in cyclic order from the first
BlockRanges FindRingRanges(uint32_t first, uint32_t count, uint32_t n);

/// Adds messages whose receivers combine them, like GroupSchedules::Step; but combining is a step
/// of its own, so that messages are combined one by one, whatever their order of arrival.
/// @param schedules the schedules, whose blocks are followed by one work buffer per block
/// @param messages the messages; no member receives a block twice
void StepInOrder(GroupSchedules& schedules, const std::vector<BlockMessage>& messages);

/// How members exchange the addresses of buffers (Gupta et al., 2002, sections 4.1 and 6.2).
///
/// Each member registers one buffer with its interface and sends its start address to all others.
/// The paper does not specify the pattern. It can be direct: to all others from the next rank on,
/// in n - 1 messages; or dissemination, where step k sends all known addresses to the member 2^k
/// ranks further on, in ceil(log2 n) messages of growing length.
class AddressExchange
{
  public:
    static constexpr uint32_t ADDRESS_BYTES = 8; ///< an address and its handle, 32 bits each
    static constexpr const char* NONE = "none";  ///< addresses are known in advance

    /// @return the exchange methods: none, direct or dissemination
    static std::vector<std::string> GetNames()
    {
        return {NONE, "direct", "dissemination"};
    }

    /// @return every member's schedule, by rank; the values of the messages are irrelevant
    static std::vector<CommunicationSchedule> MakeSchedules(const std::string& name,
                                                            uint32_t members);
};

/// Schedules of hosts with several members: one member of each host, its leader, performs the inner
/// algorithm with the leaders of other hosts.
///
/// The leader is a host's first member; at the root's host, the root; in a scan, the last. An inner
/// part consists of the parts of all members of a host; the inner algorithm divides these only at
/// boundaries between members' parts. If members of hosts are not consecutive ranks, and
/// contributions must be combined in order, the inner algorithm is used without leaders.
/// @param inner the inner algorithm; null: a CALL of the inner collective
GroupSchedules MakeSmpSchedules(const ScheduleRequest& request,
                                const ScheduleMaker* inner,
                                const std::string& name);

} // namespace ns3

#endif /* SCHEDULE_BLOCKS_H */
