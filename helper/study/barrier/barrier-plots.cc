/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-plots.h"

#include "ns3/gnuplot-script.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace ns3
{

namespace
{

/// Colours of schemes, apart for colour-blind eyes, too (Okabe and Ito's).
const char* const BTIN_COLOUR = "#0072b2";
const char* const LIGHT_BTIN_COLOUR = "#80b8d8"; //!< of BTIN by the paper's timing
const char* const MULTICAST_COLOUR = "#d55e00";  //!< the multicast scheme's
const char* const UNICAST_COLOUR = "#009e73";    //!< the unicast scheme's
// Lighter and darker ones, since not all of gnuplot's terminals draw dashes.
const char* const LIGHT_MULTICAST_COLOUR = "#eba26b"; //!< of multicast's ideal reduction
const char* const DARK_MULTICAST_COLOUR = "#7a3600";  //!< of multicast's inferred reduction
const char* const LIGHT_UNICAST_COLOUR = "#7accb3";   //!< of unicast's ideal reduction
const char* const FLIT_COLOUR = "#cc79a7";            //!< of what is no scheme

/// A line in the plots.
struct LineOf
{
    const char* scheme;    ///< scheme of its rows
    const char* reduction; ///< reduction of its rows
    const char* timing;    ///< timing of its rows
    const char* title;     ///< its name in the key
    const char* colour;    ///< its colour
    const char* kind;      ///< its line and point, in gnuplot's words
};

/// All lines, in the order of keys.
const LineOf LINES[] = {
    {"unicast",
     "simulated",
     "flits",
     "unicast, simulated",
     UNICAST_COLOUR,
     "lw 2 dt 1 pt 9 ps 1.3*unit"},
    {"unicast",
     "ideal",
     "flits",
     "unicast, ideal",
     LIGHT_UNICAST_COLOUR,
     "lw 1 dt 2 pt 8 ps 1.3*unit"},
    {"multicast",
     "simulated",
     "flits",
     "multicast, simulated",
     MULTICAST_COLOUR,
     "lw 2 dt 1 pt 5 ps 1.2*unit"},
    {"multicast",
     "ideal",
     "flits",
     "multicast, ideal",
     LIGHT_MULTICAST_COLOUR,
     "lw 1 dt 2 pt 4 ps 1.2*unit"},
    {"multicast",
     "paper-inferred",
     "paper",
     "multicast, paper-inferred (an inference)",
     DARK_MULTICAST_COLOUR,
     "lw 2 dt 3 pt 12 ps 1.5*unit"},
    {"btin",
     "in-switch",
     "paper",
     "BTIN, no flit times (as in the paper)",
     LIGHT_BTIN_COLOUR,
     "lw 1 dt 2 pt 6 ps 1.3*unit"},
    {"btin", "in-switch", "flits", "BTIN", BTIN_COLOUR, "lw 2 dt 1 pt 7 ps 1.3*unit"},
};

/// @return line, point and colour in gnuplot's words @param kind line and point @param colour it
std::string
Style(const std::string& kind, const std::string& colour)
{
    return kind + " lc rgb " + GnuplotScript::Quote(colour);
}

/// @return what tells fabrics apart @param row a row, or a published figure
template <typename T>
auto
FabricOf(const T& row)
{
    return std::make_tuple(row.switches, row.hosts, std::llround(row.connectivity * 1e4));
}

/// @return whether two rows are of one fabric @param a, b the rows
bool
AreOfOneFabric(const BarrierStudyRow& a, const BarrierStudyRow& b)
{
    return FabricOf(a) == FabricOf(b) && a.law == b.law;
}

/// @return what a panel is for @param row a row of its fabric
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

} // namespace

BarrierPlots::BarrierPlots(const std::vector<BarrierStudyRow>& rows,
                           const std::vector<PublishedFigure>& published)
    : m_rows(rows),
      m_published(published)
{
    for (const auto& row : rows)
    {
        if (std::none_of(m_fabrics.begin(), m_fabrics.end(), [&](const auto& fabric) {
                return AreOfOneFabric(fabric, row);
            }))
        {
            m_fabrics.push_back(row);
        }
    }
}

std::vector<std::string>
BarrierPlots::Write(const std::string& directory, const std::string& prefix) const
{
    std::vector<std::string> files;
    for (auto plot : {MakePlot("latency", "latency (us)", &BarrierPlots::MakeLatencies),
                      MakePlot("traffic",
                               "links crossed by messages in a barrier (message-hops)",
                               &BarrierPlots::MakeTraffic),
                      MakePlot("latency-factor",
                               "latency of multicast / latency of BTIN",
                               &BarrierPlots::MakeLatencyFactors),
                      MakePlot("traffic-factor",
                               "traffic of multicast / traffic of BTIN",
                               &BarrierPlots::MakeTrafficFactors)})
    {
        if (plot.panels.empty())
        {
            continue;
        }
        plot.name = prefix + plot.name;
        files.push_back(plot.name + ".plt");
        plot.Write(directory);
    }
    return files;
}

GroupSizePlot
BarrierPlots::MakePlot(const std::string& name, const std::string& label, SeriesMaker maker) const
{
    GroupSizePlot plot{name, label, {}};
    for (const auto& fabric : m_fabrics)
    {
        const GroupSizePlot::Panel panel{TitleOf(fabric), (this->*maker)(fabric)};
        if (panel.HasPoints())
        {
            plot.panels.push_back(panel);
        }
    }
    return plot;
}

std::vector<const BarrierStudyRow*>
BarrierPlots::Select(const BarrierStudyRow& fabric,
                     const std::string& scheme,
                     const std::string& reduction,
                     const std::string& timing) const
{
    std::vector<const BarrierStudyRow*> selected;
    for (const auto& row : m_rows)
    {
        const bool known = std::any_of(selected.begin(), selected.end(), [&](const auto& other) {
            return other->groupSize == row.groupSize;
        });
        if (AreOfOneFabric(row, fabric) && row.scheme == scheme && row.groupSize > 1 &&
            (reduction.empty() || row.reduction == reduction) &&
            (timing.empty() || row.btinTiming == timing) && !known)
        {
            selected.push_back(&row);
        }
    }
    std::sort(selected.begin(), selected.end(), [](const auto& a, const auto& b) {
        return a->groupSize < b->groupSize;
    });
    return selected;
}

std::vector<GroupSizePlot::Series>
BarrierPlots::MakeLatencies(const BarrierStudyRow& fabric) const
{
    std::vector<GroupSizePlot::Series> list;
    for (const auto& line : LINES)
    {
        GroupSizePlot::Series series{line.title, Style(line.kind, line.colour), true, {}};
        for (const auto& row : Select(fabric, line.scheme, line.reduction, line.timing))
        {
            series.points.push_back(
                {double(row->groupSize), row->latencyUsMean, row->latencyUsCi95});
        }
        list.push_back(series);
    }
    list.push_back(MakePublished(fabric, "latency"));
    return list;
}

std::vector<GroupSizePlot::Series>
BarrierPlots::MakeTraffic(const BarrierStudyRow& fabric) const
{
    std::vector<GroupSizePlot::Series> list;
    for (const auto& [scheme, title, colour, kind] :
         {std::make_tuple("unicast", "unicast", UNICAST_COLOUR, "lw 2 pt 9 ps 1.3*unit"),
          std::make_tuple("multicast", "multicast", MULTICAST_COLOUR, "lw 2 pt 5 ps 1.2*unit"),
          std::make_tuple("btin", "BTIN", BTIN_COLOUR, "lw 2 pt 7 ps 1.3*unit")})
    {
        GroupSizePlot::Series series{title, Style(kind, colour), true, {}};
        for (const auto& row : Select(fabric, scheme, "", ""))
        {
            series.points.push_back({double(row->groupSize), row->messageHopsMean, 0});
        }
        list.push_back(series);
    }
    return list;
}

std::vector<GroupSizePlot::Series>
BarrierPlots::MakeLatencyFactors(const BarrierStudyRow& fabric) const
{
    std::vector<GroupSizePlot::Series> list;
    for (const auto& line : LINES)
    {
        if (std::string(line.scheme) == "multicast")
        {
            list.push_back({line.title,
                            Style(line.kind, line.colour),
                            true,
                            MakeFactors(fabric,
                                        line.reduction,
                                        line.timing,
                                        &BarrierStudyRow::latencyUsMean)});
        }
    }
    list.push_back(MakePublished(fabric, "latency_factor"));
    return list;
}

std::vector<GroupSizePlot::Series>
BarrierPlots::MakeTrafficFactors(const BarrierStudyRow& fabric) const
{
    return {{"in flit-hops",
             Style("lw 2 dt 2 pt 6 ps 1.3*unit", FLIT_COLOUR),
             true,
             MakeFactors(fabric, "", "", &BarrierStudyRow::flitHopsMean)},
            {"in message-hops",
             Style("lw 2 dt 1 pt 5 ps 1.2*unit", MULTICAST_COLOUR),
             true,
             MakeFactors(fabric, "", "", &BarrierStudyRow::messageHopsMean)},
            MakePublished(fabric, "traffic_factor")};
}

std::vector<GroupSizePlot::Point>
BarrierPlots::MakeFactors(const BarrierStudyRow& fabric,
                          const std::string& reduction,
                          const std::string& timing,
                          Quantity quantity) const
{
    std::vector<GroupSizePlot::Point> points;
    auto below = Select(fabric, "btin", "in-switch", timing);
    if (below.empty())
    {
        below = Select(fabric, "btin", "in-switch", ""); // the only one that was asked for
    }
    for (const auto& row : Select(fabric, "multicast", reduction, ""))
    {
        for (const auto& btin : below)
        {
            if (btin->groupSize == row->groupSize && btin->*quantity > 0)
            {
                points.push_back({double(row->groupSize), row->*quantity / (btin->*quantity), 0});
            }
        }
    }
    return points;
}

GroupSizePlot::Series
BarrierPlots::MakePublished(const BarrierStudyRow& fabric, const std::string& quantity) const
{
    GroupSizePlot::Series series{"paper", Style("pt 13 ps 2.2*unit", "black"), false, {}};
    for (const auto& figure : m_published)
    {
        if (figure.quantity == quantity && FabricOf(figure) == FabricOf(fabric))
        {
            series.points.push_back({double(figure.groupSize), figure.value, 0});
        }
    }
    return series;
}

} // namespace ns3
