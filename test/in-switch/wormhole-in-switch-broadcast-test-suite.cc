// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/tree-worm-header.h"

using namespace ns3;

SUITE("wormhole-in-switch-broadcast", UNIT);

namespace
{

/// Bytes of a message with a value of so many bits: 2 bits of type, 8 of group, 6 of data at least.
uint32_t
BytesOf(uint32_t widthBits)
{
    return (10 + std::max<uint32_t>(6, widthBits) + 7) / 8;
}

/// @return a broadcast in the switches @param root rank of its source; -1: the tree's root host
Ptr<Broadcast>
MakeBroadcast(int64_t root, uint32_t widthBits)
{
    return CollectiveHelper::MakeBroadcast(Text("btin[Root=", root, "|WidthBits=", widthBits, "]"));
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
    return CountStepsFrom(source, [&](auto node) { return neighbours[node]; });
}

/// Alone on a fabric, every member leaves exactly when the closed form says, and each link of the
/// tree is crossed once: any group and source, values of 1 to 64 bits, several rounds.
TEST_CASE(LoneBroadcastTestCase, "The closed form for every member, E + n links crossed")
{
    StartAnew();
    auto random = MakeRandom(31);
    const auto check = [&](const Ptr<CollectiveDomain>& domain, uint32_t n) {
        const auto& graph = domain->GetGraph();
        const auto hosts = InvariantChecker::DrawHosts(n, graph.GetNHosts(), 1, random);
        const auto root = random->GetInteger(0, n - 1);
        const auto widthBits = random->GetInteger(1, 64);
        const auto where = Text(graph.GetNSwitches(), " switches, ", n, " members, root ", root);
        auto broadcast = MakeBroadcast(root, widthBits);
        CollectiveBench bench(broadcast, domain, hosts);
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
                const int64_t flight =
                    d * (BytesOf(widthBits) * 6'250 + 20'000) + (d + 1) * 300'000;
                const int64_t time = n == 1 ? 0 : 2'000'000 + (d == 0 ? 0 : flight);
                NS_TEST_ASSERT_MSG_EQ(bench.GetLeaves()[rank].GetPicoSeconds(), time, where);
                NS_TEST_ASSERT_MSG_EQ(bench.GetResults()[rank], values[root], where);
            }
            const uint64_t links = n == 1 ? 0 : broadcast->GetTree().GetNEdges() + n;
            NS_TEST_ASSERT_MSG_EQ(bench.GetTraffic().messageHops, links, where);
            NS_TEST_ASSERT_MSG_EQ(bench.GetTraffic().flitHops, links * BytesOf(widthBits), where);
        }
        bench.Dissolve();
        broadcast->Dispose();
    };
    for (const auto& [switches, hosts] :
         {std::pair{1, 7}, {5, 16}, {12, 40}, {30, 64}, {75, 256}, {40, 50}})
    {
        const auto domain = InstallDomain(DrawFabric(switches, hosts, switches));
        for (uint32_t n = 1; n <= domain->GetNHosts(); n += n < 9 || hosts <= 70 ? 1 : 17)
        {
            check(domain, n);
        }
        Simulator::Destroy();
    }
}

TEST_CASE(HalfBarrierTestCase, "Down the tree once: half of a barrier")
{
    for (int64_t stream = 1; stream <= 5; ++stream)
    {
        const auto domain = InstallDomain(DrawFabric(40, 130, stream));
        std::vector<uint32_t> hosts(100);
        std::iota(hosts.begin(), hosts.end(), stream);
        CollectiveBench up(CollectiveHelper::MakeBarrier("btin"), domain, hosts);
        const auto both = up.Cross({}, {});
        CollectiveBench down(MakeBroadcast(-1, 1), domain, hosts);
        NS_TEST_EXPECT_MSG_EQ(down.Cross({}, {}) * 2, both, "latency");
        const auto hops = up.GetTraffic().messageHops;
        NS_TEST_EXPECT_MSG_EQ(down.GetTraffic().messageHops * 2, hops, "links crossed");
        NS_TEST_EXPECT_MSG_EQ(down.GetSetup(), up.GetSetup(), "the same registers");
        Simulator::Destroy();
    }
}

TEST_CASE(BusyBroadcastTestCase,
          "Beside traffic and other groups, rounds in a row, with any scheduler")
{
    /// Who left when: time, group, rank, value.
    using Leaves = std::set<std::tuple<int64_t, uint32_t, uint32_t, uint64_t>>;
    const auto run = [&](const std::string& scheduler, uint32_t registers) -> Leaves {
        StartAnew();
        UseScheduler(scheduler);
        const auto domain = InstallDomain(DrawFabric(20, 64, 3),
                                          WithUnits({{"Registers", std::to_string(registers)}}));
        auto random = MakeRandom(5);
        StartTraffic(domain->GetFabric(), domain->GetGraph(), 0.05, "64", MicroSeconds(150), 40);
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
            broadcast->Create(domain, InvariantChecker::DrawHosts(n, 64, 1, random));
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
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, "released");
        for (const auto& group : groups)
        {
            group->Dispose();
        }
        return left;
    };
    for (const uint32_t registers : {16, 2})
    {
        const auto expected = run("Map", registers);
        for (const std::string scheduler : {"Heap", "Calendar", "Wormhole"})
        {
            NS_TEST_EXPECT_MSG_EQ((run(scheduler, registers) == expected), true, scheduler);
        }
    }
}

