/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-scheduler.h"

#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WormholeScheduler);

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

int64_t
WormholeScheduler::GetNextTime(const EventImpl* running, int64_t otherwise)
{
    const auto scheduler = s_running;
    if (!scheduler || scheduler->m_running != running)
    {
        return otherwise;
    }
    if (!scheduler->m_asked)
    {
        scheduler->m_asked = true;
        const auto type = Simulator::GetImplementation()->GetInstanceTypeId();
        scheduler->m_alone = type.GetName() == "ns3::DefaultSimulatorImpl";
    }
    if (!scheduler->m_alone || scheduler->PriorityQueueScheduler::IsEmpty())
    {
        return otherwise;
    }
    return static_cast<int64_t>(scheduler->PriorityQueueScheduler::PeekNext().key.m_ts);
}

Scheduler::Event
WormholeScheduler::RemoveNext()
{
    const auto event = PriorityQueueScheduler::RemoveNext();
    m_running = event.impl;
    s_running = this;
    return event;
}

} // namespace ns3
