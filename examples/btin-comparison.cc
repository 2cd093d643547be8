/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Compares barriers in the switches of an irregular fabric (BTIN) with barriers by messages: the
// evaluation of Moh et al. (2001), Figures 6 to 8, or the same for one's own fabric. Writes CSV and
// plots. See doc/wormhole.rst, "The barrier study", and --help.

#include "ns3/barrier-plots.h"
#include "ns3/barrier-study.h"
#include "ns3/fabric-options.h"
#include "ns3/program-options.h"
#include "ns3/study-program.h"

#include <algorithm>
#include <memory>

using namespace ns3;

namespace
{

/// Name of the program, which begins its messages.
const std::string PROGRAM = "btin-comparison";

/// What --help says of the program.
const std::string USAGE =
    "Compares barriers in the switches of a wormhole fabric (btin) with barriers by messages\n"
    "(multicast: n messages to the root and one tree worm; unicast: 2 n messages).\n"
    "\n"
    "Examples:\n"
    "  btin-comparison\n"
    "      75 switches, 256 hosts, connectivity 0.75, 100 random fabrics; CSV to standard output\n"
    "  btin-comparison --switches=75,300 --hosts=256,1024 --csv=size.csv --plots=plots\n"
    "      two sizes of fabrics, as in Figures 6 and 7 of Moh et al. (2001), with plots\n"
    "  btin-comparison --connectivity=0.7,0.9 --schemes=btin,multicast --groupSizes=64,256\n"
    "      two connectivities, as in Figure 8\n"
    "  btin-comparison --fabric=cluster.json --members=h1,h4,h17\n"
    "      one's own fabric and group\n"
    "  btin-comparison --topology=torus:8x8,hosts=2,routing=up-down --groupSizes=8,32,128\n"
    "      a fabric of a regular family\n"
    "  btin-comparison --fromCsv=a.csv,b.csv --plots=plots --published=data/btin-published.csv\n"
    "      plots of earlier results, with the paper's figures drawn in\n"
    "\n"
    "Reductions, that is, how the first phase of a barrier by messages is looked at:\n"
    "  simulated       the fabric as it is: messages wait for each other\n"
    "  ideal           every message as if it had the fabric for itself\n"
    "  paper-inferred  n t_r / (f k - p / q) added to the latency of btin: an inference about how\n"
    "                  the published figures were made; multicast only, unicast has no such row";

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add("switches", "75,300", "Numbers of switches, paired with hosts by position", "75");
    options.Add("hosts", "256,1024", "Numbers of hosts; a single one goes with all", "256");
    options.Add("ports", "8", "Ports of each switch", "8");
    options.Add("connectivity", "0.7,0.9", "Ratios of ports in use; paired likewise", "0.75");
    options.Add("law",
                "recursive",
                "How cables are drawn: recursive, walk or pairing",
                "recursive");
    FabricOptions::Add(options, "drawn ones");
    options.Add("members", "h1,h2", "Names of the members' hosts; random without it");
    options.Add("groupSizes", "2,4,8", "Sizes of groups; powers of two and all hosts without it");
    options.Add("schemes", "btin,multicast", "Schemes to compare", "btin,multicast,unicast");
    options.Add("reduction",
                "simulated",
                "Reductions, see above",
                "simulated,ideal,paper-inferred");
    options.Add("runs", "100", "Random fabrics and groups [100; 1 with one fabric and --members]");
    options.Add("seed", "1", "Seed of random numbers", "1");
    options.Add("startUp", "2us", "Start-up time of a message, t_s", "2us");
    options.Add("linkDelay", "20ns", "Propagation delay of a cable, t_p", "20ns");
    options.Add("switchDelay", "300ns", "Delay of a switch and of an interface, t_r", "300ns");
    options.Add("addressSize", "2", "Bytes of an address in a tree worm's header", "2");
    options.Add("btinTiming",
                "paper",
                "Whether messages of btin take flit times: paper, they don't; flits, they do",
                "paper");
    StudyOutput::AddOptions(options);
    options.Add("published", "FILE", "Published figures to draw in, CSV");
}

/// @return an entry of a list for the fabric at a position
/// @param list one entry, or one for each fabric @param position the position
template <typename T>
T
Entry(const std::vector<T>& list, std::size_t position)
{
    return list.size() == 1 ? list[0] : list[position];
}

