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
#include <limits>
#include <numeric>

namespace ns3
{

namespace
{

constexpr auto NONE = std::numeric_limits<double>::quiet_NaN(); //!< nothing is known, or explained

/// Rows of btin as all messages are timed.
const BarrierStudy::Case BTIN{"btin", "in-switch", "flits"};

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
Cross(CollectiveBench& bench, Ptr<Barrier> barrier, const BarrierStudy& parameters, CsvRow& sample)
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
    sample["latency_us_mean"] = Us(latency);
    if (parameters.isExplained)
    {
        LatencyParts::Set(sample, 0);
        LatencyParts::Add(sample, bench.GetReport(), 1);
        bench.EndRecording();
    }
    sample["start_ups_mean"] = static_cast<double>(CountStartUps(domain) - startUps);
    sample["root_messages_mean"] =
        static_cast<double>(root->GetSends() + root->GetReceives() - rootMessages);
    sample["message_hops_mean"] = static_cast<double>(bench.GetTraffic().messageHops);
    sample["flit_hops_mean"] = static_cast<double>(bench.GetTraffic().flitHops);
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
            sample.samples.push_back(Us(round));
            summary.Add(sample.samples.back());
        }
        if (parameters.isExplained)
        {
            LatencyParts::Set(sample, 0);
            LatencyParts::AddRounds(sample, loaded, parameters.rounds);
        }
        sample["latency_us_mean"] = summary.GetMean();
    }
}

} // namespace

