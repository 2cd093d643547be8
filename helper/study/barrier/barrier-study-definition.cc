/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/csv-file.h"
#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/simulation-scope.h"
#include "ns3/study-fabric.h"
#include "ns3/study-makers.h"
#include "ns3/tree-worm-header.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-options.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

bool
Contains(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void
CheckOnce(const std::string& what, const std::vector<std::string>& words)
{
    std::set<std::string> seen;
    for (const auto& word : words)
    {
        StudyCheck::RefuseIf(!seen.insert(word).second,
                             what + " '" + word + "' is there twice; expected each once");
    }
}

} // namespace

FabricGraph
BarrierStudy::Fabric::WithoutCables() const
{
    return given ? *given : FabricGraph(drawn.switches, drawn.hosts, drawn.ports);
}

double
BarrierStudy::Fabric::GetConnectivity() const
{
    if (!given)
    {
        return drawn.connectivity;
    }
    return IrregularTopologyHelper::GetConnectivity(*given);
}

std::vector<std::string>
BarrierStudy::GetSchemes()
{
    return {"btin", "multicast", "unicast"};
}

bool
BarrierStudy::IsOfPaper(const std::string& scheme)
{
    return Contains(GetSchemes(), scheme);
}

std::vector<std::string>
BarrierStudy::GetReductions()
{
    return {"simulated", "ideal", "paper-inferred", "paper-inferred-serial"};
}

bool
BarrierStudy::IsInferred(const std::string& reduction)
{
    return reduction == "paper-inferred" || reduction == "paper-inferred-serial";
}

std::vector<std::string>
BarrierStudy::GetBtinTimings()
{
    return {"flits", "paper"};
}

std::vector<BarrierStudy::Case>
BarrierStudy::GetCases() const
{
    std::vector<Case> cases;
    for (const auto& scheme : schemes)
    {
        for (const auto& timing : scheme == "btin" ? btinTimings : std::vector<std::string>())
        {
            cases.emplace_back(scheme, "in-switch", timing);
        }
        for (const auto& reduction : scheme == "btin" ? std::vector<std::string>() : reductions)
        {
            const auto isInferred = IsInferred(reduction);
            if (isInferred ? scheme == "multicast" : IsOfPaper(scheme) || reduction == "simulated")
            {
                cases.emplace_back(scheme, reduction, isInferred ? "paper" : "flits");
            }
        }
    }
    return cases;
}

bool
BarrierStudy::Wants(const Case& wanted) const
{
    const auto cases = GetCases();
    return std::find(cases.begin(), cases.end(), wanted) != cases.end();
}

std::vector<uint32_t>
BarrierStudy::SizesFor(const Fabric& fabric) const
{
    if (!groupSizes.empty())
    {
        return groupSizes;
    }
    if (!members.empty())
    {
        return {static_cast<uint32_t>(members.size())};
    }
    const auto hosts = fabric.WithoutCables().GetNFirstInterfaces();
    std::vector<uint32_t> sizes;
    for (uint32_t size = 2; size < hosts; size *= 2)
    {
        sizes.push_back(size);
    }
    sizes.push_back(hosts);
    return sizes;
}

void
BarrierStudy::Check() const
{
    CheckSchemes();
    StudyCheck::RefuseIf(
        GetCases().empty(),
        "no scheme is asked for with a reduction that it has; expected btin, multicast with "
        "simulated, ideal, paper-inferred and paper-inferred-serial, and unicast with simulated "
        "and ideal");
    CheckTraffic();
    StudyCheck::RefuseIf(NeedsNoFlits() && PicoSeconds(1).IsZero(),
                         "a flit time of 1 ps is no whole number of ns-3 time units: call "
                         "Time::SetResolution(Time::PS) first");
    for (const auto& fabric : fabrics)
    {
        if (fabric.given)
        {
            fabric.given->Validate();
        }
        else
        {
            const IrregularTopologyHelper check(fabric.drawn);
        }
        const auto graph = fabric.WithoutCables();
        CheckMembers(graph);
        CheckSizes(graph);
    }
}

