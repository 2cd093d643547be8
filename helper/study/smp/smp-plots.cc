/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-plots.h"

#include "ns3/sample-summary.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's), and points.
const char* const STYLES[] = {"pt 5 ps 1.1*unit lc rgb \"#d55e00\"",
                              "pt 9 ps 1.3*unit lc rgb \"#e69f00\"",
                              "pt 7 ps 1.1*unit lc rgb \"#0072b2\"",
                              "pt 11 ps 1.3*unit lc rgb \"#009e73\"",
                              "pt 13 ps 1.4*unit lc rgb \"#cc79a7\"",
                              "pt 4 ps 1.3*unit lc rgb \"#56b4e9\"",
                              "pt 6 ps 1.3*unit lc rgb \"#404040\""};

} // namespace

SmpPlots::SmpPlots(const std::vector<SmpStudyRow>& rows)
{
    for (const auto& row : rows)
    {
        if (row.timeUs > 0) // a process alone takes no time, and has no place on log axes
        {
            m_rows.push_back(row);
            if (std::find(m_algorithms.begin(), m_algorithms.end(), row.algorithm) ==
                m_algorithms.end())
            {
                m_algorithms.push_back(row.algorithm);
            }
        }
    }
}

SmpPlots::Panel
SmpPlots::GetPanel(const SmpStudyRow& row, const Kind& kind)
{
    return {row.tasksPerHost, kind.overBytes ? row.hosts : row.bytes};
}

std::string
SmpPlots::GetTitle(const Panel& panel, const Kind& kind)
{
    return std::to_string(panel.second) + (kind.overBytes ? " hosts" : " bytes") +
           (panel.first > 1 ? ", " + std::to_string(panel.first) + " processes a host" : "");
}

std::vector<SmpPlots::Kind>
SmpPlots::GetKinds() const
{
    constexpr std::size_t LEAST = 3; // lengths that make a line
    std::set<uint32_t> bytes;
    for (const auto& row : m_rows)
    {
        bytes.insert(row.bytes);
    }
    std::vector<Kind> kinds;
    for (const bool overBytes : {false, true})
    {
        for (const bool isFactor : {false, true})
        {
            if ((!overBytes || bytes.size() >= LEAST) && (!isFactor || m_algorithms.size() > 1))
            {
                kinds.push_back({isFactor, overBytes});
            }
        }
    }
    return kinds;
}

std::set<SmpPlots::Panel>
SmpPlots::GetPanels(const Kind& kind) const
{
    std::set<Panel> panels;
    std::map<uint32_t, uint32_t> most; // hosts, by number of processes
    for (const auto& row : m_rows)
    {
        panels.insert(GetPanel(row, kind));
        most[row.tasksPerHost] = std::max(most[row.tasksPerHost], row.hosts);
    }
    if (kind.overBytes)
    {
        return {most.begin(), most.end()};
    }
    return panels;
}

std::vector<GroupSizePlot::Point>
SmpPlots::Select(const Panel& panel, const Kind& kind, const std::string& algorithm) const
{
    // Rows of one number of hosts come in the order of placements for every algorithm.
    const auto& reference = m_algorithms.back();
    std::map<uint32_t, std::vector<double>> times;
    std::map<uint32_t, std::vector<double>> references;
    for (const auto& row : m_rows)
    {
        const auto size = kind.overBytes ? row.bytes : row.hosts;
        if (GetPanel(row, kind) == panel && row.algorithm == algorithm)
        {
            times[size].push_back(row.timeUs);
        }
        if (GetPanel(row, kind) == panel && row.algorithm == reference)
        {
            references[size].push_back(row.timeUs);
        }
    }
    std::vector<GroupSizePlot::Point> points;
    for (const auto& [size, values] : times)
    {
        const auto& divisors = references[size];
        SampleSummary summary;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            if (!kind.isFactor || i < divisors.size())
            {
                summary.Add(kind.isFactor ? values[i] / divisors[i] : values[i]);
            }
        }
        if (summary.GetMean() > 0)
        {
            points.push_back(
                {static_cast<double>(size), summary.GetMean(), summary.GetHalfWidth95()});
        }
    }
    return points;
}

std::vector<std::string>
SmpPlots::Write(const std::string& directory, const std::string& prefix) const
{
    if (m_rows.empty())
    {
        return {};
    }
    std::vector<std::string> files;
    for (const auto& kind : GetKinds())
    {
        GroupSizePlot plot;
        plot.name = prefix + (kind.overBytes  ? kind.isFactor ? "bytes-factor" : "bytes"
                              : kind.isFactor ? "factor"
                                              : "time");
        plot.sizeLabel = kind.overBytes ? "bytes" : "hosts";
        plot.valueLabel =
            kind.isFactor ? "time over that of " + m_algorithms.back() : "time of a broadcast (us)";
        for (const auto& key : GetPanels(kind))
        {
            GroupSizePlot::Panel panel{GetTitle(key, kind), {}};
            for (std::size_t i = 0; i + kind.isFactor < m_algorithms.size(); ++i)
            {
                panel.series.push_back({m_algorithms[i],
                                        std::string("lw 2 dt 1 ") + STYLES[i % std::size(STYLES)],
                                        true,
                                        Select(key, kind, m_algorithms[i])});
            }
            if (panel.HasPoints())
            {
                plot.panels.push_back(panel);
            }
        }
        plot.Write(directory);
        files.push_back(plot.name + ".plt");
    }
    return files;
}

} // namespace ns3
