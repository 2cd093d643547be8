// SPDX-License-Identifier: GPL-2.0-only

#include "load-search.h"

#include "ns3/double.h"
#include "ns3/fabric-options.h"
#include "ns3/ordering.h"
#include "ns3/simulation-scope.h"
#include "ns3/string.h"
#include "ns3/study-definition.h"
#include "ns3/study-makers.h"
#include "ns3/study-rows.h"
#include "ns3/uinteger.h"
#include "ns3/worker-pool.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-program-options.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// First stream of traffic.
constexpr int64_t TRAFFIC = StudyGraph::STREAM + 1;

std::string
Examples()
{
    return SumOf(GetTopologyExamples(),
                 [](const std::string& example) { return "  " + example + "\n"; });
}

std::string
GetUsage()
{
    return "Measures latency and throughput of a fabric over the load that its hosts offer, and "
           "the load at which the fabric saturates.\n\n"
           "Examples:\n"
           "  latency-load\n"
           "      75 switches, 256 hosts, uniform traffic, worms of 64 flits; CSV to standard "
           "output\n"
           "  latency-load --flits=64,1024 --csv=latency.csv --plots=plots\n"
           "      two lengths of worms, with plots\n"
           "  latency-load --pattern=hotspot --hotFraction=0.05 --hotHost=h7 "
           "--loads=0.005,0.01,0.02\n"
           "      a hot host, at three loads\n"
           "  latency-load --fabric=cluster.json --flits=bimodal:8:1024:0.1 --arrivals=periodic\n"
           "      your own fabric; one worm in ten is long\n"
           "  latency-load --topology=clos:ports=16 --pattern=permutation\n"
           "      a fabric with a regular topology\n"
           "  latency-load --runs=10 --bufferDepth=1024 --ns3::WormholeFabric::FlitSize=2\n"
           "      means over ten random fabrics; attributes of the fabric\n"
           "  latency-load --preset=booksim --flits=4 --loads=0.1,0.2 --noSearch\n"
           "      as BookSim would: its defaults, latencies in cycles, rates in flits per cycle\n"
           "  latency-load --fromCsv=a.csv,b.csv --plots=plots\n"
           "      plots of earlier results\n\n"
           "Loads are fractions of a channel's rate, for each host that sends. A load above "
           "capacity is marked as saturated and has no latency.\n\n"
           "Patterns:\n"
           "  uniform         to a random other host\n"
           "  permutation     each host to one other host, drawn once\n"
           "  transpose       hosts form a square; each sends to its mirror image across the "
           "diagonal\n"
           "  bit-reversal    to the host whose number has the same bits in reverse order\n"
           "  hotspot         a fraction of all worms to one host, the others as in uniform\n"
           "  nearest-switch  to a random host among those that are the fewest cables away\n\n"
           "Topologies, for example:\n" +
           Examples() +
           "\n"
           "With --preset=booksim a cycle is a flit time, and hosts' interfaces take no time. "
           "Defaults are topology torus:8x8,hosts=1,routing=dateline, flits 1, bufferDepth 8, "
           "linkDelay one cycle and switchDelay three cycles; further columns hold what BookSim 2 "
           "prints.\n\n"
           "--scheduler sets SchedulerType; its default, Wormhole, is faster than ns-3's Map; "
           "results are the same.";
}

