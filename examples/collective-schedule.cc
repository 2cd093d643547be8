// SPDX-License-Identifier: GPL-2.0-only

// A parallel program on a random fabric or your own: in each round, every process computes, takes
// part in an all-reduction, computes again and receives a broadcast. Prints how long the program
// and each of the two collectives take with the given algorithms. See
// doc/user/collectives.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

using namespace ns3;

/// Counts the rounds that are left, and stops background traffic after the last one.
struct Progress
{
    void Done(uint64_t)
    {
        last = Simulator::Now();
        if (--left == 0)
        {
            traffic.Stop();
        }
    }

    uint64_t left;              ///< rounds that processes have not done yet
    BackgroundTraffic& traffic; ///< background traffic
    Time last{};                ///< when a process last completed a round
};

static std::shared_ptr<const WormholeTopology>
MakeCluster(const ProgramOptions& options)
{
    for (const auto name : {"fabric", "topology"})
    {
        options.RefuseTogether(name, {"switches"});
    }
    if (FabricOptions::Has(options))
    {
        return FabricOptions::Read(options);
    }
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = options.GetWhole("switches", 1, 4096);
    parameters.hosts = options.GetWhole("hosts", 1, 4096);
    IrregularTopologyHelper drawn(parameters);
    drawn.AssignStreams(1);
    return std::make_shared<const WormholeTopology>(MakeTopology(drawn.Create(), "irregular"));
}

/// @return a collective with its group @param kind its kind, also the option's name
static Ptr<Collective>
MakeGroup(const ProgramOptions& options,
          const std::string& kind,
          Ptr<CollectiveDomain> domain,
          const std::vector<uint32_t>& hosts)
{
    Ptr<Collective> group;
    options.Check(kind, [&] {
        const auto& name = options.Get(kind);
        group = CollectiveHelper::MakeCollective(kind, name);
        const auto settings = CollectiveRegistry::GetSettings(name);
        if (kind == "allreduction" && settings.count("Operation") == 0)
        {
            group->SetAttribute("Operation", StringValue("MAX"));
        }
        if (kind == "allreduction" && settings.count("WidthBits") == 0)
        {
            group->SetAttribute("WidthBits", UintegerValue(32));
        }
        group->Create(domain, hosts);
    });
    return group;
}

