// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-group-setup", UNIT);

namespace
{

/// Times of a fabric, and what lone worms take by its rules S1 to S7, ps.
struct LoneTimes
{
    int64_t startUp{0};   ///< t_s
    int64_t flit{0};      ///< tau
    int64_t cable{0};     ///< p
    int64_t router{0};    ///< t_r of a switch
    int64_t interface{0}; ///< t_r of an interface
    int64_t memory{0};    ///< what a host's memory takes

    explicit LoneTimes(Ptr<UniformRandomVariable> rng)
        : startUp(rng->GetInteger(6'000'000, 9'000'000)),
          flit(rng->GetInteger(100, 10'000)),
          cable(rng->GetInteger(1'000, 90'000)),
          router(rng->GetInteger(1'000, 500'000)),
          interface(rng->GetInteger(1'000, 500'000)),
          memory(rng->GetInteger(0, 5'000'000))
    {
    }

    /// @return from an interface until it is whole in a switch
    int64_t ToSwitch(int64_t links, int64_t flits) const
    {
        return interface + links * (flit + cable + router) + (flits - 1) * flit;
    }

    /// @return from a switch until the next has it whole
    int64_t Between(int64_t flits) const
    {
        return ToSwitch(1, flits) - interface;
    }

    int64_t ToHost(int64_t links, int64_t flits) const
    {
        return links * (flit + cable) + (links - 1) * router + (flits - 1) * flit + interface;
    }

    int64_t HostToHost(int64_t links, int64_t flits) const
    {
        return interface + ToHost(links, flits);
    }

    /// @param hasOutages whether parts of the fabric may go down
    Ptr<CollectiveDomain> Install(const FabricGraph& graph,
                                  uint32_t registers,
                                  bool hasOutages = false) const
    {
        Simulator::Destroy();
        auto collectives = WithSoftware({{"StartUp", InPs(startUp)}});
        collectives.SetUnitAttribute("Registers", UintegerValue(registers));
        auto fabrics = WithTimes(flit, cable, router, interface, 1000);
        fabrics.SetFabricAttribute("Outages", BooleanValue(hasOutages));
        return InstallDomain(graph, collectives, fabrics);
    }
};

/// @param memory its MemoryTime, ps
Ptr<InSwitchBarrier>
MakeInSwitch(const std::string& policy, int64_t memory = 1'000'000)
{
    auto barrier = DynamicCast<InSwitchBarrier>(CollectiveHelper::MakeBarrier("btin"));
    SetAll(barrier, "MemoryTime=" + InPs(memory) + "|Exhaustion=" + policy);
    return barrier;
}

/// Two members at the ends of a line: announcement, computing and set-up take what their worms take
/// when they are alone, each host doing one thing after the other.
TEST_CASE(SetupTimeTestCase, "Set-up time is the closed form on a lone fabric")
{
    const auto rng = MakeRandom(21);
    for (uint32_t i = 0; i < 40; ++i)
    {
        const LoneTimes times(rng);
        const int64_t n = rng->GetInteger(2, 9); // switches
        auto domain = times.Install(MakeLine(static_cast<uint32_t>(n)), 16);
        auto barrier = MakeInSwitch("fail");
        const bool announces = i % 4 > 0;
        const bool computes = i % 2 > 0;
        const int64_t setupFlits = rng->GetInteger(1, 20);
        const int64_t memberSize = rng->GetInteger(0, 50);
        const int64_t cableSize = rng->GetInteger(0, 50);
        const int64_t perSwitch = computes ? rng->GetInteger(0, 100'000) : 0;
        const int64_t perMember = computes ? rng->GetInteger(0, 900'000) : 0;
        SetAll(barrier, Text("SetupSize=", setupFlits, "|MemberSize=", memberSize));
        SetAll(barrier, Text("CableSize=", cableSize, "|SearchTimePerSwitch=", InPs(perSwitch)));
        SetAll(barrier, "SearchTimePerMember=" + InPs(perMember));
        if (announces)
        {
            barrier->SetAttribute("Announcement", StringValue("tree[Tree=sequential]"));
        }
        CollectiveBench bench(barrier, domain, {0, 1});

        // Two member switches: a search from each, over all switches.
        const auto search = 2 * n * perSwitch + 2 * perMember;
        // 2 bits of type, 16 of the group and 6 of data are three bytes.
        const auto bytes = 3 + 2 * memberSize + (n - 1) * cableSize;
        const auto told = announces ? times.startUp : 0;
        const auto knows = told + (announces ? times.HostToHost(n + 1, bytes) : 0);
        // The root's host writes its own switch and all but the last, the other that one.
        const auto first =
            told + search + (n - 1) * times.startUp + times.ToSwitch(n - 1, setupFlits);
        const auto second = knows + search + times.startUp + times.ToSwitch(1, setupFlits);
        const auto wanted = PicoSeconds(std::max(first, second));
        NS_TEST_ASSERT_MSG_EQ(bench.GetSetup(), wanted, "case " << i << ", " << n << " switches");
        NS_TEST_EXPECT_MSG_EQ(barrier->GetComputeTime(), PicoSeconds(search), "case " << i);
        bench.Cross({}, {});
        bench.Dissolve();
    }
}

/// The same with requests: each host begins all of its requests, then takes the answers as they
/// come.
TEST_CASE(RequestTimeTestCase, "Set-up time with requests is the closed form on a lone fabric")
{
    const auto rng = MakeRandom(28);
    for (uint32_t i = 0; i < 40; ++i)
    {
        const LoneTimes times(rng);
        const auto n = i < 10 ? 1 + i % 2 * 2 : rng->GetInteger(2, 9); // switches
        const auto flits = int64_t{rng->GetInteger(1, 20)};
        const auto receive = int64_t{rng->GetInteger(0, 5'000'000)};
        const auto domain = times.Install(n == 1 ? MakeStar(2) : MakeLine(n), 1);
        for (const uint32_t host : {0, 1})
        {
            domain->GetSoftware(host)->SetAttribute("ReceiveOverhead", StringValue(InPs(receive)));
        }
        const auto barrier =
            CollectiveHelper::MakeBarrier(Text("btin[Requests=true|SetupSize=", flits, "]"));
        uint32_t nGranted = 0;
        Listen(barrier, "Answered", [&](uint32_t, bool granted) { nGranted += granted; });
        CollectiveBench bench(barrier, domain, {0, 1});

        // The root's host writes all but the last one, the other that one.
        const auto first = std::max(n - 1, 1U);
        auto wanted = first * times.startUp;
        for (int64_t links = 1; links <= first; ++links)
        {
            const auto asked = links * times.startUp + times.ToSwitch(links, flits);
            wanted = std::max(wanted, asked + times.ToHost(links, flits)) + receive;
        }
        NS_TEST_ASSERT_MSG_EQ(bench.GetSetup(), PicoSeconds(wanted), n << " switches, case " << i);
        NS_TEST_EXPECT_MSG_EQ(nGranted, n, "all");
        bench.Cross({}, {});
        bench.Dissolve();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, "released");
    }
}

/// Two members in a round, one of which dies, while a third and a fourth host want the register.
TEST_CASE(LeaseTestCase, "A dead host's register comes free after its lease, for who waits for it")
{
    const auto rng = MakeRandom(30);
    for (uint32_t i = 0; i < 20; ++i)
    {
        const LoneTimes times(rng);
        const auto domain = times.Install(MakeStar(4), 1, true);
        const auto unit = domain->GetUnit(0);
        unit->SetAttribute("Lease", StringValue("200us"));
        std::vector<Time> expired;
        Listen(unit, "Expired", [&](uint16_t) { expired.push_back(Simulator::Now()); });
        const std::string name =
            "btin[Requests=true|KeepAliveInterval=50us|RetryInterval=10us|MaxRetries=200]";
        const auto first = SetUp(CollectiveHelper::MakeBarrier(name), domain, {0, 1});
        RunFor(MilliSeconds(5)); // at rest it stays, although nothing is sent
        first->Enter(1);
        const auto last = Simulator::Now() + MicroSeconds(50 * rng->GetInteger(1, 20));
        const auto fabric = domain->GetFabric();
        fabric->ScheduleOutage({fabric->GetHost(0), last + MicroSeconds(25)});
        const auto second = CollectiveHelper::MakeBarrier(name);
        Time ready;
        Listen(second, "Ready", [&](Time) { ready = Simulator::Now(); });
        second->Create(domain, {2, 3});
        Simulator::Run();
        const auto end = last + PicoSeconds(times.ToSwitch(1, 8)) + MicroSeconds(200);
        Same(expired, {end}, Text("case ", i));
        // It asks 10 to 80 us after a refusal, with a start-up of up to 9 us.
        NS_TEST_EXPECT_MSG_GT(ready, end, "case " << i);
        NS_TEST_EXPECT_MSG_LT(ready, end + MicroSeconds(95), "case " << i);
        first->Dispose();
        second->Release();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, "case " << i);
    }
}

TEST_CASE(RestTestCase, "A group at rest keeps its register, and simulations end")
{
    const auto domain = LoneTimes(MakeRandom(31)).Install(MakeStar(4), 1, true);
    const auto unit = domain->GetUnit(0);
    unit->SetAttribute("Lease", StringValue("200us"));
    const auto lives = CollectiveHelper::MakeBarrier("btin[KeepAliveInterval=50us]");
    SetUp(lives, domain, {0, 1})->Enter(1);
    Simulator::Run(); // which ends, although the other one never comes
    RunFor(MilliSeconds(5));
    lives->Enter(0);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(lives->HasMembersInside(), false, "all leave");
    RunFor(MilliSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(unit->GetNFree(), 0, "its hosts live");
    const auto fabric = domain->GetFabric();
    fabric->ScheduleOutage({fabric->GetHost(0), Simulator::Now() + MicroSeconds(1)});
    RunFor(MilliSeconds(1));
    // Whoever wants the register finds that a host is dead. Nobody keeps it alive then.
    const auto other = SetUp(MakeInSwitch("fail"), domain, {2, 3});
    NS_TEST_EXPECT_MSG_EQ(unit->GetNFree(), 1, "its lease has ended, too");
    EnterAll(*other);
    Refuses([] { Simulator::Run(); }, "switch s0 has lost what it held of the group");
}

/// What a change is to do to a register: all ports, or -1 and none where there is no register.
using RegisterPorts = std::map<GraphNode, std::pair<int, std::set<Port>>>;

RegisterPorts
ListRegisters(const BarrierTree& tree, const FabricGraph& graph)
{
    RegisterPorts registers;
    for (const auto& entry : tree.GetSwitches())
    {
        const auto ports = entry.GetPorts();
        const auto top = graph.SwitchOf(tree.GetRootHost()).port;
        registers[entry.node] = {entry.IsRoot() ? top : entry.parentPort,
                                 {ports.begin(), ports.end()}};
    }
    return registers;
}

TEST_CASE(MendTimeTestCase, "A change writes the registers that differ, in the closed form's time")
{
    const auto rng = MakeRandom(23);
    uint32_t nAlone = 0;
    uint32_t nKept = 0;
    for (uint32_t i = 0; i < 300; ++i)
    {
        const LoneTimes times(rng);
        const auto graph = DrawFabric(12, 12, i);
        const auto domain = times.Install(graph, 16);
        const auto barrier = MakeInSwitch("fail");
        auto hosts = InvariantChecker::DrawHosts(8, 12, 1, rng);
        const auto joining = hosts.back();
        hosts.pop_back();
        CollectiveBench bench(barrier, domain, hosts);
        bench.Cross({}, {});
        const auto former = std::make_unique<BarrierTree>(barrier->GetTree());
        const auto before = ListRegisters(*former, graph);
        const auto isJoin = i % 2 == 0;
        const auto spent = isJoin ? bench.Change({joining}, {}) : bench.Change({}, {i / 2 % 7});
        const auto after = ListRegisters(barrier->GetTree(), graph);

        std::map<uint32_t, int64_t> sent; // by host
        int64_t last = 0;
        uint32_t nChanged = 0;
        const auto change = [&](GraphNode installer, GraphNode node) {
            ++nChanged;
            const auto members = barrier->GetHosts();
            auto host = installer - graph.GetNSwitches();
            if (!IsIn(members, host))
            {
                host = barrier->GetTree().GetRootHost() - graph.GetNSwitches();
            }
            const auto links = domain->GetRouteToSwitch(host, node)->GetNChannels();
            const auto start = times.startUp * ++sent[host];
            last = std::max(last, start + times.ToSwitch(static_cast<int64_t>(links), 8));
        };
        for (const auto& entry : former->GetSwitches())
        {
            if (after.count(entry.node) == 0)
            {
                change(entry.installer, entry.node);
            }
        }
        for (const auto& entry : barrier->GetTree().GetSwitches())
        {
            const auto found = before.find(entry.node);
            if (found == before.end() || found->second != after.at(entry.node))
            {
                change(entry.installer, entry.node);
            }
            else
            {
                ++nKept;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(barrier->GetNRegisterChanges(), nChanged, "case " << i);
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), after.size(), "case " << i);
        const bool isAlone = sent.size() == 1;
        nAlone += isAlone;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(spent, PicoSeconds(last), "case " << i);
        NS_TEST_EXPECT_MSG_EQ((isAlone && spent > PicoSeconds(last)), false, "case " << i);
        bench.Cross({}, {});
        bench.Dissolve();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, "case " << i);
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_GT(nAlone, 20, "one host sends all messages");
    NS_TEST_EXPECT_MSG_GT(nKept, 500, "registers stay as they are");
}

/// @return what the registers of a group hold, those of switches that have one
RegisterPorts
ReadRegisters(const CollectiveDomain& domain, const Collective& group)
{
    RegisterPorts registers;
    for (GraphNode node = 0; node < domain.GetGraph().GetNSwitches(); ++node)
    {
        if (const auto reg = domain.GetUnit(node)->Find(group.GetGroup()))
        {
            const auto ports = reg->GetChildren();
            registers[node] = {reg->GetParent(), {ports.begin(), ports.end()}};
        }
    }
    return registers;
}

TEST_CASE(MovedTreeTestCase, "A moved group is as one made with that tree, while another goes on")
{
    const auto rng = MakeRandom(29);
    uint32_t nKept = 0;
    uint32_t nMoved = 0;
    for (uint32_t i = 0; i < 100; ++i)
    {
        const LoneTimes times(rng);
        const auto graph = DrawFabric(12, 12, i);
        const auto hosts = InvariantChecker::DrawHosts(6, 12, 1, rng);
        const auto target = hosts[rng->GetInteger(0, 5)];
        auto domain = times.Install(graph, 16);
        const auto made = MakeInSwitch("fail");
        made->SetAttribute("TreeRoot", IntegerValue(target));
        CollectiveBench reference(made, domain, hosts);
        const auto lone = reference.Cross({}, {});
        const auto wanted = ReadRegisters(*domain, *made);
        reference.Dissolve();

        domain = times.Install(graph, 16);
        const auto barrier = MakeInSwitch("fail");
        CollectiveBench bench(barrier, domain, hosts);
        const auto before = ReadRegisters(*domain, *barrier);
        const auto other = MakeInSwitch("fail");
        SetUp(other, domain, InvariantChecker::DrawHosts(4, 12, 1, rng));
        uint32_t nLeft = 0;
        Listen(other, "Leave", [&, other](uint32_t rank, uint64_t) {
            ++nLeft;
            if (other->GetRound(rank) < 20)
            {
                Simulator::ScheduleNow(&Collective::Enter, other, rank, 0);
            }
        });
        const auto enter = [](const Ptr<Collective>& group, uint32_t first, uint32_t end) {
            for (auto rank = first; rank < end; ++rank)
            {
                group->Enter(rank);
            }
        };
        enter(barrier, 0, 5); // a round that ends before the group moves
        barrier->Move(target);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((ReadRegisters(*domain, *barrier) == before), true, "case " << i);
        enter(other, 0, 4);
        enter(barrier, 5, 6);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nLeft, 80, "the other's rounds, case " << i);
        NS_TEST_EXPECT_MSG_EQ((ReadRegisters(*domain, *barrier) == wanted), true, "case " << i);
        uint32_t nChanged = 0;
        for (GraphNode node = 0; node < 12; ++node)
        {
            const auto old = before.find(node);
            const auto now = wanted.find(node);
            const bool isHere = now != wanted.end();
            const bool isSame = old != before.end() && isHere && old->second == now->second;
            nChanged += !isSame && (isHere || old != before.end());
            nKept += isSame;
        }
        nMoved += nChanged > 0;
        NS_TEST_EXPECT_MSG_EQ(barrier->GetNRegisterChanges(), nChanged, "case " << i);
        NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), lone, "a lone round, case " << i);

        const auto rank = barrier->GetRank(target);
        bench.Change({}, {(rank + 1) % 6});
        NS_TEST_EXPECT_MSG_EQ(barrier->GetTree().GetRootSwitch(),
                              graph.SwitchOf(graph.HostAt(target)).node,
                              "the root stays, case " << i);
        bench.Change({}, {barrier->GetRank(target)});
        const auto nodes =
            MadeOf(barrier->GetHosts(), [&](uint32_t host) { return graph.HostAt(host); });
        NS_TEST_EXPECT_MSG_EQ(barrier->GetTree().GetRootSwitch(),
                              BarrierTree(graph, nodes).GetRootSwitch(),
                              "the best one, once the host has left, case " << i);
        bench.Dissolve();
        other->Release();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, "case " << i);
    }
    NS_TEST_EXPECT_MSG_GT(nMoved, 50, "trees differ");
    NS_TEST_EXPECT_MSG_GT(nKept, 50, "registers stay as they are");
}

