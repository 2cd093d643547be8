// SPDX-License-Identifier: GPL-2.0-only

// Replays a case of worms with given times and trees and prints when each of them started and left
// every channel and arrived, as JSON. Times are in ps. See doc/user/worm-replay.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;

/// An arrival. @param nArrived counts them
static void
Count(uint64_t* nArrived, Ptr<const Worm>)
{
    ++*nArrived;
}

/// Replays worms, and reports progress on standard error if that takes long.
/// @return the outcome of the worms @param worms the case
/// @param isExplained whether latencies are explained, too
static ReplayOutcome
Run(const WormCase& worms, bool isExplained)
{
    uint64_t nArrivals = 0; // at hosts, in all
    uint64_t nArrived = 0;  // so far
    for (const auto& worm : worms.worms)
    {
        nArrivals += worm.route.GetNDestinations();
    }
    SimulationProgress progress([](const char* what, uint64_t done, uint64_t all) {
        std::cerr << "worm-replay: " << done << " of " << all << " " << what << std::endl;
        return true;
    });
    const auto watch = [&](WormholeFabric& fabric) {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetHost(host)->GetPort()->TraceConnectWithoutContext(
                "Delivered",
                MakeBoundCallback(&Count, &nArrived));
        }
        progress.Begin("arrivals", [&] { return nArrived; }, nArrivals);
    };
    return isExplained ? ExplainWorms(worms, watch) : ReplayWorms(worms, watch);
}

int
main(int argc, char* argv[])
{
    try
    {
        Time::SetResolution(Time::PS);
        ProgramOptions options(
            __FILE__,
            "Replays worms exactly to the flit and prints their times, in ps, as JSON.\n\n"
            "Examples:\n"
            "  worm-replay --case=case.json\n"
            "  worm-replay --case=case.json --explain\n\n"
            "The case holds flit_time, link_delay, switch_delay (ps), depth (flits), replication "
            "(async or sync), route_header (none or source), flit_size (bytes), transit (none, "
            "whole or as-it-comes), hosts, links, worms and outages: see doc/user/worm-replay.rst. "
            "For each worm, the program prints the channels that the worm took, as \"node:port\": "
            "[start of the head, end of the tail], and the arrival at each host. The end is null "
            "if the tail never left. Then it prints the indices of the worms that ended blocked. "
            "If there are any, standard error says why, and the exit status is 1. Standard error "
            "also shows progress, every few seconds.");
        options.Add("case", "FILE", "File of the case, JSON");
        options.AddSwitch("explain",
                          "explain each worm's latency to each destination: intervals from its "
                          "head's request until its tail has arrived, each with its cause");
        TimelineOptions::Add(options);
        options.Parse(argc, argv);
        if (!options.Has("case"))
        {
            throw WormholeError("--case is missing; give the file of a case, as --case=case.json");
        }
        std::istringstream attributes(
            "WormholeFabric::FlitTime WormholeFabric::FlitSize WormholeFabric::Replication "
            "WormholeFabric::RouteHeader WormholeFabric::InTransit WormholeFabric::Outages "
            "WormholeFabric::DetectionDelay WormholeFabric::ThrowOnDeadlock "
            "WormholeFabric::DataRate WormholeSwitch::Delay WormholeNetDevice::Delay "
            "WormholeNetDevice::InTransitDelay WormholeChannel::Delay");
        for (std::string attribute; attributes >> attribute;)
        {
            options.WarnIgnored("ns3::" + attribute, "worm-replay");
        }
        const auto worms = ReadWormCase(options.Get("case"));
        const auto recorders = TimelineOptions::Begin(options);
        const auto outcome = Run(worms, options.Has("explain"));
        TimelineOptions::Finish(recorders, "worm-replay");
        PrintReplay(std::cout, worms, outcome);
        if (!outcome.deadlock.empty())
        {
            std::cerr << "worm-replay: " << outcome.deadlock << std::endl;
            return 1;
        }
    }
    catch (...)
    {
        return OptionProgram::PrintError("worm-replay");
    }
    return 0;
}
