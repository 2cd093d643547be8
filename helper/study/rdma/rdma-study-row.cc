/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-study-row.h"

#include "ns3/csv-table.h"
#include "ns3/traffic-columns.h"

namespace ns3
{

const std::vector<std::string>&
RdmaStudyRow::GetTransports()
{
    static const std::vector<std::string> transports{"rdma", "send-receive"};
    return transports;
}

const std::vector<std::string>&
RdmaStudyRow::GetWithinHost()
{
    static const std::vector<std::string> words{"flags", "memory", "interface"};
    return words;
}

namespace
{

/// @return the columns
const CsvTable<RdmaStudyRow>&
GetTable()
{
    constexpr int TIME = 3; // ns where the unit is us
    static const auto table = TrafficColumns<RdmaStudyRow>::AddTo(
        CsvTable<RdmaStudyRow>()
            .AddWord("transport", &RdmaStudyRow::transport, RdmaStudyRow::GetTransports())
            .AddWhole("nodes", &RdmaStudyRow::nodes)
            .AddWhole("tasks_per_node", &RdmaStudyRow::tasksPerNode)
            .AddWhole("steps", &RdmaStudyRow::steps)
            .AddNumber("latency_us_mean", &RdmaStudyRow::latencyUsMean, TIME)
            .AddWord("within_host", &RdmaStudyRow::withinHost, RdmaStudyRow::GetWithinHost())
            .AddWhole("interface_percent", &RdmaStudyRow::interfacePercent)
            .AddNumber("set_up_us", &RdmaStudyRow::setUpUs, TIME),
        {{"latency_us_p99", &RdmaStudyRow::latencyUs99}});
    return table;
}

} // namespace

void
RdmaStudyRow::Write(std::ostream& os, const std::vector<RdmaStudyRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<RdmaStudyRow>
RdmaStudyRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

} // namespace ns3
