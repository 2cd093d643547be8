// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/communication-tree.h"

#include <algorithm>

using namespace ns3;

SUITE("wormhole-collective-laws", UNIT);

namespace
{

const std::vector<std::string> KINDS{"barrier", "broadcast", "reduction"};

/// @return algorithms of a kind, as many ways as there are to set them, with one process a host or
/// more @param severalTasks whether hosts have several processes
std::vector<std::string>
Algorithms(const std::string& kind, bool severalTasks)
{
    std::vector<std::string> names;
    for (const auto& name : CollectiveHelper::GetNames(kind))
    {
        const bool isHardware = name == "btin" || name.find("hw-") == 0;
        const bool oneTask = isHardware || name == "multicast" || name == "nic";
        if (name == "smp" && kind == "reduction")
        {
            names.push_back("btin");
        }
        if (!severalTasks || !oneTask)
        {
            names.push_back(name);
            if (name == "throttled")
            {
                names.push_back("throttled[Inner=mpich|Window=2|Gap=3us]");
            }
            else if (name == "network-done")
            {
                names.push_back("network-done[Method=acks]");
            }
            else if (name == "tournament")
            {
                names.insert(names.end(), {"tournament[Radix=3]", "tournament[Radix=8]"});
            }
            if (!isHardware && name != "throttled" && name != "network-done")
            {
                names.push_back(name + "[Transport=rdma]");
            }
        }
        if (name == "tree")
        {
            for (const auto& tree : Words("sequential chain binary kary-8 fibo fibo-1-3"))
            {
                names.push_back(name + "[Tree=" + tree + "]");
            }
        }
        else if (name == "smp")
        {
            for (const auto& inner : CollectiveHelper::GetNames(kind))
            {
                if (inner != "smp")
                {
                    names.push_back(name + "[Inner=" + inner + "]");
                }
            }
        }
    }
    return names;
}

struct Bench
{
    Ptr<CollectiveDomain> domain;   ///< its collectives
    Ptr<UniformRandomVariable> rng; ///< random numbers
};

/// @return a random fabric @param costs whether software costs all it can cost, with jitter
Bench
MakeBench(uint32_t switches, uint32_t hosts, bool costs)
{
    StartAnew();
    const auto graph = DrawFabric(switches, hosts);
    std::map<std::string, std::string> software;
    if (costs)
    {
        // Most messages are longer than the limit, and are cut.
        software = Attributes("PollInterval=0.7us|MessageGap=0.9us|EagerLimit=3|MaxPacketBytes=3|"
                              "PacketHeaderBytes=2|SendOverhead=0.3us|ReceiveOverhead=0.3us|"
                              "MatchingTime=0.3us|DescriptorTime=0.3us|UnexpectedTime=0.3us|"
                              "PostTime=0.3us|PollTime=0.3us|FlagTime=0.3us|SendDataRate=77Mbps|"
                              "ReceiveDataRate=77Mbps|CopyDataRate=77Mbps");
        software["SendJitter"] = "ns3::UniformRandomVariable[Min=0|Max=3e-6]";
        software["ReceiveJitter"] = software["SendJitter"];
    }
    auto helper = WithSoftware(software);
    helper.SetUnitAttribute("Registers", UintegerValue(64));
    const Bench bench{InstallDomain(graph, helper), MakeRandom(7)};
    CollectiveHelper::AssignStreams(bench.domain, 100);
    for (uint32_t host = 1; costs && host < hosts; host += 3)
    {
        const auto its = bench.domain->GetSoftware(host);
        SetAll(its, Text("MaxConcurrentSends=", 1 + host % 4, "|StartUp=", host, "ns"));
        SetAll(its, Text("EagerLimit=", host % 7, "|MaxPacketBytes=", host % 5));
    }
    return bench;
}

Ptr<Collective>
MakeWide(const std::string& kind, const std::string& name, const std::string& operation)
{
    auto collective = CollectiveHelper::MakeCollective(kind, name);
    if (name.find("hw-1") == std::string::npos)
    {
        SetAll(collective, "WidthBits=32|Operation=" + operation);
    }
    return collective;
}

std::vector<uint32_t>
DrawHosts(uint32_t n, uint32_t tasks, const Bench& bench)
{
    return InvariantChecker::DrawHosts(n, bench.domain->GetNHosts(), tasks, bench.rng);
}

/// Schedules, without a simulator: everybody leaves, and each depends on all whom it must wait for;
/// with ADD each member counts once. Every n to 40 and some to 500.
TEST_CASE_WITH(ScheduleLawsTestCase,
               (const std::string& kind, const std::string& name),
               "Schedules: " + kind + " " + name)
{
    auto rng = MakeRandom(3);
    const auto sizes = Join({64, 65, 127, 128, 500}, ListGroupSizes(true));
    const auto collective = CollectiveHelper::MakeCollective(kind, name);
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(collective));
    NS_TEST_ASSERT_MSG_NE(maker, nullptr, name << " has schedules");
    for (const auto n : sizes)
    {
        const auto radices = "or more; there are " + std::to_string(n);
        const auto trouble =
            CollectiveInvariants::CheckSchedules(*maker, collective->GetForm(), n, rng);
        // A butterfly's radices may be for more members.
        const bool isFew = n < 27 && trouble.find(radices) != std::string::npos;
        NS_TEST_ASSERT_MSG_EQ((trouble.empty() || isFew), true, trouble);
    }
}

