/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A fabric a rank under ns-3's parallel simulators. Runs the example distributed-fabrics, since
// ranks are processes of their own; ns-3's test.py starts suites in the tree's root.

#include "ns3/test.h"
#include "ns3/wormhole-compat.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup wormhole-tests
 * What arrives where and when does not depend on how many ranks simulate it.
 */
class DistributedFabricsTestCase : public TestCase
{
  public:
    DistributedFabricsTestCase()
        : TestCase("A fabric a rank gives the sequential result, under both parallel simulators")
    {
    }

  private:
    /**
     * Runs the example.
     * @param simulator name of the simulator
     * @param launcher what stands before the program
     * @return what it prints, line by line, sorted, since ranks print as they end
     */
    std::vector<std::string> RunExample(const std::string& simulator, const std::string& launcher)
    {
        const auto file = CreateTempDirFilename(simulator + ".txt");
        const std::string script = std::ifstream("ns3") ? "./ns3 run distributed-fabrics --no-build"
                                                        : "./waf --run distributed-fabrics";
        const auto command = "python3 " + script + " --command-template=\"" + launcher +
                             "%s --simulator=" + simulator + "\" > " + file;
        NS_TEST_EXPECT_MSG_EQ(std::system(command.c_str()), 0, command);
        std::ifstream stream(file);
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);)
        {
            if (line.find(" packets, ") != std::string::npos) // else of the launcher's
            {
                lines.push_back(line);
            }
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }

    void DoRun() override
    {
        const auto sequential = RunExample("sequential", "");
        NS_TEST_ASSERT_MSG_EQ(sequential.size(), 20, "a line for each flow");
        for (const auto& line : sequential)
        {
            NS_TEST_EXPECT_MSG_EQ(line.find(": 0 packets"), std::string::npos, line);
        }
        for (const std::string simulator : {"distributed", "null-message"})
        {
            const auto parallel = RunExample(simulator, "mpiexec -n 2 ");
            NS_TEST_ASSERT_MSG_EQ(parallel.size(), sequential.size(), simulator);
            for (std::size_t i = 0; i < sequential.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(parallel[i], sequential[i], simulator);
            }
        }
    }
};

/**
 * @ingroup wormhole-tests
 * Suite of fabrics under ns-3's parallel simulators.
 */
class WormholeDistributedTestSuite : public TestSuite
{
  public:
    WormholeDistributedTestSuite()
        : TestSuite("wormhole-distributed", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new DistributedFabricsTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// The suite.
static WormholeDistributedTestSuite g_wormholeDistributedTestSuite;
