// SPDX-License-Identifier: GPL-2.0-only

// A part of a fabric with random traffic goes down and comes up again. Prints over time how many
// worms arrive, their latency and losses, and then how the routes changed: doc/user/recovery.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>

using namespace ns3;

/// What has happened to worms since the last line was printed.
struct Window
{
    uint64_t arrived{0}; ///< worms
    uint64_t flits{0};   ///< their flits
    Time latency;        ///< sum of their latencies
    uint64_t lost{0};    ///< worms lost from the start to the last line
};

static void
Arrive(Window* window, Ptr<const TrafficWorm> worm, Time latency)
{
    ++window->arrived;
    window->flits += worm->GetFlits();
    window->latency += latency;
}

/// Prints a line and schedules the next one. @param length time between two lines
static void
Print(Ptr<WormholeFabric> fabric, Window* window, Time length)
{
    uint64_t lost = 0;
    for (const auto worms : fabric->GetObject<RouteRecovery>()->GetCounts().wormsLost)
    {
        lost += worms;
    }
    std::cout << Simulator::Now().ToDouble(Time::US) << ',' << window->arrived << ','
              << static_cast<double>(window->flits) / fabric->GetNHosts() *
                     fabric->GetFlitTime().ToDouble(Time::NS) / length.ToDouble(Time::NS)
              << ','
              << (window->arrived
                      ? window->latency.ToDouble(Time::US) / static_cast<double>(window->arrived)
                      : 0)
              << ',' << lost - window->lost << '\n';
    *window = {0, 0, Time(0), lost};
    Simulator::Schedule(length, &Print, fabric, window, length);
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    try
    {
        Config::SetDefault("ns3::RouteRecovery::Way", StringValue("static"));
        Config::SetDefault("ns3::WormholeTraffic::Load", StringValue("0.1"));
        ProgramOptions options(__FILE__,
                               "Simulates random traffic while a part of the fabric is down (by "
                               "default the first switch, from 200 us for 300 us), and prints the "
                               "cost of recovering routes as CSV.\n\n"
                               "Example: route-recovery --recovery=overlapping "
                               "--outage='s3 at 200us for 300us'");
        FabricOptions::Add(options, "a torus", "torus:4x4");
        options.Parse(argc, argv);
        const auto topology = FabricOptions::Read(options);
        const auto fabric = WormholeHelper().Install(topology->graph);
        StringValue schedule;
        fabric->GetAttribute("OutageSchedule", schedule);
        if (schedule.Get().empty())
        {
            fabric->ScheduleOutage({fabric->GetSwitch(0), MicroSeconds(200), MicroSeconds(500)});
        }
        const auto traffic =
            WormholeTrafficHelper().Install(fabric, topology->graph, WormLength::Fixed(32), 1);
        Window window;
        traffic->TraceConnectWithoutContext("Delivered", MakeBoundCallback(&Arrive, &window));
        traffic->Start();
        std::cout << "time_us,worms,accepted_load,latency_us,lost\n";
        Simulator::Schedule(MicroSeconds(50), &Print, fabric, &window, MicroSeconds(50));
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        std::cout << '\n';
        fabric->GetObject<RouteRecovery>()->WriteCsv(std::cout);
        Simulator::Destroy();
    }
    catch (const WormholeError& error)
    {
        std::cerr << "route-recovery: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
