/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-barrier-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<LoadedBarrierRow>&
GetTable()
{
    constexpr int LOAD = 6; // loads of large fabrics are small
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = PartsColumns<LoadedBarrierRow>::AddTo(
        CsvTable<LoadedBarrierRow>()
            .AddText("algorithm", &LoadedBarrierRow::algorithm)
            .AddWhole("members", &LoadedBarrierRow::members)
            .AddText("pattern", &LoadedBarrierRow::pattern)
            .AddText("flits", &LoadedBarrierRow::flits)
            .AddNumber("load", &LoadedBarrierRow::load, LOAD)
            .AddWord("state", &LoadedBarrierRow::state, {"steady", "saturated", "deadlock"})
            .AddWhole("rounds", &LoadedBarrierRow::rounds)
            .AddNumber("latency_us_mean", &LoadedBarrierRow::latencyUsMean, TIME)
            .AddNumber("latency_us_ci95", &LoadedBarrierRow::latencyUsCi95, TIME)
            .AddNumber("latency_us_median", &LoadedBarrierRow::latencyUsMedian, TIME)
            .AddNumber("latency_us_p99", &LoadedBarrierRow::latencyUs99, TIME)
            .SetCheck([](const CsvFile& file, std::size_t index, const LoadedBarrierRow& row) {
                if ((row.state == "steady") != (row.latencyUsMean > 0))
                {
                    file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
                }
            }));
    return table;
}

} // namespace

void
LoadedBarrierRow::Write(std::ostream& os, const std::vector<LoadedBarrierRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<LoadedBarrierRow>
LoadedBarrierRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

std::string
LoadedBarrierRow::Pack(const std::vector<LoadedBarrierRow>& rows)
{
    return GetTable().Pack(rows);
}

std::vector<LoadedBarrierRow>
LoadedBarrierRow::Unpack(const std::string& bytes)
{
    return GetTable().Unpack(bytes);
}

} // namespace ns3
