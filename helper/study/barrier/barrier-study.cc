/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/own-simulation.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sample-summary.h"
#include "ns3/traffic-columns.h"
#include "ns3/worker-pool.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ns3
{

namespace
{

/// Streams of random numbers.
enum Stream
{
    FABRIC, ///< draws the fabric
    MEMBERS ///< draws the order of its hosts
};

} // namespace

/// What all runs found for a row.
struct BarrierStudy::Cell
{
    /// Columns that are means over runs.
    static constexpr std::array<double BarrierStudyRow::*, 20> MEANS{
        &BarrierStudyRow::latencyUsMean,    &BarrierStudyRow::latencyUsModel,
        &BarrierStudyRow::messageHopsMean,  &BarrierStudyRow::flitHopsMean,
        &BarrierStudyRow::heightMean,       &BarrierStudyRow::edgesMean,
        &BarrierStudyRow::leavesMean,       &BarrierStudyRow::deepestMean,
        &BarrierStudyRow::otherRootMean,    &BarrierStudyRow::startUpsMean,
        &BarrierStudyRow::rootMessagesMean, &BarrierStudyRow::messageBytesMean,
        &BarrierStudyRow::setupUsMean,      &BarrierStudyRow::hostUsMean,
        &BarrierStudyRow::interfaceUsMean,  &BarrierStudyRow::wireUsMean,
        &BarrierStudyRow::switchUsMean,     &BarrierStudyRow::waitingUsMean,
        &BarrierStudyRow::elsewhereUsMean,  &BarrierStudyRow::trafficUsMean,
    };

    std::array<SampleSummary, MEANS.size()> columns; ///< what runs found, in the order of MEANS
    SampleSummary rounds; ///< latencies of all runs' rounds beside traffic, us

    /// Adds what a run found. @param row that
    void Add(const BarrierStudyRow& row)
    {
        for (std::size_t i = 0; i < MEANS.size(); ++i)
        {
            columns[i].Add(row.*MEANS[i]);
        }
        for (const auto latency : row.roundsUs)
        {
            rounds.Add(latency);
        }
    }

    /// Fills in a row. @param row the row
    void Fill(BarrierStudyRow& row) const
    {
        for (std::size_t i = 0; i < MEANS.size(); ++i)
        {
            row.*MEANS[i] = columns[i].GetMean();
        }
        row.latencyUsCi95 = columns.front().GetHalfWidth95();
        row.latencyUs99 = rounds.GetPercentile99();
    }
};

BarrierStudy::BarrierStudy(const BarrierStudyParameters& parameters)
    : m_parameters(parameters)
{
    m_parameters.Check();
}

std::vector<BarrierStudyRow>
BarrierStudy::Run(const Progress& progress) const
{
    const SeedKeeper seedKeeper;
    RngSeedManager::SetSeed(m_parameters.seed);
    const auto runs = m_parameters.runs;
    const auto pieces = runs * static_cast<uint32_t>(m_parameters.fabrics.size());
    std::vector<BarrierStudyRow> rows;
    std::vector<BarrierStudyRow> fabricRows;
    std::vector<Cell> cells;
    const auto work = [&](uint32_t piece) {
        RngSeedManager::SetRun(piece % runs + 1);
        return BarrierStudyRow::GetTable().Pack(DoRun(m_parameters.fabrics[piece / runs]));
    };
    const auto take = [&](uint32_t piece, const std::string& found) {
        fabricRows = BarrierStudyRow::GetTable().Unpack(found);
        cells.resize(fabricRows.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            cells[i].Add(fabricRows[i]);
        }
        if (piece % runs + 1 == runs)
        {
            for (std::size_t i = 0; i < cells.size(); ++i)
            {
                cells[i].Fill(fabricRows[i]);
            }
            rows.insert(rows.end(), fabricRows.begin(), fabricRows.end());
            cells.clear();
        }
        if (progress)
        {
            progress(piece + 1, pieces);
        }
    };
    WorkerPool(m_parameters.jobs).Run(pieces, work, take);
    return rows;
}

std::vector<BarrierStudyRow>
BarrierStudy::MakeRows(const BarrierStudyParameters::Fabric& fabric) const
{
    const auto graph = fabric.WithoutCables();
    BarrierStudyRow row;
    row.switches = graph.GetNSwitches();
    row.hosts = graph.GetNHosts();
    row.connectivity = fabric.GetConnectivity();
    row.law = fabric.given ? "file" : IrregularTopologyHelper::NameOf(fabric.drawn.law);
    row.runs = m_parameters.runs;
    row.leaves = m_parameters.leaves == "all" ? "" : m_parameters.leaves;
    row.explained = m_parameters.isExplained ? "yes" : "";
    TrafficColumns<BarrierStudyRow>::Fill(m_parameters.traffic, row);
    std::vector<BarrierStudyRow> rows;
    for (const auto& scheme : m_parameters.schemes)
    {
        for (const auto& reduction : m_parameters.ReductionsOf(scheme))
        {
            for (const auto& timing : m_parameters.TimingsOf(scheme, reduction))
            {
                for (const auto size : m_parameters.SizesFor(fabric))
                {
                    row.scheme = scheme;
                    row.reduction = reduction;
                    row.btinTiming = timing;
                    row.groupSize = size;
                    rows.push_back(row);
                }
            }
        }
    }
    return rows;
}

std::vector<BarrierStudyRow>
BarrierStudy::DoRun(const BarrierStudyParameters::Fabric& fabric) const
{
    const OwnSimulation ownSimulation;
    auto rows = MakeRows(fabric);
    auto graph = fabric.WithoutCables();
    if (!fabric.given)
    {
        IrregularTopologyHelper topology(fabric.drawn);
        topology.AssignStreams(FABRIC);
        graph = topology.Create();
    }
    const auto order = OrderMembers(graph);
    BarrierStudyRun run(graph, m_parameters);
    for (const auto size : m_parameters.SizesFor(fabric))
    {
        const auto samples = run.Measure({order.begin(), order.begin() + size});
        for (auto& row : rows)
        {
            if (row.groupSize == size)
            {
                const auto& sample = samples.at({row.scheme, row.reduction, row.btinTiming});
                const auto explained = row.explained;
                static_cast<BarrierFindings&>(row) = sample;
                row.explained = explained;
                row.rootSwitch = m_parameters.runs > 1 ? "" : sample.rootSwitch;
                row.rootHost = m_parameters.runs > 1 ? "" : sample.rootHost;
            }
        }
    }
    return rows;
}

std::vector<uint32_t>
BarrierStudy::OrderMembers(const FabricGraph& graph) const
{
    std::vector<uint32_t> hosts;
    for (const auto& name : m_parameters.members)
    {
        hosts.push_back(graph.Find(name) - graph.GetNSwitches());
    }
    if (!hosts.empty())
    {
        return hosts;
    }
    hosts.resize(graph.GetNFirstInterfaces());
    std::iota(hosts.begin(), hosts.end(), 0);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(MEMBERS);
    for (uint32_t i = 0; i + 1 < hosts.size(); ++i)
    {
        const auto last = static_cast<uint32_t>(hosts.size()) - 1;
        std::swap(hosts[i], hosts[random->GetInteger(i, last)]);
    }
    return hosts;
}

} // namespace ns3
