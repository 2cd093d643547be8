/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-barrier-study.h"

#include "ns3/collective-helper.h"
#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/gnuplot-curves.h"
#include "ns3/latency-load-study.h"
#include "ns3/latency-parts.h"
#include "ns3/own-simulation.h"
#include "ns3/study-form.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

/// What --help says of the program.
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

/// @return what the axis of latencies shows: whole decades would leave half of it empty
/// @param rows rows of a study
std::string
MakeLatencyRange(const std::vector<LoadedBarrierRow>& rows)
{
    auto low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const auto& row : rows)
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
    return "set yrange [" + StudyPlot::Number(low / 1.3) + ":" + StudyPlot::Number(high * 1.3) +
           "]\nset ytics (" + StudyPlot::DecimalTics(low / 1.3, high * 1.3) + ")\n";
}

/// @return what marks the least of the loads from which on no barrier has a latency; empty if all
/// have @param rows rows of a study, by load
std::string
MarkSaturation(const std::vector<LoadedBarrierRow>& rows)
{
    auto first = std::numeric_limits<double>::infinity();
    for (auto row = rows.rbegin(); row != rows.rend() && std::isnan(row->latencyUsMean); ++row)
    {
        first = row->load;
    }
    if (std::isinf(first) || first == 0)
    {
        return "";
    }
    const auto load = StudyPlot::Number(first);
    return "set arrow from " + load + ", graph 0 to " + load +
           ", graph 1 nohead dt 2 lc rgb \"#666666\"\n"
           "set label \"no latency from here on\" at " +
           load + ", graph 0.5 center rotate by 90 offset character -1, 0 tc rgb \"#666666\"\n";
}

/// @return what explained latencies go into @param rows rows of a study, by load
/// @param algorithms barriers, in order
StudyPlot
DrawCauses(const std::vector<LoadedBarrierRow>& rows, const std::vector<std::string>& algorithms)
{
    std::vector<LatencyPartsPlot::Bars> all;
    for (const auto& algorithm : algorithms)
    {
        LatencyPartsPlot::Bars bars{algorithm};
        for (const auto& row : rows)
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
    return LatencyPartsPlot::Draw(all, "by barrier and load of data traffic (%)");
}

/// The study as people ask for it.
class LoadedBarrierForm : public PooledStudyForm<LoadedBarrierStudy, LoadedBarrierRow>
{
  public:
    LoadedBarrierForm();

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeLoadedBarrierPlots(m_rows);
    }

  protected:
    void Finish(const OptionValues& values) override;
};

LoadedBarrierForm::LoadedBarrierForm()
    : PooledStudyForm({"barriers-under-load",
                       "barriers_under_load",
                       "Measures barriers beside data traffic, over its load.",
                       USAGE,
                       "a row for each barrier and load; latencies where the state is steady",
                       true})
{
    constexpr uint32_t MANY = 1'000'000;
    auto& p = m_parameters;
    AddTexts({"algorithms",
              "btin,dissemination[Transport=rdma],hw-1",
              "",
              "Barriers",
              "btin,multicast,dissemination"},
             Into(p.algorithms));
    AddRatios({"loads",
               "0.005,0.01",
               "",
               "Offered loads, ratios of a channel's rate; without it 10 to 90 % of the load at "
               "which the busiest channel is full",
               ""},
              LatencyLoadStudy::GREATEST_LOAD,
              Into(p.loads))
        .attribute = "ns3::WormholeTraffic::Load";
    AddWord({"pattern", "uniform", "", "Who sends data to whom", "uniform"},
            WormholeTrafficHelper::GetPatternNames(),
            Into(p.traffic.pattern));
    AddText({"flits", "64", "", "Length of data worms, as in latency-load", "64"},
            Into(p.traffic.flits));
    AddWhole({"members", "16", "", "Number of members, random hosts; 0: all hosts", "0"},
             0,
             MANY,
             Into(p.members));
    AddWhole({"rounds", "300", "", "Barriers measured at each load", "300"},
             1,
             MANY,
             Into(p.rounds));
    AddSwitch(
        "explain",
        "Tell what latencies go into: columns of hosts' software, interfaces, wires, switches "
        "and waiting, which together make the mean latency, of what part of the waiting is for "
        "the traffic, and a plot of them",
        Into(p.isExplained));
    AddWhole({"seed", "1", "", "Seed of random numbers", "1"},
             1,
             SeedKeeper::MAX_SEED,
             Into(p.seed));
    AddMessageCosts("2us", "1us", p.startUp, p.receive);
    AddTime({"poll", "200ns", "", "How long the poll takes that sees a remote write", "200ns"},
            Into(p.poll))
        .attribute = "ns3::HostSoftware::PollTime";
    AddFabric("a random one", "irregular:switches=75,hosts=256");
    AddFabricDelays(p.fabrics);
    AddCondition({"poll"}, "an algorithm with remote writes", [&p](const OptionValues&) {
        return std::any_of(p.algorithms.begin(), p.algorithms.end(), [](const auto& name) {
            return name.find("rdma") != std::string::npos;
        });
    });
}

