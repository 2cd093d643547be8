/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/barrier-model.h"
#include "ns3/barrier-tree.h"
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
#include <map>
#include <utility>

namespace ns3
{

namespace
{

constexpr auto NONE = std::numeric_limits<double>::quiet_NaN(); //!< nothing is known, or explained

/// Rows of btin as all messages are timed.
const std::tuple<std::string, std::string, std::string> BTIN{"btin", "in-switch", "flits"};

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

} // namespace

/// One run: one fabric, on which groups are measured. Builds at most two fabrics and uses them for
/// all groups, since building takes longest.
class BarrierStudy::Run
{
  public:
    using Samples = std::map<Case, CsvRow>; ///< what a group's barriers took

    /// @param graph the fabric @param study what is asked for
    /// @throws WormholeError if an inference is, but no cables join switches
    Run(const FabricGraph& graph, const BarrierStudy& study);

    /// Measures a group, by every scheme, reduction and timing that is asked for.
    /// @param hosts the members
    /// @return what it took
    Samples Measure(const std::vector<uint32_t>& hosts);

  private:
    void Measure(const std::string& scheme,
                 const std::vector<uint32_t>& hosts,
                 const CsvRow& inSwitch,
                 Samples& samples);

    /// @return latency of multicast as inferred, us @param reduction an inference
    /// @param members number of members @param inSwitchUs latency of btin, us
    double InferLatency(const std::string& reduction, std::size_t members, double inSwitchUs) const;

    /// @return a barrier without a group
    Ptr<Barrier> MakeBarrier(const std::string& scheme) const;
    CsvRow FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const;

    /// @return what btin takes, or a barrier that is not of the paper
    /// @param domain the fabric as it is, or the one whose flits take no time
    CsvRow MeasureOne(const std::string& scheme,
                      const Ptr<CollectiveDomain>& domain,
                      const std::vector<uint32_t>& hosts);

    /// Does one barrier, and notes what it took; beside traffic, several more, whose latencies
    /// count.
    void Cross(CollectiveBench& bench, Ptr<Barrier> barrier, CsvRow& sample) const;
    void MeasureCentral(const std::string& scheme,
                        const std::vector<uint32_t>& hosts,
                        const CsvRow& inSwitch,
                        Samples& samples);

    const FabricGraph& m_graph;             ///< the fabric
    const BarrierStudy& m_study;            ///< what is asked for
    Ptr<CollectiveDomain> m_domain;         ///< of the fabric as it is, if need be
    Ptr<CollectiveDomain> m_flitlessDomain; ///< of one whose flits take 1 ps, if need be
};

void
BarrierStudy::Run::Cross(CollectiveBench& bench, Ptr<Barrier> barrier, CsvRow& sample) const
{
    const auto isExplained = m_study.Get<bool>("explain");
    if (isExplained)
    {
        bench.Record();
    }
    const auto& domain = barrier->GetDomain();
    const auto root = domain.GetSoftware(barrier->GetHost(barrier->GetRoot()));
    const auto startUps = CountStartUps(domain);
    const auto rootMessages = root->GetSends() + root->GetReceives();
    const auto latency = bench.Cross({}, {});
    sample["latency_us_mean"] = Us(latency);
    if (isExplained)
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
    if (m_study.m_traffic.IsThere())
    {
        const auto rounds = m_study.Get<uint32_t>("rounds");
        SampleSummary summary;
        LoadedBench loaded(barrier, latency, m_study.m_traffic);
        if (isExplained)
        {
            loaded.Record();
        }
        for (const auto& round : loaded.Cross(rounds))
        {
            sample.samples.push_back(Us(round));
            summary.Add(sample.samples.back());
        }
        if (isExplained)
        {
            LatencyParts::Set(sample, 0);
            LatencyParts::AddRounds(sample, loaded, rounds);
        }
        sample["latency_us_mean"] = summary.GetMean();
    }
}

BarrierStudy::Run::Run(const FabricGraph& graph, const BarrierStudy& study)
    : m_graph(graph),
      m_study(study)
{
    for (const auto& wanted : study.GetCases())
    {
        const auto& reduction = std::get<1>(wanted);
        StudyCheck::RefuseIf(IsInferredReduction(reduction) && graph.GetNSwitchLinks() == 0,
                             "reduction " + reduction +
                                 ": no cable joins two switches of the fabric, and their number is "
                                 "what it divides by; expected simulated or ideal");
    }
    if (study.NeedsNoFlits())
    {
        auto helper = study.m_fabricHelper;
        helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(1)));
        m_flitlessDomain = study.m_software.Install(helper.Install(graph), graph);
    }
    const auto& schemes = study.Get<Words>("schemes");
    if (study.Wants(BTIN) || std::any_of(schemes.begin(), schemes.end(), [](const auto& scheme) {
            return scheme != "btin";
        }))
    {
        m_domain = study.m_software.Install(study.m_fabricHelper.Install(graph), graph);
    }
}

