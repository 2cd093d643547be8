/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"

#include "ns3/barrier-tree.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Leaves = BarrierTree::Leaves;          //!< short name
using Cable = std::pair<uint32_t, uint32_t>; //!< two switches, the lower number first
using Neighbours = std::array<uint32_t, 9>;  //!< a bit for each neighbour of each switch
constexpr std::array<uint32_t, 9> MEMBERS{2, 0, 0, 2, 2, 2, 3, 3, 0}; ///< member hosts of Figure 1

/// Edges of the tree of Figure 2, which are cables of Figure 1.
const std::vector<Cable> EDGES{{0, 3}, {1, 3}, {3, 6}, {3, 7}, {1, 4}, {1, 5}};
/// Cables by which another switch than 3, or 1, would be above switch 4 or 5.
const std::vector<Cable> OTHERS{{3, 4}, {3, 5}, {0, 4}, {0, 5}};

/// @return the switches at which a tree of height 2 or less has its root, a member switch
std::vector<uint32_t>
FindLowRoots(const Neighbours& neighbours)
{
    std::vector<uint32_t> roots;
    for (uint32_t root = 0; root < neighbours.size(); ++root)
    {
        auto reached = 1U << root | neighbours[root];
        for (uint32_t node = 0; node < neighbours.size(); ++node)
        {
            reached |= (neighbours[root] >> node & 1) * neighbours[node];
        }
        bool hasAll = MEMBERS[root] > 0;
        for (uint32_t node = 0; node < neighbours.size(); ++node)
        {
            hasAll = hasAll && (MEMBERS[node] == 0 || (reached >> node & 1));
        }
        if (hasAll)
        {
            roots.push_back(root);
        }
    }
    return roots;
}

/// @return whether the switches have ports for their cables, and 2 and 8 have some
bool
IsFabric(const Neighbours& neighbours)
{
    for (uint32_t node = 0; node < neighbours.size(); ++node)
    {
        uint32_t cables = 0;
        for (uint32_t other = 0; other < neighbours.size(); ++other)
        {
            cables += neighbours[node] >> other & 1;
        }
        if (cables + MEMBERS[node] > 8)
        {
            return false;
        }
    }
    // All others are joined by the tree of Figure 2.
    const auto apart = neighbours[2] | neighbours[8];
    return neighbours[2] != 0 && neighbours[8] != 0 && (apart & ~(1U << 2 | 1U << 8)) != 0;
}

FabricGraph
MakeFabric(const std::vector<Cable>& cables)
{
    FabricGraph graph(9, 14, 8);
    std::array<FabricGraph::Port, 9> next{};
    for (const auto& [a, b] : cables)
    {
        graph.Connect(a, next[a]++, b, next[b]++);
    }
    uint32_t host = 0;
    for (uint32_t node = 0; node < MEMBERS.size(); ++node)
    {
        for (uint32_t i = 0; i < MEMBERS[node]; ++i)
        {
            graph.Connect(graph.HostAt(host++), 0, node, next[node]++);
        }
    }
    return graph;
}

/// @return the tree of all hosts
BarrierTree
FindTree(const FabricGraph& graph, Leaves leaves)
{
    std::vector<FabricGraph::Node> hosts;
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        hosts.push_back(graph.HostAt(host));
    }
    return BarrierTree(graph, hosts, leaves);
}

/// Six cables of Figure 1 aren't known. With those of data/moh-figure-1-three-trees.json there are
/// three trees, as in Figure 3, and the one that is chosen has two leaves at its greatest depth.
TEST_CASE(ThreeTreesTestCase, "Figure 3: three trees of height 2, and which one is chosen")
{
    auto cables = EDGES;
    for (const auto& cable : {Cable(0, 1), {0, 2}, {1, 7}, {2, 7}, {4, 8}, {7, 8}})
    {
        cables.push_back(cable);
    }
    const auto graph = MakeFabric(cables);
    const auto tree = FindTree(graph, Leaves::DEEPEST);
    NS_TEST_EXPECT_MSG_EQ(tree.GetNEqual(), 3, "trees of Figure 3");
    NS_TEST_EXPECT_MSG_EQ(tree.GetHeight(), 2, "their height");
    NS_TEST_EXPECT_MSG_EQ(tree.GetNEdges(), 6, "edges of Figure 2");
    NS_TEST_EXPECT_MSG_EQ(tree.GetRootSwitch(), 3, "root of Figure 2");
    NS_TEST_EXPECT_MSG_EQ(tree.GetRootHost(), graph.HostAt(2), "the root switch's first member");
    NS_TEST_EXPECT_MSG_EQ(tree.GetNDeepest(), 2, "leaves of Figure 3");
    NS_TEST_EXPECT_MSG_EQ(tree.GetNLeaves(), 5, "all leaves of Figure 2");
    const auto other = FindTree(graph, Leaves::ALL);
    NS_TEST_EXPECT_MSG_EQ(other.GetNEqual(), 3, "the same trees");
    NS_TEST_EXPECT_MSG_NE(other.GetRootSwitch(), 3, "by all leaves: another");
}

/// All fabrics of 12 cables on which switch 3 has the tree of Figure 2, and which have three trees
/// of height 2 with as many edges: counting all leaves, none of them chooses the paper's tree.
TEST_CASE(CompletionsTestCase, "Figure 1: all six other cables by which there are three trees")
{
    std::vector<Cable> free;
    for (uint32_t a = 0; a < 9; ++a)
    {
        for (uint32_t b = a + 1; b < 9; ++b)
        {
            const Cable cable(a, b);
            if (std::count(EDGES.begin(), EDGES.end(), cable) == 0 &&
                std::count(OTHERS.begin(), OTHERS.end(), cable) == 0)
            {
                free.push_back(cable);
            }
        }
    }
    NS_TEST_ASSERT_MSG_EQ(free.size(), 26, "places for six cables");
    std::vector<bool> isThere(free.size(), false);
    std::fill(isThere.begin(), isThere.begin() + 6, true);
    uint32_t fabrics = 0;
    uint32_t byDeepest = 0;
    uint32_t byAll = 0;
    do
    {
        auto cables = EDGES;
        for (std::size_t i = 0; i < free.size(); ++i)
        {
            if (isThere[i])
            {
                cables.push_back(free[i]);
            }
        }
        Neighbours neighbours{};
        for (const auto& [a, b] : cables)
        {
            neighbours[a] |= 1U << b;
            neighbours[b] |= 1U << a;
        }
        const auto roots = FindLowRoots(neighbours);
        if (roots.size() != 3 || !IsFabric(neighbours))
        {
            continue;
        }
        const auto graph = MakeFabric(cables);
        const auto tree = FindTree(graph, Leaves::DEEPEST);
        if (tree.GetHeight() == 2 && tree.GetNEqual() == 3)
        {
            ++fabrics;
            byDeepest += tree.GetRootSwitch() == 3;
            byAll += FindTree(graph, Leaves::ALL).GetRootSwitch() == 3;
        }
    } while (std::prev_permutation(isThere.begin(), isThere.end()));
    NS_TEST_EXPECT_MSG_EQ(fabrics, 22106, "fabrics with three such trees");
    NS_TEST_EXPECT_MSG_EQ(byDeepest, 21732, "deepest leaves: the root of Figure 2");
    NS_TEST_EXPECT_MSG_EQ(byAll, 0, "all leaves: never");
}

TEST_SUITE(WormholeThreeTreesTestSuite, "wormhole-three-trees", UNIT)
{
    AddTestCase(new ThreeTreesTestCase);
    AddTestCase(new CompletionsTestCase);
}

} // namespace
