/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-load-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

const CsvTable<BroadcastLoadRow>&
BroadcastLoadRow::GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    constexpr int LOAD = 4;
    static const auto table =
        CsvTable<BroadcastLoadRow>()
            .AddText({"broadcast", "", "What is throttled"}, &BroadcastLoadRow::broadcast)
            .AddWhole({"broadcasters", "", "Groups that broadcast at the same time"},
                      &BroadcastLoadRow::broadcasters)
            .AddWhole({"window", "", "Broadcasts of each that may be outstanding; 0: any number"},
                      &BroadcastLoadRow::window)
            .AddNumber({"gap_us", "us", "Least time between two of them"},
                       &BroadcastLoadRow::gapUs,
                       TIME)
            .AddNumber({"load", "", "Offered load of the data traffic, 0 for none"},
                       &BroadcastLoadRow::load,
                       LOAD)
            .AddNumber({"time_us", "us", "Time per broadcast of a group"},
                       &BroadcastLoadRow::timeUs,
                       TIME)
            .AddNumber(
                {"latency_us", "us", "Mean time of a broadcast from its beginning to all members"},
                &BroadcastLoadRow::latencyUs,
                TIME)
            .AddNumber({"held_us", "us", "Mean time that roots were held back"},
                       &BroadcastLoadRow::heldUs,
                       TIME)
            .AddWhole(
                {"outstanding", "", "The most broadcasts of a group begun and not at all members"},
                &BroadcastLoadRow::outstanding)
            .AddNumber(
                {"traffic_us", "us", "Mean latency of the data traffic meanwhile; NaN if none"},
                &BroadcastLoadRow::trafficUs,
                TIME);
    return table;
}

} // namespace ns3