/// The laws of an algorithm's kind on a fabric: n from 1 to 40 and some larger, staggered,
/// late and repeated rounds, all operations, hosts with one process or several, with jitter.
/// @param part which quarter of some n is tried, 1 to 4; 0: every n up to 40
TEST_CASE_WITH(CollectiveLawsTestCase,
               (const std::string& kind, uint32_t tasks, uint32_t part),
               "Laws: " + kind + ", at most " + std::to_string(tasks) + " members a host, " +
                   (part == 0 ? "every n" : "part " + std::to_string(part)))
{
    const std::vector<std::string> operations{"ADD", "AND", "OR", "MIN", "MAX"};
    constexpr uint32_t ROUNDS = 3;
    const auto bench = MakeBench(24, 64, true);
    uint32_t number = 0;
    auto turn = part; // the next algorithm has another quarter: their number is odd
    for (const auto& name : Algorithms(kind, tasks > 1))
    {
        auto sizes = ListGroupSizes(part == 0);
        sizes.push_back(64);
        for (const auto size : sizes)
        {
            if (part > 0 && ++turn % 4 > 0)
            {
                continue;
            }
            const auto operation = operations[++number % operations.size()];
            const auto hosts = DrawHosts(size, tasks, bench);
            // Now close together, now so far apart that nearly all messages come unexpected.
            const uint32_t latest = number % 2 ? 2'000'000 : 60'000'000;
            auto collective = MakeWide(kind, name, operation);
            InvariantChecker watch(collective, ROUNDS, bench.rng, latest);
            const auto refusal = ErrorOf([&] { collective->Create(bench.domain, hosts); });
            if (!refusal.empty())
            {
                Contains(refusal, "can't ADD", refusal);
                collective->SetAttribute("Operation", StringValue("MAX"));
                collective->Create(bench.domain, hosts);
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(watch.GetTrouble(), "", name << ", n " << size);
            NS_TEST_ASSERT_MSG_EQ(bench.domain->ExplainMissing(), "", "nobody is missing");
            collective->Release();
            Simulator::Run();
            collective->Dispose();
        }
    }
}

TEST_CASE(OverlappingGroupsTestCase, "All algorithms at once in groups that overlap")
{
    const auto bench = MakeBench(24, 64, true);
    std::vector<std::unique_ptr<InvariantChecker>> watches;
    std::vector<Ptr<Collective>> collectives;
    std::vector<std::string> names;
    for (const auto& [kind, tasks] : Combine<std::string, uint32_t>(KINDS, {1, 3}))
    {
        for (const auto& name : Algorithms(kind, tasks > 1))
        {
            const auto group = MakeWide(kind, name, "MAX");
            collectives.push_back(group);
            watches.push_back(std::make_unique<InvariantChecker>(group, 2, bench.rng, 30'000'000));
            names.push_back(kind + " " + name);
            group->Create(bench.domain, DrawHosts(bench.rng->GetInteger(1, 50), tasks, bench));
        }
    }
    Simulator::Run();
    for (std::size_t i = 0; i < watches.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(watches[i]->GetTrouble(), "", names[i]);
        collectives[i]->Dispose();
    }
}

/// @param withAll whether algorithms run with all sizes of groups, or each with the next one
TEST_CASE_WITH(LargeGroupsTestCase,
               (const std::string& kind, bool withAll),
               "Laws in large groups: " + kind + (withAll ? ", all sizes" : ""))
{
    const auto bench = MakeBench(150, 512, false);
    const std::vector<uint32_t> all{100, 255, 500};
    std::size_t turn = 0;
    for (const auto& name : CollectiveHelper::GetNames(kind))
    {
        for (const auto n : withAll ? all : std::vector{all[turn++ % all.size()]})
        {
            auto collective = MakeWide(kind, name, "MAX");
            InvariantChecker watch(collective, 2, bench.rng, 100'000'000);
            collective->Create(bench.domain, DrawHosts(n, 1, bench));
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(watch.GetTrouble(), "", name << ", n " << n);
            collective->Dispose();
        }
    }
}

ADD_CASES()
{
    for (const auto& kind : KINDS)
    {
        for (const auto& name : Algorithms(kind, false))
        {
            if (NoneOf(Words("btin hw- throttled network-done Transport"),
                       [&](const auto& other) { return name.find(other) != std::string::npos; }))
            {
                Add<ScheduleLawsTestCase>(name.find("Inner") > name.size(), kind, name);
            }
        }
        for (const std::string radices : {"3", "7", "4,2", "2,4", "3,3,3", "5,2,2"})
        {
            if (kind != "broadcast")
            {
                AddQuick<ScheduleLawsTestCase>(kind, "butterfly[Radices=" + radices + "]");
            }
        }
        for (const auto& [tasks, part] : Combine<uint32_t, uint32_t>({1, 2, 3}, MakeRange(5)))
        {
            Add<CollectiveLawsTestCase>(tasks != 2 && part == 1, kind, tasks, part);
        }
        AddQuick<LargeGroupsTestCase>(kind, false);
        AddExtensive<LargeGroupsTestCase>(kind, true);
    }
}

// Collectives on fabrics whose routes take several lanes, some with choices.
SUITE("wormhole-lane-collectives", UNIT);

/// Depth of buffers, flits: whole messages of these tests fit.
constexpr uint32_t WHOLE_DEPTH = 1024;

/// @param text a topology, with its engine @param synchronisationBytes longest message with lanes
/// of its own @param depth of buffers, flits; 0: as cables need
Ptr<CollectiveDomain>
MakeLaneCluster(const std::string& text,
                uint32_t synchronisationBytes = 0,
                uint32_t depth = WHOLE_DEPTH)
{
    StartAnew();
    const auto graph = MakeTopology(text).graph;
    auto helper = WithFabric({}, depth);
    if (synchronisationBytes > 0)
    {
        helper.SetFabricAttribute("Grant", StringValue("worm"));
        helper.SetFabricAttribute("MaxPriorityMessageBytes", UintegerValue(synchronisationBytes));
    }
    auto collectives = WithUnits({{"Registers", "64"}, {"Slots", "4096"}, {"SlotBytes", "128"}});
    auto domain = InstallDomain(graph, collectives, helper);
    CollectiveHelper::AssignStreams(domain, 100);
    return domain;
}

} // namespace

