// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

#include "ns3/graph-walk.h"

using namespace ns3;

SUITE("wormhole-deadlock", UNIT);

namespace
{

const auto SCHEDULERS = Words("Wormhole Map Heap Calendar PriorityQueue List");

std::string
PrintFirstCycle(const Deadlock& deadlock)
{
    std::ostringstream text;
    text << deadlock.closed.GetTimeStep();
    for (const auto& wait : deadlock.cycle)
    {
        text << "; " << wait.worm << " " << wait.cause << " " << wait.place << " " << wait.forWorm;
    }
    return text.str();
}

void
DeepenCables(FabricGraph& graph, uint32_t depth)
{
    ForEachEnd(graph, [&](FabricGraph::End end, FabricGraph::End) {
        if (const auto cable = graph.GetProperties().FindCable({end.node, end.port});
            cable && cable->depth)
        {
            auto deeper = *cable;
            deeper.depth = depth;
            graph.SetCable(end.node, end.port, deeper);
        }
    });
}

} // namespace

/// On random cases, a deadlock is reported where the flit oracle has blocked worms, and nowhere
/// else: the same first cycle at the same time, however often and by whichever scheduler it is
/// looked for; and the last report names just the worms that are blocked.
TEST_CASE_WITH(JudgeTestCase,
               ([[maybe_unused]] const std::string& name,
                RandomCaseOptions options,
                uint32_t nCases),
               name)
{
    uint32_t nBlocked{0}; // cases with blocked worms
    uint32_t nEarly{0};   // reports before all blocked worms were
    uint32_t nAdvised{0}; // reports that name a depth
    const bool canBlock = options.multicast > 0 || !options.treeOfSwitches;
    const bool isHelped = options.multicast > 0 && !options.sync;
    auto rng = MakeRandom(16);
    // Where deadlocks are rare, further cases find one.
    const auto isMissing = [&] { return nBlocked < canBlock || nAdvised < isHelped; };
    for (uint32_t i = 0; i < nCases || (isMissing() && i < 4 * nCases); ++i)
    {
        auto worms = MakeRandomCase(rng, options);
        const FabricDelays delays(worms, options.uneven);
        const auto blocked = ListBlocked(MoveFlitByFlit(worms, delays));
        std::set<std::string> firstCycles;
        ReplayOutcome outcome;
        using Way = std::pair<std::string, ReplaySending>;
        for (const auto& [scheduler, sending] :
             {Way{SCHEDULERS[i % SCHEDULERS.size()], ReplaySending::AT_FIRST},
              Way{SCHEDULERS[0], ReplaySending::IN_TIME}})
        {
            for (const std::string interval : {"0ns", "1ns", "1us", "1ms"})
            {
                const auto prepare = [&, interval = interval](WormholeFabric& fabric) {
                    delays.Apply(fabric);
                    fabric.SetAttribute("DeadlockCheckInterval", StringValue(interval));
                    fabric.SetAttribute("DeadlockCheckEvents", UintegerValue(i % 2 ? 16 : 0));
                };
                outcome = ReplayBy(scheduler, worms, sending, prepare);
                const auto how = "case " + std::to_string(i) + ", " + scheduler + ", " + interval;
                NS_TEST_ASSERT_MSG_EQ(outcome.reports.empty(), blocked.empty(), how);
                for (const auto& report : outcome.reports)
                {
                    firstCycles.insert(PrintFirstCycle(report));
                    nEarly += report.blocked.size() < blocked.size();
                }
                if (!blocked.empty())
                {
                    NS_TEST_ASSERT_MSG_EQ((outcome.reports.back().blocked == blocked),
                                          true,
                                          how << ": others are blocked than " << outcome.deadlock);
                    NS_TEST_ASSERT_MSG_EQ(firstCycles.size(), 1, how << ": " << outcome.deadlock);
                }
            }
        }
        if (!blocked.empty())
        {
            ++nBlocked;
            const auto depth = static_cast<uint32_t>(outcome.reports.back().depth);
            if (depth > 0) // the report advises it
            {
                ++nAdvised;
                worms.timing.depth = depth;
                DeepenCables(worms.graph, depth); // it is said of every port
                const auto left = ListBlocked(AskOracle(worms));
                NS_TEST_ASSERT_MSG_EQ(left.size(), 0, "does not help: " << outcome.deadlock);
            }
        }
        if (IsStatusFailure())
        {
            return;
        }
    }
    NS_TEST_EXPECT_MSG_EQ((nBlocked > 0), canBlock, "unicast worms in a tree cannot deadlock");
    NS_TEST_EXPECT_MSG_EQ((nBlocked < nCases), true, "no case without a deadlock");
    NS_TEST_EXPECT_MSG_EQ((nAdvised > 0), isHelped, "deep buffers help branches on their own");
    if (nBlocked >= 10)
    {
        NS_TEST_EXPECT_MSG_GT(nEarly, 0, "none was found while other worms moved");
    }
}

