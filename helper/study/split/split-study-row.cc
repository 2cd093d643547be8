/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-study-row.h"

#include "ns3/csv-table.h"
#include "ns3/host-software.h"
#include "ns3/traffic-columns.h"

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<SplitStudyRow>&
GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = TrafficColumns<SplitStudyRow>::AddTo(
        CsvTable<SplitStudyRow>()
            .AddText("algorithm", &SplitStudyRow::algorithm)
            .AddWord("progress", &SplitStudyRow::progress, HostSoftware::GetProgressNames())
            .AddWhole("members", &SplitStudyRow::members)
            .AddWhole("pieces", &SplitStudyRow::pieces)
            .AddWhole("imbalance_percent", &SplitStudyRow::imbalancePercent)
            .AddNumber("compute_us", &SplitStudyRow::computeUs, TIME)
            .AddNumber("barrier_us", &SplitStudyRow::barrierUs, TIME)
            .AddNumber("blocking_us", &SplitStudyRow::blockingUs, TIME)
            .AddNumber("split_us", &SplitStudyRow::splitUs, TIME)
            .AddNumber("saved_percent", &SplitStudyRow::savedPercent, 1),
        {{"barrier_us_p99", &SplitStudyRow::barrierUs99},
         {"blocking_us_p99", &SplitStudyRow::blockingUs99},
         {"split_us_p99", &SplitStudyRow::splitUs99}});
    return table;
}

} // namespace

void
SplitStudyRow::Write(std::ostream& os, const std::vector<SplitStudyRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<SplitStudyRow>
SplitStudyRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

} // namespace ns3