static void
Run(const ProgramOptions& options)
{
    const auto cluster = MakeCluster(options);
    const auto& graph = cluster->graph;
    // With a given fabric, --hosts is the number of its hosts that take part.
    const auto nHosts = FabricOptions::Has(options) && !options.Has("hosts")
                            ? 0 // all hosts, or those that --placement names
                            : options.GetWhole("hosts", 1, graph.GetNFirstInterfaces());
    const auto tasks = options.GetWhole("tasksPerHost", 1, 64);
    const auto compute = options.GetTime("compute");
    const auto rounds = options.GetWhole("rounds", 1, 1000000);
    const auto traffic = TrafficOptions::Read(options, &graph);
    WormholeHelper fabrics;
    fabrics.SetRouter(cluster->router);
    CollectiveHelper collectives;
    auto domain = collectives.Install(fabrics.Install(graph), graph);
    std::vector<uint32_t> hosts;
    options.Check("placement", [&] {
        for (const auto host : JobPlacement(graph, {options.Get("placement"), nHosts}).Draw(1, 1))
        {
            hosts.insert(hosts.end(), tasks, host);
        }
    });
    std::unique_ptr<RoundExplainer> explainer;
    if (options.Has("explain"))
    {
        explainer = std::make_unique<RoundExplainer>(domain);
    }
    const auto sum = MakeGroup(options, "allreduction", domain, hosts);
    const auto news = MakeGroup(options, "broadcast", domain, hosts);
    const CollectiveTiming sumTiming(sum);
    const CollectiveTiming newsTiming(news);

    BackgroundTraffic beside(*domain, traffic);

    // Each computation takes up to a tenth more or less than the mean.
    const auto seconds = compute.GetSeconds();
    std::ostringstream computation;
    computation << "ns3::UniformRandomVariable[Min=" << 0.9 * seconds << "|Max=" << 1.1 * seconds
                << "]";
    CollectiveApplicationHelper program;
    program.SetAttribute("Repetitions", UintegerValue(rounds));
    program.AddComputation(computation.str());
    if (options.Has("split"))
    {
        program.AddEnter(sum);
        program.AddComputation(computation.str());
        program.AddWait(sum);
    }
    else
    {
        program.AddCollective(sum);
        program.AddComputation(computation.str());
    }
    program.AddCollective(news);

    auto processes = program.Install(domain, hosts);
    CollectiveApplicationHelper::AssignStreams(processes, 1000);
    const auto begin = beside.Start();
    processes.Start(begin);
    Progress progress{uint64_t{rounds} * hosts.size(), beside};
    for (auto i = processes.Begin(); i != processes.End(); ++i)
    {
        (*i)->TraceConnectWithoutContext("Done", MakeCallback(&Progress::Done, &progress));
    }
    Simulator::Run();
    const auto missing = domain->ExplainMissing();
    if (!missing.empty())
    {
        throw WormholeError(missing);
    }
    std::cout << hosts.size() << " processes, " << options.Get("rounds") << " rounds, allreduction "
              << options.Get("allreduction") << ", broadcast " << options.Get("broadcast") << ": "
              << (progress.last - begin).As(Time::US) << "\n"
              << "since all came until all left, allreduction: "
              << sumTiming.ToText(traffic.IsThere()) << "\n"
              << "since all came until all left, broadcast: "
              << newsTiming.ToText(traffic.IsThere()) << std::endl;
    for (const auto& [kind, group] : {std::pair{"allreduction", sum}, std::pair{"broadcast", news}})
    {
        if (explainer)
        {
            std::cout << "\nwhat that went into, " << kind << ", "
                      << ExplainRounds(*explainer, group, group->GetRound(0));
        }
    }
    explainer.reset();
    Simulator::Destroy();
}

static void
AddOptions(ProgramOptions& options)
{
    FabricOptions::Add(options, "a random fabric of --switches and --hosts");
    options.Add("switches", "N", "number of switches of a random fabric", "24");
    options.Add("hosts",
                "N",
                "number of hosts; with --fabric or --topology, number of hosts that take part "
                "(default: all)",
                "64");
    options.Add(FabricOptions::GetPlacement("first"));
    options.Add("tasksPerHost", "N", "processes of each host", "1");
    options.Add("compute", "TIME", "mean time of a computation", "50us");
    options.Add("rounds", "N", "how often each process computes and communicates", "10");
    options.Add("allreduction", "NAME", "algorithm of the all-reduction", "dissemination");
    options.AddAlias("allreduction", "allreduce");
    options.Add("broadcast", "NAME", "algorithm of the broadcast", "tree");
    options.AddAlias("broadcast", "bcast");
    options.AddSwitch("split",
                      "in a round (compute, all-reduce, compute, broadcast), do the second "
                      "computation during the all-reduction, whose time then covers both");
    TrafficOptions::Add(options);
    options.AddSwitch("explain",
                      "explain the latency of the slowest round and, by cause, of all rounds; with "
                      "--load, also give the share that the traffic causes");
}

int
main(int argc, char* argv[])
{
    return OptionProgram{
        "collective-schedule",
        __FILE__,
        "Runs a parallel program of computations and collectives on a random fabric or your own. "
        "Measures how long the program takes, and the time of each collective from the last entry "
        "to the last exit.\n\n"
        "Examples:\n"
        "  collective-schedule --tasksPerHost=2 --allreduction=smp[Inner=pairwise]\n"
        "  collective-schedule --topology=torus:4x4,hosts=4 "
        "--broadcast=sss-mst[MessageBytes=65536]\n"
        "  collective-schedule --fabric=cluster.json --hosts=16 --allreduction=btin\n"
        "  collective-schedule --allreduction=btin --explain\n"
        "  collective-schedule --load=0.05 --pattern=hotspot --rounds=100\n"
        "  collective-schedule --allreduction=btin --load=0.02 --explain",
        AddOptions,
        Run}
        .Main(argc, argv);
}
