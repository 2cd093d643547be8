/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-plots.h"

#include "ns3/gnuplot-script.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// Adds what a list does not have yet. @param list the list @param value what
template <typename T>
void
AddOnce(std::vector<T>& list, const T& value)
{
    if (std::find(list.begin(), list.end(), value) == list.end())
    {
        list.push_back(value);
    }
}

} // namespace

SplitPlots::SplitPlots(const std::vector<SplitStudyRow>& rows)
    : m_rows(rows)
{
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const auto& a, const auto& b) {
        return a.computeUs < b.computeUs;
    });
    for (const auto& row : rows)
    {
        AddOnce(m_algorithms, row.algorithm);
        AddOnce(m_progresses, row.progress);
        AddOnce(m_imbalances, row.imbalancePercent);
    }
}

std::string
SplitPlots::DrawPanel(uint32_t imbalance, const std::string& progress, bool hasKey) const
{
    std::ostringstream lines;
    std::ostringstream points;
    for (std::size_t i = 0; i < m_algorithms.size(); ++i)
    {
        std::ostringstream some;
        for (const auto& row : m_rows)
        {
            if (row.algorithm == m_algorithms[i] && row.progress == progress &&
                row.imbalancePercent == imbalance)
            {
                some << row.computeUs << " " << row.splitUs - row.computeUs << "\n";
            }
        }
        if (!some.str().empty())
        {
            lines << (lines.str().empty() ? "" : ", ") << "'-' with linespoints lw 2 "
                  << GnuplotScript::GetStyle(i) << " title "
                  << GnuplotScript::Quote(m_algorithms[i]);
            points << some.str() << "e\n";
        }
    }
    std::ostringstream panel;
    const auto title = "progress " + progress + ", imbalance " + std::to_string(imbalance) + " %";
    panel << "set title " << GnuplotScript::Quote(title) << "\n"
          << (hasKey ? "set key top right\n" : "unset key\n");
    if (lines.str().empty())
    {
        panel << "set multiplot next\n";
    }
    else
    {
        panel << "plot " << lines.str() << "\n" << points.str();
    }
    return panel.str();
}

std::vector<std::string>
SplitPlots::Write(const std::string& directory, const std::string& prefix) const
{
    if (m_rows.empty())
    {
        return {};
    }
    double greatest = 0;
    for (const auto& row : m_rows)
    {
        greatest = std::max(greatest, row.splitUs - row.computeUs);
    }
    GnuplotScript script;
    script.name = prefix + "exposed";
    script.width = 420 * static_cast<uint32_t>(m_progresses.size());
    script.height = 400 * static_cast<uint32_t>(m_imbalances.size());
    std::ostringstream setup;
    setup << "set xlabel \"computing in between (us)\" noenhanced\n"
          << "set ylabel \"time of a step beyond computing (us)\"\n"
          << "set yrange [0:" << 1.05 * std::max(greatest, 1.0) << "]\n"
          << "set xrange [0:*]\nset grid\nset key noenhanced samplen 1.5\n";
    script.setup = setup.str();
    std::string panels;
    for (const auto imbalance : m_imbalances)
    {
        for (const auto& progress : m_progresses)
        {
            panels += DrawPanel(imbalance, progress, panels.empty());
        }
    }
    script.drawing = GnuplotScript::Panels(m_imbalances.size(), m_progresses.size(), "", panels);
    script.Write(directory);
    return {script.name + ".plt"};
}

} // namespace ns3