TEST_CASE(InSwitchBroadcastRefusalsTestCase,
          "What is refused: long messages, two members a host, full switches")
{
    const auto domain = InstallDomain(DrawFabric(6, 12), WithUnits({{"Registers", "1"}}));
    const auto create = [&](const std::string& name, const std::vector<uint32_t>& hosts) {
        CollectiveHelper::MakeBroadcast(name)->Create(domain, hosts);
    };
    Refuses([&] { create("btin[MessageBytes=64]", {0, 1}); },
            "MessageBytes is 64, but in ns3::InSwitchBroadcast messages hold their fields");
    Refuses([&] { create("btin", {0, 1, 0}); },
            "is a member twice; a collective in the switches takes one member per host");
    Refuses([&] { create("btin[Root=2]", {0, 1}); }, "Root is 2; expected -1 and ranks");
    Refuses([&] { create("btin[Exhaustion=wait]", {0, 1}); }, "fail, memory or backup");
    const auto all = MakeRange(12);
    auto first = MakeBroadcast(-1, 1);
    first->Create(domain, all);
    Refuses([&] { create("btin", all); }, "(InSwitchBroadcast::Exhaustion memory or backup)");
}

SUITE("wormhole-tree-worm-header", UNIT);

Ptr<Broadcast>
MakeMulticast(const std::string& encoding)
{
    return CollectiveHelper::MakeBroadcast("multicast[HeaderEncoding=" + encoding + "]");
}

/// The tree worms of random groups on random fabrics are as long as the closed forms of their
/// headers: what flits cross in a broadcast, over what messages do, is the worm's length.
TEST_CASE(HeaderLengthTestCase, "Length of tree worms by encoding of their headers")
{
    const auto rng = MakeRandom(31);
    for (uint32_t i = 0; i < 30; ++i)
    {
        const uint32_t hosts = rng->GetInteger(24, 70);
        auto domain = InstallDomain(DrawFabric(hosts / 3 + 1, hosts, i));
        const uint32_t n = rng->GetInteger(2, hosts);
        const auto members = InvariantChecker::DrawHosts(n, hosts, 1, rng);
        const uint32_t address = rng->GetInteger(0, 9);
        for (const auto& encoding : TreeWormHeader::GetNames())
        {
            auto broadcast = MakeMulticast(encoding);
            broadcast->SetAttribute("AddressSize", UintegerValue(address));
            CollectiveBench bench(broadcast, domain, members);
            bench.Cross({}, {});
            const auto& traffic = bench.GetTraffic();
            // The worm enters each switch and each destination by one channel; switches have 8
            // ports, a byte each. Besides, there are type, group and value.
            const uint64_t header = encoding == "addresses"    ? address * (n - 1)
                                    : encoding == "bit-string" ? (hosts + 7) / 8
                                                               : traffic.messageHops - (n - 1);
            const auto what = Text(encoding, ", case ", i, ", ", n, " members");
            NS_TEST_ASSERT_MSG_EQ(traffic.flitHops, traffic.messageHops * (2 + header), what);
            bench.Dissolve();
            broadcast->Dispose();
        }
        Simulator::Destroy();
    }

    // By hand: five switches of 17 ports, three bytes each.
    const auto graph = MakeLine(5, 14);
    TreeWormHeader header;
    header.encoding = TreeWormHeader::PATH_BASED;
    const auto route = WormRoute::Path({0, 15, 15, 15, 15, 16});
    NS_TEST_EXPECT_MSG_EQ(header.GetBytes(graph, graph.HostAt(0), route), 15, "3 each");
    NS_TEST_EXPECT_MSG_EQ(header.GetBytesOnOneSwitch(17), 3, "17 bits");
    header.encoding = TreeWormHeader::BIT_STRING;
    NS_TEST_EXPECT_MSG_EQ(header.GetBytes(graph, graph.HostAt(0), route), 1, "two hosts");
    header.encoding = TreeWormHeader::ADDRESSES;
    NS_TEST_EXPECT_MSG_EQ(header.GetBytes(graph, graph.HostAt(0), route), 2, "one address");
}

