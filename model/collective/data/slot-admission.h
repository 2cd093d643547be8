/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_ADMISSION_H
#define SLOT_ADMISSION_H

#include "ns3/callback.h"
#include "ns3/collective.h"
#include "ns3/simple-ref-count.h"
#include "ns3/slot-message.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Asks the switches of a group's tree for reduction slots, and gives them back, by messages.
 *
 * One host asks, the root host of the barrier tree: one switch after the other in the order of
 * their numbers, each when the one before has answered. A switch grants all that is asked for or
 * nothing, at once. After a refusal the host gives back what it was granted, and the group has
 * nothing. As nobody waits for slots, no two groups can wait for each other; and as all ask in the
 * same order, of the groups that want the same slots one gets them: a group is refused by one that
 * is ahead of it, and none is ahead of the foremost.
 *
 * Each message costs the host what a message to a register does.
 */
class SlotAdmission : public SimpleRefCount<SlotAdmission>
{
  public:
    /// What is asked of a switch.
    struct Request
    {
        uint32_t fabricSwitch{0};             ///< the switch
        uint32_t slots{0};                    ///< how many
        std::shared_ptr<const SlotPlan> plan; ///< what the switch is to know
        uint64_t flits{1};                    ///< length of the message that asks
    };

    /// A switch has answered; arguments: the switch, whether it grants, and how many slots it has
    /// left.
    typedef Callback<void, uint32_t, bool, uint32_t> AnswerCallback;

    /// It is over; argument: whether all switches grant. If not, nothing is held.
    typedef Callback<void, bool> EndCallback;

    /**
     * @param group the group, which calls Stop at its disposal
     * @param requests what is asked, in the order of switches
     * @param flits length of messages that give slots back
     * @param answer told of every answer
     * @param end told of the end of asking, and of giving back (false)
     */
    SlotAdmission(const Collective& group,
                  std::vector<Request> requests,
                  uint64_t flits,
                  AnswerCallback answer,
                  EndCallback end);

    /// Asks.
    void Ask();

    /// Gives back what was granted.
    void GiveBack();

    /// An answer has come. @param worm the answer
    void Receive(Ptr<const Worm> worm);

    /// Lets go of the group: whatever comes is ignored.
    void Stop();

  private:
    void Send(const Request& request, SlotMessage::Kind kind);

    /// The host's software has taken an answer.
    void Take(SlotMessage message);

    Ptr<const WormRoute> FindWayBack(uint32_t fabricSwitch) const;
    Ptr<const WormRoute> FindWay(uint32_t fabricSwitch) const;

    const Collective* m_group;       ///< the group; null once stopped
    std::vector<Request> m_requests; ///< what is asked
    uint64_t m_flits;                ///< length of messages that give slots back
    AnswerCallback m_answer;         ///< told of every answer
    EndCallback m_end;               ///< told of the end
    uint32_t m_host;                 ///< the host that asks
    std::size_t m_nGranted{0};       ///< switches that have granted, the first ones
    std::size_t m_nToFree{0};        ///< switches that have not taken theirs back yet
};

} // namespace ns3

#endif /* SLOT_ADMISSION_H */
