/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long broadcasts take on a cluster of SMPs: the comparison of Sun et al., "Broadcast on
// Clusters of SMPs with Optimal Concurrency", Figures 5.1 to 5.4, or the same for one's own jobs
// and fabric. Writes CSV and plots. See doc/smp-broadcast.rst and --help.

#include "ns3/fabric-options.h"
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
    "first so many take part, with --tasksPerHost processes each. Columns: working switches, "
    "hosts\n"
    "(not processes), bytes, steps at unit cost (one-port), and the time simulated, a row for "
    "each\n"
    "placement; with several processes a host one more, tasks_per_host.\n"
    "\n"
    "Examples:\n"
    "  smp-broadcast\n"
    "      all 64 hosts of Roadrunner, Figure 5.1 of Sun et al.; CSV to standard output\n"
    "  smp-broadcast --case=44 --plots=plots --csv=smp-44.csv\n"
    "      44 hosts on three switches, 20 random placements, as in Figure 5.2\n"
    "  smp-broadcast --placement=shuffled --algorithms=mpich[BlockSize=3],sss-mst\n"
    "      64 hosts with ranks in random order, so that messages cross between switches\n"
    "  smp-broadcast --bytes=64,4kB,200kB --topology=roadrunner:wiring=ring,cables=4\n"
    "      other lengths and another wiring\n"
    "  smp-broadcast --tasksPerHost=2 --flag=500ns\n"
    "      two processes a host, which hand on what they have by flags\n"
    "  smp-broadcast --fabric=cluster.json --bytes=64,1kB,4kB,16kB,64kB,256kB\n"
    "            --algorithms=tree[Tree=binomial],mpich,sss-mst,multicast --csv=mine.csv "
    "--plots=plots\n"
    "      which broadcast suits which length on all hosts of one's own fabric\n"
    "  smp-broadcast --topology=torus:4x4,hosts=4 --job=40 --placement=random --hosts=10,20,40\n"
    "            --algorithms=tree[Tree=binomial],tree[Tree=fibo],sss-mst\n"
    "      one's own fabric and job\n"
    "\n"
    "Algorithms: any broadcast by software, such as mpich[BlockSize=3] (early MPICH's, blocks of\n"
    "3), mpich[BlockSize=1] (a binomial tree), sss-mst (the paper's), sss-mst[UpToDown=false],\n"
    "sss-mst[Siblings=false], sss-mst[DownToUp=false], sss-mst[ChannelCaps=false]; also\n"
    "tree[Tree=binomial], tree[Tree=fibo], smp[Inner=tree], and multicast: one tree worm, which\n"
    "switches copy. Lengths are --bytes: MessageBytes in a name is refused.";

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add(
        "case",
        "44",
        "A case of the paper: 64, 44, 38 or 28 hosts of Roadrunner; with a fabric of one's own "
        "all of its hosts without it",
        "64");
    options.Add("job", "40", "Number of hosts of a job of one's own");
    options.Add("jobSwitches", "3", "Number of switches that the job is on; any without it");
    options.Add("placement",
                "random",
                "Where the job is: block (the first hosts), random (ranks by host), shuffled (any "
                "ranks); without it block for 64 hosts and one's own, random for other cases",
                "block");
    options.Add("placements", "20", "Number of random placements", "20");
    options.Add("stream", "0", "Stream of random numbers for placements", "0");
    options.Add("hosts",
                "8,16,32",
                "Numbers of hosts that take part; without it 8, 12, ..., above 64 "
                "hosts 8, 16, 32, ...");
    options.Add("tasksPerHost", "2", "Processes of each host that takes part", "1");
    options.Add("flag", "500ns", "How long a flag of another process of the host takes", "500ns");
    options.Add(
        "bytes",
        "64,64kB,1MiB",
        "Lengths of the message; kB and MB are 1000 and 1000000 bytes, KiB and MiB 1024 and "
        "1048576",
        "200000");
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

/// @return the job @param options the options @param allHosts number of the fabric's hosts
JobPlacement::Parameters
ReadJob(const ProgramOptions& options, uint32_t allHosts)
{
    constexpr uint32_t MOST = 1000000;
    options.RefuseTogether("case", {"job", "jobSwitches"});
    JobPlacement::Parameters job;
    if (options.Has("job"))
    {
        job.hosts = options.GetWhole("job", 1, MOST);
        job.switches = options.Has("jobSwitches") ? options.GetWhole("jobSwitches", 1, MOST) : 0;
    }
    else if (options.Has("jobSwitches"))
    {
        options.Refuse("jobSwitches", "has no effect without --job=40; accepted is both");
    }
    else if (FabricOptions::Has(options) && !options.Has("case"))
    {
        job.hosts = allHosts;
    }
    else
    {
        job = SmpStudy::GetCase(options.GetWord("case", SmpStudy::GetCases()));
    }
    if (!options.Has("case") || options.Has("placement"))
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
    parameters.cluster = StudyHosts::Read(options);
    const auto topology = parameters.cluster.GetTopology();
    parameters.job = ReadJob(options, topology->graph.GetNHosts());
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
        constexpr uint32_t MANY = 64;
        const auto all = parameters.job.hosts;
        for (auto n = std::min(FIRST, all); n < all;)
        {
            parameters.hosts.push_back(n);
            n += (all > MANY) ? n : STEP;
        }
        parameters.hosts.push_back(parameters.job.hosts);
    }
    parameters.bytes = options.GetByteSizes("bytes", 2, MOST);
    parameters.tasksPerHost = options.GetWhole("tasksPerHost", 1, 1024);
    parameters.flag = options.GetTime("flag");
    if (options.Has("flag") && parameters.tasksPerHost == 1)
    {
        options.Refuse("flag", "has no effect without --tasksPerHost=2; accepted is both");
    }
    options.RefuseAttribute("ns3::Collective::MessageBytes", "bytes");
    parameters.startUp = options.GetTime("startUp");
    parameters.receive = options.GetTime("receive");
    options.Check(options.Has("flitBytes") ? "flitBytes" : "dataRate", [&] {
        parameters.cluster.SetRate(options.Get("dataRate"),
                                   options.GetBytes("flitBytes", 1, 1U << 20));
    });
    options.Check(options.Has("job")    ? "job"
                  : options.Has("case") ? "case"
                                        : FabricOptions::GetName(options),
                  [&] { JobPlacement(topology->graph, parameters.job); });
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
                        "tasksPerHost",
                        "flag",
                        "bytes",
                        "algorithms",
                        "startUp",
                        "receive",
                        "dataRate",
                        "flitBytes",
                        "fabric",
                        "topology",
                        "linkDelay",
                        "switchDelay"});
    const auto rows = output.GetRows<SmpStudyRow>(SmpStudyRow::Read, [&] {
        const auto parameters = ReadParameters(options);
        std::unique_ptr<SmpStudy> study;
        options.Check("algorithms", [&] { study = std::make_unique<SmpStudy>(parameters); });
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
