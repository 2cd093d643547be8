// SPDX-License-Identifier: GPL-2.0-only

// Eight hosts of a torus add vectors of integers, by messages around a ring and in the switches,
// and print the sums. See doc/user/data-collectives.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <cstring>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

/// A vector of integers.
using Integers = std::vector<int32_t>;

/// All members enter; rank r has r, r + 1, and so on. @param setup how long group creation took
static void
EnterAll(DataCollective* sum, Time setup)
{
    std::cout << "set up in " << setup.As(Time::US) << std::endl;
    for (uint32_t rank = 0; rank < sum->GetNMembers(); ++rank)
    {
        Integers integers(sum->GetDataBytes() / sizeof(Integers::value_type));
        std::iota(integers.begin(), integers.end(), rank);
        std::vector<uint8_t> bytes(sum->GetDataBytes());
        std::memcpy(bytes.data(), integers.data(), bytes.size());
        sum->SetInput(rank, bytes); // set before the first member enters
    }
    for (uint32_t rank = 0; rank < sum->GetNMembers(); ++rank)
    {
        sum->Enter(rank);
    }
}

/// A member leaves with the sum. @param sum the collective @param rank the member
static void
Left(DataCollective* sum, uint32_t rank, uint64_t)
{
    const auto bytes = sum->GetOutput(rank);
    Integers integers(bytes.size() / sizeof(Integers::value_type));
    std::memcpy(integers.data(), bytes.data(), bytes.size());
    std::cout << Simulator::Now().As(Time::US) << ": member " << rank << " leaves with "
              << integers.front() << ", ..., " << integers.back() << std::endl;
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    try
    {
        ProgramOptions(__FILE__,
                       "Eight hosts of a torus add vectors of integers, around a ring and in the "
                       "switches.")
            .Parse(argc, argv);
        for (const std::string algorithm : {"ring", "btin[Window=32]"})
        {
            std::cout << algorithm << std::endl;
            const auto graph = MakeTopology("torus:4x4").graph;
            auto fabric = WormholeHelper().Install(graph);
            auto domain = CollectiveHelper().Install(fabric, graph);
            auto sum = CollectiveHelper::MakeData("allreduction", algorithm);
            sum->SetAttribute("Bytes", UintegerValue(4096));
            sum->SetAttribute("DataType", StringValue("int32"));
            sum->TraceConnectWithoutContext("Ready",
                                            MakeBoundCallback(&EnterAll, PeekPointer(sum)));
            sum->TraceConnectWithoutContext("Leave", MakeBoundCallback(&Left, PeekPointer(sum)));
            sum->Create(domain, {0, 1, 2, 3, 4, 5, 6, 7});
            Simulator::Run();
            if (sum->HasMembersInside() || !sum->IsReady())
            {
                throw WormholeError(algorithm + " does not end: " + sum->ExplainMissing());
            }
            Simulator::Destroy();
        }
    }
    catch (const WormholeError& error)
    {
        std::cerr << "first-allreduction: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
