/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "barrier-study-run.h"

#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/sample-summary.h"
#include "ns3/simulator.h"

#include <algorithm>
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

/// Puts ns-3's seed and run number back to what they were.
class SeedKeeper
{
  public:
    ~SeedKeeper()
    {
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

  private:
    uint32_t m_seed{RngSeedManager::GetSeed()}; ///< the seed
    uint64_t m_run{RngSeedManager::GetRun()};   ///< the run number
};

/// Destroys the simulator before and after.
struct OwnSimulation
{
    OwnSimulation()
    {
        Simulator::Destroy();
    }

    ~OwnSimulation()
    {
        Simulator::Destroy();
    }
};

} // namespace

/// What all runs found for a row.
struct BarrierStudy::Cell
{
    SampleSummary latencyUs;   ///< since all came until the last one left, us
    SampleSummary modelUs;     ///< closed form, us
    SampleSummary messageHops; ///< links crossed by messages
    SampleSummary flitHops;    ///< links crossed by flits
    SampleSummary height;      ///< height of the barrier tree
    SampleSummary edges;       ///< edges of the barrier tree

    /// Adds what a run found. @param sample that
    void Add(const BarrierStudyRun::Sample& sample)
    {
        latencyUs.Add(sample.latencyUs);
        modelUs.Add(sample.modelUs);
        messageHops.Add(static_cast<double>(sample.messageHops));
        flitHops.Add(static_cast<double>(sample.flitHops));
        height.Add(sample.height);
        edges.Add(sample.edges);
    }

    /// Fills in a row. @param row the row
    void Fill(BarrierStudyRow& row) const
    {
        row.latencyUsMean = latencyUs.GetMean();
        row.latencyUsCi95 = latencyUs.GetHalfWidth95();
        row.latencyUsModel = modelUs.GetMean();
        row.messageHopsMean = messageHops.GetMean();
        row.flitHopsMean = flitHops.GetMean();
        row.heightMean = height.GetMean();
        row.edgesMean = edges.GetMean();
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
    const auto nRuns = m_parameters.runs * static_cast<uint32_t>(m_parameters.fabrics.size());
    uint32_t done = 0;
    std::vector<BarrierStudyRow> rows;
    for (const auto& fabric : m_parameters.fabrics)
    {
        auto fabricRows = MakeRows(fabric);
        std::vector<Cell> cells(fabricRows.size());
        for (uint32_t run = 0; run < m_parameters.runs; ++run)
        {
            RngSeedManager::SetRun(run + 1);
            DoRun(fabric, fabricRows, cells);
            if (progress)
            {
                progress(++done, nRuns);
            }
        }
        for (std::size_t i = 0; i < fabricRows.size(); ++i)
        {
            cells[i].Fill(fabricRows[i]);
        }
        rows.insert(rows.end(), fabricRows.begin(), fabricRows.end());
    }
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
    std::vector<BarrierStudyRow> rows;
    for (const auto& scheme : m_parameters.schemes)
    {
        for (const auto& reduction : m_parameters.ReductionsOf(scheme))
        {
            for (const auto size : m_parameters.SizesFor(fabric))
            {
                row.scheme = scheme;
                row.reduction = reduction;
                row.groupSize = size;
                rows.push_back(row);
            }
        }
    }
    return rows;
}

void
BarrierStudy::DoRun(const BarrierStudyParameters::Fabric& fabric,
                    std::vector<BarrierStudyRow>& rows,
                    std::vector<Cell>& cells) const
{
    const OwnSimulation ownSimulation;
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
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            if (rows[i].groupSize == size)
            {
                const auto& sample = samples.at({rows[i].scheme, rows[i].reduction});
                cells[i].Add(sample);
                rows[i].rootSwitch = m_parameters.runs > 1 ? "" : sample.rootSwitch;
                rows[i].rootHost = m_parameters.runs > 1 ? "" : sample.rootHost;
            }
        }
    }
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
    hosts.resize(graph.GetNHosts());
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
