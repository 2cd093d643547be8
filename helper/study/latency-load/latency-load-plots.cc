/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-study.h"

#include "ns3/sample-summary.h"
#include "ns3/study-plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

/// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's).
const char* const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
/// Points, in gnuplot's numbers.
constexpr int POINTS[] = {7, 5, 9, 13, 11, 15};

std::string
ColourOf(std::size_t index)
{
    return "rgb " + GnuplotScript::Quote(COLOURS[index % std::size(COLOURS)]);
}

std::string
StyleOf(std::size_t index)
{
    return " lw 2 pt " + std::to_string(POINTS[index % std::size(POINTS)]) + " ps 1.2*unit lc " +
           ColourOf(index);
}

/// @return a number as it is said
std::string
Said(double number)
{
    std::ostringstream text;
    text.precision(3);
    text << number;
    return text.str();
}

/// What is known of a load.
struct LoadPoint
{
    double load{0};      ///< offered load
    double accepted{0};  ///< throughput
    bool steady{true};   ///< whether all runs are
    double latency{0};   ///< mean latency, us
    double ci95{0};      ///< half width of its interval, us; NaN: none
    double latency99{0}; ///< latency that 99 % do not exceed, us
};

/// Rows that differ in nothing but run and load.
struct LoadCurve
{
    CsvRow row;                    ///< one of them
    std::size_t runs{0};           ///< number of runs
    double saturation{0};          ///< where it is saturated; NaN: nowhere
    std::vector<LoadPoint> points; ///< means over runs, at loads that all runs have
    bool searched{true};           ///< whether saturation was searched for, rather than met
};

/// All curves of a picture.
using LoadCurves = std::vector<LoadCurve>;

LoadPoint
MakeLoadPoint(const StudyPlot::Rows& rows)
{
    SampleSummary accepted;
    SampleSummary latency;
    SampleSummary latency99;
    LoadPoint point;
    for (const auto& row : rows)
    {
        accepted.Add(row["accepted"]);
        latency.Add(row["latency_us_mean"]);
        latency99.Add(row["latency_us_p99"]);
        point.steady = point.steady && row["state"].Text() == "steady";
    }
    point.load = rows.front()["load"];
    point.accepted = accepted.GetMean();
    point.latency = latency.GetMean();
    point.ci95 =
        rows.size() > 1 ? latency.GetHalfWidth95() : double(rows.front()["latency_us_ci95"]);
    point.latency99 = latency99.GetMean();
    return point;
}

LoadCurve
MakeLoadCurve(const StudyPlot::Rows& rows)
{
    SampleSummary saturation;
    const auto runs = StudyPlot::GroupBy(rows, "run");
    for (const auto& [run, some] : runs)
    {
        saturation.Add((some.front()["saturation_low"] + some.front()["saturation_high"]) / 2);
    }
    LoadCurve curve{rows.front(), runs.size(), saturation.GetMean(), {}};
    const auto known = StudyPlot::SortedBy(
        StudyPlot::Where(rows, [](const auto& row) { return !std::isnan(row["accepted"]); }),
        "load");
    for (const auto& [load, some] : StudyPlot::GroupBy(known, "load"))
    {
        if (some.size() == runs.size())
        {
            curve.points.push_back(MakeLoadPoint(some));
        }
    }
    const auto beyond = std::find_if(curve.points.begin(), curve.points.end(), [](const auto& p) {
        return !p.steady;
    });
    if (std::isnan(curve.saturation) && beyond != curve.points.end())
    {
        curve.saturation = beyond->load;
        curve.searched = false;
    }
    return curve;
}

/// @return whether a column is not the same in all curves
bool
Differs(const LoadCurves& curves, const std::string& column)
{
    return std::any_of(curves.begin(), curves.end(), [&](const auto& curve) {
        return curve.row.GetKey({column}) != curves.front().row.GetKey({column});
    });
}

