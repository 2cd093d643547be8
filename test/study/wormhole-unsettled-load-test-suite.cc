/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Loads that a simulation is too short to tell anything of.

#include "../line-graph.h"
#include "../test-tools.h"

#include "ns3/latency-load-study.h"
#include "ns3/load-measurement.h"
#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/traffic-record.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-compat.h"

#include <cmath>
#include <memory>
#include <string>

using namespace ns3;

namespace
{

/**
 * @ingroup wormhole-tests
 * The time that worms take through a fabric, of a record that is made without one.
 */
class TransitTestCase : public TestCase
{
  public:
    TransitTestCase()
        : TestCase("Worms on their way count with their age, sources' queues do not")
    {
    }

  private:
    void DoRun() override
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
};

/**
 * @ingroup wormhole-tests
 * Long cables, in which many worms are on their way before the first one arrives.
 */
class ShortSimulationTestCase : public TestCase
{
  public:
    ShortSimulationTestCase()
        : TestCase("Nothing is judged before several times a worm takes; a search neither")
    {
    }

  private:
    /// @return what is measured of two hosts @param worms worms of a host @param load the load
    static LoadMeasurement::Outcome Measure(uint32_t worms, double load)
    {
        const auto graph = MakeStar(2);
        return LoadMeasurement(graph, MakeSetup(worms)).Measure(load, true);
    }

    /// @return what is measured @param worms worms of a host
    static LoadMeasurement::Setup MakeSetup(uint32_t worms)
    {
        LoadMeasurement::Setup setup;
        setup.worms = worms;
        setup.allWorms = 0;
        SetCables(setup.fabrics);
        return setup;
    }

    /// Makes cables long, and buffers that cover them. @param fabrics the fabric's parts
    static void SetCables(WormholeHelper& fabrics)
    {
        fabrics.SetChannelAttribute("Delay", TimeValue(MicroSeconds(40)));
        fabrics.SetPortAttribute("BufferDepth", UintegerValue(20000));
    }

    void DoRun() override
    {
        StartAnew();
        for (const auto load : {0.6, 0.9})
        {
            // A worm takes 81 us, and one is made in 0.4 us over the load.
            for (const uint32_t worms : {1, 4, 16})
            {
                const auto outcome = Measure(worms, load);
                NS_TEST_EXPECT_MSG_EQ(LoadMeasurement::NameOf(outcome.state),
                                      "unsettled",
                                      worms << " worms at " << load);
                NS_TEST_EXPECT_MSG_EQ(outcome.isObserved, false, "too short");
                NS_TEST_EXPECT_MSG_EQ(std::isnan(outcome.found.accepted), true, "says nothing");
            }
            const auto outcome = Measure(8192, load);
            NS_TEST_EXPECT_MSG_EQ(LoadMeasurement::NameOf(outcome.state), "steady", load);
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.found.accepted, load, 0.03 * load, "all of it");
        }
        ExpectSearch(8, false);
        ExpectSearch(8192, true);
    }

    /// Expects what a search finds. @param worms worms of a host @param isLong whether they will do
    void ExpectSearch(uint32_t worms, bool isLong)
    {
        LatencyLoadStudy::Parameters parameters;
        parameters.given = std::make_shared<FabricGraph>(MakeStar(2));
        parameters.flits = {"64"};
        parameters.worms = worms;
        parameters.allWorms = 0;
        SetCables(parameters.fabrics);
        for (const auto& row : LatencyLoadStudy(parameters).Run({}))
        {
            if (isLong)
            {
                NS_TEST_EXPECT_MSG_GT(row.saturationLow, 0.9, "found");
            }
            else
            {
                // Worms of a low load are made over a time that is long enough.
                const std::string state = row.load > 0.35   ? "unsettled"
                                          : row.load < 0.25 ? "steady"
                                                            : row.state;
                NS_TEST_EXPECT_MSG_EQ(row.state, state, "at " << row.load);
                NS_TEST_EXPECT_MSG_EQ(std::isnan(row.saturationHigh), true, "nothing saturated");
                NS_TEST_EXPECT_MSG_LT(row.saturationLow, 0.35, "nor accepted");
            }
        }
    }
};

} // namespace

/**
 * @ingroup wormhole-tests
 * The suite of loads that a simulation is too short for.
 */
class UnsettledLoadTestSuite : public TestSuite
{
  public:
    UnsettledLoadTestSuite()
        : TestSuite("wormhole-unsettled-load", TestSuite::Type::UNIT)
    {
        AddTestCase(new TransitTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new ShortSimulationTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// The suite.
static UnsettledLoadTestSuite g_unsettledLoadTestSuite;
