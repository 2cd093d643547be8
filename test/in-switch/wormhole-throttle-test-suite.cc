// SPDX-License-Identifier: GPL-2.0-only

// Broadcasts whose root is throttled.

#include "../asked-study.h"
#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-throttle", UNIT);

namespace
{

/// A group whose members do a number of broadcasts one after the other, each as soon as it may.
struct Rounds
{
    Rounds(Ptr<CollectiveDomain> domain,
           const std::vector<uint32_t>& hosts,
           const std::string& name,
           uint64_t n)
        : rounds(n),
          broadcast(CollectiveHelper::MakeBroadcast(name)),
          leaves(hosts.size())
    {
        broadcast->SetAttribute("WidthBits", UintegerValue(32));
        const auto begin = [this](Time) {
            begins.push_back(Simulator::Now());
            mostOutstanding = std::max(mostOutstanding, begins.size() - CountEverywhere());
        };
        // Only throttled ones tell it.
        broadcast->TraceConnectWithoutContext("Begin", CallbackOf(begin));
        Listen(broadcast, "Leave", [this](uint32_t rank, uint64_t result) {
            isRight = isRight && result == leaves[rank].size() + 7;
            leaves[rank].push_back(Simulator::Now());
            if (leaves[rank].size() < rounds)
            {
                Simulator::ScheduleNow(&Rounds::Enter, this, rank);
            }
        });
        broadcast->Create(domain, hosts);
        for (uint32_t rank = 0; rank < hosts.size(); ++rank)
        {
            Simulator::ScheduleNow(&Rounds::Enter, this, rank);
        }
    }

    ~Rounds()
    {
        broadcast->Dispose();
    }

    void Enter(uint32_t rank)
    {
        broadcast->Enter(rank, rank == broadcast->GetRoot() ? leaves[rank].size() + 7 : 0);
    }

    /// @return how many are over at all members
    std::size_t CountEverywhere() const
    {
        auto least = rounds;
        for (const auto& its : leaves)
        {
            least = std::min<std::size_t>(least, its.size());
        }
        return least;
    }

    bool AreWhole() const
    {
        return isRight && CountEverywhere() == rounds;
    }

    /// @return when a round, from 0, was over at all members
    Time GetEnd(std::size_t round) const
    {
        return GreatestOf(Time(0), leaves, [=](const auto& its) { return its.at(round); });
    }

