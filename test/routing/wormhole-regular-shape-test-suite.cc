/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"

#include "ns3/switch-adjacency.h"
#include "ns3/wormhole-topology-factory.h"

using namespace ns3;

namespace
{

using GraphNode = FabricGraph::Node; //!< short name
using Port = FabricGraph::Port;      //!< short name

/// @return a sum over the cables of each pair of neighbouring switches @param term what a cable
/// from the first to the second counts
uint32_t
SumOverCables(const FabricGraph& graph, const std::function<uint32_t(GraphNode, GraphNode)>& term)
{
    uint32_t sum = 0;
    for (GraphNode a = 0; a < graph.GetNSwitches(); ++a)
    {
        for (auto port : graph.PortsToSwitches(a))
        {
            const auto b = graph.Peer(a, port).node;
            sum += a < b ? term(a, b) : 0;
        }
    }
    return sum;
}

/// Numbers that the literature gives for each family.
class RegularCountsTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(RegularCountsTestCase,
                   "switches, hosts, cables, degrees and diameters of all families");

    /// What a fabric should be.
    struct Expected
    {
        std::string text;  ///< the topology
        uint32_t switches; ///< number of switches
        uint32_t hosts;    ///< number of hosts
        uint32_t ports;    ///< ports of each switch
        uint32_t links;    ///< cables between switches
        uint32_t least;    ///< least number of cables from a switch to others
        uint32_t greatest; ///< greatest such number
        uint32_t diameter; ///< most links between two switches by a shortest way
    };

    void DoRun() override;

    void Check(const Expected& expected);
};

void
RegularCountsTestCase::DoRun()
{
    const std::vector<Expected> all{
        {"mesh:9", 9, 9, 3, 8, 1, 2, 8},
        {"mesh:4x4", 16, 16, 5, 24, 2, 4, 6},
        {"mesh:2x5x3,hosts=3", 30, 90, 9, 59, 3, 5, 7},
        {"mesh:4x4x4", 64, 64, 7, 144, 3, 6, 9},
        {"torus:7", 7, 7, 3, 7, 2, 2, 3},
        {"torus:8x8,hosts=2", 64, 128, 6, 128, 4, 4, 8},
        {"torus:5x3x4", 60, 60, 7, 180, 6, 6, 5},
        {"torus:2x2x2x2", 16, 16, 9, 32, 4, 4, 4}, // a hypercube
        {"torus:3x2", 6, 6, 5, 9, 3, 3, 2},
        {"kary-tree:k=4,n=1", 1, 4, 8, 0, 0, 0, 0},
        {"kary-tree:k=2,n=4", 32, 16, 4, 48, 2, 4, 6},
        {"kary-tree:k=4,n=3", 48, 64, 8, 128, 4, 8, 4},
        {"clos:ports=16", 24, 128, 16, 128, 8, 16, 2},       // Myrinet's 128 hosts
        {"clos:ports=4,levels=3", 20, 16, 4, 32, 2, 4, 4},   // the fat tree of 4-port switches
        {"clos:ports=8,levels=3", 80, 128, 8, 256, 4, 8, 4}, // 5/4 k^2 switches, k^3/4 hosts
        {"clos:down=8x16,up=4,cables=2", 20, 128, 32, 128, 8, 32, 2},
        {"clos:down=3x2x4,up=2x3,cables=1x2", 8 + 8 + 6, 24, 8, 16 + 48, 2, 8, 4},
        {"clos:down=5", 1, 5, 5, 0, 0, 0, 0},
        {"dragonfly:a=4,h=2,hosts=2", 36, 72, 7, 90, 5, 5, 3}, // the example of Kim et al.
        {"dragonfly:a=2,h=1", 6, 6, 3, 6, 2, 2, 3},
        {"dragonfly:a=4,h=2,g=5", 20, 20, 6, 50, 5, 5, 3},
        {"dragonfly:a=3,h=2,g=6", 18, 18, 5, 33, 3, 4, 3}, // a port of each group stays open
        {"dragonfly:a=1,h=4", 5, 5, 5, 10, 4, 4, 1},
        {"full:8,hosts=4", 8, 32, 11, 28, 7, 7, 1},
        {"full:1,hosts=4", 1, 4, 4, 0, 0, 0, 0},
    };
    for (const auto& expected : all)
    {
        Check(expected);
    }
}

