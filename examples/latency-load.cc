/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Latency and throughput of a fabric over the load that its hosts offer, and the load at which it
// is saturated. Writes CSV and plots. See doc/traffic.rst and --help.

#include "ns3/fabric-options.h"
#include "ns3/latency-load-plots.h"
#include "ns3/latency-load-study.h"
#include "ns3/program-options.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/study-program.h"
#include "ns3/topology-factory.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <unistd.h>

using namespace ns3;

namespace
{

/// Name of the program, which begins its messages.
const std::string PROGRAM = "latency-load";

/// @return topologies, one a line
std::string
Examples()
{
    std::string lines;
    for (const auto& example : GetTopologyExamples())
    {
        lines += "  " + example + "\n";
    }
    return lines;
}

/// @return what the program is for
std::string
GetUsage()
{
    return "Latency and throughput of a wormhole fabric over the load that its hosts offer, and "
           "the load\n"
           "from which on it is saturated.\n"
           "\n"
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
           "      one's own fabric; a tenth of the worms is long\n"
           "  latency-load --topology=clos:ports=16 --pattern=permutation\n"
           "      a fabric of a regular family\n"
           "  latency-load --runs=10 --bufferDepth=1024 --ns3::WormholeFabric::FlitSize=2\n"
           "      means over ten random fabrics; attributes of the fabric\n"
           "  latency-load --fromCsv=a.csv,b.csv --plots=plots\n"
           "      plots of earlier results\n"
           "\n"
           "Loads are ratios of a channel's rate, for each host that sends. A load above capacity "
           "is\n"
           "told as saturated and has no latency. Patterns:\n"
           "  uniform         to a random other host\n"
           "  permutation     each host to one other host, drawn once\n"
           "  transpose       hosts in a square, to the place mirrored at its diagonal\n"
           "  bit-reversal    to the host whose number has the same bits in reverse order\n"
           "  hotspot         a fraction of all worms to one host, the others to a random other "
           "one\n"
           "  nearest-switch  to a random one of the hosts at the fewest cables away\n"
           "\n"
           "Topologies, for example:\n" +
           Examples() +
           "\n"
           "ns-3's global value SchedulerType is set by --scheduler, to Wormhole rather than "
           "ns-3's\n"
           "Map, which takes longer; results are the same.";
}

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add("switches", "75", "Number of switches", "75");
    options.Add("hosts", "256", "Number of hosts", "256");
    options.Add("ports", "8", "Ports of each switch", "8");
    options.Add("connectivity", "0.75", "Ratio of ports in use", "0.75");
    options.Add("law",
                "recursive",
                "How cables are drawn: recursive, walk or pairing",
                "recursive");
    FabricOptions::Add(options, "drawn ones");
    options.Add("root", "first", "Root of the routes: first, degree, center or a switch", "first");
    options.Add("pattern", "uniform", "Who sends to whom, see above", "uniform");
    options.Add("hotFraction", "0.1", "Fraction of the worms for the hot host", "0.1");
    options.Add("hotHost", "h0", "Name of the hot host; the first one without it");
    options.Add("arrivals", "poisson", "When hosts make worms: poisson or periodic", "poisson");
    options.Add("flits",
                "64,1024",
                "Lengths of worms, each FLITS, uniform:LEAST:GREATEST, bimodal:SHORT:LONG:RATIO "
                "or geometric:MEAN",
                "64");
    options.Add("loads", "0.05,0.1", "Offered loads; some ten up to saturation without it");
    options.AddSwitch("noSearch", "Do not look for saturation");
    options.Add("worms",
                "2048",
                "Worms of a host in a simulation of full length; 131072 in all at least",
                "2048");
    options.Add("runs", "10", "Random fabrics, or traffics of one fabric", "1");
    options.Add("seed", "1", "Seed of random numbers", "1");
    options.Add("linkDelay", "20ns", "Propagation delay of a cable", "20ns");
    options.Add("switchDelay", "300ns", "Delay of a switch and of an interface", "300ns");
    options.Add("bufferDepth",
                "56",
                "Depth of input buffers, flits; 0: the cable's round trip",
                "0");
    options.Add("scheduler",
                "PriorityQueue",
                "Wormhole, or ns-3's scheduler PriorityQueue, Map, Heap or Calendar",
                "Wormhole");
    StudyOutput::AddOptions(options);
}

/// @return the one ratio that an option has @param options the options @param name its name
double
ReadRatio(const ProgramOptions& options, const std::string& name)
{
    const auto ratios = options.GetRatios(name);
    if (ratios.size() != 1)
    {
        options.Refuse(name, "accepted is one number above 0, up to 1");
    }
    return ratios.front();
}

/// Reads the fabric of some family. @param options the options
/// @param parameters gets it
void
ReadTopology(const ProgramOptions& options, LatencyLoadStudy::Parameters& parameters)
{
    RngSeedManager::SetSeed(parameters.seed); // for one that is drawn
    RngSeedManager::SetRun(1);
    const auto topology = FabricOptions::Read(options);
    parameters.given = std::make_shared<FabricGraph>(topology->graph);
    parameters.givenName = FabricOptions::GetText(options);
    if (!options.Has("root"))
    {
        parameters.fabrics.SetRouter(topology->router);
    }
}