void
BarrierStudy::CheckSchemes() const
{
    CheckOnce("scheme", schemes);
    for (const auto& scheme : schemes)
    {
        if (!IsOfPaper(scheme))
        {
            CollectiveHelper::MakeBarrier(scheme)->Dispose();
        }
    }
}

void
BarrierStudy::CheckTraffic() const
{
    if (!traffic.IsThere())
    {
        return;
    }
    traffic.Check(fabrics.size() == 1 ? fabrics[0].given.get() : nullptr);
    StudyCheck::RefuseIf(rounds == 0, "0 rounds: expected 1 or more");
    for (const auto& reduction : reductions)
    {
        StudyCheck::RefuseIf(reduction != "simulated",
                             "reduction '" + reduction +
                                 "' is computed as if no message waited, whatever traffic there is "
                                 "beside it; expected simulated");
    }
    StudyCheck::RefuseIf(NeedsNoFlits(),
                         "btinTiming 'paper' is of a fabric whose flits take no time, so that "
                         "traffic would take none of it; expected flits");
}

void
BarrierStudy::CheckMembers(const FabricGraph& graph) const
{
    CheckOnce("members:", members);
    const auto n = graph.GetNFirstInterfaces();
    for (const auto& name : members)
    {
        const auto node = graph.Find(name);
        if (node == FabricGraph::NONE || graph.IsSwitch(node) || node >= graph.HostAt(0) + n)
        {
            const bool isHost = node != FabricGraph::NONE && !graph.IsSwitch(node);
            throw WormholeError(
                "members: '" + name +
                (isHost ? "' is a further interface of a host" : "' is no host of the fabric") +
                "; expected its " + std::to_string(n) + " hosts, " +
                graph.GetName(graph.HostAt(0)) + " to " + graph.GetName(graph.HostAt(n - 1)));
        }
    }
}

void
BarrierStudy::CheckSizes(const FabricGraph& graph) const
{
    const auto most = members.empty() ? graph.GetNFirstInterfaces() : members.size();
    std::set<uint32_t> sizes;
    for (const auto size : groupSizes)
    {
        const auto what = "groupSizes: " + std::to_string(size);
        StudyCheck::RefuseIf(size == 0 || size > most,
                             what + " is not accepted; expected 1 to " + std::to_string(most) +
                                 ", the number of " +
                                 (members.empty() ? "hosts" : "members named"));
        StudyCheck::RefuseIf(!sizes.insert(size).second,
                             what + " is there twice; expected each once");
    }
}