CsvTable
MakeLoadTable()
{
    using Is = CsvColumn;
    constexpr int RATIO = 4;
    constexpr int LOAD = 6; // loads of large fabrics are small
    return CsvTable{
        {"switches: Number of switches", Is::WHOLE},
        {"hosts: Number of hosts", Is::WHOLE},
        {"connectivity: Fraction of the switches' ports in use", RATIO},
        {"topology: Name of the topology"},
        {"run: Number of the run, from 1", Is::WHOLE},
        {"pattern: Traffic pattern"},
        {"arrivals: When hosts generate worms: poisson or periodic"},
        {"flits: Length of worms"},
        {"load: Requested load, as a fraction of a channel's rate", LOAD},
        {"offered: Load offered during the measurement", LOAD},
        {"accepted: Load delivered during the measurement", LOAD},
        {"state: State: steady, saturated or unsettled", {"steady", "saturated", "unsettled"}},
        {"latency_us_mean (us): Mean latency of a worm", Is::NUMBER},
        {"latency_us_ci95 (us): Half width of that mean's 95 % interval", Is::NUMBER},
        {"latency_us_p99 (us): Latency that 99 % of the worms do not exceed", Is::NUMBER},
        {"worms: Worms delivered during the measurement", Is::WHOLE},
        {"warm_up_us (us): Warm-up time before measurement", Is::NUMBER},
        {"queue_growth: Flits by which queues grew, as a fraction of those generated", RATIO},
        {"worst_growth: Worms by which the worst source's queue grew, as a fraction of those that "
         "a source generates on average",
         RATIO},
        {"saturation_low: Highest steady load; nan without a search, or if simulations were too "
         "short",
         LOAD},
        {"saturation_high: Lowest measured load above saturation_low that was judged unsteady; nan "
         "without a search, or if no load up to 1 was unsteady",
         LOAD}}
        .AddOptional(
            [](const CsvRow& row) { return row["lost"] > 0; },
            {{"lost: Flits of worms stopped by outages, as a fraction of those generated", RATIO}})
        .AddOptional(
            [](const CsvRow& row) { return row["cycle_ns"] > 0; },
            {{"cycle_ns (ns): Length of a cycle, one flit time", Is::NUMBER},
             {"injected_flit_rate (flits/cycle): Flits that a node generates", LOAD},
             {"accepted_flit_rate (flits/cycle): Flits that a node receives", LOAD},
             {"packet_latency (cycles): Mean time from generating a packet to its tail's arrival",
              Is::NUMBER},
             {"network_latency (cycles): Mean time from when a packet's head enters the network to "
              "its tail's arrival",
              Is::NUMBER},
             {"warm_up (cycles): Warm-up time before measurement", Is::NUMBER},
             {"measured (cycles): Length of the measurement", Is::NUMBER}})
        .SetCheck([](const CsvFile& file, std::size_t index, const CsvRow& row) {
            if (!(row["load"] > 0))
            {
                file.Refuse(index, "load", "a number above 0");
            }
            if ((row["state"].Text() == "steady") != (row["latency_us_mean"] > 0))
            {
                file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
            }
        });
}

std::string
DescribeLoad(const CsvRow& row)
{
    std::ostringstream text;
    text << std::setprecision(4) << "run " << row["run"].Whole() << ", " << row["flits"].Text()
         << " flits, load " << double(row["load"]) << ": accepted " << double(row["accepted"])
         << ", " << row["state"].Text();
    if (!std::isnan(row["latency_us_mean"]))
    {
        text << std::fixed << std::setprecision(3) << ", " << double(row["latency_us_mean"])
             << " +- " << double(row["latency_us_ci95"]) << " us";
    }
    return text.str();
}

