// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"
#include "routes-test-case.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/graph-walk.h"

#include <bitset>

using namespace ns3;

SUITE("wormhole-fat-tree", UNIT);

namespace
{

bool
IsFatTree(const FabricGraph& graph)
{
    auto copy = graph;
    return ChooseRouting(copy);
}

/// A fat tree that is built cable by cable, at the first open ports.
struct TreeBuilder
{
    TreeBuilder(uint32_t nSwitches, uint32_t nHosts)
        : graph(nSwitches, nHosts, 64),
          open(nSwitches, 0)
    {
    }

    void Join(uint32_t a, uint32_t b, uint32_t count = 1)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            graph.Connect(a, open[a]++, b, open[b]++);
        }
    }

    void AddHosts(uint32_t node, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            graph.Connect(graph.HostAt(nHosts++), 0, node, open[node]++);
        }
    }

    FabricGraph graph;          ///< the fabric
    std::vector<uint16_t> open; ///< first open port of each switch
    uint32_t nHosts{0};         ///< hosts with a cable
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
            const uint32_t ofFirst = leaf != 3 || core != 1;
            const uint32_t ofSecond = leaf < 8 ? 2 : 0;
            tree.Join(core, 6 + leaf, core < 4 ? ofFirst : ofSecond);
        }
    }
    return tree.graph;
}

/// Gives a fabric the cables of another, but every so many between switches. @param offset the
/// first that is missing; not below `every`: none is
void
CopyCables(const FabricGraph& whole, FabricGraph& graph, uint32_t every, uint32_t offset)
{
    uint32_t count = 0;
    ForEachCable(whole, [&](FabricGraph::End end, FabricGraph::End far) {
        if (!whole.IsSwitch(far.node) || count++ % every != offset)
        {
            graph.Connect(end.node, end.port, far.node, far.port);
        }
    });
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
        return tree.graph;
    }
    const auto whole = FatTreeTopology::Clos(8, 3).MakeGraph(); // 16 tops, 32, 32 leaves of 4 hosts
    FabricGraph graph(whole.GetNSwitches(), whole.GetNHosts() + 4 * nUpper, 8 + nUpper);
    CopyCables(whole, graph, UINT32_MAX, UINT32_MAX);
    for (uint32_t i = 0; i < 4 * nUpper; ++i)
    {
        const auto port = static_cast<uint16_t>(8 + i / 4);
        graph.Connect(graph.HostAt(whole.GetNHosts() + i), 0, i % 4 * 5, port);
    }
    return graph;
}

FabricGraph
WithoutCables(const FabricGraph& whole, uint32_t every, uint32_t offset)
{
    FabricGraph graph(whole.GetNSwitches(), whole.GetNHosts(), whole.GetNPorts(0));
    CopyCables(whole, graph, every, offset);
    return graph;
}

double
BoundOf(const FabricGraph& graph, const std::string& engine)
{
    const auto router = RoutingEngine::Make(engine)->MakeRouter(graph);
    return ChannelBound::MeasureUniform(graph, *router).bound;
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
        CheckRoutes(graph, *RoutingEngine::Make("fat-tree")->MakeRouter(graph), what);
        const auto bound = BoundOf(graph, "fat-tree");
        NS_TEST_EXPECT_MSG_GT(bound, 0.8 * GetEqualSplitBound(graph), what);
        const auto ofOneRoot = BoundOf(graph, "up-down[Spread=hash]");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(bound, ofOneRoot, what << ": one root");
    }
    for (const auto& text :
         Words("torus:4x4,hosts=2 torus:4x4x4 mesh:5x4 full:8,hosts=2 dragonfly:a=4,h=2,hosts=2 "
               "clos:down=4x6,up=1,cables=1"))
    {
        NS_TEST_EXPECT_MSG_EQ(IsFatTree(MakeTopology(text).graph), false, text);
    }
}

