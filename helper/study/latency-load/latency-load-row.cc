/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

const CsvTable<LatencyLoadRow>&
LatencyLoadRow::GetTable()
{
    constexpr int RATIO = 4;
    constexpr int LOAD = 6; // loads of large fabrics are small
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table =
        CsvTable<LatencyLoadRow>()
            .AddWhole({"switches", "", "Number of switches"}, &LatencyLoadRow::switches)
            .AddWhole({"hosts", "", "Number of hosts"}, &LatencyLoadRow::hosts)
            .AddNumber({"connectivity", "", "Ratio of the switches' ports in use"},
                       &LatencyLoadRow::connectivity,
                       RATIO)
            .AddText({"topology", "", "What the fabric is, as for MakeTopology but for its size"},
                     &LatencyLoadRow::topology)
            .AddWhole(
                {"run", "", "Number of the run, from 1; each draws its own fabric and traffic"},
                &LatencyLoadRow::run)
            .AddText({"pattern", "", "Who sends to whom"}, &LatencyLoadRow::pattern)
            .AddText({"arrivals", "", "Poisson or periodic"}, &LatencyLoadRow::arrivals)
            .AddText({"flits", "", "Length of worms, as WormLength::Parse"}, &LatencyLoadRow::flits)
            .AddNumber({"load", "", "Load asked for"}, &LatencyLoadRow::load, LOAD)
            .AddNumber({"offered", "", "Load offered in the time that was measured"},
                       &LatencyLoadRow::offered,
                       LOAD)
            .AddNumber({"accepted", "", "Load delivered in that time"},
                       &LatencyLoadRow::accepted,
                       LOAD)
            .AddWord({"state", "", "State: steady, saturated or unsettled"},
                     &LatencyLoadRow::state,
                     {"steady", "saturated", "unsettled"})
            .AddNumber({"latency_us_mean", "us", "Mean latency"},
                       &LatencyLoadRow::latencyUsMean,
                       TIME)
            .AddNumber({"latency_us_ci95", "us", "Its interval"},
                       &LatencyLoadRow::latencyUsCi95,
                       TIME)
            .AddNumber({"latency_us_p99", "us", "Latency that 99 % of the worms do not exceed"},
                       &LatencyLoadRow::latencyUs99,
                       TIME)
            .AddWhole({"worms", "", "Worms delivered in the time that was measured"},
                      &LatencyLoadRow::worms)
            .AddNumber({"warm_up_us", "us", "Time before that"}, &LatencyLoadRow::warmUpUs, TIME)
            .AddNumber(
                {"queue_growth", "", "Flits that queues grew by in that time, over flits offered"},
                &LatencyLoadRow::queueGrowth,
                RATIO)
            .AddNumber({"worst_growth",
                        "",
                        "Worms that the worst source's queue grew by, over worms it made"},
                       &LatencyLoadRow::worstGrowth,
                       RATIO)
            .AddNumber({"saturation_low", "", "Greatest steady load found; NaN if not looked for"},
                       &LatencyLoadRow::saturationLow,
                       LOAD)
            .AddNumber({"saturation_high",
                        "",
                        "Next load found, not steady; NaN if not looked for, or none to 1"},
                       &LatencyLoadRow::saturationHigh,
                       LOAD)
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

} // namespace ns3
