/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/traffic-record.h"

#include <cmath>
#include <queue>
#include <tuple>

using namespace ns3;

/// The end of the warm-up in series whose warm-up is known.
TEST_CASE(WarmUpTestCase, "Warm-up is found where it ends, and where it does not")
{
    FixRandomNumbers();
    const auto noise = MakeRandom(1);
    uint32_t kept = 0;
    for (int i = 0; i < 50; ++i)
    {
        std::vector<double> steady;
        std::vector<double> step;
        std::vector<double> decay;
        std::vector<double> trend;
        for (int t = 0; t < 400; ++t)
        {
            const auto random = noise->GetValue(-1, 1);
            steady.push_back(10 + random);
            step.push_back(10 + random - (t < 100 ? 3 : 0));
            decay.push_back(10 + random + 20 * std::exp(-t / 20.0));
            trend.push_back(10 + random + t * 0.05);
        }
        const WarmUp none(steady);
        kept += none.HasEnded() && none.GetLength() < 100;
        const WarmUp sharp(step);
        NS_TEST_EXPECT_MSG_EQ(sharp.HasEnded(), true, "a step ends");
        NS_TEST_EXPECT_MSG_EQ((sharp.GetLength() >= 98 && sharp.GetLength() < 200),
                              true,
                              "a step at 100 is found at " << sharp.GetLength());
        const WarmUp soft(decay);
        NS_TEST_EXPECT_MSG_EQ((soft.HasEnded() && soft.GetLength() >= 40),
                              true,
                              "a decay by 20 e^(-t/20) ends at " << soft.GetLength());
        NS_TEST_EXPECT_MSG_EQ(WarmUp(trend).HasEnded(), false, "a trend does not end");
        NS_TEST_EXPECT_MSG_EQ(WarmUp(trend).GetLength(), 200, "half of it is dropped");
    }
    NS_TEST_EXPECT_MSG_GT(kept, 40, "little is dropped of what is steady");
    NS_TEST_EXPECT_MSG_EQ(WarmUp(std::vector<double>(30, 0.1)).GetLength(), 0, "constant");
    NS_TEST_EXPECT_MSG_EQ(WarmUp({}).HasEnded(), false, "nothing");
}

/// Flits of a worm, of which each takes a unit of time.
constexpr int64_t SERVICE = 100;

/// @return record of queues that are served on their own @param worms about as many worms of all
static TrafficRecord
Serve(const std::vector<double>& loads, uint64_t worms, Ptr<UniformRandomVariable> random)
{
    // Next arrival or departure: negative time first, source, and whether it is a departure.
    using Event = std::tuple<int64_t, uint32_t, int64_t>;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
    std::vector<int64_t> freeAt(loads.size());
    TrafficRecord record(loads.size(), loads.size(), worms / 256);
    const auto gap = [&](uint32_t source) {
        return static_cast<int64_t>(-std::log(1 - random->GetValue(0, 1)) * SERVICE /
                                    loads[source]);
    };
    for (uint32_t source = 0; source < loads.size(); ++source)
    {
        events.emplace(gap(source), source, 0);
    }
    while (record.GetNBins() < 256)
    {
        const auto [now, source, latency] = events.top();
        events.pop();
        if (latency > 0)
        {
            record.AddDelivered(source, SERVICE, latency);
            continue;
        }
        record.AddGenerated(source, SERVICE, now);
        freeAt[source] = std::max(freeAt[source], now) + SERVICE;
        events.emplace(freeAt[source], source, freeAt[source] - now);
        events.emplace(now + gap(source), source, 0);
    }
    return record;
}

/// @return what is found of latencies that are high and low in turns, by 100 in blocks of bins,
/// and by 200 in single bins @param block bins that a block has
static TrafficRecord::Summary
Alternate(int64_t block)
{
    constexpr int64_t WORMS = 10; // in a bin
    TrafficRecord record(1, 1, WORMS);
    record.AddGenerated(0, 1, 0);
    for (int64_t i = 1; i < 256 * WORMS; ++i)
    {
        const auto bin = i / WORMS;
        record.AddDelivered(0,
                            1,
                            1000 + 100 * (bin / block % 2 ? 1 : -1) + 200 * (bin % 2 ? 1 : -1));
        record.AddGenerated(0, 1, i);
    }
    return record.Summarize(1);
}

TEST_CASE(TrafficRecordTestCase, "Latency, intervals and growth of queues of known latency")
{
    FixRandomNumbers();
    const auto random = MakeRandom(1);
    const double load = 0.6;
    const auto expected = SERVICE * (1 + load / 2 / (1 - load));
    uint32_t covered = 0;
    double width = 0;
    constexpr uint32_t TRIALS = 200;
    for (uint32_t i = 0; i < TRIALS; ++i)
    {
        const auto found = Serve({load, load, load, load}, 20000, random).Summarize(1);
        NS_TEST_EXPECT_MSG_EQ(found.settled, true, "warm-up");
        NS_TEST_EXPECT_MSG_EQ_TOL(found.offered, load, 0.03, "offered load");
        NS_TEST_EXPECT_MSG_EQ_TOL(found.accepted, found.offered, 0.01, "accepted load");
        covered += std::abs(found.latency - expected) <= found.latencyCi95;
        width += found.latencyCi95 / TRIALS;
    }
    NS_TEST_EXPECT_MSG_GT(covered, TRIALS * 85 / 100, "intervals miss the mean too often");
    NS_TEST_EXPECT_MSG_LT(width, 0.05 * expected, "intervals are too wide");

    const auto over = Serve({1.25, 1.25}, 50000, random).Summarize(1);
    NS_TEST_EXPECT_MSG_EQ_TOL(over.accepted, 1, 0.01, "a queue accepts what it serves");
    NS_TEST_EXPECT_MSG_EQ_TOL(over.growth, 0.2, 0.02, "and grows by the rest");
    NS_TEST_EXPECT_MSG_GT(over.growth, over.growthCi95, "beyond doubt");

    std::vector<double> loads(100, 0.3);
    loads[42] = 1.2; // its queue grows by a third of what sources make on the average
    const auto one = Serve(loads, 200000, random).Summarize(1);
    NS_TEST_EXPECT_MSG_LT(one.growth, 0.01, "one of a hundred is not much");
    NS_TEST_EXPECT_MSG_EQ_TOL(one.worstGrowth, 0.2 / 0.309, 0.1, "but it is found");
    NS_TEST_EXPECT_MSG_GT(one.worstGrowth, one.worstGrowthCi95, "beyond doubt");

    // Latencies that stay high or low for a while make batches as long as that independent.
    const auto sixteen = Alternate(32);
    NS_TEST_EXPECT_MSG_EQ(sixteen.independent, true, "sixteen batches are independent");
    NS_TEST_EXPECT_MSG_EQ_TOL(sixteen.latencyCi95, 2.131 * 103.3 / 4, 2, "sixteen batches");
    NS_TEST_EXPECT_MSG_EQ(Alternate(128).independent, false, "all batches are too short");

    TrafficRecord record(1, 1, 100);
    for (int64_t i = 1; i <= 1000; ++i)
    {
        record.AddGenerated(0, 1, 10 * i);
        record.AddDelivered(0, 1, 1 + (i * 7) % 100);
    }
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(10).latency99, 99, "99 % of 1 to 100");
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(10).offered, 1, "a flit each flit time");
}

/// Tests of what is found from the worms of a simulation.
static ListedTestSuite g_wormholeLoadStatisticsTestSuite("wormhole-load-statistics",
                                                         {new WarmUpTestCase,
                                                          new TrafficRecordTestCase});
