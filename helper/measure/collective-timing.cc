/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-timing.h"

#include "sample-summary.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

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

} // namespace ns3
