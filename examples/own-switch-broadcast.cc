// SPDX-License-Identifier: GPL-2.0-only

// A broadcast of your own in the switches: each switch forwards what it receives to all other ports
// of the group's tree. Like the module's algorithms, it is found by its name, "flood", and checked
// for the invariants of its kind. See doc/design/write-your-own.rst.

#include "ns3/core-module.h"
#include "ns3/wormhole-module.h"

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <set>

using namespace ns3;

namespace ns3
{

/// The root's value goes to its switch, and from switch to switch to all members.
class FloodBroadcast : public SwitchBroadcast
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FloodBroadcast")
                                .SetParent<SwitchBroadcast>()
                                .SetGroupName("Wormhole")
                                .AddConstructor<FloodBroadcast>();
        return tid;
    }

  private:
    void EnterMember(uint32_t rank, uint64_t value) override
    {
        if (rank == GetRoot())
        {
            if (GetNMembers() > 1)
            {
                SendToSwitch(rank, value, CollectiveMessage::DISTRIBUTION);
            }
            Leave(rank, value);
            return;
        }
        m_inside.insert(rank);
        TryLeave(rank);
    }

    void ReceiveAtSwitch(uint32_t fabricSwitch,
                         uint16_t port,
                         const CollectiveMessage& message) override
    {
        auto ports = GetPorts(fabricSwitch);
        ports.erase(std::find(ports.begin(), ports.end(), port));
        SendFromSwitch(fabricSwitch, message.value, CollectiveMessage::DISTRIBUTION, ports);
    }

    void ReceiveAtMember(uint32_t rank, const CollectiveMessage& message) override
    {
        m_arrived[rank].push_back(message.value);
        TryLeave(rank);
    }

    /// Lets a member leave if it is inside and its value has come. @param rank the member
    void TryLeave(uint32_t rank)
    {
        auto& arrived = m_arrived[rank];
        if (!arrived.empty() && m_inside.erase(rank) > 0)
        {
            const auto value = arrived.front();
            arrived.pop_front();
            Leave(rank, value);
        }
    }

    std::set<uint32_t> m_inside;                        ///< members that wait for a value
    std::map<uint32_t, std::deque<uint64_t>> m_arrived; ///< values of rounds to come, by rank
};

NS_OBJECT_ENSURE_REGISTERED(FloodBroadcast);

} // namespace ns3

/// @return latency of a round on a fabric's first eight hosts @param name the algorithm
static Time
Measure(const std::string& name, const WormholeTopology& topology)
{
    WormholeHelper helper;
    helper.SetRouter(topology.router);
    const auto fabric = helper.Install(topology.graph);
    const auto domain = CollectiveHelper().Install(fabric, topology.graph);
    CollectiveBench bench(CollectiveHelper::MakeCollective("broadcast", name),
                          domain,
                          {0, 1, 2, 3, 4, 5, 6, 7});
    return bench.Cross({}, {});
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    try
    {
        ProgramOptions options(__FILE__,
                               "Compares a broadcast forwarded by the switches with a broadcast by "
                               "one tree worm, for eight members: the first hosts of a fabric.\n\n"
                               "Example: own-switch-broadcast --topology=torus:3x3,hosts=2");
        FabricOptions::Add(options, "a random fabric", "irregular:switches=75,hosts=256");
        TimelineOptions::Add(options);
        options.Parse(argc, argv);
        const auto topology = FabricOptions::Read(options);
        const auto trouble = CollectiveInvariants::Check("broadcast", "flood");
        if (!trouble.empty())
        {
            throw WormholeError("flood: " + trouble);
        }
        if (topology->graph.GetNFirstInterfaces() < 8)
        {
            options.Refuse(FabricOptions::GetName(options),
                           "it has " + std::to_string(topology->graph.GetNFirstInterfaces()) +
                               " hosts; expected 8 or more");
        }
        const auto recorders = TimelineOptions::Begin(options);
        for (const std::string name : {"flood", "multicast"})
        {
            std::cout << name << ": " << Measure(name, *topology).As(Time::US) << std::endl;
            Simulator::Destroy();
        }
        TimelineOptions::Finish(recorders, "own-switch-broadcast");
    }
    catch (const WormholeError& error)
    {
        std::cerr << "own-switch-broadcast: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
