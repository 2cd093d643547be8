/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-plots.h"

#include "ns3/gnuplot-script.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// @return what tells a method from others @param method name of the barrier
std::string
GetTitle(const std::string& method)
{
    const auto open = method.find('[');
    return open == std::string::npos ? method : method.substr(open + 1, method.size() - open - 2);
}

} // namespace

NetworkDonePlots::NetworkDonePlots(const std::vector<NetworkDoneRow>& rows)
{
    for (const auto& row : rows)
    {
        if (std::find(m_methods.begin(), m_methods.end(), row.method) == m_methods.end())
        {
            m_methods.push_back(row.method);
        }
        if (row.messages > 0)
        {
            m_rows.push_back(row);
        }
    }
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const auto& a, const auto& b) {
        return a.messages < b.messages;
    });
}

std::string
NetworkDonePlots::WritePlot(const std::string& directory,
                            const std::string& name,
                            const std::string& label,
                            const std::string& axis,
                            const std::vector<Curve>& curves) const
{
    std::ostringstream lines;
    std::ostringstream points;
    for (std::size_t i = 0; i < m_methods.size(); ++i)
    {
        const auto isShown = std::any_of(m_rows.begin(), m_rows.end(), [&](const auto& row) {
            return row.method == m_methods[i] && row.*curves.front().value > 0;
        });
        for (std::size_t curve = 0; isShown && curve < curves.size(); ++curve)
        {
            lines << (lines.str().empty() ? "" : ", ") << "'-' with " << curves[curve].style << " "
                  << GnuplotScript::GetStyle(i)
                  << (curves[curve].hasTitle
                          ? " title " + GnuplotScript::Quote(GetTitle(m_methods[i]))
                          : " notitle");
            for (const auto& row : m_rows)
            {
                if (row.method == m_methods[i])
                {
                    points << row.messages << " " << row.*curves[curve].value << "\n";
                }
            }
            points << "e\n";
        }
    }
    if (lines.str().empty())
    {
        return "";
    }
    GnuplotScript script;
    script.name = name;
    std::ostringstream setup;
    setup << "set xlabel \"messages per process and quantum\"\n"
          << "set ylabel " << GnuplotScript::Quote(label) << "\n"
          << "set logscale x\n"
          << axis
          << "set grid\nset key above vertical maxrows 3 Left reverse noenhanced samplen 1.5\n";
    if (m_rows.front().messages < m_rows.back().messages)
    {
        setup << "set xrange [" << m_rows.front().messages << ":" << m_rows.back().messages
              << "]\n";
    }
    script.setup = setup.str();
    script.drawing = "plot " + lines.str() + "\n" + points.str();
    script.Write(directory);
    return script.name + ".plt";
}

std::vector<std::string>
NetworkDonePlots::Write(const std::string& directory, const std::string& prefix) const
{
    const std::string fromZero = "set yrange [0:*]\n";
    std::vector<std::string> names{
        WritePlot(directory,
                  prefix + "latency",
                  "last entry to last leave (us); thin: until all is received",
                  "set logscale y\nset yrange [0.1:*]\n",
                  {{&NetworkDoneRow::latencyUs, "linespoints lw 2", true},
                   {&NetworkDoneRow::quietUs, "linespoints lw 1", false}}),
        WritePlot(directory,
                  prefix + "step",
                  "time of a round (us)",
                  fromZero,
                  {{&NetworkDoneRow::stepUs, "linespoints lw 2", true}}),
        WritePlot(directory,
                  prefix + "sums",
                  "sums in a round",
                  fromZero,
                  {{&NetworkDoneRow::sums, "linespoints lw 2", true}})};
    names.erase(std::remove(names.begin(), names.end(), ""), names.end());
    return names;
}

} // namespace ns3