/// @return a fabric's text for the name of a test, which ns-3 refuses if it has bars
std::string
TitleOf(std::string text)
{
    std::replace(text.begin(), text.end(), '|', ' ');
    return text;
}

/// The laws of all algorithms of values hold over routes of several lanes, also where messages that
/// choose their way overtake each other: by software, with tree worms, in the switches and beside
/// the fabric.
TEST_CASE_WITH(LaneLawsTestCase,
               (const std::string& text, uint32_t synchronisationBytes),
               "Laws on " + TitleOf(text) +
                   (synchronisationBytes > 0 ? ", short messages in lanes of their own" : ""))
{
    const auto domain = MakeLaneCluster(text, synchronisationBytes);
    auto rng = MakeRandom(7);
    const auto lanes = std::stoul(TextOf(domain->GetFabric(), "Lanes"));
    const auto mode = domain->GetFabric()->GetRouter()->GetInTransit();
    NS_TEST_ASSERT_MSG_GT(lanes + (mode != InTransit::NONE), 1, "lanes or hosts on the way");
    uint32_t nChecked = 0;
    for (const auto& [kind, name] : ListAlgorithms(KINDS))
    {
        for (const uint32_t n : {1U, 2U, 5U, 16U, domain->GetNHosts()})
        {
            const auto group = CollectiveHelper::MakeCollective(kind, name);
            const auto hosts = DrawHosts(n, 1, {domain, rng});
            const auto trouble = RunByLaws(group, domain, hosts, 2, rng, 5'000'000);
            NS_TEST_ASSERT_MSG_EQ(trouble, "", kind << " " << name << ", n " << n);
            ++nChecked;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nChecked, 100, "algorithms of all kinds");
    Simulator::Destroy(); // which ends the program if a flit was lost
}

/// All-reductions of data over routes of several lanes, in the switches and by software: each
/// member has the sum. Buffers are as deep as cables need, so messages are longer than these.
TEST_CASE_WITH(LaneSumsTestCase, (const std::string& text), "Sums on " + TitleOf(text))
{
    constexpr uint32_t MEMBERS = 16;
    constexpr std::size_t ELEMENTS = 300;
    for (const auto& name : CollectiveHelper::GetDataNames("allreduction"))
    {
        // What combines in the switches has messages of SlotBytes and a header.
        const bool isInSwitch = name == "in-switch" || name == "btin";
        const auto domain = MakeLaneCluster(text, 0, isInSwitch ? WHOLE_DEPTH : 0);
        auto group = CollectiveHelper::MakeData("allreduction", name);
        group->SetAttribute("Bytes", UintegerValue(ELEMENTS * sizeof(int32_t)));
        SetUp(group, domain, MakeRange(MEMBERS, 2));
        std::vector<int32_t> sum(ELEMENTS);
        std::vector<std::vector<uint8_t>> inputs;
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            std::vector<int32_t> own(ELEMENTS);
            for (std::size_t i = 0; i < ELEMENTS; ++i)
            {
                own[i] = static_cast<int32_t>(i * 31 + rank * 17);
                sum[i] += own[i];
            }
            inputs.push_back(ToBytes(own));
        }
        EnterWith(group, inputs);
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            const bool isRight = group->GetOutput(rank) == ToBytes(sum);
            NS_TEST_EXPECT_MSG_EQ(isRight, true, name << ", rank " << rank);
        }
        group->Release();
        Simulator::Run();
        group->Dispose();
        Simulator::Destroy(); // which ends the program if a flit was lost
    }
}

