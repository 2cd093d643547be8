/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/gnuplot-curves.h"

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

/// A line in the plots: scheme, reduction and timing of its rows, its name in the key, its colour,
/// and its width, dashes, point and the point's size.
struct LineOf
{
    const char* scheme;
    const char* reduction;
    const char* timing;
    const char* title;
    const char* colour;
    const char* kind;
};

/// All lines, in the order of keys.
const LineOf LINES[] = {
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

/// @return line, point and colour in gnuplot's words
std::string
Style(const std::string& kind, const std::string& colour)
{
    return "linespoints lw " + kind + "*unit lc rgb " + GnuplotScript::Quote(colour);
}

template <typename T>
auto
FabricOf(const T& row)
{
    return std::make_tuple(row.switches, row.hosts, std::llround(row.connectivity * 1e4));
}

auto
DrawnFabricOf(const BarrierStudyRow& row)
{
    return std::make_pair(FabricOf(row), row.law);
}

std::string
TitleOf(const BarrierStudyRow& row)
{
    char connectivity[32];
    std::snprintf(connectivity, sizeof(connectivity), "%.4g", row.connectivity);
    return std::to_string(row.switches) + " switches, " + std::to_string(row.hosts) +
           " hosts, connectivity " + connectivity +
           (row.law == "file" ? ""
                              : ", law " + row.law + ", " + std::to_string(row.runs) +
                                    (row.runs == 1 ? " run" : " runs"));
}

/// Rows of a fabric.
using FabricRows = std::vector<BarrierStudyRow>;

/// What a row has of a quantity.
using Quantity = double BarrierStudyRow::*;

/// @return such rows by group size, the first of each; groups of one take no time, and have no
/// place on log axes @param reduction reduction of those wanted; empty: any @param timing timing of
/// those wanted; empty: any
FabricRows
SelectRows(const FabricRows& rows,
           const std::string& scheme,
           const std::string& reduction = "",
           const std::string& timing = "")
{
    const auto wanted = StudyPlot::Where(rows, [&](const auto& row) {
        return row.scheme == scheme && row.groupSize > 1 &&
               (reduction.empty() || row.reduction == reduction) &&
               (timing.empty() || row.btinTiming == timing);
    });
    FabricRows selected;
    for (const auto& [size, some] : StudyPlot::GroupBy(wanted, &BarrierStudyRow::groupSize))
    {
        selected.push_back(some.front());
    }
    return StudyPlot::SortedBy(selected, &BarrierStudyRow::groupSize);
}

/// @param reduction reduction of multicast; empty: any @param timing timing of btin; empty: any
std::vector<StudyPlot::Point>
MakeFactors(const FabricRows& rows,
            const std::string& reduction,
            const std::string& timing,
            Quantity quantity)
{
    std::vector<StudyPlot::Point> points;
    auto below = SelectRows(rows, "btin", "in-switch", timing);
    if (below.empty())
    {
        below = SelectRows(rows, "btin", "in-switch"); // the only one that was asked for
    }
    for (const auto& row : SelectRows(rows, "multicast", reduction))
    {
        for (const auto& btin : below)
        {
            if (btin.groupSize == row.groupSize && btin.*quantity > 0)
            {
                points.push_back({double(row.groupSize), row.*quantity / (btin.*quantity)});
            }
        }
    }
    return points;
}

std::vector<StudyPlot::Curve>
MakeLatencies(const FabricRows& rows)
{
    std::vector<StudyPlot::Curve> curves;
    for (const auto& line : LINES)
    {
        StudyPlot::Curve curve{line.title, Style(line.kind, line.colour)};
        for (const auto& row : SelectRows(rows, line.scheme, line.reduction, line.timing))
        {
            curve.points.push_back({double(row.groupSize), row.latencyUsMean, row.latencyUsCi95});
        }
        curves.push_back(curve);
    }
    return curves;
}

/// @return traffic, in message-hops
std::vector<StudyPlot::Curve>
MakeTraffic(const FabricRows& rows)
{
    std::vector<StudyPlot::Curve> curves;
    for (const auto& [scheme, title, colour, kind] :
         {std::make_tuple("unicast", "unicast", GREEN, "2 pt 9 ps 1.3"),
          std::make_tuple("multicast", "multicast", RED, "2 pt 5 ps 1.2"),
          std::make_tuple("btin", "BTIN", BLUE, "2 pt 7 ps 1.3")})
    {
        curves.push_back({title,
                          Style(kind, colour),
                          StudyPlot::PointsOf(SelectRows(rows, scheme),
                                              &BarrierStudyRow::groupSize,
                                              &BarrierStudyRow::messageHopsMean)});
    }
    return curves;
}

std::vector<StudyPlot::Curve>
MakeLatencyFactors(const FabricRows& rows)
{
    std::vector<StudyPlot::Curve> curves;
    for (const auto& line : LINES)
    {
        if (std::string(line.scheme) == "multicast")
        {
            curves.push_back(
                {line.title,
                 Style(line.kind, line.colour),
                 MakeFactors(rows, line.reduction, line.timing, &BarrierStudyRow::latencyUsMean)});
        }
    }
    return curves;
}

std::vector<StudyPlot::Curve>
MakeTrafficFactors(const FabricRows& rows)
{
    return {{"in flit-hops",
             Style("2 dt 2 pt 6 ps 1.3", PURPLE),
             MakeFactors(rows, "", "", &BarrierStudyRow::flitHopsMean)},
            {"in message-hops",
             Style("2 dt 1 pt 5 ps 1.2", RED),
             MakeFactors(rows, "", "", &BarrierStudyRow::messageHopsMean)}};
}

/// A plot of barriers.
struct BarrierPlot
{
    const char* name;                                                    ///< its name
    const char* label;                                                   ///< what its values are
    std::vector<StudyPlot::Curve> (*makeCurves)(const FabricRows& rows); ///< curves of a fabric
    const char* published; ///< quantity drawn in; empty: none
};

const BarrierPlot PLOTS[] = {
    {"latency", "latency (us)", MakeLatencies, "latency"},
    {"traffic", "links crossed by messages in a barrier (message-hops)", MakeTraffic, ""},
    {"latency-factor",
     "latency of multicast / latency of BTIN",
     MakeLatencyFactors,
     "latency_factor"},
    {"traffic-factor",
     "traffic of multicast / traffic of BTIN",
     MakeTrafficFactors,
     "traffic_factor"}};

/// @return rows that are explained, of the first fabric, by scheme
std::vector<LatencyPartsPlot::Bars>
SelectExplained(const std::vector<BarrierStudyRow>& rows)
{
    std::vector<LatencyPartsPlot::Bars> all;
    for (const auto& row : rows)
    {
        if (row.explained.empty() || std::isnan(row.hostUsMean) || row.groupSize < 2 ||
            DrawnFabricOf(row) != DrawnFabricOf(rows.front()))
        {
            continue;
        }
        const auto name = row.btinTiming == "paper" ? row.scheme + ", no flit times" : row.scheme;
        auto found = std::find_if(all.begin(), all.end(), [&](const auto& bars) {
            return bars.title == name;
        });
        (found == all.end() ? all.emplace_back(LatencyPartsPlot::Bars{name}) : *found)
            .rows.emplace_back(std::to_string(row.groupSize), &row);
    }
    return all;
}

} // namespace

