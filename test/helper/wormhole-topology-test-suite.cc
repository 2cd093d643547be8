/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"

#include "ns3/irregular-topology-helper.h"

#include <cmath>
#include <limits>

using namespace ns3;

namespace
{

using GraphNode = FabricGraph::Node;                          //!< short name
using Port = FabricGraph::Port;                               //!< short name
using TopologyModel = IrregularTopologyHelper::TopologyModel; //!< short name
using Parameters = IrregularTopologyHelper::Parameters;       //!< short name

/// @return a number that stands for all cables of a fabric (FNV-1a)
uint64_t
Fingerprint(const FabricGraph& graph)
{
    uint64_t hash = 14695981039346656037U;
    for (GraphNode node = 0; node < graph.GetNNodes(); ++node)
    {
        for (Port port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto peer = graph.Peer(node, port);
            for (auto value : {peer.node, uint32_t{peer.port}})
            {
                hash = (hash ^ value) * 1099511628211U;
            }
        }
    }
    return hash;
}

FabricGraph
Draw(const Parameters& parameters, int64_t stream)
{
    IrregularTopologyHelper helper(parameters);
    helper.AssignStreams(stream);
    return helper.Create();
}

class TopologyCountsTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(TopologyCountsTestCase,
                   "hosts, links, connection and parallel links of 600 random fabrics");

    void DoRun() override;

    void Check(const Parameters& parameters, const FabricGraph& graph, uint32_t links);

    uint32_t m_parallel{0}; ///< cables beside others between the same two switches
};

void
TopologyCountsTestCase::DoRun()
{
    auto random = MakeRandom(31);
    for (uint32_t i = 0; i < 600; ++i)
    {
        Parameters parameters;
        const auto q = parameters.switches = random->GetInteger(2, 40);
        const auto k = parameters.ports = random->GetInteger(5, 10);
        const auto p = parameters.hosts = random->GetInteger(1, q * (k - 3));
        parameters.law = static_cast<TopologyModel>(i % 3);
        parameters.parallelLinks = i % 2 == 1;
        const auto most = std::min({(q * k - p) / 2, q * (q - 1) / 2, q + 10});
        const auto links = random->GetInteger(q - 1, std::max(q - 1, most));
        parameters.connectivity = (p + 2.0 * links) / (q * k);
        Check(parameters, Draw(parameters, i), links);
    }
    NS_TEST_ASSERT_MSG_GT(m_parallel, 0, "parallel links are drawn when asked for");
}

void
TopologyCountsTestCase::Check(const Parameters& parameters,
                              const FabricGraph& graph,
                              uint32_t links)
{
    graph.Validate();
    NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitches(), parameters.switches, "switches");
    NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), parameters.hosts, "hosts");
    NS_TEST_ASSERT_MSG_EQ(graph.GetNPorts(0), parameters.ports, "ports");
    NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitchLinks(), links, "links between switches");
    uint32_t ends = 0;
    uint32_t hosts = 0;
    GraphNode lastHost = 0;
    for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
    {
        std::map<GraphNode, uint32_t> cables;
        for (auto port : graph.PortsToSwitches(node))
        {
            ++cables[graph.Peer(node, port).node];
            ++ends;
        }
        NS_TEST_ASSERT_MSG_EQ(cables.empty(), false, "each switch keeps a port for a switch");
        for (auto [peer, count] : cables)
        {
            NS_TEST_ASSERT_MSG_EQ((count == 1 || parameters.parallelLinks), true, "parallel links");
            m_parallel += count - 1;
        }
        for (auto port : graph.PortsToHosts(node))
        {
            const auto host = graph.Peer(node, port).node;
            NS_TEST_ASSERT_MSG_GT(host, lastHost, "hosts are numbered by switch, then port");
            lastHost = host;
            ++hosts;
        }
    }
    NS_TEST_ASSERT_MSG_EQ(ends, 2 * links, "ports in use for links");
    NS_TEST_ASSERT_MSG_EQ(hosts, parameters.hosts, "ports in use for hosts");
}

TEST_CASE(TopologySeedTestCase,
          "one stream gives one fabric, the same on all machines and versions")
{
    const std::map<TopologyModel, uint64_t> expected{
        {TopologyModel::RECURSIVE, 11133695756869325370U},
        {TopologyModel::WALK, 2420172106102938096U},
        {TopologyModel::PAIRING, 12382859018505620060U}};
    for (auto [law, fingerprint] : expected)
    {
        Parameters parameters;
        parameters.law = law;
        IrregularTopologyHelper helper(parameters);
        helper.AssignStreams(5);
        const auto first = Fingerprint(helper.Create());
        const auto second = Fingerprint(helper.Create());
        NS_TEST_EXPECT_MSG_EQ(first, fingerprint, "law " << helper.NameOf(law));
        NS_TEST_EXPECT_MSG_NE(first, second, "the next draw is another");
        NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(5), 1, "streams used");
        NS_TEST_EXPECT_MSG_EQ(Fingerprint(helper.Create()), first, "the stream starts anew");
        NS_TEST_EXPECT_MSG_NE(Fingerprint(Draw(parameters, 6)), first, "another stream");
    }
}

class TopologyDistributionTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(TopologyDistributionTestCase,
                   "shapes of trees, ports and hosts come out as often as the laws say");

    void DoRun() override
    {
        // Of the 6 recursive trees of 4 nodes 2 are stars; of all 16 trees of 4 nodes 4 are.
        const double tolerance = 4 * std::sqrt(0.25 / DRAWS);
        NS_TEST_EXPECT_MSG_EQ_TOL(ShareOfStars(TopologyModel::RECURSIVE),
                                  1.0 / 3,
                                  tolerance,
                                  "recursive");
        NS_TEST_EXPECT_MSG_EQ_TOL(ShareOfStars(TopologyModel::WALK), 1.0 / 4, tolerance, "walk");

        // 3 hosts in 2 times 3 slots: all on one switch in 2 of 20 cases. All ports are equally
        // likely.
        IrregularTopologyHelper helper({2, 4, 5.0 / 8, 3, TopologyModel::RECURSIVE, false});
        helper.AssignStreams(9);
        uint32_t together = 0;
        std::vector<uint32_t> linkAt(4, 0);
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            const auto graph = helper.Create();
            together += graph.PortsToHosts(0).size() % 3 == 0;
            ++linkAt[graph.PortsToSwitches(0)[0]];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * together / DRAWS, 0.1, tolerance, "hosts on one switch");
        for (auto count : linkAt)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * count / DRAWS, 0.25, tolerance, "port of the link");
        }
    }

    /// @return the share of stars among trees of 4 switches
    double ShareOfStars(TopologyModel law)
    {
        Parameters parameters{4,
                              8,
                              10.0 / 32,
                              4,
                              law,
                              false}; // 3 links, every switch has 4 ports left
        IrregularTopologyHelper helper(parameters);
        helper.AssignStreams(8);
        uint32_t stars = 0;
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            const auto graph = helper.Create();
            for (GraphNode node = 0; node < 4; ++node)
            {
                stars += graph.PortsToSwitches(node).size() == 3;
            }
        }
        return 1.0 * stars / DRAWS;
    }

    static constexpr uint32_t DRAWS = 8000; ///< draws of each kind
};

TEST_CASE(TopologyRefusalsTestCase,
          "infeasible parameters are refused, naming what would be accepted")
{
    // expected: part of the error's line
    const auto refused = [&](const Parameters& parameters, const std::string& expected) {
        std::string got = "accepted";
        try
        {
            Draw(parameters, 1);
        }
        catch (const WormholeError& error)
        {
            got = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(got.find(expected), std::string::npos, got << ", not " << expected);
        NS_TEST_EXPECT_MSG_EQ(got.find('\n'), std::string::npos, "one line");
    };
    const auto law = TopologyModel::RECURSIVE;
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    refused({75, 8, 0.5, 256, law, false},
            "leaves 22 links to join the switches, and 74 are needed");
    refused({75, 8, 0.5, 256, law, false}, "least feasible is 0.6733");
    refused({300, 8, 0.67, 1024, law, false}, "least feasible is 0.6758");
    refused({75, 8, 1.1, 256, law, false}, "connectivity 1.1000");
    refused({75, 8, 1.1, 256, law, false}, "expected 0.6733 to 1.0000");
    refused({75, 8, 0, 256, law, false}, "connectivity 0.0000");
    refused({75, 8, -0.75, 256, law, false}, "connectivity -0.7500");
    refused({75, 8, nan, 256, law, false}, "connectivity nan");
    refused({75, 1, 0.75, 10, law, false}, "1 ports a switch: expected 2 to 65535");
    refused({75, 0, 0.75, 10, law, false}, "0 ports a switch");
    refused({75, 8, 0.75, 526, law, false}, "526 hosts");
    refused({75, 8, 0.75, 526, law, false}, "expected 1 to 525");
    refused({75, 8, 0.75, 0, law, false}, "0 hosts");
    refused({0, 8, 0.75, 1, law, false}, "0 switches");
    refused({75, 8, 0.99, 500, law, false}, "expected 452 hosts at most");
    refused({3, 8, 0.9, 4, law, false}, "calls for 9 links between switches, and 3 are possible");
    refused({3, 8, 0.9, 4, law, false}, "expected 0.3333 to 0.4167");
    refused({1, 8, 0.75, 3, law, true}, "expected 0.3750 to 0.3750");
    // Every switch must have one host exactly, which about one draw of 100,000 gives.
    refused({14, 14, 1, 14, law, false}, "1000 draws of 14 switches with law recursive");
    for (auto any : {TopologyModel::RECURSIVE, TopologyModel::WALK, TopologyModel::PAIRING})
    {
        NS_TEST_EXPECT_MSG_EQ(Draw({75, 8, 0.67334, 256, any, false}, 1).GetNSwitchLinks(),
                              74,
                              "the least connectivity is accepted");
        NS_TEST_EXPECT_MSG_EQ(Draw({75, 8, 1, 256, any, false}, 1).GetNSwitchLinks(),
                              172,
                              "the greatest connectivity is accepted");
        NS_TEST_EXPECT_MSG_EQ(Draw({3, 8, 0.9, 4, any, true}, 1).GetNSwitchLinks(),
                              9,
                              "parallel links on request");
        NS_TEST_EXPECT_MSG_EQ(Draw({1, 8, 0.375, 3, any, false}, 1).GetNSwitchLinks(),
                              0,
                              "one switch");
        NS_TEST_EXPECT_MSG_EQ(
            (IrregularTopologyHelper::ModelByName(IrregularTopologyHelper::NameOf(any)) == any),
            true,
            "laws by name");
    }
    std::string got;
    try
    {
        IrregularTopologyHelper::ModelByName("random");
    }
    catch (const WormholeError& error)
    {
        got = error.what();
    }
    NS_TEST_EXPECT_MSG_EQ(got, "law 'random': expected recursive, walk or pairing", "unknown law");
}

static ListedTestSuite g_wormholeTopologyTestSuite("wormhole-topology",
                                                   {new TopologyCountsTestCase,
                                                    new TopologySeedTestCase,
                                                    new TopologyDistributionTestCase,
                                                    new TopologyRefusalsTestCase});

} // namespace
