/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMUNICATION_SCHEDULE_H
#define COMMUNICATION_SCHEDULE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Blocks that follow one another: [first, first + count).
struct BlockRange
{
    uint32_t first{0}; ///< number of the first
    uint32_t count{1}; ///< how many
};

/// @ingroup wormhole
/// @brief Blocks that a step sends, receives or combines, in the order in which the message holds
/// them.
using BlockRanges = std::vector<BlockRange>;

/**
 * @ingroup wormhole
 * @brief The blocks into which the data of a collective are cut.
 *
 * A kind of collective has a sequence of bytes (DataKind); the first blocks cut it, in order.
 * Further blocks, if an algorithm has any, are places for work in each member's memory.
 */
class BlockLayout
{
  public:
    BlockLayout() = default; ///< No blocks.

    /// Cuts a sequence into equal blocks, as far as whole elements allow: the first ones have one
    /// more. With fewer elements than blocks the last ones are empty.
    /// @param bytes length of the sequence
    /// @param blocks number of blocks, at least 1
    /// @param elementBytes length of an element; a rest that is no whole element is in the last
    ///        block that is not empty
    /// @return the layout
    static BlockLayout MakeEven(uint64_t bytes, uint32_t blocks, uint32_t elementBytes);

    /// Adds a block at the end of the sequence. @param bytes its length @return its number
    uint32_t Add(uint64_t bytes);

    /// Adds places for work with the lengths of blocks of the sequence, behind all of these.
    /// @param range those blocks
    /// @return number of the first
    uint32_t AddWork(const BlockRange& range);

    /// @return the block of the sequence whose length a place for work has
    /// @param block its number; a block of the sequence is its own
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

    BlockRange GetAll() const; ///< @return all blocks of the sequence

    /// @return length of a block, bytes @param block its number
    uint64_t GetBytes(uint32_t block) const;

    /// @return length of blocks together, bytes @param range the blocks
    uint64_t GetBytes(const BlockRange& range) const;

    /// @return length of blocks together, bytes @param ranges the blocks
    uint64_t GetBytes(const BlockRanges& ranges) const;

    /// @return where a block begins, bytes; works follow the sequence @param block its number
    uint64_t GetOffset(uint32_t block) const
    {
        return block == 0 ? 0 : m_ends[block - 1];
    }

  private:
    std::vector<uint64_t> m_ends;    ///< where each block ends
    std::vector<uint32_t> m_sources; ///< of places for work, see GetSource
    uint32_t m_nData{0};             ///< number of blocks of the sequence
};

/**
 * @ingroup wormhole
 * @brief One step of a member's part in a collective.
 *
 * A step names the blocks that it sends, or that what it receives is for. Without blocks it is
 * about all that a member holds.
 */
struct ScheduleStep
{
    /// What is done.
    enum Kind : uint8_t
    {
        SEND,      ///< send the value held to one member
        MULTICAST, ///< send the value held by a tree worm to all who receive MULTICAST_TAG from
                   ///< here
        CALL,      ///< do the inner collective with what is held, and hold its result
        COPY,      ///< copy blocks to others of one's own
        MERGE,     ///< combine blocks into others of one's own
        COMBINE,   ///< receive a value and combine it with the one held
        REPLACE,   ///< receive a value and hold it instead
        IGNORE,    ///< receive, and hold what was held
    };

    /// Tag of receives from a MULTICAST.
    static constexpr uint32_t MULTICAST_TAG = UINT32_MAX;

    Kind kind;              ///< what is done
    uint32_t peer{0};       ///< rank of the other member; a MULTICAST has none
    uint32_t tag{0};        ///< tells messages between the same two members apart
    uint32_t extraBytes{0}; ///< sends: bytes that addresses add to the message
    Time after{};           ///< SEND: earliest start, from that of the first of a run of sends
    uint32_t firstRange{0}; ///< place of its blocks' first range, see GetRanges
    uint32_t nRanges{0};    ///< number of ranges; COPY, MERGE: half of them the targets, then the
                            ///< sources
    bool isLeft{false};     ///< COMBINE, MERGE: what comes is combined from the left

    /// @return whether it is a kind of send
    bool IsSend() const
    {
        return kind == SEND || kind == MULTICAST;
    }

