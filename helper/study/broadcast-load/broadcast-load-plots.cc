/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-load-plots.h"

#include "ns3/gnuplot-script.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

BroadcastLoadPlots::BroadcastLoadPlots(const std::vector<BroadcastLoadRow>& rows)
    : m_rows(rows)
{
    for (const auto& row : rows)
    {
        if (std::find(m_curves.begin(), m_curves.end(), CurveOf(row)) == m_curves.end())
        {
            m_curves.push_back(CurveOf(row));
        }
        if (std::find(m_windows.begin(), m_windows.end(), row.window) == m_windows.end())
        {
            m_windows.push_back(row.window);
        }
    }
    // No window is the widest: 0 becomes the greatest number.
    std::sort(m_windows.begin(), m_windows.end(), [](uint32_t a, uint32_t b) {
        return a - 1 < b - 1;
    });
}

BroadcastLoadPlots::Curve
BroadcastLoadPlots::CurveOf(const BroadcastLoadRow& row)
{
    return {row.broadcast, row.gapUs, row.load};
}

std::string
BroadcastLoadPlots::GetTitle(const Curve& curve) const
{
    const auto& [broadcast, gap, load] = curve;
    std::ostringstream title;
    title << broadcast;
    const auto& first = m_curves.front();
    const auto differs = [&](auto get) {
        return std::any_of(m_curves.begin(), m_curves.end(), [&](const Curve& other) {
            return get(other) != get(first);
        });
    };
    if (differs([](const Curve& other) { return std::get<1>(other); }))
    {
        title << ", gap " << gap << " us";
    }
    if (differs([](const Curve& other) { return std::get<2>(other); }))
    {
        title << ", load " << load;
    }
    return title.str();
}

std::string
BroadcastLoadPlots::WritePlot(const std::string& directory,
                              const std::string& name,
                              const std::string& label,
                              double BroadcastLoadRow::* value) const
{
    std::ostringstream lines;
    std::ostringstream points;
    std::size_t number = 0;
    for (const auto& curve : m_curves)
    {
        std::ostringstream some;
        for (std::size_t x = 0; x < m_windows.size(); ++x)
        {
            for (const auto& row : m_rows)
            {
                if (CurveOf(row) == curve && row.window == m_windows[x] && !std::isnan(row.*value))
                {
                    some << x << " " << row.*value << "\n";
                }
            }
        }
        if (!some.str().empty())
        {
            lines << (number > 0 ? ", " : "") << "'-' with linespoints lw 2 "
                  << GnuplotScript::GetStyle(number) << " title "
                  << GnuplotScript::Quote(GetTitle(curve));
            points << some.str() << "e\n";
            ++number;
        }
    }
    if (number == 0)
    {
        return "";
    }
    std::ostringstream tics;
    for (std::size_t x = 0; x < m_windows.size(); ++x)
    {
        const auto label = m_windows[x] == 0 ? "none" : std::to_string(m_windows[x]);
        tics << (x > 0 ? ", " : "") << GnuplotScript::QuoteTic(label) << ' ' << x;
    }
    GnuplotScript script;
    script.name = name;
    std::ostringstream setup;
    setup << "set xlabel \"window: broadcasts that may be outstanding\"\n"
          << "set ylabel " << GnuplotScript::Quote(label) << "\n"
          << "set xtics (" << tics.str() << ")\n"
          << "set xrange [-0.3:" << static_cast<double>(m_windows.size()) - 0.7 << "]\n"
          << "set yrange [0:*]\nset grid\n"
          << "set key above vertical maxrows 4 Left reverse noenhanced samplen 1.5\n";
    script.setup = setup.str();
    script.drawing = "plot " + lines.str() + "\n" + points.str();
    script.Write(directory);
    return script.name + ".plt";
}

std::vector<std::string>
BroadcastLoadPlots::Write(const std::string& directory, const std::string& prefix) const
{
    std::vector<std::string> names{
        WritePlot(directory, prefix + "time", "time per broadcast (us)", &BroadcastLoadRow::timeUs),
        WritePlot(directory,
                  prefix + "latency",
                  "from its beginning until all members have it (us)",
                  &BroadcastLoadRow::latencyUs),
        WritePlot(directory,
                  prefix + "traffic",
                  "latency of a data worm (us)",
                  &BroadcastLoadRow::trafficUs)};
    names.erase(std::remove(names.begin(), names.end(), ""), names.end());
    return names;
}

} // namespace ns3