/// @return mean time of a barrier beside traffic @param synchronisationBytes longest message with
/// lanes of its own
static Time
Cross(const std::string& text, const std::string& name, double load, uint32_t synchronisationBytes)
{
    const auto domain = MakeLaneCluster(text, synchronisationBytes);
    LoadedBench::Traffic traffic;
    traffic.load = load;
    traffic.flits = "1024";
    LoadedBench bench(CollectiveHelper::MakeBarrier(name), domain, MakeRange(16), traffic);
    constexpr uint32_t ROUNDS = 10;
    const auto sum = SumOf(bench.Cross(ROUNDS), [](Time duration) { return duration; });
    return TimeStep(sum.GetTimeStep() / ROUNDS);
}

TEST_CASE(OwnLanesTestCase, "Messages with lanes of their own pass beside traffic")
{
    constexpr uint32_t BYTES = 64;
    // Loads at which barriers meet traffic.
    const std::vector<std::pair<std::string, double>> loads{
        {"irregular:switches=16,hosts=40,grant=worm", 0.1},
        {"torus:4x4,hosts=2,routing=dateline", 0.3}};
    for (const auto& [text, load] : loads)
    {
        for (const std::string name : {"btin", "dissemination"})
        {
            const auto alone = Cross(text, name, 0, BYTES);
            const auto shared = Cross(text, name, load, 0);
            const auto own = Cross(text, name, load, BYTES);
            NS_TEST_EXPECT_MSG_EQ(alone, Cross(text, name, 0, 0), name << " without traffic");
            NS_TEST_EXPECT_MSG_GT(own, alone, name << ": a worm on a wire is not stopped");
            NS_TEST_EXPECT_MSG_LT(own, shared, name << " on " << text << " beside traffic");
        }
    }
    StartAnew();
    const auto refuse = [this](const std::string& text, const std::string& part) {
        auto helper = WithFabric({{"MaxPriorityMessageBytes", std::to_string(BYTES)}});
        Refuses([&] { helper.Install(MakeTopology(text).graph); }, part);
    };
    refuse("torus:4x4", "MaxPriorityMessageBytes is 64, but Grant is flit; expected 0");
    refuse("torus:4x4,lanes=129,grant=worm", "expected 256 in all");
}

