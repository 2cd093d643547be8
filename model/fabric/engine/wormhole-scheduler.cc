/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-scheduler.h"

#include "ns3/engine-rounds.h"
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

namespace
{

/// Before which time none of the other engines does anything, for each of those that wait. What one
/// decides changes that; while nobody decides, it is known of all by the two that are next.
class TimesOfOthers
{
  public:
    explicit TimesOfOthers(const std::vector<EngineRounds*>& waiting)
    {
        for (const auto engine : waiting)
        {
            if (!engine->HasDecisions())
            {
                continue;
            }
            // What follows from it comes later than it.
            const auto time = engine->GetDecisionTime() + 1;
            if (time < m_first)
            {
                m_second = m_first;
                m_first = time;
                m_next = engine;
            }
            else
            {
                m_second = std::min(m_second, time);
            }
        }
    }

    int64_t Get(const EngineRounds& engine) const
    {
        return &engine == m_next ? m_second : m_first;
    }

  private:
    const EngineRounds* m_next{nullptr}; ///< who decides next
    int64_t m_first{END_OF_TIME};        ///< when it has
    int64_t m_second{END_OF_TIME};       ///< when the one after it has
};

} // namespace

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
WormholeScheduler::Await(EngineRounds& engine)
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
WormholeScheduler::Forget(EngineRounds& engine)
{
    if (s_running)
    {
        auto& waiting = s_running->m_waiting;
        waiting.erase(std::remove(waiting.begin(), waiting.end(), &engine), waiting.end());
    }
}

void
WormholeScheduler::FindNext()
{
    m_next = PriorityQueueScheduler::IsEmpty()
                 ? END_OF_TIME
                 : static_cast<int64_t>(PriorityQueueScheduler::PeekNext().key.m_ts);
}

void
WormholeScheduler::Insert(const Scheduler::Event& event)
{
    m_next = std::min(m_next, static_cast<int64_t>(event.key.m_ts));
    PriorityQueueScheduler::Insert(event);
}

void
WormholeScheduler::Remove(const Scheduler::Event& event)
{
    PriorityQueueScheduler::Remove(event);
    FindNext();
}

bool
WormholeScheduler::IsEmpty() const
{
    // Who waits may have made its decisions in an event meanwhile.
    return PriorityQueueScheduler::IsEmpty() &&
           std::none_of(m_waiting.begin(), m_waiting.end(), [](const EngineRounds* engine) {
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
            ReturnDecisions(); // the event taken out before did not run: another scheduler gets
                               // them all
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
    FindNext();
    bool any = true;
    while (any)
    {
        any = false;
        TimesOfOthers others(m_waiting);
        for (std::size_t i = 0; i < m_waiting.size(); ++i)
        {
            if (m_waiting[i]->DecideBetweenEvents(*this, others.Get(*m_waiting[i])))
            {
                any = true;
                others = TimesOfOthers(m_waiting);
            }
        }
        any = any && m_waiting.size() > 1;
    }
    m_waiting.erase(
        std::remove_if(m_waiting.begin(),
                       m_waiting.end(),
                       [](const EngineRounds* engine) { return !engine->HasDecisions(); }),
        m_waiting.end());
}

void
WormholeScheduler::ReturnDecisions()
{
    s_running = nullptr;
    const auto engines = std::move(m_waiting);
    m_waiting.clear();
    for (const auto engine : engines)
    {
        engine->ScheduleDecisions();
    }
}

} // namespace ns3
