// SPDX-License-Identifier: GPL-2.0-only

#include "goal-bench.h"

#include "ns3/collective-helper.h"
#include "ns3/goal-conversion.h"
#include "ns3/goal-program.h"
#include "ns3/group-schedules.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <sstream>

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
    m_nInside = SumOf(m_jobs, [](const auto& job) { return job.present.size(); });
    for (auto& job : m_jobs)
    {
        for (uint32_t rank = 0; rank < job.present.size(); ++rank)
        {
            job.program->Enter(rank);
        }
    }
}

void
GoalBench::Run()
{
    Simulator::ScheduleNow(&GoalBench::Begin, this);
    Simulator::Run();
    for (std::size_t number = 0; number < m_jobs.size(); ++number)
    {
        const auto wait = m_jobs[number].program->ExplainWait();
        WormholeError::ThrowIf(!wait.empty(),
                               (m_jobs.size() > 1 ? "job " + std::to_string(number) + ", " : "") +
                                   wait);
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
    const auto unloaded = GreatestOf(Time(), m_jobs, [](const auto& job) {
        return *std::max_element(job.ends.begin(), job.ends.end());
    });
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

namespace
{

bool
IsOfData(const std::string& kind, const std::string& name)
{
    if (kind == "barrier")
    {
        return false;
    }
    const auto names = CollectiveHelper::GetDataNames(kind);
    return std::find(names.begin(), names.end(), name.substr(0, name.find('['))) != names.end();
}

} // namespace

GoalSchedule
GoalCollective::Make(const std::string& kind,
                     const std::string& name,
                     uint32_t members,
                     uint64_t bytes,
                     uint32_t root)
{
    const auto kindName = CollectiveHelper::GetKindName(kind);
    WormholeError::ThrowIf(members == 0 || root >= members,
                           "root " + std::to_string(root) + " of " + std::to_string(members) +
                               " members; expected one member or more, and a rank of theirs");
    const bool isData = IsOfData(kindName, name);
    const auto made = isData ? Ptr<Collective>(CollectiveHelper::MakeData(kindName, name))
                             : CollectiveHelper::MakeCollective(kindName, name);
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
    WormholeError::ThrowIf(!maker,
                           "'" + name +
                               "' is not by software alone, so that there is no schedule of it; "
                               "expected algorithms by software");
    WormholeError::ThrowIf(!isData && kindName != "broadcast" && bytes > 8,
                           "'" + name + "' moves up to 8 bytes; there are " +
                               std::to_string(bytes));
    ScheduleRequest request;
    request.kind = made->GetKind();
    request.members = members;
    request.root = root;
    if (!isData)
    {
        return GoalConversion::Convert(LinkedSchedules(maker->MakeSchedules(request)), bytes);
    }
    request.hosts = NumbersBelow(members);
    request.elementBytes = bytes % 4 == 0 ? 4 : 1;
    request.parts.assign(DataKindInvariant::GetNParts(request.kind, members), bytes);
    if (request.kind == DataKind::REDUCE_SCATTER)
    {
        const auto even = BlockLayout::MakeEven(bytes, members, request.elementBytes);
        for (uint32_t part = 0; part < members; ++part)
        {
            request.parts[part] = even.GetBytes(part);
        }
    }
    const auto schedules = maker->MakeGroupSchedules(request);
    return GoalConversion::Convert(LinkedSchedules(schedules.members, schedules.layout), 0);
}

void
GoalCollective::Replace(GoalSchedule& schedule,
                        const std::string& kind,
                        const std::string& name,
                        uint64_t bytes,
                        uint32_t root,
                        const std::string& labels)
{
    GoalConversion::Set set;
    std::istringstream lines(labels);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream words(line);
        uint32_t rank = 0;
        words >> rank;
        WormholeError::ThrowIf(rank >= schedule.GetNRanks(),
                               "there is no rank " + std::to_string(rank) + "; ranks are 0 to " +
                                   std::to_string(schedule.GetNRanks() - 1));
        std::vector<uint32_t> operations;
        for (std::string label; words >> label;)
        {
            const auto found = schedule.At(rank).labels.find(label);
            WormholeError::ThrowIf(found == schedule.At(rank).labels.end(),
                                   "rank " + std::to_string(rank) + " has no operation '" + label +
                                       "'; expected labels of a schedule as text");
            operations.push_back(found->second);
        }
        set.push_back({rank, operations});
    }
    const auto place = FindIn(set, [=](const auto& entry) { return entry.first == root; });
    const auto rootPlace = place == set.end() ? 0 : place - set.begin();
    GoalConversion::Replace(schedule,
                            set,
                            Make(kind,
                                 name,
                                 static_cast<uint32_t>(set.size()),
                                 bytes,
                                 static_cast<uint32_t>(rootPlace)));
}

} // namespace ns3
