// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/names.h"
#include "ns3/text-tools.h"

using namespace ns3;

SUITE("wormhole-collective", UNIT);

namespace
{

Ptr<CollectiveDomain>
MakeBench(uint32_t registers)
{
    StartAnew();
    return InstallDomain(DrawFabric(24, 64), WithUnits({{"Registers", std::to_string(registers)}}));
}

/// Most that a member waits before it comes again, ps.
constexpr uint32_t LATEST = 20'000'000;

} // namespace

/// Nobody leaves before everybody came, everybody leaves, and results are right: every group size
/// from 1 to 40, late and repeated arrivals. For some algorithms at length, registers in memory
/// among them; all algorithms are held to these laws by the suite wormhole-collective-laws.
TEST_CASE_WITH(BarrierLawsTestCase,
               (const std::string& name, bool exhausted),
               "Laws of barriers: " + name + (exhausted ? ", registers in memory" : ""))
{
    auto rng = MakeRandom(5);
    constexpr uint32_t ROUNDS = 3;
    for (uint32_t n = 1; n <= 40; ++n)
    {
        const auto domain = MakeBench(exhausted ? 0 : 4);
        auto hosts = InvariantChecker::DrawHosts(n, domain->GetFabric()->GetNHosts(), 1, rng);
        auto barrier = CollectiveHelper::MakeBarrier(name + "[Operation=ADD|WidthBits=32" +
                                                     (exhausted ? "|Exhaustion=memory]" : "]"));
        if (n % 3 == 0) // whoever is named as the root, the laws hold
        {
            barrier->SetAttribute("Root", IntegerValue(n - 1));
        }
        InvariantChecker watch(barrier, ROUNDS, rng, LATEST);
        uint32_t nLeft = 0;
        bool isReleased = false;
        Listen(barrier, "Leave", [&](uint32_t, uint64_t) {
            if (++nLeft == n * ROUNDS) // not at once: this member is still on its way out
            {
                Simulator::ScheduleNow(&Barrier::Release, barrier);
            }
        });
        Listen(barrier, "Released", [&](Time) { isReleased = true; });
        barrier->Create(domain, hosts);
        if (n == 1)
        {
            // Ready fired within Create already, and with it everything else is scheduled.
            NS_TEST_ASSERT_MSG_EQ(barrier->IsReady(), true, "one member needs no set-up");
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(watch.GetTrouble(), "", "group of " << n);
        NS_TEST_ASSERT_MSG_EQ(isReleased, true, "not released, n " << n);
        NS_TEST_ASSERT_MSG_EQ(domain->GetFabric()->GetCounts().pendingDestinations, 0, "all gone");
        NS_TEST_ASSERT_MSG_EQ(CountHeld(*domain), 0, "register kept");
        barrier->Dispose();
        Simulator::Destroy();
    }
}

TEST_CASE(ConcurrentGroupsTestCase, "300 groups at once on switches with 4 registers")
{
    const auto domain = MakeBench(4);
    auto rng = MakeRandom(9);
    constexpr uint32_t GROUPS = 300;
    constexpr uint32_t ROUNDS = 2;
    std::vector<Ptr<InSwitchBarrier>> barriers;
    std::vector<std::unique_ptr<InvariantChecker>> watches;
    uint32_t inMemory = 0;
    while (barriers.size() < GROUPS)
    {
        const auto n = rng->GetInteger(2, 12);
        auto hosts = InvariantChecker::DrawHosts(n, domain->GetFabric()->GetNHosts(), 1, rng);
        auto barrier = DynamicCast<InSwitchBarrier>(CollectiveHelper::MakeBarrier(
            "btin[Operation=ADD|WidthBits=32|GroupIdBits=9|Exhaustion=memory]"));
        watches.push_back(std::make_unique<InvariantChecker>(barrier, ROUNDS, rng, LATEST));
        barrier->Create(domain, hosts);
        inMemory += !barrier->GetInMemory().empty();
        barriers.push_back(barrier);
    }
    NS_TEST_EXPECT_MSG_GT(inMemory, GROUPS / 2, "registers should have run out");
    const auto ids = ToSet(MadeOf(barriers, [](const auto& each) { return each->GetGroup(); }));
    NS_TEST_EXPECT_MSG_EQ(ids.size(), GROUPS, "identifiers are not unique");
    Simulator::Run();
    for (const auto& watch : watches)
    {
        NS_TEST_ASSERT_MSG_EQ(watch->GetTrouble(), "", "a group of many");
    }
    for (const auto& barrier : barriers)
    {
        barrier->Release();
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(CountHeld(*domain), 0, "register kept");

    // The identifiers are free again, and 256 groups fit eight bits.
    std::vector<Ptr<Barrier>> again;
    const auto error = ErrorOf([&] {
        for (uint32_t i = 0; i <= 256; ++i)
        {
            again.push_back(CollectiveHelper::MakeBarrier("unicast"));
            again.back()->Create(domain, {i % 64, (i + 1) % 64});
        }
    });
    NS_TEST_EXPECT_MSG_EQ(again.size(), 257, "256 groups should fit");
    NS_TEST_EXPECT_MSG_NE(error.find("all 256 group identifiers"), error.npos, error);
}

TEST_CASE(ReductionTestCase, "AND, OR, ADD, MIN and MAX in the switches")
{
    auto rng = MakeRandom(11);
    for (const auto& [name, operation, bits] :
         Combine<std::string, std::string, uint32_t>({"btin", "multicast", "unicast"},
                                                     {"AND", "OR", "ADD", "MIN", "MAX"},
                                                     {1, 6, 32, 64}))
    {
        const auto domain = MakeBench(4);
        auto hosts = InvariantChecker::DrawHosts(13, 64, 1, rng);
        std::vector<uint64_t> values;
        uint64_t wanted = operation == "AND" || operation == "MIN" ? UINT64_MAX : 0;
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const uint64_t high = rng->GetInteger(0, UINT32_MAX);
            const auto value = (high << 32 | rng->GetInteger(0, UINT32_MAX)) >> (64 - bits);
            wanted = operation == "AND"   ? wanted & value
                     : operation == "OR"  ? wanted | value
                     : operation == "ADD" ? wanted + value
                     : operation == "MIN" ? std::min(wanted, value)
                                          : std::max(wanted, value);
            values.push_back(value);
        }
        wanted = bits < 64 ? wanted % (uint64_t{1} << bits) : wanted;
        const auto text = Text(name, "[Operation=", operation, "|WidthBits=", bits, "]");
        const auto barrier = SetUp(CollectiveHelper::MakeBarrier(text), domain, hosts);
        Leavings leavings;
        leavings.Watch(barrier);
        EnterAll(*barrier, [&](uint32_t rank) { return values[rank]; });
        Simulator::Run();
        Same(leavings.results, std::vector<uint64_t>(13, wanted), text);
        barrier->Dispose();
        Simulator::Destroy();
    }
}

TEST_CASE(CollectiveMistakesTestCase, "Mistakes with groups are refused")
{
    const auto domain = MakeBench(0);
    const auto& graph = domain->GetGraph();
    const auto create = [&](const std::vector<uint32_t>& hosts) {
        return ErrorOf([&] { CollectiveHelper::MakeBarrier("btin")->Create(domain, hosts); });
    };
    Says(create({1, 64}), "member 64 is no host; hosts are 0 to 63");
    Says(create({1, 1}), "twice");
    Says(create({}), "member");
    Says(create({1, 2}), "no barrier register is left in s");
    for (int i = 0; i < 300; ++i)
    {
        // A group that could not be made leaves nothing behind, not even its identifier.
        Says(create({1, 2}), "group 0 of 2 members can't be made");
    }
    const auto known = WordList::WithCommas(CollectiveHelper::GetNames("barrier"));
    Refuses([] { CollectiveHelper::MakeBarrier("telepathy"); }, "there are " + known);
    Refuses([] { CollectiveHelper::MakeBarrier("ns3::SoftwareBarrier"); }, "there is no barrier");
    NS_TEST_EXPECT_MSG_NE(CollectiveHelper::MakeBarrier("ns3::UnicastBarrier"), nullptr, "");

    NS_TEST_EXPECT_MSG_EQ(graph.FindHost("h5"), 5, "hosts are numbered from 0");
    Refuses([&] { graph.FindHost("s5"); }, "'s5' is a switch");
    Refuses([&] { domain->GetUnit(24); }, "switch 24 has no collective unit; expected 0 to 23");
    Refuses([&] { graph.FindHost("anna"); }, "'anna' is no node");

    NodeContainer nodes;
    nodes.Add(domain->GetSoftware(7)->GetDevice()->GetNode());
    nodes.Add(domain->GetSoftware(0)->GetDevice()->GetNode());
    Names::Add("anna", nodes.Get(0));
    nodes.Add("anna");
    Same(CollectiveHelper::FindHosts(domain, nodes), {7, 0, 7}, "hosts by their nodes");
    nodes.Create(1);
    Names::Add("emil", nodes.Get(3));
    Refuses([&] { CollectiveHelper::FindHosts(domain, nodes); },
            "'emil', is no host of the fabric; expected nodes of its 64 hosts");

    auto barrier = CollectiveHelper::MakeBarrier("unicast");
    Refuses([&] { barrier->Enter(0); }, "not ready");
    barrier->Create(domain, {3, 5, 7});
    Refuses([&] { barrier->Create(domain, {3, 5}); }, "has a group already");
    Refuses([&] { barrier->Enter(3); }, "ranks are 0 to 2");
    Refuses([&] { barrier->Enter(0, 2); }, "more than 1 bits");
    barrier->Enter(0);
    Refuses([&] { barrier->Enter(0); }, "has not left");
    barrier->Enter(2);
    Simulator::Run();
    const auto group = "group " + std::to_string(barrier->GetGroup());
    Equals(barrier->ExplainMissing(),
           group + " waits for h5 (1 of 3 members)",
           "what it waits for");
    NS_TEST_EXPECT_MSG_EQ(domain->ExplainMissing(), barrier->ExplainMissing(), "the domain, too");
    Refuses([&] { barrier->Release(); }, "2 members are inside");
    barrier->Enter(1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(barrier->ExplainMissing(), "", "nobody is missing");
    barrier->Release();
    Refuses([&] { barrier->SetAttribute("Operation", StringValue("XOR")); },
            "Operation is 'XOR'; it may be AND, OR, ADD, MIN or MAX");

    // A group that is dropped frees its identifier, unless messages of it are on their way.
    auto idle = CollectiveHelper::MakeBarrier("unicast");
    idle->Create(domain, {3, 5});
    const auto id = idle->GetGroup();
    idle->Dispose();
    auto busy = CollectiveHelper::MakeBarrier("unicast");
    busy->Create(domain, {3, 5});
    NS_TEST_EXPECT_MSG_EQ(busy->GetGroup(), id, "given to the next");
    busy->Enter(0);
    busy->Enter(1);
    busy->Dispose();
    auto next = CollectiveHelper::MakeBarrier("unicast");
    next->Create(domain, {3, 5});
    NS_TEST_EXPECT_MSG_NE(next->GetGroup(), id, "kept");
    NS_TEST_EXPECT_MSG_EQ(domain->ExplainMissing(), "", "it waits for nobody");
    Refuses([] { Simulator::Run(); }, "does not exist (any more)");
}

/// Groups that are dropped where they call, by hosts that still use them; and what comes too late.
TEST_CASE_WITH(DroppedGroupTestCase,
               (const std::string& name),
               "Groups may be dropped by callbacks: " + name)
{
    for (const std::string where : {"Ready", "Leave", "callback"})
    {
        const auto domain = MakeBench(8);
        uint32_t nLeft = 0; // members that have left
        auto barrier = CollectiveHelper::MakeBarrier(name);
        Listen(barrier, "Ready", [&](Time) {
            if (where == "Ready")
            {
                barrier = nullptr;
                return;
            }
            EnterAll(*barrier);
        });
        Listen(barrier, "Leave", [&](uint32_t, uint64_t) {
            if (++nLeft == 4 && where == "Leave")
            {
                barrier = nullptr;
            }
        });
        const auto leave = [&](uint64_t) {
            if (nLeft == 4 && where == "callback")
            {
                barrier->Dispose();
                barrier = nullptr;
            }
        };
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            barrier->SetLeaveCallback(rank, CallbackOf(leave));
        }
        PeekPointer(barrier)->Create(domain, {0, 17, 42, 63});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(barrier, nullptr, where);
        NS_TEST_EXPECT_MSG_EQ(nLeft, (where == "Ready" ? 0 : 4), where);
        Simulator::Destroy();
    }

    const auto domain = MakeBench(8);
    const auto& graph = domain->GetGraph();
    const std::string ended = "but the simulation of the fabric has ended";
    auto late = CollectiveHelper::MakeBarrier(name);
    SetUp(late, domain, {0, 17});
    Refuses([&] { CollectiveHelper().Install(nullptr, graph); }, "collectives need a fabric");
    Refuses([&] { CollectiveHelper().Install(domain->GetFabric(), graph); },
            "has collectives already");
    Refuses([&] { CollectiveHelper::MakeBarrier(name)->Create(nullptr, {0}); },
            "a group without a domain");
    const auto other = WormholeHelper().Install(graph);
    Refuses([&] { CollectiveHelper().Install(other, FabricGraph(2, 4, 3)); },
            "the graph has 2 switches and 4 hosts, the fabric ");
    const auto makePair = [](FabricGraph::Port port) {
        FabricGraph made(2, 2, 4);
        made.Connect(0, 0, 2, 0);
        made.Connect(1, 0, 3, 0);
        made.Connect(0, 1, 1, port);
        return made;
    };
    const auto pair = WormholeHelper().Install(makePair(2));
    for (const auto port : {1, 3})
    {
        Refuses([&] { CollectiveHelper().Install(pair, makePair(port)); },
                "s0:1 has another cable in the graph than in the fabric; expected the graph that "
                "the fabric was installed with");
    }
    auto more = makePair(2);
    more.Connect(0, 3, 1, 3);
    Refuses([&] { CollectiveHelper().Install(pair, more); }, "s0:3 has another cable in the graph");
    const auto larger = WormholeHelper().Install(more);
    Refuses([&] { CollectiveHelper().Install(larger, makePair(2)); }, "s0:3 has another cable");
    Simulator::Destroy();
    Refuses([&] { late->Enter(0); }, ended);
    Refuses([&] { late->Release(); }, ended);
    Refuses([&] { CollectiveHelper::MakeBarrier(name)->Create(domain, {0, 1}); }, ended);
}

ADD_CASES()
{
    for (const std::string name : {"btin", "multicast", "unicast"})
    {
        AddQuick<BarrierLawsTestCase>(name, false);
    }
    AddQuick<BarrierLawsTestCase>("btin", true);
    AddQuickEach<DroppedGroupTestCase>(Words("btin unicast smp multicast hw-1"));
}
