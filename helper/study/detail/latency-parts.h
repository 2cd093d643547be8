// SPDX-License-Identifier: GPL-2.0-only

#ifndef LATENCY_PARTS_H
#define LATENCY_PARTS_H

#include "ns3/csv-table.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-latency-report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// What an explained latency goes into, in columns of studies' rows that are there only if
/// latencies are explained: means, us; NaN where nothing was simulated.
struct LatencyParts
{
    /// @return names of the columns: parts that together are the latency, in the order of
    /// LatencyGroup, and behind them what of the waiting is for traffic
    static std::vector<std::string> GetNames();

    /// @param table the other columns, with a load
    static CsvTable AddTo(CsvTable table);

    static void Set(CsvRow& row, double us);

    /// Adds what a round goes into. @param rounds of which a mean is made
    static void Add(CsvRow& row, const LatencyReport& report, std::size_t rounds);

    /// Adds the mean of rounds. @param bench has done them, and has recorded them
    template <typename Bench>
    static void AddRounds(CsvRow& row, const Bench& bench, std::size_t rounds)
    {
        for (uint32_t round = 1; round <= rounds; ++round)
        {
            Add(row, bench.GetReport(round), rounds);
        }
    }

    /// @return the plot causes: a stacked bar for each row that is explained, in groups beside each
    /// other; nothing is there without bars
    static StudyPlot Draw(const StudyPlot::Rows& all,
                          const StudyPlot::Key& group,
                          const StudyPlot::Key& label,
                          const std::string& title);
};

} // namespace ns3

#endif /* LATENCY_PARTS_H */
