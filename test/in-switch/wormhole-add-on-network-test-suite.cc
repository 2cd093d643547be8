// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-add-on-network", UNIT);

namespace
{

Ptr<Collective>
MakeGroup(Ptr<CollectiveDomain> domain,
          const std::string& kind,
          const std::string& name,
          const std::string& operation,
          uint32_t widthBits,
          uint32_t members)
{
    auto collective = CollectiveHelper::MakeCollective(kind, name);
    SetAll(collective, Text("Operation=", operation, "|WidthBits=", widthBits, "|Root=0"));
    collective->Create(domain, MakeRange(members));
    return collective;
}

TEST_CASE(AddOnTimesTestCase, "Times of Table 1, from the last member that is waited for")
{
    // Has members come 1 us apart, the root last. expected: from the last one's coming to the last
    // leaving, ns; result: that of those who get one
    const auto check = [&](const std::string& kind,
                           const std::string& name,
                           const std::string& operation,
                           uint32_t widthBits,
                           int64_t expected,
                           uint64_t result) {
        constexpr uint32_t N = 32;
        auto domain = CollectiveHelper().InstallIdeal(N, Time(0));
        auto group = MakeGroup(domain, kind, name, operation, widthBits, N);
        Leavings leavings;
        leavings.Watch(group);
        for (uint32_t rank = 0; rank < N; ++rank)
        {
            const uint64_t value = widthBits == 1 ? 1 : 100 + rank;
            Simulator::Schedule(MicroSeconds(N - 1 - rank), &Collective::Enter, group, rank, value);
        }
        Simulator::Run();
        const auto what = kind + " " + name + " " + operation + " " + std::to_string(widthBits);
        NS_TEST_ASSERT_MSG_EQ(leavings.times.size(), N, what << ": all leave");
        const auto taken = leavings.times.back() - MicroSeconds(N - 1);
        NS_TEST_EXPECT_MSG_EQ(taken, NanoSeconds(expected), what << ": time");
        for (std::size_t i = 0; i < N; ++i)
        {
            const bool gets = group->GetsResult(leavings.ranks[i]);
            NS_TEST_EXPECT_MSG_EQ(leavings.results[i], (gets ? result : 0), what << ": result");
        }
        group->Dispose();
        domain->Dispose();
        Simulator::Destroy();
    };
    check("barrier", "hw-1", "AND", 1, 2600, 1);
    check("barrier", "hw-all", "AND", 1, 2600, 1);
    check("barrier", "hw-all", "ADD", 32, 2700, 32 * 100 + 31 * 32 / 2);
    check("barrier", "hw-all", "MIN", 16, 2700, 100);
    check("barrier", "hw-all", "MAX", 64, 3500, 131);
    check("barrier", "hw-all", "OR", 64, 3500, 0x64 | 0x7f | 0x80 | 0x83);
    check("reduction", "hw-all", "ADD", 32, 3200, 32 * 100 + 31 * 32 / 2);
    check("broadcast", "hw-all", "AND", 32, 2500, 100);
}

TEST_CASE(AddOnDelaysTestCase, "Stages, interfaces and partitions take what their attributes say")
{
    CollectiveHelper helper;
    helper.SetAddOnNetworkAttribute("StageDelay", StringValue("10ns"));
    helper.SetAddOnNetworkAttribute("PartitionTime", StringValue("7us"));
    for (const auto& [members, stages] :
         std::vector<std::pair<uint32_t, int64_t>>{{1, 0}, {2, 1}, {4, 1}, {5, 2}, {17, 3}})
    {
        auto domain = helper.InstallIdeal(members, Time(0));
        auto group = MakeGroup(domain, "barrier", "hw-1", "AND", 1, members);
        NS_TEST_EXPECT_MSG_EQ(group->IsReady(), false, "opening takes time");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(7), "time to open");
        NS_TEST_ASSERT_MSG_EQ(group->IsReady(), true, "open");
        Leavings leavings;
        leavings.Watch(group);
        EnterAll(*group);
        Simulator::Run();
        const auto wanted = NanoSeconds(7000 + 2600 + 20 * stages);
        NS_TEST_EXPECT_MSG_EQ(leavings.times.back(), wanted, members << " members");
        group->Dispose();
        domain->Dispose();
        Simulator::Destroy();
    }
    CollectiveHelper slow;
    slow.SetAddOnNetworkAttribute("InterfaceTime", StringValue("1.5us"));
    auto domain = slow.InstallIdeal(4, Time(0));
    Refuses([&] { MakeGroup(domain, "barrier", "hw-1", "AND", 1, 4); }, "Network::InterfaceTime");
    domain->Dispose();
}

