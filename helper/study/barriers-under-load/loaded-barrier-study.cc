/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-barrier-study.h"

#include "ns3/channel-bound.h"
#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/job-placement.h"
#include "ns3/own-simulation.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/sample-summary.h"
#include "ns3/study-sweep.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr double US = 1e-6; ///< s

/// Streams of random numbers: the group's, and the first of the traffic's three.
constexpr int64_t GROUP_STREAM = 0;
constexpr int64_t TRAFFIC_STREAM = 1; //!< see GROUP_STREAM

/// Notes latencies. @param durations of rounds @param row where to
void
Summarize(const std::vector<Time>& durations, LoadedBarrierRow& row)
{
    SampleSummary summary;
    for (const auto& duration : durations)
    {
        summary.Add(duration.GetSeconds() / US);
    }
    row.rounds = static_cast<uint32_t>(durations.size());
    row.latencyUsMean = summary.GetMean();
    row.latencyUsCi95 = summary.GetHalfWidth95();
    row.latencyUsMedian = summary.GetMedian();
    row.latencyUs99 = summary.GetPercentile99();
}

} // namespace

const std::vector<double> LoadedBarrierStudy::PARTS{0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9};

LoadedBarrierStudy::LoadedBarrierStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    auto& p = m_parameters;
    if (p.algorithms.empty() || p.rounds == 0 || !p.topology)
    {
        throw WormholeError("study of barriers under load without barriers, rounds or a fabric: "
                            "accepted is one of each at least");
    }
    const auto hosts = p.topology->graph.GetNFirstInterfaces();
    p.members = p.members == 0 ? hosts : p.members;
    if (p.members > hosts)
    {
        throw WormholeError(std::to_string(p.members) + " members; accepted are 1 to " +
                            std::to_string(hosts) + ", the number of the fabric's hosts");
    }
    for (const auto& algorithm : p.algorithms)
    {
        CollectiveHelper::MakeBarrier(algorithm);
    }
    WormLength::Parse(p.traffic.flits);
}

std::vector<double>
LoadedBarrierStudy::GetLoads() const
{
    const auto& p = m_parameters;
    auto loads = p.loads;
    if (loads.empty())
    {
        const auto& graph = p.topology->graph;
        WormholeTrafficHelper helper;
        helper.SetPattern(p.traffic.pattern);
        const auto bound = ChannelBound::Compute(graph,
                                                 *p.topology->router,
                                                 *helper.MakePattern(graph, TRAFFIC_STREAM));
        for (const auto part : PARTS)
        {
            loads.push_back(part * bound);
        }
    }
    std::sort(loads.begin(), loads.end());
    loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
    return loads;
}

std::vector<LoadedBarrierRow>
LoadedBarrierStudy::Run(uint32_t jobs, const Progress& progress) const
{
    const auto& p = m_parameters;
    const SeedKeeper seedKeeper;
    RngSeedManager::SetSeed(p.seed);
    RngSeedManager::SetRun(1);
    auto loads = GetLoads();
    loads.insert(loads.begin(), 0);
    LoadedBarrierRow common;
    common.members = p.members;
    common.pattern = p.traffic.pattern;
    common.flits = p.traffic.flits;
    common.explained = p.isExplained ? "yes" : "";
    return StudySweep(common)
        .Over(&LoadedBarrierRow::algorithm, p.algorithms)
        .Over(&LoadedBarrierRow::load, loads)
        .Measure([this](const auto& row) { return Measure(row); }, jobs, progress);
}

LoadedBarrierRow
LoadedBarrierStudy::Measure(const LoadedBarrierRow& row) const
{
    if (m_parameters.isExplained && row.load > 0)
    {
        // Recorded is each worm that waits: of a load that the fabric does not take, too many.
        auto plain = Measure(row, false);
        if (plain.state != "steady")
        {
            return plain;
        }
    }
    return Measure(row, m_parameters.isExplained);
}

LoadedBarrierRow
LoadedBarrierStudy::Measure(LoadedBarrierRow row, bool isExplained) const
{
    const auto& p = m_parameters;
    const OwnSimulation ownSimulation;
    const auto& graph = p.topology->graph;
    JobPlacement placement(graph, {"random", p.members, 0});
    placement.AssignStreams(GROUP_STREAM);
    const auto hosts = placement.Draw();
    auto fabrics = p.fabrics;
    fabrics.SetRouter(p.topology->router);
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", TimeValue(p.startUp));
    helper.SetSoftwareAttribute("ReceiveOverhead", TimeValue(p.receive));
    helper.SetSoftwareAttribute("PollTime", TimeValue(p.poll));
    const auto fabric = fabrics.Install(graph);
    auto domain = helper.Install(fabric, graph);
    auto barrier = CollectiveHelper::MakeBarrier(row.algorithm);
    row.state = "steady";
    if (row.load == 0)
    {
        CollectiveBench bench(barrier, domain, hosts);
        if (isExplained)
        {
            bench.Record();
        }
        Summarize({bench.Cross({}, {})}, row);
        if (isExplained)
        {
            row.Add(bench.GetReport(), 1);
        }
        return row;
    }
    auto traffic = p.traffic;
    traffic.load = row.load;
    traffic.stream = TRAFFIC_STREAM;
    try
    {
        LoadedBench bench(barrier, domain, hosts, traffic);
        if (isExplained)
        {
            bench.Record();
        }
        Summarize(bench.Cross(p.rounds), row);
        if (isExplained)
        {
            row.AddRounds(bench, p.rounds);
        }
        return row;
    }
    catch (const LoadedBench::Overload&)
    {
        row.state = "saturated";
    }
    catch (const WormholeError&)
    {
        if (fabric->ExplainDeadlock().empty())
        {
            throw;
        }
        row.state = "deadlock";
    }
    constexpr auto NONE = std::numeric_limits<double>::quiet_NaN();
    row.Set(NONE);
    row.latencyUsMean = row.latencyUsCi95 = row.latencyUsMedian = row.latencyUs99 = NONE;
    return row;
}

} // namespace ns3
