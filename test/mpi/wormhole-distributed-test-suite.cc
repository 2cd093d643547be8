// SPDX-License-Identifier: GPL-2.0-only

// A fabric a rank under ns-3's parallel simulators. Runs the example distributed-fabrics, since
// ranks are processes of their own; ns-3's test.py starts suites in the tree's root.

#include "../test-case.h"

#include <cstdlib>

using namespace ns3;

SUITE("wormhole-distributed", SYSTEM);

TEST_CASE(DistributedFabricsTestCase,
          "A fabric a rank gives the sequential result, under both parallel simulators")
{
    // Runs the example, behind the launcher. Returns what it prints, line by line, sorted, since
    // ranks print as they end
    const auto runExample = [&](const std::string& simulator,
                                const std::string& launcher) -> std::vector<std::string> {
        const auto file = CreateTempDirFilename(simulator + ".txt");
        const std::string script = std::ifstream("ns3") ? "./ns3 run distributed-fabrics --no-build"
                                                        : "./waf --run distributed-fabrics";
        // The program itself, where the build does not lie in the tree.
        const auto program = std::getenv("WORMHOLE_DISTRIBUTED");
        const auto arguments = " --simulator=" + simulator;
        const auto command = (program ? launcher + program + arguments
                                      : "python3 " + script + " --command-template=\"" + launcher +
                                            "%s" + arguments + "\"") +
                             " > " + file;
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
    };
    const auto sequential = runExample("sequential", "");
    NS_TEST_ASSERT_MSG_EQ(sequential.size(), 20, "a line for each flow");
    for (const auto& line : sequential)
    {
        NS_TEST_EXPECT_MSG_EQ(line.find(": 0 packets"), std::string::npos, line);
    }
    for (const std::string simulator : {"distributed", "null-message"})
    {
        Same(runExample(simulator, "mpiexec -n 2 "), sequential, simulator);
    }
}
