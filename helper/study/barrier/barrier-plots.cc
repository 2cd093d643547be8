// SPDX-License-Identifier: GPL-2.0-only

#include "barrier-run.h"

#include "ns3/latency-parts.h"
#include "ns3/ordering.h"
#include "ns3/study-makers.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

/// @return what tells published figures of a fabric from others
std::string
FabricOf(const CsvRow& row)
{
    return row.GetKey({"switches", "hosts"}) + "\n" +
           std::to_string(std::llround(row["connectivity"] * 1e4));
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

struct BarrierPlot
{
    const char* name;                   ///< of the plot
    const char* label;                  ///< what its values are
    std::vector<StudyPlot::Line> lines; ///< what it shows
    bool hasReductions;    ///< whether each reduction has lines; traffic is that of all
    bool isFactor;         ///< whether it shows multicast over btin
    const char* published; ///< quantity drawn in; empty: none
};

const BarrierPlot PLOTS[] = {{"latency",
                              "latency (us)",
                              {{"latency_us_mean", "", "", "latency_us_ci95"}},
                              true,
                              false,
                              "latency"},
                             {"traffic",
                              "links crossed by messages in a barrier (message-hops)",
                              {{"message_hops_mean"}},
                              false,
                              false,
                              ""},
                             {"latency-factor",
                              "latency of multicast / latency of BTIN",
                              {{"latency_us_mean"}},
                              true,
                              true,
                              "latency_factor"},
                             {"traffic-factor",
                              "traffic of multicast / traffic of BTIN",
                              {{"flit_hops_mean", ", in flit-hops", "linespoints lw 2 dt 2 "},
                               {"message_hops_mean", ", in message-hops"}},
                              false,
                              true,
                              "traffic_factor"}};

std::string
SchemeOf(const CsvRow& row)
{
    return row["scheme"].Text() == "btin" ? "BTIN" : row["scheme"].Text();
}

std::string
ReductionOf(const CsvRow& row)
{
    return row["scheme"].Text() == "btin"
               ? (IsFlitless(row) ? "BTIN, no flit times (as in the paper)" : "BTIN")
               : row["scheme"].Text() + ", " + row["reduction"].Text() +
                     (IsFlitless(row) ? " (an inference)" : "");
}

/// @return multicast over btin, with the same timing if it is there
StudyPlot::Rows
GetFactors(const StudyPlot::Rows& rows)
{
    const auto select = [&](const char* scheme, bool isFlitless) {
        return StudyPlot::Where(rows, [=](const auto& row) {
            return row["scheme"].Text() == scheme && IsFlitless(row) == isFlitless;
        });
    };
    return JoinedOf(std::array{false, true}, [&](bool isFlitless) {
        const auto same = select("btin", isFlitless);
        return StudyPlot::Over(
            select("multicast", isFlitless),
            same.empty() ? select("btin", !isFlitless) : same,
            ReductionOf,
            [](const auto& row) { return TitleOf(row) + "\n" + row.GetText("group_size"); },
            {"latency_us_mean", "message_hops_mean", "flit_hops_mean"});
    });
}

} // namespace

/// Draws latency; traffic, in message-hops; and by what factor multicast has more of either than
/// btin: a panel for each fabric. Explained latencies are stacked bars, too.
std::vector<StudyPlot>
MakeBarrierPlots(const StudyPlot::Rows& all, const StudyPlot::Rows& published)
{
    // Groups of one take no time, and have no place on log axes.
    const auto rows = StudyPlot::Where(all, [](const auto& row) { return row["group_size"] > 1; });
    std::vector<StudyPlot> plots;
    for (const auto& of : PLOTS)
    {
        StudyPlot plot{of.name, "group size (members)", of.label};
        const auto drawn = of.isFactor ? GetFactors(rows) : rows;
        plot.AddLines(drawn,
                      TitleOf,
                      of.hasReductions ? ReductionOf : SchemeOf,
                      "group_size",
                      of.lines);
        plot.AddPublished(
            StudyPlot::Where(
                published,
                [&](const auto& figure) { return figure["quantity"].Text() == of.published; }),
            drawn,
            TitleOf,
            [](const auto& figure, const auto& row) { return FabricOf(figure) == FabricOf(row); },
            "group_size",
            [](const auto&) { return "paper"; });
        plot.SetGroupSizeAxes();
        plots.push_back(plot);
    }
    const auto isOfFirst = [&](const CsvRow& row) {
        return !std::isnan(row["host_us_mean"]) && TitleOf(row) == TitleOf(all.front());
    };
    plots.push_back(LatencyParts::Draw(
        StudyPlot::Where(rows, isOfFirst),
        [](const CsvRow& row) {
            return row["scheme"].Text() + (IsFlitless(row) ? ", no flit times" : "");
        },
        [](const CsvRow& row) { return row.GetText("group_size"); },
        "by scheme and number of members"));
    return plots;
}

} // namespace ns3
