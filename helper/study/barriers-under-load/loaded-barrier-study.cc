/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/channel-bound.h"
#include "ns3/collective-bench.h"
#include "ns3/fabric-options.h"
#include "ns3/job-placement.h"
#include "ns3/latency-load-study.h"
#include "ns3/latency-parts.h"
#include "ns3/loaded-bench.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/study-fabric.h"
#include "ns3/study-makers.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

CsvTable
MakeLoadedBarrierTable()
{
    using Is = CsvColumn;
    constexpr int LOAD = 6; // loads of large fabrics are small
    CsvTable table{
        {"algorithm: Name of the barrier"},
        {"members: Number of members", Is::WHOLE},
        {"pattern: Who sends data to whom"},
        {"flits: Length of data worms"},
        {"load: Offered load of a host, over a channel's rate; 0: no traffic", LOAD},
        {"state: State: steady, saturated (worms pile up) or deadlock",
         {"steady", "saturated", "deadlock"}},
        {"rounds: Barriers measured", Is::WHOLE},
        {"latency_us_mean (us): Mean latency of a barrier", Is::NUMBER},
        {"latency_us_ci95 (us): Half width of that mean's 95 % interval; nan without traffic",
         Is::NUMBER},
        {"latency_us_median (us): Median latency", Is::NUMBER},
        {"latency_us_p99 (us): Latency that 99 % of the barriers do not exceed", Is::NUMBER}};
    return LatencyParts::AddTo(
        table.SetCheck([](const CsvFile& file, std::size_t index, const CsvRow& row) {
            if ((row["state"].Text() == "steady") != (row["latency_us_mean"] > 0))
            {
                file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
            }
        }));
}

/// What is asked.
struct LoadedParameters : public StudyFabric
{
    std::vector<std::string> algorithms;
    std::vector<double> loads;    // empty: PARTS of the channels' bound
    LoadedBench::Traffic traffic; // at these loads
    uint32_t members{0};          // 0: all hosts
    uint32_t rounds{0};
    bool isExplained{false};
    uint32_t seed{0};
};

/// Loads where none are asked for, in parts of that at which the busiest channel is full.
constexpr double PARTS[] = {0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9};

constexpr double US = 1e-6; ///< s

/// Streams of random numbers: the group's, and the first of the traffic's three.
constexpr int64_t GROUP_STREAM = 0;
constexpr int64_t TRAFFIC_STREAM = 1; //!< see GROUP_STREAM

void
Summarize(const std::vector<Time>& durations, CsvRow& row)
{
    SampleSummary summary;
    for (const auto& duration : durations)
    {
        summary.Add(duration.GetSeconds() / US);
    }
    row["rounds"] = static_cast<uint32_t>(durations.size());
    row["latency_us_mean"] = summary.GetMean();
    row["latency_us_ci95"] = summary.GetHalfWidth95();
    row["latency_us_median"] = summary.GetMedian();
    row["latency_us_p99"] = summary.GetPercentile99();
}

std::vector<double>
GetLoads(const LoadedParameters& p)
{
    auto loads = p.loads;
    if (loads.empty())
    {
        const auto& graph = p.topology->graph;
        WormholeTrafficHelper helper;
        helper.SetPattern(p.traffic.pattern);
        const auto bound = ChannelBound::Compute(graph,
                                                 *p.topology->router,
                                                 *helper.MakePattern(graph, TRAFFIC_STREAM));
        for (const auto part : PARTS)
        {
            loads.push_back(part * bound);
        }
    }
    std::sort(loads.begin(), loads.end());
    loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
    return loads;
}

