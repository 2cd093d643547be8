/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_SCHEDULER_H
#define WORMHOLE_SCHEDULER_H

#include "ns3/priority-queue-scheduler.h"

#include <cstdint>

namespace ns3
{

class EventImpl;

/**
 * @ingroup wormhole
 * @brief ns-3's PriorityQueueScheduler, which also tells fabrics when the next event comes.
 *
 * Until then nothing happens that a fabric does not know of, so it makes the decisions of all that
 * time in one event rather than in many. Results are the same with any scheduler. To use it, before
 * the first event::
 *
 *     GlobalValue::Bind("SchedulerType", StringValue("ns3::WormholeScheduler"));
 */
class WormholeScheduler : public PriorityQueueScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~WormholeScheduler() override;

    /**
     * @param running an event
     * @param otherwise what to return if it is not known
     * @return time of the event after the running one, ns-3 time units. Not known if the running
     *         one is not that event, taken from a scheduler of this type by ns-3's
     *         DefaultSimulatorImpl (others get events from outside at any time), or is the last one
     */
    static int64_t GetNextTime(const EventImpl* running, int64_t otherwise);

    /// Takes out the next event, and notes that it runs. @return the event
    Scheduler::Event RemoveNext() override;

  private:
    bool m_asked{false};                 ///< whether m_alone is known
    bool m_alone{false};                 ///< whether events come from running events alone
    const EventImpl* m_running{nullptr}; ///< the event taken out last

    static thread_local WormholeScheduler* s_running; ///< whose event was taken out last
};

} // namespace ns3

#endif /* WORMHOLE_SCHEDULER_H */
