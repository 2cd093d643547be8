// SPDX-License-Identifier: GPL-2.0-only

#ifndef LATENCY_PARTS_H
#define LATENCY_PARTS_H

#include "ns3/csv-table.h"
#include "ns3/gnuplot-script.h"
#include "ns3/ordering.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-latency-cause.h"
#include "ns3/wormhole-latency-report.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/// The parts of an explained latency, as columns of studies' rows that exist only if latencies are
/// explained; values are means in us, and NaN where nothing was simulated.
struct LatencyParts
{
    /// @return names of the columns: parts whose sum is the latency, in the order of LatencyGroup,
    /// followed by the part of the waiting that traffic causes
    static std::vector<std::string> GetNames()
    {
        return MadeOf(PARTS, [](const Part& part) { return CsvColumn(part.column).name; });
    }

    /// @param table the other columns, which include load
    static CsvTable AddTo(CsvTable table)
    {
        constexpr int PART = 6; // ps
        const auto hasTraffic = [](const CsvRow& row) {
            return IsExplained(row) && row["load"] > 0;
        };
        table.AddOptional(IsExplained, {{"explained: Whether the latency is explained: yes"}});
        for (const auto& part : PARTS)
        {
            const auto isOfTraffic = &part == &PARTS[std::size(PARTS) - 1];
            table.AddOptional(isOfTraffic ? CsvTable::Needs(hasTraffic) : IsExplained,
                              {{part.column, PART}});
        }
        return table;
    }

    static void Set(CsvRow& row, double us)
    {
        for (const auto& name : GetNames())
        {
            row[name] = us;
        }
    }

    /// Adds a round's parts to the means. @param rounds number of rounds in the means
    static void Add(CsvRow& row, const LatencyReport& report, std::size_t rounds)
    {
        const auto ofMean = 1e6 * static_cast<double>(rounds);
        const auto names = GetNames();
        for (const auto& [cause, time] : report.GetSums())
        {
            row[names[static_cast<std::size_t>(GetGroup(cause))]] +=
                static_cast<double>(time) / ofMean;
        }
        row[names.back()] += static_cast<double>(report.GetHeldByTraffic()) / ofMean;
    }

    /// Adds the means of rounds. @param bench has performed and recorded these rounds
    template <typename Bench>
    static void AddRounds(CsvRow& row, const Bench& bench, std::size_t rounds)
    {
        for (uint32_t round = 1; round <= rounds; ++round)
        {
            Add(row, bench.GetReport(round), rounds);
        }
    }

    /// @return the plot "causes", with a stacked bar for each explained row, in groups side by
    /// side; an empty plot if there are no such rows
    static StudyPlot Draw(const StudyPlot::Rows& all,
                          const StudyPlot::Key& group,
                          const StudyPlot::Key& label,
                          const std::string& title)
    {
        StudyPlot plot{"causes"};
        const auto names = GetNames();
        const auto rows = StudyPlot::Where(all, IsExplained);
        const auto groups = StudyPlot::GroupBy(rows, group);
        if (rows.empty())
        {
            return plot;
        }
        std::ostringstream setup;
        std::ostringstream drawing;
        std::ostringstream tics;
        uint32_t nBars = 0;
        drawing << "plot ";
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            setup << "$scheme" << i << " << EOD\n";
            const auto place = nBars + i; // place of its first bar
            for (const auto& row : groups[i].second)
            {
                tics << (nBars > 0 ? ", " : "") << GnuplotScript::QuoteTic(label(row)) << ' '
                     << nBars + i;
                setup << nBars + i;
                for (const auto& name : names)
                {
                    setup << " " << GetSize(row, name);
                }
                setup << "\n";
                ++nBars;
            }
            setup << "EOD\n";
            drawing << (i > 0 ? ", " : "") << "newhistogram "
                    << GnuplotScript::Quote(groups[i].first) << " at " << place;
            for (std::size_t part = 0; part < names.size(); ++part)
            {
                if (AnyOf(rows, [&](const auto& row) { return GetSize(row, names[part]) > 0; }))
                {
                    drawing << ", $scheme" << i << " using " << part + 2 << " lc rgb "
                            << GnuplotScript::Quote(PARTS[part].colour) << " "
                            << (i == 0 ? "title " + GnuplotScript::Quote(PARTS[part].title)
                                       : "notitle");
                }
            }
        }
        drawing << "\n";
        setup << "set style data histograms\nset style histogram rowstacked title offset 0,-2\n"
              << "set boxwidth 0.8\nset style fill solid 0.95 border rgb \"white\"\n"
              << "set ylabel \"latency (us)\"\nset title " << GnuplotScript::Quote(title) << "\n"
              << "set bmargin 7\nset yrange [0:*]\nset grid ytics\n"
              << "set xtics (" << tics.str() << ") rotate by 90 right scale 0\n"
              << "set key outside right top Left reverse invert\n";
        plot.axes = setup.str();
        plot.drawing = drawing.str();
        plot.width = std::max<uint32_t>(700, 260 + 42 * nBars);
        plot.height = 480;
        return plot;
    }

  private:
    struct Part
    {
        const char* column; ///< its column
        const char* title;  ///< its title in the key
        const char* colour; ///< its colour, safe for colour-blind readers (Okabe and Ito)
    };

    /// All parts, in the order of LatencyGroup, and then the part of the waiting due to traffic.
    static constexpr Part PARTS[] = {
        {"host_us_mean (us): Part of the latency in hosts' software", "hosts' software", "#0072b2"},
        {"interface_us_mean (us): Part in interfaces", "interfaces", "#56b4e9"},
        {"wire_us_mean (us): Part on cables: flits and propagation", "wires", "#009e73"},
        {"switch_us_mean (us): Part due to delays of switches", "switches", "#e69f00"},
        {"waiting_us_mean (us): Part due to waiting for worms", "waiting for others", "#d55e00"},
        {"elsewhere_us_mean (us): Part outside the fabric", "beside the fabric", "#cc79a7"},
        {"traffic_us_mean (us): Part of the waiting caused by traffic",
         "waiting for the traffic",
         "#7f2f00"}};

    /// @return size of a part in a bar, us
    static double GetSize(const CsvRow& row, const std::string& part)
    {
        return row[part] - (part == "waiting_us_mean" ? row["traffic_us_mean"] : 0.0);
    }

    static bool IsExplained(const CsvRow& row)
    {
        return !row["explained"].Text().empty();
    }
};

} // namespace ns3

#endif /* LATENCY_PARTS_H */
