/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-engine.h"
#include "wormhole-port.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

void
WormholeOutput::Notify()
{
    node->engine->OnDecision(*this);
}

/// The event of a worm that arrives at a host or is complete in a switch. Used again and again.
class RunEngine::Arrival : public EventImpl
{
  public:
    WormholeCrossbar* node{nullptr}; ///< the host's interface or the switch
    uint32_t port{0};                ///< at a host: number of the port it comes by
    Ptr<const Worm> worm;            ///< at a host: the worm; null: the switch knows

  private:
    void Notify() override
    {
        node->engine->OnArrival(*this);
    }
};

RunEngine::RunEngine() = default;
RunEngine::~RunEngine() = default;

void
RunEngine::SetWatch(int64_t interval, uint64_t leastEvents, Watcher standstill, Watcher watch)
{
    m_eventsToWatch = leastEvents;
    m_watchInterval = interval;
    m_standstill = standstill;
    m_watch = watch;
}

bool
RunEngine::Ask(WormVisit* visit)
{
    auto input = visit->input;
    if (input->front != visit || visit->arrivals.GetEnd() == 0)
    {
        return false;
    }
    AskOutputs(visit,
               std::max(input->left, visit->arrivals.GetFirstTime()),
               input->upstream ? input->number : -1);
    return true;
}

void
RunEngine::AskOutputs(WormVisit* visit, int64_t time, int32_t number)
{
    visit->asked = true;
    for (auto& lane : visit->lanes)
    {
        auto& output = *lane.output;
        if (output.traced)
        {
            output.port->NotifyRequest(visit->worm, time);
        }
        lane.askedAt = time;
        lane.number = number;
        output.AddRequest(lane);
    }
    // A switch asks itself only when all other requests of the instant are there, and an
    // interface has one who asks, so these may be granted without waiting for an event.
    for (const auto& lane : visit->lanes)
    {
        Arm(*lane.output, number < 0);
    }
}

void
RunEngine::Arm(WormholeOutput& output, bool allAsked)
{
    if (output.owner || !output.requests)
    {
        return;
    }
    auto& first = FirstRequest(output);
    const auto time = std::max(first.askedAt, output.freeAt);
    if (!output.contested || (allAsked && time <= m_now))
    {
        Grant(output, first, time);
    }
    else if (time < output.decisionAt)
    {
        const bool scheduled = time == output.replaced;
        if (scheduled || output.decisionAt != WormholeOutput::NEVER)
        {
            output.replaced = output.decisionAt; // its event does nothing unless it is taken again
        }
        output.decisionAt = time;
        if (scheduled)
        {
            return;
        }
        ++m_counts.eventsPending;
        Simulator::ScheduleWithContext(output.node->context,
                                       TimeStep(time - m_now),
                                       GetPointer(Ptr<EventImpl>(&output)));
    }
}

void
RunEngine::OnDecision(WormholeOutput& output)
{
    --m_counts.eventsPending;
    m_now = Simulator::Now().GetTimeStep();
    if (output.replaced == m_now)
    {
        output.replaced = WormholeOutput::NEVER;
    }
    if (output.decisionAt == m_now) // else an earlier decision has replaced this one
    {
        output.decisionAt = WormholeOutput::NEVER;
        output.node->TakeDue(m_now);
        Arm(output, true);
        Propagate();
    }
    CheckProgress();
}

WormLane&
RunEngine::FirstRequest(const WormholeOutput& output)
{
    auto first = output.requests;
    for (auto lane = first->nextRequest; lane; lane = lane->nextRequest)
    {
        // Of those who ask the same way at the same time, such as messages of the switch itself,
        // the first in the list asked first.
        if (std::tie(lane->askedAt, lane->number) < std::tie(first->askedAt, first->number))
        {
            first = lane;
        }
    }
    return *first;
}

void
RunEngine::Grant(WormholeOutput& output, WormLane& lane, int64_t time)
{
    const auto visit = lane.visit;
    auto& flow = visit->inStep ? visit->lanes.front().flow : lane.flow;
    output.RemoveRequest(lane);
    output.owner = visit;
    if (output.traced)
    {
        output.port->NotifyGrant(visit->worm, time);
    }
    lane.base = output.sent;
    flow.earliest = std::max(flow.earliest, time);
    if (--flow.missing == 0)
    {
        Wake(visit);
    }
}

void
RunEngine::ScheduleArrival(int64_t time,
                           WormholeCrossbar* node,
                           uint32_t port,
                           const Ptr<const Worm>& worm)
{
    if (m_spareArrivals.empty())
    {
        m_spareArrivals.push_back(Create<Arrival>());
    }
    auto arrival = std::move(m_spareArrivals.back());
    m_spareArrivals.pop_back();
    arrival->node = node;
    arrival->port = port;
    arrival->worm = worm;
    ++m_counts.eventsPending;
    Simulator::ScheduleWithContext(node->context, TimeStep(time - m_now), GetPointer(arrival));
}

void
RunEngine::OnArrival(Arrival& arrival)
{
    --m_counts.eventsPending;
    const auto node = arrival.node;
    const auto port = arrival.port;
    const auto worm = std::move(arrival.worm);
    m_spareArrivals.emplace_back(&arrival);
    m_now = Simulator::Now().GetTimeStep();
    if (worm)
    {
        node->Take(port, worm);
    }
    else
    {
        node->TakeDue(m_now);
    }
    CheckProgress();
}

void
RunEngine::CheckProgress()
{
    if (m_counts.eventsPending == 0 && m_counts.endsLeft > 0 && !m_standstill.IsNull())
    {
        m_standstill();
    }
    else if (m_eventsLeft > 0)
    {
        --m_eventsLeft;
    }
    else if (m_watchInterval > 0 && m_now >= m_nextWatch)
    {
        m_eventsLeft = m_eventsToWatch;
        m_nextWatch = m_now + m_watchInterval;
        m_watch();
    }
}

} // namespace ns3
