/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Replays a case of worms with given times and trees and prints when each of them started and left
// every channel and arrived, as JSON. Times are in ps. See doc/user/worm-replay.rst.

#include "ns3/worm-replay.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-net-device.h"
#include "ns3/wormhole-port.h"
#include "ns3/wormhole-program-options.h"
#include "ns3/wormhole-simulation-progress.h"
#include "ns3/wormhole-study-program.h"
#include "ns3/wormhole-timeline.h"

#include <iostream>
#include <memory>
#include <string>

using namespace ns3;

namespace
{

/// Replays worms, and tells on standard error how far it is if that takes long.
class Replay
{
  public:
    /// @return what became of the worms @param worms the case
    /// @param isExplained whether it is explained, too
    ReplayOutcome Run(const WormCase& worms, bool isExplained)
    {
        for (const auto& worm : worms.worms)
        {
            m_nArrivals += worm.route.GetNDestinations();
        }
        const auto prepare = [this](WormholeFabric& fabric) { Watch(fabric); };
        return isExplained ? ExplainWorms(worms, prepare) : ReplayWorms(worms, prepare);
    }

  private:
    /// Begins to count arrivals. @param fabric where
    void Watch(WormholeFabric& fabric)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetHost(host)->GetPort()->TraceConnectWithoutContext(
                "Delivered",
                MakeCallback(&Replay::Delivered, this));
        }
        m_progress = std::make_unique<SimulationProgress>(std::cerr, [this] {
            return "worm-replay: " + std::to_string(m_nArrived) + " of " +
                   std::to_string(m_nArrivals) + " arrivals";
        });
    }

    /// Counts an arrival.
    void Delivered(Ptr<const Worm>)
    {
        ++m_nArrived;
    }

    uint64_t m_nArrivals{0};                        ///< arrivals at hosts to come in all
    uint64_t m_nArrived{0};                         ///< those that have been
    std::unique_ptr<SimulationProgress> m_progress; ///< tells of them
};

} // namespace

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
            "whole or as-it-comes), hosts, links, worms and outages, see doc/user/worm-replay.rst. "
            "Printed "
            "are for "
            "each worm the channels that it took, \"node:port\": [when its head started, when its "
            "tail had left, or null], and when it arrived at hosts; then the indices of worms "
            "that never arrived everywhere. Why they did not is told on standard error, and the "
            "exit status is 1. Every few seconds a line there says how far it is.");
        options.Add("case", "FILE", "File of the case, JSON");
        options.AddSwitch("explain",
                          "explain each worm's latency, for each of its ends: intervals from when "
                          "its head asked to when its tail had arrived, each with its cause");
        TimelineOptions::Add(options);
        options.Parse(argc, argv);
        if (!options.Has("case"))
        {
            throw WormholeError("--case is missing; give the file of a case, as --case=case.json");
        }
        for (const std::string attribute : {"WormholeFabric::FlitTime",
                                            "WormholeFabric::FlitSize",
                                            "WormholeFabric::Replication",
                                            "WormholeFabric::RouteHeader",
                                            "WormholeFabric::InTransit",
                                            "WormholeFabric::Outages",
                                            "WormholeFabric::DetectionDelay",
                                            "WormholeFabric::ThrowOnDeadlock",
                                            "WormholeFabric::DataRate",
                                            "WormholeSwitch::Delay",
                                            "WormholeNetDevice::Delay",
                                            "WormholeNetDevice::InTransitDelay",
                                            "WormholeChannel::Delay"})
        {
            options.WarnIgnored("ns3::" + attribute, "worm-replay");
        }
        const auto worms = ReadWormCase(options.Get("case"));
        const auto recorders = TimelineOptions::Begin(options);
        const auto outcome = Replay().Run(worms, options.Has("explain"));
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