void
RegularCountsTestCase::Check(const Expected& expected)
{
    const auto graph = MakeTopology(expected.text).graph;
    const auto& text = expected.text;
    graph.Validate();
    NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitches(), expected.switches, text << ": switches");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNHosts(), expected.hosts, text << ": hosts");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNPorts(0), expected.ports, text << ": ports");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitchLinks(), expected.links, text << ": cables");
    const SwitchAdjacency adjacency(graph);
    uint32_t least = UINT32_MAX;
    uint32_t greatest = 0;
    uint32_t diameter = 0;
    GraphNode last = 0; // switch of the latest host
    for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
    {
        const auto degree = static_cast<uint32_t>(adjacency.Of(node).size());
        least = std::min(least, degree);
        greatest = std::max(greatest, degree);
        const auto distances = adjacency.Distances(node);
        diameter = std::max(diameter, *std::max_element(distances.begin(), distances.end()));
    }
    NS_TEST_EXPECT_MSG_EQ(least, expected.least, text << ": least degree");
    NS_TEST_EXPECT_MSG_EQ(greatest, expected.greatest, text << ": greatest degree");
    NS_TEST_EXPECT_MSG_EQ(diameter, expected.diameter, text << ": diameter");
    const auto first = graph.SwitchOf(graph.HostAt(0)).node;
    const auto share = graph.PortsToHosts(first).size();
    for (uint32_t i = 0; i < graph.GetNHosts(); ++i)
    {
        const auto node = graph.SwitchOf(graph.HostAt(i)).node;
        NS_TEST_EXPECT_MSG_EQ(node, first + i / share, text << ": hosts are cabled in order");
        last = node;
    }
    NS_TEST_EXPECT_MSG_EQ((last - first + 1) * share,
                          graph.GetNHosts(),
                          text << ": hosts a switch");
}

