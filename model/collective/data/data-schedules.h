/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_SCHEDULES_H
#define DATA_SCHEDULES_H

#include "block-layout.h"
#include "data-kind.h"

#include "ns3/communication-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What an algorithm needs to know of a group, and of its data, to make schedules of blocks.
 */
struct DataRequest : ScheduleRequest
{
    DataKind kind{DataKind::BROADCAST}; ///< what is done
    std::vector<uint64_t> parts{1};     ///< length of each part of the kind's sequence, bytes
    uint32_t elementBytes{1};           ///< what is never cut
    uint64_t segmentBytes{0};           ///< longest segment, for algorithms that cut; 0: never
    bool keepsOrder{false};             ///< whether contributions are combined in order of ranks

    /// @return length of the sequence, bytes
    uint64_t GetBytes() const;

    /// @return the parts as blocks, one each
    BlockLayout MakeParts() const;

    /**
     * Cuts each of some equal shares of a vector into segments.
     * @param shares number of shares, at least 1
     * @param firsts number of each share's first block, and in the end of all blocks
     * @return the segments, in order
     */
    BlockLayout MakeSegments(uint32_t shares, std::vector<uint32_t>& firsts) const;

    /// Cuts a vector into segments. @return the segments, in order; at least one
    BlockLayout MakeSegments() const;
};

/**
 * @ingroup wormhole
 * @brief A message of blocks from one member to another.
 */
struct DataMessage
{
    uint32_t from;                                  ///< sender's rank
    uint32_t to;                                    ///< receiver's rank
    BlockRanges sent;                               ///< the blocks
    ScheduleStep::Kind kind{ScheduleStep::REPLACE}; ///< what the receiver does: COMBINE or REPLACE
    bool isLeft{false};                             ///< whether it combines from the left
    BlockRanges received{};                         ///< where they go; empty: as they are sent
};

/**
 * @ingroup wormhole
 * @brief Schedules of blocks of a group's members.
 */
struct DataSchedules
{
    /// @param request the group @param blocks the blocks
    DataSchedules(const DataRequest& request, BlockLayout blocks);

    /**
     * Adds messages that pass in one step: who sends and receives in it sends first. Messages
     * without any bytes, and to oneself, are left out.
     * @param messages the messages
     */
    void Step(const std::vector<DataMessage>& messages);

    /// Adds a message, see Step. @param message the message
    void Pass(const DataMessage& message);

    /// Has a member take what it receives so far before what it receives next. Receives that follow
    /// one another are otherwise taken in the order in which they come. @param rank the member
    void Wait(uint32_t rank);

    BlockLayout layout;                         ///< the blocks
    std::vector<CommunicationSchedule> members; ///< schedules by rank
    std::string fallback{};                     ///< another algorithm that serves; empty: none
    uint32_t nMessages{0};                      ///< messages so far; the number is the tag
};

/**
 * @ingroup wormhole
 * @brief An algorithm of data by software: makes the schedules of all members. Pure.
 */
class DataScheduleMaker
{
  public:
    virtual ~DataScheduleMaker() = default;

    /**
     * Makes the schedules.
     * @param request the group and its data
     * @return the schedules
     * @throws WormholeError if the algorithm can't do this
     */
    virtual DataSchedules MakeDataSchedules(const DataRequest& request) const = 0;

    /// @return whether the schedules depend on s, r or paths
    virtual bool UsesCosts() const
    {
        return false;
    }
};

} // namespace ns3

#endif /* DATA_SCHEDULES_H */