/// @return name of a curve: what tells it from others
std::string
NameOf(const LoadCurve& curve, const LoadCurves& all)
{
    const auto& row = curve.row;
    auto name =
        row["flits"].Text() + (row["flits"].Text().find(':') == std::string::npos ? " flits" : "");
    name += Differs(all, "pattern") ? ", " + row["pattern"].Text() : "";
    name += Differs(all, "arrivals") ? ", " + row["arrivals"].Text() : "";
    name += Differs(all, "switches") || Differs(all, "hosts")
                ? ", " + row.GetText("switches") + "/" + row.GetText("hosts")
                : "";
    name += Differs(all, "connectivity") ? ", f " + Said(row["connectivity"]) : "";
    name += Differs(all, "topology") ? ", " + row["topology"].Text() : "";
    return name;
}

/// @return where a curve is saturated, to stand behind its name
std::string
SaturationOf(const LoadCurve& curve)
{
    return std::isnan(curve.saturation)
               ? ""
               : (curve.searched ? ", saturated from " : ", saturated at ") +
                     Said(curve.saturation);
}

std::string
GetMarks(const LoadCurves& curves, double greatest, const std::string& where)
{
    std::ostringstream marks;
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        const auto load = curves[i].saturation;
        if (load <= greatest)
        {
            marks << "set arrow from first " << load << ", graph 0 to first " << load
                  << ", graph 1 nohead lw 2 dt 2 lc " << ColourOf(i) << "\n"
                  << "set label \"saturated\" at first " << load << ", graph " << where
                  << " rotate by 90 offset character 1.5,0 tc " << ColourOf(i) << "\n";
        }
    }
    return marks.str();
}

std::string
GetTitle(const LoadCurves& curves)
{
    const auto& row = curves.front().row;
    std::string title;
    const auto add = [&title](bool differs, const std::string& text) {
        title += differs ? "" : (title.empty() ? "" : ", ") + text;
    };
    add(Differs(curves, "switches") || Differs(curves, "hosts"),
        row.GetText("switches") + " switches, " + row.GetText("hosts") + " hosts");
    add(Differs(curves, "connectivity"), "connectivity " + Said(row["connectivity"]));
    add(Differs(curves, "topology"), row["topology"].Text());
    const auto fabric = title;
    title.clear();
    add(Differs(curves, "pattern"), "pattern " + row["pattern"].Text());
    add(Differs(curves, "arrivals"),
        (row["arrivals"].Text() == "poisson" ? "Poisson" : row["arrivals"].Text()) + " arrivals");
    const auto runs = curves.front().runs;
    const bool equal = std::all_of(curves.begin(), curves.end(), [&](const auto& curve) {
        return curve.runs == runs;
    });
    add(!equal || runs == 1, "mean of " + std::to_string(runs) + " runs");
    // Quotes hold no end of a line.
    return GnuplotScript::Quote(fabric) + ".\"\\n\"." + GnuplotScript::Quote(title);
}

/// @param margin ratio of it and of what must be seen
double
GetMaxLoad(const LoadCurves& curves, double margin)
{
    double greatest = 0;
    for (const auto& curve : curves)
    {
        greatest = std::max(greatest, std::isnan(curve.saturation) ? 0 : curve.saturation);
        for (const auto& point : curve.points)
        {
            greatest = std::max(greatest, point.steady ? point.load : 0);
        }
    }
    return greatest > 0 ? greatest * margin : 1;
}

/// @return a plot over load, without curves
StudyPlot
MakeLoadPlot(const std::string& name, const std::string& label, const LoadCurves& curves)
{
    StudyPlot plot{name, "offered load, part of the rate of a host's channel", label};
    plot.axes = "set title " + GetTitle(curves) + "\nset format x \"%g\"\n" + StudyPlot::OPEN_AXES;
    plot.key = "set key top left Left reverse samplen 3 spacing 1.2\n";
    plot.data = StudyPlot::IN_FILE;
    plot.panels.emplace_back();
    return plot;
}

