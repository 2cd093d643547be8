// SPDX-License-Identifier: GPL-2.0-only

// How a fabric finds and reports worms that wait for each other for ever.

#include "wormhole-fabric.h"

#include "ns3/fabric-engine.h"
#include "ns3/flit-wait-graph.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

Deadlock
WormholeFabric::FindDeadlock()
{
    m_engine->GetRuns().CatchUp(m_ports); // the other engines leave nothing
    // Branches in lockstep wait for each other, however deep the buffers.
    const auto longest = m_isSync ? 0 : m_engine->GetRounds().counts.longestTreeWorm;
    const auto lanes = m_engine->GetLanes();
    const auto flits = m_engine->GetFlits();
    const auto find = [&](bool hasQueues) {
        return flits   ? flits->FindDeadlock(hasQueues, longest)
               : lanes ? FindLaneDeadlock(*lanes, m_ports, hasQueues, longest)
                       : FindFlitDeadlock(m_ports, m_engine->GetRounds().times, hasQueues, longest);
    };
    const auto deadlock = find(false);
    return deadlock ? find(true) : deadlock;
}

void
WormholeFabric::OnNoProgress()
{
    if (m_deadlocked)
    {
        // The others have ended, or got stuck, too. Worms may still be sent, and each of them may
        // be the last one that moves: so not at once. A report takes time by all that are blocked:
        // so the longer it goes on, the later, or reports would take time by their square.
        constexpr int64_t PART = 16;
        const auto since = (Simulator::Now() - m_firstReport).GetTimeStep();
        ScheduleReport(std::max(m_watchInterval, TimeStep(since / PART + 1)));
    }
    else if (m_report.IsExpired())
    {
        ReportDeadlock();
        WormholeError::ThrowIf(
            !m_deadlocked && m_report.IsExpired(),
            "no worm moves, " + std::to_string(m_engine->GetRounds().counts.pendingDestinations) +
                " ends of worms are not reached, and none of the worms waits for "
                "another: this is an internal error, please report it");
    }
}

void
WormholeFabric::ScheduleReport(Time delay)
{
    if (m_report.IsExpired())
    {
        m_report = Simulator::Schedule(delay, &WormholeFabric::ReportDeadlock, this);
    }
}

void
WormholeFabric::ReportDeadlock()
{
    const auto deadlock = FindDeadlock();
    if (!deadlock || deadlock.blocked == m_reported)
    {
        return;
    }
    if (deadlock.closed >= Simulator::Now())
    {
        // The engine knows ahead. By then it knows of all cycles that close as early.
        ScheduleReport(deadlock.closed + TimeStep(1) - Simulator::Now());
        return;
    }
    m_firstReport = m_deadlocked ? m_firstReport : Simulator::Now();
    m_deadlocked = true;
    m_reported = deadlock.blocked;
    const auto report = Explain(deadlock);
    m_deadlockTrace(report);
    WormholeError::ThrowIf(m_throw, report);
}

} // namespace ns3