namespace
{

const std::string USAGE =
    "Compares barriers in the switches of a wormhole fabric (btin) with barriers by messages "
    "(multicast: n messages to the root and one tree worm; unicast: 2 n messages).\n"
    "\n"
    "Examples:\n"
    "  btin-comparison\n"
    "      75 switches, 256 hosts, connectivity 0.75, 100 random fabrics; CSV to standard "
    "output\n"
    "  btin-comparison --switches=75,300 --hosts=256,1024 --csv=size.csv --plots=plots\n"
    "      two sizes of fabrics, as in Figures 6 and 7 of Moh et al. (2001), with plots\n"
    "  btin-comparison --connectivity=0.7,0.9 --schemes=btin,multicast --groupSizes=64,256\n"
    "      two connectivities, as in Figure 8\n"
    "  btin-comparison --fabric=cluster.json --members=h1,h4,h17\n"
    "      one's own fabric and group\n"
    "  btin-comparison --topology=torus:8x8,hosts=2,routing=up-down --groupSizes=8,32,128\n"
    "      a fabric of a regular family\n"
    "  btin-comparison --schemes=btin,dissemination,tree[Tree=fibo] --startUp=300ns\n"
    "      barriers by software beside those in the switches, on faster hosts\n"
    "  btin-comparison --topology=torus:8x8,hosts=2 --groupSizes=8,32 --runs=10 --load=0.02 "
    "--rounds=100\n"
    "      beside other traffic, with the latency that 99 % of the barriers do not exceed\n"
    "  btin-comparison --fromCsv=a.csv,b.csv --plots=plots "
    "--published=data/btin-published.csv\n"
    "      plots of earlier results, with the paper's figures drawn in\n"
    "\n"
    "Reductions, how the upward phase of a barrier by messages is modelled:\n"
    "  simulated       the fabric as it is: messages wait for each other\n"
    "  ideal           every message as if it had the fabric for itself\n"
    "  paper-inferred  n t_r / (f k - p / q) added to the latency of btin: an inference about how "
    "the published figures were made; multicast only, unicast has no such row\n"
    "  paper-inferred-serial  another inference: t_s + n t_r / (f k - p / q), and a phase of btin";

/// Options that draw a fabric.
const std::vector<std::string> DRAWING{"switches", "hosts", "ports", "connectivity", "law"};

/// @return an entry of a list for the fabric at a position
template <typename T>
T
Entry(const std::vector<T>& list, std::size_t position)
{
    return list.size() == 1 ? list[0] : list[position];
}

class BarrierStudyDefinition : public TableStudy
{
  public:
    BarrierStudyDefinition()
        : TableStudy({"btin-comparison",
                      "barriers",
                      "Compares barriers in the switches of a fabric with barriers by messages.",
                      USAGE,
                      "a row for each fabric, scheme, reduction and group size; latency_us_mean "
                      "and its interval",
                      true},
                     BarrierStudy::GetTable(),
                     MakeBarrierPlots)
    {
        constexpr uint32_t MANY = 1000000;
        auto& p = m_parameters;
        Add("switches=75,300 (75): Numbers of switches; the i-th goes with the i-th of hosts",
            m_switches)
            .Range(1, MANY);
        Add("hosts=256,1024 (256): Numbers of hosts; a single one goes with all", m_hosts)
            .Range(1, MANY);
        Add("ports=8 (8): Ports of each switch", m_ports).Range(2, 65535);
        Add("connectivity=0.7,0.9 (0.75): Ratios of ports in use; one, or as many as switches",
            m_connectivities)
            .Range(0, 1);
        Add("law=recursive (recursive): How cables are drawn", m_law)
            .OneOf(IrregularTopologyHelper::GetModelNames());
        AddFabric("drawn ones");
        Add("members=h1,h2: Names of the members' hosts; random without it", p.members);
        Add("groupSizes=2,4,8: Sizes of groups; powers of two and all hosts without it",
            p.groupSizes)
            .Range(1, MANY);
        Add("schemes=btin,multicast (btin,multicast,unicast): Schemes to compare; besides these "
            "any barrier, such as dissemination",
            p.schemes);
        Add("reduction=simulated (simulated,ideal,paper-inferred): How the first phase of a "
            "barrier by messages is modelled",
            p.reductions)
            .OneOf(BarrierStudy::GetReductions());
        Add("runs=100: Random fabrics and groups; without it 100, or 1 with one fabric and members",
            p.runs)
            .Range(1, MANY);
        Add("seed=1 (1): Seed of random numbers", p.seed).Range(1, SeedKeeper::MAX_SEED);
        AddBy<Time>("startUp=2us (2us): Start-up time of a message, t_s", [&p](Time time) {
            p.collectiveHelper.SetSoftwareAttribute("StartUp", TimeValue(time));
        }).isSetWhenGiven = true;
        AddFabricDelays(p.fabricHelper);
        Add("addressSize=2 bytes (2): Length of an address in a tree worm's header", p.addressSize)
            .Bytes(0, 65535);
        Add("headerEncoding=bit-string (addresses): How a tree worm's header tells where it goes",
            p.headerEncoding)
            .OneOf(TreeWormHeader::GetNames());
        Add("btinTiming=flits,paper (flits): Whether messages of btin take flit times: flits, they "
            "do, as those of all schemes; paper, they don't; a row for each",
            p.btinTimings)
            .OneOf(BarrierStudy::GetBtinTimings());
        Add("leaves=all (deepest): Which leaves count when equally good barrier trees are "
            "compared; given, it adds columns of leaves, and of groups whose root would differ",
            p.leaves)
            .OneOf({"all", "deepest"});
        Add("explain: Tell what latencies go into: columns of hosts' software, interfaces, wires, "
            "switches and waiting, which together make the mean latency, and a plot of them; with "
            "--load also of the part of the waiting that the traffic causes",
            p.isExplained);
        AddTraffic(&p.rounds);
        AddPublished(BarrierStudy::GetPublished());
        AddExclusion("fabric", DRAWING);
        AddExclusion("topology", DRAWING);
        AddCondition({"addressSize", "headerEncoding"},
                     "the scheme multicast",
                     HasOneOf("schemes", {"multicast"}));
        AddCondition({"btinTiming", "leaves"}, "the scheme btin", HasOneOf("schemes", {"btin"}));
    }

