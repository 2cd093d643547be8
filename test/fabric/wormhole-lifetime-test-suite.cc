/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parts of a fabric that are kept longer than what they belong to. Under valgrind or ASan these
// show reads of freed memory, too.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/node-container.h"

using namespace ns3;

namespace
{

/// @return a worm of one flit from the first host of a line to the second
Ptr<Worm>
MakeWorm()
{
    return Create<Worm>(Worm::RAW, nullptr, 1, Create<WormRoute>(WormRoute::Path({0, 1, 2})));
}

} // namespace

/// Ports, cables, switches and interfaces may be kept longer than each other and the fabric.
class KeptPartsTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(KeptPartsTestCase, "Parts may be kept longer than what they belong to");

    void KeepPorts()
    {
        auto fabricSwitch = CreateObject<WormholeSwitch>();
        fabricSwitch->SetName("s7");
        auto port = fabricSwitch->GetPort(3);
        auto device = CreateObject<WormholeNetDevice>();
        device->SetName("h9");
        auto far = device->GetPort();
        auto cable = CreateObject<WormholeChannel>();
        cable->Connect(port, far);
        fabricSwitch = nullptr;
        device = nullptr;
        NS_TEST_EXPECT_MSG_EQ(port->GetName(), "s7:3", "a port knows its name");
        NS_TEST_EXPECT_MSG_EQ(far->GetName(), "h9:0", "so does a host's");
        NS_TEST_EXPECT_MSG_EQ(cable->GetNDevices(), 0, "the host is gone");
        Refuses([&] { CreateObject<WormholeChannel>()->Connect(port, far); },
                "has a cable to h9:0 already");
        Simulator::Destroy(); // which disposes of the cable
        cable = nullptr;
        far = nullptr;
        NS_TEST_EXPECT_MSG_EQ(port->IsConnected(), false, "nothing is at the other end any more");
        NS_TEST_EXPECT_MSG_EQ(port->GetName(), "s7:3", "it still knows its name");
        auto nowhere = CreateObject<WormholePort>();
        Refuses([&] { CreateObject<WormholeChannel>()->Connect(nowhere, port); },
                "a port of no node");
    }

    /// Keeps everything else when the simulation has ended.
    void KeepParts()
    {
        auto fabric = WormholeHelper().Install(MakeLine(2));
        auto device = fabric->GetHost(0);
        auto fabricSwitch = fabric->GetSwitch(0);
        auto port = fabricSwitch->GetPort(1);
        auto channel = port->GetChannel();
        auto segment = fabric->GetSegment();
        device->SendWorm(MakeWorm());
        Simulator::Run();
        const auto number = port->GetNumber();
        Simulator::Destroy();
        fabric = nullptr;
        NS_TEST_EXPECT_MSG_EQ(device->GetFabric(), nullptr, "the fabric is gone");
        NS_TEST_EXPECT_MSG_EQ(device->GetChannel(), nullptr, "so is what joined the hosts");
        NS_TEST_EXPECT_MSG_EQ(device->HasStarted(), false, "and what moved the worms");
        NS_TEST_EXPECT_MSG_EQ(segment->GetNDevices(), 0, "nobody is there");
        NS_TEST_EXPECT_MSG_EQ(channel->HasStarted(), false, "nothing moves");
        NS_TEST_EXPECT_MSG_EQ(port->GetName(),
                              fabricSwitch->GetName() + ":" + std::to_string(number),
                              "the port's name");
        port->SetAttribute("BufferDepth", UintegerValue(2));
        Refuses([&] { device->SendWorm(MakeWorm()); }, "in no fabric, or that is gone");
        Refuses([&] { fabricSwitch->Originate(MakeWorm()); }, "in no fabric that has started");
        fabricSwitch->SetSink(nullptr);
    }

    /// Keeps parts that were never on a node, of a fabric that never started.
    void KeepLoose()
    {
        auto fabric = CreateObject<WormholeFabric>();
        auto device = CreateObject<WormholeNetDevice>();
        auto fabricSwitch = CreateObject<WormholeSwitch>();
        fabric->AddHost(device);
        fabric->AddSwitch(fabricSwitch);
        fabric = nullptr;
        NS_TEST_EXPECT_MSG_EQ(device->GetFabric(), nullptr, "the fabric is gone");
        Refuses([&] { device->SendWorm(MakeWorm()); }, "in no fabric, or that is gone");
        device->SetAddress(Mac48Address("02:00:00:00:00:01"));
    }

    /// Ends a simulation in which a fabric with collectives never starts.
    void EndUnused()
    {
        const auto graph = MakeLine(2);
        auto fabric = WormholeHelper().Install(graph);
        CollectiveHelper().Install(fabric, graph);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetReferenceCount(), 1, "nobody else keeps it");
    }

    void DoRun() override
    {
        EndUnused();
        KeepPorts();
        KeepParts();
        KeepLoose();
    }
};

static ListedTestSuite g_wormholeLifetimeTestSuite("wormhole-lifetime", {new KeptPartsTestCase});
