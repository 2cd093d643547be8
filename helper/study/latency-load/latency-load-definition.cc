/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-study.h"

#include "ns3/fabric-options.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/study-makers.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-program-options.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <sstream>
#include <tuple>
#include <unistd.h>

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

/// @return whether the simulation was too short to tell anything
bool
IsUnsettled(const CsvRow& row)
{
    return std::isnan(row["accepted"]);
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
        StudyPlot::Where(rows, [](const auto& row) { return !IsUnsettled(row); }),
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

std::string
Examples()
{
    std::string lines;
    for (const auto& example : GetTopologyExamples())
    {
        lines += "  " + example + "\n";
    }
    return lines;
}

std::string
GetUsage()
{
    return "Latency and throughput of a wormhole fabric over the load that its hosts offer, and "
           "the load from which on it is saturated.\n"
           "\n"
           "Examples:\n"
           "  latency-load\n"
           "      75 switches, 256 hosts, uniform traffic, worms of 64 flits; CSV to standard "
           "output\n"
           "  latency-load --flits=64,1024 --csv=latency.csv --plots=plots\n"
           "      two lengths of worms, with plots\n"
           "  latency-load --pattern=hotspot --hotFraction=0.05 --hotHost=h7 "
           "--loads=0.005,0.01,0.02\n"
           "      a hot host, at three loads\n"
           "  latency-load --fabric=cluster.json --flits=bimodal:8:1024:0.1 --arrivals=periodic\n"
           "      one's own fabric; a tenth of the worms is long\n"
           "  latency-load --topology=clos:ports=16 --pattern=permutation\n"
           "      a fabric of a regular family\n"
           "  latency-load --runs=10 --bufferDepth=1024 --ns3::WormholeFabric::FlitSize=2\n"
           "      means over ten random fabrics; attributes of the fabric\n"
           "  latency-load --fromCsv=a.csv,b.csv --plots=plots\n"
           "      plots of earlier results\n"
           "\n"
           "Loads are ratios of a channel's rate, for each host that sends. A load above capacity "
           "is marked as saturated and has no latency.\n"
           "\n"
           "Patterns:\n"
           "  uniform         to a random other host\n"
           "  permutation     each host to one other host, drawn once\n"
           "  transpose       hosts in a square, to the place mirrored at its diagonal\n"
           "  bit-reversal    to the host whose number has the same bits in reverse order\n"
           "  hotspot         a fraction of all worms to one host, the others to a random other "
           "one\n"
           "  nearest-switch  to a random one of the hosts at the fewest cables away\n"
           "\n"
           "Topologies, for example:\n" +
           Examples() +
           "\n"
           "ns-3's global value SchedulerType is set by --scheduler, to Wormhole rather than "
           "ns-3's Map, which takes longer; results are the same.";
}

void
Tell(const CsvRow& row)
{
    std::fprintf(stderr,
                 "%s: run %u, %s flits, load %.4g: accepted %.4g, %s",
                 "latency-load",
                 row["run"].Whole(),
                 row["flits"].Text().c_str(),
                 double(row["load"]),
                 double(row["accepted"]),
                 row["state"].Text().c_str());
    if (!std::isnan(row["latency_us_mean"]))
    {
        std::fprintf(stderr,
                     ", %.3f +- %.3f us",
                     double(row["latency_us_mean"]),
                     double(row["latency_us_ci95"]));
    }
    std::fputc('\n', stderr);
}

/// Options that draw a fabric.
const std::vector<std::string> DRAWING{"switches", "hosts", "ports", "connectivity", "law"};

class LatencyLoadDefinition : public TableStudy
{
  public:
    LatencyLoadDefinition()
        : TableStudy({"latency-load",
                      "latency_load",
                      "Measures latency and throughput over the load that hosts offer, and the "
                      "load from which on the fabric is saturated.",
                      GetUsage(),
                      "a row for each run, length and load; a saturated load has no latency",
                      true},
                     LatencyLoadStudy::GetTable(),
                     MakeLatencyLoadPlots)
    {
        constexpr uint32_t MANY = 1000000;
        auto& p = m_parameters;
        Add("switches=75 (75): Number of switches", p.drawn.switches).Range(1, MANY);
        Add("hosts=256 (256): Number of hosts", p.drawn.hosts).Range(1, MANY);
        AddBy<uint32_t>("ports=8 (8): Ports of each switch", [&p](uint32_t ports) {
            p.drawn.ports = ports;
        }).Range(2, 65535);
        Add("connectivity=0.75 (0.75): Ratio of ports in use", p.drawn.connectivity).Range(0, 1);
        AddBy<std::string>("law=recursive (recursive): How cables are drawn",
                           [&p](const std::string& law) {
                               p.drawn.law = IrregularTopologyHelper::ModelByName(law);
                           })
            .OneOf(IrregularTopologyHelper::GetModelNames());
        AddFabric("drawn ones");
        AddBy<std::string>(
            "root=first (first): Root of the routes: first, degree, center or a switch",
            [&p](const std::string& root) { p.fabrics.SetRoutingRoot(root); })
            .isSetWhenGiven = true;
        Add("pattern=uniform (uniform): Who sends to whom", p.pattern)
            .OneOf(WormholeTrafficHelper::GetPatternNames());
        Add("hotFraction=0.1 (0.1): Fraction of the worms for the hot host", p.hotFraction)
            .Range(0, 1)
            .attribute = "ns3::HotspotPattern::Fraction";
        Add("hotHost=h0: Name of the hot host; the first one without it", p.hotHost).attribute =
            "ns3::HotspotPattern::Host";
        Add("arrivals=poisson (poisson): When hosts make worms", p.arrivals)
            .OneOf({"poisson", "periodic"})
            .attribute = "ns3::WormholeTraffic::Arrivals";
        Add("flits=64,1024 (64): Lengths of worms, each FLITS, uniform:MIN:MAX, "
            "bimodal:SHORT:LONG:RATIO or geometric:MEAN",
            p.flits);
        Add("loads=0.05,0.1: Offered loads, ratios of a channel's rate; some ten up to saturation "
            "without it",
            p.loads)
            .Range(0, LatencyLoadStudy::GREATEST_LOAD)
            .attribute = "ns3::WormholeTraffic::Load";
        AddBy<bool>("noSearch: Do not look for saturation",
                    [&p](bool isOff) { p.search = !isOff; });
        Add("worms=2048 (2048): Worms of a host in a simulation of full length; 131072 in all at "
            "least",
            p.worms)
            .Range(1, 10000000);
        Add("runs=10 (1): Random fabrics, or traffics of one fabric", p.runs).Range(1, MANY);
        Add("seed=1 (1): Seed of random numbers", p.seed).Range(1, SeedKeeper::MAX_SEED);
        AddFabricDelays(p.fabrics);
        AddBy<uint32_t>(
            "bufferDepth=56 flits (0): Depth of input buffers; 0: the cable's round trip",
            [&p](uint32_t depth) {
                p.fabrics.SetPortAttribute("BufferDepth", UintegerValue(depth));
            })
            .Range(0, 1000000000)
            .isSetWhenGiven = true;
        AddBy<std::string>("scheduler=PriorityQueue (Wormhole): Scheduler of events, this module's "
                           "or ns-3's; results are the same",
                           [](const std::string& name) { ProgramOptions::UseScheduler(name); })
            .OneOf(ProgramOptions::GetSchedulerNames());
        AddExclusion("fabric", DRAWING);
        AddExclusion("topology", DRAWING);
        AddNeed({"hotFraction", "hotHost"}, "pattern", "hotspot");
        AddCondition({"worms"},
                     "more hosts or worms: there are " + std::to_string(p.allWorms) +
                         " of all at least",
                     [&p](const OptionValues&) {
                         const auto hosts = p.given ? p.given->GetNHosts() : p.drawn.hosts;
                         const LatencyLoadStudy byDefault;
                         return std::max(p.worms, byDefault.worms) * uint64_t{hosts} > p.allWorms;
                     });
    }

    void Measure(const Progress& progress) override
    {
        uint32_t done = 0;
        m_parameters.jobs = GetJobs();
        m_rows = m_parameters.Run([&](const CsvRow&) {
            if (progress)
            {
                progress(++done, 0); // how many loads there will be follows from what is found
            }
        });
    }

    void MeasureWithProgress(bool isAsked) override
    {
        m_parameters.jobs = GetJobs();
        const bool isTelling = isAsked || isatty(STDERR_FILENO);
        m_rows = m_parameters.Run(isTelling ? Tell : LatencyLoadStudy::Progress());
    }

    std::vector<std::string> GetRemarks() const override
    {
        const auto n = std::count_if(m_rows.begin(), m_rows.end(), IsUnsettled);
        if (n == 0)
        {
            return {};
        }
        return {std::to_string(n) + " of " + std::to_string(m_rows.size()) +
                " loads are unsettled, and nothing is said of them: the simulation was shorter "
                "than a few times a worm takes through the fabric; expected more with --worms"};
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        auto& p = m_parameters;
        for (const auto& flits : p.flits)
        {
            values.Check("flits", [&] { WormLength::Parse(flits); });
        }
        if (FabricOptions::Has(values))
        {
            RngSeedManager::SetSeed(p.seed); // for one that is drawn
            RngSeedManager::SetRun(1);
            const auto topology = FabricOptions::Read(values);
            p.given = std::make_shared<FabricGraph>(topology->graph);
            p.givenName = FabricOptions::GetText(values);
            const auto& routing = topology->graph.GetRoutes().routing;
            if (!values.Has("root"))
            {
                p.fabrics.SetRouter(topology->router);
            }
            else if (routing != "up-down")
            {
                values.Refuse(
                    "root",
                    "has no effect on the routes of " + p.givenName + ", which are " + routing +
                        "; expected " +
                        values.Show("routing", "up-down[Root=" + values.Get("root") + "]"));
            }
        }
    }

    void CheckTogether(const OptionValues& values) const override
    {
        if (values.Has("topology") && values.Has("root"))
        {
            values.Refuse("root",
                          "has no effect with " + values.Show("topology") + "; expected " +
                              values.Show("topology",
                                          values.Get("topology") +
                                              ",routing=up-down,root=" + values.Get("root")));
        }
        if (values.Has("noSearch") && !values.Has("loads"))
        {
            values.Refuse("noSearch",
                          "leaves no loads to measure; use it with " +
                              values.Show("loads", "0.05,0.1") + " or the like");
        }
    }

  private:
    LatencyLoadStudy m_parameters; ///< what is asked of the study
};

} // namespace

