/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The study barriers-under-load: what traffic must and must not do to barriers.

#include "../test-case.h"

#include "ns3/loaded-barrier-study.h"
#include "ns3/string.h"
#include "ns3/topology-factory.h"

#include <cmath>
#include <fstream>

using namespace ns3;

namespace
{

LoadedBarrierStudy::Parameters
Ask(const std::string& topology)
{
    LoadedBarrierStudy::Parameters parameters;
    parameters.topology = std::make_shared<const WormholeTopology>(MakeTopology(topology));
    parameters.software.SetSoftwareAttribute("StartUp", StringValue("2us"));
    parameters.software.SetSoftwareAttribute("ReceiveOverhead", StringValue("1us"));
    parameters.software.SetSoftwareAttribute("PollTime", StringValue("200ns"));
    parameters.rounds = 20;
    return parameters;
}

/// Latencies on three small fabrics.
SIMULATION_TEST_CASE(LoadedLatencyTestCase,
                     "barriers-under-load: an add-on network is not held up, others are")
{
    for (const std::string topology :
         {"torus:3x3,hosts=2", "clos:ports=4,levels=2", "irregular:switches=8,hosts=16"})
    {
        auto parameters = Ask(topology);
        parameters.algorithms = {"hw-1", "btin", "multicast", "dissemination"};
        const LoadedBarrierStudy study(parameters);
        const auto rows = study.Run(1, {});
        const auto nLoads = LoadedBarrierStudy::PARTS.size() + 1;
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 4 * nLoads, topology);
        std::map<std::string, double> idle;
        std::map<std::string, double> least;
        for (const auto& row : rows)
        {
            const auto place = topology + " " + row.algorithm + " " + std::to_string(row.load);
            if (row.load == 0)
            {
                idle[row.algorithm] = row.latencyUsMean;
                NS_TEST_EXPECT_MSG_EQ(row.latencyUsMedian, row.latencyUsMean, place);
                NS_TEST_EXPECT_MSG_EQ(row.rounds, 1, place);
                continue;
            }
            NS_TEST_EXPECT_MSG_NE(row.state, "deadlock", place);
            if (row.state != "steady")
            {
                NS_TEST_EXPECT_MSG_EQ(std::isnan(row.latencyUs99), true, place);
                NS_TEST_EXPECT_MSG_EQ((row.load > 0.5 * rows[nLoads - 1].load), true, place);
                continue;
            }
            const auto alone = idle[row.algorithm];
            if (row.algorithm == "hw-1")
            {
                // Its messages take cables of their own, and data cost software nothing.
                NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUsMean, alone, 1e-9, place);
                NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUs99, alone, 1e-9, place);
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(row.rounds, parameters.rounds, place);
            NS_TEST_EXPECT_MSG_EQ((row.latencyUsMean > alone), true, place);
            NS_TEST_EXPECT_MSG_EQ((row.latencyUs99 >= row.latencyUsMedian), true, place);
            NS_TEST_EXPECT_MSG_EQ((row.latencyUs99 >= row.latencyUsMean), true, place);
            const auto& first = least.emplace(row.algorithm, row.latencyUsMean).first->second;
            NS_TEST_EXPECT_MSG_EQ((row.latencyUsMean >= first), true, place);
        }
        NS_TEST_EXPECT_MSG_EQ(LoadedBarrierRow::GetTable().Pack(study.Run(3, {})),
                              LoadedBarrierRow::GetTable().Pack(rows),
                              "three processes");
    }
}

SIMULATION_TEST_CASE(LoadedMistakesTestCase, "barriers-under-load: overload, mistakes and plots")
{
    auto parameters = Ask("torus:3x3");
    parameters.algorithms = {"btin"};
    parameters.loads = {3, 0.1, 0.1};
    const auto rows = LoadedBarrierStudy(parameters).Run(1, {});
    NS_TEST_ASSERT_MSG_EQ(rows.size(), 3, "none, 0.1 once, 3");
    NS_TEST_EXPECT_MSG_EQ(rows[1].state, "steady", "0.1");
    NS_TEST_EXPECT_MSG_EQ(rows[2].state, "saturated", "3");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(rows[2].latencyUsMean), true, "3");

    const auto folder = CreateTempDirFilename("plots");
    const auto files = StudyPlot::Write(MakeLoadedBarrierPlots(rows), folder, "a-");
    NS_TEST_ASSERT_MSG_EQ(files.size(), 1, "latency");
    std::stringstream text;
    text << std::ifstream(folder + "/" + files[0]).rdbuf();
    for (const auto curve : {"btin, mean", "btin, 99 %", "btin, no traffic"})
    {
        Contains(text.str(), curve);
    }
    NS_TEST_EXPECT_MSG_EQ(StudyPlot::Write(MakeLoadedBarrierPlots({}), folder, "b-").size(),
                          0,
                          "nothing");

    const auto path = CreateTempDirFilename("rows.csv");
    std::ofstream file(path);
    LoadedBarrierRow::GetTable().Write(file, rows);
    file.close();
    NS_TEST_EXPECT_MSG_EQ(LoadedBarrierRow::GetTable().Read(path).size(), rows.size(), "read back");

    // A tree worm that is longer than buffers, beside data that cross its way.
    auto shallow = Ask("torus:3x3,hosts=4");
    shallow.algorithms = {"multicast"};
    shallow.loads = {0.2};
    shallow.rounds = 300;
    shallow.fabrics.SetPortAttribute("BufferDepth", UintegerValue(32));
    NS_TEST_EXPECT_MSG_EQ(LoadedBarrierStudy(shallow).Run(1, {})[1].state, "deadlock", "32");
    shallow.fabrics.SetPortAttribute("BufferDepth", UintegerValue(128));
    NS_TEST_EXPECT_MSG_EQ(LoadedBarrierStudy(shallow).Run(1, {})[1].state, "steady", "128");

    parameters.members = 10;
    const auto many = ErrorOf([&] { LoadedBarrierStudy{parameters}; });
    Contains(many, "10 members; accepted are 1 to 9");
    parameters.members = 0;
    parameters.algorithms = {"no-such-barrier"};
    const auto none = ErrorOf([&] { LoadedBarrierStudy{parameters}; });
    Contains(none, "no-such-barrier");
    parameters.algorithms = {};
    const auto empty = ErrorOf([&] { LoadedBarrierStudy{parameters}; });
    Contains(empty, "accepted is one of each");
}

static ListedTestSuite g_wormholeLoadedBarrierTestSuite("wormhole-loaded-barrier",
                                                        {new LoadedLatencyTestCase,
                                                         new LoadedMistakesTestCase});

} // namespace
