/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-study-row.h"

#include "ns3/csv-file.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

const std::vector<std::string>&
SyncStudyRow::GetColumns()
{
    static const std::vector<std::string> columns{"table",
                                                  "row",
                                                  "hardware",
                                                  "delay_us",
                                                  "published",
                                                  "model",
                                                  "simulated",
                                                  "unit",
                                                  "use"};
    return columns;
}

void
SyncStudyRow::Write(std::ostream& os, const std::vector<SyncStudyRow>& rows)
{
    CsvFile::WriteHeader(os, GetColumns());
    for (const auto& row : rows)
    {
        const int decimals = row.unit == "dollars" ? 0 : 3;
        os << row.table << ',' << CsvFile::Quote(row.row) << ',' << row.hardware << ','
           << CsvFile::Fixed(row.delayUs, 3) << ',' << row.published << ','
           << CsvFile::Fixed(row.model, decimals) << ',' << CsvFile::Fixed(row.simulated, decimals)
           << ',' << row.unit << ',' << row.use << '\n';
    }
}

std::vector<std::string>
SyncStudyRow::Explain(const std::vector<SyncStudyRow>& rows)
{
    // As they are printed, in whole dollars.
    const auto isBelow = [](double price) { return std::isfinite(price) && std::round(price) < 0; };
    std::vector<std::string> lines;
    for (const auto& row : rows)
    {
        if (row.unit == "dollars" && (isBelow(row.model) || isBelow(row.simulated)))
        {
            lines.push_back("a break-even price below 0, such as " +
                            CsvFile::Fixed(std::min(row.model, row.simulated), 0) + " of " +
                            row.row + " with " + row.hardware + " at " +
                            CsvFile::Fixed(row.delayUs, 0) +
                            " us: the application is slower with the hardware than by software, "
                            "which would not pay even if it cost nothing");
            break;
        }
    }
    const auto relative = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
        return row.unit == "relative";
    });
    if (relative != rows.end())
    {
        lines.push_back("speedups of unit relative, such as those of " + relative->row +
                        ": the workload file has no \"speedup\", so they are over the "
                        "application's own run with its reference hardware and no delay; "
                        "uniprocessor leaves such applications out");
    }
    return lines;
}

std::vector<SyncStudyRow>
SyncStudyRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<SyncStudyRow> rows(file.GetNRows());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        auto& row = rows[i];
        row.table = file.Get(i, "table");
        row.row = file.Get(i, "row");
        row.hardware = file.Get(i, "hardware");
        row.delayUs = file.GetNumber(i, "delay_us");
        row.published = file.Get(i, "published");
        row.model = file.GetNumber(i, "model");
        row.simulated = file.GetNumber(i, "simulated");
        row.unit = file.Get(i, "unit");
        row.use = file.Get(i, "use");
    }
    return rows;
}

const std::vector<std::string>&
PublishedSync::GetColumns()
{
    static const std::vector<std::string> columns{"id",
                                                  "table",
                                                  "row",
                                                  "hardware",
                                                  "delay_us",
                                                  "value",
                                                  "unit",
                                                  "use",
                                                  "where",
                                                  "why"};
    return columns;
}

std::vector<PublishedSync>
PublishedSync::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<PublishedSync> figures;
    for (std::size_t i = 0; i < file.GetNRows(); ++i)
    {
        const auto& value = file.Get(i, "value");
        if (value != "never" && value != "always" && !(file.GetNumber(i, "value") > 0))
        {
            file.Refuse(i, "value", "a number above 0, never or always");
        }
        figures.push_back({file.Get(i, "table"),
                           file.Get(i, "row"),
                           file.Get(i, "hardware"),
                           file.GetNumber(i, "delay_us"),
                           value,
                           file.Get(i, "use")});
    }
    return figures;
}

} // namespace ns3
