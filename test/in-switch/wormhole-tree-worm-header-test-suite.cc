/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/boolean.h"
#include "ns3/collective-bench.h"
#include "ns3/collective-invariants.h"
#include "ns3/invariant-checker.h"
#include "ns3/tree-worm-header.h"

using namespace ns3;

namespace
{

/// @return a broadcast by a tree worm
Ptr<Broadcast>
MakeMulticast(const std::string& encoding)
{
    auto broadcast = CollectiveHelper::MakeBroadcast("multicast");
    broadcast->SetAttribute("HeaderEncoding", StringValue(encoding));
    return broadcast;
}

/// The tree worms of random groups on random fabrics are as long as the closed forms of their
/// headers: what flits cross in a broadcast, over what messages do, is the worm's length.
SIMULATION_TEST_CASE(HeaderLengthTestCase, "Length of tree worms by encoding of their headers")
{
    const auto rng = MakeRandom(31);
    for (uint32_t i = 0; i < 30; ++i)
    {
        const uint32_t hosts = rng->GetInteger(24, 70);
        const auto graph = DrawFabric(hosts / 3 + 1, hosts, i);
        auto domain = InstallDomain(graph);
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
            uint64_t wanted = 2; // type, group and value
            if (encoding == "addresses")
            {
                wanted += uint64_t{address} * (n - 1);
            }
            else if (encoding == "bit-string")
            {
                wanted += (hosts + 7) / 8;
            }
            else
            {
                // The worm enters each switch and each destination by one channel; switches
                // have 8 ports, a byte each.
                wanted += traffic.messageHops - (n - 1);
            }
            NS_TEST_ASSERT_MSG_EQ(traffic.flitHops,
                                  traffic.messageHops * wanted,
                                  encoding << ", case " << i << ", " << n << " members");
            bench.Dissolve();
            broadcast->Dispose();
        }
        Simulator::Destroy();
    }

    // By hand: five switches of 17 ports, three bytes each.
    FabricGraph graph(5, 2, 17);
    for (uint32_t s = 1; s < 5; ++s)
    {
        graph.Connect(s - 1, 1, s, 0);
    }
    graph.Connect(graph.HostAt(0), 0, 0, 2);
    graph.Connect(graph.HostAt(1), 0, 4, 2);
    TreeWormHeader header;
    header.encoding = TreeWormHeader::PATH_BASED;
    const auto route = WormRoute::Path({0, 1, 1, 1, 1, 2});
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
SIMULATION_TEST_CASE(RouterSetupTestCase,
                     "Set-up of routers: the closed form, laws, and what is refused")
{
    for (const int64_t n : {2, 3, 9}) // switches, in a line
    {
        const auto graph = MakeLine(static_cast<uint32_t>(n));
        auto domain = InstallDomain(graph);
        for (const int64_t flits : {1, 8, 40})
        {
            auto barrier = CollectiveHelper::MakeBarrier("multicast");
            barrier->SetAttribute("RouterSetup", BooleanValue(true));
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
        std::vector<uint32_t> members;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            graph.Connect(graph.HostAt(host), 0, host, 2);
            if (host > 0)
            {
                graph.Connect(host - 1, 1, host, 0);
            }
            members.push_back(host);
        }
        auto domain = CollectiveHelper().Install(WormholeHelper().Install(graph), graph);
        for (const std::string kind : {"barrier", "broadcast"})
        {
            auto collective = CollectiveHelper::MakeCollective(kind, "multicast");
            collective->SetAttribute("RouterSetup", BooleanValue(true));
            collective->SetAttribute("SetupSize", UintegerValue(8));
            CollectiveBench bench(collective, domain, members);
            NS_TEST_EXPECT_MSG_EQ(bench.GetSetup(),
                                  PicoSeconds(2'000'000 + 300'000 + 326'250 + 7 * 6'250),
                                  kind << " of " << hosts << " hosts: a message each");
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
    Refuses([] { MakeMulticast("morse"); }, "it may be addresses, bit-string or path-based");
    Refuses([] { TreeWormHeader::Parse("morse"); }, "expected addresses, bit-string or path-based");
    TreeWormHeader header;
    header.addressBytes = UINT32_MAX;
    Refuses([&] { header.GetBytesOnOneSwitch(9); }, "expected up to 1073741824");
}

/// Start-ups, and messages of the root's host, of the three schemes of Moh et al.
SIMULATION_TEST_CASE(StartUpsTestCase,
                     "Start-ups of a barrier: 2 (n - 1), n and n; at the root 2 (n - 1), n and 2")
{
    const auto rng = MakeRandom(32);
    const auto graph = DrawFabric(20, 64);
    auto domain = InstallDomain(graph);
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
            NS_TEST_EXPECT_MSG_EQ(after.first - before.first,
                                  (name == "unicast" ? unicast : n),
                                  name << ", start-ups of " << n);
            NS_TEST_EXPECT_MSG_EQ(after.second - before.second,
                                  (name == "btin" ? n : unicast),
                                  name << ", messages taken by " << n);
            NS_TEST_EXPECT_MSG_EQ(root->GetSends() + root->GetReceives() - atRoot,
                                  (name == "unicast"     ? unicast
                                   : name == "multicast" ? n
                                                         : 2),
                                  name << ", at the root of " << n);
            bench.Dissolve();
            barrier->Dispose();
        }
    }
}

/// Headers of tree worms, set-up of routers, start-ups.
static ListedTestSuite g_wormholeTreeWormHeaderTestSuite("wormhole-tree-worm-header",
                                                         {new HeaderLengthTestCase,
                                                          new RouterSetupTestCase,
                                                          new StartUpsTestCase});

} // namespace
