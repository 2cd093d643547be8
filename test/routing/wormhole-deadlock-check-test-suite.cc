// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/dragonfly-topology.h"
#include "ns3/grid-topology.h"
#include "ns3/regular-topology.h"

#include <deque>

using namespace ns3;

SUITE("wormhole-deadlock-check", UNIT);

namespace
{

using Branches = ChannelDependency::Branches; //!< short name

using Way = std::pair<GraphNode, WormRoute>;

TEST_CASE(RingCycleTestCase, "cycles are named: a ring")
{
    const auto ring = MakeRing(4);
    ChannelDependency dependency(ring);
    for (uint32_t i = 0; i < 3; ++i)
    {
        dependency.Add(ring.HostAt(i), WormRoute::Path({0, 0, 0, 2}));
    }
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { dependency.CheckDeadlockFree(); }), "accepted", "a ring");
    dependency.Add(ring.HostAt(3), WormRoute::Path({0, 0, 0, 2}));
    RefusesWith([&] { dependency.CheckDeadlockFree(); },
                "worms on these routes can wait for each other in a cycle, s0:0 -> s1:0 "
                "-> s2:0 -> s3:0 -> s0:0; expected routes without one, such as "
                "up/down routes");
    const auto cycle = dependency.FindCycle();
    NS_TEST_EXPECT_MSG_EQ(cycle.size(), 4, "channels of the cycle");
    RefusesWith([&] { dependency.Add(4, WormRoute::Path({0, 3})); },
                "a route from h0 leaves s0 by port 3: expected a port with a cable");
    const auto twice = WormRoute::Tree({{0}, {0, 2}, {1}, {}, {1}, {2}, {}});
    RefusesWith([&] { dependency.Add(4, twice); },
                "a tree route from h0 passes s0 twice: expected every node once at most");
}

/// Clockwise round a ring in one lane, by somebody who says that this cannot deadlock.
class ClockwiseRoutes : public RouteSet
{
  public:
    /// @param graph a ring @param isComplete whether ways go as far as the receiver
    ClockwiseRoutes(const FabricGraph& graph, bool isComplete)
        : RouteSet(graph, 1),
          m_isComplete(isComplete)
    {
        std::vector<Vertex> order(GetChannels().GetNChannels());
        std::iota(order.begin(), order.end(), 0);
        SetOrder(order);
        SetName("routing clockwise");
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        auto node = GetHosts().SwitchOf(from);
        while (node != GetHosts().SwitchOf(to) && (m_isComplete || way.empty()))
        {
            way.push_back(GetChannels().At(node, 0));
            node = GetChannels().To(way.back());
        }
    }

  private:
    bool m_isComplete; ///< whether ways go as far as the receiver
};

/// Routes whose order is the given one, if there is one; they lead nowhere.
class OrderedRoutes : public RouteSet
{
  public:
    OrderedRoutes(const FabricGraph& graph, const std::vector<Vertex>& order)
        : RouteSet(graph, 2)
    {
        if (!order.empty())
        {
            SetOrder(order);
        }
    }

    void Append(uint32_t, uint32_t, Way&) const override
    {
    }
};

TEST_CASE(IncompleteOrderTestCase, "An order lacks no vertex and has none twice")
{
    const auto graph = MakeTopology("mesh:2").graph;
    OrderedRoutes complete(graph, {2, 0, 3, 1});
    NS_TEST_EXPECT_MSG_EQ(complete.GetRanks()[3], 2, "two channels of two lanes");
    RefusesWith([&] { OrderedRoutes(graph, {2, 0, 3}); },
                "these routes: their order has 3 vertices; expected all 4 (channels times lanes)");
    for (const uint32_t wrong : {0, 4})
    {
        RefusesWith([&] { OrderedRoutes(graph, {2, 0, wrong, 1}); },
                    "these routes: vertex " + std::to_string(wrong) +
                        " is out of range or twice in their order; expected 0 to 3, each once");
    }
    OrderedRoutes none(graph, {});
    Refuses([&] { none.GetTreeRoute(0, {1}); }, "expected a constructor that calls SetOrder");
}

