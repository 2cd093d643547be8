/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-study-row.h"

#include "ns3/csv-file.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// The last column, which is there if some host has several processes.
const char* const TASKS = "tasks_per_host";

} // namespace

const std::vector<std::string>&
SmpStudyRow::GetColumns()
{
    static const std::vector<std::string> columns{"algorithm",
                                                  "switches",
                                                  "hosts",
                                                  "bytes",
                                                  "steps",
                                                  "time_us"};
    return columns;
}

void
SmpStudyRow::Write(std::ostream& os, const std::vector<SmpStudyRow>& rows)
{
    constexpr int TIME = 3; // ns where the unit is us
    const bool hasTasks =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.tasksPerHost > 1; });
    auto columns = GetColumns();
    if (hasTasks)
    {
        columns.emplace_back(TASKS);
    }
    CsvFile::WriteHeader(os, columns);
    for (const auto& row : rows)
    {
        os << CsvFile::Quote(row.algorithm) << ',' << row.switches << ',' << row.hosts << ','
           << row.bytes << ',' << row.steps << ',' << CsvFile::Fixed(row.timeUs, TIME)
           << (hasTasks ? "," + std::to_string(row.tasksPerHost) : "") << '\n';
    }
}

std::vector<SmpStudyRow>
SmpStudyRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns(), {TASKS});
    std::vector<SmpStudyRow> rows(file.GetNRows());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        auto& row = rows[i];
        row.algorithm = file.Get(i, "algorithm");
        row.switches = file.GetWhole(i, "switches");
        row.hosts = file.GetWhole(i, "hosts");
        row.bytes = file.GetWhole(i, "bytes");
        row.steps = file.GetWhole(i, "steps");
        row.timeUs = file.GetNumber(i, "time_us");
        row.tasksPerHost = file.Has(TASKS) ? file.GetWhole(i, TASKS) : 1;
    }
    return rows;
}

} // namespace ns3
