/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study-row.h"

#include "ns3/csv-file.h"

namespace ns3
{

const std::vector<std::string>&
BarrierStudyRow::GetColumns()
{
    static const std::vector<std::string> columns{"scheme",
                                                  "reduction",
                                                  "switches",
                                                  "hosts",
                                                  "connectivity",
                                                  "law",
                                                  "group_size",
                                                  "runs",
                                                  "latency_us_mean",
                                                  "latency_us_ci95",
                                                  "latency_us_model",
                                                  "message_hops_mean",
                                                  "flit_hops_mean",
                                                  "height_mean",
                                                  "edges_mean",
                                                  "root_switch",
                                                  "root_host"};
    return columns;
}

void
BarrierStudyRow::Write(std::ostream& os, const std::vector<BarrierStudyRow>& rows)
{
    constexpr int RATIO = 4;
    constexpr int MEAN = 3; // ns where the unit is us
    CsvFile::WriteHeader(os, GetColumns());
    for (const auto& row : rows)
    {
        os << row.scheme << ',' << row.reduction << ',' << row.switches << ',' << row.hosts << ','
           << CsvFile::Fixed(row.connectivity, RATIO) << ',' << row.law << ',' << row.groupSize
           << ',' << row.runs;
        for (const auto value : {row.latencyUsMean,
                                 row.latencyUsCi95,
                                 row.latencyUsModel,
                                 row.messageHopsMean,
                                 row.flitHopsMean,
                                 row.heightMean,
                                 row.edgesMean})
        {
            os << ',' << CsvFile::Fixed(value, MEAN);
        }
        os << ',' << CsvFile::Quote(row.rootSwitch) << ',' << CsvFile::Quote(row.rootHost) << '\n';
    }
}

std::vector<BarrierStudyRow>
BarrierStudyRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    std::vector<BarrierStudyRow> rows(file.GetNRows());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        auto& row = rows[i];
        row.scheme = file.Get(i, "scheme");
        row.reduction = file.Get(i, "reduction");
        row.switches = file.GetWhole(i, "switches");
        row.hosts = file.GetWhole(i, "hosts");
        row.connectivity = file.GetNumber(i, "connectivity");
        row.law = file.Get(i, "law");
        row.groupSize = file.GetWhole(i, "group_size");
        row.runs = file.GetWhole(i, "runs");
        row.latencyUsMean = file.GetNumber(i, "latency_us_mean");
        row.latencyUsCi95 = file.GetNumber(i, "latency_us_ci95");
        row.latencyUsModel = file.GetNumber(i, "latency_us_model");
        row.messageHopsMean = file.GetNumber(i, "message_hops_mean");
        row.flitHopsMean = file.GetNumber(i, "flit_hops_mean");
        row.heightMean = file.GetNumber(i, "height_mean");
        row.edgesMean = file.GetNumber(i, "edges_mean");
        row.rootSwitch = file.Get(i, "root_switch");
        row.rootHost = file.Get(i, "root_host");
    }
    return rows;
}

} // namespace ns3
