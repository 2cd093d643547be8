/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_SCHEDULES_H
#define GROUP_SCHEDULES_H

#include "communication-schedule.h"
#include "data-kind.h"
#include "wormhole-process-hierarchy.h"

#include "ns3/collective-message.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class SwitchPaths;

/**
 * @ingroup wormhole
 * @brief What an algorithm needs to know of a group, and of its data, to make its schedules.
 *
 * Where members hold one value of up to 64 bits, it is one part of 8 bytes that is never cut.
 */
struct ScheduleRequest
{
    uint32_t members{1};                                     ///< number of members, at least 1
    uint32_t root{0};                                        ///< rank of the root
    CollectiveOperation operation{CollectiveOperation::AND}; ///< how values are combined
    std::vector<uint32_t> hosts; ///< members' hosts, by rank; empty: each its own
    Time s{MicroSeconds(2)};     ///< how long a message keeps its sender busy, roughly
    Time r{MicroSeconds(1)};     ///< from then until the receiver is active, roughly
    Time flag{Time(0)};          ///< to write a flag for a member of the same host, and to see one
    std::shared_ptr<const SwitchPaths> paths;       ///< the network; null: all hosts on one switch
    std::shared_ptr<const ProcessHierarchy> levels; ///< of hosts on an ideal network; may be null

    DataKind kind{DataKind::BROADCAST}; ///< what is done
    std::vector<uint64_t> parts{8};     ///< length of each part of the kind's sequence, bytes
    uint32_t elementBytes{1};           ///< what is never cut
    uint64_t segmentBytes{0};           ///< longest segment, for algorithms that cut; 0: never
    bool keepsOrder{false};             ///< whether contributions are combined in order of ranks

    uint32_t GetHost(uint32_t rank) const; ///< @return a member's host @param rank the member
    uint64_t GetBytes() const;             ///< @return length of the sequence, bytes
    BlockLayout MakeParts() const;         ///< @return the parts as blocks, one each

    /// Cuts each of some equal shares of a vector into segments.
    /// @param shares number of shares, at least 1
    /// @param firsts number of each share's first block, and in the end of all blocks
    /// @return the segments, in order
    BlockLayout MakeSegments(uint32_t shares, std::vector<uint32_t>& firsts) const;

    /// Cuts a vector into segments. @return the segments, in order; at least one
    BlockLayout MakeSegments() const;
};

/// @ingroup wormhole
/// @brief A message of blocks from one member to another.
struct BlockMessage
{
    uint32_t from;                                  ///< sender's rank
    uint32_t to;                                    ///< receiver's rank
    BlockRanges sent;                               ///< the blocks
    ScheduleStep::Kind kind{ScheduleStep::REPLACE}; ///< what the receiver does: COMBINE or REPLACE
    bool isLeft{false};                             ///< whether it combines from the left
    BlockRanges received{};                         ///< where they go; empty: as they are sent
    Time after{};                                   ///< earliest start, see CommunicationSchedule
};

/// @ingroup wormhole
/// @return a message of each of some members
/// @param n how many
/// @param make makes that of a member, by its number from 0
template <typename MAKE>
std::vector<BlockMessage>
ListMessages(std::size_t n, MAKE make)
{
    std::vector<BlockMessage> messages;
    for (uint32_t i = 0; i < n; ++i)
    {
        messages.push_back(make(i));
    }
    return messages;
}

/// @ingroup wormhole @brief Schedules of all members of a group, which send and combine blocks. A
/// step without blocks is about all that a member holds.
struct GroupSchedules
{
    /// @param request the group @param blocks the blocks
    GroupSchedules(const ScheduleRequest& request, BlockLayout blocks);

    /// Of steps without blocks. @param request the group @param schedules by rank
    GroupSchedules(const ScheduleRequest& request, std::vector<CommunicationSchedule> schedules);

    /// Adds messages that pass in one step: who sends and receives in it sends first. Messages
    /// without any bytes, and to oneself, are left out.
    /// @param messages the messages
    void Step(const std::vector<BlockMessage>& messages);

    /// Adds a message, see Step. @param message the message
    void Pass(const BlockMessage& message);

    /// Has a member take what it receives so far before what it receives next. Receives that follow
    /// one another are otherwise taken in the order in which they come.
    /// @param rank the member
    void Wait(uint32_t rank);

    BlockLayout layout;                         ///< the blocks
    std::vector<CommunicationSchedule> members; ///< schedules by rank
    std::string fallback{};                     ///< another algorithm that serves; empty: none

    /// @return the fallback of an algorithm within smp, as that of smp
    /// @param fallback of the inner one
    static std::string OfInner(const std::string& fallback);

    uint32_t nMessages{0}; ///< messages so far; the number is the tag
};

/**
 * @ingroup wormhole
 * @brief An algorithm by software: makes the schedules of all members. Pure.
 *
 * It has one of the first two methods: MakeSchedules, if members send all that they hold, or
 * MakeGroupSchedules, if they send blocks of it.
 */
class ScheduleMaker
{
  public:
    virtual ~ScheduleMaker() = default;

    /// Makes the schedules. The request's root counts only if UsesRoot, its s, r and paths only if
    /// UsesCosts, too.
    /// @param request the group and its data
    /// @return every member's schedule, by rank
    /// @throws WormholeError if the algorithm can't do this, as with a number of members
    virtual std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const;

    /// Makes the schedules, with their blocks.
    /// @param request the group and its data
    /// @return the schedules
    /// @throws WormholeError if the algorithm can't do this
    virtual GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const;

    /// @return whether the schedules depend on who is the root, or on s, r or paths
    virtual bool UsesRoot() const
    {
        return true;
    }

    /// @return whether the schedules depend on s, r or paths
    virtual bool UsesCosts() const
    {
        return false;
    }
};

} // namespace ns3

#endif /* GROUP_SCHEDULES_H */
