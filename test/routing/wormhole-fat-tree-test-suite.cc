/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"
#include "routes-test-case.h"

#include "ns3/channel-bound.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/switch-channels.h"
#include "ns3/switch-levels.h"
#include "ns3/wormhole-routing-engine.h"

using namespace ns3;

namespace
{

/// @return whether a fabric is a fat tree
bool
IsFatTree(const FabricGraph& graph)
{
    auto copy = graph;
    return ChooseRouting(copy);
}

/// A fat tree that is built cable by cable, at the first open ports.
class TreeBuilder
{
  public:
    TreeBuilder(uint32_t nSwitches, uint32_t nHosts)
        : m_graph(nSwitches, nHosts, 64),
          m_open(nSwitches, 0)
    {
    }

    /// Lays cables between switches.
    void Join(uint32_t a, uint32_t b, uint32_t count = 1)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_graph.Connect(a, m_open[a]++, b, m_open[b]++);
        }
    }

    /// Cables hosts to a switch.
    void AddHosts(uint32_t node, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_graph.Connect(m_graph.HostAt(m_nHosts++), 0, node, m_open[node]++);
        }
    }

    const FabricGraph& Get() const
    {
        return m_graph;
    }

  private:
    FabricGraph m_graph;          ///< the fabric
    std::vector<uint16_t> m_open; ///< first open port of each switch
    uint32_t m_nHosts{0};         ///< hosts with a cable
};

/// @return leaves of unequal hosts and uplinks below two kinds of core, the second cabled twice to
/// half of the leaves; one cable is missing
FabricGraph
MakeUnequalTree()
{
    TreeBuilder tree(6 + 16, 8 * 6 + 8 * 9);
    for (uint32_t leaf = 0; leaf < 16; ++leaf)
    {
        tree.AddHosts(6 + leaf, leaf % 2 ? 6 : 9);
        for (uint32_t core = 0; core < 6; ++core)
        {
            if (core < 4 && !(leaf == 3 && core == 1))
            {
                tree.Join(core, 6 + leaf);
            }
            else if (core >= 4 && leaf < 8)
            {
                tree.Join(core, 6 + leaf, 2);
            }
        }
    }
    return tree.Get();
}

/// @return a tree with hosts at upper switches @param nUpper hosts of each top switch, or, of three
/// levels, of every fifth @param nLevels two or three
FabricGraph
MakeWithUpperHosts(uint32_t nUpper, uint32_t nLevels)
{
    if (nLevels == 2)
    {
        TreeBuilder tree(4 + 8, 8 * 4 + 4 * nUpper);
        for (uint32_t leaf = 0; leaf < 8; ++leaf)
        {
            tree.AddHosts(4 + leaf, 4);
            for (uint32_t core = 0; core < 4; ++core)
            {
                tree.Join(core, 4 + leaf);
            }
        }
        for (uint32_t core = 0; core < 4; ++core)
        {
            tree.AddHosts(core, nUpper);
        }
        return tree.Get();
    }
    const auto whole = FatTreeTopology::Clos(8, 3).MakeGraph(); // 16 tops, 32, 32 leaves of 4 hosts
    FabricGraph graph(whole.GetNSwitches(), whole.GetNHosts() + 4 * nUpper, 8 + nUpper);
    for (uint32_t node = 0; node < whole.GetNNodes(); ++node)
    {
        for (uint16_t port = 0; port < whole.GetNPorts(node); ++port)
        {
            const auto far = whole.Peer(node, port);
            if (far.node != FabricGraph::NONE && whole.IsSwitch(node) && far.node > node)
            {
                graph.Connect(node, port, far.node, far.port);
            }
        }
    }
    for (uint32_t i = 0; i < 4 * nUpper; ++i)
    {
        graph.Connect(graph.HostAt(whole.GetNHosts() + i),
                      0,
                      i % 4 * 5,
                      static_cast<uint16_t>(8 + i / 4));
    }
    return graph;
}

/// @return a fabric without every so many cables between switches @param offset the first that is
/// missing
FabricGraph
WithoutCables(const FabricGraph& whole, uint32_t every, uint32_t offset)
{
    FabricGraph graph(whole.GetNSwitches(), whole.GetNHosts(), whole.GetNPorts(0));
    uint32_t count = 0;
    for (uint32_t node = 0; node < whole.GetNSwitches(); ++node)
    {
        for (uint16_t port = 0; port < whole.GetNPorts(node); ++port)
        {
            const auto far = whole.Peer(node, port);
            if (far.node != FabricGraph::NONE && far.node > node &&
                (!whole.IsSwitch(far.node) || count++ % every != offset))
            {
                graph.Connect(node, port, far.node, far.port);
            }
        }
    }
    return graph;
}

/// @return the bound of up*/down* routes below one root, by hash
double
UpDownBound(const FabricGraph& graph)
{
    return ChannelBound::ComputeUniform(
        graph,
        *RoutingEngine::Make("up-down[Spread=hash]")->MakeRouter(graph));
}

