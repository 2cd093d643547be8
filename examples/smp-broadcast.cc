/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long broadcasts take on a cluster of SMPs: the comparison of Sun et al., "Broadcast on
// Clusters of SMPs with Optimal Concurrency", Figures 5.1 to 5.4, or the same for one's own jobs
// and fabric. Writes CSV and plots. See doc/smp-broadcast.rst and --help.

#include "ns3/program-options.h"
#include "ns3/smp-plots.h"
#include "ns3/smp-study.h"
#include "ns3/study-program.h"

#include <algorithm>
#include <memory>

using namespace ns3;

namespace
{

/// Name of the program, which begins its messages.
const std::string PROGRAM = "smp-broadcast";

/// What --help says of the program.
const std::string USAGE =
    "Compares broadcasts on a cluster of SMPs. A batch system gives hosts to a job; of these, the\n"
    "first so many take part, one process each. Columns: working switches, hosts, bytes, steps at\n"
    "unit cost (one-port), and the time simulated, a row for each placement.\n"
    "\n"
    "Examples:\n"
    "  smp-broadcast\n"
    "      all 64 hosts of Roadrunner, Figure 5.1 of Sun et al.; CSV to standard output\n"
    "  smp-broadcast --case=44 --plots=plots --csv=smp-44.csv\n"
    "      44 hosts on three switches, 20 random placements, as in Figure 5.2\n"
    "  smp-broadcast --placement=shuffled --algorithms=mpich[BlockSize=3],sss-mst\n"
    "      64 hosts with ranks in random order, so that messages cross between switches\n"
    "  smp-broadcast --bytes=64,4096,200000 --topology=roadrunner:wiring=ring,cables=4\n"
    "      other lengths and another wiring\n"
    "  smp-broadcast --topology=torus:4x4,hosts=4 --job=40 --placement=random --hosts=10,20,40\n"
    "            --algorithms=tree[Tree=binomial],tree[Tree=fibo],sss-mst\n"
    "      one's own fabric and job\n"
    "\n"
    "Algorithms: any broadcast by software, such as mpich[BlockSize=3] (early MPICH's, blocks of\n"
    "3), mpich[BlockSize=1] (a binomial tree), sss-mst (the paper's), sss-mst[UpToDown=false],\n"
    "sss-mst[Siblings=false], sss-mst[DownToUp=false], sss-mst[ChannelCaps=false].";

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add("case", "44", "A case of the paper: 64, 44, 38 or 28 hosts of Roadrunner", "64");
    options.Add("job", "40", "Number of hosts of a job of one's own");
    options.Add("jobSwitches", "3", "Number of switches that the job is on; any without it");
    options.Add("placement",
                "random",
                "Where the job is: block (the first hosts), random (ranks by host), shuffled (any "
                "ranks); without it block for 64 hosts and one's own, random for other cases",
                "block");
    options.Add("placements", "20", "Number of random placements", "20");
    options.Add("stream", "0", "Stream of random numbers for placements", "0");
    options.Add("hosts", "8,16,32", "Numbers of hosts that take part; 8, 12, ... without it");
    options.Add("bytes", "64,200000", "Lengths of the message", "200000");
    options.Add("algorithms",
                "mpich[BlockSize=3],sss-mst",
                "Broadcasts",
                "mpich[BlockSize=1],mpich[BlockSize=3],sss-mst");
    options.Add("startUp", "2us", "How long a message keeps its sender's software busy", "2us");
    options.Add("receive", "1us", "How long a message keeps its receiver's software busy", "0us");
    options.Add("dataRate", "1.2Gbps", "Rate of every channel", "1.2Gbps");
    options.Add("flitBytes", "3", "Size of a flit; its time must be a whole number of ps", "3");
    StudyHosts::AddOptions(options, "roadrunner:wiring=mesh,cables=2");
    StudyOutput::AddOptions(options);
}

