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
#include <memory>
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

/// Why a schedule ended when it did on the ideal network.
inline ns3::LatencyReport
ExplainIdeal(const ns3::LogGops::Explanation& explanation)
{
    return ns3::LatencyReport(explanation.intervals,
                              [](const ns3::Worm&) { return std::string(); });
}

/// Why a program's last rank ended when it did.
inline ns3::LatencyReport
ExplainJob(const ns3::GoalBench& bench, uint32_t number, uint32_t round)
{
    return ns3::LatencyReport(round > 0 ? bench.ExplainUnderTraffic(number).at(round - 1)
                                        : bench.Explain(number),
                              [&bench](const ns3::Worm& worm) { return bench.Describe(worm); });
}

} // namespace ns3_wormhole
