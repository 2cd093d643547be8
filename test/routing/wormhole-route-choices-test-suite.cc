/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "heavy-traffic-test-case.h"
#include "routes-test-case.h"

#include "ns3/channel-dependency.h"
#include "ns3/dragonfly-topology.h"
#include "ns3/grid-topology.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"
#include "ns3/wormhole-traffic.h"

using namespace ns3;

namespace
{

class ChoicesTestCase : public RoutesTestCase
{
    TEST_CASE_NAME(ChoicesTestCase,
                   "Choices of routes: which, in which lanes, and a planted circle");

    /// @return lanes of channels among the choices of a way @param isEscape whether those of lane 0
    static std::size_t Count(const RouteSet::Choices& choices, uint32_t nLanes, bool isEscape)
    {
        std::set<RouteSet::Vertex> found;
        for (const auto& place : choices)
        {
            for (const auto& choice : place)
            {
                if ((choice.vertex % nLanes == 0) == isEscape)
                {
                    found.insert(choice.vertex);
                }
            }
        }
        return found.size();
    }

    /// @return whether worms can come from the escape to other lanes, and back to it
    static bool Returns(const RouteSet::Choices& choices, uint32_t nLanes)
    {
        bool comes = false;
        std::vector<bool> isBehind(choices.size()); // places that worms come to from the escape
        for (std::size_t place = 0; place < choices.size(); ++place)
        {
            for (const auto& choice : choices[place])
            {
                const bool isEscape = choice.vertex % nLanes == 0;
                comes = comes || (isBehind[place] && !isEscape);
                isBehind[choice.next] = isBehind[choice.next] || isEscape;
            }
        }
        return comes;
    }

    void DoRun() override
    {
        // From a corner of a mesh to the other: all 12 cables that lead nearer, in both lanes.
        const auto mesh = MakeTopology("mesh:3x3").graph;
        const auto adaptive = MakeLaneRoutes("adaptive[Lanes=3|Root=first]", mesh);
        const auto choices = adaptive->MakeChoices(0, 8);
        NS_TEST_EXPECT_MSG_EQ(Count(choices, 3, false), 2 * 12, "cables that lead nearer");
        NS_TEST_EXPECT_MSG_GT(Count(choices, 3, true), 7, "and an escape at each switch");
        NS_TEST_EXPECT_MSG_EQ(Returns(choices, 3), true, "which leads back");
        for (const auto& choice : choices[0])
        {
            const bool isLast = &choice == &choices[0].back();
            NS_TEST_EXPECT_MSG_EQ((choice.vertex % 3 == 0), isLast, "the escape comes last");
        }
        // Minimal, then through each of the other groups.
        const DragonflyTopology dragonfly({4, 2, 0, 2});
        const auto graph = dragonfly.MakeGraph();
        const auto ugal = MakeLaneRoutes("ugal[Detours=64]", graph, &dragonfly);
        const auto minimal = MakeLaneRoutes("dragonfly-minimal", graph, &dragonfly);
        for (const uint32_t to : {1U, 4U, 15U, 35U})
        {
            const auto ways = ugal->MakeChoices(0, to);
            const auto ends = std::count_if(ways.begin(), ways.end(), [](const auto& place) {
                return place.empty();
            });
            RouteSet::Way first;
            minimal->Append(0, 2 * to, first); // a host of each
            const bool isNear = dragonfly.GetGroup(0) == dragonfly.GetGroup(to);
            NS_TEST_EXPECT_MSG_EQ(ends,
                                  (isNear ? 1 : dragonfly.GetNGroups() - 1),
                                  "ways to " << to);
            uint32_t place = 0;
            for (const auto vertex : first)
            {
                NS_TEST_EXPECT_MSG_EQ(ways[place].front().vertex / 3, vertex / 2, "minimal first");
                place = ways[place].front().next;
            }
        }
        Refuses([&] { RoutingEngine::Make("ugal")->MakeRouter(mesh); },
                "was not made as a dragonfly");
        // Round a ring of 8: from 1 to 4, over no dateline, any lane first, and none but the second
        // after that; from 6 to 1 the first lane as far as it goes, then the second.
        const GridTopology torus({8}, GridTopology::Ends::JOINED);
        const auto dateline = MakeLaneRoutes("dateline[Lane=free]", torus.MakeGraph(), &torus);
        const auto free = dateline->MakeChoices(1, 4);
        NS_TEST_EXPECT_MSG_EQ(Count(free, 2, false), 3, "the second lane");
        NS_TEST_EXPECT_MSG_EQ(free.size(), 3 + 2 + 1, "from either to it, never back; and the end");
        NS_TEST_EXPECT_MSG_EQ(Count(free, 2, true), 3, "the first lane");
        const auto bound = dateline->MakeChoices(6, 1);
        NS_TEST_EXPECT_MSG_EQ(Count(bound, 2, true), 2, "the first lane to the dateline");
        NS_TEST_EXPECT_MSG_EQ(Count(bound, 2, false), 1, "the second behind it");
        // Escapes that close a circle are found.
        const auto ring = MakeTopology("torus:5").graph;
        ChannelDependency dependency(ring, ChannelDependency::Branches::COUPLED, 2);
        dependency.AddAllPairs(RingChoices(ring));
        Refuses([&] { dependency.CheckDeadlockFree(); },
                "s0:0 lane 0 -> s1:0 lane 0 -> s2:0 lane 0 -> s3:0 lane 0 -> s4:0 lane 0 -> "
                "s0:0 lane 0");
    }