/// @return latencies, up to where some run is not steady
StudyPlot
DrawLatencies(const LoadCurves& curves)
{
    auto plot = MakeLoadPlot("latency", "latency (us)", curves);
    auto& drawn = plot.panels.front().curves;
    std::vector<StudyPlot::Curve> without; // curves without a steady load
    double least = std::numeric_limits<double>::max();
    double greatest = 0;
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        StudyPlot::Curve mean{NameOf(curves[i], curves) + ", mean" + SaturationOf(curves[i]),
                              "yerrorlines" + StyleOf(i)};
        StudyPlot::Curve most{NameOf(curves[i], curves) + ", 99 % of the worms",
                              "lines lw 1.5 dt 3 lc " + ColourOf(i)};
        for (const auto& point : curves[i].points)
        {
            if (!point.steady)
            {
                break;
            }
            const auto ci95 = std::isnan(point.ci95) ? 0 : point.ci95;
            mean.points.push_back({point.load, point.latency, ci95});
            most.points.push_back({point.load, point.latency99});
            least = std::min(least, point.latency);
            greatest = std::max({greatest, point.latency + ci95, point.latency99});
        }
        if (mean.points.empty())
        {
            without.push_back({NameOf(curves[i], curves) + SaturationOf(curves[i]),
                               "lines lw 2 dt 2 lc " + ColourOf(i),
                               {},
                               "",
                               "NaN"});
            continue;
        }
        drawn.push_back(mean);
        drawn.push_back(most);
    }
    drawn.insert(drawn.end(), without.begin(), without.end());
    const auto low = greatest > 0 ? least / 1.5 : 1 / 1.5;
    const auto high = greatest > 0 ? greatest * 1.5 : 1.5;
    const auto load = GetMaxLoad(curves, 1.08);
    plot.axes += "set logscale y 10\nset yrange [" + StudyPlot::Number(low) + ":" +
                 StudyPlot::Number(high) + "]\nset ytics (" + StudyPlot::DecimalTics(low, high) +
                 ")\nset xrange [0:" + StudyPlot::Number(load) + "]\n" +
                 GetMarks(curves, load, "0.98 right");
    return plot;
}

StudyPlot
DrawThroughputs(const LoadCurves& curves)
{
    constexpr double BEYOND = 1.7; // shows what happens to loads beyond saturation
    auto plot =
        MakeLoadPlot("throughput", "accepted load, part of the rate of a host's channel", curves);
    double measured = 1;
    for (const auto& curve : curves)
    {
        measured = std::max(measured, curve.points.empty() ? 0 : curve.points.back().load);
    }
    const auto greatest = std::min(GetMaxLoad(curves, BEYOND), measured);
    double most = 0;
    auto& drawn = plot.panels.front().curves;
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        StudyPlot::Curve accepted{NameOf(curves[i], curves) + SaturationOf(curves[i]),
                                  "linespoints" + StyleOf(i)};
        for (const auto& point : curves[i].points)
        {
            if (point.load <= greatest)
            {
                accepted.points.push_back({point.load, point.accepted});
                most = std::max(most, point.accepted);
            }
        }
        drawn.push_back(accepted);
    }
    drawn.push_back({"all that is offered", "lines lw 1 dt 2 lc rgb \"#808080\"", {}, "", "x"});
    plot.axes += "set xrange [0:" + StudyPlot::Number(greatest) + "]\n" +
                 GetMarks(curves, greatest, "0.02 left") +
                 "set yrange [0:" + StudyPlot::Number(most > 0 ? most * 1.3 : 1) + "]\n";
    return plot;
}

} // namespace

std::vector<StudyPlot>
MakeLatencyLoadPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    static const std::vector<std::string>
        columns{"switches", "hosts", "connectivity", "topology", "pattern", "arrivals", "flits"};
    const auto getCurve = [](const CsvRow& row) { return row.GetKey(columns); };
    LoadCurves curves;
    for (const auto& [key, some] : StudyPlot::GroupBy(rows, getCurve))
    {
        curves.push_back(MakeLoadCurve(some));
    }
    if (curves.empty())
    {
        return {};
    }
    return {DrawLatencies(curves), DrawThroughputs(curves)};
}

} // namespace ns3
