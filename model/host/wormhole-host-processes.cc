// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-host-processes.h"

#include "ns3/wormhole-exact-time.h"

namespace ns3
{

const std::string&
HostProcesses::GetActivityName(Activity activity)
{
    static const std::vector<std::string> names{"send",
                                                "receive",
                                                "post",
                                                "copy",
                                                "compute",
                                                "other"};
    return names[static_cast<std::size_t>(activity)];
}

void
HostProcesses::ShareMemory(Time from, LatencyCosts& costs)
{
    if (costs.GetMemoryTime().IsStrictlyPositive())
    {
        const auto end = TimeLimit::Add(from, costs.GetTotal());
        m_memoryUntil = TimeLimit::Add(std::max(m_memoryUntil, from), costs.GetMemoryTime());
        costs.Add(LatencyCause::MEMORY_BUSY, std::max(m_memoryUntil - end, Time(0)))
            .SetMemoryTime(Time(0));
    }
}

Time
HostProcesses::Occupy(uint32_t task, Time from, const LatencyCosts& costs, Activity activity)
{
    if (costs.GetMemoryTime().IsStrictlyPositive())
    {
        auto shared = costs;
        ShareMemory(std::max(m_busyUntil[task], from), shared);
        return Occupy(task, from, shared, activity);
    }
    if (m_activities->IsRecording())
    {
        Record(task, from, costs);
    }
    auto& busyUntil = m_busyUntil[task];
    const auto duration = costs.GetTotal();
    const auto start = std::max(busyUntil, from);
    busyUntil = TimeLimit::Add(start, duration);
    auto& computingUntil = m_computingUntil[task];
    if (m_progress == Progress::INTERRUPT && start < computingUntil)
    {
        computingUntil = TimeLimit::Add(computingUntil, duration);
    }
    if (duration.IsStrictlyPositive())
    {
        m_busyTrace(task, start, busyUntil, activity);
    }
    return busyUntil;
}

Time
HostProcesses::ChargeReceive(uint32_t task, Time from, const LatencyCosts& costs, Activity activity)
{
    // One that is interrupted already goes on with what has come since.
    const bool isInterrupted = m_progress == Progress::INTERRUPT &&
                               m_busyUntil[task] <= Simulator::Now() &&
                               from < m_computingUntil[task];
    return isInterrupted ? Occupy(task,
                                  from,
                                  LatencyCosts(LatencyCause::INTERRUPT, m_interruptTime).Add(costs),
                                  activity)
                         : Occupy(task, from, costs, activity);
}

Time
HostProcesses::Compute(uint32_t task, Time duration)
{
    const auto now = Simulator::Now();
    auto& until = m_computingUntil[task];
    switch (m_progress)
    {
    case Progress::IN_CALL:
        until = Occupy(task, now, {LatencyCause::COMPUTE, duration}, Activity::COMPUTE);
        return until;
    case Progress::INTERRUPT:
        until = TimeLimit::Add(std::max({now, until, m_busyUntil[task]}), duration);
        break;
    case Progress::INDEPENDENT:
        until = TimeLimit::Add(std::max(now, until), duration);
        break;
    }
    if (duration.IsStrictlyPositive())
    {
        m_busyTrace(task, until - duration, until, Activity::COMPUTE);
    }
    return until;
}

Time
HostProcesses::GetNextPoll(uint32_t task, Time posted, Time from) const
{
    const auto interval = m_pollInterval.GetTimeStep();
    // One that computes polls from when it is through, unless the write interrupts it.
    const auto since =
        m_progress == Progress::INDEPENDENT ? posted : std::max(posted, m_computingUntil[task]);
    if (interval == 0 || from <= since)
    {
        return from;
    }
    const auto polls = ((from - since).GetTimeStep() + interval - 1) / interval;
    return TimeLimit::Add(since, TimeLimit::Multiply(m_pollInterval, polls));
}

void
HostProcesses::Record(uint32_t task, Time from, const LatencyCosts& costs) const
{
    m_activities->Occupy({this, task},
                         GetProcessName(task),
                         m_busyUntil[task].GetTimeStep(),
                         from.GetTimeStep(),
                         costs);
}

} // namespace ns3