TEST_CASE(AddOnProcessorTestCase, "A busy process hands over and fetches when it is through")
{
    auto domain = CollectiveHelper().InstallIdeal(3, Time(0));
    auto group = MakeGroup(domain, "broadcast", "hw-all", "AND", 32, 3);
    Leavings leavings;
    leavings.Watch(group);
    domain->GetSoftware(2)->Occupy(MicroSeconds(20));
    EnterAll(*group, [](uint32_t) { return 9; });
    Simulator::Run();
    const std::vector<Time> wanted{MicroSeconds(1), NanoSeconds(2500), MicroSeconds(21)};
    Same(leavings.times, wanted, "root: handed over; idle member; busy member");
    group->Dispose();
    domain->Dispose();
}

TEST_CASE(AddOnPartitionsTestCase, "Partitions are apart, limited, and come back")
{
    CollectiveHelper helper;
    helper.SetAddOnNetworkAttribute("Partitions", UintegerValue(3));
    auto domain = helper.InstallIdeal(8, Time(0));
    auto network = domain->GetAddOnNetwork("hw-all");
    std::vector<Ptr<Collective>> groups;
    std::vector<Leavings> leavings(3);
    for (uint32_t i = 0; i < 3; ++i)
    {
        groups.push_back(MakeGroup(domain, "barrier", "hw-all", "ADD", 32, 8));
        leavings[i].Watch(groups[i]);
    }
    NS_TEST_EXPECT_MSG_EQ(network->GetNFree(), 0, "all in use");
    Refuses([&] { MakeGroup(domain, "barrier", "hw-all", "ADD", 32, 8); },
            "no partition is left of the 3");
    auto other = MakeGroup(domain, "barrier", "hw-1", "AND", 1, 8); // another network
    other->Dispose();

    // Group 1 lacks a member, the others don't wait for it.
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            if (i != 1 || rank != 5)
            {
                groups[i]->Enter(rank, i + 1);
            }
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(leavings[0].ranks.size(), 8, "group 0 leaves");
    NS_TEST_EXPECT_MSG_EQ(leavings[1].ranks.size(), 0, "group 1 waits");
    NS_TEST_EXPECT_MSG_EQ(leavings[2].ranks.size(), 8, "group 2 leaves");
    NS_TEST_EXPECT_MSG_EQ(leavings[0].results[0], 8, "values of group 0 alone");
    NS_TEST_EXPECT_MSG_EQ(leavings[2].results[0], 24, "values of group 2 alone");
    Contains(domain->ExplainMissing(), "h5", "who");

    groups[0]->Release();
    NS_TEST_EXPECT_MSG_EQ(network->GetNFree(), 1, "one is back");
    groups[1]->Dispose();
    NS_TEST_EXPECT_MSG_EQ(network->GetNFree(), 2, "disposal gives back, too");
    auto again = MakeGroup(domain, "broadcast", "hw-all", "AND", 32, 8);
    NS_TEST_EXPECT_MSG_EQ(network->GetNFree(), 1, "and it is used again");
    again->Dispose();
    groups[0]->Dispose();
    groups[2]->Dispose();
    domain->Dispose();
}

