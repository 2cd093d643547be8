/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/barrier-tree.h"
#include "ns3/collective-bench.h"
#include "ns3/double.h"
#include "ns3/in-switch-collectives.h"
#include "ns3/integer.h"
#include "ns3/invariant-checker.h"
#include "ns3/wormhole-traffic-helper.h"

#include <numeric>
#include <queue>
#include <tuple>

using namespace ns3;

namespace
{

/// Bytes of a message with a value of so many bits: 2 bits of type, 8 of group, 6 of data at least.
/// @return bytes
uint32_t
BytesOf(uint32_t widthBits)
{
    return (10 + std::max<uint32_t>(6, widthBits) + 7) / 8;
}

/// @return a broadcast in the switches @param root rank of its source; -1: the tree's root host
Ptr<Broadcast>
MakeBroadcast(int64_t root, uint32_t widthBits)
{
    auto broadcast = CollectiveHelper::MakeBroadcast("btin");
    broadcast->SetAttribute("Root", IntegerValue(root));
    broadcast->SetAttribute("WidthBits", UintegerValue(widthBits));
    return broadcast;
}

/// @return links between the source and each node that the tree joins, its edges and members'
/// cables
std::map<FabricGraph::Node, uint32_t>
Distances(const FabricGraph& graph, const BarrierTree& tree, FabricGraph::Node source)
{
    std::map<FabricGraph::Node, std::vector<FabricGraph::Node>> neighbours;
    const auto join = [&](auto a, auto b) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    };
    for (const auto& entry : tree.GetSwitches())
    {
        for (const auto port : entry.memberPorts)
        {
            join(entry.node, graph.Peer(entry.node, port).node);
        }
        if (!entry.IsRoot())
        {
            join(entry.node, entry.parent);
        }
    }
    std::map<FabricGraph::Node, uint32_t> distances{{source, 0}};
    for (std::queue<FabricGraph::Node> queue({source}); !queue.empty(); queue.pop())
    {
        for (const auto next : neighbours[queue.front()])
        {
            if (distances.emplace(next, distances[queue.front()] + 1).second)
            {
                queue.push(next);
            }
        }
    }
    return distances;
}

/// A fabric with collectives.
struct Cluster
{
    explicit Cluster(const FabricGraph& drawn, uint32_t registers = 16)
        : graph(drawn)
    {
        CollectiveHelper helper;
        helper.SetUnitAttribute("Registers", UintegerValue(registers));
        fabric = WormholeHelper().Install(graph);
        domain = helper.Install(fabric, graph);
    }

    FabricGraph graph;            ///< its graph
    Ptr<WormholeFabric> fabric;   ///< the fabric
    Ptr<CollectiveDomain> domain; ///< its collectives
};

} // namespace

/// Alone on a fabric, every member leaves exactly when the closed form says, and each link of the
/// tree is crossed once: any group and source, values of 1 to 64 bits, several rounds.
class LoneBroadcastTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(LoneBroadcastTestCase, "The closed form for every member, E + n links crossed");

    void DoRun() override;

    void Check(const Cluster& cluster, uint32_t n, Ptr<UniformRandomVariable> random);
};

void
LoneBroadcastTestCase::DoRun()
{
    StartAnew();
    auto random = MakeRandom(31);
    for (const auto& [switches, hosts] :
         {std::pair{1, 7}, {5, 16}, {12, 40}, {30, 64}, {75, 256}, {40, 50}})
    {
        const Cluster cluster(DrawFabric(switches, hosts, switches));
        const uint32_t step = hosts > 70 ? 17 : 1;
        for (uint32_t n = 1; n <= cluster.graph.GetNHosts(); n += n < 9 ? 1 : step)
        {
            Check(cluster, n, random);
        }
        Simulator::Destroy();
    }
}

