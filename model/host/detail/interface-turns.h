// SPDX-License-Identifier: GPL-2.0-only

#ifndef INTERFACE_TURNS_H
#define INTERFACE_TURNS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-worm.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3
{

/// An interface whose messages share it in turn, worm by worm (rule S15).
///
/// The interface's delay is a pipeline that a message passes once, before its queue gets it. So a
/// worm is chosen when its head may start, worms follow each other at line rate, and messages that
/// come at the instant of a choice take part in it. Each lane has a circle of its own.
class InterfaceTurns : public SimpleRefCount<InterfaceTurns>
{
  public:
    /// A worm of a message.
    struct Part
    {
        Ptr<Worm> worm; ///< the worm
        Time share;     ///< least time from its start to the next worm's, by the byte rate
    };

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

    InterfaceTurns(Time delay, Send send)
        : m_delay(delay),
          m_send(std::move(send))
    {
    }

    /// @param worm a worm that is sent in order @param left called when its tail has left
    void NotifyWhenLeft(const Ptr<const Worm>& worm, std::function<void()> left)
    {
        m_leaving[PeekPointer(worm)] = std::move(left);
    }

    /// A message is handed over now.
    void Add(Message message)
    {
        const auto number = message.lane;
        m_lanes[number].coming.push_back(
            {TimeLimit::Add(Simulator::Now(), m_delay), std::move(message), 0});
        GoOn(number);
    }

    /// A worm's tail has left the interface. @param worm the worm, maybe not sent by this
    void NotifyLeft(const Ptr<const Worm>& worm)
    {
        std::function<void()> left;
        if (const auto found = m_leaving.find(PeekPointer(worm)); found != m_leaving.end())
        {
            left = std::move(found->second);
            m_leaving.erase(found);
        }
        const auto found = std::find_if(m_lanes.begin(), m_lanes.end(), [&](const auto& lane) {
            return lane.second.worm == worm;
        });
        const auto isOurs = found != m_lanes.end();
        const auto number = isOurs ? found->first : uint8_t{0};
        if (isOurs)
        {
            found->second.worm = nullptr;
            found->second.tailLeft = Simulator::Now();
        }
        if (left)
        {
            left();
        }
        if (isOurs)
        {
            GoOn(number);
        }
    }

    /// Forgets all messages.
    void Stop()
    {
        m_lanes.clear();
        m_leaving.clear();
    }

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

    void GoOn(uint8_t number)
    {
        auto& lane = m_lanes[number];
        const auto now = Simulator::Now();
        for (; !lane.coming.empty() && lane.coming.front().ready <= now; lane.coming.pop_front())
        {
            auto& queue = lane.queues[lane.coming.front().message.destination];
            if (queue.empty())
            {
                lane.circle.push_back(&queue);
            }
            queue.push_back(std::move(lane.coming.front()));
        }
        if (lane.worm || (lane.circle.empty() && lane.coming.empty()))
        {
            return; // until its tail has left, or another message comes
        }
        auto next = now;
        if (lane.circle.empty())
        {
            next = lane.coming.front().ready;
        }
        else if (!lane.isFirst)
        {
            const auto& first = lane.circle.front()->front();
            next = std::max(next, lane.nextWorm);
            if (first.nSent == 0)
            {
                next = std::max(
                    {next, lane.nextMessage, TimeLimit::Add(lane.tailLeft, first.message.before)});
            }
        }
        if (next <= now)
        {
            Take(lane);
        }
        else if (lane.wake <= now)
        {
            // What comes until then goes behind what is first now.
            lane.wake = next;
            Simulator::Schedule(next - now,
                                &InterfaceTurns::GoOn,
                                Ptr<InterfaceTurns>(this),
                                number);
        }
    }

    void Take(Lane& lane)
    {
        const auto now = Simulator::Now();
        auto& queue = *lane.circle.front();
        lane.circle.pop_front();
        auto& pending = queue.front();
        const auto part = pending.message.make(pending.nSent);
        lane.isFirst = false;
        lane.worm = part.worm;
        lane.nextWorm = TimeLimit::Add(now, part.share);
        if (pending.nSent == 0)
        {
            lane.nextMessage = TimeLimit::Add(now, pending.message.gap);
        }
        if (++pending.nSent == pending.message.nWorms)
        {
            if (pending.message.left)
            {
                NotifyWhenLeft(part.worm, std::move(pending.message.left));
            }
            queue.pop_front();
        }
        if (!queue.empty())
        {
            lane.circle.push_back(&queue);
        }
        m_send(part.worm);
    }

    /// By worm, what to call when its tail has left.
    std::unordered_map<const Worm*, std::function<void()>> m_leaving;

    Time m_delay;                    ///< the interface's delay
    Send m_send;                     ///< sends worms
    std::map<uint8_t, Lane> m_lanes; ///< by number
};

} // namespace ns3

#endif /* INTERFACE_TURNS_H */
