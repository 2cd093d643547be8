/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interface-turns.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <utility>

namespace ns3
{

InterfaceTurns::InterfaceTurns(Time delay, Send send)
    : m_delay(delay),
      m_send(std::move(send))
{
}

void
InterfaceTurns::Add(Message message)
{
    const auto number = message.lane;
    m_lanes[number].coming.push_back(
        {TimeLimit::Add(Simulator::Now(), m_delay), std::move(message), 0});
    GoOn(number);
}

void
InterfaceTurns::NotifyLeft(const Ptr<const Worm>& worm)
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

void
InterfaceTurns::Stop()
{
    m_lanes.clear();
    m_leaving.clear();
}

void
InterfaceTurns::GoOn(uint8_t number)
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
        Simulator::Schedule(next - now, &InterfaceTurns::GoOn, Ptr<InterfaceTurns>(this), number);
    }
}

void
InterfaceTurns::Take(Lane& lane)
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

} // namespace ns3