/// Latency and throughput of a fabric over the offered load, up to where it is saturated. For each
/// run and length of worms, the load from which on the fabric is saturated is found by bisection
/// between 0 and 1, to 2 %: below it the fabric is steady, above it saturated or at least
/// unsettled. Loads that this looks at are part of the result. Then come the loads asked for, or
/// else some ten round ones up to the first run's saturation and one or two beyond. Run i uses
/// ns-3's run number i. Stream 0 draws the fabric, so that BarrierStudy draws the same one; traffic
/// uses the streams after it, the same ones for every load and length.
class LatencyLoadStudy : public StudyDefinition
{
  public:
    /// @param allWorms worms of all hosts in a simulation, where that is more for each
    explicit LatencyLoadStudy(uint64_t allWorms)
        : StudyDefinition({"latency-load",
                           "latency_load",
                           "Measures latency and throughput over the load that hosts offer, and "
                           "the load at which the fabric saturates.",
                           GetUsage(),
                           "a row for each run, length and load; a saturated load has no latency",
                           true},
                          MakeLoadTable(),
                          MakeLatencyLoadPlots),
          m_allWorms(allWorms)
    {
        Add({"switches=75 (75) [1..1000000]: Number of switches",
             "hosts=256 (256) [1..1000000]: Number of hosts",
             "ports=8 (8) [2..65535]: Ports of each switch",
             "connectivity=0.75 (0.75) [ratio 0..1]: Fraction of ports in use",
             {"law=recursive (recursive): Rule by which cables are chosen at random",
              IrregularTopologyHelper::GetModelNames()}});
        Add(FabricOptions::GetParameters("random fabrics", ""));
        Add({"root=first (first): Root of up*/down* routes: first, degree, center or the name of a "
             "switch",
             {"pattern=uniform (uniform): Traffic pattern",
              WormholeTrafficHelper::GetPatternNames()},
             "hotFraction=0.1 (0.1) [ratio 0..1] ns3::HotspotPattern::Fraction: Fraction of worms "
             "sent to the hot host",
             "hotHost=h0 ns3::HotspotPattern::Host: Name of the hot host; default: the first host",
             {"arrivals=poisson (poisson) ns3::WormholeTraffic::Arrivals: When hosts generate "
              "worms",
              {"poisson", "periodic"}},
             "flits=64,1024 (64) [list]: Lengths of worms, each FLITS, uniform:MIN:MAX, "
             "bimodal:SHORT:LONG:RATIO or geometric:MEAN",
             "loads=0.05,0.1 [list ratio 0..10] ns3::WormholeTraffic::Load: Offered loads, "
             "fractions of a channel's rate; default: about ten, up to saturation",
             "noSearch: Do not search for saturation",
             {"preset=booksim: Defaults and units of another simulator", {"booksim"}},
             "worms=2048 (2048) [1..10000000]: Worms per host in a full-length simulation, but at "
             "least 131072 in total",
             "runs=10 (1) [1..1000000]: Number of random fabrics, or of random traffic streams on "
             "one fabric",
             SeedKeeper::PARAMETER});
        Add(FabricOptions::GetDelays());
        Add({"bufferDepth=56 flits (0) [0..1000000000]: Depth of input buffers (0: enough for the "
             "cable's round trip)",
             {"scheduler=PriorityQueue (Wormhole): Event scheduler: this module's, or one of "
              "ns-3's; the results are the same",
              ProgramOptions::GetSchedulerNames()}});
        AddExclusion("fabric", StudyGraph::GetOptions());
        AddExclusion("topology", StudyGraph::GetOptions());
        AddNeed({"hotFraction", "hotHost"}, "pattern", "hotspot");
        AddCondition({"worms"},
                     "a higher value: at least " + std::to_string(m_allWorms) +
                         " worms are simulated in total",
                     [this](const OptionValues&) {
                         constexpr uint32_t USUAL = 2048;
                         const auto hosts =
                             m_fabric.given ? m_fabric.given->GetNHosts() : m_fabric.drawn.hosts;
                         return std::max(Get<uint32_t>("worms"), USUAL) * uint64_t{hosts} >
                                m_allWorms;
                     });
        AddRefusal([](const OptionValues& values) {
            if (values.Has("topology") && values.Has("root"))
            {
                values.Refuse("root",
                              "has no effect with " + values.Show("topology") + "; expected " +
                                  values.Show("topology",
                                              values.Get("topology") +
                                                  ",routing=up-down,root=" + values.Get("root")));
            }
            if (values.Has("noSearch") && !values.Has("loads"))
            {
                values.Refuse("noSearch",
                              "leaves no loads to measure; use it with " +
                                  values.Show("loads", "0.05,0.1") + " or the like");
            }
        });
    }