    uint64_t rounds;                       ///< how many
    Ptr<Broadcast> broadcast;              ///< the broadcast
    std::vector<std::vector<Time>> leaves; ///< by rank and round
    std::vector<Time> begins;              ///< when the root began them
    std::size_t mostOutstanding{0};        ///< the most outstanding
    bool isRight{true};                    ///< whether members left with the values
};

/// @return hosts of an ideal network @param send how long one keeps its sender busy
Ptr<CollectiveDomain>
MakeIdeal(uint32_t number, Time latency, Time send, Time receive)
{
    StartAnew();
    return WithSoftware({{"StartUp", InPs(send)}, {"ReceiveOverhead", InPs(receive)}})
        .InstallIdeal(number, latency);
}

TEST_CASE(ThrottleFormsTestCase,
          "a throttled broadcast: a lone one, gaps and windows by closed forms")
{
    // A lone broadcast leaves every member when that which is throttled does.
    for (const std::string inner : {"tree", "tree[Tree=fibo]", "mpich", "sss-mst"})
    {
        std::vector<std::vector<std::vector<Time>>> leaves;
        for (const auto& name : {inner,
                                 "throttled[Inner=" + inner + "|Window=0]",
                                 "throttled[Inner=" + inner + "|Window=1|Gap=1ms]",
                                 "throttled[Inner=" + inner + "|Window=5]"})
        {
            auto domain = MakeIdeal(23, MicroSeconds(2), MicroSeconds(3), MicroSeconds(1));
            const Rounds once(domain, MakeRange(23), name, 1);
            Simulator::Run();
            leaves.push_back(once.leaves);
            NS_TEST_EXPECT_MSG_EQ((leaves.back() == leaves.front()), true, name);
        }
    }

    // Two members: acknowledged after a round trip, 2 (s + L + r).
    const auto s = MicroSeconds(3);
    const auto r = MicroSeconds(2);
    for (const int64_t latency : {0, 40, 500})
    {
        const auto oneWay = s + MicroSeconds(latency) + r;
        constexpr uint32_t ROUNDS = 12;
        for (const uint32_t window : {1, 2, 3, 6})
        {
            auto domain = MakeIdeal(2, MicroSeconds(latency), s, r);
            const auto name = "throttled[Window=" + std::to_string(window) + "]";
            const Rounds rounds(domain, MakeRange(2), name, ROUNDS);
            Simulator::Run();
            const auto what = std::to_string(window) + " at " + std::to_string(latency);
            NS_TEST_EXPECT_MSG_EQ(rounds.AreWhole(), true, what);
            // A window's worth of broadcasts a round trip, the last window's in turn, unless
            // hosts are busy for longer: for a send and an acknowledgement each.
            if ((s + r) * window <= oneWay * 2)
            {
                const auto expected =
                    oneWay * 2 * (ROUNDS / window - 1) + s * (window - 1) + oneWay;
                // An acknowledgement keeps a window's next send waiting, r at most each.
                const auto late = rounds.GetEnd(ROUNDS - 1) - expected;
                NS_TEST_EXPECT_MSG_EQ((late >= Time(0)), true, what << ": " << late);
                const auto most = (s + r) * (window - 1) * (ROUNDS / window);
                NS_TEST_EXPECT_MSG_EQ((late <= most), true, what << ": " << late);
            }
        }
    }

    // A gap longer than a broadcast: they begin at its multiples.
    auto domain = MakeIdeal(32, MicroSeconds(2), s, r);
    const Rounds rounds(domain, MakeRange(32), "throttled[Window=0|Gap=123us]", 10);
    Simulator::Run();
    for (uint32_t round = 0; round < 10; ++round)
    {
        const auto begin = MicroSeconds(123) * round;
        NS_TEST_EXPECT_MSG_EQ(rounds.begins[round], begin, round);
        NS_TEST_EXPECT_MSG_EQ(rounds.GetEnd(round), rounds.GetEnd(0) + begin, round);
    }
}

TEST_CASE_WITH(ThrottleLawsTestCase,
               (uint32_t cases),
               "a throttled broadcast: " + std::to_string(cases) + " random cases")
{
    auto draw = MakeRandom(5);
    const std::vector<std::string> inner =
        Words("tree[Tree=fibo] tree[Tree=binary] mpich sss-mst multicast hw-all smp[Inner=tree]");
    const std::vector<std::string> acks{"tree", "tree[Tree=chain]", "hw-all"};
    const std::vector<std::string> fabrics{"clos:ports=8,levels=2", "torus:3x3,hosts=2"};
    uint32_t full = 0;
    for (uint32_t i = 0; i < cases; ++i)
    {
        Simulator::Destroy();
        const auto topology = MakeTopology(fabrics[i % fabrics.size()]);
        const auto& graph = topology.graph;
        const auto domain = InstallDomain(topology, WithSoftware({{"StartUp", "2us"}}));
        if (i % 3 != 0)
        {
            const auto load = draw->GetValue(0.05, 0.5);
            StartTraffic(domain->GetFabric(), graph, load, "64", MilliSeconds(1), 10 + i);
        }
        auto hosts = MakeRange(graph.GetNHosts());
        Shuffle(hosts, *draw);
        hosts.resize(draw->GetInteger(1, graph.GetNHosts()));
        const auto window = draw->GetInteger(0, 4);
        const auto gap = MicroSeconds(draw->GetInteger(0, 20));
        // One after the other: compilers differ in which operand of + is drawn first.
        const auto& throttled = inner[draw->GetInteger(0, inner.size() - 1)];
        const auto& reduction = acks[draw->GetInteger(0, acks.size() - 1)];
        const auto name = "throttled[Inner=" + throttled + "|Window=" + std::to_string(window) +
                          "|Gap=" + std::to_string(gap.GetMicroSeconds()) + "us|Acks=" + reduction +
                          "]";
        const auto what = "case " + std::to_string(i) + ": " + name;
        constexpr uint32_t ROUNDS = 9;
        const Rounds rounds(domain, hosts, name, ROUNDS);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rounds.AreWhole(), true, what << ": every one, once");
        NS_TEST_EXPECT_MSG_EQ(rounds.begins.size(), ROUNDS, what);
        Holds(window == 0 || rounds.mostOutstanding <= window,
              what + ": " + std::to_string(rounds.mostOutstanding) + " outstanding");
        full += window > 1 && rounds.mostOutstanding == window;
        for (uint32_t round = 1; round < rounds.begins.size(); ++round)
        {
            Holds(rounds.begins[round] - rounds.begins[round - 1] >= gap,
                  what + ": gap before " + std::to_string(round));
        }
        rounds.broadcast->Release();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rounds.broadcast->IsReady(), false, what << ": released");
    }
    NS_TEST_EXPECT_MSG_EQ((full * 10 >= cases), true, "windows are used up: " << full);
}

