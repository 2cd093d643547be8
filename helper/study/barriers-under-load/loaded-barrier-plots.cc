/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-barrier-plots.h"

#include "ns3/gnuplot-script.h"
#include "ns3/latency-parts-plot.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace ns3
{

LoadedBarrierPlots::LoadedBarrierPlots(const std::vector<LoadedBarrierRow>& rows)
    : m_rows(rows)
{
    for (const auto& row : rows)
    {
        if (std::find(m_algorithms.begin(), m_algorithms.end(), row.algorithm) ==
            m_algorithms.end())
        {
            m_algorithms.push_back(row.algorithm);
        }
    }
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const auto& a, const auto& b) {
        return a.load < b.load;
    });
}

std::vector<std::string>
LoadedBarrierPlots::Write(const std::string& directory, const std::string& prefix) const
{
    std::ostringstream lines;
    std::ostringstream points;
    // Adds a curve. style: gnuplot's words for it; value: the ordinate
    const auto add = [&](const std::string& algorithm, const std::string& style, auto value) {
        std::ostringstream some;
        for (const auto& row : m_rows)
        {
            if (row.algorithm == algorithm && !std::isnan(value(row)))
            {
                some << row.load << " " << value(row) << "\n";
            }
        }
        if (!some.str().empty())
        {
            lines << (lines.str().empty() ? "" : ", ") << "'-' with " << style;
            points << some.str() << "e\n";
        }
    };
    for (std::size_t i = 0; i < m_algorithms.size(); ++i)
    {
        const auto& name = m_algorithms[i];
        const auto style = GnuplotScript::GetStyle(i);
        add(name,
            "linespoints lw 2 " + style + " title " + GnuplotScript::Quote(name + ", mean"),
            [](const auto& row) { return row.latencyUsMean; });
        add(name,
            "linespoints lw 1.5 dt 2 " + style + " title " + GnuplotScript::Quote(name + ", 99 %"),
            [](const auto& row) { return row.latencyUs99; });
        const auto idle = std::find_if(m_rows.begin(), m_rows.end(), [&](const auto& row) {
            return row.algorithm == name && row.load == 0;
        });
        if (idle != m_rows.end())
        {
            add(name,
                "lines lw 1 dt 3 " + style.substr(style.find("lc")) + " title " +
                    GnuplotScript::Quote(name + ", no traffic"),
                [&](const auto&) { return idle->latencyUsMean; });
        }
    }
    if (lines.str().empty())
    {
        return {};
    }
    GnuplotScript script;
    script.name = prefix + "latency";
    script.setup = std::string() +
                   "set xlabel \"offered load of data traffic, over a channel's rate\"\n"
                   "set ylabel \"latency of a barrier (us)\"\n"
                   "set xrange [0:*]\nset logscale y\nset grid\n" +
                   MakeRange() + MarkSaturation() +
                   "set key above vertical maxrows 3 Left reverse noenhanced samplen 2 "
                   "font \",11\"\n";
    script.drawing = "plot " + lines.str() + "\n" + points.str();
    script.Write(directory);
    auto names = WriteParts(directory, prefix + "causes");
    names.insert(names.begin(), script.name + ".plt");
    return names;
}

std::vector<std::string>
LoadedBarrierPlots::WriteParts(const std::string& directory, const std::string& name) const
{
    std::vector<LatencyPartsPlot::Bars> all;
    for (const auto& algorithm : m_algorithms)
    {
        LatencyPartsPlot::Bars bars{algorithm};
        for (const auto& row : m_rows)
        {
            if (row.algorithm == algorithm && !row.explained.empty() && row.state == "steady")
            {
                std::ostringstream load;
                load << std::setprecision(2) << 100 * row.load; // longer ones would overlap
                bars.rows.emplace_back(load.str(), &row);
            }
        }
        if (!bars.rows.empty())
        {
            all.push_back(bars);
        }
    }
    return LatencyPartsPlot::Write(all, directory, name, "by barrier and load of data traffic (%)");
}

std::string
LoadedBarrierPlots::MakeRange() const
{
    auto low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const auto& row : m_rows)
    {
        if (!std::isnan(row.latencyUsMean))
        {
            low = std::min(low, row.latencyUsMean);
            high = std::max({high, row.latencyUsMean, row.latencyUs99});
        }
    }
    if (!(low > 0 && low <= high))
    {
        return "";
    }
    // Whole decades would leave half of the plot empty.
    std::ostringstream text;
    text << "set yrange [" << low / 1.3 << ":" << high * 1.3 << "]\nset ytics (";
    const char* comma = "";
    for (auto decade = std::pow(10, std::floor(std::log10(low))); decade <= high * 1.3;
         decade *= 10)
    {
        for (const auto digit : {1, 2, 5})
        {
            text << comma << digit * decade;
            comma = ", ";
        }
    }
    text << ")\n";
    return text.str();
}

std::string
LoadedBarrierPlots::MarkSaturation() const
{
    auto first = std::numeric_limits<double>::infinity();
    for (auto row = m_rows.rbegin(); row != m_rows.rend() && std::isnan(row->latencyUsMean); ++row)
    {
        first = row->load;
    }
    if (std::isinf(first) || first == 0)
    {
        return "";
    }
    std::ostringstream text;
    text << "set arrow from " << first << ", graph 0 to " << first
         << ", graph 1 nohead dt 2 lc rgb \"#666666\"\n"
         << "set label \"no latency from here on\" at " << first
         << ", graph 0.5 center rotate by 90 offset character -1, 0 tc rgb \"#666666\"\n";
    return text.str();
}

} // namespace ns3
