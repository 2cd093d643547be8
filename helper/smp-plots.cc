/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-plots.h"

#include "sample-summary.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

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
    std::set<uint32_t> bytes;
    for (const auto& row : rows)
    {
        if (row.timeUs > 0) // a process alone takes no time, and has no place on log axes
        {
            m_rows.push_back(row);
            bytes.insert(row.bytes);
            if (std::find(m_algorithms.begin(), m_algorithms.end(), row.algorithm) ==
                m_algorithms.end())
            {
                m_algorithms.push_back(row.algorithm);
            }
        }
    }
    m_bytes.assign(bytes.begin(), bytes.end());
}

std::vector<GroupSizePlot::Point>
SmpPlots::Select(uint32_t bytes, const std::string& algorithm, const std::string& reference) const
{
    // Rows of one number of hosts come in the order of placements for every algorithm.
    std::map<uint32_t, std::vector<double>> times;
    std::map<uint32_t, std::vector<double>> references;
    for (const auto& row : m_rows)
    {
        if (row.bytes == bytes && row.algorithm == algorithm)
        {
            times[row.hosts].push_back(row.timeUs);
        }
        if (row.bytes == bytes && row.algorithm == reference)
        {
            references[row.hosts].push_back(row.timeUs);
        }
    }
    std::vector<GroupSizePlot::Point> points;
    for (const auto& [hosts, values] : times)
    {
        const auto& divisors = references[hosts];
        SampleSummary summary;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            if (reference.empty() || i < divisors.size())
            {
                summary.Add(reference.empty() ? values[i] : values[i] / divisors[i]);
            }
        }
        if (summary.GetMean() > 0)
        {
            points.push_back(
                {static_cast<double>(hosts), summary.GetMean(), summary.GetHalfWidth95()});
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
    std::error_code error;
    std::filesystem::create_directories(directory, error); // else writing will tell
    const auto& last = m_algorithms.back();
    std::vector<std::string> files;
    for (const bool isFactor : {false, true})
    {
        if (isFactor && m_algorithms.size() == 1)
        {
            continue;
        }
        GroupSizePlot plot;
        plot.name = prefix + (isFactor ? "factor" : "time");
        plot.sizeLabel = "hosts";
        plot.valueLabel = isFactor ? "time over that of " + last : "time of a broadcast (us)";
        for (const auto bytes : m_bytes)
        {
            GroupSizePlot::Panel panel{std::to_string(bytes) + " bytes", {}};
            for (std::size_t i = 0; i + isFactor < m_algorithms.size(); ++i)
            {
                panel.series.push_back({m_algorithms[i],
                                        std::string("lw 2 dt 1 ") + STYLES[i % std::size(STYLES)],
                                        true,
                                        Select(bytes, m_algorithms[i], isFactor ? last : "")});
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
