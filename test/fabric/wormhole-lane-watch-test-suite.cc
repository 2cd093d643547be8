/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The watch on worms whose lane does not get its turn.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/wormhole-net-device.h"
#include "ns3/wormhole-port.h"
#include "ns3/wormhole-switch.h"
#include "ns3/wormhole-worm.h"

using namespace ns3;

/// One worm of a lane of lower priority waits while many of the other lane pass: it is told of
/// once, by the first grant after StarvationTime, with who it is, where, and who goes instead.
class LaneStarvationTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(LaneStarvationTestCase, "A worm that waits too long is told of once");

    /// What was told.
    struct Told
    {
        Ptr<const Worm> worm;    ///< who waits
        std::string port;        ///< where
        uint32_t lane;           ///< in which lane
        Ptr<const Worm> granted; ///< who goes instead
        Time wait;               ///< how long the first one has waited
        Time time;               ///< when
    };

    /// @return what is told while a worm of lane 0 waits for 20 worms of lane 1 @param scheduler
    /// ns-3's scheduler
    std::vector<Told> Run(const std::string& priorities,
                          Time patience,
                          const std::string& scheduler)
    {
        constexpr uint64_t FLITS = 50;
        constexpr uint32_t MANY = 20;
        StartAnew();
        UseScheduler(scheduler);
        WormholeHelper helper;
        helper.SetFabricAttribute("Lanes", UintegerValue(2));
        helper.SetFabricAttribute("Priorities", StringValue(priorities));
        helper.SetFabricAttribute("Grant", StringValue("worm"));
        helper.SetFabricAttribute("StarvationTime", TimeValue(patience));
        helper.SetPortAttribute("BufferDepth", UintegerValue(4 * FLITS));
        auto fabric = helper.Install(MakeStar(3));
        std::vector<Told> told;
        Listen(fabric,
               "Starvation",
               [&](Ptr<const Worm> worm,
                   Ptr<WormholePort> port,
                   uint8_t lane,
                   Ptr<const Worm> granted,
                   Time wait) {
                   told.push_back({worm, port->GetName(), lane, granted, wait, Simulator::Now()});
               });
        const auto send = [&](uint32_t host, uint8_t lane) {
            const auto route = WormRoute::Path({0, 2}).InLanes({lane, lane});
            fabric->GetHost(host)->SendWorm(MakeWorm(FLITS, route));
        };
        for (uint32_t i = 0; i < MANY; ++i)
        {
            send(1, 1);
        }
        send(0, 0); // asks with the first one, and has the lower port
        send(0, 0);
        Simulator::Run();
        const auto& counts = fabric->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.flitsOut, (MANY + 2) * FLITS, "all arrive");
        Simulator::Destroy();
        return told;
    }

    void DoRun() override
    {
        const auto patience = MicroSeconds(1);
        for (const std::string scheduler : {"Map", "Wormhole"})
        {
            const auto told = Run("0,1", patience, scheduler);
            NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "once; the one behind it asks when it has left");
            NS_TEST_EXPECT_MSG_EQ(told[0].worm->GetId(), 20, "the first one of lane 0");
            NS_TEST_EXPECT_MSG_EQ(told[0].port, "s0:2", "the output to the third host");
            NS_TEST_EXPECT_MSG_EQ(told[0].lane, 0, "its lane");
            // Worms of 50 flits of 6.25 ns pass; the fifth one is the first after 1 us.
            NS_TEST_EXPECT_MSG_EQ(told[0].granted->GetId(), 4, "who goes instead");
            NS_TEST_EXPECT_MSG_EQ(told[0].wait, NanoSeconds(1250), "how long it waits");
            NS_TEST_EXPECT_MSG_EQ((told[0].time > told[0].wait), true, "told when that is so");
        }
        NS_TEST_EXPECT_MSG_EQ(Run("0,1", Time(0), "Map").size(), 0, "no watch");
        NS_TEST_EXPECT_MSG_EQ(Run("0,1", MicroSeconds(10), "Map").size(), 0, "longer patience");
        NS_TEST_EXPECT_MSG_EQ(Run("0,0", patience, "Map").size(), 0, "equal priorities");
    }
};

static ListedTestSuite g_laneWatchTestSuite("wormhole-lane-watch", {new LaneStarvationTestCase()});