TEST_CASE(LongTreeWormsTestCase, "Tree worms and segments that lanes' buffers do not hold")
{
    const std::string text = "dragonfly:a=4,h=2,hosts=2,routing=dragonfly-minimal";
    const auto domain = MakeLaneCluster(text, 0, 0);
    const auto hosts = MakeRange(domain->GetNHosts());
    auto broadcast = CollectiveHelper::MakeBroadcast("multicast");
    Refuses([&] { broadcast->Create(domain, hosts); },
            "bytes besides its share, but a lane's buffer holds 56 bytes");
    for (const uint64_t bytes : {8, 1000}) // whatever the vector's length is
    {
        const auto name = "in-switch[Bytes=" + std::to_string(bytes) + "]";
        const auto sum = CollectiveHelper::MakeData("allreduction", name);
        Refuses([&] { sum->Create(domain, hosts); },
                "holds 56; expected SlotBytes (of CollectiveUnit) up to 48, or a "
                "BufferDepth (of WormholePort) of 136 flits or more");
    }
}

ADD_CASES()
{
    for (const auto& text :
         Words("irregular:switches=16,hosts=40,routing=turn-prohibition[Lanes=4|Sets=3|Rounds=2] "
               "irregular:switches=16,hosts=40,routing=in-transit "
               "torus:4x4,hosts=2,routing=dateline torus:4x4,hosts=2,routing=adaptive "
               "dragonfly:a=4,h=2,hosts=2,routing=dragonfly-minimal "
               "dragonfly:a=4,h=2,hosts=2,routing=ugal"))
    {
        AddQuick<LaneLawsTestCase>(text, 0);
        AddQuick<LaneSumsTestCase>(text);
    }
    for (const std::string engine : {"dateline", "adaptive"})
    {
        constexpr uint32_t SHORT = 64;
        AddQuick<LaneLawsTestCase>("torus:4x4,hosts=2,routing=" + engine, SHORT);
    }
}
