// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/plain-roots.h"
#include "../test-fabrics.h"

#include <bitset>

using namespace ns3;

SUITE("wormhole-barrier-tree", UNIT);

namespace
{

TEST_CASE(BarrierTreeLawsTestCase,
          "trees equal the paper's procedure done literally, on 400 random fabrics")
{
    const auto checkEntry = [&](const FabricGraph& graph,
                                const BarrierTree& tree,
                                const BarrierTree::SwitchEntry& entry,
                                const std::set<GraphNode>& members) {
        NS_TEST_ASSERT_MSG_EQ(tree.Find(entry.node), &entry, "found by its number");
        if (!entry.IsRoot())
        {
            const auto above = graph.Peer(entry.node, entry.parentPort);
            NS_TEST_ASSERT_MSG_EQ(above.node, entry.parent, "the parent port leads to the parent");
            const auto parent = tree.Find(entry.parent);
            NS_TEST_ASSERT_MSG_LT(parent, &entry, "parents are before their children");
            NS_TEST_ASSERT_MSG_EQ(entry.depth, parent->depth + 1, "depth");
            const auto& ports = parent->childPorts;
            const auto known = std::count(ports.begin(), ports.end(), above.port);
            NS_TEST_ASSERT_MSG_EQ(known, 1, "the parent knows the port to its child");
        }
        const auto& below = entry.childPorts;
        NS_TEST_ASSERT_MSG_EQ(std::is_sorted(below.begin(), below.end()), true, "they increase");
        for (auto port : below)
        {
            const auto child = tree.Find(graph.Peer(entry.node, port).node);
            NS_TEST_ASSERT_MSG_EQ((child && child->parent == entry.node), true, "children agree");
        }
        std::vector<Port> mine;
        for (Port port = 0; port < graph.GetNPorts(entry.node); ++port)
        {
            if (members.count(graph.Peer(entry.node, port).node))
            {
                mine.push_back(port);
            }
        }
        const auto& held = entry.memberPorts;
        Same(std::vector<Port>(held.begin(), held.end()), mine, "member ports");
        const auto first = mine.empty() ? FabricGraph::NONE : graph.Peer(entry.node, mine[0]).node;
        NS_TEST_ASSERT_MSG_EQ(entry.representative, first, "representative");
        auto up = &entry;
        while (!up->IsMember())
        {
            up = tree.Find(up->parent);
        }
        NS_TEST_ASSERT_MSG_EQ(entry.installer, up->representative, "who sets up the register");
    };
    const auto check = [&](const FabricGraph& graph,
                           const std::vector<GraphNode>& members,
                           BarrierTree::Leaves rule) {
        const auto memberSwitches = PlainRoots::SwitchesOf(graph, members);
        const PlainRoots plain(graph, rule == BarrierTree::Leaves::DEEPEST);
        const auto best = plain.BestTree(memberSwitches);
        const auto [height, edges, counted, top] = best.key;
        uint32_t nEqual = 0; // trees that leaves decide on
        for (auto root : memberSwitches)
        {
            const auto key = plain.PrunedTree(root, memberSwitches).key;
            nEqual += std::get<0>(key) == height && std::get<1>(key) == edges;
        }
        const BarrierTree tree(graph, members, rule);
        NS_TEST_ASSERT_MSG_EQ(tree.GetNEqual(), nEqual, "trees that leaves decide on");
        NS_TEST_ASSERT_MSG_EQ(tree.GetRootSwitch(), top, "root switch");
        NS_TEST_ASSERT_MSG_EQ(tree.GetHeight(), height, "height");
        NS_TEST_ASSERT_MSG_EQ(tree.GetNEdges(), edges, "edges");
        NS_TEST_ASSERT_MSG_EQ(tree.GetNLeaves(), best.leaves, "leaves");
        NS_TEST_ASSERT_MSG_EQ(tree.GetNDeepest(), best.deepest, "deepest leaves");
        NS_TEST_ASSERT_MSG_EQ(tree.GetNMembers(), members.size(), "members");
        NS_TEST_ASSERT_MSG_EQ(tree.DistanceLinks(), height + 2, "links to the farthest member");
        NS_TEST_ASSERT_MSG_EQ(tree.GetSwitches().size(), edges + 1, "switches");
        const std::set<GraphNode> isMember(members.begin(), members.end());
        std::size_t seen = 0;
        for (const auto& entry : tree.GetSwitches())
        {
            const auto parent = best.parents.find(entry.node);
            NS_TEST_ASSERT_MSG_EQ(entry.IsRoot(), (parent == best.parents.end()), "is the root");
            const auto above = entry.IsRoot() ? FabricGraph::NONE : parent->second;
            NS_TEST_ASSERT_MSG_EQ(entry.parent, above, "parent of " << entry.node);
            checkEntry(graph, tree, entry, isMember);
            seen += entry.memberPorts.size();
        }
        NS_TEST_ASSERT_MSG_EQ(seen, members.size(), "every member is at one switch of the tree");
        NS_TEST_ASSERT_MSG_EQ(tree.GetRootHost(), tree.GetSwitches()[0].representative, "root");
    };
    auto random = MakeRandom(901);
    for (uint32_t i = 0; i < 400; ++i)
    {
        IrregularTopologyHelper::Parameters parameters;
        parameters.switches = random->GetInteger(1, 30);
        parameters.ports = random->GetInteger(4, 9);
        parameters.hosts = random->GetInteger(1, parameters.switches * (parameters.ports - 3));
        parameters.parallelLinks = i % 3 == 0;
        parameters.law = static_cast<IrregularTopologyHelper::TopologyModel>(i % 3);
        const auto links =
            parameters.switches - 1 + (parameters.switches > 5 ? random->GetInteger(0, 4) : 0);
        parameters.connectivity =
            (parameters.hosts + 2.0 * links) / (parameters.switches * parameters.ports);
        const auto graph = DrawFabric(parameters, 1000 + i);
        const auto members = RandomHosts(graph, *random, random->GetInteger(1, graph.GetNHosts()));
        check(graph, members, BarrierTree::Leaves::ALL);
        check(graph, members, BarrierTree::Leaves::DEEPEST);
    }
}

/// The fabric of the paper's Figures 1 and 2, as numbers.md's decision 5 gives it, and a line.
TEST_CASE(BarrierTreeFiguresTestCase,
          "the paper's example: root 3, node (3,4), h 2, E 6, 40 hops; a line: h 4")
{
    const auto graph = MakeFigureOne();
    const BarrierTree tree(graph, ListHosts(graph));
    NS_TEST_ASSERT_MSG_EQ(tree.GetRootSwitch(), 3, "root switch");
    const auto rootEnd = graph.SwitchOf(tree.GetRootHost());
    NS_TEST_ASSERT_MSG_EQ(rootEnd.node, 3, "root node's switch");
    NS_TEST_ASSERT_MSG_EQ(rootEnd.port, 4, "root node's port");
    NS_TEST_ASSERT_MSG_EQ(tree.GetHeight(), 2, "height");
    NS_TEST_ASSERT_MSG_EQ(tree.GetNEdges(), 6, "edges");
    NS_TEST_ASSERT_MSG_EQ(tree.GetNLeaves(), 5, "leaves: 0, 4, 5, 6, 7");
    NS_TEST_ASSERT_MSG_EQ(tree.GetNDeepest(), 2, "two edges down: 4, 5, as Figure 3 has it");
    NS_TEST_ASSERT_MSG_EQ(tree.Find(2), nullptr, "2 is cut off");
    NS_TEST_ASSERT_MSG_EQ(tree.Find(8), nullptr, "8 is cut off");
    NS_TEST_ASSERT_MSG_EQ(tree.Find(1)->IsMember(), false, "1 has no members");
    NS_TEST_ASSERT_MSG_EQ(tree.Find(1)->installer, tree.GetRootHost(), "(3,4) sets up 1");

    const auto line = MakeLine(5);
    const BarrierTree ends(line, ListHosts(line));
    NS_TEST_ASSERT_MSG_EQ(ends.GetHeight(), 4, "height of a line");
    NS_TEST_ASSERT_MSG_EQ(ends.GetRootSwitch(), 0, "equal trees: the lower number");
}

TEST_CASE(BarrierTreeRefusalsTestCase, "impossible groups are refused with one line")
{
    FabricGraph graph(3, 4, 4);
    graph.Connect(0, 0, 1, 0);
    for (uint32_t i = 0; i < 3; ++i) // host 3 has no cable, switch 2 none to the others
    {
        graph.Connect(graph.HostAt(i), 0, i, 3);
    }
    const std::vector<std::pair<std::vector<GraphNode>, std::string>> cases{
        {{}, "no members"},
        {{3, 4, 3}, "member 3 of a barrier group is there twice"},
        {{3, 1}, "member 1 of a barrier group: expected a host, nodes 3 to 6"},
        {{3, 7}, "member 7 of a barrier group: expected a host, nodes 3 to 6"},
        {{3, 6}, "member h3 of a barrier group has no switch"},
        {{3, 5}, "no cables join them all"}};
    for (const auto& [members, expected] : cases)
    {
        Refuses([&, &of = members] { BarrierTree tree(graph, of); }, expected);
    }
    NS_TEST_EXPECT_MSG_EQ(BarrierTree(graph, {3, 4}).GetNEdges(), 1, "what is left is accepted");
}

TEST_CASE_WITH(
    BarrierTreeHeightsTestCase,
    (uint32_t switches, uint32_t hosts, IrregularTopologyHelper::TopologyModel law, double height),
    "mean height over 200 fabrics of " + std::to_string(switches) + " switches, law " +
        IrregularTopologyHelper::NameOf(law))
{
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = switches;
    parameters.hosts = hosts;
    parameters.law = law;
    IrregularTopologyHelper helper(parameters);
    helper.AssignStreams(77);
    const auto sum = SumOf(MakeRange(200), [&](uint32_t) -> double {
        const auto graph = helper.Create();
        return BarrierTree(graph, ListHosts(graph)).GetHeight();
    });
    // Single heights deviate by 0.6 at most, their mean by 0.04: three of those and the rounding.
    NS_TEST_ASSERT_MSG_EQ_TOL(sum / 200, height, 0.18, "mean height");
}

/// Two groups ask for the last registers of switches at about the same time.
TEST_CASE(RaceTestCase, "Of groups that race for registers none holds some in vain")
{
    const auto random = MakeRandom(29);
    const Dice draw(random);
    std::map<std::string, uint32_t> ends; // how often
    for (uint32_t i = 0; i < FewIfSanitized(200); ++i)
    {
        StartAnew();
        const auto nHosts = draw(4, 8);
        const auto domain =
            InstallDomain(DrawFabric(8, nHosts, i), WithUnits({{"Registers", "1"}}));
        const std::string policy = i % 4 == 0 ? "memory" : "fail";
        const bool retries = i % 2 > 0;
        std::vector<Ptr<Collective>> groups;
        std::vector<std::unique_ptr<InvariantChecker>> watches;
        std::vector<std::string> how(2); // how the groups end
        uint32_t nRefused = 0;
        for (uint32_t g = 0; g < 2; ++g)
        {
            const auto wait = retries ? draw(2, 50) : 0;
            const auto group = CollectiveHelper::MakeBarrier(
                Text("btin[Requests=true|MaxRetries=1000|RetryInterval=", wait, "us]"));
            group->SetAttribute("Exhaustion", StringValue(policy));
            groups.push_back(group);
            watches.push_back(std::make_unique<InvariantChecker>(group, 2, random, 20'000'000));
            uint32_t left = 2 * draw(2, 4);
            const auto members = InvariantChecker::DrawHosts(left / 2, nHosts, 1, random);
            Listen(group, "Answered", [&](uint32_t, bool granted) { nRefused += !granted; });
            Listen(group, "Leave", [&groups, g, left](uint32_t, uint64_t) mutable {
                if (--left == 0)
                {
                    Simulator::ScheduleNow(&Collective::Release, groups[g]);
                }
            });
            Listen(group, "Released", [&how, g](Time) { how[g] += "released"; });
            const auto fail = [&,
                               g](uint32_t, const std::vector<uint32_t>&, const std::string& why) {
                Contains(why, "no barrier register is left in s", "the reason");
                how[g] = "refused";
                for (uint32_t s = 0; s < domain->GetGraph().GetNSwitches(); ++s)
                {
                    const bool holds = domain->GetUnit(s)->Find(groups[g]->GetGroup());
                    NS_TEST_EXPECT_MSG_EQ(holds, false, "case " << i);
                }
            };
            Listen(group, "Failed", fail);
            Simulator::Schedule(NanoSeconds(g * draw(0, 3'000)),
                                [group, domain, members] { group->Create(domain, members); });
        }
        Simulator::Run();
        for (uint32_t g = 0; g < 2; ++g)
        {
            const bool isServed = how[g] == "released";
            const bool mayFail = policy == "fail" && !retries && how[g] == "refused";
            NS_TEST_ASSERT_MSG_EQ((isServed || mayFail), true, "case " << i << ": " << how[g]);
            NS_TEST_EXPECT_MSG_EQ(isServed ? watches[g]->GetTrouble() : "", "", "case " << i);
        }
        ++ends[how[0] + ", " + how[1] + (nRefused > 0 ? ", " + policy : "")];
        NS_TEST_ASSERT_MSG_EQ(CountHeld(*domain), 0, "case " << i);
    }
    for (const std::string end : {"released, released",
                                  "released, released, fail",
                                  "released, released, memory",
                                  "released, refused, fail",
                                  "refused, refused, fail"})
    {
        NS_TEST_EXPECT_MSG_GT(ends[end], 0, end);
    }
}

ADD_CASES()
{
    using TopologyModel = IrregularTopologyHelper::TopologyModel;
    AddQuick<BarrierTreeHeightsTestCase>(75, 256, TopologyModel::RECURSIVE, 5.8);
    AddQuick<BarrierTreeHeightsTestCase>(75, 256, TopologyModel::WALK, 6.5);
    AddQuick<BarrierTreeHeightsTestCase>(75, 256, TopologyModel::PAIRING, 6.6);
    AddQuick<BarrierTreeHeightsTestCase>(300, 1024, TopologyModel::RECURSIVE, 8.3);
    AddQuick<BarrierTreeHeightsTestCase>(300, 1024, TopologyModel::WALK, 9.3);
    AddQuick<BarrierTreeHeightsTestCase>(300, 1024, TopologyModel::PAIRING, 9.5);
}

SUITE("wormhole-three-trees", UNIT);

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
        uint32_t members = 0;
        for (uint32_t node = 0; node < neighbours.size(); ++node)
        {
            reached |= (neighbours[root] >> node & 1) * neighbours[node];
            members |= uint32_t{MEMBERS[node] > 0} << node;
        }
        if (MEMBERS[root] > 0 && (members & ~reached) == 0)
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
    const auto isFull = [&](uint32_t node) {
        return std::bitset<9>(neighbours[node]).count() + MEMBERS[node] > 8;
    };
    // All others are joined by the tree of Figure 2.
    const auto apart = neighbours[2] | neighbours[8];
    return NoneOf(MakeRange(neighbours.size()), isFull) && neighbours[2] != 0 &&
           neighbours[8] != 0 && (apart & ~(1U << 2 | 1U << 8)) != 0;
}

FabricGraph
MakeFabric(const std::vector<Cable>& cables)
{
    FabricGraph graph(9, 14, 8);
    auto next = ConnectOpen(graph, cables);
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

BarrierTree
FindTree(const FabricGraph& graph, Leaves leaves)
{
    return BarrierTree(graph, ListHosts(graph), leaves);
}

/// Six cables of Figure 1 aren't known. With those of data/moh-figure-1-three-trees.json there are
/// three trees, as in Figure 3, and the one that is chosen has two leaves at its greatest depth.
TEST_CASE(ThreeTreesTestCase, "Figure 3: three trees of height 2, and which one is chosen")
{
    const auto graph = MakeFabric(Join(EDGES, {{0, 1}, {0, 2}, {1, 7}, {2, 7}, {4, 8}, {7, 8}}));
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
            if (!IsIn(EDGES, cable) && !IsIn(OTHERS, cable))
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

} // namespace
