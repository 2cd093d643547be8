// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"
#include "routes-test-case.h"

#include "ns3/dragonfly-topology.h"
#include "ns3/grid-topology.h"

using namespace ns3;

namespace
{

constexpr uint64_t WORMS = 1500; ///< worms that are made

/// Sends worms over a fabric whose hosts send nearly as much as they can.
/// @param isHostToo whether onHead is called for channels of hosts, too
/// @return the fabric's lanes, and worms that have arrived
std::pair<uint64_t, uint64_t>
SendHeavily(const std::string& text,
            bool isHostToo,
            const std::function<void(const WormholePort&, const Ptr<const Worm>&)>& onHead,
            const std::function<void(const Ptr<const TrafficWorm>&)>& onMade)
{
    const auto graph = MakeTopology(text).graph;
    auto fabric = WormholeHelper().Install(graph);
    const auto lanes = std::stoul(TextOf(fabric, "Lanes"));
    for (const auto& port : ListPorts(fabric, isHostToo))
    {
        Listen(port, "HeadStart", [&onHead, its = PeekPointer(port)](Ptr<const Worm> worm) {
            onHead(*its, worm);
        });
    }
    WormholeTrafficHelper helper;
    helper.SetAttribute("Load", DoubleValue(0.9));
    const auto traffic = helper.Install(fabric, graph, WormLength::Fixed(40), 1);
    uint64_t nMade = 0;
    Listen(traffic, "Generated", [&](Ptr<const TrafficWorm> worm) {
        onMade(worm);
        if (++nMade == WORMS)
        {
            traffic->Stop();
        }
    });
    traffic->Start();
    Simulator::Run();
    return {lanes, traffic->GetCounts().deliveredWorms};
}

SUITE("wormhole-route-choices", UNIT);

/// @return lanes of channels among the choices of a way @param isEscape whether those of lane 0
std::size_t
Count(const RouteSet::Choices& choices, uint32_t nLanes, bool isEscape)
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
bool
Returns(const RouteSet::Choices& choices, uint32_t nLanes)
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

class RingChoices : public RouteSet
{
  public:
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

TEST_CASE_OF(RoutesTestCase,
             ChoicesTestCase,
             "Choices of routes: which, in which lanes, and a planted circle")
{
    // From a corner of a mesh to the other: all 12 cables that lead nearer, in both lanes.
    const auto mesh = MakeTopology("mesh:3x3").graph;
    const auto choices = MakeLaneRoutes("adaptive[Lanes=3|Root=first]", mesh)->MakeChoices(0, 8);
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
        const auto ends = SumOf(ways, [&](const auto& place) {
            return CountIf(place, [&](const auto& each) { return ways[each.next].empty(); });
        });
        RouteSet::Way first;
        minimal->Append(0, 2 * to, first); // a host of each
        const bool isNear = dragonfly.GetGroup(0) == dragonfly.GetGroup(to);
        NS_TEST_EXPECT_MSG_EQ(ends, (isNear ? 1 : dragonfly.GetNGroups() - 1), "ways to " << to);
        uint32_t place = 0;
        for (const auto vertex : first)
        {
            NS_TEST_EXPECT_MSG_EQ(ways[place].front().vertex / 3, vertex / 2, "minimal first");
            place = ways[place].front().next;
        }
    }
    // All cables between two groups, those of the shortest routes first.
    const DragonflyTopology cables({4, 3, 4, 2}); // four between each pair
    const auto some = MakeLaneRoutes("ugal[Detours=0|Cables=9]", cables.MakeGraph(), &cables);
    for (FabricGraph::Node from = 0; from < 4; ++from)
    {
        const auto ways = some->MakeChoices(from, 4);
        std::set<uint32_t> between;
        for (const auto& place : ways)
        {
            for (const auto& choice : place)
            {
                const auto channel = choice.vertex / 2;
                const auto start = some->GetChannels().From(channel);
                const auto end = some->GetChannels().To(channel);
                if (cables.GetGroup(start) != cables.GetGroup(end))
                {
                    between.insert(channel);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(between.size(), 4, "cables to the other group");
        const auto near = some->GetChannels().To(ways[0].front().vertex / 2);
        NS_TEST_EXPECT_MSG_EQ((from > 0 || near == 4), true, "that which ends there first");
    }
    Refuses([&] { RoutingEngine::Make("ugal")->MakeRouter(mesh); }, "was not made as a dragonfly");
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

TEST_CASE(SharedChoicesTestCase,
          "Routes with choices between hosts of two switches differ by their end")
{
    for (const auto& text :
         Words("torus:4x4,hosts=3,routing=adaptive torus:4x3,hosts=2,routing=dateline[Lane=free] "
               "dragonfly:a=4,h=1,hosts=2,routing=ugal "
               "irregular:switches=8,hosts=30,routing=adaptive[Lanes=1]"))
    {
        const auto topology = MakeTopology(text);
        const auto& graph = topology.graph;
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            if (from > 0 && from + 1 < graph.GetNHosts())
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
                Equals(graph.Walk(graph.HostAt(from), path).back(),
                       graph.HostAt(to),
                       Text(text, ": from host ", from, " to ", to));
            }
        }
    }
    Refuses([] { WormRoute::Path({0, 1}).EndingBy(2); }, "expected one with choices");
    Refuses([] { WormRoute::Adaptive({{{0, 0, 1}}, {{1, 0, 2}, {2, 0, 2}}, {}}).EndingBy(3); },
            "a route is to end by port 3");
}

TEST_CASE(FreeLanesTestCase, "Several lanes for each lane of any engine's routes")
{
    const auto file = CreateTempDirFilename("free-lanes.json");
    for (const auto& text :
         Words("torus:4x4,spread=in-turn,root=s5,routing=up-down mesh:4x4,routing=dimension-order "
               "irregular:switches=16,hosts=40,routing=balanced torus:4x4,routing=nue "
               "irregular:switches=16,hosts=40,routing=depth-first clos:ports=6,routing=fat-tree "
               "torus:4x4,routing=turn-prohibition torus:4x4,routing=dateline "
               "torus:4x4,routing=lash dragonfly:a=4,h=1,hosts=2,routing=valiant"))
    {
        constexpr uint32_t FREE = 3;
        const auto before = MakeTopology(text);
        const auto after = MakeTopology(text + "[FreeLanes=" + std::to_string(FREE) + "]");
        WriteFabricFile(after.graph, file);
        const auto read = MakeTopology(file).router;
        const auto nLanes = FREE * before.router->GetNLanes();
        NS_TEST_ASSERT_MSG_EQ(after.router->GetNLanes(), nLanes, text);
        const auto& graph = after.graph;
        for (uint32_t to = 1; to < graph.GetNHosts(); ++to)
        {
            const auto path = before.router->GetRoute(0, to);
            const auto route = after.router->GetRoute(0, to);
            WormRoute::Stop at = 0;
            WormRoute::Stop stop = 0;
            for (; path->At(stop).size() > 0; stop = path->At(stop)[0].next)
            {
                const auto lane = path->GetLane(path->At(stop)[0].next);
                const auto choices = route->At(at);
                NS_TEST_ASSERT_MSG_EQ(choices.size(), FREE, text << ": lanes to choose from");
                for (uint32_t i = 0; i < FREE; ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(choices[i].port, path->At(stop)[0].port, text);
                    NS_TEST_EXPECT_MSG_EQ(+route->GetLane(choices[i].next), FREE * lane + i, text);
                }
                at = choices[to % FREE].next; // whatever it chooses
            }
            NS_TEST_EXPECT_MSG_EQ(route->At(at).size(), 0, text << ": the end");
            const auto same = PortsOf(read->GetRoute(0, to)->GetPreferred()) == PortsOf(*path);
            NS_TEST_EXPECT_MSG_EQ(same, true, text << ": after a file");
        }
        ChannelDependency dependency(graph, ChannelDependency::Branches::COUPLED, nLanes);
        dependency.AddAllPairs(*after.router);
        dependency.CheckDeadlockFree();
        const auto countNodes = [&graph](WormholeRouter& router) {
            return graph.Walk(graph.HostAt(0), *router.GetTreeRoute(0, {2, 5})).size();
        };
        const auto nNodes = countNodes(*before.router);
        NS_TEST_EXPECT_MSG_EQ(countNodes(*after.router), nNodes, text << ": a tree worm's nodes");
    }
    Refuses([] { MakeTopology("torus:4x4,hosts=2,routing=in-transit[FreeLanes=2]"); },
            "routing in-transit: FreeLanes=2: hosts relay worms of these routes; expected 1");
    Refuses([] { MakeTopology("torus:4x4,routing=dateline[FreeLanes=200]"); },
            "for each of 2 lanes; expected 256 lanes at most");
}

TEST_CASE_WITH(ChoosingTrafficTestCase, (const std::string& text), "Worms that choose on " + text)
{
    std::map<uint32_t, uint64_t> used; // heads by lane
    uint64_t preferred = 0;            // channels of switches on their preferred ways
    uint64_t heads = 0;                // channels of switches that they took
    const auto [lanes, arrived] = SendHeavily(
        text,
        false,
        [&](const WormholePort& port, const Ptr<const Worm>&) {
            ++used[port.GetLane()];
            ++heads;
        },
        [&](const Ptr<const TrafficWorm>& worm) {
            preferred += worm->GetRoute()->GetPreferred().GetNChannels() - 1;
        });
    NS_TEST_EXPECT_MSG_EQ(arrived, WORMS, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(used.size(), lanes, "each lane is taken");
    NS_TEST_EXPECT_MSG_GT(heads + 1, preferred, "no way is shorter than the preferred one");
}

ADD_CASES()
{
    AddQuickEach<ChoosingTrafficTestCase>(
        Words("torus:5x5,hosts=2,routing=adaptive torus:4x4x2,routing=adaptive[Lanes=3] "
              "torus:5x4,hosts=2,routing=dateline[Lane=free] "
              "mesh:4x4,hosts=2,routing=adaptive[Lanes=1] "
              "irregular:switches=16,hosts=40,routing=adaptive[Lanes=1] "
              "irregular:switches=16,hosts=40,routing=adaptive[Lanes=4] "
              "dragonfly:a=4,h=2,hosts=2,routing=ugal "
              "dragonfly:a=4,h=2,hosts=2,routing=ugal[Detours=4] "
              "mesh:4x4,hosts=2,routing=up-down[FreeLanes=4] "
              "irregular:switches=16,hosts=40,routing=balanced[FreeLanes=3] "
              "torus:5x4,hosts=2,routing=dateline[FreeLanes=2] "
              "torus:5x5,hosts=2,routing=adaptive[FreeLanes=2] "
              "clos:ports=6,routing=fat-tree[FreeLanes=2]"));
}

} // namespace

SUITE("wormhole-lane-routes", UNIT);

TEST_CASE_WITH(LaneTrafficTestCase, (const std::string& text), "Traffic on " + text)
{
    std::vector<Ptr<const TrafficWorm>> worms;    // all, so that no other one has its address
    std::map<const Worm*, WormRoute::Stop> stops; // how far heads have come
    std::set<uint32_t> used;                      // lanes
    const auto [lanes, arrived] = SendHeavily(
        text,
        true,
        [&](const WormholePort& port, const Ptr<const Worm>& worm) {
            const auto lane = worm->GetRoute()->GetLane(++stops[PeekPointer(worm)]);
            NS_TEST_EXPECT_MSG_EQ(+port.GetLane(), +lane, "lane of the route");
            used.insert(lane);
        },
        [&](const Ptr<const TrafficWorm>& worm) { worms.push_back(worm); });
    NS_TEST_EXPECT_MSG_EQ(arrived, WORMS, "all arrive");
    NS_TEST_ASSERT_MSG_GT(lanes, 1, "the routes' lanes");
    NS_TEST_EXPECT_MSG_GT(used.size(), 1, "lanes that worms took");
    NS_TEST_EXPECT_MSG_GT(lanes, *used.rbegin(), "no more than there are");
}

static void
Send(Ptr<WormholeFabric> fabric, const FabricGraph& graph, uint64_t flits)
{
    auto traffic = WormholeTrafficHelper().Install(fabric, graph, WormLength::Fixed(flits), 1);
    traffic->Start();
    RunFor(MicroSeconds(50));
}

TEST_CASE(LaneSettingsTestCase, "Lanes of fabrics by their routes, and worms too long for them")
{
    const auto graph = MakeTopology("torus:4x4,routing=dateline").graph;
    Refuses([&] { Send(WormholeHelper().Install(graph), graph, 64); }, "64");
    Simulator::Destroy();
    Send(WithFabric({}, 64).Install(graph), graph, 64);
    Simulator::Destroy();
    auto fabric = WithFabric({{"Lanes", "4"}, {"Grant", "worm"}}).Install(graph);
    NS_TEST_EXPECT_MSG_EQ(TextOf(fabric, "Lanes"), "4", "as it was given");
}

ADD_CASES()
{
    AddQuickEach<LaneTrafficTestCase>(
        Words("torus:5x5,hosts=2,routing=dateline torus:5x3x3,routing=dateline "
              "torus:4x4,hosts=2,routing=lash torus:4x4,hosts=2,routing=dfsssp "
              "torus:4x4,hosts=2,routing=turn-prohibition[Lanes=2] "
              "torus:4x4,hosts=2,routing=nue[Lanes=4] "
              "irregular:switches=16,hosts=40,routing=turn-prohibition[Lanes=4] "
              "irregular:switches=16,hosts=40,routing=lash "
              "dragonfly:a=4,h=2,hosts=2,routing=dragonfly-minimal "
              "dragonfly:a=4,h=2,hosts=2,routing=valiant"));
}
