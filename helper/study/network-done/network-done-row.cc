/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<NetworkDoneRow>&
GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    constexpr int RATIO = 5;
    constexpr int MEAN = 3;
    static const auto table = CsvTable<NetworkDoneRow>()
                                  .AddText("method", &NetworkDoneRow::method)
                                  .AddNumber("quantum_us", &NetworkDoneRow::quantumUs, TIME)
                                  .AddWhole("bytes", &NetworkDoneRow::bytes)
                                  .AddNumber("traffic_load", &NetworkDoneRow::trafficLoad, RATIO)
                                  .AddNumber("messages", &NetworkDoneRow::messages, MEAN)
                                  .AddNumber("message_load", &NetworkDoneRow::messageLoad, RATIO)
                                  .AddNumber("latency_us", &NetworkDoneRow::latencyUs, TIME)
                                  .AddNumber("quiet_us", &NetworkDoneRow::quietUs, TIME)
                                  .AddNumber("sums", &NetworkDoneRow::sums, MEAN)
                                  .AddNumber("busy_percent", &NetworkDoneRow::busyPercent, 1)
                                  .AddNumber("step_us", &NetworkDoneRow::stepUs, TIME)
                                  .AddNumber("accounting_us", &NetworkDoneRow::accountingUs, TIME)
                                  .AddNumber("message_us", &NetworkDoneRow::messageUs, TIME);
    return table;
}

} // namespace

void
NetworkDoneRow::Write(std::ostream& os, const std::vector<NetworkDoneRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<NetworkDoneRow>
NetworkDoneRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

std::string
NetworkDoneRow::Pack(const std::vector<NetworkDoneRow>& rows)
{
    return GetTable().Pack(rows);
}

std::vector<NetworkDoneRow>
NetworkDoneRow::Unpack(const std::string& bytes)
{
    return GetTable().Unpack(bytes);
}

} // namespace ns3
