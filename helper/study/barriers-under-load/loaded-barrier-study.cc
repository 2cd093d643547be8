// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/channel-bound.h"
#include "ns3/collective-bench.h"
#include "ns3/latency-parts.h"
#include "ns3/loaded-bench.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/study-makers.h"
#include "ns3/sweep-study.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
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
        {"pattern: Pattern of the data traffic"},
        {"flits: Length of data worms"},
        {"load: Offered load of a host, as a fraction of a channel's rate; 0: no traffic", LOAD},
        {"state: State: steady, saturated (worms pile up) or deadlock",
         {"steady", "saturated", "deadlock"}},
        {"rounds: Barriers measured", Is::WHOLE},
        {"latency_us_mean (us): Mean latency of a barrier", Is::NUMBER},
        {"latency_us_ci95 (us): Half width of that mean's 95 % interval; nan without traffic",
         Is::NUMBER},
        {"latency_us_median (us): Median latency", Is::NUMBER},
        {"latency_us_p99 (us): Latency that 99 % of the barriers do not exceed", Is::NUMBER}};
    return PlacementColumns::AddTo(LatencyParts::AddTo(
        table.SetCheck([](const CsvFile& file, std::size_t index, const CsvRow& row) {
            if ((row["state"].Text() == "steady") != (row["latency_us_mean"] > 0))
            {
                file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
            }
        })));
}

/// Loads where none are asked for, in parts of that at which the busiest channel is full.
constexpr double PARTS[] = {0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9};

/// Streams of random numbers: the group's, and the first of the traffic's three.
constexpr int64_t GROUP_STREAM = 0;
constexpr int64_t TRAFFIC_STREAM = 1; //!< see GROUP_STREAM