/// @return the job @param options the options
JobPlacement::Parameters
ReadJob(const ProgramOptions& options)
{
    constexpr uint32_t MOST = 1000000;
    options.RefuseTogether("case", {"job", "jobSwitches"});
    JobPlacement::Parameters job;
    if (options.Has("job"))
    {
        job.hosts = options.GetWhole("job", 1, MOST);
        job.switches = options.Has("jobSwitches") ? options.GetWhole("jobSwitches", 1, MOST) : 0;
    }
    else
    {
        if (options.Has("jobSwitches"))
        {
            options.Refuse("jobSwitches", "has no effect without --job=40; accepted is both");
        }
        job = SmpStudy::GetCase(options.GetWord("case", SmpStudy::GetCases()));
    }
    if (options.Has("job") || options.Has("placement"))
    {
        job.law = options.GetWord("placement", JobPlacement::GetLaws());
    }
    return job;
}

/// @return what is asked of the study @param options the options
SmpStudy::Parameters
ReadParameters(const ProgramOptions& options)
{
    constexpr uint32_t MOST = 1U << 30;
    SmpStudy::Parameters parameters;
    parameters.algorithms = options.GetWords("algorithms");
    parameters.job = ReadJob(options);
    if (parameters.job.law == "block")
    {
        for (const auto name : {"placements", "stream"})
        {
            if (options.Has(name))
            {
                options.Refuse(name, "has no effect where placement is no random one");
            }
        }
    }
    parameters.placements = options.GetWhole("placements", 1, 100000);
    parameters.stream = options.GetWhole("stream", 0, MOST);
    parameters.hosts = options.GetWholes("hosts", 1, parameters.job.hosts);
    if (!options.Has("hosts"))
    {
        constexpr uint32_t FIRST = 8;
        constexpr uint32_t STEP = 4;
        for (auto n = std::min(FIRST, parameters.job.hosts); n < parameters.job.hosts; n += STEP)
        {
            parameters.hosts.push_back(n);
        }
        parameters.hosts.push_back(parameters.job.hosts);
    }
    parameters.bytes = options.GetWholes("bytes", 2, MOST);
    parameters.startUp = options.GetTime("startUp");
    parameters.receive = options.GetTime("receive");
    parameters.cluster = StudyHosts::Read(options);
    options.Judge(options.Has("flitBytes") ? "flitBytes" : "dataRate", [&] {
        parameters.cluster.SetRate(options.Get("dataRate"),
                                   options.GetWhole("flitBytes", 1, 1U << 20));
    });
    const std::string jobFrom = options.Has("job") ? "job" : "case";
    options.Judge(options.Has("topology") ? "topology" : jobFrom,
                  [&] { JobPlacement(parameters.cluster.GetTopology()->graph, parameters.job); });
    return parameters;
}

/// Does what the command line asks for. @param options the options
void
RunStudy(const ProgramOptions& options)
{
    StudyOutput output(PROGRAM,
                       options,
                       {"case",
                        "job",
                        "jobSwitches",
                        "placement",
                        "placements",
                        "stream",
                        "hosts",
                        "bytes",
                        "algorithms",
                        "startUp",
                        "receive",
                        "dataRate",
                        "flitBytes",
                        "topology",
                        "linkDelay",
                        "switchDelay"});
    const auto rows = output.GetRows<SmpStudyRow>(SmpStudyRow::Read, [&] {
        const auto parameters = ReadParameters(options);
        std::unique_ptr<SmpStudy> study;
        options.Judge("algorithms", [&] { study = std::make_unique<SmpStudy>(parameters); });
        ProgressLine line(PROGRAM, options.Has("progress"));
        return study->Run([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
    });
    output.WriteCsv([&](std::ostream& os) { SmpStudyRow::Write(os, rows); });
    output.MakePlots([&](const std::string& directory, const std::string& prefix) {
        return SmpPlots(rows).Write(directory, prefix);
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    return StudyProgram{PROGRAM, __FILE__, USAGE, AddOptions, RunStudy}.Main(argc, argv);
}