/// All hosts broadcast at once, on all families; buffers hold a whole frame, so all arrive.
TEST_CASE_WITH(BurstTestCase,
               (const std::string& text, uint32_t nFrames),
               "Broadcasts of all hosts at once arrive: " + text)
{
    for (const auto& [scheduler, interval] : Combine(SCHEDULERS, Words("1ms 1us")))
    {
        StartAnew();
        UseScheduler(scheduler);
        auto helper =
            WithFabric({{"DeadlockCheckInterval", interval}, {"DeadlockCheckEvents", "1"}}, 1514);
        const auto fabric = InstallFabric(MakeTopology(text), helper);
        const auto nHosts = fabric->GetNHosts();
        uint32_t nTaken = 0; // frames that arrived
        for (uint32_t h = 0; h < nHosts; ++h)
        {
            auto host = fabric->GetHost(h);
            host->SetReceiveCallback(CountFrames(nTaken));
            for (uint32_t i = 0; i < nFrames; ++i)
            {
                host->Send(Create<Packet>(1500), host->GetBroadcast(), 0x0800);
            }
        }
        const auto how = scheduler + ", " + interval;
        NS_TEST_EXPECT_MSG_EQ(Refusal([] { Simulator::Run(); }), "accepted", how);
        NS_TEST_EXPECT_MSG_EQ(nTaken, nHosts * (nHosts - 1) * nFrames, how);
    }
}

TEST_CASE(GroupsTestCase, "Barriers of many groups by tree worms, with a look every us")
{
    constexpr uint32_t GROUPS = 60;
    constexpr uint32_t MEMBERS = 12;
    constexpr uint32_t ROUNDS = 5; // of each group
    auto helper = WithFabric({{"DeadlockCheckInterval", "1us"}, {"DeadlockCheckEvents", "1"}}, 64);
    const auto domain = InstallDomain(MakeTopology("torus:4x4,hosts=2"), {}, helper);
    auto rng = MakeRandom(3);
    uint32_t nLeft = 0;                                          // how often members left
    std::map<std::pair<Collective*, uint32_t>, uint32_t> rounds; // the same, by member
    std::vector<Ptr<Collective>> groups;
    while (groups.size() < GROUPS)
    {
        auto members = MakeRange(domain->GetNHosts());
        Shuffle(members, *rng, MEMBERS);
        members.resize(MEMBERS);
        groups.push_back(CollectiveHelper::MakeBarrier("multicast"));
        const auto its = PeekPointer(groups.back());
        Listen(groups.back(), "Ready", [its](Time) { EnterAll(*its); });
        Listen(groups.back(), "Leave", [&, its](uint32_t rank, uint64_t) {
            ++nLeft;
            if (++rounds[{its, rank}] < ROUNDS)
            {
                its->Enter(rank);
            }
        });
        its->Create(domain, members);
    }
    NS_TEST_EXPECT_MSG_EQ(Refusal([] { Simulator::Run(); }), "accepted", "no deadlock");
    NS_TEST_EXPECT_MSG_EQ(nLeft, GROUPS * MEMBERS * ROUNDS, "all leave every round");
}

static Ptr<WormholeFabric>
FillRing()
{
    auto fabric = WithFabric({}, 2).Install(MakeRing(4));
    SendAround(*fabric, 0, 4);
    return fabric;
}

TEST_CASE(DeadlockTestCase, "A deadlock ends the run and names the wait cycle")
{
    auto fabric = FillRing();
    const auto error = ErrorOf([] { Simulator::Run(); });
    // The interface's delay, and twice 6.25 + 20 + 300 ns until the heads are at switches whose
    // outputs others hold.
    NS_TEST_EXPECT_MSG_EQ(error,
                          "deadlock, 4 worms wait for each other since 952.5ns: "
                          "worm 0 wants output s1:0 held by worm 1; "
                          "worm 1 wants output s2:0 held by worm 2; "
                          "worm 2 wants output s3:0 held by worm 3; "
                          "worm 3 wants output s0:0 held by worm 0; "
                          "blocked: worm 0, worm 1, worm 2, worm 3",
                          "the whole report");
    Simulator::Destroy();

    FabricGraph graph(2, 12, 7);
    graph.Connect(0, 6, 1, 6);
    for (uint32_t h = 0; h < 12; ++h)
    {
        graph.Connect(graph.HostAt(h), 0, h / 6, h % 6);
    }
    fabric = WormholeHelper().Install(graph);
    for (uint32_t h = 0; h < 12; ++h)
    {
        auto host = fabric->GetHost(h);
        host->Send(Create<Packet>(200), host->GetBroadcast(), 0x88b5);
    }
    const auto broadcasts = ErrorOf([] { Simulator::Run(); });
    Contains(broadcasts, "has 214 flits: with a WormholePort::BufferDepth of that at every port");
    Simulator::Destroy();

    fabric = FillRing();
    fabric->SetAttribute("ThrowOnDeadlock", BooleanValue(false));
    std::string report;
    Listen(fabric, "Deadlock", [&](const std::string& told) { report = told; });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(report, error, "the trace says what the error says");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetCounts().pendingDestinations, 4, "all four are stuck");
    Simulator::Destroy(); // flits are conserved in a deadlock too, or this aborts
}

