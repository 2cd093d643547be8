/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-load-study.h"

#include "ns3/collective-helper.h"
#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/gnuplot-curves.h"
#include "ns3/latency-load-study.h"
#include "ns3/study-form.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Broadcasts one after the other, throttled or not, beside data traffic. All hosts are members; "
    "each enters the next broadcast when it leaves one, so that only the throttle holds roots "
    "back: a window of outstanding broadcasts, and a gap between two. Columns: time per "
    "broadcast, its latency, how long roots were held back, the most broadcasts outstanding, and "
    "the latency of the data traffic meanwhile.\n"
    "\n"
    "Examples:\n"
    "  broadcast-load\n"
    "      32 hosts, windows of 1, 2 and 4 and none, without data traffic; CSV to standard output\n"
    "  broadcast-load --loads=0.2,0.4 --gaps=0us,50us --csv=broadcasts.csv\n"
    "      beside data traffic, and with gaps\n"
    "  broadcast-load --loads=0.2 --csv=broadcasts.csv --plots=plots\n"
    "      with plots over the window\n"
    "  broadcast-load --unexpected=10us --windows=0,1\n"
    "      hosts that copy messages which come before they are waited for\n"
    "  broadcast-load --broadcasters=8 --broadcasts=mpich,multicast --bytes=4kB "
    "--attribute=WormholePort::BufferDepth=4062\n"
    "      eight roots at once, and long messages, of which buffers hold one: tree worms\n"
    "      could wait for each other for ever\n"
    "  broadcast-load --topology=torus:4x4,hosts=2 --acks=hw-all\n"
    "      another fabric; acknowledged by an add-on network";

/// What tells curves apart: broadcast, gap in us, load.
using BroadcastCurve = std::tuple<std::string, double, double>;

/// @return a row's curve @param row the row
BroadcastCurve
GetBroadcastCurve(const BroadcastLoadRow& row)
{
    return {row.broadcast, row.gapUs, row.load};
}

/// @return a curve's name in the key @param curve the curve @param hasGaps whether gaps differ
/// @param hasLoads whether loads differ
std::string
GetCurveTitle(const BroadcastCurve& curve, bool hasGaps, bool hasLoads)
{
    const auto& [broadcast, gap, load] = curve;
    return broadcast + (hasGaps ? ", gap " + StudyPlot::Number(gap) + " us" : "") +
           (hasLoads ? ", load " + StudyPlot::Number(load) : "");
}

/// The study as people ask for it.
class BroadcastLoadForm : public PooledStudyForm<BroadcastLoadStudy, BroadcastLoadRow>
{
  public:
    BroadcastLoadForm();

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeBroadcastLoadPlots(m_rows);
    }

  protected:
    void Finish(const OptionValues& values) override;
};

BroadcastLoadForm::BroadcastLoadForm()
    : PooledStudyForm({"broadcast-load",
                       "broadcast_load",
                       "Measures broadcasts, throttled or not, beside data traffic.",
                       USAGE,
                       "a row for each broadcast, load, gap and window",
                       true})
{
    constexpr uint32_t MANY = 1'000'000;
    auto& p = m_parameters;
    AddTexts({"broadcasts", "mpich,multicast", "", "Broadcasts", "tree[Tree=fibo]"},
             Into(p.broadcasts));
    AddWholes({"windows",
               "0,1,2",
               "",
               "How many broadcasts may be outstanding; 0: any number",
               "0,1,2,4"},
              0,
              MANY,
              Into(p.windows));
    AddTimes({"gaps", "0us,50us", "", "Least times between two broadcasts", "0us"}, Into(p.gaps));
    AddRatios({"loads",
               "0.1,0.3",
               "",
               "Offered loads of data traffic, ratios of a channel's rate; none is measured, too",
               ""},
              LatencyLoadStudy::GREATEST_LOAD,
              Into(p.loads));
    AddText({"acks", "hw-all", "", "Reduction by which members acknowledge", "tree"}, Into(p.acks));
    AddWhole({"broadcasters", "8", "", "Groups of all hosts that broadcast at once", "1"},
             1,
             MANY,
             Into(p.broadcasters));
    AddWhole({"rounds", "64", "", "Broadcasts of each; the first quarter is not measured", "64"},
             4,
             MANY,
             Into(p.rounds));
    AddBytes({"bytes", "4kB", "", "Length of a broadcast's message; 0: its fields", "0"},
             0,
             1U << 30,
             Into(p.bytes))
        .attribute = "ns3::Collective::MessageBytes";
    AddWord({"pattern", "uniform", "", "Who sends data to whom", "uniform"},
            WormholeTrafficHelper::GetPatternNames(),
            Into(p.pattern));
    AddText({"flits", "64", "", "Length of data worms, as in latency-load", "64"}, Into(p.flits));
    AddMessageCosts("4.2us", "7.3us", p.startUp, p.receive);
    AddTime(
        {"unexpected", "10us", "", "How much longer, if it came before it was waited for", "0us"},
        Into(p.unexpected))
        .attribute = "ns3::HostSoftware::UnexpectedTime";
    AddWhole({"seed", "1", "", "Seed of random numbers", "1"}, 1, MANY, Into(p.seed));
    AddFabric("clos:ports=8,levels=2", "clos:ports=8,levels=2");
    AddFabricDelays(p.fabrics);
    AddCondition({"pattern", "flits", "seed"}, "traffic, of loads", [&p](const OptionValues&) {
        return !p.loads.empty();
    });
}

