// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/plain-roots.h"
#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-root-search", UNIT);

namespace
{

using TopologyModel = IrregularTopologyHelper::TopologyModel; //!< short name

class RootSearchTestCase : public ModuleTestCase
{
  public:
    explicit RootSearchTestCase(const std::string& name)
        : ModuleTestCase(name),
          m_random(MakeRandom(4001))
    {
    }

  protected:
    using Base = RootSearchTestCase; ///< what TEST_CASE_NAME names

    uint32_t Between(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    std::vector<GraphNode> DrawMembers(const FabricGraph& graph, uint32_t n)
    {
        return RandomHosts(graph, *m_random, n);
    }

    void CheckTree(const FabricGraph& graph,
                   const std::vector<GraphNode>& members,
                   const std::string& what)
    {
        for (const bool isDeepest : {false, true})
        {
            const auto [height, edges, leaves, root] =
                PlainRoots(graph, isDeepest).BestTree(PlainRoots::SwitchesOf(graph, members)).key;
            const auto rule = isDeepest ? BarrierTree::Leaves::DEEPEST : BarrierTree::Leaves::ALL;
            const BarrierTree tree(graph, members, rule);
            const auto where = what + ", " + std::to_string(members.size()) + " members, " +
                               (isDeepest ? "deepest" : "all") + " leaves";
            const auto found = isDeepest ? tree.GetNDeepest() : tree.GetNLeaves();
            NS_TEST_ASSERT_MSG_EQ(tree.GetHeight(), height, "height, " << where);
            NS_TEST_ASSERT_MSG_EQ(tree.GetNEdges(), edges, "edges, " << where);
            NS_TEST_ASSERT_MSG_EQ(found, leaves, "leaves, " << where);
            NS_TEST_ASSERT_MSG_EQ(tree.GetRootSwitch(), root, "root switch, " << where);
        }
    }

    void CheckCenter(const FabricGraph& graph, const std::string& what)
    {
        const auto root = UpDownRouting::ChooseRoot(graph, UpDownRouting::RootRule::CENTER);
        NS_TEST_ASSERT_MSG_EQ(root, PlainRoots(graph).Center(), "center, " << what);
    }

    Ptr<UniformRandomVariable> m_random; ///< where random numbers come from
};

TEST_CASE_OF(RootSearchTestCase,
             RandomRootsTestCase,
             "roots equal brute force on 1,000 random fabrics")
{
    const auto drawParameters = [&](uint32_t i) -> IrregularTopologyHelper::Parameters {
        IrregularTopologyHelper::Parameters parameters;
        const auto q = i % 20 == 0 ? Between(150, 500) : Between(1, i % 2 ? 25 : 120);
        const auto k = Between(4, 12);
        parameters.switches = q;
        parameters.ports = k;
        parameters.hosts = Between(1, i % 5 ? q * (k - 3) : std::max(1U, q / 2));
        parameters.law = static_cast<TopologyModel>(i % 3);
        parameters.parallelLinks = i % 4 == 0;
        // Links: those that join the switches, and up to four fifths of what else is possible.
        const auto pairs = q * (q - 1) / 2;
        const auto free = (q * k - parameters.hosts) / 2;
        const auto most = parameters.parallelLinks && q > 1 ? free : std::min(free, pairs);
        const auto more = (most - (q - 1)) * 4 / 5;
        const auto links = q - 1 + (q > 1 && i % 7 ? Between(0, i % 7 < 3 ? more / 5 : more) : 0);
        parameters.connectivity = (parameters.hosts + 2.0 * links) / (1.0 * q * k);
        return parameters;
    };
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const auto graph = DrawFabric(drawParameters(i), 70000 + i);
        const auto what = "random fabric " + std::to_string(i);
        const auto p = graph.GetNHosts();
        const auto n = i % 3 == 0 ? p : Between(1, i % 3 == 1 ? p : std::min(p, 8U));
        CheckTree(graph, DrawMembers(graph, n), what);
        CheckCenter(graph, what);
    }
}

class RegularRootsTestCase : public RootSearchTestCase
{
    TEST_CASE_NAME(RegularRootsTestCase,
                   "roots equal brute force on rings, tori, trees and the like");

