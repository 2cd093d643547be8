/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-application.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/time-limit.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

TypeId
CollectiveApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CollectiveApplication")
            .SetParent<Application>()
            .SetGroupName("Wormhole")
            .AddConstructor<CollectiveApplication>()
            .AddAttribute("Repetitions",
                          "How often the schedule is done; 0: until the application is stopped.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&CollectiveApplication::m_repetitions),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource(
                "Step",
                "A step of the schedule is done; with its index, from 0, and what it took.",
                MakeTraceSourceAccessor(&CollectiveApplication::m_stepTrace),
                "ns3::CollectiveApplication::StepTracedCallback")
            .AddTraceSource("Done",
                            "The last step of the schedule is done; with how often it was by now.",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_doneTrace),
                            "ns3::CollectiveApplication::DoneTracedCallback");
    return tid;
}

void
CollectiveApplication::DoDispose()
{
    m_running = m_waiting = false;
    m_steps.clear();
    Application::DoDispose();
}

void
CollectiveApplication::AddComputation(Ptr<RandomVariableStream> seconds)
{
    m_steps.push_back({seconds, nullptr, 0, 0});
}

void
CollectiveApplication::AddCollective(Ptr<Collective> group, uint32_t rank, uint64_t value)
{
    group->SetLeaveCallback(
        rank,
        MakeCallback(&CollectiveApplication::Leave, Ptr<CollectiveApplication>(this)));
    m_steps.push_back({nullptr, group, rank, value});
}

uint64_t
CollectiveApplication::GetNDone() const
{
    return m_nDone;
}

uint64_t
CollectiveApplication::GetResult() const
{
    return m_result;
}

int64_t
CollectiveApplication::AssignComputationStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& step : m_steps)
    {
        if (step.seconds)
        {
            step.seconds->SetStream(stream + used);
            ++used;
        }
    }
    return used;
}

void
CollectiveApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_running && !m_steps.empty())
    {
        m_running = true;
        Begin();
    }
}

void
CollectiveApplication::StopApplication()
{
    m_running = false;
}

void
CollectiveApplication::Begin()
{
    const auto& step = m_steps[m_next];
    m_since = Simulator::Now();
    if (step.group)
    {
        if (step.group->IsReady())
        {
            Enter();
        }
        else
        {
            m_waiting = true;
            step.group->TraceConnectWithoutContext(
                "Ready",
                MakeCallback(&CollectiveApplication::Ready, Ptr<CollectiveApplication>(this)));
        }
        return;
    }
    const auto what = "step " + std::to_string(m_next) + " of a schedule computes for";
    const auto duration = TimeLimit::FromSeconds(step.seconds->GetValue(), what);
    // The process is that of its collectives; without any, nobody else knows of it.
    auto end = TimeLimit::Add(Simulator::Now(), duration);
    for (const auto& other : m_steps)
    {
        if (other.group)
        {
            const auto task = other.group->GetTask(other.rank);
            end = other.group->GetSoftware(other.rank).Occupy(task, Simulator::Now(), duration);
            break;
        }
    }
    Simulator::Schedule(end - Simulator::Now(),
                        &CollectiveApplication::End,
                        Ptr<CollectiveApplication>(this));
}

void
CollectiveApplication::Ready(Time)
{
    if (m_waiting)
    {
        // Not at once: others are told that it is ready first.
        m_waiting = false;
        Simulator::ScheduleNow(&CollectiveApplication::Enter, Ptr<CollectiveApplication>(this));
    }
}

void
CollectiveApplication::Enter()
{
    if (m_steps.empty())
    {
        return;
    }
    const auto& step = m_steps[m_next];
    step.group->Enter(step.rank, step.value);
}

void
CollectiveApplication::Leave(uint64_t result)
{
    m_result = result;
    // Not at once: the group is still busy with this member.
    Simulator::ScheduleNow(&CollectiveApplication::End, Ptr<CollectiveApplication>(this));
}

void
CollectiveApplication::End()
{
    if (m_steps.empty())
    {
        return;
    }
    m_stepTrace(static_cast<uint32_t>(m_next), Simulator::Now() - m_since);
    if (++m_next == m_steps.size())
    {
        m_next = 0;
        ++m_nDone;
        m_doneTrace(m_nDone);
        m_running = m_running && (m_repetitions == 0 || m_nDone < m_repetitions);
    }
    if (m_running)
    {
        Begin();
    }
}

} // namespace ns3
