// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-network-done", UNIT);

namespace
{

const auto SCHEDULERS = Words("Map List Heap Calendar PriorityQueue Wormhole");

/// A random group on a random fabric that sends messages of data and meets in a barrier by
/// Network-Done, and what a bystander sees who counts every message at both ends.
class NetworkDoneRun
{
  public:
    using Maker = std::function<Ptr<NetworkDoneBarrier>()>;

    /// @param scheduler name of the scheduler; empty: drawn
    NetworkDoneRun(uint32_t number, const Maker& maker, const std::string& scheduler = "")
    {
        StartAnew();
        m_rng = MakeRandom(1000 + number);
        const auto drawn = Dice(m_rng).Pick(SCHEDULERS);
        UseScheduler(scheduler.empty() ? drawn : scheduler);
        name = "run " + std::to_string(number) + ", " + (scheduler.empty() ? drawn : scheduler);
        DrawGroup(maker, DrawNetwork());
        Run();
    }

    ~NetworkDoneRun()
    {
        m_barrier->Dispose();
    }

    std::string name;            ///< what was drawn, for messages
    std::string trouble;         ///< the first thing that was wrong; empty: nothing was
    uint32_t nBusy{0};           ///< rounds with messages under way when the last member came
    uint32_t nRepeated{0};       ///< rounds with more sums than those of a quiet network
    std::vector<int64_t> leaves; ///< when members left, one after the other, in ns-3's time units

  private:
    void Run()
    {
        if (m_traffic)
        {
            m_traffic->Start();
        }
        RunFor(Seconds(1)); // a long message takes 1 ms in the shallowest buffers
        if (*std::min_element(m_left.begin(), m_left.end()) < m_nRounds)
        {
            Note("not all members leave: " + m_domain->ExplainMissing());
        }
        if (m_sent != m_taken || m_onWire != m_delivered)
        {
            Note("messages are missing in the end");
        }
    }

    uint32_t Draw(uint32_t most)
    {
        return m_rng->GetInteger(0, most);
    }

