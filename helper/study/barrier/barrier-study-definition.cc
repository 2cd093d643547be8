/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study.h"

#include "ns3/fabric-options.h"
#include "ns3/simulation-scope.h"
#include "ns3/study-fabric.h"
#include "ns3/study-makers.h"
#include "ns3/tree-worm-header.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-options.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

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

CsvTable
MakeBarrierTable()
{
    using Is = CsvColumn;
    constexpr int RATIO = 4;
    const auto countsLeaves = [](const CsvRow& row) { return !row["leaves"].Text().empty(); };
    return TrafficColumns::AddTo(
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
}

const CsvTable&
GetPublishedBarriers()
{
    static const auto table =
        PublishedFigures{
            "id,quantity,scheme,switches,hosts,connectivity,group_size,value,unit,"
            "source,where,reproducible,why",
            {{"source", {"paper"}}, {"quantity", {"latency", "latency_factor", "traffic_factor"}}},
            ""}
            .MakeTable(MakeBarrierTable());
    return table;
}

} // namespace

BarrierStudy::BarrierStudy()
    : TableStudy(
          {"btin-comparison",
           "barriers",
           "Compares barriers in the switches of a fabric with barriers by messages.",
           USAGE,
           "a row for each fabric, scheme, reduction and group size; latency_us_mean and its "
           "interval",
           true},
          MakeBarrierTable(),
          MakeBarrierPlots)
{
    Add({"switches=75,300 (75) [list 1..1000000]: Numbers of switches; the i-th goes with the "
         "i-th of hosts",
         "hosts=256,1024 (256) [list 1..1000000]: Numbers of hosts; a single one goes with all",
         "ports=8 (8) [list 2..65535]: Ports of each switch",
         "connectivity=0.7,0.9 (0.75) [list ratio 0..1]: Ratios of ports in use; one, or as "
         "many as switches",
         {"law=recursive (recursive): How cables are drawn",
          IrregularTopologyHelper::GetModelNames()}});
    AddFabric("drawn ones");
    Add({"members=h1,h2 [list]: Names of the members' hosts; random without it",
         "groupSizes=2,4,8 [list 1..1000000]: Sizes of groups; powers of two and all hosts "
         "without it",
         "schemes=btin,multicast (btin,multicast,unicast) [list]: Schemes to compare; besides "
         "these any barrier, such as dissemination",
         {"reduction=simulated (simulated,ideal,paper-inferred) [list]: How the first phase of "
          "a barrier by messages is modelled",
          {"simulated", "ideal", "paper-inferred", "paper-inferred-serial"}},
         "runs=100 [1..1000000]: Random fabrics and groups; without it 100, or 1 with one "
         "fabric and members",
         SeedKeeper::PARAMETER,
         "startUp=2us (2us) [time]: Start-up time of a message, t_s"});
    AddDelays();
    Add({"addressSize=2 bytes (2) [bytes 0..65535]: Length of an address in a tree worm's "
         "header",
         {"headerEncoding=bit-string (addresses): How a tree worm's header tells where it goes",
          TreeWormHeader::GetNames()},
         {"btinTiming=flits,paper (flits) [list]: Whether messages of btin take flit times: "
          "flits, they do, as those of all schemes; paper, they don't; a row for each",
          {"flits", "paper"}},
         {"leaves=all (deepest): Which leaves count when equally good barrier trees are "
          "compared; given, it adds columns of leaves, and of groups whose root would differ",
          {"all", "deepest"}},
         "explain: Tell what latencies go into: columns of hosts' software, interfaces, "
         "wires, switches and waiting, which together make the mean latency, and a plot of "
         "them; with --load also of the part of the waiting that the traffic causes"});
    AddTraffic(true);
    AddPublished(GetPublishedBarriers());
    AddExclusion("fabric", DRAWING);
    AddExclusion("topology", DRAWING);
    AddCondition({"addressSize", "headerEncoding"},
                 "the scheme multicast",
                 HasOneOf("schemes", {"multicast"}));
    AddCondition({"btinTiming", "leaves"}, "the scheme btin", HasOneOf("schemes", {"btin"}));
}