TEST_CASE(ClaimedRanksTestCase, "Routes are followed, whatever their ranks are said to be")
{
    const auto ring = MakeRing(4);
    const auto check = [&](bool isComplete) {
        ClockwiseRoutes routes(ring, isComplete);
        ChannelDependency dependency(ring);
        dependency.AddAllPairs(static_cast<WormholeRouter&>(routes));
        dependency.CheckDeadlockFree();
    };
    Refuses([&] { check(true); }, "in a cycle, s0:0 -> s1:0 -> s2:0 -> s3:0 -> s0:0");
    Refuses([&] { check(false); }, "routing clockwise: the route from h0 to h2 leads to s1");
}

TEST_CASE(TreeCycleTestCase, "cycles of tree worms are named, and what cannot deadlock is accepted")
{
    // Switches 0 and 1 with hosts 4 and 5 at port 2; cables from each to 2 (port 0) and 3 (port
    // 1), which have hosts 6 and 7 at port 2. Between 2 and 3 a cable at port 3; host 8 at 0:3.
    FabricGraph graph(4, 5, 4);
    graph.Connect(8, 0, 0, 3);
    for (GraphNode node = 0; node < 2; ++node)
    {
        graph.Connect(node, 0, 2, static_cast<Port>(node));
        graph.Connect(node, 1, 3, static_cast<Port>(node));
    }
    for (GraphNode node = 0; node < 4; ++node)
    {
        graph.Connect(graph.HostAt(node), 0, node, 2);
    }
    graph.Connect(2, 3, 3, 3);
    const auto both = WormRoute::Tree({{0}, {0, 1}, {2}, {2}, {}, {}}); // to hosts 6 and 7
    const auto check = [&graph](Branches branches, const std::vector<Way>& ways) {
        ChannelDependency dependency(graph, branches);
        for (const auto& [source, route] : ways)
        {
            dependency.Add(source, route);
        }
        return Refusal([&] { dependency.CheckDeadlockFree(); });
    };
    NS_TEST_EXPECT_MSG_EQ(check(Branches::COUPLED, {{4, both}}), "accepted", "one tree worm");
    NS_TEST_EXPECT_MSG_EQ(check(Branches::COUPLED, {{4, both}, {4, both}}), "accepted", "in turn");
    NS_TEST_EXPECT_MSG_EQ(check(Branches::COUPLED, {{4, both}, {5, both}}),
                          "worms on these routes can wait for each other in a cycle, s2:2 -> s3:2 "
                          "-> s2:2; expected routes without one, such as up/down routes, or "
                          "tree worms that fit into every input buffer whole",
                          "two tree worms, the first at one host each");
    NS_TEST_EXPECT_MSG_EQ(check(Branches::INDEPENDENT, {{4, both}, {5, both}}), "accepted", "deep");
    // A unicast worm holds 0:0 and wants 3:2; the tree worm holds that, and waits for 0:0.
    const auto around = WormRoute::Path({0, 0, 3, 2});
    const auto once = check(Branches::COUPLED, {{4, both}, {5, around}});
    NS_TEST_EXPECT_MSG_EQ(once, "accepted", "a unicast worm that meets a tree worm once");
    Contains(check(Branches::COUPLED, {{4, both}, {8, around}}),
             "s0:0 -> s2:3 -> s3:2 -> s0:0;",
             "a unicast worm that meets a tree worm twice");
    NS_TEST_EXPECT_MSG_EQ(check(Branches::INDEPENDENT, {{4, both}, {8, around}}), "accepted", "");

    // Two hosts of one switch to the same hosts elsewhere: one follows the other on all branches.
    const auto together = check(Branches::COUPLED, {{4, both}, {8, both}});
    NS_TEST_EXPECT_MSG_EQ(together, "accepted", "two tree worms that part nowhere");

    // Two hosts on one switch send to two others there: one order at one switch.
    const auto star = MakeStar(4);
    ChannelDependency dependency(star);
    dependency.Add(1, WormRoute::Tree({{0}, {2, 3}, {}, {}}));
    dependency.Add(2, WormRoute::Tree({{0}, {2, 3}, {}, {}}));
    NS_TEST_EXPECT_MSG_EQ(dependency.FindCycle().size(), 0, "two tree worms at one switch");
}