CsvRow
MeasureLoaded(const LoadedParameters& p, CsvRow row, bool isExplained)
{
    const SimulationScope ownSimulation;
    JobPlacement placement(p.topology->graph, {"random", p.members, 0});
    placement.AssignStreams(GROUP_STREAM);
    const auto hosts = placement.Draw();
    const auto domain = p.Install();
    auto barrier = CollectiveHelper::MakeBarrier(row["algorithm"].Text());
    row["state"] = "steady";
    if (row["load"] == 0)
    {
        CollectiveBench bench(barrier, domain, hosts);
        if (isExplained)
        {
            bench.Record();
        }
        Summarize({bench.Cross({}, {})}, row);
        if (isExplained)
        {
            LatencyParts::Add(row, bench.GetReport(), 1);
        }
        return row;
    }
    auto traffic = p.traffic;
    traffic.load = row["load"];
    traffic.stream = TRAFFIC_STREAM;
    try
    {
        LoadedBench bench(barrier, domain, hosts, traffic);
        if (isExplained)
        {
            bench.Record();
        }
        Summarize(bench.Cross(p.rounds), row);
        if (isExplained)
        {
            LatencyParts::AddRounds(row, bench, p.rounds);
        }
        return row;
    }
    catch (const LoadedBench::Overload&)
    {
        row["state"] = "saturated";
    }
    catch (const WormholeError&)
    {
        if (domain->GetFabric()->ExplainDeadlock().empty())
        {
            throw;
        }
        row["state"] = "deadlock";
    }
    constexpr auto NONE = std::numeric_limits<double>::quiet_NaN();
    LatencyParts::Set(row, NONE);
    for (const auto name :
         {"latency_us_mean", "latency_us_ci95", "latency_us_median", "latency_us_p99"})
    {
        row[name] = NONE;
    }
    return row;
}

CsvRow
MeasureLoaded(const LoadedParameters& p, const CsvRow& row)
{
    if (p.isExplained && row["load"] > 0)
    {
        // Recorded is each worm that waits: of a load that the fabric does not take, too many.
        auto plain = MeasureLoaded(p, row, false);
        if (plain["state"].Text() != "steady")
        {
            return plain;
        }
    }
    return MeasureLoaded(p, row, p.isExplained);
}

/// @return what the axis of latencies shows: whole decades would leave half of it empty
std::string
MakeLatencyRange(const std::vector<CsvRow>& rows)
{
    auto low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const auto& row : rows)
    {
        const double mean = row["latency_us_mean"];
        if (!std::isnan(mean))
        {
            low = std::min(low, mean);
            high = std::max({high, mean, double(row["latency_us_p99"])});
        }
    }
    if (!(low > 0 && low <= high))
    {
        return "";
    }
    return "set yrange [" + StudyPlot::Number(low / 1.3) + ":" + StudyPlot::Number(high * 1.3) +
           "]\nset ytics (" + StudyPlot::DecimalTics(low / 1.3, high * 1.3) + ")\n";
}

/// @return what marks the least of the loads from which on no barrier has a latency; empty if all
/// have
std::string
MarkSaturation(const std::vector<CsvRow>& rows)
{
    auto first = std::numeric_limits<double>::infinity();
    for (auto row = rows.rbegin(); row != rows.rend() && std::isnan((*row)["latency_us_mean"]);
         ++row)
    {
        first = (*row)["load"];
    }
    if (std::isinf(first) || first == 0)
    {
        return "";
    }
    const auto load = StudyPlot::Number(first);
    return "set arrow from " + load + ", graph 0 to " + load +
           ", graph 1 nohead dt 2 lc rgb \"#666666\"\nset label \"no latency from here on\" at " +
           load + ", graph 0.5 center rotate by 90 offset character -1, 0 tc rgb \"#666666\"\n";
}

/// Rows by barrier, each by load.
using LoadedRows = std::vector<std::pair<std::string, StudyPlot::Rows>>;

