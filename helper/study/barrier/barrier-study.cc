// SPDX-License-Identifier: GPL-2.0-only

#include "barrier-run.h"

#include "ns3/fabric-options.h"
#include "ns3/latency-parts.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/study-definition.h"
#include "ns3/study-makers.h"
#include "ns3/study-rows.h"
#include "ns3/tree-worm-header.h"
#include "ns3/worker-pool.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-error.h"

#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

const std::string BARRIER_USAGE =
    "Compares barriers in the switches of a wormhole fabric (btin) with barriers by messages among "
    "n members: multicast (n messages to the root, which answers with one tree worm) and unicast "
    "(2 n messages). Assumes that all switches have registers and tree worms, even if the "
    "machine's switches have none.\n\n"
    "Examples:\n"
    "  btin-comparison\n"
    "      75 switches, 256 hosts, connectivity 0.75, 100 random fabrics; CSV to standard output\n"
    "  btin-comparison --switches=75,300 --hosts=256,1024 --csv=size.csv --plots=plots\n"
    "      two fabric sizes, as in Figures 6 and 7 of Moh et al. (2001), with plots\n"
    "  btin-comparison --connectivity=0.7,0.9 --schemes=btin,multicast --groupSizes=64,256\n"
    "      two connectivities, as in Figure 8\n"
    "  btin-comparison --fabric=cluster.json --members=h1,h4,h17\n"
    "      your own fabric and group\n"
    "  btin-comparison --topology=torus:8x8,hosts=2,routing=up-down --groupSizes=8,32,128\n"
    "      a fabric with a regular topology\n"
    "  btin-comparison --schemes=btin,dissemination,tree[Tree=fibo] --startUp=300ns\n"
    "      software barriers compared with those in the switches, on faster hosts\n"
    "  btin-comparison --topology=torus:8x8,hosts=2 --groupSizes=8,32 --runs=10 --load=0.02 "
    "--rounds=100\n"
    "      with other traffic, and the 99th percentile of the latency\n"
    "  btin-comparison --fromCsv=a.csv,b.csv --plots=plots --published=data/btin-published.csv\n"
    "      plots of earlier results, with the paper's values\n\n"
    "Reductions (models of the upward phase of a barrier by messages):\n"
    "  simulated       messages wait for each other in the simulated fabric\n"
    "  ideal           each message travels as if alone in the fabric\n"
    "  paper-inferred  the latency of btin plus n t_r / (f k - p / q), an inference about how the "
    "published values were obtained; multicast only. n: members; t_r: switch delay; f k - p / q: "
    "mean cables of a switch to others (f: connectivity, k: ports, p: hosts, q: switches)\n"
    "  paper-inferred-serial  another inference: t_s + n t_r / (f k - p / q), plus one phase of "
    "btin; t_s: start-up time of a message";

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
                {"btin_timing: Whether flits take time: flits = yes, paper = no"},
                {"switches: Number of switches", Is::WHOLE},
                {"hosts: Number of hosts", Is::WHOLE},
                {"connectivity: Fraction of the switches' ports in use", RATIO},
                {"law: Rule by which cables were chosen at random; file: the fabric was given"},
                {"group_size: Number of members", Is::WHOLE},
                {"runs: Number of runs", Is::WHOLE},
                {"latency_us_mean (us): Mean time from when all members have entered until the "
                 "last has left",
                 Is::NUMBER},
                {"latency_us_ci95 (us): Half width of that mean's 95 % interval; nan for one run",
                 Is::NUMBER},
                {"latency_us_model (us): Mean latency by the closed form; nan: there is none",
                 Is::NUMBER},
                {"message_hops_mean: Links crossed by messages in one barrier", Is::NUMBER},
                {"flit_hops_mean: Links crossed by flits in one barrier", Is::NUMBER},
                {"height_mean: Height of the barrier tree, h; 0: the scheme has none", Is::NUMBER},
                {"edges_mean: Edges of the barrier tree, E; 0: the scheme has none", Is::NUMBER},
                {"start_ups_mean: Messages that hosts send in one barrier", Is::NUMBER},
                {"root_messages_mean: Messages that the root's host sends or receives in one "
                 "barrier",
                 Is::NUMBER},
                {"message_bytes_mean (bytes): Length of the longest message, addresses included",
                 Is::NUMBER},
                {"setup_us_mean (us): Time until the group is ready", Is::NUMBER},
                {"root_switch: Root switch of the barrier tree; empty with several runs"},
                {"root_host: Root host of the barrier tree; empty with several runs"}}
                .AddOptional(
                    countsLeaves,
                    {{"leaves: Leaves that count (--leaves): deepest or all; empty: option not "
                      "set"},
                     {"leaves_mean: Leaves of the barrier tree", Is::NUMBER},
                     {"deepest_leaves_mean: Leaves of the barrier tree at its greatest depth",
                      Is::NUMBER},
                     {"equal_trees_mean: Number of trees with the chosen tree's height and number "
                      "of edges, that tree included",
                      Is::NUMBER},
                     {"other_root_mean: Fraction of the groups whose root would differ with the "
                      "other value of --leaves",
                      Is::NUMBER}})),
        {"latency_us_p99"});
}