void
BroadcastLoadForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    p.topology = FabricOptions::Read(values);
    values.Check("flits", [&] { WormLength::Parse(p.flits); });
    values.Check("broadcasts", [&] {
        for (const auto& name : p.broadcasts)
        {
            CollectiveHelper::MakeBroadcast(name);
        }
    });
    values.Check("acks", [&] { CollectiveHelper::MakeReduction(p.acks); });
    values.Check("broadcasters", [&] { m_study = std::make_unique<BroadcastLoadStudy>(p); });
}

} // namespace

const CsvTable<BroadcastLoadRow>&
BroadcastLoadRow::GetTable()
{
    using Row = BroadcastLoadRow;
    constexpr int LOAD = 4;
    static const CsvTable<Row> table{
        {"broadcast", "", "Name of the broadcast that is throttled", &Row::broadcast},
        {"broadcasters", "", "Groups that broadcast at the same time", &Row::broadcasters},
        {"window",
         "",
         "Broadcasts of a group that may be outstanding; 0: any number",
         &Row::window},
        {"gap_us", "us", "Least time between two broadcasts of a group", &Row::gapUs},
        {"load",
         "",
         "Offered load of data traffic, over a channel's rate; 0: none",
         &Row::load,
         LOAD},
        {"time_us", "us", "Time per broadcast of a group", &Row::timeUs},
        {"latency_us",
         "us",
         "Mean time of a broadcast from its beginning to all members",
         &Row::latencyUs},
        {"held_us", "us", "Mean time that roots were held back", &Row::heldUs},
        {"outstanding",
         "",
         "Most broadcasts of a group begun and not at all members",
         &Row::outstanding},
        {"traffic_us",
         "us",
         "Mean latency of the data traffic meanwhile; nan if there is none",
         &Row::trafficUs}};
    return table;
}

std::vector<StudyPlot>
MakeBroadcastLoadPlots(const std::vector<BroadcastLoadRow>& rows)
{
    std::vector<uint32_t> windows;
    for (const auto& [window, some] : StudyPlot::GroupBy(rows, &BroadcastLoadRow::window))
    {
        windows.push_back(window);
    }
    // No window is the widest: 0 becomes the greatest number.
    std::sort(windows.begin(), windows.end(), [](uint32_t a, uint32_t b) { return a - 1 < b - 1; });
    std::string tics;
    for (std::size_t x = 0; x < windows.size(); ++x)
    {
        tics += (x > 0 ? ", " : "") +
                GnuplotScript::QuoteTic(windows[x] == 0 ? "none" : std::to_string(windows[x])) +
                " " + std::to_string(x);
    }
    const auto hasGaps = StudyPlot::GroupBy(rows, &BroadcastLoadRow::gapUs).size() > 1;
    const auto hasLoads = StudyPlot::GroupBy(rows, &BroadcastLoadRow::load).size() > 1;
    const auto getPlace = [&](const BroadcastLoadRow& row) {
        return std::find(windows.begin(), windows.end(), row.window) - windows.begin();
    };
    std::vector<StudyPlot> plots;
    for (const auto& [name, label, value] :
         {std::make_tuple("time", "time per broadcast (us)", &BroadcastLoadRow::timeUs),
          std::make_tuple("latency",
                          "from its beginning until all members have it (us)",
                          &BroadcastLoadRow::latencyUs),
          std::make_tuple("traffic", "latency of a data worm (us)", &BroadcastLoadRow::trafficUs)})
    {
        StudyPlot::Panel panel;
        for (const auto& [curve, some] : StudyPlot::GroupBy(rows, GetBroadcastCurve))
        {
            const auto points = StudyPlot::PointsOf(some, getPlace, value);
            if (!points.empty())
            {
                panel.curves.push_back(
                    {GetCurveTitle(curve, hasGaps, hasLoads),
                     "linespoints lw 2 " + GnuplotScript::GetStyle(panel.curves.size()),
                     points});
            }
        }
        StudyPlot plot{name, "window: broadcasts that may be outstanding", label, {panel}};
        plot.axes = "set xtics (" + tics + ")\nset xrange [-0.3:" +
                    StudyPlot::Number(static_cast<double>(windows.size()) - 0.7) +
                    "]\nset yrange [0:*]\nset grid\n";
        plot.key = "set key above vertical maxrows 4 Left reverse noenhanced samplen 1.5\n";
        plots.push_back(plot);
    }
    return plots;
}

std::unique_ptr<StudyForm>
MakeBroadcastLoadStudy()
{
    return std::make_unique<BroadcastLoadForm>();
}

} // namespace ns3
