/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERFACE_TURNS_H
#define INTERFACE_TURNS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief An interface whose messages share it in turn, worm by worm (rule S15).
 *
 * The interface's delay is a pipeline that a message passes once, before its queue gets it. So a
 * worm is chosen when its head may start, worms follow each other at line rate, and messages that
 * come at the instant of a choice take part in it. Each lane has a circle of its own.
 */
class InterfaceTurns : public SimpleRefCount<InterfaceTurns>
{
  public:
    /// A worm of a message.
    struct Part
    {
        Ptr<Worm> worm; ///< the worm
        Time share;     ///< least time from its start to the next worm's, by the byte rate
    };

    /// A message to send.
    struct Message
    {
        uint32_t destination{0};            ///< number of its queue
        uint8_t lane{0};                    ///< lane of its worms' first channel
        uint64_t nWorms{1};                 ///< number of its worms
        Time before;                        ///< least time from the last worm's tail to its first
        Time gap;                           ///< least time from its first worm to another message's
        std::function<Part(uint64_t)> make; ///< makes one of its worms
        std::function<void()> left;         ///< called when its last tail has left; may be empty
    };

    /// Sends a worm, whose head is to ask for the channel now.
    using Send = std::function<void(const Ptr<Worm>& worm)>;

    /// @param delay the interface's delay @param send sends its worms
    InterfaceTurns(Time delay, Send send);

    /// @param worm a worm that is sent in order @param left called when its tail has left
    void NotifyWhenLeft(const Ptr<const Worm>& worm, std::function<void()> left)
    {
        m_leaving[PeekPointer(worm)] = std::move(left);
    }

    void Add(Message message); ///< A message is handed over now. @param message the message

    /// A worm's tail has left the interface. @param worm the worm, maybe not sent by this
    void NotifyLeft(const Ptr<const Worm>& worm);

    void Stop(); ///< Forgets all messages.

  private:
    /// A message that is being sent, or waits.
    struct Pending
    {
        Time ready;        ///< when it has passed the interface's delay
        Message message;   ///< the message
        uint64_t nSent{0}; ///< worms taken
    };

    using Queue = std::deque<Pending>;

    struct Lane
    {
        Queue coming;                     ///< messages in the interface's delay
        std::map<uint32_t, Queue> queues; ///< by destination, messages with worms to send
        std::deque<Queue*> circle;        ///< queues that have some, in turn
        Ptr<const Worm> worm;             ///< taken last, while its tail has not left
        bool isFirst{true};               ///< whether none was ever taken
        Time tailLeft;                    ///< when the last one's tail left
        Time nextWorm;                    ///< when the byte rate lets the next one start
        Time nextMessage;                 ///< when the gap lets the next message start
        Time wake;                        ///< when there is an event to go on
    };

    void GoOn(uint8_t lane);
    void Take(Lane& lane);

    /// By worm, what to call when its tail has left.
    std::unordered_map<const Worm*, std::function<void()>> m_leaving;

    Time m_delay;                    ///< the interface's delay
    Send m_send;                     ///< sends worms
    std::map<uint8_t, Lane> m_lanes; ///< by number
};

} // namespace ns3

#endif /* INTERFACE_TURNS_H */