    void Measure(const ProgressListener& progress) override
    {
        uint32_t done = 0;
        const std::function<void(const CsvRow&)> tell = [&](const CsvRow& row) {
            // How many loads there will be follows from what is found.
            TellProgress(progress, DescribeLoad(row).c_str(), ++done, 0);
        };
        const SeedKeeper seedKeeper(Get<uint32_t>("seed"));
        const auto& lengths = Get<Words>("flits");
        std::vector<LoadSearch> curves;
        for (uint32_t run = 1; run <= Get<uint32_t>("runs"); ++run)
        {
            for (const auto& length : lengths)
            {
                curves.emplace_back(m_table, run, length);
            }
        }
        const WorkerPool pool(GetJobs());
        if (!Get<bool>("noSearch"))
        {
            const auto pieces = static_cast<uint32_t>(curves.size());
            const bool isHere = pool.GetWorkers(pieces) == 1;
            const auto work = [&](uint32_t piece) {
                auto& curve = curves[piece];
                curve.Search(GetMeasurement(curve), isHere ? tell : nullptr);
                return m_table.Pack(curve.GetRows());
            };
            const auto take = [&](uint32_t piece, const std::string& found) {
                const auto rows = m_table.Unpack(found);
                curves[piece].Take(rows);
                if (!isHere)
                {
                    std::for_each(rows.begin(), rows.end(), tell);
                }
            };
            pool.Run(pieces, work, take);
        }
        std::vector<std::pair<std::size_t, double>> pieces; // curve and load
        for (std::size_t i = 0; i < curves.size(); ++i)
        {
            // The first run's saturation tells which loads are looked at in all.
            const auto loads = Get<Ratios>("loads").empty()
                                   ? curves[i % lengths.size()].ChooseLoads()
                                   : Get<Ratios>("loads");
            for (const auto load : std::set<double>(loads.begin(), loads.end()))
            {
                if (!curves[i].Has(load))
                {
                    pieces.emplace_back(i, load);
                }
            }
        }
        const auto work = [&](uint32_t piece) {
            const auto& [number, load] = pieces[piece];
            auto& curve = curves[number];
            return m_table.Pack({curve.Measure(GetMeasurement(curve), load)});
        };
        const auto take = [&](uint32_t piece, const std::string& found) {
            const auto row = m_table.Unpack(found).front();
            curves[pieces[piece].first].Add(row);
            tell(row);
        };
        pool.Run(static_cast<uint32_t>(pieces.size()), work, take);
        m_rows.clear();
        for (const auto& curve : curves)
        {
            curve.AppendTo(m_rows);
        }
    }

    std::vector<std::string> GetRemarks() const override
    {
        const auto n = std::count_if(m_rows.begin(), m_rows.end(), [](const auto& row) {
            return std::isnan(row["accepted"]);
        });
        if (n == 0)
        {
            return {};
        }
        return {std::to_string(n) + " of " + std::to_string(m_rows.size()) +
                " loads were not judged: the simulation was shorter than several times a worm's "
                "transit time; increase --worms"};
    }

  protected:
    std::map<std::string, std::string> GetPreset(const OptionValues& values) const override
    {
        if (!values.Has("preset"))
        {
            return {};
        }
        const auto cycle = CreateObject<WormholeFabric>()->GetFlitTime();
        const auto cycles = [&](int64_t n) {
            return std::to_string((n * cycle).GetPicoSeconds()) + "ps";
        };
        std::map<std::string, std::string> preset{{"flits", "1"},
                                                  {"bufferDepth", "8"},
                                                  {"linkDelay", cycles(1)},
                                                  {"switchDelay", cycles(3)}};
        auto others = StudyGraph::GetOptions();
        others.emplace_back("root");
        const bool isDrawn = AnyOf(others, [&](const auto& name) { return values.Has(name); });
        if (!isDrawn && !FabricOptions::Has(values))
        {
            preset["topology"] =
                "torus:8x8,hosts=1" + std::string(values.Has("routing") ? "" : ",routing=dateline");
        }
        return preset;
    }

    void Validate(const OptionValues& values) override
    {
        m_fabric.drawn = {Get<uint32_t>("switches"),
                          Get<uint32_t>("ports"),
                          Get<double>("connectivity"),
                          Get<uint32_t>("hosts"),
                          IrregularTopologyHelper::ModelByName(Get<std::string>("law"))};
        FabricOptions::SetDelays(values, m_fabrics);
        if (values.Has("preset"))
        {
            m_fabrics.SetDeviceAttribute("Delay", TimeValue(Time(0)));
        }
        if (values.Has("root"))
        {
            m_fabrics.SetRoutingRoot(values.Get("root"));
        }
        if (values.Has("bufferDepth"))
        {
            m_fabrics.SetPortAttribute("BufferDepth", UintegerValue(Get<uint32_t>("bufferDepth")));
        }
        ProgramOptions::UseScheduler(Get<std::string>("scheduler"));
        for (const auto& flits : Get<Words>("flits"))
        {
            values.Check("flits", [&] { WormLength::Parse(flits); });
        }
        if (FabricOptions::Has(values))
        {
            RngSeedManager::SetSeed(Get<uint32_t>("seed")); // for one that is drawn
            RngSeedManager::SetRun(1);
            const auto topology = FabricOptions::Read(values);
            m_fabric.given = std::make_shared<FabricGraph>(topology->graph);
            m_givenName = FabricOptions::GetText(values);
            const auto& routing = topology->graph.GetRoutes().routing;
            if (!values.Has("root"))
            {
                m_fabrics.SetRouter(topology->router);
            }
            else if (routing != "up-down")
            {
                values.Refuse(
                    "root",
                    "has no effect on the routes of " + m_givenName + ", which are " + routing +
                        "; expected " +
                        values.Show("routing", "up-down[Root=" + values.Get("root") + "]"));
            }
        }
    }