TEST_CASE_WITH(DrawnTestCase, (uint32_t count), "No drawing is taken for a fat tree")
{
    uint32_t nTrees = 0;
    for (const auto law : {"recursive", "walk", "pairing"})
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            IrregularTopologyHelper::Parameters parameters;
            parameters.law = IrregularTopologyHelper::ModelByName(law);
            parameters.switches = 2 + i % 40;
            parameters.hosts = parameters.switches * (2 + i % 2);
            parameters.parallelLinks = true;
            nTrees += IsFatTree(DrawFabric(parameters, i));
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nTrees, 0, "drawings that are fat trees");
}

TEST_CASE(BoundsTestCase, "Bounds of large fabrics are exact, or estimates that are called so")
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
    const auto split = GetEqualSplitBound(hash.graph);
    NS_TEST_EXPECT_MSG_EQ_TOL(drawn.bound, split, drawn.error * drawn.bound, "an estimate");
}

TEST_CASE(SmallBoundsTestCase, "Bounds of small fabrics, channel by channel")
{
    for (const std::string routing : {"fat-tree", "balanced[Root=first]", "up-down"})
    {
        const auto made = MakeTopology("clos:down=5x6,up=3,cables=2,routing=" + routing);
        const auto bound = ChannelBound::MeasureUniform(made.graph, *made.router).bound;
        const auto wanted = std::min(1.0, CountBound(made.graph, *made.router));
        NS_TEST_EXPECT_MSG_EQ_TOL(bound, wanted, 1e-9, routing);
    }
}

TEST_CASE_OF(RoutesTestCase,
             RepairedTestCase,
             "Without a cable, routes that did not take it stay what they are")
{
    for (const std::string routing : {"nearest-ancestor", "fat-tree"})
    {
        const auto whole = MakeTopology("clos:ports=8,levels=3,routing=" + routing);
        const auto graph = WithoutCables(whole.graph, 10000, 77);
        const auto router = MakeRepairedRouter(graph, whole.graph, whole.router);
        uint32_t nOthers = 0;
        uint32_t nGone = 0;
        ChannelDependency dependency(graph);
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            const auto source = graph.HostAt(from);
            const auto old = whole.router->GetRoute(from, to);
            const auto now = router->GetRoute(from, to);
            dependency.Add(source, *now);
            const auto isLeft = ErrorOf([&] { graph.Walk(source, *old); }).empty();
            NS_TEST_ASSERT_MSG_EQ(graph.Walk(source, *now).back(), graph.HostAt(to), "leads there");
            nGone += !isLeft;
            nOthers += isLeft && PortsOf(*old) != PortsOf(*now);
        }
        NS_TEST_EXPECT_MSG_GT(nGone, 0, routing << ": routes that took the cable");
        NS_TEST_EXPECT_MSG_EQ(nOthers, 0, routing << ": others that changed");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { dependency.CheckDeadlockFree(); }), "", routing);
        NS_TEST_EXPECT_MSG_GT(ChannelBound::MeasureUniform(graph, *router).bound,
                              0.7 * BoundOf(graph, "fat-tree"),
                              routing << ": the new ones are spread beside those kept");
    }
}

TEST_CASE_WITH(BalancedTestCase,
               (uint32_t count),
               "Balanced routes have no lower bound than those by hash")
{
    auto fabrics = MadeOf(
        Words("clos:ports=8,levels=2 clos:ports=8,levels=3 clos:down=6x10,up=4 kary-tree:k=3,n=3"),
        [](const auto& text) { return std::pair(text, MakeTopology(text).graph); });
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto n = 6 + 5 * (i % 8);
        fabrics.emplace_back("drawing " + std::to_string(i),
                             DrawFabric(n, 2 * n, 500 + i, i % 2 == 0));
    }
    for (const auto& [what, graph] : fabrics)
    {
        const auto balanced = BoundOf(graph, "balanced");
        for (const std::string root : {"first", "degree", "center"})
        {
            const auto hash = BoundOf(graph, "up-down[Spread=hash|Root=" + root + "]");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(balanced, hash - 1e-12, what << " below " << root);
        }
        if (what.find("drawing") == std::string::npos)
        {
            const auto family = MakeTopology(what);
            const auto hash = ChannelBound::MeasureUniform(family.graph, *family.router).bound;
            NS_TEST_EXPECT_MSG_GT_OR_EQ(balanced, hash - 1e-12, what << ": nearest ancestor");
        }
    }
}

