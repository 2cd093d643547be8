// SPDX-License-Identifier: GPL-2.0-only

// Draws an irregular fabric, makes a group of four hosts and lets them meet at a barrier in the
// switches. See README.md.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>

using namespace ns3;

/// All members enter the barrier. @param barrier the barrier
static void
EnterAll(Barrier* barrier, Time setup)
{
    std::cout << "set up in " << setup.As(Time::US) << std::endl;
    for (uint32_t rank = 0; rank < barrier->GetNMembers(); ++rank)
    {
        barrier->Enter(rank);
    }
}

/// A member leaves. @param rank the member
static void
Left(uint32_t rank, uint64_t)
{
    std::cout << Simulator::Now().As(Time::US) << ": member " << rank << " leaves" << std::endl;
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    try
    {
        ProgramOptions(__FILE__,
                       "Four hosts of an irregular fabric meet at a barrier in the switches.")
            .Parse(argc, argv);
        FabricGraph graph = IrregularTopologyHelper().Create();
        auto fabric = WormholeHelper().Install(graph);
        auto domain = CollectiveHelper().Install(fabric, graph);
        auto barrier = CollectiveHelper::MakeBarrier("btin");
        barrier->TraceConnectWithoutContext("Ready",
                                            MakeBoundCallback(&EnterAll, PeekPointer(barrier)));
        barrier->TraceConnectWithoutContext("Leave", MakeCallback(&Left));
        barrier->Create(domain, {0, 17, 42, 200});
        Simulator::Run();
        Simulator::Destroy();
    }
    catch (const WormholeError& error)
    {
        std::cerr << "first-barrier: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
