/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-study-row.h"

#include "ns3/csv-file.h"

namespace ns3
{

const std::vector<std::string>&
TreeStudyRow::GetColumns()
{
    static const std::vector<std::string> columns{"tree",
                                                  "network",
                                                  "s_us",
                                                  "r_us",
                                                  "processes",
                                                  "finish_us_model",
                                                  "finish_us_simulated"};
    return columns;
}

void
TreeStudyRow::Write(std::ostream& os, const std::vector<TreeStudyRow>& rows)
{
    constexpr int TIME = 3; // ns where the unit is us
    CsvFile::WriteHeader(os, GetColumns());
    for (const auto& row : rows)
    {
        os << row.tree << ',' << row.network << ',' << CsvFile::Fixed(row.sUs, TIME) << ','
           << CsvFile::Fixed(row.rUs, TIME) << ',' << row.processes << ','
           << CsvFile::Fixed(row.finishUsModel, TIME) << ','
           << CsvFile::Fixed(row.finishUsSimulated, TIME) << '\n';
    }
}

std::vector<TreeStudyRow>
TreeStudyRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<TreeStudyRow> rows(file.GetNRows());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        auto& row = rows[i];
        row.tree = file.Get(i, "tree");
        row.network = file.Get(i, "network");
        if (row.network != "ideal" && row.network != "fabric")
        {
            file.Refuse(i, "network", "ideal or fabric");
        }
        row.sUs = file.GetNumber(i, "s_us");
        row.rUs = file.GetNumber(i, "r_us");
        row.processes = file.GetWhole(i, "processes");
        row.finishUsModel = file.GetNumber(i, "finish_us_model");
        row.finishUsSimulated = file.GetNumber(i, "finish_us_simulated");
    }
    return rows;
}

} // namespace ns3