TEST_CASE(PastForkTestCase, "cycles of a worm behind another which has left the fork before both")
{
    // Cables 0 -> 1, 1 -> 2, 2 -> 4, 4 -> 1 and 1 -> 3, each from port 0 or 1 to port 2 or 3.
    FabricGraph graph(5, 6, 6);
    ConnectAll(graph, {{0, 0, 1, 2}, {1, 0, 2, 2}, {2, 0, 4, 2}, {4, 0, 1, 3}, {1, 1, 3, 2}});
    const std::vector<GraphNode> switchOf{0, 0, 2, 3, 4, 4}; // of hosts 5 to 10
    for (uint32_t i = 0; i < switchOf.size(); ++i)
    {
        graph.Connect(graph.HostAt(i), 0, switchOf[i], static_cast<Port>(4 + i % 2));
    }
    // The first holds 1:1 and waits for 1:0, behind the second, which is short, has left the
    // fork, and waits for 2:0. The third holds that, and waits for 1:1.
    const auto first = WormRoute::Tree({{0}, {0}, {0, 1}, {4}, {5}, {}, {}});
    const auto second = WormRoute::Tree({{0}, {0}, {0}, {0}, {4, 5}, {}, {}});
    const auto third = WormRoute::Path({0, 0, 0, 1, 5});
    for (const auto& [host, other] : {std::make_pair(5, 6), std::make_pair(6, 5)})
    {
        ChannelDependency dependency(graph);
        dependency.Add(host, host == 5 ? first : second);
        dependency.Add(7, third);
        NS_TEST_EXPECT_MSG_EQ(dependency.FindCycle().size(), 0, "two in no circle");
        dependency.Add(other, other == 5 ? first : second);
        Refuses([&] { dependency.CheckDeadlockFree(); }, "s1:0 -> s2:0 -> s4:0 -> s1:1 -> s1:0;");
    }

    // Two worms that a switch sends itself, both to its host at port 0 and to one on the next
    // switch, but by different cables: they may meet there in another order.
    FabricGraph pair(2, 2, 3);
    ConnectAll(pair, {{0, 0, 2, 0}, {0, 1, 1, 1}, {0, 2, 1, 2}, {1, 0, 3, 0}});
    ChannelDependency sent(pair);
    sent.Add(0, WormRoute::Tree({{0, 1}, {}, {0}, {}}));
    NS_TEST_EXPECT_MSG_EQ(sent.FindCycle().size(), 0, "one worm that a switch sends");
    sent.Add(0, WormRoute::Tree({{0, 2}, {}, {0}, {}}));
    NS_TEST_EXPECT_MSG_EQ(sent.FindCycle().size(), 2, "two worms that a switch sends");
}

TEST_CASE(OneTreeWormTestCase, "one tree worm among unicast ones is safe on a tree of switches")
{
    // On a tree of switches there is one way, so one tree worm among unicast ones is safe.
    auto random = MakeRandom(403);
    for (uint32_t i = 0; i < 40; ++i)
    {
        const auto q = random->GetInteger(2, 12);
        const auto graph = DrawFabric({q, 8, (2.0 * q + 2 * (q - 1)) / (8 * q), 2 * q}, i);
        const UpDownRouting routing(graph);
        ChannelDependency dependency(graph);
        dependency.AddAllPairs(routing);
        const auto hosts = RandomHosts(graph, *random, random->GetInteger(3, 2 * q));
        dependency.Add(hosts[0], routing.TreeRoute(hosts[0], {hosts.begin() + 1, hosts.end()}));
        NS_TEST_ASSERT_MSG_EQ(dependency.FindCycle().size(), 0, "one tree worm on a tree");
    }
}

