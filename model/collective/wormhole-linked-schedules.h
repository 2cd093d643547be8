// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_LINKED_SCHEDULES_H
#define WORMHOLE_LINKED_SCHEDULES_H

#include "communication-schedule.h"

#include <functional>
#include <map>

namespace ns3
{

/// @ingroup wormhole @brief All members' schedules, with every send linked to its receive.
///
/// Messages carry a slot, the index of the receive in the receiver's schedule.
class LinkedSchedules
{
  public:
    /// A step: like a ScheduleStep, with the differences that the fields' comments state.
    struct Step
    {
        ScheduleStep::Kind kind; ///< kind of step
        bool isLeft;             ///< whether the received operand (MERGE: source) is the left one
        uint32_t peer;           ///< rank of the other member; unused for MULTICAST
        uint32_t slot;           ///< SEND: slot of the matching receive; other kinds: the tag
        uint32_t extraBytes;     ///< address bytes in the message; MULTICAST: in each packet
        uint32_t firstRange;     ///< index of the step's first range
        uint32_t nRanges;        ///< number of the step's ranges; 0: it uses the held value
        uint64_t bytes;          ///< length of the step's blocks; COPY, MERGE: of the source blocks

        /// @return whether the step is a send
        bool IsSend() const
        {
            return kind == ScheduleStep::SEND || kind == ScheduleStep::MULTICAST;
        }

        /// @return whether the step is a receive
        bool IsReceive() const
        {
            return kind >= ScheduleStep::COMBINE;
        }
    };

    LinkedSchedules() = default; ///< Schedules of no members.

    /// @param schedules every member's schedule, by rank
    /// @param layout the blocks; empty: each message carries one value, whatever its blocks are
    /// @throws WormholeError if a send or receive has no counterpart, two sends or two receives are
    ///         identical, or a send and its receive differ in number or length of blocks
    explicit LinkedSchedules(const std::vector<CommunicationSchedule>& schedules,
                             const BlockLayout& layout = {});

    /// @return number of members
    uint32_t GetNMembers() const
    {
        return m_first.empty() ? 0 : static_cast<uint32_t>(m_first.size()) - 1;
    }

    /// @return index of a member's first step among all steps; for GetNMembers(), number of steps
    /// @param rank the member, or GetNMembers()
    uint32_t GetFirst(uint32_t rank) const
    {
        return m_first[rank];
    }

    /// @return a step @param index its index among all steps
    const Step& At(uint32_t index) const
    {
        return m_steps[index];
    }

    /// @return as ScheduleStep::after @param index index of the step among all steps
    Time GetAfter(uint32_t index) const
    {
        const auto found = m_after.find(index);
        return found == m_after.end() ? Time(0) : found->second;
    }

    /// @return first range of a step's blocks @param step the step
    const BlockRange* GetRanges(const Step& step) const
    {
        return m_ranges.data() + step.firstRange;
    }

    /// @return numbers of a step's blocks @param step the step
    std::vector<uint32_t> ListBlocks(const Step& step) const;

    /// @return the blocks; empty if members hold one value each
    const BlockLayout& GetLayout() const
    {
        return m_layout;
    }

    /// @return receivers of a MULTICAST, by rank @param index index of the step among all steps
    const std::vector<uint32_t>& GetReceivers(uint32_t index) const
    {
        return m_receivers.at(index);
    }

    /// @return slot of the receive from a MULTICAST @param rank the member @param from the sender
    uint32_t FindMulticastSlot(uint32_t rank, uint32_t from) const;

    /// Counts the steps if members proceed in lockstep: a step carries every message whose sender
    /// and receiver wait for no earlier message. A simulated round of n steps may take less time
    /// than n messages one after another, because members do not wait for each step's end.
    /// @return number of steps
    /// @throws WormholeError if members wait for each other forever, or there is a CALL step
    uint32_t CountSteps() const
    {
        return CountWith([](uint32_t, uint32_t) { return 0; }, 1);
    }

    /// @return number of steps in the one-port model, until the last member has its last message:
    ///         every message takes one step, and a member sends at most one message in a step
    ///         (it may receive meanwhile)
    /// @param hosts members' hosts, by rank: messages within a host take no step; empty: all differ
    /// @throws WormholeError if members wait for each other forever, or there is a CALL step
    uint32_t CountOnePortSteps(const std::vector<uint32_t>& hosts = {}) const;

  private:
    typedef std::function<uint32_t(uint32_t from, uint32_t to)> SendCost;

    /// @param sendCost steps that a message costs its sender; for a tree worm, `to` is the sender
    /// @return the maximum number of steps of a member
    uint32_t CountWith(const SendCost& sendCost, uint32_t groupCost) const;

    /// @return length of a step's blocks; 0 if it has none
    uint64_t CountBytes(const Step& step) const;

    /// Throws if a message's blocks are not received as sent.
    void CheckBlocks(uint32_t send, uint32_t receive) const;

    BlockLayout m_layout;
    BlockRanges m_ranges;

    std::vector<Step> m_steps;                             ///< steps of all members, by rank
    std::vector<uint32_t> m_first;                         ///< members' first steps, then the total
    std::map<uint32_t, std::vector<uint32_t>> m_receivers; ///< receivers of each MULTICAST, by step
    std::map<uint32_t, Time> m_after; ///< earliest starts of sends that wait, by step
};

} // namespace ns3

#endif /* WORMHOLE_LINKED_SCHEDULES_H */
