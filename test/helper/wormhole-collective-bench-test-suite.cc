/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-bench.h"

using namespace ns3;

namespace
{

/// Hosts of the members, by rank.
const std::vector<uint32_t> HOSTS{5, 0, 3, 9};

/// A fabric of 16 hosts with the software of collectives. It ends the simulation before.
struct BenchCluster
{
    BenchCluster()
        : topology(MakeTopology("torus:4x4"))
    {
        StartAnew();
        domain = InstallDomain(topology);
    }

    WormholeTopology topology;    ///< graph and routes
    Ptr<CollectiveDomain> domain; ///< the hosts
};

/// @return an all-reduction
Ptr<Collective>
MakeTotal(const std::string& name, const std::string& operation)
{
    auto total = CollectiveHelper::MakeCollective("allreduction", name);
    total->SetAttribute("Operation", StringValue(operation));
    total->SetAttribute("WidthBits", UintegerValue(32));
    return total;
}

} // namespace

/// Rounds: latency from the last arrival, nobody before it, results, the same again.
TEST_CASE_WITH(SimulationTestCase,
               CollectiveBenchRoundsTestCase,
               std::string,
               m_name,
               "Rounds of " + m_name)
{
    BenchCluster cluster;
    CollectiveBench bench(MakeTotal(m_name, "ADD"), cluster.domain, HOSTS);
    NS_TEST_EXPECT_MSG_EQ(bench.GetLeaves().size(), HOSTS.size(), "a time for each");
    const auto first = bench.Cross({}, {1, 10, 100, 1000});
    NS_TEST_EXPECT_MSG_GT(first, Time(), "a round takes time");
    for (const auto result : bench.GetResults())
    {
        NS_TEST_EXPECT_MSG_EQ(result, 1111, "the sum, with everybody");
    }
    const auto& leaves = bench.GetLeaves();
    NS_TEST_EXPECT_MSG_EQ(first,
                          *std::max_element(leaves.begin(), leaves.end()),
                          "from the start, when all come then, until the last one left");
    const auto began = Simulator::Now();
    NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), first, "the same again");
    NS_TEST_EXPECT_MSG_GT(Simulator::Now(), began + first, "time goes on");
    NS_TEST_EXPECT_MSG_EQ(bench.GetResults()[0], 0, "of the last round");

    const auto late = MicroSeconds(500);
    const auto waited = bench.Cross({Time(), Time(), late, Time()}, {});
    NS_TEST_EXPECT_MSG_LT_OR_EQ(waited, first, "from the last arrival on");
    for (const auto& leave : bench.GetLeaves())
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(leave, late, "nobody leaves before everybody came");
    }
    // A group that needed messages to be set up needs some to be ended.
    const auto ended = bench.Dissolve();
    NS_TEST_EXPECT_MSG_EQ(ended.IsStrictlyPositive(),
                          bench.GetSetup().IsStrictlyPositive(),
                          "set up in " << bench.GetSetup() << ", ended in " << ended);
}

/// Set-up is measured, and a group that has ended leaves room for the next one.
SIMULATION_TEST_CASE(CollectiveBenchGroupsTestCase, "Groups one after the other")
{
    BenchCluster cluster;
    Time setUp;
    for (uint32_t i = 0; i < 300; ++i) // more than a switch has registers
    {
        CollectiveBench bench(MakeTotal("btin", "MAX"), cluster.domain, HOSTS);
        NS_TEST_ASSERT_MSG_GT(bench.GetSetup(), Time(), "registers are set up by messages");
        NS_TEST_ASSERT_MSG_EQ((i == 0 || bench.GetSetup() == setUp), true, "as before");
        setUp = bench.GetSetup();
        bench.Cross({}, {i, 0, 0, 7});
        NS_TEST_ASSERT_MSG_EQ(bench.GetResults()[1], std::max<uint32_t>(i, 7), "the greatest");
        bench.Dissolve();
    }
}

/// What is refused before a round begins, and how a round that never ends is told.
SIMULATION_TEST_CASE(CollectiveBenchRefusalsTestCase, "What is refused")
{
    BenchCluster cluster;
    CollectiveBench bench(MakeTotal("dissemination", "MAX"), cluster.domain, HOSTS);
    const auto before = bench.Cross({}, {});
    const auto now = Simulator::Now();
    Refuses([&] { bench.Cross({Time()}, {}); },
            "1 arrivals for 4 members; expected one for each, or none");
    Refuses([&] { bench.Cross({}, {1, 2, 3, 4, 5}); },
            "5 values for 4 members; expected one for each, or none");
    Refuses([&] { bench.Cross({Time(), Time(), Time(), NanoSeconds(-1)}, {}); },
            "a member cannot arrive before now; expected times from 0 on");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), now, "nothing was run");
    NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), before, "and all is as it was");
    Refuses([&] { bench.Cross({}, {1ULL << 32, 0, 0, 0}); },
            "which has more than 32 bits (Collective::WidthBits)");

    BenchCluster other;
    Refuses([&] { CollectiveBench(MakeTotal("btin", "MAX"), other.domain, {}); },
            "a group has no member; expected one or more");
    Refuses([&] { CollectiveBench(MakeTotal("btin", "MAX"), other.domain, {1, 99}); }, "99");
    const auto total = MakeTotal("dissemination", "ADD");
    Refuses([&] { CollectiveBench(total, other.domain, {0, 1, 2}); }, "powers of two");
    // Refused, it has left the collective's traces: with another group, it serves another.
    CollectiveBench again(total, other.domain, HOSTS);
    NS_TEST_EXPECT_MSG_GT(again.Cross({}, {}), Time(), "a round");
}

/// Rounds of a collective with arrivals and values.
TEST_SUITE(WormholeCollectiveBenchTestSuite, "wormhole-collective-bench", UNIT)
{
    for (const std::string name : {"btin", "hw-all", "dissemination", "tree[Tree=fibo]"})
    {
        AddTestCase(new CollectiveBenchRoundsTestCase(name), WORMHOLE_TEST_QUICK);
    }
    AddTestCase(new CollectiveBenchGroupsTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new CollectiveBenchRefusalsTestCase, WORMHOLE_TEST_QUICK);
}