    void Measure(const Progress& progress) override
    {
        m_parameters.jobs = GetJobs();
        m_rows = m_parameters.Run(progress);
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        values.Check("schemes", [this] { m_parameters.CheckSchemes(); });
        m_parameters.countsLeaves = values.Has("leaves");
        ReadTraffic(values);
        const auto isGiven = FabricOptions::Has(values);
        if (isGiven)
        {
            const auto topology = FabricOptions::Read(values);
            m_parameters.fabrics.resize(1);
            m_parameters.fabrics[0].given = std::make_shared<FabricGraph>(topology->graph);
            m_parameters.fabricHelper.SetRouter(topology->router);
            values.Check("pattern", [&] { m_parameters.traffic.Check(&topology->graph); });
        }
        else
        {
            m_parameters.fabrics = GetDrawnFabrics(values);
        }
        const auto isSame = isGiven && values.Has("members");
        if (!values.Has("runs"))
        {
            m_parameters.runs = isSame ? 1 : 100;
        }
        else if (isSame && m_parameters.runs > 1)
        {
            values.Refuse("runs",
                          "with one fabric and " + values.Show("members") +
                              " all runs would be the same; expected 1");
        }
    }

  private:
    /// Takes what traffic there is beside barriers.
    void ReadTraffic(const OptionValues& values)
    {
        auto& p = m_parameters;
        p.traffic = TrafficOptions::Read(values, nullptr);
        TrafficOptions::RefuseWithout(values, "rounds");
        if (p.traffic.IsThere() && !values.Has("reduction"))
        {
            p.reductions = {"simulated"}; // the others are of a fabric that nobody shares
        }
    }

    std::vector<BarrierStudy::Fabric> GetDrawnFabrics(const OptionValues& values) const
    {
        const std::pair<const char*, std::size_t> sizes[] = {
            {"switches", m_switches.size()},
            {"hosts", m_hosts.size()},
            {"ports", m_ports.size()},
            {"connectivity", m_connectivities.size()}};
        std::size_t count = 1;
        for (const auto& [name, size] : sizes)
        {
            count = std::max(count, size);
        }
        for (const auto& [name, size] : sizes)
        {
            if (size != 1 && size != count)
            {
                values.Refuse(name,
                              std::to_string(size) + " values, but another option names " +
                                  std::to_string(count) + " fabrics; expected 1 or as many");
            }
        }
        std::vector<BarrierStudy::Fabric> fabrics(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            auto& drawn = fabrics[i].drawn;
            drawn.switches = Entry(m_switches, i);
            drawn.hosts = Entry(m_hosts, i);
            drawn.ports = Entry(m_ports, i);
            drawn.connectivity = Entry(m_connectivities, i);
            drawn.law = IrregularTopologyHelper::ModelByName(m_law);
        }
        return fabrics;
    }