TEST_CASE(ThrottleEdgesTestCase, "a throttled broadcast: refusals, release, use within others")
{
    const auto refusal = [](const std::string& name) {
        auto domain = MakeIdeal(4, MicroSeconds(1), MicroSeconds(1), MicroSeconds(1));
        return Refusal(
            [&] { CollectiveHelper::MakeBroadcast(name)->Create(domain, MakeRange(4)); });
    };
    Says(refusal("throttled[Inner=tree[Root=1]]"),
         "Inner is 'tree[Root=1]', where Root has no effect; use it beside Inner, as in "
         "throttled[Root=1]");
    Says(refusal("throttled[Acks=nothing]"), "nothing");
    const auto tooLong = refusal("throttled[Inner=hw-all|MessageBytes=100]");
    NS_TEST_EXPECT_MSG_EQ(tooLong.find("MessageBytes is 100"), 0, tooLong);
    NS_TEST_EXPECT_MSG_EQ(refusal("throttled[Root=3|MessageBytes=100]"), "accepted", "both");

    // Released as soon as all have left, before the root knows it.
    auto domain = MakeIdeal(8, MicroSeconds(5), MicroSeconds(1), MicroSeconds(1));
    const Rounds rounds(domain, MakeRange(8), "throttled[Window=3]", 4);
    bool isEarly = false;
    bool isReleased = false;
    Listen(rounds.broadcast, "Released", [&](Time) { isReleased = true; });
    for (uint32_t us = 1; us < 1000; ++us)
    {
        RunFor(MicroSeconds(us) - Simulator::Now());
        if (rounds.AreWhole())
        {
            rounds.broadcast->Release();
            isEarly = !isReleased;
            break;
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(isEarly, true, "acknowledgements were under way");
    NS_TEST_EXPECT_MSG_EQ(isReleased, true, "released in the end");

    // Members of one host, by flags.
    domain = MakeIdeal(3, MicroSeconds(5), MicroSeconds(1), MicroSeconds(1));
    const Rounds within(domain, {0, 0, 1, 2, 2, 2}, "smp[Inner=throttled[Window=2]]", 6);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(within.AreWhole(), true, "within smp");
}

TEST_CASE(ThrottleStudyTestCase,
          "broadcast-load: closed forms, and the same rows with two processes")
{
    const std::string asked =
        "topology=clos:ports=4,levels=2 broadcasts=tree[Tree=sequential] windows=0,1 "
        "gaps=0us,300us loads=0.2 rounds=12 startUp=4us receive=7us";
    const AskedStudy study("broadcast-load", asked);
    NS_TEST_ASSERT_MSG_EQ(study.GetNRows(), 8, "loads, gaps, windows");
    constexpr uint32_t HOSTS = 8;
    constexpr double LEAST = 1e-3; // us
    // Unthrottled, the root sends all the time; with a gap that is longer, it waits for that.
    NS_TEST_EXPECT_MSG_EQ_TOL(study.Get(0, "time_us"), 4.0 * (HOSTS - 1), LEAST, "sends");
    NS_TEST_EXPECT_MSG_EQ_TOL(study.Get(2, "time_us"), 300, LEAST, "gap");
    // With a window of 1 a broadcast is over before the next one begins.
    NS_TEST_EXPECT_MSG_EQ(study.Get(1, "outstanding"), 1, "window");
    NS_TEST_EXPECT_MSG_GT(study.Get(1, "time_us"), study.Get(1, "latency_us"), "acknowledged");
    NS_TEST_EXPECT_MSG_GT(study.Get(1, "held_us"), 0, "held back");
    NS_TEST_EXPECT_MSG_GT(study.Get(4, "traffic_us"), 0, "data");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(study.Get(0, "traffic_us")), true, "no data");
    const AskedStudy two("broadcast-load", asked, 2);
    NS_TEST_EXPECT_MSG_EQ(two.GetCsv(), study.GetCsv(), "two processes");
    for (std::size_t row = 0; row < study.GetNRows(); ++row)
    {
        for (const auto column : {"time_us", "latency_us", "held_us"})
        {
            NS_TEST_EXPECT_MSG_EQ(two.Get(row, column), study.Get(row, column), "exactly");
        }
    }
    const auto folder = CreateTempDirFilename("plots");
    const auto files = study.WritePlots(folder, "a-");
    NS_TEST_ASSERT_MSG_EQ(files.size(), 3, "times, latencies, data");
    for (const auto& name : files)
    {
        const auto text = ReadText(folder + "/" + name);
        Contains(text, "('1' 0, 'none' 1)", name);
        NS_TEST_EXPECT_MSG_NE(text.find("gap 300 us, load 0.2"), std::string::npos, name);
        const auto alone = text.find("gap 300 us, load 0'");
        NS_TEST_EXPECT_MSG_EQ((alone == std::string::npos), (name == files.back()), name);
    }
    const auto nothing = StudyRegistry::Make("broadcast-load")->MakePlots();
    NS_TEST_EXPECT_MSG_EQ(StudyPlot::Write(nothing, folder, "b-").size(), 0, "nothing");

    const auto refuses = [&](const std::string& more, const std::string& part) {
        Refuses([&] { AskedStudy("broadcast-load", "windows=0 rounds=12 " + more); }, part);
    };
    refuses("topology=clos:ports=4,levels=2 broadcasters=9", "expected 1 to");
    refuses("broadcasts=", "has no value; expected");
    // Tree worms that wait for each other for ever end the run, whatever the data traffic does.
    refuses("broadcasters=8 broadcasts=multicast loads=0.01 bytes=4kB", "deadlock");
    // So does traffic that the fabric does not take.
    refuses("broadcasters=8 broadcasts=tree loads=2", "more than the fabric takes");
}

ADD_CASES()
{
    AddQuick<ThrottleLawsTestCase>(25);
    AddExtensive<ThrottleLawsTestCase>(1500);
}

} // namespace
