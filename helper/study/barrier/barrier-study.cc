/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/barrier-model.h"
#include "ns3/collective-bench.h"
#include "ns3/loaded-bench.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/string.h"
#include "ns3/study-fabric.h"
#include "ns3/uinteger.h"
#include "ns3/worker-pool.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace ns3
{

namespace
{

constexpr auto NONE = std::numeric_limits<double>::quiet_NaN(); //!< nothing is known, or explained

/// Rows of btin as all messages are timed.
const BarrierStudyParameters::Case BTIN{"btin", "in-switch", "flits"};

double
Us(Time time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e6;
}

uint64_t
CountStartUps(const CollectiveDomain& domain)
{
    uint64_t count = 0;
    for (uint32_t host = 0; host < domain.GetNHosts(); ++host)
    {
        count += domain.GetSoftware(host)->GetSends();
    }
    return count;
}

/// Does one barrier, and notes what it took; beside traffic, several more, whose latencies count.
void
Cross(CollectiveBench& bench,
      Ptr<Barrier> barrier,
      const BarrierStudyParameters& parameters,
      BarrierStudyRun::Sample& sample)
{
    if (parameters.isExplained)
    {
        bench.Record();
    }
    const auto& domain = barrier->GetDomain();
    const auto root = domain.GetSoftware(barrier->GetHost(barrier->GetRoot()));
    const auto startUps = CountStartUps(domain);
    const auto rootMessages = root->GetSends() + root->GetReceives();
    const auto latency = bench.Cross({}, {});
    sample.latencyUsMean = Us(latency);
    if (parameters.isExplained)
    {
        sample.Set(0);
        sample.Add(bench.GetReport(), 1);
        bench.EndRecording();
    }
    sample.startUpsMean = static_cast<double>(CountStartUps(domain) - startUps);
    sample.rootMessagesMean =
        static_cast<double>(root->GetSends() + root->GetReceives() - rootMessages);
    sample.messageHopsMean = static_cast<double>(bench.GetTraffic().messageHops);
    sample.flitHopsMean = static_cast<double>(bench.GetTraffic().flitHops);
    if (parameters.traffic.IsThere())
    {
        SampleSummary summary;
        LoadedBench loaded(barrier, latency, parameters.traffic);
        if (parameters.isExplained)
        {
            loaded.Record();
        }
        for (const auto& round : loaded.Cross(parameters.rounds))
        {
            sample.roundsUs.push_back(Us(round));
            summary.Add(sample.roundsUs.back());
        }
        if (parameters.isExplained)
        {
            sample.Set(0);
            sample.AddRounds(loaded, parameters.rounds);
        }
        sample.latencyUsMean = summary.GetMean();
    }
}

} // namespace

BarrierStudyRun::BarrierStudyRun(const FabricGraph& graph, const BarrierStudyParameters& parameters)
    : m_graph(graph),
      m_parameters(parameters)
{
    for (const auto& wanted : parameters.GetCases())
    {
        const auto& reduction = std::get<1>(wanted);
        StudyCheck::RefuseIf(BarrierStudyParameters::IsInferred(reduction) &&
                                 graph.GetNSwitchLinks() == 0,
                             "reduction " + reduction +
                                 ": no cable joins two switches of the fabric, and their number is "
                                 "what it divides by; expected simulated or ideal");
    }
    if (parameters.NeedsNoFlits())
    {
        auto helper = parameters.fabricHelper;
        helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(1)));
        m_flitlessDomain = parameters.collectiveHelper.Install(helper.Install(graph), graph);
    }
    const auto& schemes = parameters.schemes;
    if (parameters.Wants(BTIN) || std::any_of(schemes.begin(),
                                              schemes.end(),
                                              [](const auto& scheme) { return scheme != "btin"; }))
    {
        m_domain =
            parameters.collectiveHelper.Install(parameters.fabricHelper.Install(graph), graph);
    }
}

std::map<BarrierStudyRun::Key, BarrierStudyRun::Sample>
BarrierStudyRun::Measure(const std::vector<uint32_t>& hosts)
{
    std::map<Key, Sample> samples;
    Sample inSwitch;
    if (m_flitlessDomain)
    {
        inSwitch = MeasureOne("btin", m_flitlessDomain, hosts);
        samples[{"btin", "in-switch", "paper"}] = inSwitch;
    }
    for (const auto& scheme : m_parameters.schemes)
    {
        try
        {
            Measure(scheme, hosts, inSwitch, samples);
        }
        catch (const WormholeError& error)
        {
            if (!m_parameters.traffic.IsThere())
            {
                throw;
            }
            // One of them may be more than the fabric takes, or deadlock.
            throw WormholeError(scheme + " of " + std::to_string(hosts.size()) +
                                " hosts: " + error.what());
        }
    }
    return samples;
}

