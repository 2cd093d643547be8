/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-scheduler.h"

#include "run-engine.h"

#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WormholeScheduler);

/// A time that never comes, but that a fabric can add to, ns-3 time units.
static constexpr auto END_OF_TIME = std::numeric_limits<int64_t>::max() / 2;

thread_local WormholeScheduler* WormholeScheduler::s_running = nullptr;

TypeId
WormholeScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WormholeScheduler")
                            .SetParent<PriorityQueueScheduler>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<WormholeScheduler>();
    return tid;
}

WormholeScheduler::~WormholeScheduler()
{
    if (s_running == this)
    {
        s_running = nullptr;
    }
}

bool
WormholeScheduler::Await(RunEngine& engine)
{
    const auto scheduler = s_running;
    if (!scheduler)
    {
        return false;
    }
    if (!scheduler->m_asked)
    {
        scheduler->m_asked = true;
        const auto type = Simulator::GetImplementation()->GetInstanceTypeId();
        scheduler->m_alone = type.GetName() == "ns3::DefaultSimulatorImpl";
    }
    auto& waiting = scheduler->m_waiting;
    if (scheduler->m_alone && std::find(waiting.begin(), waiting.end(), &engine) == waiting.end())
    {
        waiting.push_back(&engine);
    }
    return scheduler->m_alone;
}

void
WormholeScheduler::Forget(RunEngine& engine)
{
    if (s_running)
    {
        auto& waiting = s_running->m_waiting;
        waiting.erase(std::remove(waiting.begin(), waiting.end(), &engine), waiting.end());
    }
}

int64_t
WormholeScheduler::GetNextTime() const
{
    return PriorityQueueScheduler::IsEmpty()
               ? END_OF_TIME
               : static_cast<int64_t>(PriorityQueueScheduler::PeekNext().key.m_ts);
}

bool
WormholeScheduler::IsEmpty() const
{
    // Who waits may have made its decisions in an event meanwhile.
    return PriorityQueueScheduler::IsEmpty() &&
           std::none_of(m_waiting.begin(), m_waiting.end(), [](const RunEngine* engine) {
               return engine->HasDecisions();
           });
}

Scheduler::Event
WormholeScheduler::RemoveNext()
{
    s_running = this;
    if (!m_waiting.empty())
    {
        const auto eventsRun = Simulator::GetEventCount();
        if (eventsRun == m_eventsRun)
        {
            HandBack(); // the event taken out before did not run: another scheduler gets them all
        }
        else
        {
            m_eventsRun = eventsRun;
            LetDecide();
        }
    }
    return PriorityQueueScheduler::RemoveNext();
}

void
WormholeScheduler::LetDecide()
{
    // What one decides may have the next event come sooner, or bring it to others.
    bool any = true;
    while (any)
    {
        any = false;
        for (std::size_t i = 0; i < m_waiting.size(); ++i)
        {
            any = m_waiting[i]->DecideBetweenEvents(*this, GetTimeOfOthers(*m_waiting[i])) || any;
        }
        any = any && m_waiting.size() > 1;
    }
    m_waiting.erase(std::remove_if(m_waiting.begin(),
                                   m_waiting.end(),
                                   [](const RunEngine* engine) { return !engine->HasDecisions(); }),
                    m_waiting.end());
}

void
WormholeScheduler::HandBack()
{
    s_running = nullptr;
    const auto engines = std::move(m_waiting);
    m_waiting.clear();
    for (const auto engine : engines)
    {
        engine->ScheduleDecisions();
    }
}

int64_t
WormholeScheduler::GetTimeOfOthers(const RunEngine& engine) const
{
    auto time = END_OF_TIME;
    for (const auto other : m_waiting)
    {
        if (other != &engine && other->HasDecisions())
        {
            // What follows from it comes later than it.
            time = std::min(time, other->GetDecisionTime() + 1);
        }
    }
    return time;
}

} // namespace ns3
