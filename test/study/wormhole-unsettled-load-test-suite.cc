/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Loads that a simulation is too short to tell anything of.

#include "../asked-study.h"
#include "../test-fabrics.h"

#include "ns3/load-measurement.h"
#include "ns3/study-makers.h"
#include "ns3/traffic-record.h"

using namespace ns3;

SUITE("wormhole-unsettled-load", UNIT);

namespace
{

/// The time that worms take through a fabric, of a record that is made without one.
TEST_CASE(TransitTestCase, "Worms on their way count with their age, sources' queues do not")
{
    TrafficRecord record(2, 2, 1);
    record.AddGenerated(0, 10, 100);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 0, "just made");
    record.AddGenerated(1, 10, 200);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 50, "100 and 0");
    record.AddGenerated(0, 10, 300); // waits at its source
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 150, "200 and 100");
    record.AddDelivered(0, 10, 250);
    record.AddGenerated(1, 10, 400);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 225, "250, which arrived, and 200");
    record.AddDelivered(0, 10, 1000);
    record.AddGenerated(1, 10, 1400);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 725, "250, not 1000, and 1200");
}

/// Long cables, in which many worms are on their way before the first one arrives.
TEST_CASE(ShortSimulationTestCase,
          "Nothing is judged before several times a worm takes; a search neither")
{
    const auto setCables = [&](WormholeHelper& fabrics) {
        fabrics.SetChannelAttribute("Delay", TimeValue(MicroSeconds(40)));
        fabrics.SetPortAttribute("BufferDepth", UintegerValue(20000));
    };
    const auto makeSetup = [&](uint32_t worms) -> LoadMeasurement::Setup {
        LoadMeasurement::Setup setup;
        setup.worms = worms;
        setup.allWorms = 0;
        setCables(setup.fabrics);
        return setup;
    };
    const auto measure = [&](uint32_t worms, double load) -> LoadMeasurement::Outcome {
        const auto graph = MakeStar(2);
        return LoadMeasurement(graph, makeSetup(worms)).Measure(load, true);
    };
    const auto expectSearch = [&](uint32_t worms, bool isLong) {
        const auto graph = MakeStar(2);
        auto form = MakeLatencyLoadStudy(0);
        const AskedStudy study(
            std::move(form),
            {{"worms", std::to_string(worms)}, {"linkDelay", "40us"}, {"bufferDepth", "20000"}},
            &graph);
        for (const auto& row : study.GetRows())
        {
            if (isLong)
            {
                NS_TEST_EXPECT_MSG_GT(row["saturation_low"], 0.9, "found");
            }
            else
            {
                // Worms of a low load are made over a time that is long enough.
                const std::string state = row["load"] > 0.35   ? "unsettled"
                                          : row["load"] < 0.25 ? "steady"
                                                               : row["state"].Text();
                NS_TEST_EXPECT_MSG_EQ(row["state"].Text(), state, "at " << row["load"]);
                NS_TEST_EXPECT_MSG_EQ(std::isnan(row["saturation_high"]),
                                      true,
                                      "nothing saturated");
                NS_TEST_EXPECT_MSG_LT(row["saturation_low"], 0.35, "nor accepted");
            }
        }
    };
    for (const auto load : {0.6, 0.9})
    {
        // A worm takes 81 us, and one is made in 0.4 us over the load.
        for (const uint32_t worms : {1, 4, 16})
        {
            const auto outcome = measure(worms, load);
            NS_TEST_EXPECT_MSG_EQ(LoadMeasurement::NameOf(outcome.state),
                                  "unsettled",
                                  worms << " worms at " << load);
            NS_TEST_EXPECT_MSG_EQ(outcome.isObserved, false, "too short");
            NS_TEST_EXPECT_MSG_EQ(std::isnan(outcome.found.accepted), true, "says nothing");
        }
        const auto outcome = measure(8192, load);
        NS_TEST_EXPECT_MSG_EQ(LoadMeasurement::NameOf(outcome.state), "steady", load);
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.found.accepted, load, 0.03 * load, "all of it");
    }
    expectSearch(8, false);
    expectSearch(8192, true);
}

} // namespace