void
BarrierStudyRun::Measure(const std::string& scheme,
                         const std::vector<uint32_t>& hosts,
                         const Sample& inSwitch,
                         std::map<Key, Sample>& samples)
{
    if (!BarrierStudyParameters::IsOfPaper(scheme))
    {
        samples[{scheme, "simulated", "flits"}] = MeasureOne(scheme, m_domain, hosts);
    }
    else if (scheme != "btin")
    {
        MeasureCentral(scheme, hosts, inSwitch, samples);
    }
    else if (m_parameters.Wants(BTIN))
    {
        samples[BTIN] = MeasureOne(scheme, m_domain, hosts);
    }
}

Ptr<Barrier>
BarrierStudyRun::MakeBarrier(const std::string& scheme) const
{
    auto barrier = CollectiveHelper::MakeBarrier(scheme);
    barrier->SetAttribute("TreeLeaves", StringValue(m_parameters.leaves));
    return barrier;
}

BarrierStudyRun::Sample
BarrierStudyRun::FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const
{
    Sample sample;
    sample.Set(NONE);
    sample.heightMean = tree.GetHeight();
    sample.edgesMean = tree.GetNEdges();
    if (m_parameters.countsLeaves)
    {
        std::vector<FabricGraph::Node> nodes;
        for (const auto host : hosts)
        {
            nodes.push_back(m_graph.HostAt(host));
        }
        sample.leavesMean = tree.GetNLeaves();
        sample.deepestMean = tree.GetNDeepest();
        sample.equalTreesMean = tree.GetNEqual();
        const auto other =
            m_parameters.leaves == "all" ? BarrierTree::Leaves::DEEPEST : BarrierTree::Leaves::ALL;
        sample.otherRootMean =
            BarrierTree(m_graph, nodes, other).GetRootSwitch() != tree.GetRootSwitch();
    }
    sample.rootSwitch = m_graph.GetName(tree.GetRootSwitch());
    sample.rootHost = m_graph.GetName(tree.GetRootHost());
    return sample;
}

BarrierStudyRun::Sample
BarrierStudyRun::MeasureOne(const std::string& scheme,
                            const Ptr<CollectiveDomain>& domain,
                            const std::vector<uint32_t>& hosts)
{
    auto barrier = MakeBarrier(scheme);
    CollectiveBench bench(barrier, domain, hosts);
    Sample sample;
    if (scheme != "btin")
    {
        sample.Set(NONE);
        sample.latencyUsModel = NONE;
    }
    else
    {
        sample = FromTree(barrier->GetTree(), hosts);
        const auto links = barrier->GetTree().DistanceLinks();
        const auto times = FabricTimes::Of(*domain);
        sample.latencyUsModel = hosts.size() > 1 ? 2 * Us(times.Message(links)) : 0;
    }
    sample.messageBytesMean = GetLongestMessageBytes(*barrier);
    sample.setupUsMean = Us(bench.GetSetup());
    Cross(bench, barrier, m_parameters, sample);
    bench.Dissolve();
    barrier->Dispose();
    return sample;
}

void
BarrierStudyRun::MeasureCentral(const std::string& scheme,
                                const std::vector<uint32_t>& hosts,
                                const Sample& inSwitch,
                                std::map<Key, Sample>& samples)
{
    auto barrier = MakeBarrier(scheme);
    if (scheme == "multicast")
    {
        barrier->SetAttribute("AddressSize", UintegerValue(m_parameters.addressSize));
        barrier->SetAttribute("HeaderEncoding", StringValue(m_parameters.headerEncoding));
    }
    CollectiveBench bench(barrier, m_domain, hosts);
    const bool contended = m_parameters.Wants({scheme, "simulated", "flits"});
    const bool ideal = m_parameters.Wants({scheme, "ideal", "flits"});
    const BarrierModel uncontended(*m_domain, *barrier, ideal);

    auto sample = FromTree(barrier->GetTree(), hosts);
    sample.latencyUsModel = Us(uncontended.model);
    sample.latencyUsMean = Us(uncontended.latency);
    sample.messageHopsMean = static_cast<double>(uncontended.messageHops);
    sample.flitHopsMean = static_cast<double>(uncontended.flitHops);
    sample.startUpsMean = static_cast<double>(uncontended.startUps);
    sample.rootMessagesMean = static_cast<double>(uncontended.startUps);
    sample.messageBytesMean = GetLongestMessageBytes(*barrier);
    sample.setupUsMean = Us(bench.GetSetup());
    if (ideal)
    {
        samples[{scheme, "ideal", "flits"}] = sample;
    }
    for (const auto& wanted : m_parameters.GetCases())
    {
        const auto& whose = std::get<0>(wanted);
        const auto& reduction = std::get<1>(wanted);
        if (whose == scheme && BarrierStudyParameters::IsInferred(reduction))
        {
            auto& inferred = samples[wanted] = sample;
            inferred.latencyUsMean = InferLatency(reduction, hosts.size(), inSwitch.latencyUsMean);
            inferred.latencyUsModel =
                InferLatency(reduction, hosts.size(), inSwitch.latencyUsModel);
        }
    }
    if (contended)
    {
        Cross(bench, barrier, m_parameters, sample);
        samples[{scheme, "simulated", "flits"}] = sample;
    }
    bench.Dissolve();
    barrier->Dispose();
}