TEST_CASE_OF(RoutesTestCase,
             FatTreesTestCase,
             "Fat trees are recognised, and their routes reach most of an equal split")
{
    const std::map<std::string, FabricGraph> trees{
        {"three levels", FatTreeTopology::Clos(4, 3).MakeGraph()},
        {"four levels", FatTreeTopology::KAryNTree(2, 4).MakeGraph()},
        {"two levels", FatTreeTopology::Clos(12, 2).MakeGraph()},
        {"tapered", FatTreeTopology({{9, 6, 4}, {3, 2}, {2, 1}}).MakeGraph()},
        {"unequal", MakeUnequalTree()},
        {"hosts at upper switches, two levels", MakeWithUpperHosts(1, 2)},
        {"hosts at upper switches, three levels", MakeWithUpperHosts(1, 3)},
        {"pruned", WithoutCables(FatTreeTopology::Clos(8, 3).MakeGraph(), 11, 3)},
        {"one cable missing", WithoutCables(FatTreeTopology::Clos(8, 2).MakeGraph(), 99, 5)},
    };
    for (const auto& [what, graph] : trees)
    {
        NS_TEST_EXPECT_MSG_EQ(IsFatTree(graph), true, what);
        const auto engine = RoutingEngine::Make("fat-tree");
        CheckRoutes(graph, *engine->MakeRouter(graph), what);
        const auto bound = ChannelBound::ComputeUniform(graph, *engine->MakeRouter(graph));
        NS_TEST_EXPECT_MSG_GT(bound, 0.8 * GetEqualSplitBound(graph), what);
        const auto hash = UpDownBound(graph);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(bound, hash, what << ": one root");
    }
    for (const std::string text : {"torus:4x4,hosts=2",
                                   "torus:4x4x4",
                                   "mesh:5x4",
                                   "full:8,hosts=2",
                                   "dragonfly:a=4,h=2,hosts=2",
                                   "clos:down=4x6,up=1,cables=1"})
    {
        NS_TEST_EXPECT_MSG_EQ(IsFatTree(MakeTopology(text).graph), false, text);
    }
}

TEST_CASE_WITH(ModuleTestCase,
               DrawnTestCase,
               uint32_t,
               m_count,
               "No drawing is taken for a fat tree")
{
    uint32_t nTrees = 0;
    for (const auto law : {"recursive", "walk", "pairing"})
    {
        for (uint32_t i = 0; i < m_count; ++i)
        {
            IrregularTopologyHelper::Parameters parameters;
            parameters.law = IrregularTopologyHelper::ModelByName(law);
            parameters.switches = 2 + i % 40;
            parameters.hosts = parameters.switches * (2 + i % 2);
            parameters.parallelLinks = true;
            IrregularTopologyHelper helper(parameters);
            helper.AssignStreams(i);
            nTrees += IsFatTree(helper.Create());
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nTrees, 0, "drawings that are fat trees");
}

/// Bounds by source switch and destination host, estimates, and the equal split.
class BoundsTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(BoundsTestCase,
                   "Bounds of large fabrics are exact, or estimates that are called so");

    void DoRun() override
    {
        // 2,112 hosts: more pairs than are looked at one by one.
        const std::string clos = "clos:down=64x33,up=16";
        const auto inTurn = MakeTopology(clos + ",spread=in-turn");
        const auto exact = ChannelBound::MeasureUniform(inTurn.graph, *inTurn.router);
        NS_TEST_EXPECT_MSG_EQ(exact.isEstimate, false, "in turn");
        // 64 hosts of a leaf send 2,048 of 2,111 parts by 16 channels.
        const auto closed = 16.0 / 64 * 2111 / 2048;
        NS_TEST_EXPECT_MSG_EQ_TOL(exact.bound, closed, 1e-9, "hosts share channels evenly");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetEqualSplitBound(inTurn.graph), closed, 1e-9, "equal split");
        const auto tree = MakeTopology(clos + ",routing=fat-tree");
        const auto own = ChannelBound::MeasureUniform(tree.graph, *tree.router);
        NS_TEST_EXPECT_MSG_EQ(own.isEstimate, false, "fat-tree");
        NS_TEST_EXPECT_MSG_GT(own.bound, 0.9 * closed, "counted at each switch");
        NS_TEST_EXPECT_MSG_EQ_TOL(own.meanChannels, exact.meanChannels, 1e-9, "shortest, too");
        NS_TEST_EXPECT_MSG_EQ(own.longest, 4, "channels of the longest");
        const auto hash = MakeTopology("clos:down=150x30,up=50");
        const auto drawn = ChannelBound::MeasureUniform(hash.graph, *hash.router);
        NS_TEST_EXPECT_MSG_EQ(drawn.isEstimate, true, "4,500 hosts, by a hash");
        NS_TEST_EXPECT_MSG_EQ_TOL(drawn.bound,
                                  GetEqualSplitBound(hash.graph),
                                  drawn.error * drawn.bound,
                                  "an estimate");
        CheckSmall();
    }

    /// Compares with loads counted pair by pair, where there are few.
    void CheckSmall()
    {
        for (const std::string routing : {"fat-tree", "balanced[Root=first]", "up-down"})
        {
            const auto made = MakeTopology("clos:down=5x6,up=3,cables=2,routing=" + routing);
            const auto& graph = made.graph;
            std::map<std::pair<uint32_t, uint32_t>, double> loads;
            double most = 1;
            for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
            {
                for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
                {
                    if (from != to)
                    {
                        const auto route = made.router->GetPath(from, to);
                        const auto nodes = graph.Walk(graph.HostAt(from), *route);
                        for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
                        {
                            auto& load = loads[{nodes[i], route->At(i)[0].port}];
                            load += 1.0 / (graph.GetNHosts() - 1);
                            most = std::max(most, load);
                        }
                    }
                }
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(ChannelBound::ComputeUniform(graph, *made.router),
                                      1 / most,
                                      1e-9,
                                      routing);
        }
    }
};

