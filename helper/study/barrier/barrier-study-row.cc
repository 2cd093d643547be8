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

const CsvTable<BarrierStudyRow>&
BarrierStudyRow::GetTable()
{
    constexpr int RATIO = 4;
    constexpr int MEAN = 3; // ns where the unit is us
    const auto isDeepest = [](const BarrierStudyRow& row) { return !row.leaves.empty(); };
    static const auto others =
        CsvTable<BarrierStudyRow>()
            .AddText(
                {"scheme", "", "Scheme: btin, multicast, unicast or the name of another barrier"},
                &BarrierStudyRow::scheme)
            .AddText({"reduction", "", "Reduction: in-switch, simulated, ideal or paper-inferred"},
                     &BarrierStudyRow::reduction)
            .AddText(
                {"btin_timing", "", "Timing: flits, as all other messages, or paper, btin without"},
                &BarrierStudyRow::btinTiming)
            .AddWhole({"switches", "", "Number of switches"}, &BarrierStudyRow::switches)
            .AddWhole({"hosts", "", "Number of hosts"}, &BarrierStudyRow::hosts)
            .AddNumber({"connectivity", "", "Ratio of ports in use"},
                       &BarrierStudyRow::connectivity,
                       RATIO)
            .AddText({"law", "", "How cables were drawn; file: they were given"},
                     &BarrierStudyRow::law)
            .AddWhole({"group_size", "", "Number of members"}, &BarrierStudyRow::groupSize)
            .AddWhole({"runs", "", "Number of runs"}, &BarrierStudyRow::runs)
            .AddNumber({"latency_us_mean", "us", "Since all came until the last one left"},
                       &BarrierStudyRow::latencyUsMean,
                       MEAN)
            .AddNumber({"latency_us_ci95",
                        "us",
                        "Half width of the mean's 95 % interval; NaN for one run"},
                       &BarrierStudyRow::latencyUsCi95,
                       MEAN)
            .AddNumber({"latency_us_model", "us", "Mean of the closed form; NaN: there is none"},
                       &BarrierStudyRow::latencyUsModel,
                       MEAN)
            .AddNumber({"message_hops_mean", "", "Links crossed by messages in one barrier"},
                       &BarrierStudyRow::messageHopsMean,
                       MEAN)
            .AddNumber({"flit_hops_mean", "", "Links crossed by flits in one barrier"},
                       &BarrierStudyRow::flitHopsMean,
                       MEAN)
            .AddNumber({"height_mean", "", "Height of the barrier tree, h; 0: the scheme has none"},
                       &BarrierStudyRow::heightMean,
                       MEAN)
            .AddNumber({"edges_mean", "", "Edges of the barrier tree, E; 0: the scheme has none"},
                       &BarrierStudyRow::edgesMean,
                       MEAN)
            .AddNumber({"start_ups_mean",
                        "",
                        "Messages that hosts send in one barrier, each for a start-up"},
                       &BarrierStudyRow::startUpsMean,
                       MEAN)
            .AddNumber({"root_messages_mean",
                        "",
                        "Messages that the root's host sends or takes in one barrier"},
                       &BarrierStudyRow::rootMessagesMean,
                       MEAN)
            .AddNumber({"message_bytes_mean",
                        "",
                        "Length of the longest message, addresses included, bytes"},
                       &BarrierStudyRow::messageBytesMean,
                       MEAN)
            .AddNumber({"setup_us_mean", "us", "Until the group is ready"},
                       &BarrierStudyRow::setupUsMean,
                       MEAN)
            .AddText(
                {"root_switch", "", "Root switch of the barrier tree; empty with several runs"},
                &BarrierStudyRow::rootSwitch)
            .AddText({"root_host", "", "Root host of the barrier tree; empty with several runs"},
                     &BarrierStudyRow::rootHost)
            .AddText({"leaves", "", "Which leaves count: deepest; empty: all"},
                     &BarrierStudyRow::leaves)
            .SetOptional(isDeepest)
            .AddNumber({"leaves_mean", "", "Leaves of the barrier tree"},
                       &BarrierStudyRow::leavesMean,
                       MEAN)
            .SetOptional(isDeepest)
            .AddNumber({"deepest_leaves_mean", "", "Those among them at depth h"},
                       &BarrierStudyRow::deepestMean,
                       MEAN)
            .SetOptional(isDeepest)
            .AddNumber({"other_root_mean",
                        "",
                        "Part of the groups whose root would be another if all counted"},
                       &BarrierStudyRow::otherRootMean,
                       MEAN)
            .SetOptional(isDeepest);
    static const auto table = TrafficColumns<BarrierStudyRow>::AddTo(
        PartsColumns<BarrierStudyRow>::AddTo(others)
            .AddText(
                {"rounds_us", "us", "Latencies of rounds beside traffic, as bytes; not written"},
                &BarrierStudyRow::roundsUs)
            .SetOptional([](const BarrierStudyRow&) { return false; }),
        {{"latency_us_p99", &BarrierStudyRow::latencyUs99}});
    return table;
}

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

} // namespace ns3