/// @return what is asked of the study @param options the options
LatencyLoadStudy::Parameters
ReadParameters(const ProgramOptions& options)
{
    LatencyLoadStudy::Parameters parameters;
    auto& drawn = parameters.drawn;
    drawn.switches = options.GetWhole("switches", 1, 1000000);
    drawn.hosts = options.GetWhole("hosts", 1, 1000000);
    drawn.ports = options.GetWhole("ports", 2, 65535);
    drawn.connectivity = ReadRatio(options, "connectivity");
    drawn.law = IrregularTopologyHelper::LawByName(
        options.GetWord("law", {"recursive", "walk", "pairing"}));
    parameters.pattern = options.GetWord("pattern", WormholeTrafficHelper::GetPatternNames());
    parameters.hotFraction = ReadRatio(options, "hotFraction");
    parameters.hotHost = options.Get("hotHost");
    parameters.arrivals = options.GetWord("arrivals", {"poisson", "periodic"});
    parameters.flits = options.GetWords("flits");
    for (const auto& flits : parameters.flits)
    {
        try
        {
            WormLength::Parse(flits);
        }
        catch (const WormholeError& error)
        {
            options.Refuse("flits", error.what());
        }
    }
    parameters.loads = options.GetRatios("loads", LatencyLoadStudy::GREATEST_LOAD);
    parameters.search = !options.Has("noSearch");
    parameters.worms = options.GetWhole("worms", 1, 10000000);
    parameters.runs = options.GetWhole("runs", 1, 1000000);
    parameters.seed = options.GetWhole("seed", 1, LatencyLoadStudy::GREATEST_SEED);
    auto& fabrics = parameters.fabrics;
    if (options.Has("root"))
    {
        fabrics.SetRoutingRoot(options.Get("root"));
    }
    if (FabricOptions::Has(options))
    {
        ReadTopology(options, parameters);
    }
    if (options.Has("linkDelay"))
    {
        fabrics.SetChannelAttribute("Delay", TimeValue(options.GetTimeAboveZero("linkDelay")));
    }
    if (options.Has("switchDelay"))
    {
        const TimeValue delay(options.GetTime("switchDelay"));
        fabrics.SetSwitchAttribute("Delay", delay);
        fabrics.SetDeviceAttribute("Delay", delay);
    }
    if (options.Has("bufferDepth"))
    {
        const UintegerValue depth(options.GetWhole("bufferDepth", 0, 1000000000));
        fabrics.SetPortAttribute("BufferDepth", depth);
    }
    return parameters;
}

/// Options that draw a fabric.
const std::vector<std::string> DRAWING{"switches", "hosts", "ports", "connectivity", "law"};

/// Refuses options that would have no effect. @param options the options
void
CheckTogether(const ProgramOptions& options)
{
    options.RefuseTogether("fabric", DRAWING);
    options.RefuseTogether("topology", DRAWING);
    if (options.Has("topology") && options.Has("root"))
    {
        options.Refuse(
            "root",
            "has no effect with --topology; accepted is --topology=" + options.Get("topology") +
                ",routing=up-down,root=" + options.Get("root"));
    }
    for (const auto name : {"hotFraction", "hotHost"})
    {
        if (options.Has(name) && options.Get("pattern") != "hotspot")
        {
            options.Refuse(name, "has no effect without --pattern=hotspot; accepted is both");
        }
    }
    options.RefuseAttribute("ns3::WormholeTraffic::Load", "loads");
    options.RefuseAttribute("ns3::WormholeTraffic::Arrivals", "arrivals");
    options.RefuseAttribute("ns3::HotspotPattern::Fraction", "hotFraction");
    options.RefuseAttribute("ns3::HotspotPattern::Host", "hotHost");
    if (options.Has("noSearch") && !options.Has("loads"))
    {
        throw WormholeError("--noSearch leaves no loads to measure; accepted is it with "
                            "--loads=0.05,0.1 or the like");
    }
}

/// @return options that make no sense with results of earlier runs
std::vector<std::string>
GetMeasuring()
{
    std::vector<std::string> measuring{"fabric",
                                       "topology",
                                       "root",
                                       "pattern",
                                       "hotFraction",
                                       "hotHost",
                                       "arrivals",
                                       "flits",
                                       "loads",
                                       "noSearch",
                                       "worms",
                                       "runs",
                                       "seed",
                                       "linkDelay",
                                       "switchDelay",
                                       "bufferDepth",
                                       "scheduler",
                                       "csv"};
    measuring.insert(measuring.end(), DRAWING.begin(), DRAWING.end());
    return measuring;
}

/// Tells on standard error what was found. @param row that
void
Tell(const LatencyLoadRow& row)
{
    std::fprintf(stderr,
                 "%s: run %u, %s flits, load %.4g: accepted %.4g, %s",
                 PROGRAM.c_str(),
                 row.run,
                 row.flits.c_str(),
                 row.load,
                 row.accepted,
                 row.state.c_str());
    if (!std::isnan(row.latencyUsMean))
    {
        std::fprintf(stderr, ", %.3f +- %.3f us", row.latencyUsMean, row.latencyUsCi95);
    }
    std::fputc('\n', stderr);
}

/// Does what the command line asks for. @param options the options
void
RunStudy(const ProgramOptions& options)
{
    CheckTogether(options);
    const auto scheduler = options.GetWord("scheduler", ProgramOptions::GetSchedulerNames());
    ProgramOptions::UseScheduler(scheduler);
    StudyOutput output(PROGRAM, options, GetMeasuring());
    const auto rows = output.GetRows<LatencyLoadRow>(LatencyLoadRow::Read, [&] {
        const LatencyLoadStudy study(ReadParameters(options));
        const bool telling = options.Has("progress") || isatty(STDERR_FILENO);
        return study.Run(telling ? Tell : LatencyLoadStudy::Progress());
    });
    output.WriteCsv([&](std::ostream& os) { LatencyLoadRow::Write(os, rows); });
    output.MakePlots([&](const std::string& directory, const std::string& prefix) {
        return LatencyLoadPlots(rows).Write(directory, prefix);
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    return StudyProgram{PROGRAM, __FILE__, GetUsage(), AddOptions, RunStudy}.Main(argc, argv);
}
