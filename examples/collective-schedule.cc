/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A parallel program on a random fabric: every process computes, adds up a value with the others,
// computes again and hears a broadcast, a number of times. Tells how long the program takes with
// the algorithms named. See doc/collectives.rst.

#include "ns3/collective-application-helper.h"
#include "ns3/collective-helper.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/program-options.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-program.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-helper.h"

#include <iostream>
#include <sstream>

using namespace ns3;

/// Notes when a process is done. @param last when the last one was
static void
Done(Time* last, uint64_t)
{
    *last = Simulator::Now();
}

/// Runs the program. @param options its options
static void
Run(const ProgramOptions& options)
{
    const auto nHosts = options.GetWhole("hosts", 1, 4096);
    const auto tasks = options.GetWhole("tasksPerHost", 1, 64);
    const auto compute = options.GetTime("compute");

    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = options.GetWhole("switches", 1, 4096);
    parameters.hosts = nHosts;
    IrregularTopologyHelper topology(parameters);
    topology.AssignStreams(1);
    const auto graph = topology.Create();
    CollectiveHelper collectives;
    auto domain = collectives.Install(WormholeHelper().Install(graph), graph);

    Ptr<Collective> sum;
    options.Judge("allreduction", [&] {
        sum = CollectiveHelper::MakeCollective("allreduction", options.Get("allreduction"));
    });
    sum->SetAttribute("Operation", StringValue("MAX"));
    sum->SetAttribute("WidthBits", UintegerValue(32));
    Ptr<Collective> news;
    options.Judge("broadcast",
                  [&] { news = CollectiveHelper::MakeBroadcast(options.Get("broadcast")); });

    // Every process computes a tenth more or less than others do.
    const auto seconds = compute.GetSeconds();
    std::ostringstream computation;
    computation << "ns3::UniformRandomVariable[Min=" << 0.9 * seconds << "|Max=" << 1.1 * seconds
                << "]";
    CollectiveApplicationHelper program;
    program.SetAttribute("Repetitions", UintegerValue(options.GetWhole("rounds", 1, 1000000)));
    program.AddComputation(computation.str());
    program.AddCollective(sum);
    program.AddComputation(computation.str());
    program.AddCollective(news);

    std::vector<uint32_t> hosts;
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        hosts.insert(hosts.end(), tasks, host);
    }
    auto processes = program.Install(domain, hosts);
    CollectiveApplicationHelper::AssignStreams(processes, 1000);
    processes.Start(Seconds(0));
    Time last;
    for (auto i = processes.Begin(); i != processes.End(); ++i)
    {
        (*i)->TraceConnectWithoutContext("Done", MakeBoundCallback(&Done, &last));
    }
    Simulator::Run();
    const auto missing = domain->ExplainMissing();
    if (!missing.empty())
    {
        throw WormholeError(missing);
    }
    std::cout << hosts.size() << " processes, " << options.Get("rounds") << " rounds, allreduction "
              << options.Get("allreduction") << ", broadcast " << options.Get("broadcast") << ": "
              << last.As(Time::US) << std::endl;
    Simulator::Destroy();
}

/// Adds all options. @param options where to
static void
AddOptions(ProgramOptions& options)
{
    options.Add("switches", "N", "number of switches", "24");
    options.Add("hosts", "N", "number of hosts", "64");
    options.Add("tasksPerHost", "N", "processes of each host", "1");
    options.Add("compute", "TIME", "how long a computation takes on average", "50us");
    options.Add("rounds", "N", "how often each process computes and communicates", "10");
    options.Add("allreduction", "NAME", "algorithm of the reduction", "dissemination");
    options.Add("broadcast", "NAME", "algorithm of the broadcast", "tree");
}

int
main(int argc, char* argv[])
{
    return StudyProgram{"collective-schedule",
                        __FILE__,
                        "Runs a parallel program of computations and collectives on a random "
                        "fabric, and tells how long it takes.\n"
                        "Example: collective-schedule --tasksPerHost=2 "
                        "--allreduction=smp[Inner=pairwise]",
                        AddOptions,
                        Run}
        .Main(argc, argv);
}
