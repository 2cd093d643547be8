/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-barrier-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

const CsvTable<LoadedBarrierRow>&
LoadedBarrierRow::GetTable()
{
    constexpr int LOAD = 6; // loads of large fabrics are small
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = PartsColumns<LoadedBarrierRow>::AddTo(
        CsvTable<LoadedBarrierRow>()
            .AddText({"algorithm", "", "The barrier"}, &LoadedBarrierRow::algorithm)
            .AddWhole({"members", "", "Number of members"}, &LoadedBarrierRow::members)
            .AddText({"pattern", "", "Who sends data to whom"}, &LoadedBarrierRow::pattern)
            .AddText({"flits", "", "Length of data worms, as WormLength::Parse"},
                     &LoadedBarrierRow::flits)
            .AddNumber({"load", "", "Offered load; 0: no traffic"}, &LoadedBarrierRow::load, LOAD)
            .AddWord({"state", "", "State: steady, saturated (worms pile up) or deadlock"},
                     &LoadedBarrierRow::state,
                     {"steady", "saturated", "deadlock"})
            .AddWhole({"rounds", "", "Barriers measured"}, &LoadedBarrierRow::rounds)
            .AddNumber({"latency_us_mean", "us", "Their mean latency"},
                       &LoadedBarrierRow::latencyUsMean,
                       TIME)
            .AddNumber({"latency_us_ci95",
                        "us",
                        "Half width of the mean's 95 % interval; NaN without traffic"},
                       &LoadedBarrierRow::latencyUsCi95,
                       TIME)
            .AddNumber({"latency_us_median", "us", "Their median"},
                       &LoadedBarrierRow::latencyUsMedian,
                       TIME)
            .AddNumber({"latency_us_p99", "us", "Latency that 99 % of them do not exceed"},
                       &LoadedBarrierRow::latencyUs99,
                       TIME)
            .SetCheck([](const CsvFile& file, std::size_t index, const LoadedBarrierRow& row) {
                if ((row.state == "steady") != (row.latencyUsMean > 0))
                {
                    file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
                }
            }));
    return table;
}

} // namespace ns3
