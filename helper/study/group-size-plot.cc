/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-size-plot.h"

#include "ns3/gnuplot-curves.h"
#include "ns3/gnuplot-script.h"
#include "ns3/wormhole-whole-file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t PANEL_WIDTH = 760;  //!< width of a panel, pixels
constexpr uint32_t PANEL_HEIGHT = 640; //!< height of a panel, pixels

/// Sizes from here on have more digits than gnuplot writes out.
constexpr double LONG = 1e6;

/// The key, which the first panel has.
const char* const KEY = "set key top left Left reverse samplen 3 spacing 1.15\n";

/**
 * @param least lower end of a log axis
 * @param greatest its upper end
 * @return labels for it: 1, 2, 5 of each power of ten, or some more where the axis is short
 */
std::string
DecimalTics(double least, double greatest)
{
    const auto steps = greatest / least < 20 ? std::vector<double>{1, 1.5, 2, 3, 4, 5, 7}
                                             : std::vector<double>{1, 2, 5};
    std::ostringstream tics;
    const char* comma = "";
    for (auto decade = std::pow(10, std::floor(std::log10(least))); decade <= greatest;
         decade *= 10)
    {
        for (const auto step : steps)
        {
            if (decade * step >= least && decade * step <= greatest)
            {
                tics << comma << decade * step;
                comma = ", ";
            }
        }
    }
    return tics.str();
}

/// @return whether a number is a power of two @param number the number
bool
IsPowerOfTwo(double number)
{
    return std::exp2(std::round(std::log2(number))) == number;
}

/// @return ticks on the axis of group sizes: all sizes, with labels for powers of two, and where
/// there is room for the greatest, halves between powers of two, and others @param sizes the sizes
std::string
SizeTics(const std::set<double>& sizes)
{
    std::set<double> shown;
    const auto show = [&](double size, double room) {
        const auto above = shown.upper_bound(size / room);
        if (above == shown.end() || *above >= size * room)
        {
            shown.insert(size);
        }
    };
    std::copy_if(sizes.begin(), sizes.end(), std::inserter(shown, shown.end()), IsPowerOfTwo);
    if (!sizes.empty())
    {
        show(*sizes.rbegin(), 1.15);
    }
    // Ratio of neighbours whose labels, of four digits, do not touch; as if an axis had 15.
    const auto apart =
        sizes.empty() ? 1 : std::min(1.3, std::pow(*sizes.rbegin() / *sizes.begin(), 1.0 / 15));
    for (const bool halves : {true, false})
    {
        for (const auto size : sizes)
        {
            if (!halves || IsPowerOfTwo(size / 3))
            {
                show(size, apart);
            }
        }
    }
    std::ostringstream tics;
    const char* comma = "";
    for (const auto size : sizes)
    {
        tics << comma;
        const bool isLong = size >= LONG;
        const auto whole = std::to_string(std::llround(size));
        if (shown.count(size) == 0)
        {
            tics << "\"\" "; // a tick without a label
        }
        else if (isLong)
        {
            tics << GnuplotScript::QuoteTic(whole) << " "; // gnuplot would round it
        }
        if (isLong)
        {
            tics << whole;
        }
        else
        {
            tics << size;
        }
        tics << (shown.count(size) == 0 ? " 1" : "");
        comma = ", ";
    }
    return tics.str();
}

/// @return whether an interval can be drawn @param ci95 its half width
bool
IsInterval(double ci95)
{
    return ci95 > 0; // not so for NaN
}

/// Adds a series to a drawing's curves. @param curves the curves @param series the series
void
AddSeries(GnuplotCurves& curves, const GroupSizePlot::Series& series)
{
    bool bars = false;
    std::vector<GnuplotCurves::Point> points;
    for (const auto& point : series.points)
    {
        bars = bars || IsInterval(point.ci95);
        points.push_back({point.size, point.value, IsInterval(point.ci95) ? point.ci95 : 0});
    }
    const std::string kind = bars ? (series.joined ? "yerrorlines " : "yerrorbars ")
                                  : (series.joined ? "linespoints " : "points ");
    curves.Add(series.title, kind + series.style, points, bars);
}

} // namespace

