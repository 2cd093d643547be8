/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-plots.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

/// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's), and points.
const char* const STYLES[] = {"pt 9 ps 1.3*unit lc rgb \"#e69f00\"",
                              "pt 5 ps 1.1*unit lc rgb \"#009e73\"",
                              "pt 11 ps 1.3*unit lc rgb \"#d55e00\"",
                              "pt 13 ps 1.4*unit lc rgb \"#cc79a7\"",
                              "pt 7 ps 1.3*unit lc rgb \"#0072b2\"",
                              "pt 4 ps 1.3*unit lc rgb \"#56b4e9\"",
                              "pt 6 ps 1.3*unit lc rgb \"#404040\""};

/// @return whether two rows or figures have the same costs @param a,b the rows
template <typename A, typename B>
bool
HaveSameCosts(const A& a, const B& b)
{
    constexpr double SAME = 5e-4; // half of what CSV can tell
    return std::abs(a.sUs - b.sUs) < SAME && std::abs(a.rUs - b.rUs) < SAME;
}

/// @return whether a row's costs are those of published figures @param row the row
bool
HasPublishedCosts(const TreeStudyRow& row)
{
    return row.cUs == 0 && row.levels.empty();
}

/// @return whether two rows are of one panel @param a,b the rows
bool
AreOfOnePanel(const TreeStudyRow& a, const TreeStudyRow& b)
{
    return a.network == b.network && HaveSameCosts(a, b) && a.cUs == b.cUs && a.levels == b.levels;
}

} // namespace

TreePlots::TreePlots(const std::vector<TreeStudyRow>& rows,
                     const std::vector<PublishedTree>& published)
    : m_published(published)
{
    for (const auto& row : rows)
    {
        if (row.processes > 1)
        {
            m_rows.push_back(row);
            if (std::find(m_trees.begin(), m_trees.end(), row.tree) == m_trees.end())
            {
                m_trees.push_back(row.tree);
            }
        }
    }
}

std::vector<GroupSizePlot::Point>
TreePlots::Select(const TreeStudyRow& of, const std::string& tree) const
{
    std::vector<GroupSizePlot::Point> points;
    for (const auto& row : m_rows)
    {
        if (row.tree == tree && AreOfOnePanel(row, of))
        {
            points.push_back({static_cast<double>(row.processes), row.finishUsSimulated, 0});
        }
    }
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
        return a.size < b.size;
    });
    return points;
}

GroupSizePlot::Panel
TreePlots::MakePanel(const TreeStudyRow& of) const
{
    std::ostringstream title;
    title << (of.network == "ideal" ? "ideal network" : "on the fabric") << ", s = " << of.sUs
          << " us, r = " << of.rUs << " us";
    if (of.cUs > 0)
    {
        title << ", c = " << of.cUs << " us";
    }
    if (!of.levels.empty())
    {
        title << ", levels " << of.levels;
    }
    GroupSizePlot::Panel panel{title.str(), {}};
    for (std::size_t i = 0; i < m_trees.size(); ++i)
    {
        panel.series.push_back({m_trees[i],
                                std::string("lw 2 dt 1 ") + STYLES[i % std::size(STYLES)],
                                true,
                                Select(of, m_trees[i])});
    }
    GroupSizePlot::Series paper{"paper, measured",
                                "pt 12 lw 2 ps 2.2*unit lc rgb \"black\"",
                                false,
                                {}};
    for (const auto& figure : m_published)
    {
        if (HaveSameCosts(figure, of) && HasPublishedCosts(of))
        {
            paper.points.push_back({static_cast<double>(figure.processes), figure.finishUs, 0});
        }
    }
    panel.series.push_back(paper);
    return panel;
}

std::vector<std::string>
TreePlots::Write(const std::string& directory, const std::string& prefix) const
{
    GroupSizePlot plot;
    plot.name = prefix + "finish";
    plot.sizeLabel = "processes";
    plot.valueLabel = "distribution latency (us)";
    for (auto row = m_rows.begin(); row != m_rows.end(); ++row)
    {
        if (std::none_of(m_rows.begin(), row, [&](const auto& earlier) {
                return AreOfOnePanel(earlier, *row);
            }))
        {
            plot.panels.push_back(MakePanel(*row));
        }
    }
    if (plot.panels.empty())
    {
        return {};
    }
    plot.Write(directory);
    return {plot.name + ".plt"};
}

} // namespace ns3
