/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Barriers by remote writes (RDMA) against barriers by messages, on nodes of one task and of
// several: the comparison of Gupta et al. (2002), Figures 4 to 6, or the same for one's own costs
// and fabric. Writes CSV and plots. See doc/software-studies.rst and --help.

#include "ns3/program-options.h"
#include "ns3/published-barriers.h"
#include "ns3/rdma-plots.h"
#include "ns3/rdma-study.h"
#include "ns3/study-program.h"

#include <algorithm>

using namespace ns3;

namespace
{

/// Name of the program, which begins its messages.
const std::string PROGRAM = "rdma-barrier";

/// What --help says of the program.
const std::string USAGE =
    "Compares barriers by pairwise exchange: by remote writes (rdma), where tasks of a node meet "
    "by\n"
    "flags in shared memory and one of them exchanges, and by messages (send-receive), where all\n"
    "tasks exchange.\n"
    "\n"
    "Examples:\n"
    "  rdma-barrier\n"
    "      2 to 64 nodes of one task and two, costs of cluster 1 of Gupta et al. (2002)\n"
    "  rdma-barrier --nodes=2,3,8,16 --tasksPerNode=1,2 --csv=barriers.csv\n"
    "  rdma-barrier --preset=cluster-2 --nodes=8,16 --plots=plots\n"
    "            --published=data/rdma-published.csv\n"
    "      another cluster, with plots and the paper's figures drawn in\n"
    "  rdma-barrier --rdmaSend=2us --rdmaReceive=3us --flag=200ns --topology=torus:4x4\n"
    "      one's own costs and fabric\n"
    "\n"
    "A message or write between two hosts of one switch takes its send time and its receive time;\n"
    "longer ways on the fabric, and worms that wait for each other, come on top.";

/// Options that set costs.
const std::vector<std::string> COSTS{"rdmaSend",
                                     "rdmaReceive",
                                     "messageSend",
                                     "messageReceive",
                                     "flag"};

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add("preset",
                "cluster-2",
                "A cluster of the paper, cluster-1 to cluster-3, whose costs hold where no other "
                "option sets them",
                "cluster-1");
    options.Add("nodes", "2,3,8,16", "Numbers of nodes; 2 to 64 without it");
    options.Add("tasksPerNode", "1,2", "Numbers of tasks on each node", "1,2");
    options.Add("transports", "rdma", "What to compare", "rdma,send-receive");
    options.Add("rdmaSend", "5us", "How long a remote write keeps its sender busy");
    options.Add("rdmaReceive", "5us", "From then until the target has seen it");
    options.Add("messageSend", "7us", "How long a message keeps its sender busy");
    options.Add("messageReceive", "7us", "From then until the receiver has it");
    options.Add("flag",
                "500ns",
                "For a task to set a flag in memory that its node shares, and to see one");
    options.Add("barriers", "20", "Barriers to average over, one after the other", "20");
    StudyHosts::AddOptions(options, "");
    options.Add("published", "FILE", "Published figures to draw in, CSV");
    StudyOutput::AddOptions(options);
}

/// @return what is asked of the study @param options the options
RdmaStudy::Parameters
ReadParameters(const ProgramOptions& options)
{
    RdmaStudy::Parameters parameters;
    auto& costs = parameters.costs;
    costs = RdmaStudy::GetPreset(options.GetWord("preset", RdmaStudy::GetPresets()));
    Time* const times[] = {&costs.rdmaSend,
                           &costs.rdmaReceive,
                           &costs.messageSend,
                           &costs.messageReceive,
                           &costs.flag};
    for (std::size_t i = 0; i < COSTS.size(); ++i)
    {
        if (options.Has(COSTS[i]))
        {
            *times[i] = options.GetTime(COSTS[i]);
        }
    }
    parameters.transports = options.GetWords("transports", RdmaStudyRow::GetTransports());
    parameters.nodes = options.GetWholes("nodes", 1, 10000);
    for (uint32_t n = 2; !options.Has("nodes") && n <= 64; ++n)
    {
        parameters.nodes.push_back(n);
    }
    parameters.tasksPerNode = options.GetWholes("tasksPerNode", 1, 1000);
    parameters.barriers = options.GetWhole("barriers", 1, 1000000);
    parameters.hosts = StudyHosts::Read(options);
    options.Check("nodes", [&] {
        const auto& nodes = parameters.nodes;
        parameters.hosts.CheckNumber(*std::max_element(nodes.begin(), nodes.end()));
    });
    for (const auto& transport : parameters.transports)
    {
        const auto isRdma = transport == "rdma";
        const std::string name = isRdma ? "rdmaReceive" : "messageReceive";
        options.Check(options.Has(name) ? name : "preset", [&] {
            parameters.hosts.CheckReceiving(isRdma ? costs.rdmaReceive : costs.messageReceive);
        });
    }
    return parameters;
}

/// Does what the command line asks for. @param options the options
void
RunStudy(const ProgramOptions& options)
{
    auto measuring = COSTS;
    for (const auto name : {"nodes",
                            "tasksPerNode",
                            "transports",
                            "barriers",
                            "fabric",
                            "topology",
                            "linkDelay",
                            "switchDelay"})
    {
        measuring.emplace_back(name);
    }
    StudyOutput output(PROGRAM, options, measuring, {"published"});
    std::vector<PublishedBarrier> published;
    if (options.Has("published"))
    {
        published = PublishedBarrier::Read(options.Get("published"));
    }
    const auto preset = options.GetWord("preset", RdmaStudy::GetPresets());
    const auto rows = output.GetRows<RdmaStudyRow>(RdmaStudyRow::Read, [&] {
        const RdmaStudy study(ReadParameters(options));
        ProgressLine line(PROGRAM, options.Has("progress"));
        return study.Run([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
    });
    output.WriteCsv([&](std::ostream& os) { RdmaStudyRow::Write(os, rows); });
    // With costs of one's own it is no cluster of the paper.
    const auto isOwn = std::any_of(COSTS.begin(), COSTS.end(), [&](const auto& name) {
        return options.Has(name);
    });
    output.MakePlots([&](const std::string& directory, const std::string& prefix) {
        return RdmaPlots(rows, isOwn ? "" : preset, published).Write(directory, prefix);
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    return StudyProgram{PROGRAM, __FILE__, USAGE, AddOptions, RunStudy}.Main(argc, argv);
}