/// Setting up routers takes what messages of the member take that sends most, one start-up after
/// the other: in a line with members at its ends the root sets up all switches but the last; where
/// all switches have members, each has one message.
TEST_CASE(RouterSetupTestCase, "Set-up of routers: the closed form, laws, and what is refused")
{
    for (const int64_t n : {2, 3, 9}) // switches, in a line
    {
        auto domain = InstallDomain(MakeLine(static_cast<uint32_t>(n)));
        for (const int64_t flits : {1, 8, 40})
        {
            auto barrier = CollectiveHelper::MakeBarrier("multicast[RouterSetup=true]");
            barrier->SetAttribute("SetupSize", UintegerValue(flits));
            CollectiveBench bench(barrier, domain, {0, 1});
            // t_s 2 us, an interface and each switch 300 ns, cables 20 ns, flits 6.25 ns
            const auto by = n - 1;
            const auto wanted = by * 2'000'000 + 300'000 + by * 326'250 + (flits - 1) * 6'250;
            NS_TEST_EXPECT_MSG_EQ(bench.GetSetup(), PicoSeconds(wanted), n << " switches");
            bench.Cross({}, {});
            NS_TEST_EXPECT_MSG_EQ(bench.Dissolve(), PicoSeconds(wanted), "freed likewise");
            barrier->Dispose();
        }
        Simulator::Destroy();
    }
    for (const uint32_t hosts : {5, 30})
    {
        FabricGraph graph(hosts, hosts, 3); // a line with a host at each switch
        for (uint32_t host = 0; host < hosts; ++host)
        {
            graph.Connect(graph.HostAt(host), 0, host, 2);
            if (host > 0)
            {
                graph.Connect(host - 1, 1, host, 0);
            }
        }
        auto domain = InstallDomain(graph);
        for (const std::string kind : {"barrier", "broadcast"})
        {
            auto collective =
                CollectiveHelper::MakeCollective(kind, "multicast[RouterSetup=true|SetupSize=8]");
            CollectiveBench bench(collective, domain, MakeRange(hosts));
            const auto wanted = PicoSeconds(2'000'000 + 300'000 + 326'250 + 7 * 6'250);
            NS_TEST_EXPECT_MSG_EQ(bench.GetSetup(), wanted, kind << " of " << hosts << " hosts");
            bench.Cross({}, {});
            bench.Dissolve();
            collective->Dispose();
        }
        Simulator::Destroy();
    }
    for (const std::string name : {"multicast[HeaderEncoding=bit-string]",
                                   "multicast[HeaderEncoding=path-based|RouterSetup=true]"})
    {
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check("barrier", name, 20), "", name);
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check("broadcast", name, 20), "", name);
    }
    Refuses([] { MakeMulticast("morse"); }, "expected addresses, bit-string or path-based");
    Refuses([] { TreeWormHeader::Parse("morse"); }, "expected addresses, bit-string or path-based");
    TreeWormHeader header;
    header.addressBytes = UINT32_MAX;
    Refuses([&] { header.GetBytesOnOneSwitch(9); }, "expected up to 1073741824");
}

TEST_CASE(StartUpsTestCase,
          "Start-ups of a barrier: 2 (n - 1), n and n; at the root 2 (n - 1), n and 2")
{
    const auto rng = MakeRandom(32);
    auto domain = InstallDomain(DrawFabric(20, 64));
    const auto count = [&] {
        uint64_t sends = 0;
        uint64_t receives = 0;
        for (uint32_t host = 0; host < 64; ++host)
        {
            sends += domain->GetSoftware(host)->GetSends();
            receives += domain->GetSoftware(host)->GetReceives();
        }
        return std::make_pair(sends, receives);
    };
    for (const uint32_t n : {2, 3, 17, 64})
    {
        const auto members = InvariantChecker::DrawHosts(n, 64, 1, rng);
        for (const std::string name : {"unicast", "multicast", "btin"})
        {
            auto barrier = CollectiveHelper::MakeBarrier(name);
            CollectiveBench bench(barrier, domain, members);
            const auto root = domain->GetSoftware(barrier->GetHost(barrier->GetRoot()));
            const auto before = count();
            const auto atRoot = root->GetSends() + root->GetReceives();
            bench.Cross({}, {});
            const auto after = count();
            const uint64_t unicast = 2 * (n - 1);
            const std::map<std::string, std::vector<uint64_t>> wanted{
                {"unicast", {unicast, unicast, unicast}},
                {"multicast", {n, unicast, n}},
                {"btin", {n, n, 2}}};
            // Start-ups, messages taken, and both at the root.
            const std::vector<uint64_t> found{after.first - before.first,
                                              after.second - before.second,
                                              root->GetSends() + root->GetReceives() - atRoot};
            Same(found, wanted.at(name), name + " of " + std::to_string(n));
            bench.Dissolve();
            barrier->Dispose();
        }
    }
}

} // namespace