BarrierStudy::Run::Samples
BarrierStudy::Run::Measure(const std::vector<uint32_t>& hosts)
{
    Samples samples;
    CsvRow inSwitch(m_study.m_table);
    if (m_flitlessDomain)
    {
        inSwitch = MeasureOne("btin", m_flitlessDomain, hosts);
        samples.insert({{"btin", "in-switch", "paper"}, inSwitch});
    }
    for (const auto& scheme : m_study.Get<Words>("schemes"))
    {
        try
        {
            Measure(scheme, hosts, inSwitch, samples);
        }
        catch (const WormholeError& error)
        {
            if (!m_study.m_traffic.IsThere())
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
BarrierStudy::Run::Measure(const std::string& scheme,
                           const std::vector<uint32_t>& hosts,
                           const CsvRow& inSwitch,
                           Samples& samples)
{
    if (!IsSchemeOfPaper(scheme))
    {
        samples.insert({{scheme, "simulated", "flits"}, MeasureOne(scheme, m_domain, hosts)});
    }
    else if (scheme != "btin")
    {
        MeasureCentral(scheme, hosts, inSwitch, samples);
    }
    else if (m_study.Wants(BTIN))
    {
        samples.insert({BTIN, MeasureOne(scheme, m_domain, hosts)});
    }
}

Ptr<Barrier>
BarrierStudy::Run::MakeBarrier(const std::string& scheme) const
{
    auto barrier = CollectiveHelper::MakeBarrier(scheme);
    barrier->SetAttribute("TreeLeaves", StringValue(m_study.Get<std::string>("leaves")));
    return barrier;
}

CsvRow
BarrierStudy::Run::FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const
{
    CsvRow sample(m_study.m_table);
    LatencyParts::Set(sample, NONE);
    sample["height_mean"] = tree.GetHeight();
    sample["edges_mean"] = tree.GetNEdges();
    if (m_study.m_countsLeaves)
    {
        std::vector<FabricGraph::Node> nodes;
        for (const auto host : hosts)
        {
            nodes.push_back(m_graph.HostAt(host));
        }
        sample["leaves_mean"] = tree.GetNLeaves();
        sample["deepest_leaves_mean"] = tree.GetNDeepest();
        sample["equal_trees_mean"] = tree.GetNEqual();
        const auto other = m_study.Get<std::string>("leaves") == "all"
                               ? BarrierTree::Leaves::DEEPEST
                               : BarrierTree::Leaves::ALL;
        sample["other_root_mean"] =
            BarrierTree(m_graph, nodes, other).GetRootSwitch() != tree.GetRootSwitch();
    }
    sample["root_switch"] = m_graph.GetName(tree.GetRootSwitch());
    sample["root_host"] = m_graph.GetName(tree.GetRootHost());
    return sample;
}

CsvRow
BarrierStudy::Run::MeasureOne(const std::string& scheme,
                              const Ptr<CollectiveDomain>& domain,
                              const std::vector<uint32_t>& hosts)
{
    auto barrier = MakeBarrier(scheme);
    CollectiveBench bench(barrier, domain, hosts);
    CsvRow sample(m_study.m_table);
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
    Cross(bench, barrier, sample);
    bench.Dissolve();
    barrier->Dispose();
    return sample;
}

void
BarrierStudy::Run::MeasureCentral(const std::string& scheme,
                                  const std::vector<uint32_t>& hosts,
                                  const CsvRow& inSwitch,
                                  Samples& samples)
{
    auto barrier = MakeBarrier(scheme);
    if (scheme == "multicast")
    {
        barrier->SetAttribute("AddressSize", UintegerValue(m_study.Get<uint32_t>("addressSize")));
        barrier->SetAttribute("HeaderEncoding",
                              StringValue(m_study.Get<std::string>("headerEncoding")));
    }
    CollectiveBench bench(barrier, m_domain, hosts);
    const bool contended = m_study.Wants({scheme, "simulated", "flits"});
    const bool ideal = m_study.Wants({scheme, "ideal", "flits"});
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
    for (const auto& wanted : m_study.GetCases())
    {
        const auto& whose = std::get<0>(wanted);
        const auto& reduction = std::get<1>(wanted);
        if (whose == scheme && IsInferredReduction(reduction))
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
        Cross(bench, barrier, sample);
        samples.insert({{scheme, "simulated", "flits"}, sample});
    }
    bench.Dissolve();
    barrier->Dispose();
}

double
BarrierStudy::Run::InferLatency(const std::string& reduction,
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
GetMeans(const CsvTable& table)
{
    static const auto means = [&] {
        std::vector<std::string> names;
        for (const auto& column : table.GetColumns())
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
        const auto& means = GetMeans(row.GetTable());
        columns.resize(means.size());
        for (std::size_t i = 0; i < columns.size(); ++i)
        {
            columns[i].Add(row[means[i]]);
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
            row[GetMeans(row.GetTable())[i]] = columns[i].GetMean();
        }
        row["latency_us_ci95"] = columns.front().GetHalfWidth95();
        row["latency_us_p99"] = rounds.GetPercentile99();
    }
};

} // namespace

TableStudy::Rows
BarrierStudy::MakeRows(const Fabric& fabric) const
{
    const auto graph = fabric.WithoutCables();
    CsvRow row(m_table);
    row["switches"] = graph.GetNSwitches();
    row["hosts"] = graph.GetNHosts();
    row["connectivity"] = fabric.GetConnectivity();
    row["law"] = fabric.given ? "file" : IrregularTopologyHelper::NameOf(fabric.drawn.law);
    row["runs"] = m_runs;
    row["leaves"] = m_countsLeaves ? Get<std::string>("leaves") : "";
    row["explained"] = Get<bool>("explain") ? "yes" : "";
    TrafficColumns::Set(row, m_traffic);
    Rows rows;
    for (const auto& wanted : GetCases())
    {
        std::tie(row["scheme"], row["reduction"], row["btin_timing"]) = wanted;
        for (const auto size : SizesFor(fabric))
        {
            row["group_size"] = size;
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<uint32_t>
BarrierStudy::OrderMembers(const FabricGraph& graph) const
{
    std::vector<uint32_t> hosts;
    for (const auto& name : Get<Words>("members"))
    {
        hosts.push_back(graph.Find(name) - graph.GetNSwitches());
    }
    if (!hosts.empty())
    {
        return hosts;
    }
    hosts = FabricStudy::GetFirstHosts(graph.GetNFirstInterfaces());
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(MEMBERS);
    for (uint32_t i = 0; i + 1 < hosts.size(); ++i)
    {
        const auto last = static_cast<uint32_t>(hosts.size()) - 1;
        std::swap(hosts[i], hosts[random->GetInteger(i, last)]);
    }
    return hosts;
}

TableStudy::Rows
BarrierStudy::DoRun(const Fabric& fabric) const
{
    const SimulationScope ownSimulation;
    auto rows = MakeRows(fabric);
    auto graph = fabric.WithoutCables();
    if (!fabric.given)
    {
        IrregularTopologyHelper topology(fabric.drawn);
        topology.AssignStreams(FABRIC);
        graph = topology.Create();
    }
    const auto order = OrderMembers(graph);
    Run run(graph, *this);
    for (const auto size : SizesFor(fabric))
    {
        const auto samples = run.Measure({order.begin(), order.begin() + size});
        for (auto& row : rows)
        {
            if (row["group_size"] == size)
            {
                const auto& sample = samples.at(
                    {row["scheme"].Text(), row["reduction"].Text(), row["btin_timing"].Text()});
                for (const auto& name : GetMeans(m_table))
                {
                    row[name] = sample[name];
                }
                row.samples = sample.samples;
                row["root_switch"] = m_runs > 1 ? "" : sample["root_switch"].Text();
                row["root_host"] = m_runs > 1 ? "" : sample["root_host"].Text();
            }
        }
    }
    return rows;
}

void
BarrierStudy::Measure(const Progress& progress)
{
    Check();
    const SeedKeeper seedKeeper;
    RngSeedManager::SetSeed(Get<uint32_t>("seed"));
    const auto pieces = m_runs * static_cast<uint32_t>(m_fabrics.size());
    Rows fabricRows;
    std::vector<Cell> cells;
    m_rows.clear();
    const auto work = [&](uint32_t piece) {
        RngSeedManager::SetRun(piece % m_runs + 1);
        return m_table.Pack(DoRun(m_fabrics[piece / m_runs]));
    };
    const auto take = [&](uint32_t piece, const std::string& found) {
        fabricRows = m_table.Unpack(found);
        cells.resize(fabricRows.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            cells[i].Add(fabricRows[i]);
        }
        if (piece % m_runs + 1 == m_runs)
        {
            for (std::size_t i = 0; i < cells.size(); ++i)
            {
                cells[i].Fill(fabricRows[i]);
            }
            m_rows.insert(m_rows.end(), fabricRows.begin(), fabricRows.end());
            cells.clear();
        }
        if (progress)
        {
            progress(piece + 1, pieces);
        }
    };
    WorkerPool(GetJobs()).Run(pieces, work, take);
}

} // namespace ns3