bool
GroupSizePlot::Panel::HasPoints() const
{
    return std::any_of(series.begin(), series.end(), [](const auto& one) {
        return !one.points.empty();
    });
}

std::set<double>
GroupSizePlot::GetSizes() const
{
    std::set<double> sizes;
    for (const auto& panel : panels)
    {
        for (const auto& series : panel.series)
        {
            for (const auto& point : series.points)
            {
                sizes.insert(point.size);
            }
        }
    }
    return sizes;
}

GroupSizePlot::Range
GroupSizePlot::ValueRange() const
{
    Range range{std::numeric_limits<double>::max(), 0};
    for (const auto& panel : panels)
    {
        for (const auto& series : panel.series)
        {
            for (const auto& point : series.points)
            {
                const auto ci95 = IsInterval(point.ci95) ? point.ci95 : 0;
                range.least = std::min(range.least, std::max(point.value / 2, point.value - ci95));
                range.greatest = std::max(range.greatest, point.value + ci95);
            }
        }
    }
    return {range.least / 1.25, range.greatest * 1.25};
}

void
GroupSizePlot::Write(const std::string& directory) const
{
    std::ostringstream drawing;
    for (std::size_t i = 0; i < panels.size(); ++i)
    {
        WholeFile points(GnuplotScript::PlaceFile(directory, PointsFile(i)));
        WritePanel(i, drawing, points.Get());
        points.Finish();
    }
    const auto columns = std::min<std::size_t>(panels.size(), 2);
    const auto rows = (panels.size() + 1) / 2;
    std::ostringstream setup;
    WriteAxes(setup);
    GnuplotScript script;
    script.name = name;
    script.width = PANEL_WIDTH * static_cast<uint32_t>(columns);
    script.height = PANEL_HEIGHT * static_cast<uint32_t>(rows);
    script.setup = setup.str();
    script.drawing = GnuplotScript::Panels(rows, columns, KEY, drawing.str());
    script.Write(directory);
}

void
GroupSizePlot::WriteAxes(std::ostream& os) const
{
    const auto sizes = GetSizes();
    const auto values = ValueRange();
    os << "set logscale x 2\n"
       << "set logscale y 10\n"
       << "set xrange [" << *sizes.begin() / 1.2 << ":" << *sizes.rbegin() * 1.2 << "]\n"
       << "set xtics (" << SizeTics(sizes) << ")\n"
       << "set yrange [" << values.least << ":" << values.greatest << "]\n"
       << "set ytics (" << DecimalTics(values.least, values.greatest) << ")\n"
       << "set border 3 lw 1.5 lc rgb \"#404040\"\n"
       << "set tics nomirror out\n"
       << "set grid xtics ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
       << "set bars 0.6\n";
}

void
GroupSizePlot::WritePanel(std::size_t number, std::ostream& commands, std::ostream& points) const
{
    const auto& panel = panels[number];
    GnuplotCurves curves(PointsFile(number));
    for (const auto& series : panel.series)
    {
        if (!series.points.empty())
        {
            AddSeries(curves, series);
        }
    }
    for (std::size_t i = 0; i < panel.series.size(); ++i)
    {
        const auto& series = panel.series[i];
        if (series.points.empty() && number == 0 && IsElsewhere(i))
        {
            // Draws nothing, but has its place in the key.
            curves.AddFunction(series.title, "points " + series.style, "NaN");
        }
    }
    curves.WritePoints(points);
    commands << "set title " << GnuplotScript::Quote(panel.title) << "\nset xlabel "
             << GnuplotScript::Quote(sizeLabel) << "\nset ylabel "
             << GnuplotScript::Quote(valueLabel) << "\n"
             << curves.GetPlot() << "unset key\n";
}

bool
GroupSizePlot::IsElsewhere(std::size_t index) const
{
    return std::any_of(panels.begin(), panels.end(), [index](const auto& panel) {
        return !panel.series[index].points.empty();
    });
}

std::string
GroupSizePlot::PointsFile(std::size_t panel) const
{
    return name + "-" + std::to_string(panel + 1) + ".dat";
}

} // namespace ns3
