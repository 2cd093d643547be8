// SPDX-License-Identifier: GPL-2.0-only

// All hosts of a fabric do barriers, a host dies, and the others go on without it. Prints what
// happens when: doc/user/group-changes.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>
#include <numeric>

using namespace ns3;

/// A member enters, unless the group is about to change.
static void
Enter(Collective* group, uint32_t rank)
{
    if (group->MayEnter(rank))
    {
        group->Enter(rank);
    }
}

/// The group is set up, first or again: all members enter. @param spent how long the setup took
static void
Begin(Collective* group, Time spent)
{
    std::cout << Simulator::Now().As(Time::US) << ": " << group->GetNMembers()
              << " members begin, set up in " << spent.As(Time::US) << '\n';
    for (uint32_t rank = 0; rank < group->GetNMembers(); ++rank)
    {
        Enter(group, rank);
    }
}

static Time g_left; ///< when a member last left a round

/// A member has left a round, and computes before the next one.
static void
GoOn(Collective* group, uint32_t rank, uint64_t)
{
    g_left = Simulator::Now();
    Simulator::Schedule(MicroSeconds(20), &Enter, group, rank);
}

/// A member's round has failed: the group continues without the missing members.
static void
Repair(Collective* group,
       uint32_t rank,
       const std::vector<uint32_t>& missing,
       const std::string& reason)
{
    if (!group->IsChanging())
    {
        std::cout << Simulator::Now().As(Time::US) << ": in round " << group->GetRound(rank)
                  << " rank " << rank << " misses";
        for (const auto host : missing)
        {
            std::cout << ' ' << group->GetDomain().GetHostName(host);
        }
        std::cout << ": " << reason << '\n';
        group->Shrink();
    }
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    try
    {
        ProgramOptions options(__FILE__,
                               "Hosts execute barriers until 1 ms. One host fails (by default the "
                               "second, at 300 us), and the others continue without it.\n\n"
                               "Example: shrink-group --outage='h1 at 300us; h7 at 600us'");
        FabricOptions::Add(options, "a torus", "torus:4x4");
        options.Parse(argc, argv);
        const auto topology = FabricOptions::Read(options);
        const auto fabric = WormholeHelper().Install(topology->graph);
        StringValue schedule;
        fabric->GetAttribute("OutageSchedule", schedule);
        if (schedule.Get().empty())
        {
            fabric->ScheduleOutage({fabric->GetHost(1), MicroSeconds(300)});
        }
        const auto domain = CollectiveHelper().Install(fabric, topology->graph);
        domain->SetAttribute("FailureDetector", StringValue("fabric"));
        domain->SetAttribute("FailureDelay", TimeValue(MicroSeconds(50)));
        const auto group = CollectiveHelper::MakeBarrier("dissemination");
        const auto pointer = PeekPointer(group);
        group->TraceConnectWithoutContext("Ready", MakeBoundCallback(&Begin, pointer));
        group->TraceConnectWithoutContext("Leave", MakeBoundCallback(&GoOn, pointer));
        group->TraceConnectWithoutContext("Failed", MakeBoundCallback(&Repair, pointer));
        std::vector<uint32_t> hosts(topology->graph.GetNHosts());
        std::iota(hosts.begin(), hosts.end(), 0);
        group->Create(domain, hosts);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        std::cout << Simulator::Now().As(Time::US) << ": " << group->GetRound(0)
                  << " rounds in all, the last until " << g_left.As(Time::US) << '\n';
        Simulator::Destroy();
    }
    catch (const WormholeError& error)
    {
        std::cerr << "shrink-group: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
