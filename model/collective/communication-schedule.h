/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMUNICATION_SCHEDULE_H
#define COMMUNICATION_SCHEDULE_H

#include "ns3/block-layout.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

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
    /// Adds a send. @param to receiver's rank @param tag its tag @param after earliest start, from
    /// that of the first of sends that follow one another @param extraBytes what addresses add
    /// @return this
    CommunicationSchedule& Send(uint32_t to,
                                uint32_t tag = 0,
                                Time after = Time(0),
                                uint32_t extraBytes = 0);

    /// Adds a tree worm. @param extraBytes what addresses add @return this
    CommunicationSchedule& Multicast(uint32_t extraBytes);

    /// Adds the inner collective, see SoftwareCollective::MakeInner. @param blocks its data, part
    /// by part @return this
    CommunicationSchedule& Call(const BlockRanges& blocks = {});

    /// Adds a receive. @param kind which kind @param from sender's rank @param tag its tag
    /// @return this
    CommunicationSchedule& Receive(ScheduleStep::Kind kind, uint32_t from, uint32_t tag = 0);

    /// Adds a send of blocks. @param to receiver's rank @param blocks the blocks @param tag its tag
    /// @param after earliest start, see Send @return this
    CommunicationSchedule& SendBlocks(uint32_t to,
                                      const BlockRanges& blocks,
                                      uint32_t tag = 0,
                                      Time after = Time(0));

    /**
     * Adds a receive of blocks.
     * @param kind COMBINE or REPLACE
     * @param from sender's rank
     * @param blocks where they go: as many as are sent, of the same lengths
     * @param tag the message's tag
     * @param isLeft whether what comes is combined from the left
     * @return this
     */
    CommunicationSchedule& ReceiveBlocks(ScheduleStep::Kind kind,
                                         uint32_t from,
                                         const BlockRanges& blocks,
                                         uint32_t tag = 0,
                                         bool isLeft = false);

    /// Adds a copy of blocks to others. @param to the others @param from the blocks
    /// @return this
    CommunicationSchedule& CopyBlocks(const BlockRange& to, const BlockRange& from);

    /// Adds combining blocks with others, which hold the result. @param into the others @param from
    /// the blocks @param isLeft whether they are combined from the left @return this
    CommunicationSchedule& MergeBlocks(const BlockRange& into,
                                       const BlockRange& from,
                                       bool isLeft = false);

    /// Adds a schedule's steps. @param schedule the schedule @param ranks what its ranks are here
    void Append(const CommunicationSchedule& schedule, const std::vector<uint32_t>& ranks);

    /// Adds a schedule's steps, whose blocks are others here. @param schedule the schedule @param
    /// ranks what its ranks are here @param blocks what its blocks are here, by block
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
