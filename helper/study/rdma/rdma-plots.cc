/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-plots.h"

#include "ns3/gnuplot-script.h"
#include "ns3/group-size-plot.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

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

/// Remote writes of one task a node.
const char* const WRITES_ALONE = "lw 2 pt 6 ps 1.2*unit lc rgb \"#56b4e9\"";
/// Messages of one task a node.
const char* const MESSAGES_ALONE = "lw 2 pt 4 ps 1.2*unit lc rgb \"#404040\"";
/// Messages within a node in memory.
const char* const BY_MEMORY = "lw 2 pt 9 ps 1.2*unit lc rgb \"#e69f00\"";
/// Messages within a node through the interface.
const char* const BY_INTERFACE = "lw 2 pt 13 ps 1.3*unit lc rgb \"#009e73\"";

/// @return how a line of messages looks @param line the transport's @param way within a node
std::string
StyleOf(const LineOf& line, const std::string& way)
{
    return way == "flags" ? line.style : way == "memory" ? BY_MEMORY : BY_INTERFACE;
}

/// @return number of tasks in words @param tasks the number
std::string
GetTasksTitle(uint32_t tasks)
{
    return std::to_string(tasks) + (tasks == 1 ? " task per node" : " tasks per node");
}

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
    if (m_rows.empty())
    {
        return {};
    }
    const auto first = m_rows.front().interfacePercent;
    if (std::any_of(m_rows.begin(), m_rows.end(), [first](const auto& row) {
            return row.interfacePercent != first;
        }))
    {
        return {WriteInterface(prefix + "interface", directory)};
    }
    GroupSizePlot plot;
    plot.name = prefix + "latency";
    plot.sizeLabel = "nodes";
    plot.valueLabel = "barrier latency (us)";
    return {WriteLatency(plot, directory)};
}

std::string
RdmaPlots::WriteLatency(GroupSizePlot plot, const std::string& directory) const
{
    std::set<uint32_t> tasks;
    std::set<std::string> ways;
    for (const auto& row : m_rows)
    {
        tasks.insert(row.tasksPerNode);
        ways.insert(row.withinHost);
    }
    for (const auto n : tasks)
    {
        GroupSizePlot::Panel panel;
        panel.title = (m_cluster.empty() ? "" : m_cluster + ", ") + GetTasksTitle(n);
        for (const auto& line : LINES)
        {
            const auto isMessages = std::string(line.transport) != "rdma";
            for (const auto& way : isMessages ? ways : std::set<std::string>{"flags"})
            {
                const auto isNamed = isMessages && ways.size() > 1;
                GroupSizePlot::Series simulated{line.title + (isNamed ? ", " + way : ""),
                                                StyleOf(line, way),
                                                true,
                                                {}};
                for (const auto& row : m_rows)
                {
                    if (row.transport == line.transport && row.tasksPerNode == n &&
                        row.withinHost == way)
                    {
                        simulated.points.push_back(
                            {static_cast<double>(row.nodes), row.latencyUsMean, 0});
                    }
                }
                std::stable_sort(simulated.points.begin(),
                                 simulated.points.end(),
                                 [](const auto& a, const auto& b) { return a.size < b.size; });
                panel.series.push_back(simulated);
            }
            GroupSizePlot::Series paper{line.title + std::string(", paper"), line.paper, false, {}};
            for (const auto& figure : m_published)
            {
                if (figure.transport == line.transport && figure.tasksPerNode == n)
                {
                    paper.points.push_back(
                        {static_cast<double>(figure.nodes), figure.latencyUs, 0});
                }
            }
            panel.series.push_back(paper);
        }
        plot.panels.push_back(panel);
    }
    plot.Write(directory);
    return plot.name + ".plt";
}

std::string
RdmaPlots::WriteInterface(const std::string& name, const std::string& directory) const
{
    const auto nodes =
        std::max_element(m_rows.begin(), m_rows.end(), [](const auto& a, const auto& b) {
            return a.nodes < b.nodes;
        })->nodes;
    std::map<std::string, std::map<uint32_t, double>> lines; // by title: latency by percent
    std::map<std::string, std::string> styles;               // by title
    for (const auto& row : m_rows)
    {
        // With one task a node, nothing is sent within it.
        const auto isAlone = row.tasksPerNode == 1;
        if (row.nodes != nodes || (isAlone && row.withinHost != m_rows.front().withinHost))
        {
            continue;
        }
        const auto line = std::find_if(std::begin(LINES), std::end(LINES), [&](const auto& each) {
            return row.transport == each.transport;
        });
        const auto isMessages = row.transport != "rdma";
        const auto title = line->title + (", " + GetTasksTitle(row.tasksPerNode)) +
                           (isAlone || !isMessages ? "" : ", " + row.withinHost);
        lines[title][row.interfacePercent] = row.latencyUsMean;
        styles[title] = !isAlone     ? StyleOf(*line, row.withinHost)
                        : isMessages ? MESSAGES_ALONE
                                     : WRITES_ALONE;
    }
    std::ostringstream data;
    std::ostringstream drawing;
    std::size_t block = 0;
    for (const auto& [title, points] : lines)
    {
        const auto id = "$line" + std::to_string(block);
        data << id << " << EOD\n";
        for (const auto& [percent, latency] : points)
        {
            data << percent << ' ' << latency << '\n';
        }
        data << "EOD\n";
        drawing << (block++ == 0 ? "plot " : ", \\\n  ") << id << " using 1:2 with linespoints "
                << styles[title] << " title " << GnuplotScript::Quote(title);
    }
    for (const auto& figure : m_published)
    {
        if (figure.nodes == nodes)
        {
            drawing << ", \\\n  " << figure.latencyUs << " with lines lw 1.5 dt 2 lc rgb \"black\" "
                    << "title "
                    << GnuplotScript::Quote(figure.transport + ", " +
                                            GetTasksTitle(figure.tasksPerNode) + ", paper");
        }
    }
    drawing << "\n";
    GnuplotScript script;
    script.name = name;
    script.width = 1100;
    script.height = 520;
    script.setup = data.str() +
                   "set xlabel \"interface occupied, percent of a message's time\"\n"
                   "set ylabel " +
                   GnuplotScript::Quote("barrier latency (us), " +
                                        (m_cluster.empty() ? "" : m_cluster + ", ") +
                                        std::to_string(nodes) + " nodes") +
                   "\n"
                   "set border 3 lw 1.5 lc rgb \"#404040\"\nset tics nomirror out\n"
                   "set grid ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
                   "set yrange [0:*]\nset key outside right top Left reverse\n";
    script.drawing = drawing.str();
    script.Write(directory);
    return name + ".plt";
}

} // namespace ns3