/// All registers of a line in hosts' memory, those of switches without hosts with the root's: a
/// barrier takes its worms' times, starts and hosts' memory, one after the other.
TEST_CASE(FarMemoryTimeTestCase, "Registers of switches without hosts in memory: the closed form")
{
    const auto rng = MakeRandom(22);
    constexpr int64_t FLITS = 2;
    for (uint32_t i = 0; i < 30; ++i)
    {
        const LoneTimes times(rng);
        const int64_t n = rng->GetInteger(2, 9);
        auto domain = times.Install(MakeLine(static_cast<uint32_t>(n), i % 2 * 126), 0);
        auto barrier = MakeInSwitch("memory", times.memory);
        CollectiveBench bench(barrier, domain, {0, 1});
        NS_TEST_EXPECT_MSG_EQ(barrier->GetInMemory().size(), static_cast<std::size_t>(n), "all");
        for (const auto& [number, host] : barrier->GetInMemory())
        {
            NS_TEST_EXPECT_MSG_EQ(host, (number == n - 1 ? 1 : 0), "switch " << number);
        }

        // Out to memory and back by a start-up and a worm over so many links.
        const auto visit = [&](int64_t links, int64_t back) {
            return times.ToHost(links, FLITS) + times.memory + times.startUp +
                   times.ToSwitch(back, FLITS);
        };
        auto eachWay = times.startUp + times.ToSwitch(1, FLITS) + visit(1, 2);
        for (int64_t links = 2; links < n; ++links) // switches between, from the root's end
        {
            eachWay += visit(links, links) + times.Between(FLITS);
        }
        eachWay += times.ToHost(1, FLITS) + times.memory;
        NS_TEST_ASSERT_MSG_EQ(bench.Cross({}, {}), PicoSeconds(2 * eachWay), "case " << i);
        bench.Dissolve();
        NS_TEST_EXPECT_MSG_EQ(barrier->GetInMemory().empty(), true, "released");
    }
}