TEST_CASE(AddOnRefusalsTestCase, "Refusals: operations, widths, hosts, settings, networks")
{
    CollectiveHelper helper;
    helper.SetAddOnNetworkAttribute("Ports", UintegerValue(4));
    auto domain = helper.InstallIdeal(8, Time(0));
    Refuses([&] { MakeGroup(domain, "barrier", "hw-1", "ADD", 1, 4); }, "hw-1 can't combine");
    Refuses([&] { MakeGroup(domain, "barrier", "hw-1", "AND", 2, 4); }, "of 2 bits");
    Refuses([&] { MakeGroup(domain, "barrier", "hw-all", "ADD", 8, 5); }, "4 is not connected");
    Refuses([&] { CollectiveHelper::MakeBroadcast("hw-1"); }, "there is no broadcast 'hw-1'");
    Refuses([&] { CollectiveHelper::MakeReduction("hw-1"); }, "there is no reduction 'hw-1'");
    Refuses([&] { CollectiveHelper::MakeBarrier("hw-all")->Create(domain, {0, 1, 1}); },
            "a member twice");
    Refuses([] { CreateObject<AddOnNetwork>()->SetAttribute("Setting", StringValue("hw-2")); },
            "it may be hw-1 or hw-all");
    auto network = domain->GetAddOnNetwork("hw-1");
    AddOnNetwork::Request request;
    request.hosts = {0, 1};
    request.service = AddOnNetwork::Service::BROADCAST;
    Refuses([&] { network->Open(0, request, AddOnNetwork::ResultCallback()); }, "no broadcasts");
    Refuses([] { CreateObject<CollectiveDomain>()->GetAddOnNetwork("hw-1"); },
            "there is no add-on network hw-1");
    domain->Dispose();
}

TEST_CASE(AddOnRootTestCase, "Within smp, the network's root is the group's root")
{
    const std::vector<uint32_t> hosts{0, 0, 1, 1, 2, 2};
    constexpr uint32_t ROOT = 3; // the second process of host 1
    for (const std::string kind : {"reduction", "broadcast"})
    {
        auto domain = CollectiveHelper().InstallIdeal(3, Time(0));
        const std::string name = "smp[Inner=hw-all|Operation=ADD|WidthBits=32|Root=3]";
        auto group = CollectiveHelper::MakeCollective(kind, name);
        group->Create(domain, hosts);
        Leavings leavings;
        leavings.Watch(group);
        EnterAll(*group, [](uint32_t rank) { return 10 + rank; });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(leavings.ranks.size(), hosts.size(), kind << ": all leave");
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const uint64_t sum = leavings.ranks[i] == ROOT ? 10 + 11 + 12 + 13 + 14 + 15 : 0;
            const auto wanted = kind == "reduction" ? sum : 10 + ROOT;
            NS_TEST_EXPECT_MSG_EQ(leavings.results[i], wanted, kind << " " << leavings.ranks[i]);
        }
        group->Dispose();
        domain->Dispose();
        Simulator::Destroy();
    }
}

TEST_CASE(AddOnProgramTestCase, "A program goes over to other hardware by names alone")
{
    // Processes that compute 20 us, reduce and meet, five times, on a fabric. Returns when they
    // are through
    const auto run = [&](const std::string& barrier, const std::string& allreduction) -> Time {
        constexpr uint32_t N = 16;
        auto domain = InstallDomain(MakeTopology("torus:4x4"));
        auto sum = CollectiveHelper::MakeCollective("allreduction", allreduction);
        SetAll(sum, "Operation=ADD|WidthBits=64");
        Leavings leavings;
        leavings.Watch(sum);
        CollectiveApplicationHelper program;
        program.SetAttribute("Repetitions", UintegerValue(5));
        program.AddComputation("ns3::ConstantRandomVariable[Constant=2e-5]");
        program.AddCollective(sum);
        program.AddCollective(CollectiveHelper::MakeBarrier(barrier));
        const auto processes = program.Install(domain, MakeRange(N));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(leavings.ranks.size(), 5 * N, allreduction << ": all through");
        const auto end = leavings.times.empty() ? Time(0) : leavings.times.back();
        domain->Dispose();
        Simulator::Destroy();
        return end;
    };
    const auto software = run("butterfly", "butterfly");
    const auto remote = run("pairwise[Transport=rdma]", "pairwise[Transport=rdma]");
    const auto inSwitch = run("btin", "btin");
    const auto addOn = run("hw-1", "hw-all");
    NS_TEST_EXPECT_MSG_LT(addOn, inSwitch, "two interfaces against two messages");
    NS_TEST_EXPECT_MSG_LT(inSwitch, software, "two messages against four steps");
    NS_TEST_EXPECT_MSG_LT(inSwitch, remote, "and against four writes");
    // The first all-reduction to the last, with four barriers and computations between.
    const auto wanted = MicroSeconds(100) + NanoSeconds(5 * 3500 + 4 * 2600);
    NS_TEST_EXPECT_MSG_EQ(addOn, wanted, "five times 20 us, 64 bits, and barriers between");
}

} // namespace
