/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-plots.h"

#include "ns3/gnuplot-script.h"
#include "ns3/sample-summary.h"
#include "ns3/wormhole-whole-file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

/// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's).
const char* const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
/// Points, in gnuplot's numbers.
constexpr int POINTS[] = {7, 5, 9, 13, 11, 15};

/// @return colour of a curve, in gnuplot's words @param index its index
std::string
ColourOf(std::size_t index)
{
    return "rgb " + GnuplotScript::Quote(COLOURS[index % std::size(COLOURS)]);
}

/// @return how a curve is drawn, in gnuplot's words @param index its index
std::string
StyleOf(std::size_t index)
{
    return " lw 2 pt " + std::to_string(POINTS[index % std::size(POINTS)]) + " ps 1.2*unit lc " +
           ColourOf(index);
}

/// @return a number as it is said @param number the number
std::string
Said(double number)
{
    std::ostringstream text;
    text.precision(3);
    text << number;
    return text.str();
}

/// @return labels of a log axis, 1, 2 and 5 of each power of ten
/// @param least lower end of the axis @param greatest its upper end
std::string
DecimalTics(double least, double greatest)
{
    std::ostringstream tics;
    const char* comma = "";
    for (auto decade = std::pow(10, std::floor(std::log10(least))); decade <= greatest;
         decade *= 10)
    {
        for (const auto step : {1, 2, 5})
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

} // namespace

LatencyLoadPlots::LatencyLoadPlots(const std::vector<LatencyLoadRow>& rows)
{
    std::vector<std::vector<LatencyLoadRow>> groups;
    for (const auto& row : rows)
    {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return AreOfOneCurve(group.front(), row);
        });
        (found != groups.end() ? *found : groups.emplace_back()).push_back(row);
    }
    for (const auto& group : groups)
    {
        m_curves.push_back(MakeCurve(group));
    }
}

bool
LatencyLoadPlots::AreOfOneCurve(const LatencyLoadRow& a, const LatencyLoadRow& b)
{
    return a.switches == b.switches && a.hosts == b.hosts && a.connectivity == b.connectivity &&
           a.topology == b.topology && a.pattern == b.pattern && a.arrivals == b.arrivals &&
           a.flits == b.flits;
}