    /// Round a ring in either lane.
    class RingChoices : public RouteSet
    {
      public:
        /// @param graph a ring of switches with a host each
        explicit RingChoices(const FabricGraph& graph)
            : RouteSet(graph, 2)
        {
        }

        void Append(uint32_t, uint32_t, Way&) const override
        {
        }

        bool HasChoices() const override
        {
            return true;
        }

        /// Goes round the ring. @return what a worm may take
        Choices MakeChoices(Node from, Node to) const override
        {
            const auto n = GetChannels().GetNSwitches();
            Choices choices;
            for (auto node = from; node != to; node = (node + 1) % n)
            {
                auto channel = GetChannels().First(node);
                channel += GetChannels().To(channel) != (node + 1) % n;
                const auto next = static_cast<uint32_t>(choices.size() + 1);
                choices.push_back({{2 * channel + 1, next}, {2 * channel, next}});
            }
            choices.emplace_back();
            return choices;
        }
    };
};

SIMULATION_TEST_CASE(SharedChoicesTestCase,
                     "Routes with choices between hosts of two switches differ by their end")
{
    for (const auto& text : {"torus:4x4,hosts=3,routing=adaptive",
                             "torus:4x3,hosts=2,routing=dateline[Lane=free]",
                             "dragonfly:a=4,h=1,hosts=2,routing=ugal",
                             "irregular:switches=8,hosts=30,routing=adaptive[Lanes=1]"})
    {
        const auto topology = MakeTopology(text);
        const auto& graph = topology.graph;
        for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
        {
            for (const uint32_t from : {0U, graph.GetNHosts() - 1})
            {
                if (from == to)
                {
                    continue;
                }
                // A port for any choices: first ones, and last ones.
                const auto route = topology.router->GetRoute(from, to);
                std::vector<uint16_t> lastOnes;
                for (WormRoute::Stop stop = 0; route->At(stop).size() > 0;)
                {
                    const auto choices = route->At(stop);
                    const auto last = choices[choices.size() - 1];
                    lastOnes.push_back(last.port);
                    stop = last.next;
                }
                for (const auto& path : {route->GetPreferred(), WormRoute::Path(lastOnes)})
                {
                    NS_TEST_EXPECT_MSG_EQ(graph.Walk(graph.HostAt(from), path).back(),
                                          graph.HostAt(to),
                                          text << ": from host " << from << " to " << to);
                }
            }
        }
    }
    Refuses([] { WormRoute::Path({0, 1}).EndingBy(2); }, "expected one with choices");
    Refuses([] { WormRoute::Adaptive({{{0, 0, 1}}, {{1, 0, 2}, {2, 0, 2}}, {}}).EndingBy(3); },
            "a route is to end by port 3");
}

/// Worms that choose, under heavy load.
class ChoosingTrafficTestCase : public HeavyTrafficTestCase
{
  public:
    /// @param text the topology, with a routing engine whose routes have choices
    explicit ChoosingTrafficTestCase(const std::string& text)
        : HeavyTrafficTestCase("Worms that choose on " + text, text)
    {
    }

  private:
    void OnHead(const WormholePort& port, const Ptr<const Worm>&) override
    {
        CountIn(port.GetLane());
        ++m_heads;
    }

    void OnMade(const Ptr<const TrafficWorm>& worm) override
    {
        m_preferred += worm->GetRoute()->GetPreferred().GetNChannels() - 1;
    }

    void DoRun() override
    {
        const auto lanes = Run(false);
        const auto& used = GetUsed();
        NS_TEST_EXPECT_MSG_EQ(used.size(), lanes, "lanes that worms took");
        NS_TEST_EXPECT_MSG_GT(*std::min_element(used.begin(), used.end()), 0, "each lane");
        NS_TEST_EXPECT_MSG_GT(m_heads + 1, m_preferred, "no way is shorter than the preferred one");
        Simulator::Destroy();
    }

    uint64_t m_preferred{0}; ///< channels of switches on their preferred ways
    uint64_t m_heads{0};     ///< channels of switches that they took
};

TEST_SUITE(RouteChoicesTestSuite, "wormhole-route-choices", UNIT)
{
    AddTestCase(new ChoicesTestCase(), WORMHOLE_TEST_QUICK);
    AddTestCase(new SharedChoicesTestCase(), WORMHOLE_TEST_QUICK);
    for (const auto& text : {"torus:5x5,hosts=2,routing=adaptive",
                             "torus:4x4x2,routing=adaptive[Lanes=3]",
                             "torus:5x4,hosts=2,routing=dateline[Lane=free]",
                             "mesh:4x4,hosts=2,routing=adaptive[Lanes=1]",
                             "irregular:switches=16,hosts=40,routing=adaptive[Lanes=1]",
                             "irregular:switches=16,hosts=40,routing=adaptive[Lanes=4]",
                             "dragonfly:a=4,h=2,hosts=2,routing=ugal",
                             "dragonfly:a=4,h=2,hosts=2,routing=ugal[Detours=4]"})
    {
        AddTestCase(new ChoosingTrafficTestCase(text), WORMHOLE_TEST_QUICK);
    }
}

} // namespace
