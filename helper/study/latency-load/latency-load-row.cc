/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-row.h"

#include "ns3/csv-file.h"

namespace ns3
{

const std::vector<std::string>&
LatencyLoadRow::GetColumns()
{
    static const std::vector<std::string> columns{"switches",
                                                  "hosts",
                                                  "connectivity",
                                                  "topology",
                                                  "run",
                                                  "pattern",
                                                  "arrivals",
                                                  "flits",
                                                  "load",
                                                  "offered",
                                                  "accepted",
                                                  "state",
                                                  "latency_us_mean",
                                                  "latency_us_ci95",
                                                  "latency_us_p99",
                                                  "worms",
                                                  "warm_up_us",
                                                  "queue_growth",
                                                  "worst_growth",
                                                  "saturation_low",
                                                  "saturation_high"};
    return columns;
}

void
LatencyLoadRow::Write(std::ostream& os, const std::vector<LatencyLoadRow>& rows)
{
    constexpr int RATIO = 4;
    constexpr int LOAD = 6; // loads of large fabrics are small
    constexpr int TIME = 3; // ns where the unit is us
    CsvFile::WriteHeader(os, GetColumns());
    for (const auto& row : rows)
    {
        os << row.switches << ',' << row.hosts << ',' << CsvFile::Fixed(row.connectivity, RATIO)
           << ',' << CsvFile::Quote(row.topology) << ',' << row.run << ',' << row.pattern << ','
           << row.arrivals << ',' << row.flits << ',' << CsvFile::Fixed(row.load, LOAD) << ','
           << CsvFile::Fixed(row.offered, LOAD) << ',' << CsvFile::Fixed(row.accepted, LOAD) << ','
           << row.state << ',' << CsvFile::Fixed(row.latencyUsMean, TIME) << ','
           << CsvFile::Fixed(row.latencyUsCi95, TIME) << ','
           << CsvFile::Fixed(row.latencyUs99, TIME) << ',' << row.worms << ','
           << CsvFile::Fixed(row.warmUpUs, TIME) << ',' << CsvFile::Fixed(row.queueGrowth, RATIO)
           << ',' << CsvFile::Fixed(row.worstGrowth, RATIO) << ','
           << CsvFile::Fixed(row.saturationLow, LOAD) << ','
           << CsvFile::Fixed(row.saturationHigh, LOAD) << '\n';
    }
}

std::vector<LatencyLoadRow>
LatencyLoadRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<LatencyLoadRow> rows(file.GetNRows());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        auto& row = rows[i];
        row.switches = file.GetWhole(i, "switches");
        row.hosts = file.GetWhole(i, "hosts");
        row.connectivity = file.GetNumber(i, "connectivity");
        row.topology = file.Get(i, "topology");
        row.run = file.GetWhole(i, "run");
        row.pattern = file.Get(i, "pattern");
        row.arrivals = file.Get(i, "arrivals");
        row.flits = file.Get(i, "flits");
        row.load = file.GetNumber(i, "load");
        if (!(row.load > 0))
        {
            file.Refuse(i, "load", "a number above 0");
        }
        row.offered = file.GetNumber(i, "offered");
        row.accepted = file.GetNumber(i, "accepted");
        row.state = file.Get(i, "state");
        if (row.state != "steady" && row.state != "saturated" && row.state != "unsettled")
        {
            file.Refuse(i, "state", "steady, saturated or unsettled");
        }
        row.latencyUsMean = file.GetNumber(i, "latency_us_mean");
        row.latencyUsCi95 = file.GetNumber(i, "latency_us_ci95");
        row.latencyUs99 = file.GetNumber(i, "latency_us_p99");
        if ((row.state == "steady") != (row.latencyUsMean > 0))
        {
            file.Refuse(i, "latency_us_mean", "a time above 0 if steady, else nan");
        }
        row.worms = file.GetWhole(i, "worms");
        row.warmUpUs = file.GetNumber(i, "warm_up_us");
        row.queueGrowth = file.GetNumber(i, "queue_growth");
        row.worstGrowth = file.GetNumber(i, "worst_growth");
        row.saturationLow = file.GetNumber(i, "saturation_low");
        row.saturationHigh = file.GetNumber(i, "saturation_high");
    }
    return rows;
}

} // namespace ns3