    void DoRun() override
    {
        CheckOrbits(Grid({12}, true), 1);
        CheckOrbits(Grid({8, 8, 8}, true), 1);
        CheckOrbits(Grid({7, 4, 5}, true), 1);
        CheckOrbits(Grid(std::vector<uint32_t>(7, 2), true), 1);
        CheckOrbits(Multipartite(std::vector<uint32_t>(12, 1)), 1);
        CheckOrbits(Grid({5, 4}, false), 20); // the corners see the same, but by no shift
        for (uint32_t n = 1; n < 30; ++n)
        {
            Check(Grid({n}, true));
            Check(Grid({n}, false));
        }
        for (const auto& [a, b] : {std::pair{2U, 2U}, {3, 3}, {4, 4}, {5, 4}, {6, 7}, {12, 3}})
        {
            Check(Grid({a, b}, true));
            Check(Grid({a, b}, false));
        }
        for (const auto& sides : {{3, 3, 3}, {4, 4, 4}, {5, 3, 4}, std::vector<uint32_t>(6, 2)})
        {
            Check(Grid(sides, true));
        }
        for (uint32_t arity = 2; arity < 5; ++arity)
        {
            Check(CompleteTree(arity, 2));
            Check(CompleteTree(arity, 4));
            Check(FatTree(arity, 3));
        }
        Check(FatTree(2, 5));
        Check(Multipartite(std::vector<uint32_t>(12, 1)));
        Check(Multipartite({1, 20}));
        Check(Multipartite({5, 6}));
        Check(Multipartite({4, 4, 4}));
        const auto rings = Build({"", 7, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 6}, {6, 3}}},
                                 {3, 5, 1, 0, 2, 4, 6},
                                 1);
        CheckTree(rings, {7, 8, 10, 11}, "two rings that are not joined, members in one");
    }

    struct Shape
    {
        std::string name;                                   ///< what it is
        uint32_t switches;                                  ///< number of switches
        std::vector<std::pair<GraphNode, GraphNode>> links; ///< switches that each cable joins
    };

    void Check(const Shape& shape)
    {
        auto numbers = MakeRange(shape.switches);
        for (uint32_t cables : {1, 2, 1})
        {
            const auto graph = Build(shape, numbers, cables);
            CheckCenter(graph, shape.name);
            const auto p = graph.GetNHosts();
            CheckTree(graph, DrawMembers(graph, p), shape.name);
            CheckTree(graph, DrawMembers(graph, Between(1, p)), shape.name);
            CheckTree(graph, DrawMembers(graph, Between(1, std::min(p, 5U))), shape.name);
            auto first = ListHosts(graph); // of the first switches: a fat tree's lowest level
            first.resize((p + 3) / 4);
            CheckTree(graph, first, shape.name);
            Shuffle(numbers, *m_random);
        }
    }

    /// Expects the switches of a fabric to see the same of it, and a few searches to do.
    /// @param orbits number of sets of switches that see the same
    void CheckOrbits(const Shape& shape, uint32_t orbits)
    {
        auto all = MakeRange(shape.switches);
        const auto graph = Build(shape, all, 1);
        const SwitchAdjacency adjacency(graph);
        const auto first = SwitchOrbits::FindFirst(adjacency);
        NS_TEST_EXPECT_MSG_EQ(first.size(), orbits, shape.name);
        CenterSearch centers(adjacency, all, first);
        while (centers.Next())
        {
        }
        NS_TEST_EXPECT_MSG_LT(centers.GetNSearches(), 2 * orbits + 1, "searches, " << shape.name);
        CheckCenter(graph, shape.name);
    }

    /// @param cables number of cables of each link @return the fabric, two hosts at each switch
    static FabricGraph Build(const Shape& shape,
                             const std::vector<GraphNode>& numbers,
                             uint32_t cables)
    {
        constexpr uint32_t HOSTS = 2; // at each switch
        std::vector<Port> next(shape.switches, HOSTS);
        for (const auto& [a, b] : shape.links)
        {
            next[a] += cables;
            next[b] += cables;
        }
        FabricGraph graph(shape.switches, HOSTS * shape.switches, Greatest(next));
        next.assign(shape.switches, 0);
        for (uint32_t i = 0; i < graph.GetNHosts(); ++i)
        {
            const auto node = numbers[i / HOSTS];
            graph.Connect(graph.HostAt(i), 0, node, next[node]++);
        }
        for (uint32_t cable = 0; cable < cables; ++cable)
        {
            for (const auto& [a, b] : shape.links)
            {
                graph.Connect(numbers[a], next[numbers[a]]++, numbers[b], next[numbers[b]]++);
            }
        }
        return graph;
    }

    static Shape Grid(const std::vector<uint32_t>& sides, bool closed)
    {
        Shape shape{closed ? "torus" : "mesh", 1, {}};
        for (auto side : sides)
        {
            shape.name += " " + std::to_string(side);
            shape.switches *= side;
        }
        for (GraphNode node = 0; node < shape.switches; ++node)
        {
            uint32_t step = 1;
            for (auto side : sides)
            {
                const auto at = node / step % side;
                if (at + 1 < side)
                {
                    shape.links.emplace_back(node, node + step);
                }
                else if (closed && side > 2)
                {
                    shape.links.emplace_back(node, node - at * step);
                }
                step *= side;
            }
        }
        return shape;
    }

    static Shape CompleteTree(uint32_t arity, uint32_t levels)
    {
        Shape shape{"tree of " + std::to_string(levels) + " levels", 1, {}};
        for (uint32_t level = 1; level < levels; ++level)
        {
            shape.switches = shape.switches * arity + 1;
        }
        for (GraphNode node = 1; node < shape.switches; ++node)
        {
            shape.links.emplace_back((node - 1) / arity, node);
        }
        return shape;
    }

    static Shape FatTree(uint32_t k, uint32_t n)
    {
        const auto width = static_cast<uint32_t>(std::pow(k, n - 1));
        Shape shape{std::to_string(k) + "-ary " + std::to_string(n) + "-tree", n * width, {}};
        uint32_t step = 1;
        for (uint32_t level = 0; level + 1 < n; ++level, step *= k)
        {
            for (uint32_t i = 0; i < width; ++i)
            {
                for (uint32_t j = 0; j < k; ++j)
                {
                    const auto above = i - i / step % k * step + j * step;
                    shape.links.emplace_back(level * width + i, (level + 1) * width + above);
                }
            }
        }
        return shape;
    }

    static Shape Multipartite(const std::vector<uint32_t>& sizes)
    {
        Shape shape{"multipartite", 0, {}};
        for (auto size : sizes)
        {
            const auto before = shape.switches;
            for (; shape.switches < before + size; ++shape.switches)
            {
                for (GraphNode node = 0; node < before; ++node)
                {
                    shape.links.emplace_back(node, shape.switches);
                }
            }
            shape.name += " " + std::to_string(size);
        }
        return shape;
    }
};

