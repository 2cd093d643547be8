// SPDX-License-Identifier: GPL-2.0-only

#ifndef COMMUNICATION_SCHEDULE_H
#define COMMUNICATION_SCHEDULE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief Blocks with consecutive numbers, from `first` to `first + count - 1`.
struct BlockRange
{
    uint32_t first{0}; ///< number of the first block
    uint32_t count{1}; ///< number of blocks
};

/// @ingroup wormhole
/// @brief Blocks that a step sends, receives or combines, in their order in the message.
using BlockRanges = std::vector<BlockRange>;

/// @ingroup wormhole @brief The blocks into which the data of a collective are divided.
///
/// A collective's data form a sequence of bytes (DataKind). The first blocks divide that sequence,
/// in order. If an algorithm needs work buffers in each member's memory, these are the last blocks.
class BlockLayout
{
  public:
    BlockLayout() = default; ///< A layout without blocks.

    /// Divides a sequence into blocks that differ in length by at most one element; longer blocks
    /// come first. If there are fewer elements than blocks, the last blocks are empty.
    /// @param bytes length of the sequence
    /// @param blocks number of blocks, at least 1
    /// @param elementBytes length of an element; the sequence may end with an incomplete element
    /// @return the layout
    static BlockLayout MakeEven(uint64_t bytes, uint32_t blocks, uint32_t elementBytes);

    /// Appends a block to the sequence. @param bytes its length @return the block's number
    uint32_t Add(uint64_t bytes);

    /// Appends one work buffer for each block of a range; the buffer is as long as the block.
    /// @param range the blocks
    /// @return number of the first buffer
    uint32_t AddWork(const BlockRange& range);

    /// @return number of the block that gave a work buffer its length, see AddWork; for a block of
    ///         the sequence, the block's own number @param block number of the buffer or block
    uint32_t GetSource(uint32_t block) const
    {
        return block < m_nData ? block : m_sources[block - m_nData];
    }

    /// @return number of blocks of the sequence
    uint32_t GetNData() const
    {
        return m_nData;
    }

    /// @return number of all blocks
    uint32_t GetNBlocks() const
    {
        return static_cast<uint32_t>(m_ends.size());
    }

    /// @return all blocks of the sequence
    BlockRange GetAll() const
    {
        return {0, m_nData};
    }

    /// @return length of a block in bytes @param block the block's number
    uint64_t GetBytes(uint32_t block) const
    {
        return m_ends[block] - GetOffset(block);
    }

    /// @return total length of blocks in bytes @param range the blocks
    uint64_t GetBytes(const BlockRange& range) const
    {
        return range.count == 0 ? 0 : GetOffset(range.first + range.count) - GetOffset(range.first);
    }

    /// @return total length of blocks in bytes @param ranges the blocks
    uint64_t GetBytes(const BlockRanges& ranges) const;

    /// @return a block's offset in bytes; work buffers are after the sequence @param block number
    uint64_t GetOffset(uint32_t block) const
    {
        return block == 0 ? 0 : m_ends[block - 1];
    }

  private:
    std::vector<uint64_t> m_ends;    ///< offset of the end of each block
    std::vector<uint32_t> m_sources; ///< by work buffer, the block that GetSource returns
    uint32_t m_nData{0};             ///< number of blocks of the sequence
};

/// @ingroup wormhole @brief One step of a member's schedule.
///
/// A step names the blocks that it sends, or into which it receives; by default, all blocks.
struct ScheduleStep
{
    /// Kinds of steps.
    enum Kind : uint8_t
    {
        SEND,      ///< send the held value to another member
        MULTICAST, ///< send the held value in a tree worm, which switches copy, to all members
                   ///< that have a receive from this member with MULTICAST_TAG
        CALL,      ///< perform the inner collective with the held value; then hold its result
        COPY,      ///< copy blocks to other blocks of the same member
        MERGE,     ///< combine blocks into other blocks of the same member
        COMBINE,   ///< receive a value and combine it with the held value
        REPLACE,   ///< receive a value, which replaces the held value
        IGNORE,    ///< receive and discard a value
    };

    /// The tag that tells a receive to wait for what a MULTICAST step sends.
    static constexpr uint32_t MULTICAST_TAG = UINT32_MAX;

    Kind kind;              ///< what the step does
    uint32_t peer{0};       ///< rank of the other member; unused for MULTICAST
    uint32_t tag{0};        ///< distinguishes messages between the same two members
    uint32_t extraBytes{0}; ///< address bytes in the message, or in each packet of a MULTICAST
    Time after{};           ///< consecutive SENDs: least time from the first's start to this SEND's
    uint32_t firstRange{0}; ///< index in GetRanges of the step's first range of blocks
    uint32_t nRanges{0};    ///< number of ranges; COPY and MERGE have destinations, then sources
    bool isLeft{false};     ///< whether the operand that is received or merged in is the left one

    /// @return whether the step is a send
    bool IsSend() const
    {
        return kind == SEND || kind == MULTICAST;
    }

    /// @return whether the step is a receive
    bool IsReceive() const
    {
        return kind >= COMBINE;
    }
};

