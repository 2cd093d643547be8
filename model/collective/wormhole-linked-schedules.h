/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LINKED_SCHEDULES_H
#define WORMHOLE_LINKED_SCHEDULES_H

#include "communication-schedule.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief All members' schedules, with every send led to the receive that it is for.
 *
 * A slot is the index of a receive in its member's schedule; messages carry it, so that nothing has
 * to be looked up when they come. Pure.
 */
class LinkedSchedules
{
  public:
    /// A step of a linked schedule.
    struct Step
    {
        ScheduleStep::Kind kind; ///< what is done
        bool isLeft;             ///< COMBINE, MERGE: what comes is combined from the left
        uint32_t peer;           ///< rank of the other member; a MULTICAST has none
        uint32_t slot;           ///< SEND: the receiver's slot; receives: the tag
        uint32_t extraBytes;     ///< bytes that addresses add; those of tree worms: sends alone
        uint32_t firstRange;     ///< place of its blocks' first range
        uint32_t nRanges;        ///< number of ranges; 0: it is about the value held
        uint64_t bytes;          ///< length of its blocks; COPY, MERGE: of those they take

        /// @return whether it is a kind of send
        bool IsSend() const
        {
            return kind == ScheduleStep::SEND || kind == ScheduleStep::MULTICAST;
        }

        /// @return whether it is a kind of receive
        bool IsReceive() const
        {
            return kind >= ScheduleStep::COMBINE;
        }
    };

    LinkedSchedules() = default; ///< No members.

    /// @param schedules every member's schedule, by rank
    /// @param layout the blocks; none: members hold one value, whatever blocks the schedules name,
    /// and each message is it
    /// @throws WormholeError if a send has no receive, a receive no send, two of them are alike, or
    /// blocks are not received as they are sent
    explicit LinkedSchedules(const std::vector<CommunicationSchedule>& schedules,
                             const BlockLayout& layout = {});

    /// @return number of members
    uint32_t GetNMembers() const
    {
        return m_first.empty() ? 0 : static_cast<uint32_t>(m_first.size()) - 1;
    }

    /// @return index of a member's first step among all, past the last for the last member + 1
    /// @param rank the member
    uint32_t GetFirst(uint32_t rank) const
    {
        return m_first[rank];
    }

    /// @return a step @param index its index among all
    const Step& At(uint32_t index) const
    {
        return m_steps[index];
    }

    /// @return earliest start of a send, from that of the first of those that follow one another
    /// @param index index of the step among all
    Time GetAfter(uint32_t index) const;

    /// @return blocks of a step, first range @param step the step
    const BlockRange* GetRanges(const Step& step) const
    {
        return m_ranges.data() + step.firstRange;
    }

    /// @return the blocks; none, if members hold one value each
    const BlockLayout& GetLayout() const
    {
        return m_layout;
    }

    /// @return length of a step's blocks; COPY, MERGE: of those they take, bytes
    /// @param step the step
    static uint64_t GetBytes(const Step& step)
    {
        return step.bytes;
    }

    /// @return who receives a MULTICAST, by rank @param index index of the step among all
    const std::vector<uint32_t>& GetReceivers(uint32_t index) const
    {
        return m_receivers.at(index);
    }

    /// @return slot of the receive from a MULTICAST @param rank the member @param from the sender
    uint32_t FindMulticastSlot(uint32_t rank, uint32_t from) const;

    /// Steps that the schedules take if members go in step: in one step, messages that wait for no
    /// other pass between members that have nothing earlier to wait for. Members that do not wait
    /// for each other's steps may need less time than so many messages one after the other.
    /// @return number of steps
    /// @throws WormholeError if members wait for each other for ever
    uint32_t CountSteps() const;

    /// Steps that the schedules take if every message takes one, and a member sends one in a step
    /// at most: the unit cost of one-port models. Members may receive while they send.
    /// @param hosts members' hosts, by rank; messages within one take no step; empty: each its own
    /// @return number of steps until the last member has its last message
    /// @throws WormholeError if members wait for each other for ever
    uint32_t CountOnePortSteps(const std::vector<uint32_t>& hosts = {}) const;

  private:
    /// What CountWith counts.
    typedef std::function<uint32_t(uint32_t from, uint32_t to)> SendCost;

    /// Counts steps.
    /// @param sendCost steps that a sender takes for a message; a tree worm is to itself
    /// @return the greatest number of steps of a member
    uint32_t CountWith(const SendCost& sendCost, uint32_t groupCost) const;

    /// @return length of a step's blocks, which may be none that there are
    uint64_t CountBytes(const Step& step) const;

    /// Refuses a message whose blocks are not received as they are sent.
    void CheckBlocks(uint32_t send, uint32_t receive) const;

    BlockLayout m_layout; ///< the blocks
    BlockRanges m_ranges; ///< of all steps' blocks

    std::vector<Step> m_steps;                             ///< of all members, one after the other
    std::vector<uint32_t> m_first;                         ///< by rank, and the total
    std::map<uint32_t, std::vector<uint32_t>> m_receivers; ///< of each MULTICAST, by step
    std::map<uint32_t, Time> m_after;                      ///< of sends that wait, by step
};

} // namespace ns3

#endif /* WORMHOLE_LINKED_SCHEDULES_H */