BarrierStudyRun::BarrierStudyRun(const FabricGraph& graph, const BarrierStudy& parameters)
    : m_graph(graph),
      m_parameters(parameters)
{
    for (const auto& wanted : parameters.GetCases())
    {
        const auto& reduction = std::get<1>(wanted);
        StudyCheck::RefuseIf(BarrierStudy::IsInferred(reduction) && graph.GetNSwitchLinks() == 0,
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

std::map<BarrierStudyRun::Key, CsvRow>
BarrierStudyRun::Measure(const std::vector<uint32_t>& hosts)
{
    std::map<Key, CsvRow> samples;
    CsvRow inSwitch(BarrierStudy::GetTable());
    if (m_flitlessDomain)
    {
        inSwitch = MeasureOne("btin", m_flitlessDomain, hosts);
        samples.insert({{"btin", "in-switch", "paper"}, inSwitch});
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
                         const CsvRow& inSwitch,
                         std::map<Key, CsvRow>& samples)
{
    if (!BarrierStudy::IsOfPaper(scheme))
    {
        samples.insert({{scheme, "simulated", "flits"}, MeasureOne(scheme, m_domain, hosts)});
    }
    else if (scheme != "btin")
    {
        MeasureCentral(scheme, hosts, inSwitch, samples);
    }
    else if (m_parameters.Wants(BTIN))
    {
        samples.insert({BTIN, MeasureOne(scheme, m_domain, hosts)});
    }
}

Ptr<Barrier>
BarrierStudyRun::MakeBarrier(const std::string& scheme) const
{
    auto barrier = CollectiveHelper::MakeBarrier(scheme);
    barrier->SetAttribute("TreeLeaves", StringValue(m_parameters.leaves));
    return barrier;
}

CsvRow
BarrierStudyRun::FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const
{
    CsvRow sample(BarrierStudy::GetTable());
    LatencyParts::Set(sample, NONE);
    sample["height_mean"] = tree.GetHeight();
    sample["edges_mean"] = tree.GetNEdges();
    if (m_parameters.countsLeaves)
    {
        std::vector<FabricGraph::Node> nodes;
        for (const auto host : hosts)
        {
            nodes.push_back(m_graph.HostAt(host));
        }
        sample["leaves_mean"] = tree.GetNLeaves();
        sample["deepest_leaves_mean"] = tree.GetNDeepest();
        sample["equal_trees_mean"] = tree.GetNEqual();
        const auto other =
            m_parameters.leaves == "all" ? BarrierTree::Leaves::DEEPEST : BarrierTree::Leaves::ALL;
        sample["other_root_mean"] =
            BarrierTree(m_graph, nodes, other).GetRootSwitch() != tree.GetRootSwitch();
    }
    sample["root_switch"] = m_graph.GetName(tree.GetRootSwitch());
    sample["root_host"] = m_graph.GetName(tree.GetRootHost());
    return sample;
}

CsvRow
BarrierStudyRun::MeasureOne(const std::string& scheme,
                            const Ptr<CollectiveDomain>& domain,
                            const std::vector<uint32_t>& hosts)
{
    auto barrier = MakeBarrier(scheme);
    CollectiveBench bench(barrier, domain, hosts);
    CsvRow sample(BarrierStudy::GetTable());
    if (scheme != "btin")
    {
        LatencyParts::Set(sample, NONE);
        sample["latency_us_model"] = NONE;
    }
    else
    {
        sample = FromTree(barrier->GetTree(), hosts);
        const auto links = barrier->GetTree().DistanceLinks();
        const auto times = FabricTimes::Of(*domain);
        sample["latency_us_model"] = hosts.size() > 1 ? 2 * Us(times.Message(links)) : 0;
    }
    sample["message_bytes_mean"] = GetLongestMessageBytes(*barrier);
    sample["setup_us_mean"] = Us(bench.GetSetup());
    Cross(bench, barrier, m_parameters, sample);
    bench.Dissolve();
    barrier->Dispose();
    return sample;
}

void
BarrierStudyRun::MeasureCentral(const std::string& scheme,
                                const std::vector<uint32_t>& hosts,
                                const CsvRow& inSwitch,
                                std::map<Key, CsvRow>& samples)
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
    sample["latency_us_model"] = Us(uncontended.model);
    sample["latency_us_mean"] = Us(uncontended.latency);
    sample["message_hops_mean"] = static_cast<double>(uncontended.messageHops);
    sample["flit_hops_mean"] = static_cast<double>(uncontended.flitHops);
    sample["start_ups_mean"] = static_cast<double>(uncontended.startUps);
    sample["root_messages_mean"] = static_cast<double>(uncontended.startUps);
    sample["message_bytes_mean"] = GetLongestMessageBytes(*barrier);
    sample["setup_us_mean"] = Us(bench.GetSetup());
    if (ideal)
    {
        samples.insert({{scheme, "ideal", "flits"}, sample});
    }
    for (const auto& wanted : m_parameters.GetCases())
    {
        const auto& whose = std::get<0>(wanted);
        const auto& reduction = std::get<1>(wanted);
        if (whose == scheme && BarrierStudy::IsInferred(reduction))
        {
            auto& inferred = samples.insert({wanted, sample}).first->second;
            inferred["latency_us_mean"] =
                InferLatency(reduction, hosts.size(), inSwitch["latency_us_mean"]);
            inferred["latency_us_model"] =
                InferLatency(reduction, hosts.size(), inSwitch["latency_us_model"]);
        }
    }
    if (contended)
    {
        Cross(bench, barrier, m_parameters, sample);
        samples.insert({{scheme, "simulated", "flits"}, sample});
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

/// @return columns that are means over runs, of the latency first
const std::vector<std::string>&
GetMeans()
{
    static const auto means = [] {
        std::vector<std::string> names;
        for (const auto& column : BarrierStudy::GetTable().GetColumns())
        {
            const auto end = column.name.rfind("_mean");
            if ((end != std::string::npos && end + 5 == column.name.size()) ||
                column.name == "latency_us_model")
            {
                names.push_back(column.name);
            }
        }
        return names;
    }();
    return means;
}

/// What all runs found for a row.
struct Cell
{
    std::vector<SampleSummary> columns; ///< what runs found, in the order of GetMeans
    SampleSummary rounds;               ///< latencies of all runs' rounds beside traffic, us

    void Add(const CsvRow& row)
    {
        columns.resize(GetMeans().size());
        for (std::size_t i = 0; i < columns.size(); ++i)
        {
            columns[i].Add(row[GetMeans()[i]]);
        }
        for (const auto latency : row.samples)
        {
            rounds.Add(latency);
        }
    }

    void Fill(CsvRow& row) const
    {
        for (std::size_t i = 0; i < columns.size(); ++i)
        {
            row[GetMeans()[i]] = columns[i].GetMean();
        }
        row["latency_us_ci95"] = columns.front().GetHalfWidth95();
        row["latency_us_p99"] = rounds.GetPercentile99();
    }
};

/// @return the rows that there will be for a fabric, without results
std::vector<CsvRow>
MakeRows(const BarrierStudy& p, const BarrierStudy::Fabric& fabric)
{
    const auto graph = fabric.WithoutCables();
    CsvRow row(BarrierStudy::GetTable());
    row["switches"] = graph.GetNSwitches();
    row["hosts"] = graph.GetNHosts();
    row["connectivity"] = fabric.GetConnectivity();
    row["law"] = fabric.given ? "file" : IrregularTopologyHelper::NameOf(fabric.drawn.law);
    row["runs"] = p.runs;
    row["leaves"] = p.countsLeaves ? p.leaves : "";
    row["explained"] = p.isExplained ? "yes" : "";
    TrafficColumns::Set(row, p.traffic);
    std::vector<CsvRow> rows;
    for (const auto& wanted : p.GetCases())
    {
        std::tie(row["scheme"], row["reduction"], row["btin_timing"]) = wanted;
        for (const auto size : p.SizesFor(fabric))
        {
            row["group_size"] = size;
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<uint32_t>
OrderMembers(const BarrierStudy& p, const FabricGraph& graph)
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
std::vector<CsvRow>
DoRun(const BarrierStudy& p, const BarrierStudy::Fabric& fabric)
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
            if (row["group_size"] == size)
            {
                const auto& sample = samples.at(
                    {row["scheme"].Text(), row["reduction"].Text(), row["btin_timing"].Text()});
                for (const auto& name : GetMeans())
                {
                    row[name] = sample[name];
                }
                row.samples = sample.samples;
                row["root_switch"] = p.runs > 1 ? "" : sample["root_switch"].Text();
                row["root_host"] = p.runs > 1 ? "" : sample["root_host"].Text();
            }
        }
    }
    return rows;
}

} // namespace

std::vector<CsvRow>
BarrierStudy::Run(const StudyDefinition::Progress& progress) const
{
    Check();
    const SeedKeeper seedKeeper;
    RngSeedManager::SetSeed(seed);
    const auto pieces = runs * static_cast<uint32_t>(fabrics.size());
    std::vector<CsvRow> rows;
    std::vector<CsvRow> fabricRows;
    std::vector<Cell> cells;
    const auto work = [&](uint32_t piece) {
        RngSeedManager::SetRun(piece % runs + 1);
        return BarrierStudy::GetTable().Pack(DoRun(*this, fabrics[piece / runs]));
    };
    const auto take = [&](uint32_t piece, const std::string& found) {
        fabricRows = BarrierStudy::GetTable().Unpack(found);
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
    WorkerPool(jobs).Run(pieces, work, take);
    return rows;
}

} // namespace ns3