/// @return the fabrics to draw @param options the options
std::vector<BarrierStudyParameters::Fabric>
ReadDrawnFabrics(const ProgramOptions& options)
{
    const auto switches = options.GetWholes("switches", 1, 1000000);
    const auto hosts = options.GetWholes("hosts", 1, 1000000);
    const auto ports = options.GetWholes("ports", 2, 65535);
    const auto connectivities = options.GetRatios("connectivity");
    const auto count =
        std::max({switches.size(), hosts.size(), ports.size(), connectivities.size()});
    const auto check = [&](const char* name, std::size_t size) {
        if (size != 1 && size != count)
        {
            options.Refuse(name,
                           std::to_string(size) + " values, but another option names " +
                               std::to_string(count) + " fabrics; accepted are 1 or as many");
        }
    };
    check("switches", switches.size());
    check("hosts", hosts.size());
    check("ports", ports.size());
    check("connectivity", connectivities.size());
    std::vector<BarrierStudyParameters::Fabric> fabrics(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        auto& drawn = fabrics[i].drawn;
        drawn.switches = Entry(switches, i);
        drawn.hosts = Entry(hosts, i);
        drawn.ports = Entry(ports, i);
        drawn.connectivity = Entry(connectivities, i);
        drawn.law = IrregularTopologyHelper::LawByName(
            options.GetWord("law", {"recursive", "walk", "pairing"}));
    }
    return fabrics;
}

/// @return what is asked of the study @param options the options
BarrierStudyParameters
ReadParameters(const ProgramOptions& options)
{
    BarrierStudyParameters parameters;
    parameters.members = options.GetWords("members");
    if (FabricOptions::Has(options))
    {
        const auto topology = FabricOptions::Read(options);
        parameters.fabrics[0].given = std::make_shared<FabricGraph>(topology->graph);
        parameters.fabricHelper.SetRouter(topology->router);
    }
    else
    {
        parameters.fabrics = ReadDrawnFabrics(options);
    }
    const bool fixed = FabricOptions::Has(options) && options.Has("members");
    parameters.runs = fixed ? 1 : 100;
    if (options.Has("runs"))
    {
        parameters.runs = options.GetWhole("runs", 1, 1000000);
        if (fixed && parameters.runs > 1)
        {
            options.Refuse(
                "runs",
                "with one fabric and --members all runs would be the same; accepted is 1");
        }
    }
    parameters.seed = options.GetWhole("seed", 1, BarrierStudyParameters::GREATEST_SEED);
    parameters.groupSizes = options.GetWholes("groupSizes", 1, 1000000);
    parameters.schemes = options.GetWords("schemes", BarrierStudyParameters::GetSchemes());
    parameters.reductions = options.GetWords("reduction", BarrierStudyParameters::GetReductions());
    parameters.addressSize = options.GetBytes("addressSize", 0, 65535);
    parameters.btinTakesFlitTime = options.GetWord("btinTiming", {"paper", "flits"}) == "flits";
    if (options.Has("startUp"))
    {
        parameters.collectiveHelper.SetSoftwareAttribute("StartUp",
                                                         TimeValue(options.GetTime("startUp")));
    }
    if (options.Has("linkDelay"))
    {
        parameters.fabricHelper.SetChannelAttribute(
            "Delay",
            TimeValue(options.GetTimeAboveZero("linkDelay")));
    }
    if (options.Has("switchDelay"))
    {
        const TimeValue delay(options.GetTime("switchDelay"));
        parameters.fabricHelper.SetSwitchAttribute("Delay", delay);
        parameters.fabricHelper.SetDeviceAttribute("Delay", delay);
    }
    return parameters;
}

/// Does what the command line asks for. @param options the options
void
RunStudy(const ProgramOptions& options)
{
    for (const auto name : {"fabric", "topology"})
    {
        options.RefuseTogether(name, {"switches", "hosts", "ports", "connectivity", "law"});
    }
    StudyOutput output(PROGRAM,
                       options,
                       {"switches",
                        "hosts",
                        "ports",
                        "connectivity",
                        "law",
                        "fabric",
                        "topology",
                        "members",
                        "groupSizes",
                        "schemes",
                        "reduction",
                        "runs",
                        "seed",
                        "startUp",
                        "linkDelay",
                        "switchDelay",
                        "addressSize",
                        "btinTiming"},
                       {"published"});
    std::vector<PublishedFigure> published;
    if (options.Has("published"))
    {
        published = PublishedFigure::Read(options.Get("published"));
    }
    const auto rows = output.GetRows<BarrierStudyRow>(BarrierStudyRow::Read, [&] {
        const BarrierStudy study(ReadParameters(options));
        ProgressLine line(PROGRAM, options.Has("progress"));
        return study.Run([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
    });
    output.WriteCsv([&](std::ostream& os) { BarrierStudyRow::Write(os, rows); });
    output.MakePlots([&](const std::string& directory, const std::string& prefix) {
        return BarrierPlots(rows, published).Write(directory, prefix);
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    return StudyProgram{PROGRAM, __FILE__, USAGE, AddOptions, RunStudy}.Main(argc, argv);
}