    BarrierStudy m_parameters;            ///< what is asked of the study
    std::vector<uint32_t> m_switches;     ///< numbers of switches of the fabrics drawn
    std::vector<uint32_t> m_hosts;        ///< numbers of hosts
    std::vector<uint32_t> m_ports;        ///< ports of a switch
    std::vector<double> m_connectivities; ///< ratios of ports in use
    std::string m_law;                    ///< how cables are drawn
};

} // namespace

const CsvTable&
BarrierStudy::GetTable()
{
    using Is = CsvColumn;
    constexpr int RATIO = 4;
    const auto countsLeaves = [](const CsvRow& row) { return !row["leaves"].Text().empty(); };
    static const auto table = TrafficColumns::AddTo(
        LatencyParts::AddTo(
            CsvTable{
                {"scheme: Scheme: btin, multicast, unicast or the name of another barrier"},
                {"reduction: Reduction: in-switch, simulated, ideal, paper-inferred or "
                 "paper-inferred-serial"},
                {"btin_timing: Whether messages take flit times: flits, they do; paper, they do "
                 "not"},
                {"switches: Number of switches", Is::WHOLE},
                {"hosts: Number of hosts", Is::WHOLE},
                {"connectivity: Ratio of the switches' ports in use", RATIO},
                {"law: How cables were drawn; file: they were given"},
                {"group_size: Number of members", Is::WHOLE},
                {"runs: Number of runs", Is::WHOLE},
                {"latency_us_mean (us): Latency since all came until the last one left, mean",
                 Is::NUMBER},
                {"latency_us_ci95 (us): Half width of that mean's 95 % interval; nan for one run",
                 Is::NUMBER},
                {"latency_us_model (us): Latency by the closed form, mean; nan: there is none",
                 Is::NUMBER},
                {"message_hops_mean: Links crossed by messages in one barrier", Is::NUMBER},
                {"flit_hops_mean: Links crossed by flits in one barrier", Is::NUMBER},
                {"height_mean: Height of the barrier tree, h; 0: the scheme has none", Is::NUMBER},
                {"edges_mean: Edges of the barrier tree, E; 0: the scheme has none", Is::NUMBER},
                {"start_ups_mean: Messages that hosts send in one barrier", Is::NUMBER},
                {"root_messages_mean: Messages that the root's host sends or takes in one barrier",
                 Is::NUMBER},
                {"message_bytes_mean (bytes): Length of the longest message, addresses included",
                 Is::NUMBER},
                {"setup_us_mean (us): Time until the group is ready", Is::NUMBER},
                {"root_switch: Root switch of the barrier tree; empty with several runs"},
                {"root_host: Root host of the barrier tree; empty with several runs"}}
                .AddOptional(
                    countsLeaves,
                    {{"leaves: Which leaves count: deepest or all; empty: not told"},
                     {"leaves_mean: Leaves of the barrier tree", Is::NUMBER},
                     {"deepest_leaves_mean: Leaves of the barrier tree at its greatest depth",
                      Is::NUMBER},
                     {"equal_trees_mean: Trees as high and with as many edges, that one included",
                      Is::NUMBER},
                     {"other_root_mean: Fraction of the groups whose root would differ if the "
                      "other "
                      "leaves counted",
                      Is::NUMBER}})),
        {"latency_us_p99"});
    return table;
}

const CsvTable&
BarrierStudy::GetPublished()
{
    static const auto table =
        PublishedFigures{
            "id,quantity,scheme,switches,hosts,connectivity,group_size,value,unit,"
            "source,where,reproducible,why",
            {{"source", {"paper"}}, {"quantity", {"latency", "latency_factor", "traffic_factor"}}},
            ""}
            .MakeTable(GetTable());
    return table;
}

std::unique_ptr<StudyDefinition>
MakeBarrierStudy()
{
    return std::make_unique<BarrierStudyDefinition>();
}

} // namespace ns3