/// Stream of random numbers that draws the order of a fabric's hosts; FABRIC draws the fabric.
constexpr int64_t MEMBERS = StudyGraph::STREAM + 1;

/// Scheme, reduction and timing of rows.
using Case = std::tuple<std::string, std::string, std::string>;

bool
IsSchemeOfPaper(const std::string& scheme)
{
    return scheme == "btin" || scheme == "multicast" || scheme == "unicast";
}

struct Cell
{
    std::vector<SampleSummary> columns; ///< what runs found, in the order of GetMeans
    SampleSummary rounds;               ///< latencies of all runs' rounds beside traffic, us

    /// @return columns that are means over runs, of the latency first
    static const std::vector<std::string>& GetMeans(const CsvTable& table)
    {
        static const auto means = [&] {
            const auto names =
                MadeOf(table.GetColumns(), [](const auto& column) { return column.name; });
            return ThoseOf(names, [](const auto& name) {
                const auto end = name.rfind("_mean");
                return (end != std::string::npos && end + 5 == name.size()) ||
                       name == "latency_us_model";
            });
        }();
        return means;
    }

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

/// Compares barriers in the switches with barriers by messages, over random fabrics and
/// groups: the evaluation of Moh et al. (2001), for their fabrics or one's own.
///
/// All members come at one instant, after the group is ready; a barrier's latency is the time from
/// then until the last member has left. Run r uses ns-3's run number r + 1: stream 0 draws the
/// fabric, stream 1 an order of its hosts, whose first n are the group of size n. So a row is the
/// same whatever else is asked for, and on every machine.
///
/// Schemes, and for each the reductions, that is, how the first phase is looked at:
///
/// - btin: in-switch. Barrier registers in switches combine and spread.
/// - multicast: every member sends a message to the root, which answers with one tree worm.
///   simulated is the fabric as it is; ideal lets no message wait for another (see
///   BarrierModel); paper-inferred adds n t_r / (f k - p / q) to the latency of btin, which
///   comes near the published figures but is an inference about how they were made, no more.
///   paper-inferred-serial is another one: the first phase takes t_s and that time, the second what
///   one phase of btin takes. Hops of both are those of ideal.
/// - unicast: every member sends to the root, which answers each. simulated and ideal.
///
/// Closed form: for btin 2 (t_s + d t_p + (d + 1) t_r) with d = h + 2; for paper-inferred that and
/// the same addition, for paper-inferred-serial half of that and t_s and the same addition; else
/// BarrierModel::model. One member waits for nobody: all are 0.
///
/// Messages take flit times, which published latencies leave out. For btin this study does so too,
/// on a second fabric whose flits take 1 ps, unless told otherwise.
class BarrierStudy : public StudyDefinition
{
  public:
    BarrierStudy()
        : StudyDefinition(
              {"btin-comparison",
               "barriers",
               "Compares barriers in the switches of a fabric with barriers by messages.",
               BARRIER_USAGE,
               "a row for each fabric, scheme, reduction and group size; mean latency, its "
               "interval",
               true},
              MakeBarrierTable(),
              MakeBarrierPlots)
    {
        Add({"switches=75,300 (75) [list 1..1000000]: Numbers of switches; the i-th is combined "
             "with the i-th number of hosts",
             "hosts=256,1024 (256) [list 1..1000000]: Numbers of hosts; a single number applies to "
             "all numbers of switches",
             "ports=8 (8) [list 2..65535]: Ports of each switch",
             "connectivity=0.7,0.9 (0.75) [list ratio 0..1]: Fractions of ports in use; a single "
             "one, or one for each number of switches",
             {"law=recursive (recursive): Rule by which cables are chosen at random",
              IrregularTopologyHelper::GetModelNames()}});
        Add(FabricOptions::GetParameters("random fabrics", ""));
        AddPlacement("shuffled",
                     100,
                     {"scheme", "reduction", "btin_timing", "switches", "hosts", "group_size"},
                     "latency_us_mean",
                     "",
                     "members");
        Add({"groupSizes=2,4,8 [list 1..1000000]: Sizes of groups; default: powers of two, and the "
             "number of hosts (or of members, if these are named)",
             "schemes=btin,multicast (btin,multicast,unicast) [list]: Schemes to compare; also any "
             "other barrier, such as dissemination",
             {"reduction=simulated (simulated,ideal,paper-inferred) [list]: How the first phase of "
              "a barrier by messages is modelled",
              {"simulated", "ideal", "paper-inferred", "paper-inferred-serial"}},
             "runs=100 [1..1000000]: Number of random fabrics and groups; default: 100, or 1 for "
             "one fabric with a fixed placement",
             SeedKeeper::PARAMETER,
             "startUp=2us (2us) [time]: Start-up time of a message, t_s"});
        Add(FabricOptions::GetDelays());
        Add({"addressSize=2 bytes (2) [bytes 0..65535]: Length of an address in a tree worm's "
             "header",
             {"headerEncoding=bit-string (addresses): How a tree worm's header encodes its "
              "destinations",
              TreeWormHeader::GetNames()},
             {"btinTiming=flits,paper (flits) [list]: Whether flits take time in btin: flits = "
              "yes, as in all other schemes; paper = no; each value has its own rows",
              {"flits", "paper"}},
             {"leaves=all (deepest): Of trees of equal height and number of edges, the one with "
              "the fewest leaves is chosen, counting all leaves or the deepest. If set, columns "
              "show leaves, and in what part of the groups all and deepest choose other roots",
              {"all", "deepest"}},
             "explain: Break mean latencies down into host software, interfaces, wires, switches "
             "and waiting (columns and a plot); with --load, also give the waiting that the "
             "traffic causes"});
        AddTraffic(true);
        AddPublished(
            {"id,quantity,scheme,switches,hosts,connectivity,group_size,value,unit,"
             "source,where,reproducible,why",
             {{"source", {"paper"}}, {"quantity", {"latency", "latency_factor", "traffic_factor"}}},
             ""});
        AddExclusion("fabric", StudyGraph::GetOptions());
        AddExclusion("topology", StudyGraph::GetOptions());
        AddExclusion("placements", {"runs"});
        AddCondition({"addressSize", "headerEncoding"},
                     "the scheme multicast",
                     HasOneOf("schemes", {"multicast"}));
        AddCondition({"btinTiming", "leaves"}, "the scheme btin", HasOneOf("schemes", {"btin"}));
    }