/// Endless worms in one-flit buffers: one course of events in which each takes what it gets. The
/// heads arrive one by one in random order. A worm asks for all channels of a stop when its head
/// arrives there, gets each in turn, and gives them back when it has all of its route.
/// @return whether worms were left that wait for each other
bool
DoDeadlock(const FabricGraph& graph, const std::vector<Way>& ways, UniformRandomVariable& random)
{
    using Head = std::pair<uint32_t, WormRoute::Stop>;
    std::vector<Head> arriving;                                    // heads on their way
    std::vector<std::vector<GraphNode>> nodes;                     // node of each stop, by worm
    std::vector<uint32_t> left;                                    // stops not arrived at, by worm
    std::map<std::pair<GraphNode, Port>, std::deque<Head>> queues; // holder and waiters of channels
    for (uint32_t worm = 0; worm < ways.size(); ++worm)
    {
        arriving.emplace_back(worm, 0);
        nodes.push_back(graph.Walk(ways[worm].first, ways[worm].second));
        left.push_back(ways[worm].second.GetNStops());
    }
    while (!arriving.empty())
    {
        const auto i = random.GetInteger(0, arriving.size() - 1);
        const auto [worm, stop] = arriving[i];
        arriving.erase(arriving.begin() + i);
        for (const auto& branch : ways[worm].second.At(stop))
        {
            auto& queue = queues[{nodes[worm][stop], branch.port}];
            queue.emplace_back(worm, branch.next);
            if (queue.size() == 1)
            {
                arriving.push_back(queue.front());
            }
        }
        if (--left[worm] > 0)
        {
            continue;
        }
        for (auto& [channel, queue] : queues)
        {
            if (!queue.empty() && queue.front().first == worm)
            {
                queue.pop_front();
                if (!queue.empty())
                {
                    arriving.push_back(queue.front());
                }
            }
        }
    }
    return AnyOf(left, [](uint32_t n) { return n > 0; });
}

TEST_CASE(DeadlockCheckLawsTestCase, "no random worms deadlock on routes that the check accepts")
{
    auto random = MakeRandom(404);
    uint32_t accepted = 0;
    uint32_t deadlocked = 0;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 600; ++i)
    {
        const uint32_t q = random->GetInteger(2, 7);
        const uint32_t links = q - 1 + (q > 3 ? random->GetInteger(0, 3) : 0);
        const auto graph = DrawFabric({q, 9, (2.0 * q + 2 * links) / (9 * q), 2 * q}, i);
        const auto sources = RandomHosts(graph, *random, random->GetInteger(2, 4));
        std::vector<Way> ways;
        ChannelDependency dependency(graph);
        const auto root = random->GetInteger(0, q - 1);
        for (auto source : sources)
        {
            // Every other time the worms disagree on which way is up.
            const UpDownRouting routing(graph, i % 2 ? root : random->GetInteger(0, q - 1));
            auto hosts = RandomHosts(graph, *random, random->GetInteger(2, 5) % (2 * q) + 1);
            hosts.erase(std::remove(hosts.begin(), hosts.end(), source), hosts.end());
            if (!hosts.empty())
            {
                ways.emplace_back(source, routing.TreeRoute(source, hosts));
                dependency.Add(source, ways.back().second);
            }
        }
        const bool deadlock =
            AnyOf(MakeRange(100), [&](uint32_t) { return DoDeadlock(graph, ways, *random); });
        const bool cycle = !dependency.FindCycle().empty();
        NS_TEST_ASSERT_MSG_EQ((deadlock && !cycle), false, "a deadlock unforeseen, case " << i);
        accepted += !cycle;
        refused += cycle;
        deadlocked += deadlock;
    }
    NS_TEST_ASSERT_MSG_GT(accepted, 150, "the check accepts many");
    NS_TEST_ASSERT_MSG_GT(deadlocked, 150, "many deadlock");
    NS_TEST_ASSERT_MSG_GT(deadlocked, 9 * refused / 10, "what it refuses mostly deadlocks");
}

