// SPDX-License-Identifier: GPL-2.0-only

// A software barrier of your own: a token goes around the ring of members twice. Like the module's
// algorithms, it is found by its name, "ring", and checked for the invariants of its kind. See
// doc/design/write-your-own.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>

using namespace ns3;

namespace ns3
{

/// Members in a ring: the first lap combines the values, the second one distributes the result.
class RingBarrier : public SoftwareBarrier
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<RingBarrier>("Ring");
        return tid;
    }

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        const auto n = request.members;
        std::vector<CommunicationSchedule> schedules(n);
        for (uint32_t rank = 0; n > 1 && rank < n; ++rank)
        {
            const auto before = (rank + n - 1) % n;
            const auto next = (rank + 1) % n;
            if (rank == 0)
            {
                schedules[rank].Send(next, COMBINING);
                schedules[rank].Receive(ScheduleStep::REPLACE, before, COMBINING);
                schedules[rank].Send(next, RESULT);
                continue;
            }
            schedules[rank].Receive(ScheduleStep::COMBINE, before, COMBINING);
            schedules[rank].Send(next, COMBINING);
            schedules[rank].Receive(ScheduleStep::REPLACE, before, RESULT);
            if (next != 0)
            {
                schedules[rank].Send(next, RESULT);
            }
        }
        return schedules;
    }

  private:
    /// Tags of messages.
    enum Tag : uint32_t
    {
        COMBINING, ///< of the first lap
        RESULT     ///< of the second lap
    };
};

NS_OBJECT_ENSURE_REGISTERED(RingBarrier);

} // namespace ns3

/// @return latency of a round on a fabric's first eight hosts @param name the algorithm
static Time
Measure(const std::string& name, const WormholeTopology& topology)
{
    WormholeHelper helper;
    helper.SetRouter(topology.router);
    const auto fabric = helper.Install(topology.graph);
    const auto domain = CollectiveHelper().Install(fabric, topology.graph);
    CollectiveBench bench(CollectiveHelper::MakeBarrier(name), domain, {0, 1, 2, 3, 4, 5, 6, 7});
    return bench.Cross({}, {});
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    try
    {
        ProgramOptions options(__FILE__,
                               "Compares a barrier by a token in a ring with a dissemination "
                               "barrier, for eight members: the first hosts of a fabric.\n\n"
                               "Example: own-barrier --topology=torus:3x3,hosts=2");
        FabricOptions::Add(options, "a random fabric", "irregular:switches=75,hosts=256");
        TimelineOptions::Add(options);
        options.Parse(argc, argv);
        const auto topology = FabricOptions::Read(options);
        const auto trouble = CollectiveInvariants::Check("barrier", "ring");
        if (!trouble.empty())
        {
            throw WormholeError("ring: " + trouble);
        }
        if (topology->graph.GetNFirstInterfaces() < 8)
        {
            options.Refuse(FabricOptions::GetName(options),
                           "it has " + std::to_string(topology->graph.GetNFirstInterfaces()) +
                               " hosts; expected 8 or more");
        }
        const auto recorders = TimelineOptions::Begin(options);
        for (const std::string name : {"ring", "dissemination"})
        {
            std::cout << name << ": " << Measure(name, *topology).As(Time::US) << std::endl;
            Simulator::Destroy();
        }
        TimelineOptions::Finish(recorders, "own-barrier");
    }
    catch (const WormholeError& error)
    {
        std::cerr << "own-barrier: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