double
BarrierStudyRun::InferLatency(const std::string& reduction,
                              std::size_t members,
                              double inSwitchUs) const
{
    if (members == 1)
    {
        return inSwitchUs;
    }
    const auto times = FabricTimes::Of(*m_domain);
    const auto linksPerSwitch = 2.0 * m_graph.GetNSwitchLinks() / m_graph.GetNSwitches();
    const auto queue = static_cast<double>(members) * Us(times.switchDelay) / linksPerSwitch;
    return reduction == "paper-inferred" ? inSwitchUs + queue
                                         : Us(times.startUp) + queue + inSwitchUs / 2;
}

namespace
{

/// Streams of random numbers.
enum Stream
{
    FABRIC, ///< draws the fabric
    MEMBERS ///< draws the order of its hosts
};

/// What all runs found for a row.
struct Cell
{
    /// Columns that are means over runs.
    static constexpr std::array<double BarrierStudyRow::*, 21> MEANS{
        &BarrierStudyRow::latencyUsMean,    &BarrierStudyRow::latencyUsModel,
        &BarrierStudyRow::messageHopsMean,  &BarrierStudyRow::flitHopsMean,
        &BarrierStudyRow::heightMean,       &BarrierStudyRow::edgesMean,
        &BarrierStudyRow::leavesMean,       &BarrierStudyRow::deepestMean,
        &BarrierStudyRow::equalTreesMean,   &BarrierStudyRow::otherRootMean,
        &BarrierStudyRow::startUpsMean,     &BarrierStudyRow::rootMessagesMean,
        &BarrierStudyRow::messageBytesMean, &BarrierStudyRow::setupUsMean,
        &BarrierStudyRow::hostUsMean,       &BarrierStudyRow::interfaceUsMean,
        &BarrierStudyRow::wireUsMean,       &BarrierStudyRow::switchUsMean,
        &BarrierStudyRow::waitingUsMean,    &BarrierStudyRow::elsewhereUsMean,
        &BarrierStudyRow::trafficUsMean,
    };

    std::array<SampleSummary, MEANS.size()> columns; ///< what runs found, in the order of MEANS
    SampleSummary rounds; ///< latencies of all runs' rounds beside traffic, us

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

/// @return the rows that there will be for a fabric, without results
std::vector<BarrierStudyRow>
MakeRows(const BarrierStudyParameters& p, const BarrierStudyParameters::Fabric& fabric)
{
    const auto graph = fabric.WithoutCables();
    BarrierStudyRow row;
    row.switches = graph.GetNSwitches();
    row.hosts = graph.GetNHosts();
    row.connectivity = fabric.GetConnectivity();
    row.law = fabric.given ? "file" : IrregularTopologyHelper::NameOf(fabric.drawn.law);
    row.runs = p.runs;
    row.leaves = p.countsLeaves ? p.leaves : "";
    row.explained = p.isExplained ? "yes" : "";
    row.SetTraffic(p.traffic);
    std::vector<BarrierStudyRow> rows;
    for (const auto& wanted : p.GetCases())
    {
        std::tie(row.scheme, row.reduction, row.btinTiming) = wanted;
        for (const auto size : p.SizesFor(fabric))
        {
            row.groupSize = size;
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<uint32_t>
OrderMembers(const BarrierStudyParameters& p, const FabricGraph& graph)
{
    std::vector<uint32_t> hosts;
    for (const auto& name : p.members)
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

/// Does the run whose number ns-3's seed manager has. @return the fabric's rows, with what this run
/// found in place of means
std::vector<BarrierStudyRow>
DoRun(const BarrierStudyParameters& p, const BarrierStudyParameters::Fabric& fabric)
{
    const SimulationScope ownSimulation;
    auto rows = MakeRows(p, fabric);
    auto graph = fabric.WithoutCables();
    if (!fabric.given)
    {
        IrregularTopologyHelper topology(fabric.drawn);
        topology.AssignStreams(FABRIC);
        graph = topology.Create();
    }
    const auto order = OrderMembers(p, graph);
    BarrierStudyRun run(graph, p);
    for (const auto size : p.SizesFor(fabric))
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
                row.rootSwitch = p.runs > 1 ? "" : sample.rootSwitch;
                row.rootHost = p.runs > 1 ? "" : sample.rootHost;
            }
        }
    }
    return rows;
}

} // namespace

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
        return BarrierStudyRow::GetTable().Pack(
            DoRun(m_parameters, m_parameters.fabrics[piece / runs]));
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

} // namespace ns3
