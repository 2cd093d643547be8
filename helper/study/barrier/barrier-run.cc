// SPDX-License-Identifier: GPL-2.0-only

#include "barrier-run.h"

#include "ns3/barrier-model.h"
#include "ns3/barrier-tree.h"
#include "ns3/collective-bench.h"
#include "ns3/latency-parts.h"
#include "ns3/loaded-bench.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <limits>
#include <map>

namespace ns3
{

namespace
{

constexpr auto NONE = std::numeric_limits<double>::quiet_NaN(); ///< nothing is known, or explained

double
Us(Time time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e6;
}

uint64_t
CountStartUps(const CollectiveDomain& domain)
{
    return SumOf(NumbersBelow(domain.GetNHosts()),
                 [&](uint32_t host) { return domain.GetSoftware(host)->GetSends(); });
}

/// One run: one fabric, on which groups are measured. Builds at most two fabrics and uses them for
/// all groups, since building takes longest.
class BarrierRun
{
  public:
    using Rows = std::vector<CsvRow*>; ///< rows that are measured

    BarrierRun(const FabricGraph& graph,
               const StudyDefinition& study,
               const BarrierSetup& setup,
               const std::vector<CsvRow>& rows)
        : m_graph(graph),
          m_study(study),
          m_setup(setup)
    {
        for (const auto& row : rows)
        {
            const auto& reduction = row["reduction"].Text();
            WormholeError::ThrowIf(
                IsInferredReduction(reduction) && graph.GetNSwitchLinks() == 0,
                "reduction " + reduction +
                    ": no cable joins two switches of the fabric, but this model divides by the "
                    "number of such cables; expected simulated or ideal");
        }
        if (AnyOf(rows, IsFlitless))
        {
            auto helper = setup.fabrics;
            helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(1)));
            m_flitless = setup.software.Install(helper.Install(graph), graph);
        }
        if (!AllOf(rows, [](const CsvRow& row) {
                return row["scheme"].Text() == "btin" && IsFlitless(row);
            }))
        {
            m_domain = setup.software.Install(setup.fabrics.Install(graph), graph);
        }
    }

    void Measure(const std::vector<uint32_t>& hosts, const Rows& rows)
    {
        auto inSwitch = *rows.front();
        if (m_flitless)
        {
            MeasureOne(m_flitless, hosts, "btin", inSwitch);
        }
        for (const auto& scheme : m_study.Get<std::vector<std::string>>("schemes"))
        {
            const auto some =
                ThoseOf(rows, [&](auto row) { return (*row)["scheme"].Text() == scheme; });
            try
            {
                Measure(hosts, scheme, inSwitch, some);
            }
            catch (const WormholeError& error)
            {
                if (!m_setup.traffic.IsThere())
                {
                    throw;
                }
                // One of them may be more than the fabric takes, or deadlock.
                throw WormholeError(scheme + " of " + std::to_string(hosts.size()) +
                                    " hosts: " + error.what());
            }
        }
    }

  private:
    /// @param inSwitch what btin takes where flits take no time, if somebody asks for that
    void Measure(const std::vector<uint32_t>& hosts,
                 const std::string& scheme,
                 const CsvRow& inSwitch,
                 const Rows& rows)
    {
        if (scheme == "multicast" || scheme == "unicast")
        {
            MeasureCentral(hosts, scheme, inSwitch, rows);
            return;
        }
        for (const auto row : rows)
        {
            IsFlitless(*row) ? Take(inSwitch, *row) : MeasureOne(m_domain, hosts, scheme, *row);
        }
    }

    /// Has a row have what was found for another one of its group.
    static void Take(const CsvRow& found, CsvRow& row)
    {
        const auto own = row;
        row = found;
        for (const auto name : {"scheme", "reduction", "btin_timing"})
        {
            row[name] = own[name];
        }
    }

    Ptr<Barrier> MakeBarrier(const std::string& scheme) const
    {
        auto barrier = CollectiveHelper::MakeBarrier(scheme);
        barrier->SetAttribute("TreeLeaves", StringValue(m_study.Get<std::string>("leaves")));
        return barrier;
    }