TEST_CASE_WITH(LateWormTestCase,
               (const std::string& grant),
               "Worms sent after a deadlock are reported, too: Grant = " + grant)
{
    for (const std::string interval : {"0ns", "1us", "1ms"})
    {
        Simulator::Destroy();
        auto helper = WithFabric(
            {{"Grant", grant}, {"ThrowOnDeadlock", "false"}, {"DeadlockCheckInterval", interval}},
            grant == "worm" ? 1000 : 2);
        auto fabric = helper.Install(MakeRing(4));
        SendAround(*fabric, 0, 4);
        std::vector<std::size_t> reports; // how many were blocked
        Listen(fabric, "Deadlock", [&, its = PeekPointer(fabric)](const std::string&) {
            reports.push_back(its->FindDeadlock().blocked.size());
        });
        // Behind the one that is blocked at its host, one after the other.
        Simulator::Schedule(MicroSeconds(10), [&] { SendAround(*fabric, 1, 2); });
        Simulator::Schedule(MicroSeconds(20), [&] { SendAround(*fabric, 3, 4); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(reports.empty(), false, "no report");
        NS_TEST_EXPECT_MSG_EQ(reports.front(), 4, "the first report is of the first worms");
        NS_TEST_EXPECT_MSG_EQ(reports.back(), 6, "the last one is of all, " << interval);
    }
}

static void
KeepSending(Ptr<WormholeFabric> fabric)
{
    fabric->GetHost(4)->SendWorm(MakeWorm(10, WormRoute::Path({0, 1})));
    Simulator::Schedule(MicroSeconds(10), &KeepSending, fabric);
}

TEST_CASE(PartialDeadlockTestCase, "A deadlock beside traffic that goes on is found in time")
{
    // A ring of four switches with a host each, and a fifth with two hosts beside it.
    FabricGraph graph(5, 6, 4);
    ConnectRing(graph, 4);
    ConnectAll(graph, {{4, 2, 0, 3}, {graph.HostAt(4), 0, 4, 0}, {graph.HostAt(5), 0, 4, 1}});
    auto fabric = WithFabric({}, 2).Install(graph);
    SendAround(*fabric, 0, 4);
    KeepSending(fabric);
    Simulator::Stop(Seconds(1));
    const auto error = ErrorOf([] { Simulator::Run(); });
    NS_TEST_EXPECT_MSG_EQ(error.substr(0, 53),
                          "deadlock, 4 worms wait for each other since 952.5ns: ",
                          "no deadlock reported");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(3), "found late");
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, RandomCaseOptions options) {
        // Those take long; and of source routes, hardly any block each other: QUICK has others.
        const bool isLong = options.longer || options.maxWorms > 25;
        const bool isRare = options.longer && options.sourceRouted;
        Add<JudgeTestCase>(!isRare, name, options, isRare ? 25 : isLong ? 8 : 12);
        AddExtensive<JudgeTestCase>(name + ", thousands", options, 4000);
    };
    add("Unicast, tree of switches", {0.0, true, false, false, false, 25});
    add("Tree worms, tree of switches, async", {1.0, true, false, false, false, 25});
    add("Tree worms, tree of switches, sync", {0.6, true, true, true, false, 25});
    add("Tree worms, general graphs, async", {0.5, false, false, true, false, 25});
    add("Tree worms, general graphs, sync", {0.5, false, true, false, false, 25});
    add("Many worms, async", {0.1, true, false, false, false, 200});
    add("Many worms, sync", {0.05, true, true, false, false, 200});
    add("Long worms, shallow buffers, async", {0.3, true, false, false, true, 25});
    add("Long worms, shallow buffers, general graphs", {0.1, false, false, true, true, 60});
    const auto addRates = [&](const std::string& name, RandomCaseOptions options) {
        options.rates = true;
        add("Cables that differ: " + name, options);
    };
    addRates("unicast, general graphs", {0.0, false, false, true, true, 60});
    addRates("tree worms, async", {0.6, true, false, false, false, 25});
    addRates("tree worms, sync", {0.6, false, true, true, false, 25});
    const auto addSourceRouted = [&](const std::string& name, RandomCaseOptions options) {
        options.sourceRouted = true;
        add("Source routes: " + name, options);
    };
    addSourceRouted("unicast, general graphs", {0.0, false, false, true, true, 60});
    addSourceRouted("tree worms among them", {0.5, true, false, false, false, 25});
    AddQuick<LateWormTestCase>("flit");
    AddQuick<LateWormTestCase>("worm");
    for (const auto& topology :
         Words("mesh:2x2,hosts=2 torus:3x3,hosts=2 clos:ports=8,levels=2 full:4,hosts=2 "
               "torus:3x3x3,hosts=1"))
    {
        AddQuick<BurstTestCase>(topology, 3);
        AddExtensive<BurstTestCase>(topology, 100);
    }
}
