/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-study-row.h"

#include "ns3/csv-table.h"
#include "ns3/traffic-columns.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<TreeStudyRow>&
GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = TrafficColumns<TreeStudyRow>::AddTo(
        CsvTable<TreeStudyRow>()
            .AddText("tree", &TreeStudyRow::tree)
            .AddWord("network", &TreeStudyRow::network, {"ideal", "fabric"})
            .AddNumber("s_us", &TreeStudyRow::sUs, TIME)
            .AddNumber("r_us", &TreeStudyRow::rUs, TIME)
            .AddWhole("processes", &TreeStudyRow::processes)
            .AddNumber("finish_us_model", &TreeStudyRow::finishUsModel, TIME)
            .AddNumber("finish_us_simulated", &TreeStudyRow::finishUsSimulated, TIME)
            .AddNumber("c_us", &TreeStudyRow::cUs, TIME)
            .AddText("levels", &TreeStudyRow::levels)
            .AddNumber("bound_us_model", &TreeStudyRow::boundUsModel, TIME),
        {{"finish_us_p99", &TreeStudyRow::finishUs99}});
    return table;
}

} // namespace

void
TreeStudyRow::Write(std::ostream& os, const std::vector<TreeStudyRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<TreeStudyRow>
TreeStudyRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

} // namespace ns3