void
Summarize(const std::vector<Time>& durations, CsvRow& row)
{
    constexpr double US = 1e-6; // s
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

/// Draws latency over load, a colour for each barrier; solid the mean, dashed the 99th percentile,
/// thin and level the latency without traffic. Explained ones are stacked bars, too.
std::vector<StudyPlot>
MakeLoadedBarrierPlots(const StudyPlot::Rows& all, const StudyPlot::Rows&)
{
    const auto rows = StudyPlot::SortedBy(all, "load");
    std::map<std::string, double> idle; // latencies without traffic, by barrier
    for (const auto& row : rows)
    {
        if (row["load"] == 0)
        {
            idle[row["algorithm"].Text()] = row["latency_us_mean"];
        }
    }
    const auto getIdle = [&](const CsvRow& row) {
        const auto found = idle.find(row["algorithm"].Text());
        return found == idle.end() ? std::nan("") : found->second;
    };
    StudyPlot plot{"latency",
                   "offered load of data traffic, over a channel's rate",
                   "latency of a barrier (us)"};
    plot.AddLines(all,
                  StudyPlot::NoKey,
                  "algorithm",
                  "load",
                  {{"latency_us_mean", ", mean"},
                   {"latency_us_p99", ", 99 %", "linespoints lw 1.5 dt 2 "},
                   {getIdle, ", no traffic", "lines lw 1 dt 3 "}});
    plot.SetLogAxis(1.3);
    plot.axes += "set xrange [0:*]\nset grid\n" + MarkSaturation(rows);
    plot.key = "set key above vertical maxrows 3 Left reverse noenhanced samplen 2 font \",11\"\n";
    const auto isSteady = [](const CsvRow& row) { return row["state"].Text() == "steady"; };
    const auto getPercent = [](const CsvRow& row) {
        std::ostringstream load;
        load << std::setprecision(2) << 100 * row["load"]; // longer ones would overlap
        return load.str();
    };
    return {plot,
            LatencyParts::Draw(StudyPlot::Where(rows, isSteady),
                               "algorithm",
                               getPercent,
                               "by barrier and load of data traffic (%)")};
}

const std::string LOADED_BARRIER_USAGE =
    "Measures the latency of barriers with data traffic, over the load that hosts offer: mean and "
    "99th percentile of many consecutive barriers. The first row of each barrier is without "
    "traffic. No latency is given for a load at which worms pile up (marked as saturated) or "
    "deadlock; tree worms (multicast) can deadlock if buffers are too short for them.\n\n"
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
    "      16 random hosts; also remote writes, and a separate network for synchronisation\n"
    "  barriers-under-load --algorithms=btin,dissemination --explain --plots=plots\n"
    "      also a breakdown of latencies, with the waiting that the traffic causes\n"
    "  barriers-under-load --pattern=hotspot --rounds=1000\n"
    "      a tenth of all worms goes to one host\n\n"
    "Loads are fractions of a channel's rate, for each host. Between two barriers there is a "
    "pause, until the worms that the first barrier has delayed have arrived.";

/// @return all loads that are measured, none first
SweepStudy::Ratios
ChooseLoads(const SweepStudy& study)
{
    auto loads = study.Get<SweepStudy::Ratios>("loads");
    if (loads.empty())
    {
        const auto& graph = study.GetGraph();
        WormholeTrafficHelper helper;
        helper.SetPattern(study.m_traffic.pattern);
        const auto bound = ChannelBound::Measure(graph,
                                                 *study.m_topology->router,
                                                 *helper.MakePattern(graph, TRAFFIC_STREAM))
                               .bound;
        loads = MadeOf(PARTS, [bound](double part) { return part * bound; });
    }
    loads.push_back(0);
    std::sort(loads.begin(), loads.end());
    loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
    return loads;
}

CsvRow
MeasureLoaded(const SweepStudy& study, CsvRow row, bool isExplained)
{
    const SimulationScope ownSimulation;
    const auto hosts = study.Place(row);
    const auto domain = study.Install();
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
    auto traffic = study.m_traffic;
    traffic.load = row["load"];
    traffic.stream = TRAFFIC_STREAM;
    try
    {
        LoadedBench bench(barrier, domain, hosts, traffic);
        if (isExplained)
        {
            bench.Record();
        }
        const auto rounds = study.Get<uint32_t>("rounds");
        Summarize(bench.Cross(rounds), row);
        if (isExplained)
        {
            LatencyParts::AddRounds(row, bench, rounds);
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
    LatencyParts::Set(row, std::nan(""));
    Summarize({}, row);
    return row;
}

void
MeasureBarrier(SweepStudy& study, CsvRow& row)
{
    row["members"] = study.m_job.hosts;
    const auto isExplained = study.Get<bool>("explain");
    if (isExplained && row["load"] > 0)
    {
        // Recorded is each worm that waits: of a load that the fabric does not take, too many.
        auto plain = MeasureLoaded(study, row, false);
        if (plain["state"].Text() != "steady")
        {
            row = plain;
            return;
        }
    }
    row = MeasureLoaded(study, row, isExplained);
}

uint32_t
ReadBarriers(SweepStudy& study, const OptionValues& values)
{
    const auto members = study.Get<uint32_t>("members");
    study.m_traffic.pattern = study.Get<std::string>("pattern");
    values.Check("pattern", [&] { study.m_traffic.Check(&study.GetGraph()); });
    values.Check("members", [&] {
        WormholeError::ThrowIf(members > study.GetNHosts(),
                               values.Get("members") + " members; expected 1 to " +
                                   std::to_string(study.GetNHosts()) +
                                   ", the number of the fabric's hosts");
    });
    study.m_common["pattern"] = study.m_traffic.pattern;
    study.m_common["flits"] = study.m_traffic.flits;
    study.m_common["explained"] = study.Get<bool>("explain") ? "yes" : "";
    const SeedKeeper seedKeeper(study.Get<uint32_t>("seed"));
    study.Choose("loads", ChooseLoads(study));
    return members;
}

} // namespace

/// Latency of barriers beside data traffic, over the load: a group of hosts, drawn once, does
/// barrier after barrier, see LoadedBench. Each barrier and load has a simulation of its own, with
/// the same traffic at the same load. Without traffic all barriers of a group take as long, so one
/// is measured.
std::unique_ptr<StudyDefinition>
MakeLoadedBarrierStudy()
{
    return std::make_unique<SweepStudy>(SweepCase{
        {"barriers-under-load",
         "barriers_under_load",
         "Measures barriers with data traffic, over the traffic's load.",
         LOADED_BARRIER_USAGE,
         "a row for each barrier and load; latencies only if the state is steady",
         true},
        MakeLoadedBarrierTable(),
        MakeLoadedBarrierPlots,
        {{"algorithms=btin,dissemination[Transport=rdma],hw-1 (btin,multicast,dissemination) "
          "[list]: Barriers",
          "loads=0.005,0.01 [list ratio 0..10] ns3::WormholeTraffic::Load: Offered loads, "
          "fractions of a channel's rate; default: 10 to 90 % of the load at which the busiest "
          "channel is full",
          {"pattern=uniform (uniform): Pattern of the data traffic",
           WormholeTrafficHelper::GetPatternNames()},
          "flits=64 (64): Length of data worms in flits, in any form that latency-load takes",
          "members=16 (0) [0..1000000 alias groupSize]: Number of members; 0: all hosts, or those "
          "that placement names",
          "rounds=300 (300) [1..1000000]: Number of barriers measured at each load",
          "explain: Break mean latencies down into host software, interfaces, wires, switches and "
          "waiting, with the waiting that the traffic causes (columns and a plot)",
          SeedKeeper::PARAMETER},
         SweepStudy::GetMessageCosts("2us", "1us"),
         {"poll=200ns (200ns) [time] ns3::HostSoftware::PollTime: Time of the poll that detects a "
          "remote write"}},
        {"a random fabric", "irregular:switches=75,hosts=256"},
        false,
        "random",
        "",
        {{"algorithm", "algorithms"}, {"load", "loads"}},
        "latency_us_mean",
        [](SweepStudy& study) {
            study.AddCondition({"poll"},
                               "an algorithm with remote writes",
                               [&study](const OptionValues&) {
                                   const auto& names = study.Get<SweepStudy::Words>("algorithms");
                                   return AnyOf(names, [](const auto& name) {
                                       return name.find("rdma") != std::string::npos;
                                   });
                               });
        },
        "algorithms",
        CollectiveHelper::MakeBarrier,
        ReadBarriers,
        MeasureBarrier,
        GROUP_STREAM});
}

} // namespace ns3
