/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What Python needs of GOAL schedules. The loader compiles this in memory, behind bridge.h.

#include "ns3/goal-bench.h"
#include "ns3/goal-file.h"
#include "ns3/log-gops.h"
#include "ns3/wormhole-latency-report.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3_wormhole
{

/// A GOAL schedule.
inline std::shared_ptr<ns3::GoalSchedule>
ReadGoal(const std::string& path, bool keepsLabels)
{
    return std::make_shared<ns3::GoalSchedule>(ns3::GoalFile::Read(path, keepsLabels));
}

/// A GOAL schedule from its text, see GoalFile::ReadText.
inline std::shared_ptr<ns3::GoalSchedule>
ReadGoalText(const std::string& text, const std::string& name, bool keepsLabels = false)
{
    return std::make_shared<ns3::GoalSchedule>(ns3::GoalFile::ReadText(text, name, keepsLabels));
}

/// An algorithm as a GOAL schedule, see GoalCollective::Make.
inline std::shared_ptr<ns3::GoalSchedule>
MakeGoal(const std::string& kind,
         const std::string& name,
         uint32_t members,
         uint64_t bytes,
         uint32_t root)
{
    return std::make_shared<ns3::GoalSchedule>(
        ns3::GoalCollective::Make(kind, name, members, bytes, root));
}

/// Puts an algorithm in the place of operations, see GoalCollective::Replace. Returns why it can't
/// be; empty: it is done.
inline std::string
ReplaceGoal(std::shared_ptr<ns3::GoalSchedule> schedule,
            const std::string& kind,
            const std::string& name,
            uint64_t bytes,
            uint32_t root,
            const std::string& labels)
{
    try
    {
        ns3::GoalCollective::Replace(*schedule, kind, name, bytes, root, labels);
        schedule->Check();
    }
    catch (const ns3::WormholeError& error)
    {
        return error.what();
    }
    return "";
}

/// Times in ps.
inline std::vector<int64_t>
ListPicoseconds(const std::vector<ns3::Time>& times)
{
    std::vector<int64_t> ps;
    for (const auto& time : times)
    {
        ps.push_back(time.GetPicoSeconds());
    }
    return ps;
}

/// When ranks end on the ideal network, ps.
inline std::vector<int64_t>
RunGoalIdeal(const std::shared_ptr<ns3::GoalSchedule>& schedule,
             const ns3::LogGops::Parameters& parameters,
             const std::function<void(uint64_t, uint64_t)>& progress)
{
    return ListPicoseconds(ns3::LogGops::Run(*schedule, parameters, progress));
}

/// A schedule on the ideal network, and why it ends when it does.
struct GoalExplained
{
    std::vector<int64_t> ends; ///< when ranks end, ps
    uint32_t rank;             ///< the last one
    std::string sum;           ///< the path's sum in words
    ns3::LatencyReport report; ///< the path
};

/// As RunGoalIdeal, and why.
inline std::unique_ptr<GoalExplained>
ExplainGoalIdeal(const std::shared_ptr<ns3::GoalSchedule>& schedule,
                 const ns3::LogGops::Parameters& parameters,
                 const std::function<void(uint64_t, uint64_t)>& progress)
{
    ns3::LogGops::Explanation explanation;
    const auto ends = ns3::LogGops::Run(*schedule, parameters, progress, &explanation);
    return std::unique_ptr<GoalExplained>(new GoalExplained{
        ListPicoseconds(ends),
        explanation.rank,
        explanation.Print(),
        ns3::LatencyReport(explanation.intervals, [](const ns3::Worm&) { return std::string(); })});
}

/// Programs on a fabric, see GoalBench, with functions of one form each.
struct GoalJobs
{
    ns3::GoalBench bench; ///< runs them

    /// Adds a program.
    void Add(const std::shared_ptr<ns3::GoalSchedule>& schedule,
             const std::vector<uint32_t>& hosts,
             const std::string& transport)
    {
        bench.Add(schedule, hosts, transport);
    }

    /// Records what happens, for ExplainJob; behind all programs.
    void Record()
    {
        bench.Record();
    }

    /// Runs all programs.
    void Run()
    {
        bench.Run();
    }

    /// Runs them again beside traffic.
    void RunUnderTraffic(double load,
                         const std::string& flits,
                         const std::string& pattern,
                         uint32_t rounds)
    {
        bench.RunUnderTraffic({load, flits, pattern}, rounds);
    }
};

/// Programs on a fabric.
inline std::unique_ptr<GoalJobs>
MakeGoalBench(ns3::Ptr<ns3::CollectiveDomain> domain)
{
    return std::unique_ptr<GoalJobs>(new GoalJobs{ns3::GoalBench(domain)});
}

/// When a program's ranks ended, ps.
inline std::vector<int64_t>
ListEnds(const GoalJobs& jobs, uint32_t number)
{
    return ListPicoseconds(jobs.bench.GetFinishTimes(number));
}

/// When a program's ranks ended beside traffic, ps, round after round.
inline std::vector<int64_t>
ListRounds(const GoalJobs& jobs, uint32_t number)
{
    std::vector<int64_t> ps;
    for (const auto& round : jobs.bench.GetRounds(number))
    {
        const auto ends = ListPicoseconds(round);
        ps.insert(ps.end(), ends.begin(), ends.end());
    }
    return ps;
}

/// Why a program's last rank ended when it did.
inline ns3::LatencyReport
ExplainJob(const GoalJobs& jobs, uint32_t number, uint32_t round)
{
    return ns3::LatencyReport(round > 0 ? jobs.bench.ExplainUnderTraffic(number).at(round - 1)
                                        : jobs.bench.Explain(number),
                              [&jobs](const ns3::Worm& worm) { return jobs.bench.Describe(worm); });
}

} // namespace ns3_wormhole
