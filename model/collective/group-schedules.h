// SPDX-License-Identifier: GPL-2.0-only

#ifndef GROUP_SCHEDULES_H
#define GROUP_SCHEDULES_H

#include "communication-schedule.h"
#include "data-kind.h"
#include "wormhole-process-hierarchy.h"

#include "ns3/collective-message.h"

#include <algorithm>
#include <memory>

namespace ns3
{

class SwitchPaths;

/// @ingroup wormhole
/// @brief What an algorithm makes schedules from: the properties of a group and of its data.
///
/// A collective of one value of up to 64 bits has one part of 8 bytes, which is never divided.
struct ScheduleRequest
{
    uint32_t members{1};                                     ///< number of members, at least 1
    uint32_t root{0};                                        ///< rank of the root
    CollectiveOperation operation{CollectiveOperation::AND}; ///< how values are combined
    std::vector<uint32_t> hosts; ///< members' hosts, by rank; empty: rank r is on host r
    Time s{MicroSeconds(2)};     ///< approximate time for which a message keeps its sender busy
    Time r{MicroSeconds(1)};     ///< approximate time from the end of s until the receiver can act
    Time flag{Time(0)}; ///< time to set a flag for a member of the same host, or to detect a flag
    std::shared_ptr<const SwitchPaths> paths;       ///< the network; null: all hosts on one switch
    std::shared_ptr<const ProcessHierarchy> levels; ///< levels of an ideal network; may be null

    DataKind kind{DataKind::BROADCAST}; ///< kind of collective
    std::vector<uint64_t> parts{8};     ///< length of each part of the data, bytes
    uint32_t elementBytes{1};           ///< length of an element, bytes; no element is divided
    uint64_t segmentBytes{0};           ///< longest segment, bytes; 0: no limit
    bool keepsOrder{false};             ///< whether contributions are combined in order of ranks

    /// @return a member's host @param rank the member
    uint32_t GetHost(uint32_t rank) const
    {
        return rank < hosts.size() ? hosts[rank] : rank;
    }

    uint64_t GetBytes() const;     ///< @return total length of the parts, bytes
    BlockLayout MakeParts() const; ///< @return a layout with a block for each part

    /// @return a layout of a vector cut into equal shares, and these into segments: the blocks
    /// @param shares number of shares, at least 1
    /// @param firsts receives each share's first block and, as last entry, the number of blocks
    BlockLayout MakeSegments(uint32_t shares, std::vector<uint32_t>& firsts) const;

    /// @return a layout whose blocks are a vector's segments, in order; at least one block
    BlockLayout MakeSegments() const
    {
        std::vector<uint32_t> firsts;
        return MakeSegments(1, firsts);
    }
};

/// @ingroup wormhole @brief A message of blocks from one member to another.
struct BlockMessage
{
    uint32_t from;                                  ///< sender's rank
    uint32_t to;                                    ///< receiver's rank
    BlockRanges sent;                               ///< the blocks sent
    ScheduleStep::Kind kind{ScheduleStep::REPLACE}; ///< what the receiver does: COMBINE or REPLACE
    bool isLeft{false};     ///< COMBINE: whether the received operand is the left one
    BlockRanges received{}; ///< the receiver's blocks; empty: the same blocks as in `sent`
    Time after{};           ///< earliest start, see ScheduleStep::after
};

/// @ingroup wormhole
/// @return messages, one per member
/// @param n number of members @param make returns the message of member i, from 0
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

/// @ingroup wormhole @brief Schedules of all members of a group, with the blocks that they send and
/// combine. A step without blocks applies to all data that the member holds.
struct GroupSchedules
{
    /// Makes empty schedules. @param request the group @param blocks the blocks
    GroupSchedules(const ScheduleRequest& request, BlockLayout blocks);

    /// Takes schedules without blocks. @param request the group @param schedules by rank
    GroupSchedules(const ScheduleRequest& request, std::vector<CommunicationSchedule> schedules);

    /// Adds the messages of one step: a member that both sends and receives sends first.
    /// Empty messages, and those from a member to itself, are omitted. @param messages the messages
    void Step(const std::vector<BlockMessage>& messages);

    /// Adds a message, see Step. @param message the message
    void Pass(const BlockMessage& message)
    {
        Step({message});
    }

    /// Makes a member complete all receives added so far before its next receive; without Wait,
    /// consecutive receives are processed in order of arrival. @param rank the member
    void Wait(uint32_t rank);

    BlockLayout layout;                         ///< the blocks
    std::vector<CommunicationSchedule> members; ///< schedules by rank
    std::string fallback{};                     ///< algorithm used instead, "X: why"; empty: none

    /// @return fallback of algorithm smp: "smp[Inner=X]: why" @param fallback of Inner: "X: why"
    static std::string OfInner(const std::string& fallback)
    {
        const auto colon = std::min(fallback.find(':'), fallback.size());
        return "smp[Inner=" + fallback.substr(0, colon) + "]" + fallback.substr(colon);
    }

    uint32_t nMessages{0}; ///< number of messages so far, used as the next message's tag
};

/// @ingroup wormhole @brief A software algorithm: makes the schedules of all members.
///
/// A derived class overrides MakeSchedules or, if members send blocks, MakeGroupSchedules.
class ScheduleMaker
{
  public:
    virtual ~ScheduleMaker() = default;

    /// @return every member's schedule, by rank
    /// @param request the group and its data; its root matters only if UsesRoot is true; its s, r
    ///        and paths matter only if UsesRoot and UsesCosts are both true
    /// @throws WormholeError if the algorithm does not support the request
    virtual std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const
    {
        return MakeGroupSchedules(request).members;
    }

    /// @return the schedules, with their blocks @param request as for MakeSchedules
    /// @throws WormholeError if the algorithm does not support the request
    virtual GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const
    {
        return {request, MakeSchedules(request)};
    }

    /// @return whether the schedules depend on any of the request's root, s, r and paths
    virtual bool UsesRoot() const
    {
        return true;
    }

    /// @return whether the schedules depend on the request's s, r or paths
    virtual bool UsesCosts() const
    {
        return false;
    }

    /// @return whether the hosts' processes perform the steps; otherwise the network adapters do
    virtual bool RunsOnHosts() const
    {
        return true;
    }
};

} // namespace ns3

#endif /* GROUP_SCHEDULES_H */
