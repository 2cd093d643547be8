/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "explained-rounds.h"

#include "ns3/latency-report.h"
#include "ns3/nstime.h"

#include <functional>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

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