/// How many cables join the halves of a fabric.
class RegularBisectionTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(RegularBisectionTestCase,
                   "bisection widths of all families, and a cable for each two groups");

    void DoRun() override
    {
        const std::map<std::string, uint32_t> widths{{"mesh:8", 1},
                                                     {"mesh:4x4", 4},
                                                     {"mesh:2x2x4", 4},
                                                     {"torus:8", 2},
                                                     {"torus:4x4", 8},
                                                     {"torus:4x3", 6},
                                                     {"torus:2x2x2x2", 8},
                                                     {"full:8", 16},
                                                     {"dragonfly:a=1,h=5", 9},
                                                     {"dragonfly:a=2,h=1", 2}}; // a ring of 6
        for (const auto& [text, width] : widths)
        {
            NS_TEST_EXPECT_MSG_EQ(Width(text), width, text << ": bisection width");
        }
        auto random = MakeRandom(501);
        for (auto text : {"kary-tree:k=2,n=4",
                          "kary-tree:k=4,n=2",
                          "kary-tree:k=3,n=3",
                          "clos:ports=8",
                          "clos:ports=4,levels=3",
                          "clos:down=4x4,up=2,cables=2"})
        {
            CheckFull(text, *random);
        }
        std::vector<bool> half(32);
        std::fill(half.begin(), half.begin() + 16, true);
        NS_TEST_EXPECT_MSG_EQ(Flow(MakeTopology("clos:down=8x4,up=3").graph, half),
                              6,
                              "fewer switches above");
        for (uint32_t g : {2, 3, 4, 5, 7, 9})
        {
            const auto graph = MakeTopology("dragonfly:a=4,h=2,g=" + std::to_string(g)).graph;
            std::map<std::pair<GraphNode, GraphNode>, uint32_t> cables;
            SumOverCables(graph,
                          [&cables](GraphNode a, GraphNode b) { return ++cables[{a / 4, b / 4}]; });
            for (GraphNode a = 0; a < g; ++a)
            {
                for (GraphNode b = a + 1; b < g; ++b)
                {
                    const auto joined = cables[{a, b}];
                    NS_TEST_EXPECT_MSG_EQ(joined,
                                          8 / (g - 1),
                                          "cables of groups " << a << ", " << b);
                }
            }
        }
    }

    /// @return the least number of cables between halves of the switches
    uint32_t Width(const std::string& text)
    {
        const auto graph = MakeTopology(text).graph;
        const auto q = graph.GetNSwitches();
        uint32_t least = UINT32_MAX;
        for (uint32_t half = 0; half < uint32_t{1} << (q - 1); ++half)
        {
            uint32_t size = 0;
            for (GraphNode node = 0; node < q; ++node)
            {
                size += half >> node & 1;
            }
            if (size == q / 2)
            {
                least = std::min(least, SumOverCables(graph, [half](GraphNode a, GraphNode b) {
                                     return (half >> a & 1) != (half >> b & 1);
                                 }));
            }
        }
        return least;
    }

    /// @return most ways from some hosts to the others that share no channel @param inHalf whether
    /// a host is among the some
    uint32_t Flow(const FabricGraph& graph, const std::vector<bool>& inHalf)
    {
        std::set<std::pair<GraphNode, Port>> used; // channels of the ways found so far
        uint32_t flow = 0;
        for (bool found = true; found; flow += found)
        {
            std::map<GraphNode, std::pair<GraphNode, Port>> cameBy; // a channel of the node before
            std::vector<GraphNode> queue;
            for (uint32_t i = 0; i < graph.GetNHosts(); ++i)
            {
                if (inHalf[i] && !used.count({graph.HostAt(i), 0}))
                {
                    queue.push_back(graph.HostAt(i));
                    cameBy[queue.back()] = {FabricGraph::NONE, 0};
                }
            }
            found = false;
            for (std::size_t i = 0; i < queue.size() && !found; ++i)
            {
                auto node = queue[i];
                found = !graph.IsSwitch(node) && !inHalf[node - graph.GetNSwitches()];
                for (uint32_t port = 0; port < graph.GetNPorts(node) && !found; ++port)
                {
                    const auto far = graph.Peer(node, static_cast<Port>(port));
                    if (far.node != FabricGraph::NONE && !cameBy.count(far.node) &&
                        !used.count({node, port}))
                    {
                        cameBy[far.node] = {node, port};
                        queue.push_back(far.node);
                    }
                }
                for (; found && cameBy[node].first != FabricGraph::NONE; node = cameBy[node].first)
                {
                    const auto channel = cameBy[node];
                    const auto far = graph.Peer(channel.first, channel.second);
                    if (!used.erase({far.node, far.port})) // a way back takes the other back
                    {
                        used.insert(channel);
                    }
                }
            }
        }
        return flow;
    }

    /// Checks that each half of the hosts has a way to the others for each host.
    void CheckFull(const std::string& text, UniformRandomVariable& random)
    {
        const auto graph = MakeTopology(text).graph;
        const auto nHosts = graph.GetNHosts();
        std::vector<bool> half(nHosts);
        std::fill(half.begin(), half.begin() + nHosts / 2, true);
        for (uint32_t i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Flow(graph, half), nHosts / 2, text << ": a way for each host");
            for (uint32_t host = 0; host < nHosts; ++host)
            {
                const auto other = random.GetInteger(0, host);
                const bool in = half[host];
                half[host] = half[other];
                half[other] = in;
            }
        }
    }
};

static ListedTestSuite g_wormholeRegularShapeTestSuite("wormhole-regular-shape",
                                                       {new RegularCountsTestCase,
                                                        new RegularBisectionTestCase});

} // namespace
