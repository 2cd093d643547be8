/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-study-row.h"

#include "ns3/csv-table.h"
#include "ns3/traffic-columns.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<SmpStudyRow>&
GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = TrafficColumns<SmpStudyRow>::AddTo(
        CsvTable<SmpStudyRow>()
            .AddText("algorithm", &SmpStudyRow::algorithm)
            .AddWhole("switches", &SmpStudyRow::switches)
            .AddWhole("hosts", &SmpStudyRow::hosts)
            .AddWhole("bytes", &SmpStudyRow::bytes)
            .AddWhole("steps", &SmpStudyRow::steps)
            .AddNumber("time_us", &SmpStudyRow::timeUs, TIME)
            .AddWhole("tasks_per_host", &SmpStudyRow::tasksPerHost)
            .SetOptional([](const SmpStudyRow& row) { return row.tasksPerHost > 1; }),
        {{"time_us_p99", &SmpStudyRow::timeUs99}});
    return table;
}

} // namespace

void
SmpStudyRow::Write(std::ostream& os, const std::vector<SmpStudyRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<SmpStudyRow>
SmpStudyRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

std::string
SmpStudyRow::Pack(const std::vector<SmpStudyRow>& rows)
{
    return GetTable().Pack(rows);
}

std::vector<SmpStudyRow>
SmpStudyRow::Unpack(const std::string& bytes)
{
    return GetTable().Unpack(bytes);
}

} // namespace ns3