    /// Makes the fabric, its traffic and software. @return the most members it can have
    uint32_t DrawNetwork()
    {
        auto helper = WithSoftware({{"StartUp", Dice(m_rng).Pick(Words("0ns 100ns 2us"))},
                                    {"ReceiveOverhead", Draw(1) ? "0ns" : "700ns"},
                                    {"FlagTime", Draw(1) ? "0ns" : "50ns"}});
        if (Draw(3) == 0)
        {
            const StringValue jitter("ns3::UniformRandomVariable[Min=0|Max=2e-6]");
            helper.SetSoftwareAttribute("ReceiveJitter", jitter);
        }
        if (Draw(7) == 0)
        {
            m_domain = helper.InstallIdeal(8, NanoSeconds(Draw(20'000)));
            CollectiveHelper::AssignStreams(m_domain, 100);
            name += ", ideal";
            return 8;
        }
        WormholeHelper fabrics;
        const auto depth = Dice(m_rng).Pick<uint32_t>({0, 1, 8, 16, 3000});
        constexpr uint32_t ROUND_TRIP = 60; // flits, a little more than the default depth
        const auto rate = depth == 0 ? 1 : std::min(1.0, depth / (1.0 * ROUND_TRIP));
        m_isDeep = depth >= 16;
        fabrics.SetPortAttribute("BufferDepth", UintegerValue(depth));
        auto text = Dice(m_rng).Pick(Words(
            "torus:3x3 clos:ports=4 full:2,hosts=3 full:4,hosts=2 dragonfly:a=2,h=1,hosts=1"));
        if (Draw(2) > 0)
        {
            // One after the other: compilers differ in which operand of + is drawn first.
            const auto switches = 3 + Draw(5);
            const auto hosts = 2 + Draw(2 * switches);
            const auto stream = 1 + Draw(1'000'000);
            text = "irregular:parallel=yes,switches=" + std::to_string(switches) +
                   ",hosts=" + std::to_string(hosts) + ",stream=" + std::to_string(stream);
        }
        name += ", " + text;
        const auto topology = MakeTopology(text);
        const auto& graph = topology.graph;
        m_domain = InstallDomain(topology, helper, fabrics);
        const auto fabric = m_domain->GetFabric();
        CollectiveHelper::AssignStreams(m_domain, 100);
        if (Draw(1))
        {
            WormholeTrafficHelper traffic;
            const auto load = 0.02 * rate * (1 + Draw(7));
            traffic.SetAttribute("Load", DoubleValue(load));
            m_traffic = traffic.Install(fabric, graph, WormLength::Parse("bimodal:8:400:0.3"), 200);
            name += ", traffic " + std::to_string(load);
        }
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            Listen(fabric->GetHost(host)->GetPort(), "Delivered", [this](Ptr<const Worm> worm) {
                Deliver(worm);
            });
        }
        return graph.GetNHosts();
    }

    /// @return name of a barrier for counters or values @param isAdding whether it must ADD
    std::string DrawPart(bool isAdding)
    {
        std::vector<std::string> names{"butterfly", "tree", "tournament", "smp[Inner=butterfly]"};
        if (!isAdding)
        {
            names = Join(names, {"dissemination", "pairwise-exchange[Transport=rdma]"});
        }
        if (!m_domain->IsIdeal())
        {
            names.insert(names.end(), {"smp[Inner=hw-all]", "unicast"});
            if (m_isDeep) // messages for switches end there
            {
                names.emplace_back("smp[Inner=btin]");
            }
            if (!isAdding)
            {
                names.emplace_back("smp[Inner=hw-1]");
            }
        }
        return Dice(m_rng).Pick(names);
    }

    void DrawGroup(const Maker& maker, uint32_t nHosts)
    {
        const auto n = 1 + Draw(nHosts - 1);
        const auto hosts = InvariantChecker::DrawHosts(n, nHosts, 1 + Draw(1), m_rng);
        m_isCounting = Draw(1);
        m_answers = Draw(1);
        m_nRounds = 1 + Draw(2);
        m_nMessages = Draw(8);
        m_phase = Dice(m_rng).Pick<uint32_t>({200'000, 3'000'000, 30'000'000});
        const auto reduction = DrawPart(true);
        auto inner = DrawPart(false);
        if (m_isCounting && Draw(1))
        {
            inner = "none";
        }
        const std::string method = m_isCounting ? "counters" : "acks";
        name += ", " + std::to_string(hosts.size()) + " members, " + method + ", " +
                (m_isCounting ? reduction + ", " : "") + inner + (m_answers ? ", answers" : "");
        m_barrier = maker();
        SetAll(m_barrier, Text("Method=", method, "|Reduction=", reduction, "|Inner=", inner));
        m_barrier->SetAttribute("Answers", BooleanValue(m_answers));
        m_barrier->SetAttribute("Transport", StringValue(Draw(1) ? "rdma" : "sendrecv"));
        m_barrier->SetAttribute("CountBits", UintegerValue(Draw(1) ? 16 : 64));
        m_barrier->TraceConnectWithoutContext("Ready", MakeCallback(&NetworkDoneRun::Ready, this));
        m_barrier->TraceConnectWithoutContext("Leave", MakeCallback(&NetworkDoneRun::Leave, this));
        m_barrier->TraceConnectWithoutContext("Counted",
                                              MakeCallback(&NetworkDoneRun::Count, this));
        m_barrier->SetDataCallback(MakeCallback(&NetworkDoneRun::Take, this));
        m_entered.assign(hosts.size(), 0);
        m_left.assign(hosts.size(), 0);
        m_barrier->Create(m_domain, hosts);
    }

    void Ready(Time)
    {
        // Not at once: a group that is ready at its creation is still being made.
        for (uint32_t rank = 0; rank < m_entered.size(); ++rank)
        {
            Simulator::ScheduleNow(&NetworkDoneRun::Begin, this, rank);
        }
    }

    /// A member begins its next round: it will send some messages, then enter.
    void Begin(uint32_t rank)
    {
        uint32_t last = 0;
        for (auto left = m_entered.size() > 1 ? Draw(m_nMessages) : 0; left > 0; --left)
        {
            const auto time = Draw(m_phase);
            last = std::max(last, time);
            Simulator::Schedule(PicoSeconds(time), &NetworkDoneRun::Send, this, rank);
        }
        const auto rest = Draw(2) == 0 ? 0 : Draw(m_phase);
        Simulator::Schedule(PicoSeconds(last + rest), &NetworkDoneRun::Enter, this, rank);
    }

    void Send(uint32_t rank)
    {
        const auto n = m_barrier->GetNMembers();
        const auto to = (rank + 1 + Draw(n - 2)) % n;
        ++m_sent;
        m_onWire += !m_domain->IsIdeal() && m_barrier->GetHost(rank) != m_barrier->GetHost(to);
        m_barrier->Send(rank, to, 1 + Draw(Draw(9) == 0 ? 3000 : 60));
    }

    void Enter(uint32_t rank)
    {
        ++m_entered[rank];
        ++m_nEntered;
        nBusy += m_nEntered % m_entered.size() == 0 && m_sent > m_taken;
        m_barrier->Enter(rank, 0);
    }

    void Take(uint32_t to, uint32_t, uint32_t)
    {
        ++m_taken;
        const bool isInside = m_entered[to] > m_left[to];
        const auto n = Dice(m_rng).Pick<uint32_t>({0, 0, 0, 0, 0, 0, 1, 1, 2, 3}); // 0.7 on average
        for (uint32_t i = 0; i < n && (m_answers || !isInside); ++i)
        {
            Send(to);
        }
    }

    void Deliver(Ptr<const Worm> worm)
    {
        if (worm->GetKind() == Worm::MESSAGE)
        {
            const auto& message = static_cast<const HostMessageWorm&>(*worm).GetMessage();
            m_delivered += message.group == m_barrier->GetGroup() && !(message.tag >> 31);
        }
    }

    void Count(uint32_t rank, uint32_t nSums, bool done)
    {
        if (!done)
        {
            return;
        }
        nRepeated += nSums > (m_answers ? 2 : 1);
        if (nSums < (m_answers ? 2 : 1))
        {
            Note("too few sums");
        }
        if (m_nDone < m_entered[rank])
        {
            CheckDone("rank " + std::to_string(rank) + " counts");
        }
    }

    void Leave(uint32_t rank, uint64_t)
    {
        leaves.push_back(Simulator::Now().GetTimeStep());
        if (m_nDone == m_left[rank])
        {
            // The first one to leave: what others send later belongs to the next round.
            CheckDone("rank " + std::to_string(rank) + " leaves");
            ++m_nDone;
            if (*std::min_element(m_entered.begin(), m_entered.end()) < m_nDone)
            {
                Note("rank " + std::to_string(rank) + " leaves before all have come");
            }
        }
        ++m_left[rank];
        if (m_left[rank] < m_nRounds)
        {
            Simulator::ScheduleNow(&NetworkDoneRun::Begin, this, rank);
        }
        else if (m_traffic && *std::min_element(m_left.begin(), m_left.end()) == m_nRounds)
        {
            m_traffic->Stop();
        }
    }

    void CheckDone(const std::string& who)
    {
        if (m_sent != m_taken || m_onWire != m_delivered || m_barrier->GetNUnderWay() > 0)
        {
            Note(who + " while messages are under way: " + std::to_string(m_sent) + " sent, " +
                 std::to_string(m_taken) + " taken; of " + std::to_string(m_onWire) + " worms, " +
                 std::to_string(m_delivered) + " have arrived");
        }
    }

    void Note(const std::string& what)
    {
        if (trouble.empty())
        {
            trouble = name + ": " + what;
        }
    }

    Ptr<UniformRandomVariable> m_rng;  ///< random numbers
    Ptr<CollectiveDomain> m_domain;    ///< the network
    Ptr<WormholeTraffic> m_traffic;    ///< other traffic; null: none
    Ptr<NetworkDoneBarrier> m_barrier; ///< the barrier
    bool m_isDeep{false};              ///< whether buffers hold messages for switches
    bool m_isCounting{false};          ///< whether it counts
    bool m_answers{false};             ///< whether members answer
    uint32_t m_phase{0};               ///< most time between two actions, ps
    uint32_t m_nRounds{0};             ///< rounds
    uint32_t m_nMessages{0};           ///< most messages of a member in a round
    std::vector<uint32_t> m_entered;   ///< by rank
    std::vector<uint32_t> m_left;      ///< by rank
    uint32_t m_nEntered{0};            ///< entries of all
    uint32_t m_nDone{0};               ///< rounds that somebody has left
    uint64_t m_sent{0};                ///< messages sent
    uint64_t m_taken{0};               ///< messages taken
    uint64_t m_onWire{0};              ///< messages sent to another host
    uint64_t m_delivered{0};           ///< messages that have arrived at another host's port
};

Ptr<NetworkDoneBarrier>
MakeBarrier()
{
    return CreateObject<NetworkDoneBarrier>();
}

/// Mistaken: it believes the first sum, whatever it is.
class OneSumBarrier : public NetworkDoneBarrier
{
  private:
    bool IsDone(uint64_t, uint32_t) const override
    {
        return true;
    }
};

/// Mistaken: a sum of counters that were read at different times is enough, whoever may answer.
class OneTimeBarrier : public NetworkDoneBarrier
{
  private:
    bool IsDone(uint64_t sum, uint32_t) const override
    {
        return sum >> GetReceiptBits() == 0;
    }
};

} // namespace

/// Nobody leaves, nor concludes that it may, while a message is under way; and everybody leaves.
TEST_CASE_WITH(NetworkDoneRunsTestCase,
               (uint32_t first, uint32_t runs),
               std::to_string(runs) + " random runs from " + std::to_string(first))
{
    uint32_t busy = 0;
    uint32_t repeated = 0;
    for (auto number = first; number < first + runs; ++number)
    {
        const NetworkDoneRun run(number, MakeBarrier);
        NS_TEST_ASSERT_MSG_EQ(run.trouble, "", "Network-Done");
        busy += run.nBusy;
        repeated += run.nRepeated;
    }
    NS_TEST_EXPECT_MSG_GT(busy, runs / 4, "rounds with messages under way at the end");
    NS_TEST_EXPECT_MSG_GT(repeated, runs / 4, "members that had to count again");
}

static uint32_t
CountMistakes(const NetworkDoneRun::Maker& maker)
{
    return CountIf(MakeRange(300), [&](uint32_t number) {
        return NetworkDoneRun(number, maker).trouble.find("under way") != std::string::npos;
    });
}

TEST_CASE(MistakenBarriersTestCase, "Barriers that count once, or at one time, are found out")
{
    const auto nFound = CountMistakes([] { return CreateObject<OneSumBarrier>(); });
    NS_TEST_EXPECT_MSG_GT(nFound, 4, "the first sum is not enough");
    NS_TEST_EXPECT_MSG_EQ(CountMistakes(MakeBarrier), 0, "the barrier as it is");
}

/// Counters that are read at different times agree by chance while an answer is under way; those
/// who believe one sum leave, at 23.7 us, and others when it has arrived, at 30 us.
TEST_CASE(AnswersTestCase, "A sum of counters read at different times is not enough")
{
    Time left;             // when the first member left
    uint64_t underWay = 0; // messages under way then
    const auto run = [&](Ptr<NetworkDoneBarrier> owner) {
        const auto barrier = PeekPointer(owner);
        StartAnew();
        const auto domain = WithSoftware({{"StartUp", "0us"}}).InstallIdeal(4, MicroSeconds(10));
        SetAll(owner, "Answers=true|Reduction=hw-all|Inner=none");
        barrier->SetDataCallback(CallbackOf([=](uint32_t to, uint32_t, uint32_t bytes) {
            if (to == 0 && bytes == 9)
            {
                barrier->Send(0, 2, 8); // to one who is counted afterwards,
                barrier->Send(0, 3, 8); // and to one who is counted already
            }
            else if (to == 3)
            {
                barrier->Send(3, 0, 7);
            }
        }));
        Listen(owner, "Leave", [&, barrier](uint32_t rank, uint64_t) {
            if (rank == 0)
            {
                left = Simulator::Now();
                underWay = barrier->GetNUnderWay();
            }
        });
        barrier->Create(domain, {0, 1, 2, 3});
        barrier->Enter(0);
        barrier->Send(1, 0, 9);
        const std::vector<int64_t> entries{0, 15, 21, 15}; // us
        for (uint32_t rank = 1; rank < 4; ++rank)
        {
            Simulator::Schedule(MicroSeconds(entries[rank]), [=] { barrier->Enter(rank); });
        }
        Simulator::Run();
        barrier->Dispose();
    };
    run(CreateObject<OneTimeBarrier>());
    NS_TEST_EXPECT_MSG_EQ(left, NanoSeconds(23'700), "believes the first sum");
    NS_TEST_EXPECT_MSG_EQ(underWay, 1, "an answer is under way");
    run(MakeBarrier());
    // Sums are read at 21 us and then every 2.7 us: first without receipts before at 34.5 us.
    NS_TEST_EXPECT_MSG_EQ(left, NanoSeconds(21'000 + 6 * 2700), "adds again");
    NS_TEST_EXPECT_MSG_EQ(underWay, 0, "nothing is under way");
}

TEST_CASE(NetworkDoneSchedulersTestCase, "Runs are the same with any scheduler")
{
    for (uint32_t number = 0; number < 8; ++number)
    {
        std::vector<int64_t> leaves;
        for (const auto& scheduler : SCHEDULERS)
        {
            const NetworkDoneRun run(number, MakeBarrier, scheduler);
            leaves = leaves.empty() ? run.leaves : leaves;
            Same(run.leaves, leaves, run.name);
        }
    }
}

/// Number of sums and latency by closed forms, on an ideal network, where a message takes the
/// latency L and, besides, its sender's and receiver's software.
TEST_CASE(NetworkDoneTimesTestCase, "Number of sums and latency by closed forms")
{
    // Four members enter at once, after the first has sent messages to the second. software: what a
    // message costs its sender and its receiver each; wanted: until the last one leaves
    const auto check = [&](const std::string& name,
                           Time latency,
                           uint32_t nMessages,
                           Time wanted,
                           uint32_t nSums,
                           const std::string& what,
                           Time software = Time(0)) {
        StartAnew();
        const auto ps = InPs(software);
        const auto domain =
            WithSoftware({{"StartUp", ps}, {"ReceiveOverhead", ps}}).InstallIdeal(4, latency);
        const auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
        Time last;
        Listen(barrier, "Leave", [&](uint32_t, uint64_t) { last = Simulator::Now(); });
        barrier->Create(domain, {0, 1, 2, 3});
        for (uint32_t i = 0; i < nMessages; ++i)
        {
            barrier->Send(0, 1, 100);
        }
        EnterAll(*barrier);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(barrier->GetReceived(1), nMessages, "messages received");
        NS_TEST_EXPECT_MSG_EQ(last, wanted, what << ": latency");
        NS_TEST_EXPECT_MSG_EQ(barrier->GetNSums(0), nSums, what << ": sums");
        barrier->Dispose();
        Simulator::Destroy();
    };
    const auto add = NanoSeconds(2700);
    const auto andTime = NanoSeconds(2600);
    const auto interface = MicroSeconds(1); // AddOnNetwork::InterfaceTime
    const std::string counters = "network-done[Reduction=hw-all|Inner=none";
    const std::string acks = "network-done[Method=acks|Inner=hw-1";
    check(counters + "]", Time(0), 0, add, 1, "quiet");
    check(counters + "|Answers=true]", Time(0), 0, 2 * add, 2, "quiet, answers");
    const std::string both = "network-done[Reduction=hw-all|Inner=hw-1]";
    check(both, Time(0), 0, add + andTime, 1, "quiet, then a barrier");
    check(acks + "]", Time(0), 0, andTime, 0, "quiet, acknowledgements");
    for (const int64_t ns : {100, 2000, 2701, 10'000, 55'555, 100'000})
    {
        // Counters are read at 0, D, 2 D, ...: first after the message has come, at n D.
        const auto latency = NanoSeconds(ns);
        const auto what = std::to_string(ns) + " ns";
        const auto n = static_cast<uint32_t>((ns + 2699) / 2700);
        check(counters + "]", latency, 3, (n + 1) * add, n + 1, what);
        // One sum more: in that one, the receiver says that it has received something.
        check(counters + "|Answers=true]", latency, 3, (n + 2) * add, n + 2, what + ", answers");
        // The receiver's process is busy with the inner barrier's interface at first.
        const auto first = std::max(latency, interface);
        check(acks + "]", latency, 3, first + latency + andTime, 0, what + ", acknowledgements");
    }
    // A message there and an acknowledgement back, each with a send and a receive.
    const auto software = MicroSeconds(2);
    const auto latency = MicroSeconds(7);
    check(acks + "]", latency, 1, 2 * (2 * software + latency) + andTime, 0, "software", software);
}

TEST_CASE(NetworkDoneInterruptTestCase, "Messages of data interrupt processes that compute")
{
    // Returns when a message was taken. progress: of the receiver, which computes for 50 us
    const auto run = [](const std::string& progress) {
        StartAnew();
        const auto costs = "StartUp=0us|ReceiveOverhead=2us|InterruptTime=3us|Progress=";
        const auto domain =
            WithSoftware(Attributes(costs + progress)).InstallIdeal(2, MicroSeconds(10));
        const auto barrier = CreateObject<NetworkDoneBarrier>();
        Time received;
        Listen(barrier, "Received", [&](uint32_t, uint32_t, uint32_t, Time) {
            received = Simulator::Now();
        });
        barrier->Create(domain, {0, 1});
        barrier->GetSoftware(1).Compute(0, MicroSeconds(50));
        barrier->Send(0, 1, 20);
        Simulator::Run();
        barrier->Dispose();
        return received;
    };
    NS_TEST_EXPECT_MSG_EQ(run("interrupt"), MicroSeconds(10 + 3 + 2), "interrupted");
    NS_TEST_EXPECT_MSG_EQ(run("in-call"), MicroSeconds(50 + 2), "waits");
    NS_TEST_EXPECT_MSG_EQ(run("independent"), MicroSeconds(10 + 2), "by an engine");
}

TEST_CASE(NetworkDoneLawsTestCase, "The laws of barriers hold")
{
    for (const auto& name : Words(
             "network-done network-done[Method=acks] "
             "network-done[Answers=true|Reduction=tree|Inner=btin] "
             "network-done[Reduction=hw-all|Inner=hw-all] network-done[Reduction=btin|Inner=btin] "
             "network-done[Method=acks|Answers=true|Inner=tournament]"))
    {
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check("barrier", name, 20), "", name);
    }
}

TEST_CASE(NetworkDoneGroupsTestCase, "Several groups, release and disposal with messages under way")
{
    for (const std::string method : {"counters", "acks"})
    {
        StartAnew();
        const auto domain = InstallDomain(DrawFabric(6, 12));
        uint32_t nReleased = 0;
        uint64_t nUnderWay = 0; // when groups were released
        std::vector<Ptr<NetworkDoneBarrier>> barriers;
        for (uint32_t i = 0; i < 3; ++i)
        {
            barriers.push_back(CreateObject<NetworkDoneBarrier>());
            barriers[i]->SetAttribute("Method", StringValue(method));
            Listen(barriers[i], "Released", [&, barrier = PeekPointer(barriers[i])](Time) {
                ++nReleased;
                nUnderWay += barrier->GetNUnderWay();
            });
            barriers[i]->Create(domain, {i, 4, 8, 11});
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                barriers[i]->Send(rank, (rank + 1 + i) % 4, 500);
                barriers[i]->Enter(rank);
            }
        }
        Simulator::Run();
        for (auto& barrier : barriers)
        {
            NS_TEST_EXPECT_MSG_EQ(barrier->GetSent(2), 1, "each group has counters of its own");
            NS_TEST_EXPECT_MSG_EQ(barrier->GetReceived(2), 1, "and receives its own");
            barrier->Send(1, 2, 5000);
            barrier->Release();
        }
        NS_TEST_EXPECT_MSG_EQ(nReleased, 0, "not while a message is under way");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nReleased, 3, "then all are");
        NS_TEST_EXPECT_MSG_EQ(nUnderWay, 0, "with nothing under way");
        barriers[0]->Create(domain, {0, 1});
        barriers[0]->Send(0, 1, 5000);
        Simulator::Schedule(NanoSeconds(10), &Object::Dispose, barriers[0]);
        RunFor(NanoSeconds(20));
    }
}

TEST_CASE(NetworkDoneRefusalsTestCase, "What can't be is refused")
{
    const auto domain = CollectiveHelper().InstallIdeal(4, MicroSeconds(1));
    const auto make = [&](const std::string& name) {
        const auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
        barrier->Create(domain, {0, 1, 2, 3});
        return barrier;
    };
    Refuses([&] { make("network-done[Method=guess]"); }, "guess");
    Refuses([&] { make("network-done[Method=acks|Inner=none]"); }, "expected a barrier");
    Refuses([&] { make("network-done[Inner=nothing]"); }, "there is no barrier 'nothing'");
    Refuses([&] { make("network-done[Reduction=hw-1]"); }, "AND");
    Refuses([&] { make("network-done[Reduction=tree[Operation=MAX]]"); },
            "Operation has no effect");
    Refuses([&] { make("network-done[Answers=true|CountBits=3]"); }, "expected 4 to 64");
    auto barrier = make("network-done[Inner=none]");
    Refuses([&] { barrier->Send(0, 0, 10); }, "two different ranks of 0 to 3");
    Refuses([&] { barrier->Send(0, 4, 10); }, "to rank 4");
    Refuses([&] { barrier->Send(0, 1, 0); }, "expected 1 to 2147483647 bytes");
    Refuses([&] { barrier->Enter(1, 1); }, "expected 0");
    barrier->Enter(0);
    Refuses([&] { barrier->Send(0, 1, 10); }, "expected before it enters");
    barrier = make("network-done[Answers=true]");
    barrier->Enter(0);
    Refuses([&] { barrier->Send(0, 1, 10); }, "expected answers");
    barrier = make("network-done[CountBits=2]");
    barrier->Send(0, 1, 10);
    barrier->Send(0, 1, 10);
    barrier->Send(2, 1, 10);
    // A fourth would sum up to 0 in two bits.
    Refuses([&] { barrier->Send(2, 1, 10); }, "3 messages are under way");
}

ADD_CASES()
{
    constexpr uint32_t QUICK_RUNS = 80;
    constexpr uint32_t ALL_RUNS = 10'000;
    AddQuick<NetworkDoneRunsTestCase>(0, QUICK_RUNS);
    AddExtensive<NetworkDoneRunsTestCase>(QUICK_RUNS, ALL_RUNS - QUICK_RUNS);
}