TEST_CASE_WITH_OF(RootSearchTestCase,
                  FewSearchesTestCase,
                  (uint32_t switches, uint32_t hosts, uint32_t most),
                  std::to_string(most) + " searches suffice for " + std::to_string(switches) +
                      " switches")
{
    for (auto law : {TopologyModel::RECURSIVE, TopologyModel::WALK, TopologyModel::PAIRING})
    {
        const auto graph = DrawFabric({switches, 8, 0.75, hosts, law}, 88);
        for (auto n : {hosts, hosts / 10, 1000U})
        {
            const auto members = DrawMembers(graph, n);
            const auto places = PlainRoots::SwitchesOf(graph, members);
            const SwitchAdjacency adjacency(graph);
            const std::vector<GraphNode> list(places.begin(), places.end());
            BarrierTreeSearch search(adjacency, list);
            const auto root = search.FindBest().front().node;
            NS_TEST_EXPECT_MSG_LT(search.GetNSearches(), most, "searches, " << n << " members");
            const PlainRoots plain(graph);
            const auto key = plain.PrunedTree(root, places).key;
            for (uint32_t i = 0; i < 3; ++i)
            {
                const auto other = list[Between(0, static_cast<uint32_t>(list.size()) - 1)];
                const bool isBetter = plain.PrunedTree(other, places).key < key;
                NS_TEST_EXPECT_MSG_EQ(isBetter, false, "root " << other << " beside " << root);
            }
        }
    }
}

