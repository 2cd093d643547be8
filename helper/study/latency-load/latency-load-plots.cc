// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/study-makers.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

std::string
ColourOf(std::size_t index)
{
    const std::string style = GnuplotScript::GetStyle(index);
    return style.substr(style.find("rgb"));
}

std::string
Said(double number)
{
    std::ostringstream text;
    text.precision(3);
    text << number;
    return text.str();
}

/// Rows that differ in nothing but run and load.
struct LoadCurve
{
    CsvRow row;            ///< one of them
    std::size_t runs;      ///< number of runs
    double saturation;     ///< where it is saturated; NaN: nowhere
    StudyPlot::Rows rows;  ///< by load, at loads that all runs have
    double unsteady;       ///< least load that is not steady in all runs; infinite: all are
    bool isSearched{true}; ///< whether saturation was searched for, rather than met
};

using LoadCurves = std::vector<LoadCurve>;

LoadCurve
MakeLoadCurve(const StudyPlot::Rows& rows)
{
    SampleSummary saturation;
    const auto runs = StudyPlot::GroupBy(rows, "run");
    for (const auto& [run, some] : runs)
    {
        for (const auto& [load, same] : StudyPlot::GroupBy(some, "load"))
        {
            WormholeError::ThrowIf(same.size() > 1,
                                   "--fromCsv: load " + Said(same.front()["load"]) + " of run " +
                                       run + ", " + rows.front()["flits"].Text() +
                                       " flits, appears twice; expected files that differ in "
                                       "a column, such as topology (none has routing or buffers)");
        }
        saturation.Add((some.front()["saturation_low"] + some.front()["saturation_high"]) / 2);
    }
    constexpr auto NONE = std::numeric_limits<double>::infinity();
    LoadCurve curve{rows.front(), runs.size(), saturation.GetMean(), {}, NONE};
    const auto known = StudyPlot::SortedBy(
        StudyPlot::Where(rows, [](const auto& row) { return !std::isnan(row["accepted"]); }),
        "load");
    for (const auto& [load, some] : StudyPlot::GroupBy(known, "load"))
    {
        if (some.size() != runs.size())
        {
            continue;
        }
        curve.rows.insert(curve.rows.end(), some.begin(), some.end());
        if (AnyOf(some, [](const auto& row) { return row["state"].Text() != "steady"; }))
        {
            curve.unsteady = std::min<double>(curve.unsteady, some.front()["load"]);
        }
    }
    if (std::isnan(curve.saturation) && curve.unsteady < NONE)
    {
        curve.saturation = curve.unsteady;
        curve.isSearched = false;
    }
    return curve;
}

bool
Differs(const LoadCurves& curves, const std::string& column)
{
    return AnyOf(curves, [&](const auto& curve) {
        return curve.row.GetKey({column}) != curves.front().row.GetKey({column});
    });
}

std::string
NameOf(const CsvRow& row, const LoadCurves& all)
{
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

std::string
SaturationOf(const LoadCurve& curve)
{
    return std::isnan(curve.saturation)
               ? ""
               : (curve.isSearched ? ", saturated from " : ", saturated at ") +
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
    const bool equal = AllOf(curves, [&](const auto& curve) { return curve.runs == runs; });
    add(!equal || runs == 1, "mean of " + std::to_string(runs) + " runs");
    // Quotes hold no end of a line.
    return GnuplotScript::Quote(fabric) + ".\"\\n\"." + GnuplotScript::Quote(title);
}

/// @param margin ratio of it and of what must be seen
double
GetMaxLoad(const LoadCurves& curves, double margin)
{
    const auto greatest = GreatestOf(0.0, curves, [](const auto& curve) {
        const auto saturation = std::isnan(curve.saturation) ? 0 : curve.saturation;
        return GreatestOf(saturation, curve.rows, [&curve](const auto& row) {
            return row["load"] < curve.unsteady ? row["load"] : 0.0;
        });
    });
    return greatest > 0 ? greatest * margin : 1;
}

/// @return a plot over load @param lines lines of each curve, of some loads
/// @param isShown returns whether a load of a curve is one of them
StudyPlot
MakeLoadPlot(const std::string& name,
             const std::string& label,
             const LoadCurves& curves,
             const std::vector<StudyPlot::Line>& lines,
             const std::function<bool(const LoadCurve& curve, double load)>& isShown)
{
    StudyPlot plot{name, "offered load, part of the rate of a host's channel", label};
    plot.axes = "set title " + GetTitle(curves) + "\nset format x \"%g\"\n" + StudyPlot::OPEN_AXES;
    plot.key = "set key top left Left reverse samplen 3 spacing 1.2\n";
    plot.data = StudyPlot::IN_FILE;
    StudyPlot::Rows rows;
    for (const auto& curve : curves)
    {
        // Of each curve there is a row, which stands for its name.
        rows.push_back(curve.row);
        rows.back()["load"] = std::nan("");
        std::copy_if(curve.rows.begin(),
                     curve.rows.end(),
                     std::back_inserter(rows),
                     [&](const auto& row) { return isShown(curve, row["load"]); });
    }
    auto shown = lines;
    for (auto& line : shown)
    {
        line.y = [y = line.y](const CsvRow& row) {
            return std::isnan(row["load"]) ? std::nan("") : y(row);
        };
    }
    plot.AddLines(
        rows,
        StudyPlot::NoKey,
        [&](const CsvRow& row) { return NameOf(row, curves); },
        "load",
        shown);
    // The first line of each tells where its curve is saturated, and has a name without points.
    auto& drawn = plot.panels.front().curves;
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        auto& first = drawn[i * lines.size()];
        first.title += SaturationOf(curves[i]);
        if (first.points.empty())
        {
            first.title = NameOf(curves[i].row, curves) + SaturationOf(curves[i]);
            first.with = "lines lw 2 dt 2 lc " + ColourOf(i);
            first.function = "NaN";
        }
    }
    return plot;
}