StudyPlot
DrawCauses(const LoadedRows& groups)
{
    std::vector<LatencyParts::Bars> all;
    for (const auto& [algorithm, rows] : groups)
    {
        LatencyParts::Bars bars{algorithm};
        for (const auto& row : rows)
        {
            if (!row["explained"].Text().empty() && row["state"].Text() == "steady")
            {
                std::ostringstream load;
                load << std::setprecision(2) << 100 * row["load"]; // longer ones would overlap
                bars.rows.emplace_back(load.str(), &row);
            }
        }
        if (!bars.rows.empty())
        {
            all.push_back(bars);
        }
    }
    return LatencyParts::Draw(all, "by barrier and load of data traffic (%)");
}

/// Draws latency over load, a colour for each barrier; solid the mean, dashed the 99th percentile,
/// thin and level the latency without traffic. Explained ones are stacked bars, too.
std::vector<StudyPlot>
MakeLoadedBarrierPlots(const StudyPlot::Rows& all, const StudyPlot::Rows&)
{
    const auto rows = StudyPlot::SortedBy(all, "load");
    LoadedRows groups;
    StudyPlot::Panel panel;
    for (const auto& [name, given] : StudyPlot::GroupBy(all, "algorithm"))
    {
        const std::string style = GnuplotScript::GetStyle(groups.size());
        const auto some = StudyPlot::SortedBy(given, "load");
        const auto add = [&, name = name](const char* title, const std::string& with, auto value) {
            panel.curves.push_back({name + title, with, StudyPlot::PointsOf(some, "load", value)});
        };
        add(", mean", "linespoints lw 2 " + style, "latency_us_mean");
        // The same point, hollow: not all of gnuplot's terminals draw dashes.
        const auto hollow = "pt " + std::to_string(std::stoul(style.substr(3)) ^ 1U) +
                            style.substr(style.find(" ps"));
        add(", 99 %", "linespoints lw 1.5 dt 2 " + hollow, "latency_us_p99");
        if (some.front()["load"] == 0)
        {
            add(", no traffic",
                "lines lw 1 dt 3 " + style.substr(style.find("lc")),
                [&](const CsvRow&) -> double { return some.front()["latency_us_mean"]; });
        }
        groups.emplace_back(name, some);
    }
    StudyPlot plot{"latency",
                   "offered load of data traffic, over a channel's rate",
                   "latency of a barrier (us)",
                   {panel}};
    plot.axes = "set xrange [0:*]\nset logscale y\nset grid\n" + MakeLatencyRange(rows) +
                MarkSaturation(rows);
    plot.key = "set key above vertical maxrows 3 Left reverse noenhanced samplen 2 font \",11\"\n";
    return {plot, DrawCauses(groups)};
}

const std::string USAGE =
    "Latency of barriers beside data traffic, over the load that hosts offer: the mean over many "
    "barriers one after the other, and what 99 % of them do not exceed. The first row of each "
    "barrier is without traffic, as if it had the fabric for itself. A load at which worms pile up "
    "is marked as saturated and has no latency; neither has one at which worms wait for each other "
    "for ever, as tree worms (multicast) can in buffers that do not hold them.\n"
    "\n"
    "Examples:\n"
    "  barriers-under-load\n"
    "      three barriers of all 256 hosts of a random fabric; CSV to standard output\n"
    "  barriers-under-load --csv=loaded.csv --plots=plots\n"
    "      the same, with plots\n"
    "  barriers-under-load --attribute=WormholePort::BufferDepth=512\n"
    "      buffers that hold a tree worm with 256 addresses, so that there is no deadlock\n"
    "  barriers-under-load --topology=clos:ports=8 --loads=0.1,0.3,0.5 --flits=1024\n"
    "      another fabric, at three loads of longer worms\n"
    "  barriers-under-load --algorithms=btin,dissemination[Transport=rdma],hw-1 --members=16\n"
    "      16 random hosts, with remote writes and with an add-on network that no data uses\n"
    "  barriers-under-load --algorithms=btin,dissemination --explain --plots=plots\n"
    "      what latencies go into, too, and which part of them is waiting for the traffic\n"
    "  barriers-under-load --pattern=hotspot --rounds=1000\n"
    "      a tenth of all worms goes to one host\n"
    "\n"
    "Loads are ratios of a channel's rate, for each host. Between two barriers there is a pause, "
    "until what one has held up is through.";