TEST_CASE(QuickestRootTestCase, "The root of the quickest tree, by all roots, and measured waits")
{
    const auto rng = MakeRandom(30);
    constexpr int64_t HOP = 6'250 + 1000 + 1000;
    for (uint32_t i = 0; i < 100; ++i)
    {
        const auto graph = DrawFabric(12, 16, i);
        const auto domain = InstallDomain(graph, {}, WithTimes(6'250, 1000, 1000, 1000, 100));
        const auto hosts = InvariantChecker::DrawHosts(8, 16, 1, rng);
        const auto nodes = MadeOf(hosts, [&](uint32_t host) { return graph.HostAt(host); });
        std::map<std::pair<GraphNode, Port>, int64_t> waits; // few values, so that some tie
        const auto wait = [&](FabricGraph::End end) {
            const auto drawn = rng->GetInteger(0, 2) * HOP;
            return waits.try_emplace({end.node, end.port}, drawn).first->second;
        };
        std::set<std::tuple<int64_t, int64_t, uint32_t, GraphNode, GraphNode>> all;
        for (const auto node : nodes)
        {
            const auto root = graph.SwitchOf(node).node;
            const BarrierTree tree(graph, nodes, BarrierTree::Leaves::DEEPEST, root);
            std::set<int64_t> ways{0};
            int64_t total = 0;
            for (auto entry = &tree.GetSwitches().front(); entry <= &tree.GetSwitches().back();
                 ++entry)
            {
                int64_t way = 0;
                for (auto at = entry; !at->IsRoot(); at = tree.Find(at->parent))
                {
                    const auto both = 2 * HOP + wait({at->node, at->parentPort}) +
                                      wait(graph.Peer(at->node, at->parentPort));
                    way += both;
                    total += at == entry ? both : 0;
                }
                ways.insert(way);
            }
            all.emplace(*ways.rbegin(), total, tree.GetHeight(), root, tree.GetRootHost());
        }
        const auto found = domain->FindRootHost(hosts, [&](FabricGraph::End end) {
            return PicoSeconds(wait(end));
        });
        NS_TEST_EXPECT_MSG_EQ(graph.HostAt(found), std::get<4>(*all.begin()), "case " << i);
        StartAnew();
    }
    const auto graph = MakeStar(3);
    const auto domain = InstallDomain(graph, {}, WithTimes(1000, 1000, 1000, 1000, 100));
    const auto record = ChannelRecord::Begin(domain->GetFabric(), graph);
    SendWorm(*domain->GetFabric(), 0, 2, 40);
    SendWorm(*domain->GetFabric(), 1, 2, 40);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(record->TakeWaits()({0, 2}), PicoSeconds(20'000), "one of two waits");
    NS_TEST_EXPECT_MSG_EQ(record->TakeWaits()({0, 2}), Time(0), "since the last look");
    const auto barrier = CollectiveHelper::MakeBarrier("btin");
    barrier->SetAttribute("TreeRoot", IntegerValue(1));
    Refuses([&] { barrier->Create(domain, {0}); }, "TreeRoot is 1, a host without a member");
    barrier->SetAttribute("TreeRoot", IntegerValue(-1));
    SetUp(barrier, domain, {0});
    Refuses([&] { barrier->Move(1); }, "moves to host 1, which has no member");
    Refuses([&] { BarrierTree(graph, {graph.HostAt(0)}, BarrierTree::Leaves::ALL, 2); },
            "a barrier tree with root 2, where no member is");
}

ADD_CASES()
{
    AddQuick<FewSearchesTestCase>(3000, 10240, 200);
    AddExtensive<FewSearchesTestCase>(300000, 1048576, 300);
}

} // namespace
