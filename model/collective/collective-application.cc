// SPDX-License-Identifier: GPL-2.0-only

#include "collective-application.h"

#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

void
SplitPhaseOrder::CheckEnter(Ptr<const Collective> group) const
{
    const auto found = m_entered.find(group);
    if (found != m_entered.end())
    {
        throw WormholeError(
            "step " + std::to_string(m_nSteps) + " of a schedule enters the collective that step " +
            std::to_string(found->second) + " has entered; expected a wait for it in between");
    }
}

void
SplitPhaseOrder::Wait(Ptr<const Collective> group)
{
    if (m_entered.erase(group) == 0)
    {
        auto steps = MadeOf(m_entered, [](const auto& entry) { return entry.second; });
        std::sort(steps.begin(), steps.end());
        const auto list = PrintNumbers(steps, ", ");
        throw WormholeError(
            "step " + std::to_string(m_nSteps) +
            " of a schedule waits for a collective that was not entered; expected " +
            (list.empty() ? "one that an earlier step has entered"
                          : "one of those entered by step " + list));
    }
    ++m_nSteps;
}

void
SplitPhaseOrder::CheckEnd() const
{
    uint32_t first = m_nSteps;
    for (const auto& entry : m_entered)
    {
        first = std::min(first, entry.second);
    }
    WormholeError::ThrowIf(first < m_nSteps,
                           "a schedule ends at step " + std::to_string(m_nSteps) +
                               " without a wait for the collective that step " +
                               std::to_string(first) +
                               " enters; expected a wait for each that is entered");
}

NS_LOG_COMPONENT_DEFINE("CollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

TypeId
CollectiveApplication::GetTypeId()
{
    static TypeId tid =
        NewType::Of<CollectiveApplication, Application>("ns3::CollectiveApplication")
            .Add("Repetitions",
                 "Number of times that the schedule runs; 0: until the application is stopped.",
                 Sets::Number(&CollectiveApplication::m_repetitions, 1))
            .Add("Step",
                 "A step of the schedule has ended; with its index, from 0, and its duration.",
                 &CollectiveApplication::m_stepTrace,
                 "ns3::CollectiveApplication::StepTracedCallback")
            .Add("Done",
                 "The last step of the schedule has ended; with the number of times so far.",
                 &CollectiveApplication::m_doneTrace,
                 "ns3::CollectiveApplication::DoneTracedCallback");
    return tid;
}

uint32_t
CollectiveApplication::FindGroup(const Ptr<Collective>& collective, uint32_t rank)
{
    const auto found =
        FindIn(m_groups, [&](const auto& group) { return group.collective == collective; });
    const auto index = static_cast<uint32_t>(found - m_groups.begin());
    if (found == m_groups.end())
    {
        m_groups.push_back({collective, rank});
        collective->SetLeaveCallback(rank,
                                     MakeBoundCallback(&CollectiveApplication::Leave,
                                                       Ptr<CollectiveApplication>(this),
                                                       index));
    }
    return index;
}

void
CollectiveApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_order.CheckEnd();
    if (!m_running && !m_steps.empty())
    {
        m_running = true;
        Begin();
    }
}

HostSoftware*
CollectiveApplication::FindSoftware(uint32_t& task) const
{
    if (m_groups.empty())
    {
        return nullptr;
    }
    const auto& [collective, rank, isEntered, hasLeft, result] = m_groups.front();
    task = collective->GetTask(rank);
    return &collective->GetSoftware(rank);
}

void
CollectiveApplication::Begin()
{
    const auto& step = m_steps[m_next];
    m_since = Simulator::Now();
    if (step.kind == Kind::COMPUTE)
    {
        Compute();
        return;
    }
    auto& group = m_groups[step.group];
    if (step.kind == Kind::WAIT)
    {
        m_leaving = true;
        if (group.hasLeft)
        {
            Later(Time(0), &CollectiveApplication::EndWait);
        }
    }
    else if (group.collective->IsReady())
    {
        Enter();
    }
    else
    {
        m_waiting = true;
        group.collective->TraceConnectWithoutContext(
            "Ready",
            MakeCallback(&CollectiveApplication::Ready, Ptr<CollectiveApplication>(this)));
    }
}

void
CollectiveApplication::Compute()
{
    const auto now = Simulator::Now();
    uint32_t task = 0;
    // The process is that of its collectives; without any, nobody else knows of it.
    auto software = FindSoftware(task);
    const bool isBetween = AnyOf(m_groups, [](const auto& group) { return group.isEntered; });
    const auto free = software && isBetween ? software->GetCallEnd(task) : now;
    if (free > now)
    {
        Later(free - now, &CollectiveApplication::Compute);
        return;
    }
    const auto what = "step " + std::to_string(m_next) + " of a schedule computes for";
    const auto duration = TimeLimit::FromSeconds(m_steps[m_next].seconds->GetValue(), what);
    const auto end = software ? software->Compute(task, duration) : TimeLimit::Add(now, duration);
    Later(end - now, &CollectiveApplication::EndComputation);
}

void
CollectiveApplication::EndComputation()
{
    uint32_t task = 0;
    const auto now = Simulator::Now();
    const auto software = FindSoftware(task);
    const auto end = software ? software->GetComputingUntil(task) : now;
    end > now ? Later(end - now, &CollectiveApplication::EndComputation) : End();
}

void
CollectiveApplication::Enter()
{
    const auto step = m_steps[m_next]; // listeners may add steps
    auto& group = m_groups[step.group];
    group.hasLeft = false;
    m_leaving = step.kind == Kind::MEET;
    group.isEntered = !m_leaving;
    group.collective->Enter(group.rank, step.value);
    if (step.kind == Kind::ENTER)
    {
        Return();
    }
}

void
CollectiveApplication::Return()
{
    uint32_t task = 0;
    const auto software = FindSoftware(task);
    const auto wait = software ? software->GetCallEnd(task) - Simulator::Now() : Time(0);
    wait.IsStrictlyPositive() ? Later(wait, &CollectiveApplication::Return) : End();
}

void
CollectiveApplication::Leave(Ptr<CollectiveApplication> application,
                             uint32_t group,
                             uint64_t result)
{
    auto& process = *application;
    if (group >= process.m_groups.size())
    {
        return;
    }
    process.m_groups[group].hasLeft = true;
    process.m_groups[group].result = result;
    if (process.m_leaving && process.m_steps[process.m_next].group == group)
    {
        // Not at once: the group is still busy with this member.
        process.Later(Time(0), &CollectiveApplication::EndWait);
    }
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