    void Measure(const ProgressListener& progress) override
    {
        Check();
        const SeedKeeper seedKeeper(Get<uint32_t>("seed"));
        const auto pieces = m_runs * static_cast<uint32_t>(m_fabrics.size());
        Rows fabricRows;
        std::vector<Cell> cells;
        m_rows.clear();
        m_remarks.clear();
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
                    if (m_nPlacements > 0)
                    {
                        m_remarks.push_back(Describe(fabricRows[i]) + ": " +
                                            cells[i].columns.front().DescribeSpread());
                    }
                }
                m_rows.insert(m_rows.end(), fabricRows.begin(), fabricRows.end());
                cells.clear();
            }
            TellProgress(progress, "runs", piece + 1, pieces);
        };
        WorkerPool(GetJobs()).Run(pieces, work, take);
    }

    std::vector<std::string> GetRemarks() const override
    {
        return m_remarks;
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        m_reductions = Get<Words>("reduction");
        m_leaves = values.Has("leaves") ? Get<std::string>("leaves") : "";
        if (values.Has("startUp"))
        {
            m_setup.software.SetSoftwareAttribute("StartUp", TimeValue(Get<Time>("startUp")));
        }
        FabricOptions::SetDelays(values, m_setup.fabrics);
        values.Check("schemes", [&] {
            for (const auto& scheme : Get<Words>("schemes"))
            {
                if (!IsSchemeOfPaper(scheme))
                {
                    CollectiveHelper::MakeBarrier(scheme)->Dispose();
                }
            }
        });
        m_setup.traffic = TrafficOptions::Read(values, nullptr);
        if (m_setup.traffic.IsThere() && !values.Has("reduction"))
        {
            m_reductions = {"simulated"}; // the others are of a fabric that nobody shares
        }
        const auto isGiven = FabricOptions::Has(values);
        if (isGiven)
        {
            const auto topology = FabricOptions::Read(values);
            m_fabrics.resize(1);
            m_fabrics[0].given = std::make_shared<FabricGraph>(topology->graph);
            m_setup.fabrics.SetRouter(topology->router);
            values.Check("pattern", [&] { m_setup.traffic.Check(&topology->graph); });
        }
        else
        {
            ReadDrawnFabrics(values);
        }
        for (const auto& fabric : m_fabrics)
        {
            ReadPlacement(values, WithoutCables(fabric), {values.Get("placement")});
        }
        const auto isSame = isGiven && !JobPlacement::IsRandom(m_job.law);
        m_runs = m_nPlacements > 0 ? m_nPlacements : Get<uint32_t>("runs");
        if (!values.Has("runs") && m_nPlacements == 0)
        {
            m_runs = isSame ? 1 : 100;
        }
        else if (isSame && m_runs > 1)
        {
            values.Refuse("runs",
                          "with one fabric and " + values.Show("placement", m_job.law) +
                              " all runs would be the same; expected 1");
        }
    }

  private:
    void ReadDrawnFabrics(const OptionValues& values)
    {
        const auto& switches = Get<Wholes>("switches");
        const auto& hosts = Get<Wholes>("hosts");
        const auto& ports = Get<Wholes>("ports");
        const auto& connectivities = Get<Ratios>("connectivity");
        const std::pair<const char*, std::size_t> sizes[] = {
            {"switches", switches.size()},
            {"hosts", hosts.size()},
            {"ports", ports.size()},
            {"connectivity", connectivities.size()}};
        const auto count =
            GreatestOf(std::size_t{1}, sizes, [](const auto& each) { return each.second; });
        for (const auto& [name, size] : sizes)
        {
            if (size != 1 && size != count)
            {
                values.Refuse(name,
                              std::to_string(size) + " values, but another option names " +
                                  std::to_string(count) + " fabrics; expected 1 or as many");
            }
        }
        const auto get = [](const auto& list, std::size_t i) {
            return list.size() == 1 ? list[0] : list[i];
        };
        const auto law = IrregularTopologyHelper::ModelByName(Get<std::string>("law"));
        m_fabrics.resize(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            m_fabrics[i].drawn = {get(switches, i),
                                  get(ports, i),
                                  get(connectivities, i),
                                  get(hosts, i),
                                  law};
        }
    }

    /// @return the fabric given, or one that has no cables yet but all names of those drawn
    static FabricGraph WithoutCables(const StudyGraph& fabric)
    {
        const auto& drawn = fabric.drawn;
        return fabric.given ? *fabric.given : FabricGraph(drawn.switches, drawn.hosts, drawn.ports);
    }

    /// @return what rows are asked for, in their order: of each scheme the chosen reductions that
    /// it has, which is in-switch for btin, and simulated alone for other barriers than the
    /// paper's; timings are those chosen for btin, that of the paper for inferences, else flits
    std::vector<Case> GetCases() const
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

    Wholes GetSizes(uint32_t hosts) const
    {
        if (!Get<Wholes>("groupSizes").empty())
        {
            return Get<Wholes>("groupSizes");
        }
        if (!JobPlacement::IsRule(m_job.law))
        {
            return {m_job.hosts};
        }
        Wholes sizes;
        for (uint32_t size = 2; size < hosts; size *= 2)
        {
            sizes.push_back(size);
        }
        sizes.push_back(hosts);
        return sizes;
    }

    void Check() const
    {
        const auto cases = GetCases();
        WormholeError::ThrowIf(
            cases.empty(),
            "none of the schemes supports any of the reductions; expected btin, multicast with "
            "simulated, ideal, paper-inferred and paper-inferred-serial, and unicast with "
            "simulated and ideal");
        CheckTraffic();
        const auto isFlitless =
            AnyOf(cases, [](const Case& of) { return std::get<2>(of) == "paper"; });
        WormholeError::ThrowIf(isFlitless && m_setup.traffic.IsThere(),
                               "btinTiming 'paper' uses a fabric whose flits take no time, so "
                               "traffic would have no effect; expected flits");
        WormholeError::ThrowIf(isFlitless && PicoSeconds(1).IsZero(),
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
            CheckSizes(WithoutCables(fabric));
        }
    }

    void CheckTraffic() const
    {
        if (!m_setup.traffic.IsThere())
        {
            return;
        }
        m_setup.traffic.Check(m_fabrics.size() == 1 ? m_fabrics[0].given.get() : nullptr);
        for (const auto& reduction : m_reductions)
        {
            WormholeError::ThrowIf(reduction != "simulated",
                                   "reduction '" + reduction +
                                       "' is computed as if no message waited, so traffic would "
                                       "have no effect; expected simulated");
        }
    }

    void CheckSizes(const FabricGraph& graph) const
    {
        const auto isRule = JobPlacement::IsRule(m_job.law);
        const auto most = isRule ? graph.GetNFirstInterfaces() : m_job.hosts;
        std::set<uint32_t> sizes;
        for (const auto size : Get<Wholes>("groupSizes"))
        {
            const auto what = "groupSizes: " + std::to_string(size);
            WormholeError::ThrowIf(size > most,
                                   what + " is not accepted; expected 1 to " +
                                       std::to_string(most) + ", the number of " +
                                       (isRule ? "hosts" : "members named"));
            WormholeError::ThrowIf(!sizes.insert(size).second,
                                   what + " is given twice; expected each size once");
        }
    }

    Rows MakeRows(const StudyGraph& fabric) const
    {
        const auto graph = WithoutCables(fabric);
        CsvRow row(m_table);
        row["switches"] = graph.GetNSwitches();
        row["hosts"] = graph.GetNHosts();
        row["connectivity"] = fabric.given ? IrregularTopologyHelper::GetConnectivity(graph)
                                           : fabric.drawn.connectivity;
        row["law"] = fabric.given ? "file" : IrregularTopologyHelper::NameOf(fabric.drawn.law);
        row["runs"] = m_runs;
        row["leaves"] = m_leaves;
        row["explained"] = Get<bool>("explain") ? "yes" : "";
        TrafficColumns::Set(row, m_setup.traffic);
        Rows rows;
        for (const auto& wanted : GetCases())
        {
            std::tie(row["scheme"], row["reduction"], row["btin_timing"]) = wanted;
            for (const auto size : GetSizes(graph.GetNFirstInterfaces()))
            {
                row["group_size"] = size;
                rows.push_back(row);
            }
        }
        return rows;
    }

    /// Does the run whose number ns-3's seed manager has. @return the fabric's rows, with what this
    /// run found in place of means
    Rows DoRun(const StudyGraph& fabric) const
    {
        const SimulationScope ownSimulation;
        auto rows = MakeRows(fabric);
        const auto graph = fabric.Make();
        const auto place = [&](uint32_t size) {
            return JobPlacement(graph, {m_job.law, size}).Draw(MEMBERS, 1);
        };
        MeasureBarriers(graph, *this, m_setup, place, rows);
        return rows;
    }

    std::vector<StudyGraph> m_fabrics; ///< fabrics, one after the other
    Words m_reductions;                ///< reductions in the order of rows
    uint32_t m_runs{100};              ///< runs of each fabric
    std::string m_leaves;              ///< leaves to tell of, with what the choice changes
    Words m_remarks;                   ///< how latencies spread over placements
    BarrierSetup m_setup;              ///< what barriers run on
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeBarrierStudy()
{
    return std::make_unique<BarrierStudy>();
}

} // namespace ns3
