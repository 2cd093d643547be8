// SPDX-License-Identifier: GPL-2.0-only

// Cost of simulating a fabric: random traffic compared with ns-3's bare event loop, and barriers.
// See doc/testing/performance.rst and --help.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <unistd.h>

using namespace ns3;

namespace
{

const std::string PROGRAM = "fabric-benchmark";

/// Options that select what is measured, for which there are defaults and targets.
const std::vector<std::string> SETUP{"fabrics", "loads", "flits", "worms", "members", "algorithms"};

const std::string USAGE =
    "Measures the CPU time and the events that simulating a fabric takes: per barrier, and per "
    "worm-hop (one worm on one channel). For comparison, measures two empty events in ns-3's "
    "loop, with as many others pending as the fabric has. Writes CSV to standard output. Machines "
    "are noisy: compare ratios. Takes about four minutes.\n\n"
    "Examples:\n"
    "  fabric-benchmark\n"
    "      fabrics of 75 switches with 256 hosts and of 300 switches with 1024 hosts, at low load "
    "and near saturation; the first fabric also with cables of three rates; the first fabric and a "
    "torus also with buffers of 1024 flits and several lanes or route choices\n"
    "  fabric-benchmark --targets\n"
    "      with a table, at the end, of targets and of the values reached\n"
    "  fabric-benchmark --fabrics=torus:8x8,hosts=2 --flits=64 --loads=0.05,0.1\n"
    "      your own fabric and loads; ';' separates fabrics\n"
    "  fabric-benchmark --hosts=65536,1048576\n"
    "      seconds and memory of one barrier of all hosts of a large fabric\n"
    "  fabric-benchmark --schedulers=Wormhole,PriorityQueue,Map,Heap,Calendar --flits=2\n"
    "      this module's scheduler compared with ns-3's";

/// What a fabric is measured for; each kind has its own targets.
enum class Kind : uint8_t
{
    PLAIN,       ///< what one lane costs, cables of one rate
    THREE_RATES, ///< cables of three rates
    LANES,       ///< what several lanes cost (S11)
    CHOICES      ///< what adaptive routes cost (S12)
};

/// A fabric that is measured.
struct Fabric
{
    std::string name;          ///< in the CSV
    std::string topology;      ///< for MakeTopology
    std::vector<double> loads; ///< low load, and near saturation for worms of any length
    Kind kind{Kind::PLAIN};    ///< what it shows
    /// Depth of buffers in flits if they must hold whole worms (S11), so that longer worms aren't
    /// measured; 0: that of --bufferDepth.
    uint64_t depth{0};
};

/// @return the fabrics that are measured by default
std::vector<Fabric>
GetDefaultFabrics()
{
    // Worms of 1024 flits saturate the first two fabrics at 0.0184 and 0.0049 (latency-load), and
    // those with lanes 1 to 5 % above the loads below (as measured here, with 200,000 worms).
    // Shorter worms saturate them later.
    constexpr uint64_t DEEP = 1024;
    const std::string drawn = "irregular:switches=75,hosts=256";
    const std::string torus = "torus:8x8,hosts=4,routing=";
    return {{"75/256", drawn, {0.002, 0.018}},
            {"300/1024", "irregular:switches=300,hosts=1024", {0.0005, 0.0048}},
            {"75/256 of three rates",
             drawn + ",rates=640Mbps+1280Mbps+2560Mbps",
             {0.006},
             Kind::THREE_RATES},
            {"75/256 of 4 lanes",
             drawn + ",routing=turn-prohibition[Lanes=4]",
             {0.041},
             Kind::LANES,
             DEEP},
            {"75/256 dfsssp", drawn + ",routing=dfsssp", {0.039}, Kind::LANES, DEEP},
            {"8x8 dateline", torus + "dateline", {0.1}, Kind::LANES, DEEP},
            {"8x8 adaptive", torus + "adaptive", {0.165}, Kind::CHOICES, DEEP}};
}

void
AddOptions(ProgramOptions& options)
{
    options.Add("fabrics",
                "torus:8x8,hosts=2",
                "Topologies as for latency-load, separated by ';'; needs --loads");
    FabricOptions::Add(options, "two irregular fabrics; needs --loads");
    options.Add("loads", "0.01,0.05", "Offered loads per host; default: low, and near saturation");
    options.Add("flits", "2,64,1024", "Lengths of worms", "2,64,1024,100000");
    options.Add("worms", "100000", "Worms per measurement", "100000");
    options.Add("algorithms",
                "btin,dissemination",
                "Barriers, by the names that CollectiveHelper::MakeBarrier takes",
                "btin,dissemination");
    options.Add("members",
                "1024",
                "Number of members of each barrier (the first hosts); 0: no barriers. On fabrics "
                "with fewer hosts, no barriers are measured",
                "1024");
    options.Add("barriers", "20", "Barriers per measurement", "20");
    options.Add("repeats",
                "40",
                "Repetitions of each measurement. It has parts of some ms: of each part, the "
                "shortest time of all repetitions counts",
                "20");
    options.Add("bufferDepth",
                "56",
                "Depth of input buffers in flits; 0: enough for the cable's round trip",
                "0");
    options.Add("schedulers",
                "Wormhole,PriorityQueue",
                "Wormhole, or ns-3's schedulers PriorityQueue, Map, Heap, Calendar",
                "Wormhole");
    options.Add("csv", "FILE", "CSV file for traffic; default: standard output");
    options.Add("barrierCsv", "FILE", "CSV file for barriers; default: standard output");
    options.Add("hosts",
                "65536",
                "Instead of these measurements: build fabrics with these numbers of hosts, with "
                "300 switches per 1024 hosts, and run a barrier of all hosts");
    options.Add("switches", "19200", "With --hosts: switches of each fabric (300 per 1024 hosts)");
    options.AddSwitch("targets", "Print, at the end, targets and the values reached");
    options.AddSwitch("progress", "Report progress on standard error even if it is no terminal");
}

std::vector<Fabric>
ReadFabrics(const ProgramOptions& options)
{
    auto fabrics = GetDefaultFabrics();
    options.RefuseTogether("fabrics", {"fabric", "topology"});
    options.RefuseTogether("fabric", {"topology"});
    const auto isOne = FabricOptions::Has(options);
    if (isOne || options.Has("fabrics"))
    {
        if (!options.Has("loads"))
        {
            options.Refuse(isOne ? FabricOptions::GetName(options) : "fabrics",
                           "needs loads that suit them: --loads=0.01,0.05 or the like");
        }
        fabrics.clear();
        const auto add = [&fabrics](const std::string& text, std::string name) {
            std::replace(name.begin(), name.end(), ',', ' '); // it becomes a field of a CSV file
            fabrics.push_back({name, text, {}});
        };
        if (isOne)
        {
            const auto text = FabricOptions::GetText(options);
            add(text, options.Has("routing") ? text + " routing=" + options.Get("routing") : text);
        }
        else
        {
            auto texts = options.Get("fabrics") + ";";
            for (std::size_t end; (end = texts.find(';')) != std::string::npos;
                 texts.erase(0, end + 1))
            {
                add(texts.substr(0, end), texts.substr(0, end));
            }
        }
    }
    if (options.Has("loads"))
    {
        for (auto& fabric : fabrics)
        {
            fabric.loads = options.GetRatios("loads");
        }
    }
    return fabrics;
}

struct Results
{
    std::vector<FabricBenchmark::TrafficRow> traffic;  ///< rows of traffic
    std::vector<FabricBenchmark::BarrierRow> barriers; ///< rows of barriers
};

Results
Measure(const ProgramOptions& options)
{
    const auto fabrics = ReadFabrics(options);
    const auto lengths = options.GetWholes("flits", 1, 1000000000);
    const auto worms = options.GetWhole("worms", 100, 1000000000);
    const auto repeats = options.GetWhole("repeats", 1, 1000);
    const auto members = options.GetWhole("members", 0, 10000000);
    const auto barriers = options.GetWhole("barriers", 1, 1000000);
    const auto depth = options.GetWhole("bufferDepth", 0, 1000000000);
    const bool telling = options.Has("progress") || isatty(STDERR_FILENO);
    const auto algorithms = options.GetWords("algorithms");
    for (const auto& name : algorithms)
    {
        options.Check("algorithms", [&] { CollectiveHelper::MakeBarrier(name); });
    }
    std::vector<WormholeTopology> topologies;
    if (FabricOptions::Has(options))
    {
        topologies.push_back(*FabricOptions::Read(options));
    }
    else
    {
        options.Check("fabrics", [&] {
            for (const auto& fabric : fabrics)
            {
                topologies.push_back(MakeTopology(fabric.topology));
            }
        });
    }
    if (options.Has("barrierCsv") &&
        std::none_of(topologies.begin(), topologies.end(), [&](const WormholeTopology& topology) {
            return topology.graph.GetNHosts() >= members;
        }))
    {
        options.Refuse("barrierCsv",
                       "no fabric has the " + std::to_string(members) +
                           " hosts of a barrier; expected fewer --members");
    }
    Results results;
    for (const auto& scheduler :
         options.GetWords("schedulers", ProgramOptions::GetSchedulerNames()))
    {
        ProgramOptions::UseScheduler(scheduler);
        for (std::size_t i = 0; i < fabrics.size(); ++i)
        {
            const auto& graph = topologies[i].graph;
            WormholeHelper helper;
            helper.SetRouter(topologies[i].router);
            const auto wholeWorms = fabrics[i].depth;
            if (wholeWorms || options.Has("bufferDepth")) // else as --attribute says
            {
                helper.SetPortAttribute("BufferDepth",
                                        UintegerValue(wholeWorms ? wholeWorms : depth));
            }
            const FabricBenchmark benchmark(graph, helper, repeats);
            std::vector<FabricBenchmark::TrafficSetup> setups;
            for (const auto load : fabrics[i].loads)
            {
                for (const auto flits : lengths)
                {
                    if (wholeWorms == 0 || flits <= wholeWorms)
                    {
                        setups.push_back({fabrics[i].name, flits, load, worms});
                    }
                }
            }
            const auto watch = [&](const FabricBenchmark::TrafficSetup& setup, uint32_t repeat) {
                if (telling)
                {
                    std::cerr << PROGRAM << ": " << setup.fabric << ", " << scheduler
                              << ", worms of " << setup.flits << " flits at load " << setup.load
                              << ", " << repeat + 1 << " of " << repeats << std::endl;
                }
            };
            const auto rows = benchmark.MeasureTraffic(setups, watch);
            results.traffic.insert(results.traffic.end(), rows.begin(), rows.end());
            if (members > 0 && graph.GetNHosts() >= members)
            {
                const auto crossed =
                    benchmark.MeasureBarriers(fabrics[i].name, algorithms, members, barriers);
                results.barriers.insert(results.barriers.end(), crossed.begin(), crossed.end());
            }
        }
    }
    return results;
}

std::vector<ScaleBenchmark::Row>
MeasureScale(const ProgramOptions& options)
{
    options.RefuseTogether("hosts", SETUP);
    options.RefuseTogether("hosts",
                           {"barriers", "repeats", "bufferDepth", "barrierCsv", "targets"});
    constexpr uint32_t MOST = 16777216;
    constexpr uint32_t LEAST = 16; // fewer make no fabric of these switches
    const auto sizes = options.GetWholes("hosts", LEAST, MOST);
    const auto schedulers = options.GetWords("schedulers", ProgramOptions::GetSchedulerNames());
    if (schedulers.size() > 1)
    {
        options.Refuse("schedulers", "expected one with --hosts");
    }
    ProgramOptions::UseScheduler(schedulers.front());
    const bool telling = options.Has("progress") || isatty(STDERR_FILENO);
    std::vector<ScaleBenchmark::Row> rows;
    for (const auto hosts : sizes)
    {
        ScaleBenchmark::Setup setup;
        setup.hosts = hosts;
        setup.switches = options.Has("switches") ? options.GetWhole("switches", 1, MOST) : 0;
        if (telling)
        {
            std::cerr << PROGRAM << ": " << hosts << " hosts, " << schedulers.front()
                      << "; a million take about half a minute" << std::endl;
        }
        options.Check(options.Has("switches") ? "switches" : "hosts",
                      [&] { rows.push_back(ScaleBenchmark::Measure(setup)); });
    }
    return rows;
}

/// A target.
struct Target
{
    std::string what; ///< what it is
    double most;      ///< greatest value that reaches it
    double reached;   ///< greatest value found; below 0 if it was not measured
};

/// @return the greatest value of a figure in the wanted rows; -1 if there are none
template <typename ROW, typename WANTED>
double
Greatest(const std::vector<ROW>& rows, WANTED wanted, double ROW::* figure)
{
    double greatest = -1;
    for (const auto& row : rows)
    {
        greatest = wanted(row) ? std::max(greatest, row.*figure) : greatest;
    }
    return greatest;
}

/// @return the targets for the default fabrics and loads @param results the results
std::vector<Target>
GetTargets(const Results& results)
{
    using Row = FabricBenchmark::TrafficRow;
    constexpr uint64_t FIT = 56; // the default depth of buffers, flits
    std::map<std::string, Kind> kinds;
    std::map<std::string, double> highest;
    for (const auto& fabric : GetDefaultFabrics())
    {
        kinds[fabric.name] = fabric.kind;
        highest[fabric.name] = *std::max_element(fabric.loads.begin(), fabric.loads.end());
    }
    const auto is = [&](const Row& row, Kind kind) {
        const auto& name = row.setup.fabric;
        return kinds.at(name) == kind && row.setup.load == highest.at(name);
    };
    std::map<Kind, double> flatness{{Kind::PLAIN, -1}, {Kind::THREE_RATES, -1}};
    for (const auto& [fabric, kind] : kinds)
    {
        double least = 0;
        double most = 0;
        for (const auto& row : results.traffic)
        {
            if (row.setup.fabric == fabric && is(row, kind) && row.setup.flits > FIT)
            {
                least = least > 0 ? std::min(least, row.ratio) : row.ratio;
                most = std::max(most, row.ratio);
            }
        }
        auto& worst = flatness[kind];
        worst = least > 0 ? std::max(worst, most / least) : worst;
    }
    std::vector<Target> targets;
    const auto addTraffic =
        [&](const std::string& what, double mostEvents, double mostRatio, auto wanted) {
            targets.push_back({what + ": events a worm-hop",
                               mostEvents,
                               Greatest(results.traffic, wanted, &Row::eventsPerWormHop)});
            targets.push_back(
                {what + ": ratio", mostRatio, Greatest(results.traffic, wanted, &Row::ratio)});
        };
    const auto addBarrier =
        [&](const std::string& what, double most, const std::string& name, auto figure) {
            const auto isIt = [&](const auto& row) { return row.barrier == name; };
            targets.push_back({what, most, Greatest(results.barriers, isIt, figure)});
        };
    using Barrier = FabricBenchmark::BarrierRow;
    addTraffic("worms that fit the buffers", 2.2, 1.5, [&](const Row& row) {
        return is(row, Kind::PLAIN) && row.setup.flits <= FIT;
    });
    addTraffic("longer worms", 4, 2.5, [&](const Row& row) {
        return is(row, Kind::PLAIN) && row.setup.flits > FIT;
    });
    targets.push_back(
        {"longer worms: greatest ratio over least of a fabric", 1.1, flatness[Kind::PLAIN]});
    targets.push_back({"the same where cables have three rates", 1.1, flatness[Kind::THREE_RATES]});
    addTraffic("several lanes", 1, 2, [&](const Row& row) { return is(row, Kind::LANES); });
    addTraffic("choices", 1, 2, [&](const Row& row) { return is(row, Kind::CHOICES); });
    addBarrier("barrier in switches: events", 5500, "btin", &Barrier::eventsPerBarrier);
    addBarrier("barrier in switches: CPU, ms", 1, "btin", &Barrier::cpuMsPerBarrier);
    addBarrier("dissemination barrier: CPU, ms", 40, "dissemination", &Barrier::cpuMsPerBarrier);
    return targets;
}

void
TellTargets(const std::vector<Target>& targets)
{
    std::printf("\n%-52s %10s %10s\n", "Near saturation", "at most", "reached");
    for (const auto& target : targets)
    {
        if (target.reached >= 0)
        {
            std::printf("%-52s %10.4g %10.4g %s\n",
                        target.what.c_str(),
                        target.most,
                        target.reached,
                        target.reached <= target.most ? "" : "missed");
        }
    }
}

void
Run(const ProgramOptions& options)
{
    if (options.Has("switches") && !options.Has("hosts"))
    {
        options.Refuse("switches", "has no effect without --hosts=65536 or the like");
    }
    options.RefuseTogether("targets", SETUP);
    options.RefuseTogether("targets", {"schedulers", "bufferDepth"});
    options.RefuseSameFile({"csv", "barrierCsv"});
    if (options.Has("barrierCsv") && options.Get("members") == "0")
    {
        options.Refuse("barrierCsv", "there are no barriers with --members=0");
    }
    CsvOutput csv(options, "csv");
    if (options.Has("hosts"))
    {
        const auto rows = MeasureScale(options);
        csv.Write([&](std::ostream& os) { ScaleBenchmark::Write(os, rows); });
        return;
    }
    CsvOutput barrierCsv(options, "barrierCsv");
    const auto results = Measure(options);
    csv.Write([&](std::ostream& os) { FabricBenchmark::WriteTraffic(os, results.traffic); });
    if (!results.barriers.empty())
    {
        barrierCsv.Write(
            [&](std::ostream& os) { FabricBenchmark::WriteBarriers(os, results.barriers); });
    }
    if (options.Has("targets"))
    {
        TellTargets(GetTargets(results));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return OptionProgram{PROGRAM, __FILE__, USAGE, AddOptions, Run, false}.Main(argc, argv);
}
