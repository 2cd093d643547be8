/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fabrics whose routing engines take several lanes.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/double.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-net-device.h"
#include "ns3/wormhole-port.h"
#include "ns3/wormhole-switch.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

using namespace ns3;

/// Under heavy traffic all worms of an engine with lanes arrive, each in the lanes of its route.
class LaneTrafficTestCase : public SimulationTestCase
{
  public:
    /// @param text a topology with its engine
    explicit LaneTrafficTestCase(const std::string& text)
        : SimulationTestCase("Traffic on " + text),
          m_text(text)
    {
    }

  private:
    static void OnHead(LaneTrafficTestCase* test, WormholePort* port, Ptr<const Worm> worm)
    {
        test->CheckHead(*port, worm);
    }

    /// Compares the lane in which a head starts with the route's.
    void CheckHead(const WormholePort& port, const Ptr<const Worm>& worm)
    {
        const auto lane = worm->GetRoute()->GetLane(++m_stops[PeekPointer(worm)]);
        NS_TEST_EXPECT_MSG_EQ(+port.GetLane(), +lane, "lane of the route");
        m_used.resize(std::max<std::size_t>(m_used.size(), lane + 1U));
        ++m_used[lane];
    }

    static void OnGenerated(LaneTrafficTestCase* test, Ptr<const TrafficWorm> worm)
    {
        test->m_worms.emplace_back(worm); // so that no other one has its address
        if (test->m_worms.size() == WORMS)
        {
            test->m_traffic->Stop();
        }
    }

    void DoRun() override
    {
        const auto graph = MakeTopology(m_text).graph;
        auto fabric = WormholeHelper().Install(graph);
        UintegerValue lanes;
        fabric->GetAttribute("Lanes", lanes);
        NS_TEST_ASSERT_MSG_GT(lanes.Get(), 1, "the routes' lanes");
        for (uint32_t s = 0; s < fabric->GetNSwitches(); ++s)
        {
            for (uint32_t i = 0; i < fabric->GetSwitch(s)->GetNPorts(); ++i)
            {
                Listen(fabric->GetSwitch(s)->GetPort(i));
            }
        }
        for (uint32_t h = 0; h < fabric->GetNHosts(); ++h)
        {
            Listen(fabric->GetHost(h)->GetPort());
        }
        WormholeTrafficHelper helper;
        helper.SetAttribute("Load", DoubleValue(0.9));
        m_traffic = helper.Install(fabric, graph, WormLength::Fixed(40), 1);
        m_traffic->TraceConnectWithoutContext("Generated", MakeBoundCallback(&OnGenerated, this));
        m_traffic->Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_traffic->GetCounts().deliveredWorms, WORMS, "all arrive");
        NS_TEST_EXPECT_MSG_GT(m_used.size(), 1, "lanes that worms took");
        NS_TEST_EXPECT_MSG_GT(lanes.Get() + 1, m_used.size(), "no more than there are");
        NS_TEST_EXPECT_MSG_GT(m_used.back(), 0, "worms in the last lane");
        m_traffic = nullptr;
        m_worms.clear();
        Simulator::Destroy();
    }

    /// Notes heads that start on a port's channel.
    void Listen(Ptr<WormholePort> port)
    {
        port->TraceConnectWithoutContext("HeadStart",
                                         MakeBoundCallback(&OnHead, this, PeekPointer(port)));
    }

    static constexpr uint64_t WORMS = 1500;         ///< worms that are made
    std::string m_text;                             ///< the topology
    Ptr<WormholeTraffic> m_traffic;                 ///< the traffic
    std::vector<Ptr<const TrafficWorm>> m_worms;    ///< all that were made
    std::map<const Worm*, WormRoute::Stop> m_stops; ///< how far heads have come
    std::vector<uint64_t> m_used;                   ///< heads by lane
};

static void
Send(Ptr<WormholeFabric> fabric, const FabricGraph& graph, uint64_t flits)
{
    auto traffic = WormholeTrafficHelper().Install(fabric, graph, WormLength::Fixed(flits), 1);
    traffic->Start();
    Simulator::Stop(MicroSeconds(50));
    Simulator::Run();
}

/// A worm that a lane's buffer can't hold is refused before it starts, and the depth that would do
/// is named; more lanes may be given than the routes take.
SIMULATION_TEST_CASE(LaneSettingsTestCase,
                     "Lanes of fabrics by their routes, and worms too long for them")
{
    const auto graph = MakeTopology("torus:4x4,routing=dateline").graph;
    Refuses([&] { Send(WormholeHelper().Install(graph), graph, 64); }, "64");
    Simulator::Destroy();
    WormholeHelper deep;
    deep.SetPortAttribute("BufferDepth", UintegerValue(64));
    Send(deep.Install(graph), graph, 64);
    Simulator::Destroy();
    WormholeHelper more;
    more.SetFabricAttribute("Lanes", UintegerValue(4));
    more.SetFabricAttribute("Grant", StringValue("worm"));
    auto fabric = more.Install(graph);
    UintegerValue lanes;
    fabric->GetAttribute("Lanes", lanes);
    NS_TEST_EXPECT_MSG_EQ(lanes.Get(), 4, "as it was given");
}

TEST_SUITE(LaneRoutesTestSuite, "wormhole-lane-routes", UNIT)
{
    for (const auto& text : {"torus:5x5,hosts=2,routing=dateline",
                             "torus:5x3x3,routing=dateline",
                             "torus:4x4,hosts=2,routing=lash",
                             "torus:4x4,hosts=2,routing=dfsssp",
                             "torus:4x4,hosts=2,routing=turn-prohibition[Lanes=2]",
                             "torus:4x4,hosts=2,routing=nue[Lanes=4]",
                             "irregular:switches=16,hosts=40,routing=turn-prohibition[Lanes=4]",
                             "irregular:switches=16,hosts=40,routing=lash",
                             "dragonfly:a=4,h=2,hosts=2,routing=dragonfly-minimal",
                             "dragonfly:a=4,h=2,hosts=2,routing=valiant"})
    {
        AddTestCase(new LaneTrafficTestCase(text), WORMHOLE_TEST_QUICK);
    }
    AddTestCase(new LaneSettingsTestCase(), WORMHOLE_TEST_QUICK);
}