/// @ingroup wormhole @brief A member's schedule in a collective: sends and receives, in order.
///
/// A member begins with its own value, performs the steps one by one, and leaves.
/// Consecutive sends keep their order. Consecutive receives form a group: they are posted together,
/// processed in the order in which messages arrive, and all complete before the next step.
///
/// Schedules are pure: independent of simulator, fabric and costs. ScheduleRunner runs them.
class CommunicationSchedule
{
  public:
    /// Adds a send. @param to receiver's rank @param tag the message's tag
    /// @param after in consecutive sends, least time from the start of the first to this send
    /// @param extraBytes bytes of buffer addresses in the message
    /// @return this
    CommunicationSchedule& Send(uint32_t to,
                                uint32_t tag = 0,
                                Time after = Time(0),
                                uint32_t extraBytes = 0)
    {
        return Add({ScheduleStep::SEND, to, tag, extraBytes, after});
    }

    /// Adds a MULTICAST step. @param extraBytes address bytes in each packet @return this
    CommunicationSchedule& Multicast(uint32_t extraBytes)
    {
        return Add({ScheduleStep::MULTICAST, 0, ScheduleStep::MULTICAST_TAG, extraBytes});
    }

    /// Adds a call of the inner collective, see SoftwareCollective::MakeInner.
    /// @param blocks the inner collective's data, in the order of the inner collective's parts
    /// @return this
    CommunicationSchedule& Call(const BlockRanges& blocks = {})
    {
        return Add({ScheduleStep::CALL}, blocks);
    }

    /// Adds a receive. @param kind COMBINE, REPLACE or IGNORE @param from sender's rank
    /// @param tag the message's tag
    /// @return this
    CommunicationSchedule& Receive(ScheduleStep::Kind kind, uint32_t from, uint32_t tag = 0)
    {
        return Add({kind, from, tag});
    }

    /// Adds a send of blocks. @param to,tag,after as for Send @param blocks the blocks to be sent
    /// @return this
    CommunicationSchedule& SendBlocks(uint32_t to,
                                      const BlockRanges& blocks,
                                      uint32_t tag = 0,
                                      Time after = Time(0))
    {
        return Add({ScheduleStep::SEND, to, tag, 0, after}, blocks);
    }

    /// Adds a receive of blocks. @param kind,from,tag as for Receive; the kind is not IGNORE
    /// @param blocks where the received blocks go: as many blocks as are sent, of the same lengths
    /// @param isLeft whether the received operand is the left one
    /// @return this
    CommunicationSchedule& ReceiveBlocks(ScheduleStep::Kind kind,
                                         uint32_t from,
                                         const BlockRanges& blocks,
                                         uint32_t tag = 0,
                                         bool isLeft = false)
    {
        return Add({kind, from, tag, 0, Time(0), 0, 0, isLeft}, blocks);
    }

    /// Adds a step that copies blocks. @param to destination @param from source @return this
    CommunicationSchedule& CopyBlocks(const BlockRange& to, const BlockRange& from)
    {
        return Add({ScheduleStep::COPY}, {to, from});
    }

    /// Adds a step that combines blocks into other blocks.
    /// @param into one operand, which the result replaces @param from the other operand
    /// @param isLeft whether `from` is the left operand
    /// @return this
    CommunicationSchedule& MergeBlocks(const BlockRange& into,
                                       const BlockRange& from,
                                       bool isLeft = false)
    {
        return Add({ScheduleStep::MERGE, 0, 0, 0, Time(0), 0, 0, isLeft}, {into, from});
    }

    /// Appends a schedule. @param schedule the schedule @param ranks maps its ranks to ranks here
    void Append(const CommunicationSchedule& schedule, const std::vector<uint32_t>& ranks)
    {
        for (auto step : schedule.m_steps)
        {
            step.peer = ranks[step.peer];
            Add(step, schedule.GetBlocks(step));
        }
    }

    /// Appends a schedule and replaces its blocks. @param schedule,ranks as for the other Append
    /// @param blocks entry i: the blocks that replace block i of `schedule`
    void Append(const CommunicationSchedule& schedule,
                const std::vector<uint32_t>& ranks,
                const std::vector<BlockRanges>& blocks);

    /// @return the steps
    const std::vector<ScheduleStep>& GetSteps() const
    {
        return m_steps;
    }

    /// @return ranges of all steps, in order of steps; ScheduleStep::firstRange is an index in them
    const BlockRanges& GetRanges() const
    {
        return m_ranges;
    }

    /// @return the blocks of a step @param step the step
    BlockRanges GetBlocks(const ScheduleStep& step) const
    {
        const auto first = m_ranges.begin() + step.firstRange;
        return {first, first + step.nRanges};
    }

  private:
    CommunicationSchedule& Add(ScheduleStep step, const BlockRanges& ranges = {});

    std::vector<ScheduleStep> m_steps;
    BlockRanges m_ranges; ///< ranges of all steps, concatenated
};

} // namespace ns3

#endif /* COMMUNICATION_SCHEDULE_H */
