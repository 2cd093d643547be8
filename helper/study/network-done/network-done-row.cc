/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

const CsvTable<NetworkDoneRow>&
NetworkDoneRow::GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    constexpr int RATIO = 5;
    constexpr int MEAN = 3;
    static const auto table =
        CsvTable<NetworkDoneRow>()
            .AddText({"method", "", "Name of the barrier"}, &NetworkDoneRow::method)
            .AddNumber({"quantum_us", "us", "How long a process computes in a round"},
                       &NetworkDoneRow::quantumUs,
                       TIME)
            .AddWhole({"bytes", "", "Length of a message"}, &NetworkDoneRow::bytes)
            .AddNumber(
                {"traffic_load", "", "Offered load of other data traffic, of a channel's rate"},
                &NetworkDoneRow::trafficLoad,
                RATIO)
            .AddNumber({"messages", "", "Mean number of messages of a process in a quantum"},
                       &NetworkDoneRow::messages,
                       MEAN)
            .AddNumber(
                {"message_load", "", "Load that they offer to a host's channel, of its rate"},
                &NetworkDoneRow::messageLoad,
                RATIO)
            .AddNumber(
                {"latency_us", "us", "Mean time from the last member's entry to the last leave"},
                &NetworkDoneRow::latencyUs,
                TIME)
            .AddNumber(
                {"quiet_us", "us", "Mean time from that entry until all messages are received"},
                &NetworkDoneRow::quietUs,
                TIME)
            .AddNumber({"sums", "", "Mean number of sums in a round"}, &NetworkDoneRow::sums, MEAN)
            .AddNumber({"busy_percent",
                        "percent",
                        "Share of rounds with messages under way at the last entry, percent"},
                       &NetworkDoneRow::busyPercent,
                       1)
            .AddNumber({"step_us", "us", "Mean time of a round"}, &NetworkDoneRow::stepUs, TIME)
            .AddNumber({"accounting_us",
                        "us",
                        "What sync-hardware's accounting has for Network-Done; NaN: none"},
                       &NetworkDoneRow::accountingUs,
                       TIME)
            .AddNumber({"message_us",
                        "us",
                        "Mean time of a message, software included; NaN: there is none"},
                       &NetworkDoneRow::messageUs,
                       TIME);
    return table;
}

} // namespace ns3