void
LoneBroadcastTestCase::Check(const Cluster& cluster, uint32_t n, Ptr<UniformRandomVariable> random)
{
    const auto& graph = cluster.graph;
    const auto hosts = InvariantChecker::DrawHosts(n, graph.GetNHosts(), 1, random);
    const auto root = random->GetInteger(0, n - 1);
    const auto widthBits = random->GetInteger(1, 64);
    const auto where = std::to_string(graph.GetNSwitches()) + " switches, " + std::to_string(n) +
                       " members, root " + std::to_string(root);
    auto broadcast = MakeBroadcast(root, widthBits);
    CollectiveBench bench(broadcast, cluster.domain, hosts);
    const auto distances = Distances(graph, broadcast->GetTree(), graph.HostAt(hosts[root]));
    for (uint32_t round = 1; round <= 3; ++round)
    {
        std::vector<uint64_t> values(n, 0);
        values[root] = round % (uint64_t{1} << std::min<uint32_t>(widthBits, 2));
        bench.Cross({}, values);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const int64_t d = distances.at(graph.HostAt(hosts[rank]));
            // t_s + d (L tau + t_p) + (d + 1) t_r in ps; a flit is a byte of 6.25 ns.
            const int64_t time = n == 1   ? 0
                                 : d == 0 ? 2'000'000
                                          : 2'000'000 + d * (BytesOf(widthBits) * 6'250 + 20'000) +
                                                (d + 1) * 300'000;
            NS_TEST_ASSERT_MSG_EQ(bench.GetLeaves()[rank].GetPicoSeconds(),
                                  time,
                                  where << ": rank " << rank);
            NS_TEST_ASSERT_MSG_EQ(bench.GetResults()[rank], values[root], where);
        }
        const uint64_t links = n == 1 ? 0 : broadcast->GetTree().GetNEdges() + n;
        NS_TEST_ASSERT_MSG_EQ(bench.GetTraffic().messageHops, links, where);
        NS_TEST_ASSERT_MSG_EQ(bench.GetTraffic().flitHops, links * BytesOf(widthBits), where);
    }
    bench.Dissolve();
    broadcast->Dispose();
}

/// From the root host, a broadcast is the second half of a barrier, to the last picosecond.
SIMULATION_TEST_CASE(HalfBarrierTestCase, "Down the tree once: half of a barrier")
{
    for (int64_t stream = 1; stream <= 5; ++stream)
    {
        const Cluster cluster(DrawFabric(40, 130, stream));
        std::vector<uint32_t> hosts(100);
        std::iota(hosts.begin(), hosts.end(), stream);
        auto barrier = CollectiveHelper::MakeBarrier("btin");
        CollectiveBench up(barrier, cluster.domain, hosts);
        const auto both = up.Cross({}, {});
        auto broadcast = MakeBroadcast(-1, 1);
        CollectiveBench down(broadcast, cluster.domain, hosts);
        NS_TEST_EXPECT_MSG_EQ(down.Cross({}, {}) * 2, both, "latency");
        NS_TEST_EXPECT_MSG_EQ(down.GetTraffic().messageHops * 2,
                              up.GetTraffic().messageHops,
                              "links crossed");
        NS_TEST_EXPECT_MSG_EQ(down.GetSetup(), up.GetSetup(), "the same registers");
        Simulator::Destroy();
    }
}