  private:
    LoadMeasurement::Setup MakeSetup(const FabricGraph& graph, const std::string& flits) const
    {
        LoadMeasurement::Setup setup;
        setup.fabrics = m_fabrics;
        setup.traffic.SetAttribute("Arrivals", StringValue(Get<std::string>("arrivals")));
        setup.traffic.SetPattern(Get<std::string>("pattern"));
        if (Get<std::string>("pattern") == "hotspot")
        {
            setup.traffic.SetPatternAttribute("Fraction", DoubleValue(Get<double>("hotFraction")));
            const auto& name = Get<std::string>("hotHost");
            const auto node = name.empty() ? graph.HostAt(0) : graph.Find(name);
            WormholeError::ThrowIf(node == FabricGraph::NONE || graph.IsSwitch(node),
                                   "hot host '" + name +
                                       "' is no host of the fabric; expected its " +
                                       std::to_string(graph.GetNHosts()) + " hosts, " +
                                       graph.GetName(graph.HostAt(0)) + " to " +
                                       graph.GetName(graph.HostAt(graph.GetNHosts() - 1)));
            setup.traffic.SetPatternAttribute("Host", UintegerValue(node - graph.GetNSwitches()));
        }
        setup.flits = flits;
        setup.worms = Get<uint32_t>("worms");
        setup.allWorms = m_allWorms;
        setup.stream = TRAFFIC;
        setup.hasNetworkLatency = !Get<std::string>("preset").empty();
        setup.traffic.MakePattern(graph, TRAFFIC); // refuses one that does not fit
        return setup;
    }

    /// @return what measures loads of a curve, with its fabric, which are kept for the next one;
    /// ns-3's run number is set
    const LoadMeasurement& GetMeasurement(LoadSearch& curve)
    {
        auto& row = curve.GetCommon();
        RngSeedManager::SetRun(row["run"].Whole());
        if (row["run"] != m_run)
        {
            m_measurement.reset();
            m_graph.emplace(m_fabric.Make());
            m_run = row["run"].Whole();
        }
        if (!m_measurement || row["flits"].Text() != m_flits)
        {
            m_flits = row["flits"].Text();
            m_measurement.emplace(*m_graph, MakeSetup(*m_graph, m_flits));
        }
        row["switches"] = m_graph->GetNSwitches();
        row["hosts"] = m_graph->GetNHosts();
        row["connectivity"] = IrregularTopologyHelper::GetConnectivity(*m_graph);
        row["topology"] =
            m_fabric.given ? m_givenName
                           : "irregular:law=" + IrregularTopologyHelper::NameOf(m_fabric.drawn.law);
        row["pattern"] = Get<std::string>("pattern");
        row["arrivals"] = Get<std::string>("arrivals");
        return *m_measurement;
    }

    StudyGraph m_fabric;                          // given, or drawn for each run
    std::string m_givenName;                      // name of the one given, in the result
    WormholeHelper m_fabrics;                     // builds fabrics
    const uint64_t m_allWorms;                    // of all hosts, where that is more for each
    uint32_t m_run{0};                            // whose fabric this is; 0: none's
    std::string m_flits;                          // length of worms
    std::optional<FabricGraph> m_graph;           // the fabric
    std::optional<LoadMeasurement> m_measurement; // measures loads on it
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeLatencyLoadStudy(uint64_t allWorms)
{
    return std::make_unique<LatencyLoadStudy>(allWorms);
}

std::unique_ptr<StudyDefinition>
MakeLatencyLoadStudy()
{
    constexpr uint64_t ALL_WORMS = 131072;
    return MakeLatencyLoadStudy(ALL_WORMS);
}

} // namespace ns3