TEST_CASE(BackupTimeTestCase, "A register that gives way is in memory until it is restored")
{
    const LoneTimes times(MakeRandom(23));
    for (const FabricGraph::Port port : {0, 62}) // which are on both sides of a word's end
    {
        const auto graph = MakeStar(8, port);
        const auto inMemory = [&] {
            auto domain = times.Install(graph, 0);
            CollectiveBench bench(MakeInSwitch("memory", times.memory), domain, {0, 1, 2});
            return bench.Cross({}, {});
        }();
        auto domain = times.Install(graph, 1);
        auto first = MakeInSwitch("fail", times.memory);
        uint32_t backedUp = 0;
        uint32_t restored = 0;
        Listen(first, "BackedUp", [&](uint32_t, uint32_t) { ++backedUp; });
        Listen(first, "Restored", [&](uint32_t) { ++restored; });
        CollectiveBench bench(first, domain, {0, 1, 2});
        const auto before = bench.Cross({}, {});
        NS_TEST_EXPECT_MSG_LT(before, inMemory, "memory takes time");
        {
            CollectiveBench other(MakeInSwitch("backup"), domain, {3, 4, 5});
            NS_TEST_EXPECT_MSG_EQ(backedUp, 1, "gave way");
            NS_TEST_EXPECT_MSG_EQ(other.Cross({}, {}), before, "a real register");
            NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), inMemory, "in memory");
            other.Dissolve();
        }
        NS_TEST_EXPECT_MSG_EQ(restored, 1, "came back");
        NS_TEST_EXPECT_MSG_EQ(first->GetInMemory().empty(), true, "came back");
        NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), before, "as before");
        bench.Dissolve();
        NS_TEST_EXPECT_MSG_EQ(domain->GetUnit(0)->GetNFree(), 1, "free");
    }
}

