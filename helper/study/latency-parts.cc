/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-parts.h"

#include "ns3/latency-cause.h"

namespace ns3
{

void
LatencyParts::Set(double us)
{
    for (const auto part : GetParts())
    {
        this->*part = us;
    }
    trafficUsMean = us;
}

void
LatencyParts::Add(const LatencyReport& report, std::size_t rounds)
{
    const auto ofMean = 1e6 * static_cast<double>(rounds);
    for (const auto& [cause, time] : report.GetSums())
    {
        this->*GetParts()[static_cast<std::size_t>(GetGroup(cause))] +=
            static_cast<double>(time) / ofMean;
    }
    trafficUsMean += static_cast<double>(report.GetHeldByTraffic()) / ofMean;
}

} // namespace ns3
