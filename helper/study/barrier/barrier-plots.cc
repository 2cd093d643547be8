/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/gnuplot-script.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ns3
{

namespace
{

// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's): one for each scheme, and
// lighter and darker ones of it, since not all of gnuplot's terminals draw dashes.
const char* const BLUE = "#0072b2";
const char* const LIGHT_BLUE = "#56b4e9";
const char* const RED = "#d55e00";
const char* const LIGHT_RED = "#e69f00";
const char* const DARK_RED = "#7a3600";
const char* const GREEN = "#009e73";
const char* const LIGHT_GREEN = "#7accb3";
const char* const PURPLE = "#cc79a7";

/// A line in the plots: scheme, reduction and timing of its rows, empty for any; its name in the
/// key, its colour, its width, dashes, point and the point's size; and what it shows.
struct LineOf
{
    const char* scheme;
    const char* reduction;
    const char* timing;
    const char* title;
    const char* colour;
    const char* kind;
    const char* quantity{"latency_us_mean"};
};

/// Lines of latencies, in the order of keys.
const std::vector<LineOf> LATENCIES{
    {"unicast", "simulated", "flits", "unicast, simulated", GREEN, "2 dt 1 pt 9 ps 1.3"},
    {"unicast", "ideal", "flits", "unicast, ideal", LIGHT_GREEN, "2 dt 2 pt 10 ps 1.6"},
    {"multicast", "simulated", "flits", "multicast, simulated", RED, "2 dt 1 pt 5 ps 1.2"},
    {"multicast", "ideal", "flits", "multicast, ideal", LIGHT_RED, "2 dt 2 pt 4 ps 1.5"},
    {"multicast",
     "paper-inferred",
     "paper",
     "multicast, paper-inferred (an inference)",
     DARK_RED,
     "2 dt 3 pt 12 ps 1.5"},
    {"multicast",
     "paper-inferred-serial",
     "paper",
     "multicast, paper-inferred-serial (another)",
     DARK_RED,
     "2 dt 4 pt 10 ps 1.5"},
    {"btin",
     "in-switch",
     "paper",
     "BTIN, no flit times (as in the paper)",
     LIGHT_BLUE,
     "2 dt 2 pt 6 ps 1.6"},
    {"btin", "in-switch", "flits", "BTIN", BLUE, "2 dt 1 pt 7 ps 1.3"},
};

/// Lines of traffic.
const std::vector<LineOf> TRAFFIC{
    {"unicast", "", "", "unicast", GREEN, "2 pt 9 ps 1.3", "message_hops_mean"},
    {"multicast", "", "", "multicast", RED, "2 pt 5 ps 1.2", "message_hops_mean"},
    {"btin", "", "", "BTIN", BLUE, "2 pt 7 ps 1.3", "message_hops_mean"}};

/// Lines of traffic over that of BTIN.
const std::vector<LineOf> TRAFFIC_FACTORS{
    {"multicast", "", "", "in flit-hops", PURPLE, "2 dt 2 pt 6 ps 1.3", "flit_hops_mean"},
    {"multicast", "", "", "in message-hops", RED, "2 dt 1 pt 5 ps 1.2", "message_hops_mean"}};

/// A plot of barriers.
struct BarrierPlot
{
    const char* name;
    const char* label;         // what its values are
    std::vector<LineOf> lines; // of factors those of multicast are shown
    bool isFactor;             // whether it shows quantities over those of BTIN
    const char* published;     // quantity drawn in; empty: none
};

const BarrierPlot PLOTS[] = {
    {"latency", "latency (us)", LATENCIES, false, "latency"},
    {"traffic", "links crossed by messages in a barrier (message-hops)", TRAFFIC, false, ""},
    {"latency-factor", "latency of multicast / latency of BTIN", LATENCIES, true, "latency_factor"},
    {"traffic-factor",
     "traffic of multicast / traffic of BTIN",
     TRAFFIC_FACTORS,
     true,
     "traffic_factor"}};

/// @return what the rows of a fabric have in common, apart from the law by which it was drawn
std::string
FabricOf(const CsvRow& row)
{
    return row.GetKey({"switches", "hosts"}) + "\n" +
           std::to_string(std::llround(row["connectivity"] * 1e4));
}

std::string
DrawnFabricOf(const CsvRow& row)
{
    return FabricOf(row) + "\n" + row["law"].Text();
}

std::string
TitleOf(const CsvRow& row)
{
    char connectivity[32];
    std::snprintf(connectivity, sizeof(connectivity), "%.4g", double(row["connectivity"]));
    const auto& law = row["law"].Text();
    return row.GetText("switches") + " switches, " + row.GetText("hosts") +
           " hosts, connectivity " + connectivity +
           (law == "file" ? ""
                          : ", law " + law + ", " + row.GetText("runs") +
                                (row["runs"] == 1 ? " run" : " runs"));
}

/// @return rows of a line by group size, the first of each; groups of one take no time, and have no
/// place on log axes
StudyPlot::Rows
SelectRows(const StudyPlot::Rows& rows,
           const std::string& scheme,
           const std::string& reduction,
           const std::string& timing)
{
    const auto wanted = StudyPlot::Where(rows, [&](const auto& row) {
        return row["scheme"].Text() == scheme && row["group_size"] > 1 &&
               (reduction.empty() || row["reduction"].Text() == reduction) &&
               (timing.empty() || row["btin_timing"].Text() == timing);
    });
    StudyPlot::Rows selected;
    for (const auto& [size, some] : StudyPlot::GroupBy(wanted, "group_size"))
    {
        selected.push_back(some.front());
    }
    return StudyPlot::SortedBy(selected, "group_size");
}

std::vector<StudyPlot::Point>
MakeValues(const StudyPlot::Rows& rows, const LineOf& line)
{
    const std::string quantity = line.quantity;
    std::vector<StudyPlot::Point> points;
    for (const auto& row : SelectRows(rows, line.scheme, line.reduction, line.timing))
    {
        points.push_back({row["group_size"],
                          row[quantity],
                          quantity == "latency_us_mean" ? row["latency_us_ci95"] : 0.0});
    }
    return points;
}

std::vector<StudyPlot::Point>
MakeFactors(const StudyPlot::Rows& rows, const LineOf& line)
{
    std::vector<StudyPlot::Point> points;
    auto below = SelectRows(rows, "btin", "in-switch", line.timing);
    if (below.empty())
    {
        below = SelectRows(rows, "btin", "in-switch", ""); // the only one that was asked for
    }
    for (const auto& row : SelectRows(rows, line.scheme, line.reduction, ""))
    {
        for (const auto& btin : below)
        {
            if (btin["group_size"] == row["group_size"] && btin[line.quantity] > 0)
            {
                points.push_back({row["group_size"], row[line.quantity] / btin[line.quantity]});
            }
        }
    }
    return points;
}

/// @return rows that are explained, of the first fabric, by scheme
std::vector<LatencyParts::Bars>
SelectExplained(const StudyPlot::Rows& rows)
{
    std::vector<LatencyParts::Bars> all;
    for (const auto& row : rows)
    {
        if (row["explained"].Text().empty() || std::isnan(row["host_us_mean"]) ||
            row["group_size"] < 2 || DrawnFabricOf(row) != DrawnFabricOf(rows.front()))
        {
            continue;
        }
        const auto name =
            row["scheme"].Text() + (row["btin_timing"].Text() == "paper" ? ", no flit times" : "");
        auto found = std::find_if(all.begin(), all.end(), [&](const auto& bars) {
            return bars.title == name;
        });
        (found == all.end() ? all.emplace_back(LatencyParts::Bars{name}) : *found)
            .rows.emplace_back(row.GetText("group_size"), &row);
    }
    return all;
}

} // namespace

std::vector<StudyPlot>
MakeBarrierPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows& published)
{
    std::vector<StudyPlot> plots;
    for (const auto& of : PLOTS)
    {
        StudyPlot plot{of.name, "group size (members)", of.label};
        for (const auto& [fabric, some] : StudyPlot::GroupBy(rows, DrawnFabricOf))
        {
            StudyPlot::Panel panel{TitleOf(some.front()), {}};
            for (const auto& line : of.lines)
            {
                if (!of.isFactor || std::string(line.scheme) == "multicast")
                {
                    panel.curves.push_back({line.title,
                                            std::string("linespoints lw ") + line.kind +
                                                "*unit lc rgb " + GnuplotScript::Quote(line.colour),
                                            (of.isFactor ? MakeFactors : MakeValues)(some, line)});
                }
            }
            const auto figures =
                StudyPlot::Where(published, [&of, &row = some.front()](const auto& figure) {
                    return figure["quantity"].Text() == of.published &&
                           FabricOf(figure) == FabricOf(row);
                });
            panel.curves.push_back({"paper",
                                    "points pt 13 ps 2.2*unit lc rgb 'black'",
                                    StudyPlot::PointsOf(figures, "group_size", "value")});
            if (panel.HasPoints())
            {
                plot.panels.push_back(panel);
            }
        }
        plot.SetGroupSizeAxes();
        plots.push_back(plot);
    }
    plots.push_back(LatencyParts::Draw(SelectExplained(rows), "by scheme and number of members"));
    return plots;
}

} // namespace ns3