StudyPlot
DrawLatencies(const LoadCurves& curves)
{
    auto plot = MakeLoadPlot("latency",
                             "latency (us)",
                             curves,
                             {{"latency_us_mean", ", mean", "yerrorlines lw 2 ", "latency_us_ci95"},
                              {"latency_us_p99", ", 99 % of the worms", "lines lw 1.5 dt 3 "}},
                             [](const auto& curve, double load) { return load < curve.unsteady; });
    const auto load = GetMaxLoad(curves, 1.08);
    plot.SetLogAxis(1.5);
    plot.axes +=
        "set xrange [0:" + StudyPlot::Number(load) + "]\n" + GetMarks(curves, load, "0.98 right");
    return plot;
}

StudyPlot
DrawThroughputs(const LoadCurves& curves)
{
    constexpr double BEYOND = 1.7; // shows what happens to loads beyond saturation
    const auto measured = GreatestOf(1.0, curves, [](const auto& curve) {
        return curve.rows.empty() ? 0.0 : curve.rows.back()["load"];
    });
    const auto greatest = std::min(GetMaxLoad(curves, BEYOND), measured);
    auto plot = MakeLoadPlot("throughput",
                             "accepted load, part of the rate of a host's channel",
                             curves,
                             {{"accepted", "", "linespoints lw 2 "}},
                             [greatest](const auto&, double load) { return load <= greatest; });
    auto& drawn = plot.panels.front().curves;
    const auto most = GreatestOf(0.0, drawn, [](const auto& curve) {
        return GreatestOf(0.0, curve.points, [](const auto& point) { return point.y; });
    });
    drawn.push_back({"all that is offered", "lines lw 1 dt 2 lc rgb \"#808080\"", {}, "", "x"});
    plot.axes += "set xrange [0:" + StudyPlot::Number(greatest) + "]\n" +
                 GetMarks(curves, greatest, "0.02 left") +
                 "set yrange [0:" + StudyPlot::Number(most > 0 ? most * 1.3 : 1) + "]\n";
    return plot;
}

} // namespace

/// Draws latency and throughput over the offered load. Rows that differ in nothing but run and load
/// make one curve; its points are means over runs, at loads that all runs have. With several runs,
/// intervals are those of that mean; with one, they are the run's. Latency ends where some run is
/// not steady; a vertical line stands where saturation was found, on the average of runs, or at the
/// least load that is not steady if it was not looked for.
std::vector<StudyPlot>
MakeLatencyLoadPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    static const std::vector<std::string>
        columns{"switches", "hosts", "connectivity", "topology", "pattern", "arrivals", "flits"};
    const auto getCurve = [](const CsvRow& row) { return row.GetKey(columns); };
    auto curves = MadeOf(StudyPlot::GroupBy(rows, getCurve),
                         [](const auto& group) { return MakeLoadCurve(group.second); });
    if (curves.empty())
    {
        return {};
    }
    return {DrawLatencies(curves), DrawThroughputs(curves)};
}

} // namespace ns3
