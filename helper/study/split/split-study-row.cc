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

const CsvTable<SplitStudyRow>&
SplitStudyRow::GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = TrafficColumns<SplitStudyRow>::AddTo(
        CsvTable<SplitStudyRow>()
            .AddText({"algorithm", "", "The barrier"}, &SplitStudyRow::algorithm)
            .AddWord({"progress", "", "HostSoftware's Progress"},
                     &SplitStudyRow::progress,
                     HostSoftware::GetProgressNames())
            .AddWhole({"members", "", "Number of members"}, &SplitStudyRow::members)
            .AddWhole({"pieces", "", "Computations between entering and waiting"},
                      &SplitStudyRow::pieces)
            .AddWhole({"imbalance_percent",
                       "percent",
                       "By how much computing is longer or shorter at most"},
                      &SplitStudyRow::imbalancePercent)
            .AddNumber({"compute_us", "us", "Mean time to compute in a step"},
                       &SplitStudyRow::computeUs,
                       TIME)
            .AddNumber({"barrier_us", "us", "Time of a step that does not compute"},
                       &SplitStudyRow::barrierUs,
                       TIME)
            .AddNumber({"blocking_us", "us", "Time of a step that computes, enters and waits"},
                       &SplitStudyRow::blockingUs,
                       TIME)
            .AddNumber({"split_us", "us", "Time of a step that enters, computes and waits"},
                       &SplitStudyRow::splitUs,
                       TIME)
            .AddNumber({"saved_percent", "percent", "What the latter saves, parts of barrierUs"},
                       &SplitStudyRow::savedPercent,
                       1),
        {{"barrier_us_p99", &SplitStudyRow::barrierUs99},
         {"blocking_us_p99", &SplitStudyRow::blockingUs99},
         {"split_us_p99", &SplitStudyRow::splitUs99}});
    return table;
}

} // namespace ns3
