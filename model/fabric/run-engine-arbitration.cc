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

/// The event of an output that grants. One object serves an output for good.
class RunEngine::Decision : public EventImpl
{
  public:
    /**
     * @param engine the fabric's engine
     * @param output the output to decide on
     */
    Decision(RunEngine& engine, WormholeOutput& output)
        : m_engine(engine),
          m_output(output)
    {
    }

  private:
    void Notify() override
    {
        m_engine.OnDecision(m_output);
    }

    RunEngine& m_engine;      ///< the fabric's engine
    WormholeOutput& m_output; ///< the output to decide on
};

/// The event of a worm that arrives at a host. Used again and again.
class RunEngine::Arrival : public EventImpl
{
  public:
    /// @param engine the fabric's engine
    explicit Arrival(RunEngine& engine)
        : m_engine(engine)
    {
    }

    WormholeOutput* output{nullptr}; ///< the channel it comes by
    Ptr<const Worm> worm;            ///< the worm

  private:
    void Notify() override
    {
        m_engine.OnArrival(*this);
    }

    RunEngine& m_engine; ///< the fabric's engine
};

RunEngine::RunEngine() = default;
RunEngine::~RunEngine() = default;

void
RunEngine::SetWatch(int64_t interval,
                    uint64_t leastEvents,
                    Watcher standstill,
                    Watcher watch)
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
    visit->asked = true;
    AskOutputs(visit,
               std::max(input->left, visit->arrivals.GetFirstTime()),
               input->upstream ? input->number : -1);
    return true;
}

void
RunEngine::AskOutputs(WormVisit* visit, int64_t time, int32_t number)
{
    for (uint32_t i = 0; i < visit->lanes.size(); ++i)
    {
        auto& output = *visit->lanes[i].output;
        output.port->NotifyRequest(visit->worm, time);
        output.requests.push_back({time, number, m_requests++, visit, i});
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
    if (output.owner || output.requests.empty())
    {
        return;
    }
    auto time = WormholeOutput::NEVER;
    for (const auto& request : output.requests)
    {
        time = std::min(time, request.time);
    }
    time = std::max(time, output.freeAt);
    if (!output.contested || (allAsked && time <= m_now))
    {
        Grant(output, time);
    }
    else if (time < output.decisionAt)
    {
        if (!output.decision)
        {
            output.decision = Create<Decision>(*this, output);
        }
        output.decisionAt = time;
        auto& scheduled = output.decisions;
        if (std::find(scheduled.begin(), scheduled.end(), time) != scheduled.end())
        {
            return; // an earlier decision had replaced this one
        }
        scheduled.push_back(time);
        ++m_counts.eventsPending;
        Simulator::ScheduleWithContext(output.node->context,
                                       TimeStep(time - m_now),
                                       GetPointer(output.decision));
    }
}

void
RunEngine::OnDecision(WormholeOutput& output)
{
    --m_counts.eventsPending;
    m_now = Simulator::Now().GetTimeStep();
    auto& scheduled = output.decisions;
    *std::find(scheduled.begin(), scheduled.end(), m_now) = scheduled.back();
    scheduled.pop_back();
    if (output.decisionAt == m_now) // else an earlier decision has replaced this one
    {
        output.decisionAt = WormholeOutput::NEVER;
        output.node->TakeDue(m_now);
        Arm(output, true);
        Propagate();
    }
    CheckProgress();
}

void
RunEngine::Grant(WormholeOutput& output, int64_t time)
{
    auto first = output.requests.begin();
    for (auto it = first + 1; it < output.requests.end(); ++it)
    {
        if (std::tie(it->time, it->number, it->order) <
            std::tie(first->time, first->number, first->order))
        {
            first = it;
        }
    }
    auto visit = first->visit;
    auto& lane = visit->lanes[first->lane];
    auto& flow = visit->flows[visit->flows.size() > 1 ? first->lane : 0];
    output.requests.erase(first);
    output.owner = visit;
    output.port->NotifyGrant(visit->worm, time);
    lane.base = output.sent;
    flow.earliest = std::max(flow.earliest, time);
    if (--flow.missing == 0)
    {
        Wake(visit);
    }
}

void
RunEngine::ScheduleTake(int64_t time, WormholeCrossbar* node)
{
    ++m_counts.eventsPending;
    Simulator::ScheduleWithContext(node->context,
                                   TimeStep(time - m_now),
                                   &RunEngine::OnTake,
                                   this,
                                   node);
}

void
RunEngine::OnTake(WormholeCrossbar* node)
{
    --m_counts.eventsPending;
    m_now = Simulator::Now().GetTimeStep();
    node->TakeDue(m_now);
    CheckProgress();
}

void
RunEngine::ScheduleArrival(WormholeOutput& output, const Ptr<const Worm>& worm, int64_t time)
{
    if (m_spareArrivals.empty())
    {
        m_spareArrivals.push_back(Create<Arrival>(*this));
    }
    auto arrival = std::move(m_spareArrivals.back());
    m_spareArrivals.pop_back();
    arrival->output = &output;
    arrival->worm = worm;
    ++m_counts.eventsPending;
    Simulator::ScheduleWithContext(output.farNode->context,
                                   TimeStep(time - m_now),
                                   GetPointer(arrival));
}

void
RunEngine::OnArrival(Arrival& arrival)
{
    --m_counts.eventsPending;
    const auto worm = std::move(arrival.worm);
    const auto& output = *arrival.output;
    m_spareArrivals.emplace_back(&arrival);
    output.farNode->Take(output.farPort->GetNumber(), worm);
    m_now = Simulator::Now().GetTimeStep();
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
