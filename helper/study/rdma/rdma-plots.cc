/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-plots.h"

#include "ns3/group-size-plot.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>

namespace ns3
{

namespace
{

/// How the lines of a transport look.
struct LineOf
{
    const char* transport; ///< the transport
    const char* title;     ///< its name in the key
    const char* style;     ///< line and point, in gnuplot's words
    const char* paper;     ///< point of published figures
};

/// All lines; colours that colour-blind eyes can tell apart, too (Okabe and Ito's).
const LineOf LINES[] = {{"send-receive",
                         "send/receive",
                         "lw 2 pt 5 ps 0.9*unit lc rgb \"#d55e00\"",
                         "pt 4 lw 2 ps 2.2*unit lc rgb \"black\""},
                        {"rdma",
                         "RDMA writes",
                         "lw 2 pt 7 ps 1*unit lc rgb \"#0072b2\"",
                         "pt 6 lw 2 ps 2.2*unit lc rgb \"black\""}};

} // namespace

RdmaPlots::RdmaPlots(const std::vector<RdmaStudyRow>& rows,
                     const std::string& cluster,
                     const std::vector<PublishedBarrier>& published)
    : m_cluster(cluster)
{
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(m_rows), [](const auto& row) {
        return row.latencyUsMean > 0; // a task alone takes no time, and has no place on log axes
    });
    std::copy_if(published.begin(),
                 published.end(),
                 std::back_inserter(m_published),
                 [&](const auto& figure) { return figure.cluster == cluster; });
}

std::vector<std::string>
RdmaPlots::Write(const std::string& directory, const std::string& prefix) const
{
    std::error_code error;
    std::filesystem::create_directories(directory, error); // else writing will tell
    std::set<uint32_t> tasks;
    for (const auto& row : m_rows)
    {
        tasks.insert(row.tasksPerNode);
    }
    GroupSizePlot plot;
    plot.name = prefix + "latency";
    plot.sizeLabel = "nodes";
    plot.valueLabel = "barrier latency (us)";
    for (const auto n : tasks)
    {
        GroupSizePlot::Panel panel;
        panel.title = (m_cluster.empty() ? "" : m_cluster + ", ") + std::to_string(n) +
                      (n == 1 ? " task per node" : " tasks per node");
        for (const auto& line : LINES)
        {
            GroupSizePlot::Series simulated{line.title, line.style, true, {}};
            for (const auto& row : m_rows)
            {
                if (row.transport == line.transport && row.tasksPerNode == n)
                {
                    simulated.points.push_back(
                        {static_cast<double>(row.nodes), row.latencyUsMean, 0});
                }
            }
            std::stable_sort(simulated.points.begin(),
                             simulated.points.end(),
                             [](const auto& a, const auto& b) { return a.size < b.size; });
            GroupSizePlot::Series paper{line.title + std::string(", paper"), line.paper, false, {}};
            for (const auto& figure : m_published)
            {
                if (figure.transport == line.transport && figure.tasksPerNode == n)
                {
                    paper.points.push_back(
                        {static_cast<double>(figure.nodes), figure.latencyUs, 0});
                }
            }
            panel.series.push_back(simulated);
            panel.series.push_back(paper);
        }
        plot.panels.push_back(panel);
    }
    if (plot.panels.empty())
    {
        return {};
    }
    plot.Write(directory);
    return {plot.name + ".plt"};
}

} // namespace ns3
