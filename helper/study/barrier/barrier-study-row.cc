/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study-row.h"

#include "ns3/csv-table.h"
#include "ns3/traffic-columns.h"

#include <cstring>

namespace ns3
{

namespace
{

/// @return the columns
const CsvTable<BarrierStudyRow>&
GetTable()
{
    constexpr int RATIO = 4;
    constexpr int MEAN = 3; // ns where the unit is us
    const auto isDeepest = [](const BarrierStudyRow& row) { return !row.leaves.empty(); };
    static const auto others =
        CsvTable<BarrierStudyRow>()
            .AddText("scheme", &BarrierStudyRow::scheme)
            .AddText("reduction", &BarrierStudyRow::reduction)
            .AddText("btin_timing", &BarrierStudyRow::btinTiming)
            .AddWhole("switches", &BarrierStudyRow::switches)
            .AddWhole("hosts", &BarrierStudyRow::hosts)
            .AddNumber("connectivity", &BarrierStudyRow::connectivity, RATIO)
            .AddText("law", &BarrierStudyRow::law)
            .AddWhole("group_size", &BarrierStudyRow::groupSize)
            .AddWhole("runs", &BarrierStudyRow::runs)
            .AddNumber("latency_us_mean", &BarrierStudyRow::latencyUsMean, MEAN)
            .AddNumber("latency_us_ci95", &BarrierStudyRow::latencyUsCi95, MEAN)
            .AddNumber("latency_us_model", &BarrierStudyRow::latencyUsModel, MEAN)
            .AddNumber("message_hops_mean", &BarrierStudyRow::messageHopsMean, MEAN)
            .AddNumber("flit_hops_mean", &BarrierStudyRow::flitHopsMean, MEAN)
            .AddNumber("height_mean", &BarrierStudyRow::heightMean, MEAN)
            .AddNumber("edges_mean", &BarrierStudyRow::edgesMean, MEAN)
            .AddNumber("start_ups_mean", &BarrierStudyRow::startUpsMean, MEAN)
            .AddNumber("root_messages_mean", &BarrierStudyRow::rootMessagesMean, MEAN)
            .AddNumber("message_bytes_mean", &BarrierStudyRow::messageBytesMean, MEAN)
            .AddNumber("setup_us_mean", &BarrierStudyRow::setupUsMean, MEAN)
            .AddText("root_switch", &BarrierStudyRow::rootSwitch)
            .AddText("root_host", &BarrierStudyRow::rootHost)
            .AddText("leaves", &BarrierStudyRow::leaves)
            .SetOptional(isDeepest)
            .AddNumber("leaves_mean", &BarrierStudyRow::leavesMean, MEAN)
            .SetOptional(isDeepest)
            .AddNumber("deepest_leaves_mean", &BarrierStudyRow::deepestMean, MEAN)
            .SetOptional(isDeepest)
            .AddNumber("other_root_mean", &BarrierStudyRow::otherRootMean, MEAN)
            .SetOptional(isDeepest);
    static const auto table = TrafficColumns<BarrierStudyRow>::AddTo(
        PartsColumns<BarrierStudyRow>::AddTo(others)
            .AddText("rounds_us", &BarrierStudyRow::roundsUs)
            .SetOptional([](const BarrierStudyRow&) { return false; }),
        {{"latency_us_p99", &BarrierStudyRow::latencyUs99}});
    return table;
}

} // namespace

void
BarrierStudyRow::SetRounds(const std::vector<double>& latencies)
{
    roundsUs.assign(reinterpret_cast<const char*>(latencies.data()),
                    latencies.size() * sizeof(double));
}

std::vector<double>
BarrierStudyRow::GetRounds() const
{
    std::vector<double> latencies(roundsUs.size() / sizeof(double));
    if (!latencies.empty()) // memcpy wants a place even for nothing
    {
        std::memcpy(latencies.data(), roundsUs.data(), roundsUs.size());
    }
    return latencies;
}

void
BarrierStudyRow::Write(std::ostream& os, const std::vector<BarrierStudyRow>& rows)
{
    GetTable().Write(os, rows);
}

std::vector<BarrierStudyRow>
BarrierStudyRow::Read(const std::string& path)
{
    return GetTable().Read(path);
}

std::string
BarrierStudyRow::Pack(const std::vector<BarrierStudyRow>& rows)
{
    return GetTable().Pack(rows);
}

std::vector<BarrierStudyRow>
BarrierStudyRow::Unpack(const std::string& bytes)
{
    return GetTable().Unpack(bytes);
}

} // namespace ns3
