/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<LatencyLoadRow>&
GetTable()
{
    constexpr int RATIO = 4;
    constexpr int LOAD = 6; // loads of large fabrics are small
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table =
        CsvTable<LatencyLoadRow>()
            .AddWhole("switches", &LatencyLoadRow::switches)
            .AddWhole("hosts", &LatencyLoadRow::hosts)
            .AddNumber("connectivity", &LatencyLoadRow::connectivity, RATIO)
            .AddText("topology", &LatencyLoadRow::topology)
            .AddWhole("run", &LatencyLoadRow::run)
            .AddText("pattern", &LatencyLoadRow::pattern)
            .AddText("arrivals", &LatencyLoadRow::arrivals)
            .AddText("flits", &LatencyLoadRow::flits)
            .AddNumber("load", &LatencyLoadRow::load, LOAD)
            .AddNumber("offered", &LatencyLoadRow::offered, LOAD)
            .AddNumber("accepted", &LatencyLoadRow::accepted, LOAD)
            .AddWord("state", &LatencyLoadRow::state, {"steady", "saturated", "unsettled"})
            .AddNumber("latency_us_mean", &LatencyLoadRow::latencyUsMean, TIME)
            .AddNumber("latency_us_ci95", &LatencyLoadRow::latencyUsCi95, TIME)
            .AddNumber("latency_us_p99", &LatencyLoadRow::latencyUs99, TIME)
            .AddWhole("worms", &LatencyLoadRow::worms)
            .AddNumber("warm_up_us", &LatencyLoadRow::warmUpUs, TIME)
            .AddNumber("queue_growth", &LatencyLoadRow::queueGrowth, RATIO)
            .AddNumber("worst_growth", &LatencyLoadRow::worstGrowth, RATIO)
            .AddNumber("saturation_low", &LatencyLoadRow::saturationLow, LOAD)
            .AddNumber("saturation_high", &LatencyLoadRow::saturationHigh, LOAD)
            .SetCheck([](const CsvFile& file, std::size_t index, const LatencyLoadRow& row) {
                if (!(row.load > 0))
                {
                    file.Refuse(index, "load", "a number above 0");
                }
                if ((row.state == "steady") != (row.latencyUsMean > 0))
                {
                    file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
                }
            });
    return table;
}

} // namespace

void
LatencyLoadRow::Write(std::ostream& os, const std::vector<LatencyLoadRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<LatencyLoadRow>
LatencyLoadRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

std::string
LatencyLoadRow::Pack(const std::vector<LatencyLoadRow>& rows)
{
    return GetTable().Pack(rows);
}

std::vector<LatencyLoadRow>
LatencyLoadRow::Unpack(const std::string& bytes)
{
    return GetTable().Unpack(bytes);
}

} // namespace ns3
