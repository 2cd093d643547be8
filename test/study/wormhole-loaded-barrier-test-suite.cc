// SPDX-License-Identifier: GPL-2.0-only

// The study barriers-under-load: what traffic must and must not do to barriers.

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/config.h"

#include <iomanip>

using namespace ns3;

SUITE("wormhole-loaded-barrier", UNIT);

namespace
{

std::string
Ask(const std::string& topology, const std::string& algorithms)
{
    return "topology=" + topology + " algorithms=" + algorithms + " rounds=6";
}

AskedStudy
Measure(const std::string& options, const std::string& more = {}, uint32_t jobs = 1)
{
    return {"barriers-under-load", options + " " + more, jobs};
}

/// Latencies on small fabrics. @param isShared whether three processes measure the same
TEST_CASE_WITH(LoadedLatencyTestCase,
               (const std::vector<std::string>& topologies, bool isShared),
               "barriers-under-load: an add-on network is not held up, others are: " +
                   topologies.front() + (isShared ? ", three processes" : ""))
{
    for (const auto& topology : topologies)
    {
        const auto asked = Ask(topology, "hw-1,btin,multicast,dissemination");
        const auto study = Measure(asked);
        constexpr std::size_t N_LOADS = 8; // seven parts of the channels' bound, and none
        NS_TEST_ASSERT_MSG_EQ(study.GetNRows(), 4 * N_LOADS, topology);
        std::map<std::string, double> idle;
        std::map<std::string, double> least;
        for (std::size_t row = 0; row < study.GetNRows(); ++row)
        {
            const auto get = [&](const std::string& column) { return study.Get(row, column); };
            const auto algorithm = study.GetText(row, "algorithm");
            const auto load = get("load");
            const auto mean = get("latency_us_mean");
            const auto place = topology + " " + algorithm + " " + std::to_string(load);
            if (load == 0)
            {
                idle[algorithm] = mean;
                NS_TEST_EXPECT_MSG_EQ(get("latency_us_median"), mean, place);
                NS_TEST_EXPECT_MSG_EQ(get("rounds"), 1, place);
                continue;
            }
            NS_TEST_EXPECT_MSG_NE(study.GetText(row, "state"), "deadlock", place);
            if (study.GetText(row, "state") != "steady")
            {
                NS_TEST_EXPECT_MSG_EQ(std::isnan(get("latency_us_p99")), true, place);
                NS_TEST_EXPECT_MSG_EQ((load > 0.5 * study.Get(N_LOADS - 1, "load")), true, place);
                continue;
            }
            const auto alone = idle[algorithm];
            if (algorithm == "hw-1")
            {
                // Its messages take cables of their own, and data cost software nothing.
                NS_TEST_EXPECT_MSG_EQ_TOL(mean, alone, 1e-9, place);
                NS_TEST_EXPECT_MSG_EQ_TOL(get("latency_us_p99"), alone, 1e-9, place);
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(get("rounds"), 6, place);
            NS_TEST_EXPECT_MSG_EQ((mean > alone), true, place);
            NS_TEST_EXPECT_MSG_EQ((get("latency_us_p99") >= get("latency_us_median")), true, place);
            NS_TEST_EXPECT_MSG_EQ((get("latency_us_p99") >= mean), true, place);
            const auto& first = least.emplace(algorithm, mean).first->second;
            NS_TEST_EXPECT_MSG_EQ((mean >= first), true, place);
        }
        if (!isShared)
        {
            continue;
        }
        const auto three = Measure(asked, {}, 3);
        NS_TEST_EXPECT_MSG_EQ(three.GetCsv(), study.GetCsv(), "three processes");
        for (std::size_t row = 0; row < study.GetNRows(); ++row)
        {
            const auto mean = study.Get(row, "latency_us_mean");
            Holds(three.Get(row, "latency_us_mean") == mean || std::isnan(mean), "exactly");
        }
    }
}

TEST_CASE(LoadedMistakesTestCase, "barriers-under-load: overload, mistakes and plots")
{
    auto study = Measure(Ask("torus:3x3", "btin"), "loads=3,0.1,0.1");
    NS_TEST_ASSERT_MSG_EQ(study.GetNRows(), 3, "none, 0.1 once, 3");
    NS_TEST_EXPECT_MSG_EQ(study.GetText(1, "state"), "steady", "0.1");
    NS_TEST_EXPECT_MSG_EQ(study.GetText(2, "state"), "saturated", "3");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(study.Get(2, "latency_us_mean")), true, "3");

    const auto folder = CreateTempDirFilename("plots");
    const auto files = study.WritePlots(folder, "a-");
    NS_TEST_ASSERT_MSG_EQ(files.size(), 1, "latency");
    ContainsAll(ReadText(folder + "/" + files[0]),
                {"btin, mean", "btin, 99 %", "btin, no traffic"});
    const auto nothing = StudyRegistry::Make("barriers-under-load")->MakePlots();
    NS_TEST_EXPECT_MSG_EQ(StudyPlot::Write(nothing, folder, "b-").size(), 0, "nothing");

    NS_TEST_EXPECT_MSG_EQ(study.ReadCsv(WriteTemporary("rows.csv", study.GetCsv())), true, "back");
    NS_TEST_EXPECT_MSG_EQ(study.GetNRows(), 6, "twice");

    // A tree worm that is longer than buffers, beside data that cross its way. From the root by the
    // deepest leaves it meets too few of them.
    const auto deep = [&](uint32_t flits) {
        Config::SetDefault("ns3::WormholePort::BufferDepth", UintegerValue(flits));
        return AskedStudy("barriers-under-load",
                          "topology=torus:3x3,hosts=4 algorithms=multicast[TreeLeaves=all] "
                          "loads=0.2 rounds=60")
            .GetText(1, "state");
    };
    NS_TEST_EXPECT_MSG_EQ(deep(32), "deadlock", "32");
    NS_TEST_EXPECT_MSG_EQ(deep(128), "steady", "128");
    Config::SetDefault("ns3::WormholePort::BufferDepth", UintegerValue(0));

    const auto refuses = [&](const std::string& more, const std::string& part) {
        Refuses([&] { Measure("topology=torus:3x3", more); }, part);
    };
    refuses("members=10", "10 members; expected 1 to 9");
    refuses("placement=h1,h9", "--placement=h1,h9: 'h9' is no host of the fabric; expected its 9");
    refuses("placement=first placements=2", "no effect where placement is not random");
    refuses("algorithms=no-such-barrier", "no-such-barrier");
    refuses("algorithms=", "has no value; expected");

    // A row for each of several placements, and how they spread, by the number of switches too.
    const auto placed = [&](const std::string& more) {
        return Measure("topology=mesh:4,hosts=2 algorithms=dissemination rounds=20", more);
    };
    const auto several = placed("members=2 placements=9 loads=0.001");
    NS_TEST_ASSERT_MSG_EQ(several.GetNRows(), 18, "a row each, without and with traffic");
    std::vector<double> times;
    for (std::size_t i = 0; i < 9; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(several.Get(i, "placement"), i + 1, "in order");
        times.push_back(several.Get(i, "latency_us_mean"));
    }
    std::sort(times.begin(), times.end());
    NS_TEST_EXPECT_MSG_LT(times.front(), times.back(), "near and far hosts differ");
    const auto remarks = several.GetRemarks();
    std::ostringstream spread;
    spread << std::fixed << std::setprecision(3) << "over placements: 9 values, median " << times[4]
           << ", least " << times[0] << ", quartiles " << times[2] << " and " << times[6]
           << ", greatest " << times[8];
    Contains(remarks.front(), spread.str());
    // Two hosts of a switch, as best finds them, are as near as any.
    const auto best = placed("members=2 placement=best loads=0.1");
    const auto named = placed("placement=h0,h7 loads=0.1");
    NS_TEST_EXPECT_MSG_EQ(named.Get(0, "members"), 2, "those that are named");
    NS_TEST_EXPECT_MSG_LT(best.Get(0, "latency_us_mean"), named.Get(0, "latency_us_mean"), "far");
    NS_TEST_EXPECT_MSG_EQ(best.GetRemarks().size(), 0, "one placement spreads nowhere");
}

ADD_CASES()
{
    const auto others = Words("clos:ports=4,levels=2 irregular:switches=8,hosts=16");
    AddQuick<LoadedLatencyTestCase>(Words("torus:3x3,hosts=2"), true);
    AddQuick<LoadedLatencyTestCase>(others, false);
    AddExtensive<LoadedLatencyTestCase>(others, true);
}

} // namespace
