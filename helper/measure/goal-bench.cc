/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-bench.h"

#include "ns3/activity-recorder.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
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
        ActivityRecorder::Get()->NameGroup(m_jobs[number].program->GetGroup(),
                                           "job " + std::to_string(number));
    }
}

LatencyIntervals
GoalBench::Explain(uint32_t program) const
{
    const auto& job = m_jobs.at(program);
    const auto last = std::max_element(job.ends.begin(), job.ends.end());
    return m_explainer->ExplainMember(*job.program,
                                      1,
                                      static_cast<uint32_t>(last - job.ends.begin()),
                                      m_start.GetTimeStep());
}

std::string
GoalBench::Describe(const Worm& worm) const
{
    return m_explainer->Describe(worm);
}

void
GoalBench::Leave(GoalBench* bench, uint32_t job, uint32_t rank, uint64_t)
{
    bench->m_jobs[job].ends[rank] = Simulator::Now() - bench->m_start;
}

void
GoalBench::Begin()
{
    m_start = Simulator::Now();
    for (auto& job : m_jobs)
    {
        for (uint32_t rank = 0; rank < job.ends.size(); ++rank)
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
}

const std::vector<Time>&
GoalBench::GetEnds(uint32_t program) const
{
    return m_jobs.at(program).ends;
}

} // namespace ns3