const CsvTable&
LatencyLoadStudy::GetTable()
{
    using Is = CsvColumn;
    constexpr int RATIO = 4;
    constexpr int LOAD = 6; // loads of large fabrics are small
    static const auto table = CsvTable{
        {"switches: Number of switches", Is::WHOLE},
        {"hosts: Number of hosts", Is::WHOLE},
        {"connectivity: Ratio of the switches' ports in use", RATIO},
        {"topology: What the fabric is"},
        {"run: Number of the run, from 1", Is::WHOLE},
        {"pattern: Who sends to whom"},
        {"arrivals: When hosts make worms: poisson or periodic"},
        {"flits: Length of worms"},
        {"load: Load asked for, over a channel's rate", LOAD},
        {"offered: Load offered in the time that was measured", LOAD},
        {"accepted: Load delivered in the time that was measured", LOAD},
        {"state: State: steady, saturated or unsettled", {"steady", "saturated", "unsettled"}},
        {"latency_us_mean (us): Mean latency of a worm", Is::NUMBER},
        {"latency_us_ci95 (us): Half width of that mean's 95 % interval", Is::NUMBER},
        {"latency_us_p99 (us): Latency that 99 % of the worms do not exceed", Is::NUMBER},
        {"worms: Worms delivered in the time that was measured", Is::WHOLE},
        {"warm_up_us (us): Time before what was measured", Is::NUMBER},
        {"queue_growth: Growth of queues, over flits offered", RATIO},
        {"worst_growth: Growth of the worst source's queue, over worms it made", RATIO},
        {"saturation_low: Greatest steady load; nan if not looked for", LOAD},
        {"saturation_high: Next load, not steady; nan if not looked for, or none up to 1",
         LOAD}}.SetCheck([](const CsvFile& file, std::size_t index, const CsvRow& row) {
        if (!(row["load"] > 0))
        {
            file.Refuse(index, "load", "a number above 0");
        }
        if ((row["state"].Text() == "steady") != (row["latency_us_mean"] > 0))
        {
            file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
        }
    });
    return table;
}

std::unique_ptr<StudyDefinition>
MakeLatencyLoadStudy()
{
    return std::make_unique<LatencyLoadDefinition>();
}

} // namespace ns3