ADD_CASES()
{
    AddQuick<DrawnTestCase>(FewIfSanitized(200));
    AddQuick<BalancedTestCase>(6);
    AddExtensive<BalancedTestCase>(16);
}

SUITE("wormhole-regular-shape", UNIT);

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

TEST_CASE(RegularCountsTestCase, "switches, hosts, cables, degrees and diameters of all families")
{
    struct Expected
    {
        std::string text;  // the topology
        uint32_t switches; // number of switches
        uint32_t hosts;    // number of hosts
        uint32_t ports;    // ports of each switch
        uint32_t links;    // cables between switches
        uint32_t least;    // least number of cables from a switch to others
        uint32_t greatest; // greatest such number
        uint32_t diameter; // most links between two switches by a shortest way
    };

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
            diameter = std::max(diameter, Greatest(adjacency.Distances(node)));
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
        NS_TEST_EXPECT_MSG_EQ((last - first + 1) * share, graph.GetNHosts(), text << ": hosts");
    }
}

TEST_CASE(RegularBisectionTestCase,
          "bisection widths of all families, and a cable for each two groups")
{
    const auto findWidth = [&](const std::string& text) -> uint32_t {
        const auto graph = MakeTopology(text).graph;
        const auto q = graph.GetNSwitches();
        uint32_t least = UINT32_MAX;
        for (uint32_t half = 0; half < uint32_t{1} << (q - 1); ++half)
        {
            if (std::bitset<32>(half).count() == q / 2)
            {
                least = std::min(least, SumOverCables(graph, [half](GraphNode a, GraphNode b) {
                                     return (half >> a & 1) != (half >> b & 1);
                                 }));
            }
        }
        return least;
    };
    // Returns most ways from some hosts to the others that share no channel. inHalf: whether a host
    // is among the some
    const auto findFlow = [&](const FabricGraph& graph,
                              const std::vector<char>& inHalf) -> uint32_t {
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
    };
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
        NS_TEST_EXPECT_MSG_EQ(findWidth(text), width, text << ": bisection width");
    }
    auto random = MakeRandom(501);
    for (const auto& text :
         Words("kary-tree:k=2,n=4 kary-tree:k=4,n=2 kary-tree:k=3,n=3 clos:ports=8 "
               "clos:ports=4,levels=3 clos:down=4x4,up=2,cables=2"))
    {
        // Checks that each half of the hosts has a way to the others for each host.
        const auto graph = MakeTopology(text).graph;
        const auto nHosts = graph.GetNHosts();
        std::vector<char> half(nHosts);
        std::fill(half.begin(), half.begin() + nHosts / 2, true);
        for (uint32_t i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(findFlow(graph, half), nHosts / 2, text << ": a way each");
            for (uint32_t host = 0; host < nHosts; ++host)
            {
                std::swap(half[host], half[random->GetInteger(0, host)]);
            }
        }
    }
    std::vector<char> half(32);
    std::fill(half.begin(), half.begin() + 16, true);
    const auto narrow = MakeTopology("clos:down=8x4,up=3").graph;
    NS_TEST_EXPECT_MSG_EQ(findFlow(narrow, half), 6, "fewer switches above");
    for (uint32_t g : {2, 3, 4, 5, 7, 9})
    {
        const auto graph = MakeTopology("dragonfly:a=4,h=2,g=" + std::to_string(g)).graph;
        std::map<std::pair<GraphNode, GraphNode>, uint32_t> cables;
        SumOverCables(graph,
                      [&cables](GraphNode a, GraphNode b) { return ++cables[{a / 4, b / 4}]; });
        for (const auto& [a, b] : ListPairs(g))
        {
            const auto joined = cables[std::minmax(a, b)];
            NS_TEST_EXPECT_MSG_EQ(joined, 8 / (g - 1), "cables of groups " << a << ", " << b);
        }
    }
}

} // namespace