class LoadedBarrierDefinition : public TableStudy
{
  public:
    LoadedBarrierDefinition()
        : TableStudy({"barriers-under-load",
                      "barriers_under_load",
                      "Measures barriers beside data traffic, over its load.",
                      USAGE,
                      "a row for each barrier and load; latencies where the state is steady",
                      true},
                     MakeLoadedBarrierTable(),
                     MakeLoadedBarrierPlots)
    {
        constexpr uint32_t MANY = 1'000'000;
        auto& p = m_parameters;
        Add("algorithms=btin,dissemination[Transport=rdma],hw-1 (btin,multicast,dissemination): "
            "Barriers",
            p.algorithms);
        Add("loads=0.005,0.01: Offered loads, ratios of a channel's rate; without it 10 to 90 % of "
            "the load at which the busiest channel is full",
            p.loads)
            .Range(0, LatencyLoadStudy::GREATEST_LOAD)
            .attribute = "ns3::WormholeTraffic::Load";
        Add("pattern=uniform (uniform): Who sends data to whom", p.traffic.pattern)
            .OneOf(WormholeTrafficHelper::GetPatternNames());
        Add("flits=64 (64): Length of data worms, as in latency-load", p.traffic.flits);
        Add("members=16 (0): Number of members, random hosts; 0: all hosts", p.members)
            .Range(0, MANY);
        Add("rounds=300 (300): Barriers measured at each load", p.rounds).Range(1, MANY);
        Add("explain: Tell what latencies go into: columns of hosts' software, interfaces, wires, "
            "switches and waiting, which together make the mean latency, of what part of the "
            "waiting is for the traffic, and a plot of them",
            p.isExplained);
        Add("seed=1 (1): Seed of random numbers", p.seed).Range(1, SeedKeeper::MAX_SEED);
        AddMessageCosts("2us", "1us", p.software);
        AddSoftwareTime("PollTime",
                        "poll=200ns (200ns): How long the poll takes that sees a remote write",
                        p.software);
        AddFabric("a random one", "irregular:switches=75,hosts=256");
        AddFabricDelays(p.fabrics);
        AddCondition({"poll"}, "an algorithm with remote writes", [&p](const OptionValues&) {
            return std::any_of(p.algorithms.begin(), p.algorithms.end(), [](const auto& name) {
                return name.find("rdma") != std::string::npos;
            });
        });
    }

    void Measure(const Progress& progress) override
    {
        const auto& p = m_parameters;
        const SeedKeeper seedKeeper;
        RngSeedManager::SetSeed(p.seed);
        RngSeedManager::SetRun(1);
        auto loads = GetLoads(p);
        loads.insert(loads.begin(), 0);
        CsvRow common(m_table);
        common["members"] = p.members;
        common["pattern"] = p.traffic.pattern;
        common["flits"] = p.traffic.flits;
        common["explained"] = p.isExplained ? "yes" : "";
        m_rows = StudySweep::Measure(
            StudySweep(common).Over("algorithm", p.algorithms).Over("load", loads).GetRows(),
            [&p](const auto& row, auto) { return MeasureLoaded(p, row); },
            GetJobs(),
            progress);
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        auto& p = m_parameters;
        values.Check("flits", [&] { WormLength::Parse(p.traffic.flits); });
        values.Check("algorithms", [&] { StudyCheck::Barriers(p.algorithms); });
        p.topology = FabricOptions::Read(values);
        values.Check("pattern", [&] { p.traffic.Check(&p.topology->graph); });
        p.members = p.members == 0 ? p.GetNHosts() : p.members;
        values.Check("members", [&] { p.CheckMembers(p.members); });
    }

  private:
    LoadedParameters m_parameters;
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeLoadedBarrierStudy()
{
    return std::make_unique<LoadedBarrierDefinition>();
}

} // namespace ns3
