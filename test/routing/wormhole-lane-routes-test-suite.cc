/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fabrics whose routing engines take several lanes.

#include "heavy-traffic-test-case.h"

using namespace ns3;

/// Under heavy traffic all worms of an engine with lanes arrive, each in the lanes of its route.
class LaneTrafficTestCase : public HeavyTrafficTestCase
{
  public:
    /// @param text a topology with its engine
    explicit LaneTrafficTestCase(const std::string& text)
        : HeavyTrafficTestCase("Traffic on " + text, text)
    {
    }

  private:
    void OnHead(const WormholePort& port, const Ptr<const Worm>& worm) override
    {
        const auto lane = worm->GetRoute()->GetLane(++m_stops[PeekPointer(worm)]);
        NS_TEST_EXPECT_MSG_EQ(+port.GetLane(), +lane, "lane of the route");
        CountIn(lane);
    }

    void OnMade(const Ptr<const TrafficWorm>& worm) override
    {
        m_worms.emplace_back(worm); // so that no other one has its address
    }

    void DoRun() override
    {
        const auto lanes = Run(true);
        NS_TEST_ASSERT_MSG_GT(lanes, 1, "the routes' lanes");
        NS_TEST_EXPECT_MSG_GT(GetUsed().size(), 1, "lanes that worms took");
        NS_TEST_EXPECT_MSG_GT(lanes + 1, GetUsed().size(), "no more than there are");
        NS_TEST_EXPECT_MSG_GT(GetUsed().back(), 0, "worms in the last lane");
        m_worms.clear();
        Simulator::Destroy();
    }

    std::vector<Ptr<const TrafficWorm>> m_worms;    ///< all that were made
    std::map<const Worm*, WormRoute::Stop> m_stops; ///< how far heads have come
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
