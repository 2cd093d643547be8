/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-parts-plot.h"

#include "ns3/latency-parts-plot.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// @return rows that are explained, of the first fabric, by scheme @param rows all
std::vector<LatencyPartsPlot::Bars>
Select(const std::vector<BarrierStudyRow>& rows)
{
    std::vector<LatencyPartsPlot::Bars> all;
    for (const auto& row : rows)
    {
        const auto& first = rows.front();
        if (row.explained.empty() || std::isnan(row.hostUsMean) || row.groupSize < 2 ||
            row.switches != first.switches || row.hosts != first.hosts || row.law != first.law ||
            row.connectivity != first.connectivity)
        {
            continue;
        }
        const auto name = row.btinTiming == "paper" ? row.scheme + ", no flit times" : row.scheme;
        auto found = std::find_if(all.begin(), all.end(), [&](const auto& bars) {
            return bars.title == name;
        });
        (found == all.end() ? all.emplace_back(LatencyPartsPlot::Bars{name}) : *found)
            .rows.emplace_back(std::to_string(row.groupSize), &row);
    }
    return all;
}

} // namespace

std::vector<std::string>
BarrierPartsPlot::Write(const std::vector<BarrierStudyRow>& rows,
                        const std::string& directory,
                        const std::string& prefix)
{
    return LatencyPartsPlot::Write(Select(rows),
                                   directory,
                                   prefix + "causes",
                                   "by scheme and number of members");
}

} // namespace ns3
