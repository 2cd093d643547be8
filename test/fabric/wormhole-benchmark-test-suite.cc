/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the benchmark counts. Times are not judged, since machines are noisy.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/fabric-benchmark.h"
#include "ns3/global-value.h"

using namespace ns3;

/// Traffic costs few events, as many for long worms as for short ones, and saturation is told.
SIMULATION_TEST_CASE(TrafficBenchmarkTestCase, "Events of traffic, and saturation")
{
    const auto graph = DrawFabric(16, 48);
    const FabricBenchmark benchmark(graph, WormholeHelper(), 1);
    constexpr uint64_t WORMS = 2000;
    const auto fits = benchmark.MeasureTraffic({"fabric", 2, 0.02, WORMS});
    const auto longer = benchmark.MeasureTraffic({"fabric", 100000, 0.02, WORMS});
    NS_TEST_EXPECT_MSG_EQ(fits.worms, WORMS, "all worms arrive");
    NS_TEST_EXPECT_MSG_EQ(longer.worms, WORMS, "all worms arrive");
    NS_TEST_EXPECT_MSG_GT(fits.cpuNsPerWormHop, 0, "CPU of traffic");
    NS_TEST_EXPECT_MSG_GT(fits.bareTwoEventsNs, 0, "CPU of bare events");
    NS_TEST_EXPECT_MSG_EQ(longer.wormHops, fits.wormHops, "the same draws, the same ways");
    // Made once, granted at every switch, arrived once. Grants of short worms, which are many
    // at a time, share events; those of long ones hardly.
    const auto own = 2.0 * WORMS / static_cast<double>(fits.wormHops);
    NS_TEST_EXPECT_MSG_LT(fits.eventsPerWormHop, own + 0.3, "worms that fit the buffers");
    NS_TEST_EXPECT_MSG_GT(fits.eventsPerWormHop, own, "made and arrived");
    NS_TEST_EXPECT_MSG_LT(longer.eventsPerWormHop, 1.6, "longer worms");
    NS_TEST_EXPECT_MSG_GT(longer.eventsPerWormHop, own + 0.3, "no grant is free");
    NS_TEST_EXPECT_MSG_EQ(fits.saturated, false, "little load");
    NS_TEST_EXPECT_MSG_GT(fits.latencyUsP99, fits.latencyUsMean, "latencies are spread");
    const auto tooMuch = benchmark.MeasureTraffic({"fabric", 64, 0.9, WORMS});
    NS_TEST_EXPECT_MSG_EQ(tooMuch.saturated, true, "more load than the fabric carries");
    std::ostringstream csv;
    FabricBenchmark::WriteTraffic(csv, {tooMuch});
    NS_TEST_EXPECT_MSG_NE(csv.str().find(",saturated,saturated\n"),
                          std::string::npos,
                          "no latency beyond saturation: " << csv.str());
}

/// Several lanes, and routes with choices, cost at most an event a worm-hop, whatever the worms'
/// length; with choices worms wait less.
SIMULATION_TEST_CASE(LaneBenchmarkTestCase, "Events of traffic in several lanes")
{
    StringValue scheduler;
    GlobalValue::GetValueByName("SchedulerType", scheduler);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::WormholeScheduler"));
    constexpr uint64_t WORMS = 2000;
    std::vector<double> waits;
    for (const std::string engine : {"dateline", "adaptive"})
    {
        const auto topology = MakeTopology("torus:4x4,hosts=2,routing=" + engine);
        WormholeHelper helper;
        helper.SetRouter(topology.router);
        helper.SetPortAttribute("BufferDepth", UintegerValue(1024));
        const FabricBenchmark benchmark(topology.graph, helper, 1);
        for (const uint64_t flits : {2, 64, 1024})
        {
            const auto row = benchmark.MeasureTraffic({"fabric", flits, 0.15, WORMS});
            NS_TEST_EXPECT_MSG_EQ(row.worms, WORMS, "all worms arrive");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(row.eventsPerWormHop, 1, "made and arrived, no more");
            waits.push_back(row.latencyUsMean);
        }
    }
    GlobalValue::Bind("SchedulerType", scheduler);
    NS_TEST_EXPECT_MSG_LT(waits[5], waits[2], "worms of 1024 flits wait less");
}

/// A barrier costs about one event for each channel that its messages cross.
SIMULATION_TEST_CASE(BarrierBenchmarkTestCase, "Events of a barrier")
{
    const auto graph = DrawFabric(16, 48);
    const FabricBenchmark benchmark(graph, WormholeHelper(), 1);
    const auto once = benchmark.MeasureBarriers("fabric", {"btin"}, 48, 1).front();
    const auto often = benchmark.MeasureBarriers("fabric", {"btin"}, 48, 10).front();
    NS_TEST_EXPECT_MSG_EQ(once.members, 48, "all hosts");
    NS_TEST_EXPECT_MSG_EQ_TOL(often.eventsPerBarrier,
                              once.eventsPerBarrier,
                              1,
                              "every barrier costs the same");
    // 48 hosts up and down, at most 15 cables of a spanning tree up and down, one to begin.
    NS_TEST_EXPECT_MSG_LT_OR_EQ(once.eventsPerBarrier, 2 * (48 + 15) + 1, "events");
}

static ListedTestSuite g_wormholeBenchmarkTestSuite("wormhole-benchmark",
                                                    {new TrafficBenchmarkTestCase,
                                                     new LaneBenchmarkTestCase,
                                                     new BarrierBenchmarkTestCase});
