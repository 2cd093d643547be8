/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-study-row.h"

#include "ns3/csv-file.h"

#include <algorithm>

namespace ns3
{

const std::vector<std::string>&
RdmaStudyRow::GetTransports()
{
    static const std::vector<std::string> transports{"rdma", "send-receive"};
    return transports;
}

const std::vector<std::string>&
RdmaStudyRow::GetColumns()
{
    static const std::vector<std::string> columns{"transport",
                                                  "nodes",
                                                  "tasks_per_node",
                                                  "steps",
                                                  "latency_us_mean"};
    return columns;
}

void
RdmaStudyRow::Write(std::ostream& os, const std::vector<RdmaStudyRow>& rows)
{
    constexpr int TIME = 3; // ns where the unit is us
    CsvFile::WriteHeader(os, GetColumns());
    for (const auto& row : rows)
    {
        os << row.transport << ',' << row.nodes << ',' << row.tasksPerNode << ',' << row.steps
           << ',' << CsvFile::Fixed(row.latencyUsMean, TIME) << '\n';
    }
}

std::vector<RdmaStudyRow>
RdmaStudyRow::Read(const std::string& path)
{
    const CsvFile file(path, GetColumns());
    const auto& transports = GetTransports();
    std::vector<RdmaStudyRow> rows(file.GetNRows());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        auto& row = rows[i];
        row.transport = file.Get(i, "transport");
        if (std::find(transports.begin(), transports.end(), row.transport) == transports.end())
        {
            file.Refuse(i, "transport", "rdma or send-receive");
        }
        row.nodes = file.GetWhole(i, "nodes");
        row.tasksPerNode = file.GetWhole(i, "tasks_per_node");
        row.steps = file.GetWhole(i, "steps");
        row.latencyUsMean = file.GetNumber(i, "latency_us_mean");
    }
    return rows;
}

} // namespace ns3