TEST_CASE(AllPairsTestCase,
          "all pairs: the rule of turns and each route for itself give the same cycle")
{
    uint32_t safe{0};   // fabrics without a cycle
    uint32_t unsafe{0}; // fabrics with one
    const auto compare =
        [&](const FabricGraph& graph, WormholeRouter& router, const std::string& what) {
            ChannelDependency each(graph);
            for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
            {
                each.Add(graph.HostAt(from), *router.GetRoute(from, to));
            }
            ChannelDependency all(graph);
            router.StartAnew(); // so that ways that are found anew for each worm are the same
            all.AddAllPairs(router);
            const auto wanted = Refusal([&] { each.CheckDeadlockFree(); });
            NS_TEST_EXPECT_MSG_EQ(Refusal([&] { all.CheckDeadlockFree(); }), wanted, what);
            NS_TEST_EXPECT_MSG_EQ(all.GetNDependencies(), each.GetNDependencies(), what);
            (each.FindCycle().empty() ? safe : unsafe) += 1;
        };
    for (const auto& text :
         Words("mesh:3x4,hosts=2 mesh:2x2x2x2 torus:4x5 torus:3x3x3 "
               "torus:3x3,routing=dimension-order torus:4x4,hosts=2,spread=first "
               "kary-tree:k=2,n=4 "
               "clos:ports=6,levels=3 clos:down=4x4,up=2,cables=3,spread=in-turn "
               "clos:ports=8,routing=up-down dragonfly:a=3,h=2,hosts=2 "
               "dragonfly:a=2,h=4,g=3,routing=minimal full:7,hosts=2 full:7,routing=up-down "
               "roadrunner"))
    {
        const auto topology = MakeTopology(text);
        compare(topology.graph, *topology.router, text);
    }
    for (uint32_t i = 0; i < 60; ++i)
    {
        const auto switches = 6 + i % 8;
        const auto graph = DrawFabric({switches, 8, 0.75, 2 * switches}, 700 + i);
        for (const auto& spread : RouteSpread::GetNames())
        {
            UpDownRouter router(graph, i % 2 ? "center" : "first", spread);
            compare(graph, router, "irregular " + std::to_string(i));
        }
    }
    for (uint32_t length = 2; length <= 7; ++length)
    {
        for (const auto& lengths :
             std::vector<std::vector<uint32_t>>{{length}, {2, length}, {length, 3}})
        {
            const GridTopology torus(lengths, GridTopology::Ends::JOINED, 1 + length % 2);
            RegularRouter router(torus.Copy());
            compare(torus.MakeGraph(), router, "torus of length " + std::to_string(length));
        }
    }
    for (uint32_t a = 1; a <= 4; ++a)
    {
        for (uint32_t g = 2; g <= std::min(2 * a + 1, 6U); ++g)
        {
            for (const auto spread : {RouteSpread::Rule::HASH, RouteSpread::Rule::FIRST})
            {
                const DragonflyTopology dragonfly({a, 2, g, 2});
                RegularRouter router(dragonfly.Copy(), spread);
                compare(dragonfly.MakeGraph(), router, "dragonfly");
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(safe, 150, "fabrics free of deadlock");
    NS_TEST_EXPECT_MSG_GT(unsafe, 15, "fabrics with a cycle");
    // What would take minutes pair by pair.
    for (const std::string text : {"torus:100x100", "clos:ports=60,levels=3", "mesh:100x100"})
    {
        const auto topology = MakeTopology(text);
        ChannelDependency all(topology.graph);
        all.AddAllPairs(*topology.router);
        NS_TEST_EXPECT_MSG_EQ(all.FindCycle().empty(), true, text);
    }
}

} // namespace
