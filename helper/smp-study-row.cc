/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-study-row.h"

#include "csv-file.h"

namespace ns3
{

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
    CsvFile::WriteHeader(os, GetColumns());
    for (const auto& row : rows)
    {
        os << CsvFile::Quote(row.algorithm) << ',' << row.switches << ',' << row.hosts << ','
           << row.bytes << ',' << row.steps << ',' << CsvFile::Fixed(row.timeUs, TIME) << '\n';
    }
}

std::vector<SmpStudyRow>
SmpStudyRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
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
    }
    return rows;
}

} // namespace ns3