/// A switch of any number of ports, of which the first has no cable, as those of InfiniBand.
TEST_CASE(WidePortsTestCase,
          "Registers of switches of up to 1,000 ports: the closed form, and headers")
{
    const auto rng = MakeRandom(27);
    constexpr int64_t FLITS = 2;
    for (const uint32_t ports : {64, 65, 66, 128, 129, 200, 1000})
    {
        const LoneTimes times(rng);
        auto domain = times.Install(MakeStar(ports - 1, 1), 1);
        const auto eachWay = times.startUp + times.ToSwitch(1, FLITS) + times.ToHost(1, FLITS);
        for (const auto& members : {MakeRange(ports - 1),
                                    std::vector{ports - 2, ports - 3},
                                    std::vector{0U, ports / 2, ports - 2}})
        {
            CollectiveBench bench(MakeInSwitch("fail"), domain, members);
            const auto wanted = PicoSeconds(2 * eachWay);
            NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), wanted, members.size() << " of " << ports);
            bench.Dissolve();
        }
    }
}

TEST_CASE(PortSetHeaderTestCase, "Headers of messages with sets of ports")
{
    for (const auto& ports :
         std::vector<std::vector<uint16_t>>{{}, {0, 63}, {64}, {7, 129, 65'534}})
    {
        CollectiveMessage message;
        message.stage = CollectiveMessage::FROM_MEMORY;
        message.value = UINT64_MAX;
        for (const auto port : ports)
        {
            message.children.Add(port);
        }
        message.arrived.Add(3);
        auto packet = ns3::Create<Packet>(10);
        packet->AddHeader(CollectiveMessageHeader(message));
        const auto length = packet->GetSize();
        CollectiveMessageHeader read;
        read.message.children.Add(99); // what was there goes
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(read), length - 10, "length");
        NS_TEST_EXPECT_MSG_EQ((read.message.children.GetPorts() == ports), true, "children");
        NS_TEST_EXPECT_MSG_EQ((read.message.arrived == message.arrived), true, "arrived");
        NS_TEST_EXPECT_MSG_EQ(read.message.stage, message.stage, "stage");
        NS_TEST_EXPECT_MSG_EQ(read.message.value, message.value, "value");
        const bool hasFew = ports.empty() || ports.back() < 64;
        NS_TEST_EXPECT_MSG_EQ((length == 46), hasFew, "as ever, where no port is from 64 on");
        PortSet set = message.children;
        for (const auto port : ports)
        {
            NS_TEST_EXPECT_MSG_EQ((set.Has(port) && !set.Has(port + 1U)), true, port);
            set.Remove(port);
        }
        NS_TEST_EXPECT_MSG_EQ((set.IsEmpty() && set == PortSet()), true, "all removed");
    }
}

/// Groups come and go at random while others are at their barriers, on fabrics with few registers
/// and switches without hosts: the laws of barriers hold for all, and in the end all registers are
/// free.
TEST_CASE_WITH(ComeAndGoTestCase,
               (const std::string& text, uint32_t cases, int64_t stream),
               "Groups come and go with few registers: " + text)
{
    struct Group
    {
        Ptr<InSwitchBarrier> barrier;            // the group
        std::unique_ptr<InvariantChecker> watch; // checks its laws
        uint32_t left{0};                        // leavings still to come
        bool isReleased{false};                  // whether it is gone
    };

    const auto rng = MakeRandom(stream);
    Ptr<CollectiveDomain> domain;
    std::vector<std::unique_ptr<Group>> groups; // so far
    uint32_t nBackedUp = 0;                     // registers that gave way
    uint32_t nRestored = 0;                     // registers that came back
    uint32_t nInMemory = 0;                     // groups that began in memory
    const auto join = [&] {
        constexpr uint32_t LATEST = 30'000'000; // ps
        const std::vector<std::string> policies{"memory", "backup", "backup", "backup"};
        const std::vector<std::string> news{"", "", "multicast", "tree"};
        const auto n = rng->GetInteger(1, 9);
        const auto rounds = rng->GetInteger(1, 4);
        // One after the other: compilers differ in which operand is drawn first.
        const auto& policy = policies[rng->GetInteger(0, 3)];
        const auto late = rng->GetInteger(0, 1);
        auto barrier = MakeInSwitch(policy, late * rng->GetInteger(0, 20'000'000));
        SetAll(barrier, "Operation=ADD|WidthBits=32");
        barrier->SetAttribute("Announcement", StringValue(news[rng->GetInteger(0, 3)]));
        barrier->SetAttribute("SearchTimePerSwitch",
                              TimeValue(NanoSeconds(rng->GetInteger(0, 1) * 50)));
        groups.push_back(std::make_unique<Group>());
        auto& its = *groups.back();
        its.barrier = barrier;
        its.left = n * rounds;
        its.watch = std::make_unique<InvariantChecker>(barrier, rounds, rng, LATEST);
        Listen(barrier, "Leave", [&its](uint32_t, uint64_t) {
            if (--its.left == 0)
            {
                Simulator::ScheduleNow(&Collective::Release, Ptr<Collective>(its.barrier));
            }
        });
        Listen(barrier, "Released", [&its](Time) { its.isReleased = true; });
        Listen(barrier, "BackedUp", [&](uint32_t, uint32_t) { ++nBackedUp; });
        Listen(barrier, "Restored", [&](uint32_t) { ++nRestored; });
        barrier->Create(domain, InvariantChecker::DrawHosts(n, domain->GetNHosts(), 1, rng));
        nInMemory += !barrier->GetInMemory().empty();
    };
    for (uint32_t i = 0; i < cases; ++i)
    {
        StartAnew();
        const auto registers = rng->GetInteger(i % 8 == 0 ? 0 : 1, 3);
        // Announcements by tree worms can deadlock in buffers that don't hold them.
        const auto helper = WithUnits({{"Registers", std::to_string(registers)}});
        domain = text == "irregular"
                     ? InstallDomain(DrawFabric(12, 24, i), helper, WithFabric({}, 1000))
                     : InstallDomain(MakeTopology(text), helper);
        for (uint32_t group = 0; group < 25; ++group)
        {
            Simulator::Schedule(PicoSeconds(rng->GetInteger(0, 400'000'000)), join);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(groups.size(), 25, "groups");
        for (const auto& group : groups)
        {
            NS_TEST_ASSERT_MSG_EQ(group->watch->GetTrouble(), "", "case " << i);
            NS_TEST_ASSERT_MSG_EQ(group->isReleased, true, "case " << i);
            NS_TEST_ASSERT_MSG_EQ(group->barrier->GetInMemory().empty(), true, "case " << i);
        }
        for (uint32_t s = 0; s < domain->GetGraph().GetNSwitches(); ++s)
        {
            NS_TEST_ASSERT_MSG_EQ(domain->GetUnit(s)->GetNFree(), registers, "case " << i);
        }
        NS_TEST_ASSERT_MSG_EQ(domain->GetFabric()->GetCounts().pendingDestinations, 0, "all gone");
        groups.clear();
        domain = nullptr;
    }
    NS_TEST_EXPECT_MSG_GT(nBackedUp, cases, "registers gave way");
    NS_TEST_EXPECT_MSG_GT(nRestored, cases / 2, "registers came back");
    NS_TEST_EXPECT_MSG_GT(nInMemory, cases / 4, "registers were in memory from the start");
}

std::vector<Time>
MeasureBackup()
{
    auto domain = InstallDomain(DrawFabric(20, 48), WithUnits({{"Registers", "1"}}));
    const auto hosts = MakeRange(16, 3);
    CollectiveBench first(MakeInSwitch("fail"), domain, hosts);
    auto barrier = MakeInSwitch("backup");
    barrier->SetAttribute("Announcement", StringValue("tree[Tree=binomial]"));
    CollectiveBench second(barrier, domain, hosts);
    std::vector<Time> times{first.GetSetup(), second.GetSetup()};
    times.push_back(second.Cross({}, {}));
    times.push_back(first.Cross({}, {}));
    times.push_back(second.Dissolve());
    times.push_back(first.Cross({}, {}));
    return times;
}

TEST_CASE(SetupRefusalsTestCase, "Set-up: what is refused, and the same with any scheduler")
{
    std::vector<std::vector<Time>> found;
    for (const std::string scheduler : {"Map", "Heap", "List", "Calendar", "Wormhole"})
    {
        StartAnew();
        UseScheduler(scheduler);
        found.push_back(MeasureBackup());
        NS_TEST_EXPECT_MSG_EQ((found.back() == found.front()), true, scheduler);
    }
    NS_TEST_EXPECT_MSG_EQ(found[0][2], found[0][5], "both had registers of their own");
    NS_TEST_EXPECT_MSG_GT(found[0][3], found[0][2], "the first was in memory meanwhile");

    StartAnew();
    auto domain = InstallDomain(MakeLine(3));
    const auto create = [&](const std::string& announcement, uint32_t size) {
        auto barrier = MakeInSwitch("fail");
        SetAll(barrier, Text("MemberSize=", size, "|Announcement=", announcement));
        barrier->Create(domain, {0, 1});
    };
    Refuses([&] { create("shouting", 2); }, "there is no broadcast 'shouting'");
    Refuses([&] { create("hw-all", 2); }, "expected a broadcast by software");
    NS_TEST_EXPECT_MSG_EQ(domain->GetUnit(0)->GetNFree(), 16, "nothing is left behind");
    Refuses([] { MakeInSwitch("forget"); }, "it may be fail, memory or backup");
    const auto ask = [](const std::string& policy) {
        StartAnew();
        const auto asks = CollectiveHelper::MakeBarrier("btin[Requests=true|Exhaustion=" + policy);
        SetUp(asks, InstallDomain(MakeLine(3), WithUnits({{"Registers", "0"}})), {0, 1});
    };
    Refuses([&] { ask("backup]"); }, "Exhaustion is backup with Requests");
    Refuses([&] { ask("fail]"); },
            "group 0 fails at h0: group 0 of 2 members can't be made: no barrier register is left "
            "in s0, s1, s2; release a group, give switches more (CollectiveUnit::Registers), or "
            "let hosts keep them (InSwitchBarrier::Exhaustion memory)");
    for (const std::string all : {"Announcement=tree|Exhaustion=backup|SearchTimePerSwitch=10ns",
                                  "Announcement=tree|Requests=true|KeepAliveInterval=30us"})
    {
        const auto text = "btin[" + all + "]";
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check("barrier", text, 20), "", "laws");
    }
}

ADD_CASES()
{
    AddQuick<ComeAndGoTestCase>("irregular", 20, 24);
    AddQuick<ComeAndGoTestCase>("kary-tree:k=2,n=4", 10, 25);
    AddExtensive<ComeAndGoTestCase>("irregular", 1000, 26);
}

} // namespace
