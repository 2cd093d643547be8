/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-study-row.h"

#include "ns3/csv-table.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

const CsvTable<SyncStudyRow>&
SyncStudyRow::GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    const auto getDecimals = [](const SyncStudyRow& row) { return row.unit == "dollars" ? 0 : 3; };
    static const auto table =
        CsvTable<SyncStudyRow>()
            .AddText({"table", "", "Table: 1, 3 to 7, uniprocessor or speedups"},
                     &SyncStudyRow::table)
            .AddText({"row", "", "Operation or application"}, &SyncStudyRow::row)
            .AddWord({"hardware", "", "Hardware: none, hw-1, hw-all or in-switch"},
                     &SyncStudyRow::hardware,
                     {"none", "hw-1", "hw-all", "in-switch"})
            .AddNumber({"delay_us", "us", "Delay of messages"}, &SyncStudyRow::delayUs, TIME)
            .AddText({"published", "", "What the paper prints; empty: nothing"},
                     &SyncStudyRow::published)
            .AddNumber({"model", "", "Value by formulas; NaN: there are none"},
                       &SyncStudyRow::model,
                       getDecimals)
            .AddNumber({"simulated", "", "The same, simulated; NaN: it is not"},
                       &SyncStudyRow::simulated,
                       getDecimals)
            .AddText({"unit", "", "Unit of the values: us, dollars, relative or nothing"},
                     &SyncStudyRow::unit)
            .AddText(
                {"use", "", "Of the published value: given, fit or predicted; empty without one"},
                &SyncStudyRow::use);
    return table;
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