    /// @return whether it is a kind of receive
    bool IsReceive() const
    {
        return kind >= COMBINE;
    }
};

/**
 * @ingroup wormhole
 * @brief A member's part in a collective: sends and receives, in order.
 *
 * A member begins with its own value, does one step after the other and leaves. Sends that follow
 * one another go in order. Receives that follow one another are one group: they are posted
 * together, taken in the order in which they come, and all of them end before the next step.
 *
 * Schedules are pure: they know of no simulator, fabric or cost. ScheduleRunner runs them.
 */
class CommunicationSchedule
{
  public:
    /// Adds a send.
    /// @param to receiver's rank
    /// @param tag its tag
    /// @param after earliest start, from that of the first of sends that follow one another
    /// @param extraBytes what addresses add
    /// @return this
    CommunicationSchedule& Send(uint32_t to,
                                uint32_t tag = 0,
                                Time after = Time(0),
                                uint32_t extraBytes = 0);

    /// Adds a tree worm. @param extraBytes what addresses add @return this
    CommunicationSchedule& Multicast(uint32_t extraBytes);

    /// Adds the inner collective, see SoftwareCollective::MakeInner.
    /// @param blocks its data, part by part
    /// @return this
    CommunicationSchedule& Call(const BlockRanges& blocks = {});

    /// Adds a receive.
    /// @param kind which kind
    /// @param from sender's rank
    /// @param tag its tag
    /// @return this
    CommunicationSchedule& Receive(ScheduleStep::Kind kind, uint32_t from, uint32_t tag = 0);

    /// Adds a send of blocks.
    /// @param to receiver's rank
    /// @param blocks the blocks
    /// @param tag its tag
    /// @param after earliest start, see Send
    /// @return this
    CommunicationSchedule& SendBlocks(uint32_t to,
                                      const BlockRanges& blocks,
                                      uint32_t tag = 0,
                                      Time after = Time(0));

    /// Adds a receive of blocks.
    /// @param kind COMBINE or REPLACE
    /// @param from sender's rank
    /// @param blocks where they go: as many as are sent, of the same lengths
    /// @param tag the message's tag
    /// @param isLeft whether what comes is combined from the left
    /// @return this
    CommunicationSchedule& ReceiveBlocks(ScheduleStep::Kind kind,
                                         uint32_t from,
                                         const BlockRanges& blocks,
                                         uint32_t tag = 0,
                                         bool isLeft = false);

    /// Adds a copy of blocks to others.
    /// @param to the others
    /// @param from the blocks
    /// @return this
    CommunicationSchedule& CopyBlocks(const BlockRange& to, const BlockRange& from);

    /// Adds combining blocks with others, which hold the result.
    /// @param into the others
    /// @param from the blocks
    /// @param isLeft whether they are combined from the left
    /// @return this
    CommunicationSchedule& MergeBlocks(const BlockRange& into,
                                       const BlockRange& from,
                                       bool isLeft = false);

    /// Adds a schedule's steps. @param schedule the schedule @param ranks what its ranks are here
    void Append(const CommunicationSchedule& schedule, const std::vector<uint32_t>& ranks);

    /// Adds a schedule's steps, whose blocks are others here.
    /// @param schedule the schedule
    /// @param ranks what its ranks are here
    /// @param blocks what its blocks are here, by block
    void Append(const CommunicationSchedule& schedule,
                const std::vector<uint32_t>& ranks,
                const std::vector<BlockRanges>& blocks);

    /// @return the steps
    const std::vector<ScheduleStep>& GetSteps() const
    {
        return m_steps;
    }

    /// @return ranges of all steps' blocks, see ScheduleStep::firstRange
    const BlockRanges& GetRanges() const
    {
        return m_ranges;
    }

    /// @return blocks of a step @param step the step
    BlockRanges GetBlocks(const ScheduleStep& step) const;

  private:
    CommunicationSchedule& Add(ScheduleStep step, const BlockRanges& ranges);

    std::vector<ScheduleStep> m_steps; ///< the steps
    BlockRanges m_ranges;              ///< of blocks of all steps, one after the other
};

} // namespace ns3

#endif /* COMMUNICATION_SCHEDULE_H */
