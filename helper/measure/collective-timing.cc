/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-bench.h"

#include "ns3/sample-summary.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-latency-report.h"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

CollectiveTiming::CollectiveTiming(Ptr<Collective> collective)
    : m_collective(collective)
{
    collective->TraceConnectWithoutContext("Enter", MakeCallback(&CollectiveTiming::Enter, this));
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&CollectiveTiming::Leave, this));
}

CollectiveTiming::~CollectiveTiming()
{
    m_collective->TraceDisconnectWithoutContext("Enter",
                                                MakeCallback(&CollectiveTiming::Enter, this));
    m_collective->TraceDisconnectWithoutContext("Leave",
                                                MakeCallback(&CollectiveTiming::Leave, this));
}

CollectiveTiming::Round&
CollectiveTiming::GetNext(std::vector<uint32_t>& rounds, uint32_t rank)
{
    rounds.resize(std::max<std::size_t>(rounds.size(), rank + 1), 0);
    const auto round = rounds[rank]++;
    m_rounds.resize(std::max<std::size_t>(m_rounds.size(), round + 1));
    return m_rounds[round];
}

void
CollectiveTiming::Enter(uint32_t rank, uint64_t)
{
    auto& round = GetNext(m_entered, rank);
    round.lastEnter = std::max(round.lastEnter, Simulator::Now());
}

void
CollectiveTiming::Leave(uint32_t rank, uint64_t)
{
    auto& round = GetNext(m_left, rank);
    round.lastLeave = std::max(round.lastLeave, Simulator::Now());
    ++round.nLeft;
}

std::vector<Time>
CollectiveTiming::GetDurations() const
{
    std::vector<Time> durations;
    for (const auto& round : m_rounds)
    {
        if (round.nLeft == m_collective->GetNMembers())
        {
            durations.push_back(round.lastLeave - round.lastEnter);
        }
    }
    return durations;
}

std::string
CollectiveTiming::ToText(bool with99) const
{
    const auto durations = GetDurations();
    if (durations.empty())
    {
        return "no round";
    }
    SampleSummary summary;
    for (const auto& duration : durations)
    {
        summary.Add(duration.ToDouble(Time::US));
    }
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    std::ostringstream text;
    text << "mean " << summary.GetMean() << " us, least " << least->ToDouble(Time::US)
         << ", greatest " << most->ToDouble(Time::US);
    if (with99)
    {
        text << ", 99 % within " << summary.GetPercentile99();
    }
    text << ", of " << durations.size() << " rounds";
    return text.str();
}

std::string
ExplainRounds(const RoundExplainer& explainer, const Ptr<Collective>& collective, uint64_t rounds)
{
    const auto describe = [&explainer](const Worm& worm) { return explainer.Describe(worm); };
    std::map<LatencyCause, int64_t> sums;
    LatencyIntervals slowest;
    uint64_t slowestRound = 0;
    int64_t longest = 0;
    int64_t all = 0;
    int64_t held = 0;
    for (uint64_t round = 1; round <= rounds; ++round)
    {
        auto intervals =
            explainer.Explain(*collective, round, explainer.GetEntries(*collective, round).second);
        if (intervals.empty())
        {
            continue;
        }
        const auto duration = intervals.back().to - intervals.front().from;
        all += duration;
        const LatencyReport report(intervals, describe);
        for (const auto& [cause, time] : report.GetSums())
        {
            sums[cause] += time;
        }
        held += report.GetHeldByTraffic();
        if (duration > longest)
        {
            longest = duration;
            slowestRound = round;
            slowest = std::move(intervals);
        }
    }
    if (all == 0)
    {
        return "no round took any time\n";
    }
    std::ostringstream text;
    text << "round " << slowestRound << ", the slowest:\n"
         << LatencyReport(std::move(slowest), describe).ToText() << "all rounds:\n";
    std::multimap<int64_t, LatencyCause, std::greater<>> order;
    for (const auto& [cause, time] : sums)
    {
        order.emplace(time, cause);
    }
    const auto ps = TimeStep(static_cast<uint64_t>(all)).GetPicoSeconds();
    const auto print = [&](int64_t time, const std::string& what) {
        if (time > 0)
        {
            text << std::fixed << std::setprecision(1) << std::setw(6)
                 << 100.0 * static_cast<double>(time) / static_cast<double>(ps) << " %  " << what
                 << "\n";
        }
    };
    for (const auto& [time, cause] : order)
    {
        print(time, Describe(cause));
    }
    print(held, "of that held up by the traffic");
    return text.str();
}

} // namespace ns3