LatencyLoadPlots::Curve
LatencyLoadPlots::MakeCurve(const std::vector<LatencyLoadRow>& rows)
{
    std::set<uint32_t> runs;
    std::map<double, std::vector<LatencyLoadRow>> byLoad;
    SampleSummary saturation;
    for (const auto& row : rows)
    {
        if (!std::isnan(row.accepted)) // else the simulation was too short to tell anything
        {
            byLoad[row.load].push_back(row);
        }
        if (runs.insert(row.run).second)
        {
            saturation.Add((row.saturationLow + row.saturationHigh) / 2);
        }
    }
    Curve curve{rows.front(), runs.size(), saturation.GetMean(), {}};
    for (const auto& entry : byLoad)
    {
        if (entry.second.size() == runs.size())
        {
            curve.points.push_back(MakePoint(entry.second));
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

LatencyLoadPlots::Point
LatencyLoadPlots::MakePoint(const std::vector<LatencyLoadRow>& rows)
{
    SampleSummary accepted;
    SampleSummary latency;
    SampleSummary latency99;
    Point point;
    for (const auto& row : rows)
    {
        accepted.Add(row.accepted);
        latency.Add(row.latencyUsMean);
        latency99.Add(row.latencyUs99);
        point.steady = point.steady && row.state == "steady";
    }
    point.load = rows.front().load;
    point.accepted = accepted.GetMean();
    point.latency = latency.GetMean();
    point.ci95 = rows.size() > 1 ? latency.GetHalfWidth95() : rows.front().latencyUsCi95;
    point.latency99 = latency99.GetMean();
    return point;
}

template <typename T>
bool
LatencyLoadPlots::Differs(T LatencyLoadRow::* column) const
{
    return std::any_of(m_curves.begin(), m_curves.end(), [&](const auto& curve) {
        return curve.row.*column != m_curves.front().row.*column;
    });
}

std::string
LatencyLoadPlots::NameOf(const Curve& curve) const
{
    const auto& row = curve.row;
    auto name = row.flits + (row.flits.find(':') == std::string::npos ? " flits" : "");
    name += Differs(&LatencyLoadRow::pattern) ? ", " + row.pattern : "";
    name += Differs(&LatencyLoadRow::arrivals) ? ", " + row.arrivals : "";
    name += Differs(&LatencyLoadRow::switches) || Differs(&LatencyLoadRow::hosts)
                ? ", " + std::to_string(row.switches) + "/" + std::to_string(row.hosts)
                : "";
    name += Differs(&LatencyLoadRow::connectivity) ? ", f " + Said(row.connectivity) : "";
    name += Differs(&LatencyLoadRow::topology) ? ", " + row.topology : "";
    return name;
}

std::string
LatencyLoadPlots::SaturationOf(const Curve& curve)
{
    return std::isnan(curve.saturation)
               ? ""
               : (curve.searched ? ", saturated from " : ", saturated at ") +
                     Said(curve.saturation);
}

std::string
LatencyLoadPlots::GetMarks(double greatest, const std::string& where) const
{
    std::ostringstream marks;
    for (std::size_t i = 0; i < m_curves.size(); ++i)
    {
        const auto load = m_curves[i].saturation;
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
LatencyLoadPlots::GetTitle() const
{
    const auto& row = m_curves.front().row;
    std::string title;
    const auto add = [&title](bool differs, const std::string& text) {
        title += differs ? "" : (title.empty() ? "" : ", ") + text;
    };
    add(Differs(&LatencyLoadRow::switches) || Differs(&LatencyLoadRow::hosts),
        std::to_string(row.switches) + " switches, " + std::to_string(row.hosts) + " hosts");
    add(Differs(&LatencyLoadRow::connectivity), "connectivity " + Said(row.connectivity));
    add(Differs(&LatencyLoadRow::topology), row.topology);
    const auto fabric = title;
    title.clear();
    add(Differs(&LatencyLoadRow::pattern), "pattern " + row.pattern);
    add(Differs(&LatencyLoadRow::arrivals),
        (row.arrivals == "poisson" ? "Poisson" : row.arrivals) + " arrivals");
    const auto runs = m_curves.front().runs;
    const bool equal = std::all_of(m_curves.begin(), m_curves.end(), [&](const auto& curve) {
        return curve.runs == runs;
    });
    add(!equal || runs == 1, "mean of " + std::to_string(runs) + " runs");
    // Quotes hold no end of a line.
    return GnuplotScript::Quote(fabric) + ".\"\\n\"." + GnuplotScript::Quote(title);
}

double
LatencyLoadPlots::GetMaxLoad(double margin) const
{
    double greatest = 0;
    for (const auto& curve : m_curves)
    {
        greatest = std::max(greatest, std::isnan(curve.saturation) ? 0 : curve.saturation);
        for (const auto& point : curve.points)
        {
            greatest = std::max(greatest, point.steady ? point.load : 0);
        }
    }
    return greatest > 0 ? greatest * margin : 1;
}

std::string
LatencyLoadPlots::AddLatencies(GnuplotCurves& plot) const
{
    double least = std::numeric_limits<double>::max();
    double greatest = 0;
    std::ostringstream axes;
    std::vector<std::size_t> without; // curves without a steady load
    for (std::size_t i = 0; i < m_curves.size(); ++i)
    {
        const auto& curve = m_curves[i];
        std::vector<GnuplotCurves::Point> mean;
        std::vector<GnuplotCurves::Point> most;
        for (const auto& point : curve.points)
        {
            if (!point.steady)
            {
                break;
            }
            const auto ci95 = std::isnan(point.ci95) ? 0 : point.ci95;
            mean.push_back({point.load, point.latency, ci95});
            most.push_back({point.load, point.latency99});
            least = std::min(least, point.latency);
            greatest = std::max({greatest, point.latency + ci95, point.latency99});
        }
        if (mean.empty())
        {
            without.push_back(i);
            continue;
        }
        plot.Add(NameOf(curve) + ", mean" + SaturationOf(curve),
                 "yerrorlines" + StyleOf(i),
                 mean,
                 true);
        plot.Add(NameOf(curve) + ", 99 % of the worms",
                 "lines lw 1.5 dt 3 lc " + ColourOf(i),
                 most,
                 false);
    }
    for (const auto i : without)
    {
        plot.AddFunction(NameOf(m_curves[i]) + SaturationOf(m_curves[i]),
                         "lines lw 2 dt 2 lc " + ColourOf(i),
                         "NaN");
    }
    least = greatest > 0 ? least : 1;
    greatest = greatest > 0 ? greatest : 1;
    axes << "set logscale y 10\n"
         << "set yrange [" << least / 1.5 << ":" << greatest * 1.5 << "]\n"
         << "set ytics (" << DecimalTics(least / 1.5, greatest * 1.5) << ")\n";
    axes << "set xrange [0:" << GetMaxLoad(1.08) << "]\n"
         << GetMarks(GetMaxLoad(1.08), "0.98 right")
         << "set key top left Left reverse samplen 3 spacing 1.2\n";
    return axes.str();
}

std::string
LatencyLoadPlots::AddThroughputs(GnuplotCurves& plot) const
{
    constexpr double BEYOND = 1.7; // shows what happens to loads beyond saturation
    double measured = 1;
    for (const auto& curve : m_curves)
    {
        measured = std::max(measured, curve.points.empty() ? 0 : curve.points.back().load);
    }
    const auto greatest = std::min(GetMaxLoad(BEYOND), measured);
    double most = 0;
    for (std::size_t i = 0; i < m_curves.size(); ++i)
    {
        std::vector<GnuplotCurves::Point> accepted;
        for (const auto& point : m_curves[i].points)
        {
            if (point.load <= greatest)
            {
                accepted.push_back({point.load, point.accepted});
                most = std::max(most, point.accepted);
            }
        }
        plot.Add(NameOf(m_curves[i]) + SaturationOf(m_curves[i]),
                 "linespoints" + StyleOf(i),
                 accepted,
                 false);
    }
    plot.AddFunction("all that is offered", "lines lw 1 dt 2 lc rgb \"#808080\"", "x");
    std::ostringstream axes;
    axes << "set xrange [0:" << greatest << "]\n"
         << GetMarks(greatest, "0.02 left") << "set yrange [0:" << (most > 0 ? most * 1.3 : 1)
         << "]\n"
         << "set key top left Left reverse samplen 3 spacing 1.2\n";
    return axes.str();
}

std::vector<std::string>
LatencyLoadPlots::Write(const std::string& directory, const std::string& prefix) const
{
    std::vector<std::string> files;
    if (m_curves.empty())
    {
        return files;
    }
    for (const auto& [name, label, add] :
         {std::make_tuple("latency", "latency (us)", &LatencyLoadPlots::AddLatencies),
          std::make_tuple("throughput",
                          "accepted load, part of the rate of a host's channel",
                          &LatencyLoadPlots::AddThroughputs)})
    {
        GnuplotCurves plot(prefix + name + ".dat");
        const auto axes = "set title " + GetTitle() + "\n" +
                          "set xlabel \"offered load, part of the rate of a host's channel\"\n" +
                          "set ylabel " + GnuplotScript::Quote(label) + "\n" + (this->*add)(plot);
        WritePlot(directory, prefix + name, plot, axes);
        files.push_back(prefix + name + ".plt");
    }
    return files;
}

void
LatencyLoadPlots::WritePlot(const std::string& directory,
                            const std::string& name,
                            const GnuplotCurves& plot,
                            const std::string& axes)
{
    WholeFile points(GnuplotScript::PlaceFile(directory, name + ".dat"));
    plot.WritePoints(points.Get());
    points.Finish();

    GnuplotScript script;
    script.name = name;
    script.setup = axes + "set border 3 lw 1.5 lc rgb \"#404040\"\n"
                          "set tics nomirror out\n"
                          "set format x \"%g\"\n"
                          "set grid xtics ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
                          "set bars 0.6\n";
    script.drawing = plot.GetPlot();
    script.Write(directory);
}

} // namespace ns3