void
BarrierStudy::Validate(const OptionValues& values)
{
    m_reductions = Get<Words>("reduction");
    m_countsLeaves = values.Has("leaves");
    if (values.Has("startUp"))
    {
        m_software.SetSoftwareAttribute("StartUp", TimeValue(Get<Time>("startUp")));
    }
    FabricOptions::SetDelays(values, m_fabricHelper);
    values.Check("schemes", [&] {
        for (const auto& scheme : Get<Words>("schemes"))
        {
            if (!IsSchemeOfPaper(scheme))
            {
                CollectiveHelper::MakeBarrier(scheme)->Dispose();
            }
        }
    });
    m_traffic = TrafficOptions::Read(values, nullptr);
    TrafficOptions::RefuseWithout(values, "rounds");
    if (m_traffic.IsThere() && !values.Has("reduction"))
    {
        m_reductions = {"simulated"}; // the others are of a fabric that nobody shares
    }
    const auto isGiven = FabricOptions::Has(values);
    if (isGiven)
    {
        const auto topology = FabricOptions::Read(values);
        m_fabrics.resize(1);
        m_fabrics[0].given = std::make_shared<FabricGraph>(topology->graph);
        m_fabricHelper.SetRouter(topology->router);
        values.Check("pattern", [&] { m_traffic.Check(&topology->graph); });
    }
    else
    {
        m_fabrics = GetDrawnFabrics(values);
    }
    const auto isSame = isGiven && values.Has("members");
    m_runs = Get<uint32_t>("runs");
    if (!values.Has("runs"))
    {
        m_runs = isSame ? 1 : 100;
    }
    else if (isSame && m_runs > 1)
    {
        values.Refuse("runs",
                      "with one fabric and " + values.Show("members") +
                          " all runs would be the same; expected 1");
    }
}

std::vector<BarrierStudy::Fabric>
BarrierStudy::GetDrawnFabrics(const OptionValues& values) const
{
    const auto& switches = Get<Wholes>("switches");
    const auto& hosts = Get<Wholes>("hosts");
    const auto& ports = Get<Wholes>("ports");
    const auto& connectivities = Get<Ratios>("connectivity");
    const std::pair<const char*, std::size_t> sizes[] = {{"switches", switches.size()},
                                                         {"hosts", hosts.size()},
                                                         {"ports", ports.size()},
                                                         {"connectivity", connectivities.size()}};
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
    std::vector<Fabric> fabrics(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        auto& drawn = fabrics[i].drawn;
        drawn.switches = Entry(switches, i);
        drawn.hosts = Entry(hosts, i);
        drawn.ports = Entry(ports, i);
        drawn.connectivity = Entry(connectivities, i);
        drawn.law = IrregularTopologyHelper::ModelByName(Get<std::string>("law"));
    }
    return fabrics;
}

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

std::vector<BarrierStudy::Case>
BarrierStudy::GetCases() const
{
    std::vector<Case> cases;
    for (const auto& scheme : Get<Words>("schemes"))
    {
        for (const auto& timing : scheme == "btin" ? Get<Words>("btinTiming") : Words())
        {
            cases.emplace_back(scheme, "in-switch", timing);
        }
        for (const auto& reduction : scheme == "btin" ? Words() : m_reductions)
        {
            const auto isInferred = IsInferredReduction(reduction);
            if (isInferred ? scheme == "multicast"
                           : IsSchemeOfPaper(scheme) || reduction == "simulated")
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

bool
BarrierStudy::NeedsNoFlits() const
{
    const auto cases = GetCases();
    return std::any_of(cases.begin(), cases.end(), [](const Case& of) {
        return std::get<2>(of) == "paper";
    });
}

std::vector<uint32_t>
BarrierStudy::SizesFor(const Fabric& fabric) const
{
    if (!Get<Wholes>("groupSizes").empty())
    {
        return Get<Wholes>("groupSizes");
    }
    if (!Get<Words>("members").empty())
    {
        return {static_cast<uint32_t>(Get<Words>("members").size())};
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
    StudyCheck::RefuseIf(
        GetCases().empty(),
        "no scheme is asked for with a reduction that it has; expected btin, multicast with "
        "simulated, ideal, paper-inferred and paper-inferred-serial, and unicast with simulated "
        "and ideal");
    CheckTraffic();
    StudyCheck::RefuseIf(NeedsNoFlits() && PicoSeconds(1).IsZero(),
                         "a flit time of 1 ps is no whole number of ns-3 time units: call "
                         "Time::SetResolution(Time::PS) first");
    for (const auto& fabric : m_fabrics)
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
BarrierStudy::CheckTraffic() const
{
    if (!m_traffic.IsThere())
    {
        return;
    }
    m_traffic.Check(m_fabrics.size() == 1 ? m_fabrics[0].given.get() : nullptr);
    for (const auto& reduction : m_reductions)
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
    const auto n = graph.GetNFirstInterfaces();
    for (const auto& name : Get<Words>("members"))
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
    const auto& members = Get<Words>("members");
    const auto most = members.empty() ? graph.GetNFirstInterfaces() : members.size();
    std::set<uint32_t> sizes;
    for (const auto size : Get<Wholes>("groupSizes"))
    {
        const auto what = "groupSizes: " + std::to_string(size);
        StudyCheck::RefuseIf(size > most,
                             what + " is not accepted; expected 1 to " + std::to_string(most) +
                                 ", the number of " +
                                 (members.empty() ? "hosts" : "members named"));
        StudyCheck::RefuseIf(!sizes.insert(size).second,
                             what + " is there twice; expected each once");
    }
}

std::unique_ptr<StudyDefinition>
MakeBarrierStudy()
{
    return std::make_unique<BarrierStudy>();
}

} // namespace ns3
