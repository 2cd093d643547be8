/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_SCHEDULER_H
#define WORMHOLE_SCHEDULER_H

#include "ns3/priority-queue-scheduler.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class EngineRounds;

/**
 * @ingroup wormhole
 * @brief ns-3's PriorityQueueScheduler, which also has fabrics decide between events.
 *
 * Before it hands out an event, it asks fabrics to make the decisions of all the time until then,
 * in which nothing happens that they don't know of. So decisions take no events of their own.
 * Results are the same with any scheduler. To use it, before the first node::
 *
 *     GlobalValue::Bind("SchedulerType", StringValue("ns3::WormholeScheduler"));
 *
 * It helps with ns-3's DefaultSimulatorImpl, to which events come from running events alone.
 * PeekNext, which that does not ask, tells of events only.
 */
class WormholeScheduler : public PriorityQueueScheduler
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    ~WormholeScheduler() override;

    /// Asks for an engine's decisions to be made before the next events.
    /// @param engine an engine that has decisions to make
    /// @return whether they will be. Not if the event at work comes from another scheduler, or if
    /// ns-3's simulator is not the DefaultSimulatorImpl
    static bool Await(EngineRounds& engine);

    /// Forgets what an engine asked for. @param engine the engine
    static void Forget(EngineRounds& engine);

    /// @return time of the next event, ns-3 time units; without one, a time that never comes. While
    /// engines decide only
    int64_t GetNextTime() const
    {
        return m_next;
    }

    void Insert(const Scheduler::Event& event) override; ///< Takes an event. @param event the event
    /// Takes an event out. @param event the event
    void Remove(const Scheduler::Event& event) override;

    bool IsEmpty() const override; ///< @return whether there are neither events nor decisions

    /// Has engines decide, and takes out the next event. @return the event
    Scheduler::Event RemoveNext() override;

  private:
    void LetDecide();       ///< Has engines make all decisions that the next event cannot change.
    void ReturnDecisions(); ///< Has engines see to events for their decisions themselves.
    void FindNext();        ///< Finds out when the next event comes.

    /// When the next event comes, ns-3 time units. Engines ask after every decision, and few of
    /// these bring an event.
    int64_t m_next{0};
    bool m_asked{false};                  ///< whether m_alone is known
    bool m_alone{false};                  ///< whether events come from running events alone
    std::vector<EngineRounds*> m_waiting; ///< who has decisions to make, in the order of asking
    uint64_t m_eventsRun{UINT64_MAX};     ///< events that had run when engines decided last

    static thread_local WormholeScheduler* s_running; ///< whose event was taken out last
};

} // namespace ns3

#endif /* WORMHOLE_SCHEDULER_H */