    void NoteTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts, CsvRow& row) const
    {
        LatencyParts::Set(row, NONE);
        row["height_mean"] = tree.GetHeight();
        row["edges_mean"] = tree.GetNEdges();
        if (!row["leaves"].Text().empty())
        {
            const auto nodes =
                MadeOf(hosts, [this](uint32_t host) { return m_graph.HostAt(host); });
            row["leaves_mean"] = tree.GetNLeaves();
            row["deepest_leaves_mean"] = tree.GetNDeepest();
            row["equal_trees_mean"] = tree.GetNEqual();
            const auto other = row["leaves"].Text() == "all" ? BarrierTree::Leaves::DEEPEST
                                                             : BarrierTree::Leaves::ALL;
            row["other_root_mean"] =
                BarrierTree(m_graph, nodes, other).GetRootSwitch() != tree.GetRootSwitch();
        }
        if (row["runs"] == 1)
        {
            row["root_switch"] = m_graph.GetName(tree.GetRootSwitch());
            row["root_host"] = m_graph.GetName(tree.GetRootHost());
        }
    }

    /// Measures btin, or a barrier that is not of the paper.
    /// @param domain the fabric as it is, or the one whose flits take no time
    void MeasureOne(const Ptr<CollectiveDomain>& domain,
                    const std::vector<uint32_t>& hosts,
                    const std::string& scheme,
                    CsvRow& row) const
    {
        auto barrier = MakeBarrier(scheme);
        CollectiveBench bench(barrier, domain, hosts);
        if (scheme != "btin")
        {
            LatencyParts::Set(row, NONE);
            row["latency_us_model"] = NONE;
        }
        else
        {
            NoteTree(barrier->GetTree(), hosts, row);
            const auto links = barrier->GetTree().DistanceLinks();
            const auto times = FabricTimes::Of(*domain);
            row["latency_us_model"] = hosts.size() > 1 ? 2 * Us(times.Message(links)) : 0;
        }
        row["message_bytes_mean"] = GetLongestMessageBytes(*barrier);
        row["setup_us_mean"] = Us(bench.GetSetup());
        Cross(bench, barrier, row);
        bench.Dissolve();
        barrier->Dispose();
    }

    /// Measures a barrier by messages to a root. @param rows its rows
    void MeasureCentral(const std::vector<uint32_t>& hosts,
                        const std::string& scheme,
                        const CsvRow& inSwitch,
                        const Rows& rows) const
    {
        if (rows.empty())
        {
            return;
        }
        auto barrier = MakeBarrier(scheme);
        if (scheme == "multicast")
        {
            barrier->SetAttribute("AddressSize",
                                  UintegerValue(m_study.Get<uint32_t>("addressSize")));
            barrier->SetAttribute("HeaderEncoding",
                                  StringValue(m_study.Get<std::string>("headerEncoding")));
        }
        CollectiveBench bench(barrier, m_domain, hosts);
        const BarrierModel uncontended(*m_domain, *barrier, AnyOf(rows, [](const CsvRow* row) {
            return (*row)["reduction"].Text() == "ideal";
        }));
        auto found = *rows.front();
        NoteTree(barrier->GetTree(), hosts, found);
        found["latency_us_model"] = Us(uncontended.model);
        found["latency_us_mean"] = Us(uncontended.latency);
        found["message_hops_mean"] = static_cast<double>(uncontended.messageHops);
        found["flit_hops_mean"] = static_cast<double>(uncontended.flitHops);
        found["start_ups_mean"] = static_cast<double>(uncontended.startUps);
        found["root_messages_mean"] = static_cast<double>(uncontended.startUps);
        found["message_bytes_mean"] = GetLongestMessageBytes(*barrier);
        found["setup_us_mean"] = Us(bench.GetSetup());
        for (const auto row : rows)
        {
            Take(found, *row);
            if (IsInferredReduction((*row)["reduction"].Text()))
            {
                for (const auto name : {"latency_us_mean", "latency_us_model"})
                {
                    (*row)[name] = Infer((*row)["reduction"].Text(), hosts.size(), inSwitch[name]);
                }
            }
            else if ((*row)["reduction"].Text() == "simulated")
            {
                Cross(bench, barrier, *row);
            }
        }
        bench.Dissolve();
        barrier->Dispose();
    }

    /// @return latency of multicast as inferred, us @param inSwitchUs latency of btin, us
    double Infer(const std::string& reduction, std::size_t members, double inSwitchUs) const
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

    /// Does one barrier, and notes what it took; beside traffic, several more, whose latencies
    /// count.
    void Cross(CollectiveBench& bench, const Ptr<Barrier>& barrier, CsvRow& row) const
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
        row["latency_us_mean"] = Us(latency);
        if (isExplained)
        {
            LatencyParts::Set(row, 0);
            LatencyParts::Add(row, bench.GetReport(), 1);
            bench.EndRecording();
        }
        row["start_ups_mean"] = static_cast<double>(CountStartUps(domain) - startUps);
        row["root_messages_mean"] =
            static_cast<double>(root->GetSends() + root->GetReceives() - rootMessages);
        row["message_hops_mean"] = static_cast<double>(bench.GetTraffic().messageHops);
        row["flit_hops_mean"] = static_cast<double>(bench.GetTraffic().flitHops);
        if (!m_setup.traffic.IsThere())
        {
            return;
        }
        const auto rounds = m_study.Get<uint32_t>("rounds");
        SampleSummary summary;
        LoadedBench loaded(barrier, latency, m_setup.traffic);
        if (isExplained)
        {
            loaded.Record();
        }
        for (const auto& round : loaded.Cross(rounds))
        {
            row.samples.push_back(Us(round));
            summary.Add(row.samples.back());
        }
        if (isExplained)
        {
            LatencyParts::Set(row, 0);
            LatencyParts::AddRounds(row, loaded, rounds);
        }
        row["latency_us_mean"] = summary.GetMean();
    }

    const FabricGraph& m_graph;       ///< the fabric
    const StudyDefinition& m_study;   ///< what is asked for
    const BarrierSetup& m_setup;      ///< what barriers run on
    Ptr<CollectiveDomain> m_domain;   ///< of the fabric as it is, if need be
    Ptr<CollectiveDomain> m_flitless; ///< of one whose flits take 1 ps, if need be
};

} // namespace

void
MeasureBarriers(const FabricGraph& graph,
                const StudyDefinition& study,
                const BarrierSetup& setup,
                const std::function<std::vector<uint32_t>(uint32_t size)>& place,
                std::vector<CsvRow>& rows)
{
    std::map<uint32_t, BarrierRun::Rows> bySize;
    for (auto& row : rows)
    {
        bySize[row["group_size"].Whole()].push_back(&row);
    }
    BarrierRun run(graph, study, setup, rows);
    for (const auto& [size, some] : bySize)
    {
        run.Measure(place(size), some);
    }
}

} // namespace ns3
