/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-load-row.h"

#include "ns3/csv-table.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<BroadcastLoadRow>&
GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    constexpr int LOAD = 4;
    static const auto table = CsvTable<BroadcastLoadRow>()
                                  .AddText("broadcast", &BroadcastLoadRow::broadcast)
                                  .AddWhole("broadcasters", &BroadcastLoadRow::broadcasters)
                                  .AddWhole("window", &BroadcastLoadRow::window)
                                  .AddNumber("gap_us", &BroadcastLoadRow::gapUs, TIME)
                                  .AddNumber("load", &BroadcastLoadRow::load, LOAD)
                                  .AddNumber("time_us", &BroadcastLoadRow::timeUs, TIME)
                                  .AddNumber("latency_us", &BroadcastLoadRow::latencyUs, TIME)
                                  .AddNumber("held_us", &BroadcastLoadRow::heldUs, TIME)
                                  .AddWhole("outstanding", &BroadcastLoadRow::outstanding)
                                  .AddNumber("traffic_us", &BroadcastLoadRow::trafficUs, TIME);
    return table;
}

} // namespace

void
BroadcastLoadRow::Write(std::ostream& os, const std::vector<BroadcastLoadRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<BroadcastLoadRow>
BroadcastLoadRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

std::string
BroadcastLoadRow::Pack(const std::vector<BroadcastLoadRow>& rows)
{
    return GetTable().Pack(rows);
}

std::vector<BroadcastLoadRow>
BroadcastLoadRow::Unpack(const std::string& bytes)
{
    return GetTable().Unpack(bytes);
}

} // namespace ns3