void
LoadedBarrierForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    values.Check("flits", [&] { WormLength::Parse(p.traffic.flits); });
    values.Check("algorithms", [&] {
        for (const auto& algorithm : p.algorithms)
        {
            CollectiveHelper::MakeBarrier(algorithm);
        }
    });
    p.topology = FabricOptions::Read(values);
    values.Check("pattern", [&] {
        WormholeTrafficHelper helper;
        helper.SetPattern(p.traffic.pattern);
        helper.MakePattern(p.topology->graph, 0);
    });
    values.Check("members", [&] { m_study = std::make_unique<LoadedBarrierStudy>(p); });
}

} // namespace

const CsvTable<LoadedBarrierRow>&
LoadedBarrierRow::GetTable()
{
    using Row = LoadedBarrierRow;
    constexpr int LOAD = 6; // loads of large fabrics are small
    static const CsvTable<Row> always{
        {"algorithm", "", "Name of the barrier", &Row::algorithm},
        {"members", "", "Number of members", &Row::members},
        {"pattern", "", "Who sends data to whom", &Row::pattern},
        {"flits", "", "Length of data worms", &Row::flits},
        {"load",
         "",
         "Offered load of a host, over a channel's rate; 0: no traffic",
         &Row::load,
         LOAD},
        {"state",
         "",
         "State: steady, saturated (worms pile up) or deadlock",
         &Row::state,
         {"steady", "saturated", "deadlock"}},
        {"rounds", "", "Barriers measured", &Row::rounds},
        {"latency_us_mean", "us", "Mean latency of a barrier", &Row::latencyUsMean},
        {"latency_us_ci95",
         "us",
         "Half width of that mean's 95 % interval; nan without traffic",
         &Row::latencyUsCi95},
        {"latency_us_median", "us", "Median latency", &Row::latencyUsMedian},
        {"latency_us_p99",
         "us",
         "Latency that 99 % of the barriers do not exceed",
         &Row::latencyUs99}};
    static const auto table = PartsColumns<Row>::AddTo(
        CsvTable<Row>(always).SetCheck([](const CsvFile& file, std::size_t index, const Row& row) {
            if ((row.state == "steady") != (row.latencyUsMean > 0))
            {
                file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
            }
        }));
    return table;
}

std::vector<StudyPlot>
MakeLoadedBarrierPlots(std::vector<LoadedBarrierRow> rows)
{
    std::vector<std::string> algorithms;
    for (const auto& [algorithm, some] : StudyPlot::GroupBy(rows, &LoadedBarrierRow::algorithm))
    {
        algorithms.push_back(algorithm);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.load < b.load;
    });
    StudyPlot::Panel panel;
    for (std::size_t i = 0; i < algorithms.size(); ++i)
    {
        const auto& name = algorithms[i];
        const auto style = GnuplotScript::GetStyle(i);
        const auto some =
            StudyPlot::Where(rows, [&](const auto& row) { return row.algorithm == name; });
        const auto add = [&](const std::string& title, const std::string& with, auto value) {
            panel.curves.push_back(
                {name + title, with, StudyPlot::PointsOf(some, &LoadedBarrierRow::load, value)});
        };
        add(", mean", "linespoints lw 2 " + style, &LoadedBarrierRow::latencyUsMean);
        add(", 99 %", "linespoints lw 1.5 dt 2 " + style, &LoadedBarrierRow::latencyUs99);
        if (some.front().load == 0)
        {
            add(", no traffic",
                "lines lw 1 dt 3 " + style.substr(style.find("lc")),
                [&](const auto&) { return some.front().latencyUsMean; });
        }
    }
    StudyPlot plot{"latency",
                   "offered load of data traffic, over a channel's rate",
                   "latency of a barrier (us)",
                   {panel}};
    plot.axes = "set xrange [0:*]\nset logscale y\nset grid\n" + MakeLatencyRange(rows) +
                MarkSaturation(rows);
    plot.key = "set key above vertical maxrows 3 Left reverse noenhanced samplen 2 "
               "font \",11\"\n";
    return {plot, DrawCauses(rows, algorithms)};
}

std::unique_ptr<StudyForm>
MakeLoadedBarrierStudy()
{
    return std::make_unique<LoadedBarrierForm>();
}

} // namespace ns3