/// Groups that overlap, from sources of all kinds, beside worms that fill the fabric: the same with
/// every scheduler.
class BusyBroadcastTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(BusyBroadcastTestCase,
                   "Beside traffic and other groups, rounds in a row, with any scheduler");

    /// Who left when: time, group, rank, value.
    using Leaves = std::set<std::tuple<int64_t, uint32_t, uint32_t, uint64_t>>;

    /// @return when members left; ends the simulation
    Leaves Run(const std::string& scheduler, uint32_t registers)
    {
        StartAnew();
        UseScheduler(scheduler);
        const Cluster cluster(DrawFabric(20, 64, 3), registers);
        auto random = MakeRandom(5);
        WormholeTrafficHelper helper;
        helper.SetAttribute("Load", DoubleValue(0.05));
        const auto traffic =
            helper.Install(cluster.fabric, cluster.graph, WormLength::Fixed(64), 40);
        traffic->Start();
        Simulator::Schedule(MicroSeconds(150), &WormholeTraffic::Stop, traffic);
        std::vector<Ptr<InSwitchBroadcast>> groups;
        std::vector<std::unique_ptr<InvariantChecker>> watches;
        uint64_t inMemory = 0;
        Leaves left;
        for (uint32_t i = 0; i < 8; ++i)
        {
            const auto n = random->GetInteger(2, 64);
            auto broadcast =
                DynamicCast<InSwitchBroadcast>(MakeBroadcast(random->GetInteger(0, n - 1), 32));
            broadcast->SetAttribute("Exhaustion", StringValue("memory"));
            watches.push_back(
                std::make_unique<InvariantChecker>(broadcast, 10, random, 20'000'000));
            Listen(broadcast, "Leave", [&left, i](uint32_t rank, uint64_t value) {
                left.emplace(Simulator::Now().GetPicoSeconds(), i, rank, value);
            });
            broadcast->Create(cluster.domain,
                              InvariantChecker::DrawHosts(n, cluster.graph.GetNHosts(), 1, random));
            inMemory += broadcast->GetInMemory().size();
            groups.push_back(broadcast);
        }
        NS_TEST_EXPECT_MSG_EQ((inMemory > 0), (registers == 2), "hosts keep registers");
        Simulator::Run();
        for (const auto& watch : watches)
        {
            NS_TEST_EXPECT_MSG_EQ(watch->GetTrouble(), "", "laws, " << registers << " registers");
        }
        for (const auto& group : groups)
        {
            group->Release();
        }
        Simulator::Run();
        for (uint32_t i = 0; i < cluster.graph.GetNSwitches(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(cluster.domain->GetUnit(i)->GetNFree(), registers, "released");
        }
        for (const auto& group : groups)
        {
            group->Dispose();
        }
        Simulator::Destroy();
        return left;
    }

    void DoRun() override
    {
        for (const uint32_t registers : {16, 2})
        {
            const auto expected = Run("Map", registers);
            for (const std::string scheduler : {"Heap", "Calendar", "Wormhole"})
            {
                NS_TEST_EXPECT_MSG_EQ((Run(scheduler, registers) == expected), true, scheduler);
            }
        }
    }
};

SIMULATION_TEST_CASE(InSwitchBroadcastRefusalsTestCase,
                     "What is refused: long messages, two members a host, full switches")
{
    const Cluster cluster(DrawFabric(6, 12), 1);
    const auto create = [&](const std::string& name, const std::vector<uint32_t>& hosts) {
        CollectiveHelper::MakeBroadcast(name)->Create(cluster.domain, hosts);
    };
    Refuses([&] { create("btin[MessageBytes=64]", {0, 1}); },
            "MessageBytes is 64, but in ns3::InSwitchBroadcast messages hold their fields");
    Refuses([&] { create("btin", {0, 1, 0}); },
            "is a member twice; a collective in the switches has one member of a host");
    Refuses([&] { create("btin[Root=2]", {0, 1}); }, "Root is 2; expected -1 and ranks");
    Refuses([&] { create("btin[Exhaustion=wait]", {0, 1}); }, "fail, memory or backup");
    auto all = MakeRange(cluster.graph.GetNHosts());
    auto first = MakeBroadcast(-1, 1);
    first->Create(cluster.domain, all);
    Refuses([&] { create("btin", all); }, "(InSwitchBroadcast::Exhaustion memory or backup)");
}

static ListedTestSuite g_wormholeInSwitchBroadcastTestSuite(
    "wormhole-in-switch-broadcast",
    {new LoneBroadcastTestCase,
     new HalfBarrierTestCase,
     new BusyBroadcastTestCase,
     new InSwitchBroadcastRefusalsTestCase});