/// Routes of a fat tree that has lost a cable.
TEST_CASE_OF(RoutesTestCase,
             RepairedTestCase,
             "Without a cable, routes that did not take it stay what they are")
{
    // Returns the ports of a path
    const auto portsOf = [&](const WormRoute& route) -> std::vector<uint16_t> {
        std::vector<uint16_t> ports;
        for (WormRoute::Stop stop = 0; stop < route.GetNChannels(); ++stop)
        {
            ports.push_back(route.At(stop)[0].port);
        }
        return ports;
    };
    for (const std::string routing : {"nearest-ancestor", "fat-tree"})
    {
        const auto whole = MakeTopology("clos:ports=8,levels=3,routing=" + routing);
        const auto graph = WithoutCables(whole.graph, 10000, 77);
        const auto router = MakeRepairedRouter(graph, whole.graph, whole.router);
        uint32_t nOthers = 0;
        uint32_t nGone = 0;
        ChannelDependency dependency(graph);
        for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
        {
            for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
            {
                if (from == to)
                {
                    continue;
                }
                const auto old = whole.router->GetRoute(from, to);
                const auto now = router->GetRoute(from, to);
                dependency.Add(graph.HostAt(from), *now);
                const auto isLeft = ErrorOf([&] { graph.Walk(graph.HostAt(from), *old); }).empty();
                const auto nodes = graph.Walk(graph.HostAt(from), *now);
                NS_TEST_ASSERT_MSG_EQ(nodes.back(), graph.HostAt(to), "leads there");
                nGone += !isLeft;
                nOthers += isLeft && portsOf(*old) != portsOf(*now);
            }
        }
        NS_TEST_EXPECT_MSG_GT(nGone, 0, routing << ": routes that took the cable");
        NS_TEST_EXPECT_MSG_EQ(nOthers, 0, routing << ": others that changed");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { dependency.CheckDeadlockFree(); }), "", routing);
        const auto anew = RoutingEngine::Make("fat-tree")->MakeRouter(graph);
        NS_TEST_EXPECT_MSG_GT(ChannelBound::ComputeUniform(graph, *router),
                              0.7 * ChannelBound::ComputeUniform(graph, *anew),
                              routing << ": the new ones are spread beside those kept");
    }
}

TEST_CASE_WITH(ModuleTestCase,
               BalancedTestCase,
               uint32_t,
               m_count,
               "Balanced routes have no lower bound than those by hash")
{
    std::vector<std::pair<std::string, FabricGraph>> fabrics;
    for (const std::string text : {"clos:ports=8,levels=2",
                                   "clos:ports=8,levels=3",
                                   "clos:down=6x10,up=4",
                                   "kary-tree:k=3,n=3"})
    {
        fabrics.emplace_back(text, MakeTopology(text).graph);
    }
    for (uint32_t i = 0; i < m_count; ++i)
    {
        IrregularTopologyHelper::Parameters parameters;
        parameters.switches = 6 + 5 * (i % 8);
        parameters.hosts = parameters.switches * 2;
        parameters.parallelLinks = i % 2 == 0;
        IrregularTopologyHelper helper(parameters);
        helper.AssignStreams(500 + i);
        fabrics.emplace_back("drawing " + std::to_string(i), helper.Create());
    }
    for (const auto& [what, graph] : fabrics)
    {
        const auto bound = [&, &graph = graph](const std::string& engine) {
            return ChannelBound::ComputeUniform(graph,
                                                *RoutingEngine::Make(engine)->MakeRouter(graph));
        };
        const auto balanced = bound("balanced");
        for (const std::string root : {"first", "degree", "center"})
        {
            const auto hash = bound("up-down[Spread=hash|Root=" + root + "]");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(balanced, hash - 1e-12, what << " below " << root);
        }
        if (what.find("drawing") == std::string::npos)
        {
            const auto family = MakeTopology(what);
            const auto hash = ChannelBound::ComputeUniform(family.graph, *family.router);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(balanced, hash - 1e-12, what << ": nearest ancestor");
        }
    }
}

static ListedTestSuite g_fatTreeTestSuite("wormhole-fat-tree",
                                          {new FatTreesTestCase,
                                           new DrawnTestCase(FewIfSanitized(200)),
                                           new BoundsTestCase,
                                           new RepairedTestCase,
                                           new BalancedTestCase(FewIfSanitized(16))});

} // namespace
