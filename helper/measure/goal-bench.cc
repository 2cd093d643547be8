/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-bench.h"

#include "ns3/goal-program.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

GoalBench::GoalBench(Ptr<CollectiveDomain> domain)
    : m_domain(domain)
{
}

GoalBench::~GoalBench()
{
    for (auto& job : m_jobs)
    {
        job.program->Dispose();
    }
}

void
GoalBench::Add(std::shared_ptr<const GoalSchedule> schedule,
               const std::vector<uint32_t>& hosts,
               const std::string& transport)
{
    auto program = CreateObject<GoalProgram>();
    program->SetAttribute("Transport", StringValue(transport));
    program->SetSchedule(schedule);
    const auto number = static_cast<uint32_t>(m_jobs.size());
    program->TraceConnectWithoutContext("Leave",
                                        MakeBoundCallback(&GoalBench::Leave, this, number));
    program->Create(m_domain, hosts);
    m_jobs.push_back({program, std::vector<Time>(hosts.size(), Time(-1))});
}

void
GoalBench::Record()
{
    m_explainer = std::make_unique<RoundExplainer>(m_domain);
    for (std::size_t number = 0; m_jobs.size() > 1 && number < m_jobs.size(); ++number)
    {
        m_domain->GetActivities().NameGroup(m_jobs[number].program->GetGroup(),
                                            "job " + std::to_string(number));
    }
}

LatencyIntervals
GoalBench::FindPath(const Job& job) const
{
    const auto& ends = job.present;
    const auto last =
        static_cast<uint32_t>(std::max_element(ends.begin(), ends.end()) - ends.begin());
    const auto start = m_start.GetTimeStep();
    const auto round = job.program->GetRound(last);
    auto path = m_explainer->ExplainMember(*job.program, round, last, start);
    for (auto& interval : path)
    {
        interval.from -= start;
        interval.to -= start;
    }
    return path;
}

const LatencyIntervals&
GoalBench::Explain(uint32_t program) const
{
    return m_jobs.at(program).path;
}

const std::vector<LatencyIntervals>&
GoalBench::ExplainUnderTraffic(uint32_t program) const
{
    return m_jobs.at(program).paths;
}

std::string
GoalBench::Describe(const Worm& worm) const
{
    return m_explainer->Describe(worm);
}

void
GoalBench::Leave(GoalBench* bench, uint32_t job, uint32_t rank, uint64_t)
{
    bench->m_jobs[job].present[rank] = Simulator::Now() - bench->m_start;
    if (--bench->m_nInside == 0 && bench->m_rounds && bench->m_rounds->HasRemaining())
    {
        bench->EndRound();
    }
}

void
GoalBench::Begin()
{
    if (m_explainer)
    {
        m_explainer->Clear();
    }
    m_start = Simulator::Now();
    m_nInside = 0;
    for (const auto& job : m_jobs)
    {
        m_nInside += job.present.size();
    }
    for (auto& job : m_jobs)
    {
        for (uint32_t rank = 0; rank < job.present.size(); ++rank)
        {
            job.program->Enter(rank);
        }
    }
}

void
GoalBench::Run(const Progress& progress)
{
    Simulator::ScheduleNow(&GoalBench::Begin, this);
    if (progress)
    {
        progress(0, 0);
    }
    Simulator::Run();
    for (std::size_t number = 0; number < m_jobs.size(); ++number)
    {
        const auto wait = m_jobs[number].program->ExplainWait();
        if (!wait.empty())
        {
            throw WormholeError((m_jobs.size() > 1 ? "job " + std::to_string(number) + ", " : "") +
                                wait);
        }
    }
    for (auto& job : m_jobs)
    {
        job.ends = job.present;
        job.path = m_explainer ? FindPath(job) : LatencyIntervals();
    }
}

void
GoalBench::RunUnderTraffic(const BackgroundTraffic::Parameters& traffic, uint32_t rounds)
{
    Time unloaded;
    for (const auto& job : m_jobs)
    {
        unloaded = std::max(unloaded, *std::max_element(job.ends.begin(), job.ends.end()));
    }
    m_rounds = std::make_unique<LoadedRounds>(*m_domain, traffic);
    m_rounds->Run("a program", rounds, unloaded, [this] { Begin(); });
}

void
GoalBench::EndRound()
{
    for (auto& job : m_jobs)
    {
        job.rounds.push_back(job.present);
        if (m_explainer)
        {
            job.paths.push_back(FindPath(job));
        }
    }
    m_rounds->End();
}

const std::vector<std::vector<Time>>&
GoalBench::GetRounds(uint32_t program) const
{
    return m_jobs.at(program).rounds;
}

const std::vector<Time>&
GoalBench::GetFinishTimes(uint32_t program) const
{
    return m_jobs.at(program).ends;
}

} // namespace ns3