std::vector<StudyPlot>
MakeBarrierPlots(const std::vector<BarrierStudyRow>& rows,
                 const std::vector<PublishedFigure>& published)
{
    std::vector<StudyPlot> plots;
    for (const auto& of : PLOTS)
    {
        StudyPlot plot{of.name, "group size (members)", of.label};
        for (const auto& [fabric, some] : StudyPlot::GroupBy(rows, DrawnFabricOf))
        {
            StudyPlot::Panel panel{TitleOf(some.front()), of.makeCurves(some)};
            const auto figures =
                StudyPlot::Where(published, [&of, &row = some.front()](const auto& figure) {
                    return figure.quantity == of.published && FabricOf(figure) == FabricOf(row);
                });
            panel.curves.push_back({"paper",
                                    "points pt 13 ps 2.2*unit lc rgb 'black'",
                                    StudyPlot::PointsOf(figures,
                                                        &PublishedFigure::groupSize,
                                                        &PublishedFigure::value)});
            if (panel.HasPoints())
            {
                plot.panels.push_back(panel);
            }
        }
        plot.SetGroupSizeAxes();
        plots.push_back(plot);
    }
    plots.push_back(
        LatencyPartsPlot::Draw(SelectExplained(rows), "by scheme and number of members"));
    return plots;
}

} // namespace ns3
