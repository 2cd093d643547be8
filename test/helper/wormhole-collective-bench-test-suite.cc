// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/traffic-record.h"

#include <queue>

using namespace ns3;

SUITE("wormhole-collective-bench", UNIT);

namespace
{

const std::vector<uint32_t> HOSTS{5, 0, 3, 9};

/// @return a fabric of 16 hosts. It ends the simulation before.
Ptr<CollectiveDomain>
MakeTorus()
{
    StartAnew();
    return InstallDomain(MakeTopology("torus:4x4"));
}

Ptr<Collective>
MakeTotal(const std::string& name, const std::string& operation)
{
    auto total = CollectiveHelper::MakeCollective("allreduction", name);
    SetAll(total, "WidthBits=32|Operation=" + operation);
    return total;
}

TEST_CASE_WITH(CollectiveBenchRoundsTestCase, (const std::string& name), "Rounds of " + name)
{
    CollectiveBench bench(MakeTotal(name, "ADD"), MakeTorus(), HOSTS);
    NS_TEST_EXPECT_MSG_EQ(bench.GetLeaves().size(), HOSTS.size(), "a time for each");
    const auto first = bench.Cross({}, {1, 10, 100, 1000});
    NS_TEST_EXPECT_MSG_GT(first, Time(), "a round takes time");
    Same(bench.GetResults(), std::vector<uint64_t>(HOSTS.size(), 1111), "the sum, with everybody");
    const auto& leaves = bench.GetLeaves();
    Equals(first, Greatest(leaves), "from the start, when all come then, until the last one left");
    const auto began = Simulator::Now();
    NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), first, "the same again");
    NS_TEST_EXPECT_MSG_GT(Simulator::Now(), began + first, "time goes on");
    NS_TEST_EXPECT_MSG_EQ(bench.GetResults()[0], 0, "of the last round");

    const auto late = MicroSeconds(500);
    const auto waited = bench.Cross({Time(), Time(), late, Time()}, {});
    NS_TEST_EXPECT_MSG_LT_OR_EQ(waited, first, "from the last arrival on");
    for (const auto& leave : bench.GetLeaves())
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(leave, late, "nobody leaves before everybody came");
    }
    // A group that needed messages to be set up needs some to be ended.
    const auto ended = bench.Dissolve();
    NS_TEST_EXPECT_MSG_EQ(ended.IsStrictlyPositive(),
                          bench.GetSetup().IsStrictlyPositive(),
                          "set up in " << bench.GetSetup() << ", ended in " << ended);
}

TEST_CASE(CollectiveBenchGroupsTestCase, "Groups one after the other")
{
    const auto domain = MakeTorus();
    Time setUp;
    for (uint32_t i = 0; i < 300; ++i) // more than a switch has registers
    {
        CollectiveBench bench(MakeTotal("btin", "MAX"), domain, HOSTS);
        NS_TEST_ASSERT_MSG_GT(bench.GetSetup(), Time(), "registers are set up by messages");
        NS_TEST_ASSERT_MSG_EQ((i == 0 || bench.GetSetup() == setUp), true, "as before");
        setUp = bench.GetSetup();
        bench.Cross({}, {i, 0, 0, 7});
        NS_TEST_ASSERT_MSG_EQ(bench.GetResults()[1], std::max<uint32_t>(i, 7), "the greatest");
        bench.Dissolve();
    }
}

TEST_CASE(CollectiveBenchRefusalsTestCase, "What is refused")
{
    CollectiveBench bench(MakeTotal("dissemination", "MAX"), MakeTorus(), HOSTS);
    const auto before = bench.Cross({}, {});
    const auto now = Simulator::Now();
    Refuses([&] { bench.Cross({Time()}, {}); },
            "1 arrivals for 4 members; expected one for each, or none");
    Refuses([&] { bench.Cross({}, {1, 2, 3, 4, 5}); },
            "5 values for 4 members; expected one for each, or none");
    Refuses([&] { bench.Cross({Time(), Time(), Time(), NanoSeconds(-1)}, {}); },
            "a member cannot arrive before now; expected times from 0 on");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), now, "nothing was run");
    NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), before, "and all is as it was");
    Refuses([&] { bench.Cross({}, {1ULL << 32, 0, 0, 0}); },
            "which has more than 32 bits (Collective::WidthBits)");

    const auto other = MakeTorus();
    Refuses([&] { CollectiveBench(MakeTotal("btin", "MAX"), other, {}); },
            "a group has no member; expected one or more");
    Refuses([&] { CollectiveBench(MakeTotal("btin", "MAX"), other, {1, 99}); }, "99");
    const auto total = MakeTotal("dissemination", "ADD");
    Refuses([&] { CollectiveBench(total, other, {0, 1, 2}); }, "powers of two");
    // Refused, it has left the collective's traces: with another group, it serves another.
    CollectiveBench again(total, other, HOSTS);
    NS_TEST_EXPECT_MSG_GT(again.Cross({}, {}), Time(), "a round");
}

ADD_CASES()
{
    AddQuickEach<CollectiveBenchRoundsTestCase>(Words("btin hw-all dissemination tree[Tree=fibo]"));
}

SUITE("wormhole-message-bench", UNIT);

struct Costs
{
    int64_t s{0};        ///< start-up, ps
    int64_t r{0};        ///< receive overhead, ps
    int64_t flight{0};   ///< of a message, ps
    int64_t gap{0};      ///< between messages of an interface, ps
    uint64_t out{0};     ///< rate of sending, bit/s; 0: length costs nothing
    uint64_t in{0};      ///< rate of taking, bit/s; 0: length costs nothing
    uint64_t limit{~0U}; ///< longest message without handshake, bytes

    int64_t Send(uint64_t bytes) const
    {
        return s + GetLengthPs(bytes, out);
    }

    int64_t Take(uint64_t bytes) const
    {
        return r + GetLengthPs(bytes, in);
    }

    CollectiveHelper MakeHelper() const
    {
        return WithSoftware({{"StartUp", InPs(s)},
                             {"ReceiveOverhead", InPs(r)},
                             {"MessageGap", InPs(gap)},
                             {"SendDataRate", std::to_string(out) + "bps"},
                             {"ReceiveDataRate", std::to_string(in) + "bps"},
                             {"EagerLimit", std::to_string(limit)}});
    }

    Ptr<CollectiveDomain> MakeIdeal(uint32_t hosts) const
    {
        return MakeHelper().InstallIdeal(hosts, PicoSeconds(flight));
    }
};

} // namespace

TEST_CASE(MessageBenchCostsTestCase, "Ping-pong and windows of messages: closed forms")
{
    auto draw = MakeRandom(71);
    for (uint32_t i = 0; i < 200; ++i)
    {
        Costs costs;
        costs.s = draw->GetInteger(1, 9999);
        costs.r = draw->GetInteger(0, 9999);
        costs.gap = draw->GetInteger(0, 19999);
        costs.flight = draw->GetInteger(20000, 29999);
        costs.out = draw->GetInteger(0, 3) == 0 ? 0 : draw->GetInteger(1000000, 2000000000);
        costs.in = draw->GetInteger(0, 3) == 0 ? 0 : draw->GetInteger(1000000, 2000000000);
        const uint64_t bytes = draw->GetInteger(1, 9999);
        const bool isEager = draw->GetInteger(0, 1) == 0;
        costs.limit = isEager ? bytes : bytes - 1;
        const uint32_t window = draw->GetInteger(1, 64);
        const uint32_t rounds = draw->GetInteger(1, 4);
        auto domain = costs.MakeIdeal(2);
        MessageBench bench(domain, 1, 0);

        // A message; before it, without leave to go at once, a request and its answer, which
        // cost what messages without length do. The gap is shorter than a flight.
        const auto message = costs.Send(bytes) + costs.flight + costs.Take(bytes);
        const auto oneWay = message + (isEager ? 0 : 2 * (costs.s + costs.flight + costs.r));
        NS_TEST_EXPECT_MSG_EQ(bench.PingPong(bytes, rounds),
                              PicoSeconds(2 * rounds * oneWay),
                              "case " << i << ": to and fro");

        if (isEager || bytes > MessageBench::ANSWER_BYTES)
        {
            costs.limit = ~0U;
            auto eager = costs.MakeIdeal(2);
            // One message follows the other after what takes longest: the sender's part, the
            // gap, or the receiver's part. Then comes the answer.
            const auto answer = costs.Send(MessageBench::ANSWER_BYTES) + costs.flight +
                                costs.Take(MessageBench::ANSWER_BYTES);
            const auto period = std::max({costs.Send(bytes), costs.gap, costs.Take(bytes)});
            NS_TEST_EXPECT_MSG_EQ(MessageBench(eager, 0, 1).Stream(bytes, window, rounds),
                                  PicoSeconds(rounds * (message + (window - 1) * period + answer)),
                                  "case " << i << ": a window");
            eager->Dispose();
        }
        domain->Dispose();
        Simulator::Destroy();
    }
}

TEST_CASE(MessageBenchCableTestCase, "A window of messages: the cables' rate")
{
    auto domain = InstallDomain(MakeTopology("torus:4x4"), Costs{100000}.MakeHelper());
    MessageBench bench(domain, 0, 5);
    // A message of 1,000 bytes takes a cable much longer than the 100 ns that its sender needs
    // for the next; each more of them costs the window its flits' times, 6.25 ns each.
    const uint64_t bytes = 1000;
    const auto flits = static_cast<int64_t>(domain->GetFabric()->GetFlits(bytes));
    const auto more = bench.Stream(bytes, 64, 1) - bench.Stream(bytes, 32, 1);
    NS_TEST_EXPECT_MSG_EQ(more, PicoSeconds(32 * flits * 6250), "32 messages more");
    NS_TEST_EXPECT_MSG_EQ(bench.PingPong(bytes, 3), bench.PingPong(bytes, 1) * 3, "steady");
    domain->Dispose();
}

TEST_CASE(MessageBenchLoopTestCase, "Collectives back to back, and refusals")
{
    const Costs costs{1700, 900, 333};
    auto domain = costs.MakeIdeal(8);
    {
        // All go in step: three times a send, a flight and a receive, each barrier anew.
        CollectiveBench bench(CollectiveHelper::MakeBarrier("dissemination"), domain, MakeRange(8));
        for (const uint32_t warmUp : {0, 3})
        {
            for (const auto& time : bench.CrossInLoop(warmUp, 5))
            {
                NS_TEST_EXPECT_MSG_EQ(time, PicoSeconds(5 * 3 * (1700 + 333 + 900)), "5");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), PicoSeconds(3 * 2933), "one alone");
        Refuses([&] { bench.CrossInLoop(1, 0); }, "expected 1");
    }
    MessageBench bench(domain, 2, 3);
    const auto refuses =
        [&](const std::string& what, uint64_t bytes, uint32_t window, uint32_t rounds) {
            const auto error = ErrorOf([&] { bench.Stream(bytes, window, rounds); });
            NS_TEST_EXPECT_MSG_EQ(error.rfind(what, 0), 0, error);
        };
    refuses("0 bytes of a message: expected 1 to 2147483647", 0, 1, 1);
    refuses("2147483648 bytes of a message: expected", 1ULL << 31, 1, 1);
    refuses("0 messages of a window: expected 1 to 65536", 1, 0, 1);
    refuses("0 rounds: expected 1 to 100000", 1, 1, 0);
    domain->Dispose();
}

SUITE("wormhole-load-statistics", UNIT);

TEST_CASE(WarmUpTestCase, "Warm-up is found where it ends, and where it does not")
{
    FixRandomNumbers();
    const auto noise = MakeRandom(1);
    uint32_t kept = 0;
    for (int i = 0; i < 50; ++i)
    {
        std::vector<double> steady;
        std::vector<double> step;
        std::vector<double> decay;
        std::vector<double> trend;
        for (int t = 0; t < 400; ++t)
        {
            const auto random = noise->GetValue(-1, 1);
            steady.push_back(10 + random);
            step.push_back(10 + random - (t < 100 ? 3 : 0));
            decay.push_back(10 + random + 20 * std::exp(-t / 20.0));
            trend.push_back(10 + random + t * 0.05);
        }
        const WarmUp none(steady);
        kept += none.HasEnded() && none.GetLength() < 100;
        const WarmUp sharp(step);
        NS_TEST_EXPECT_MSG_EQ(sharp.HasEnded(), true, "a step ends");
        Holds(sharp.GetLength() >= 98 && sharp.GetLength() < 200,
              "a step at 100 is found at " + std::to_string(sharp.GetLength()));
        const WarmUp soft(decay);
        Holds(soft.HasEnded() && soft.GetLength() >= 40,
              "a decay by 20 e^(-t/20) ends at " + std::to_string(soft.GetLength()));
        NS_TEST_EXPECT_MSG_EQ(WarmUp(trend).HasEnded(), false, "a trend does not end");
        NS_TEST_EXPECT_MSG_EQ(WarmUp(trend).GetLength(), 200, "half of it is dropped");
    }
    NS_TEST_EXPECT_MSG_GT(kept, 40, "little is dropped of what is steady");
    NS_TEST_EXPECT_MSG_EQ(WarmUp(std::vector<double>(30, 0.1)).GetLength(), 0, "constant");
    NS_TEST_EXPECT_MSG_EQ(WarmUp({}).HasEnded(), false, "nothing");
}

/// Flits of a worm, of which each takes a unit of time.
constexpr int64_t SERVICE = 100;

/// @return record of queues that are served on their own @param worms about as many worms of all
static TrafficRecord
Serve(const std::vector<double>& loads, uint64_t worms, Ptr<UniformRandomVariable> random)
{
    // Next arrival or departure: negative time first, source, and whether it is a departure.
    using Event = std::tuple<int64_t, uint32_t, int64_t>;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
    std::vector<int64_t> freeAt(loads.size());
    TrafficRecord record(loads.size(), loads.size(), worms / 256);
    const auto gap = [&](uint32_t source) {
        return static_cast<int64_t>(-std::log(1 - random->GetValue(0, 1)) * SERVICE /
                                    loads[source]);
    };
    for (uint32_t source = 0; source < loads.size(); ++source)
    {
        events.emplace(gap(source), source, 0);
    }
    while (record.GetNBins() < 256)
    {
        const auto [now, source, latency] = events.top();
        events.pop();
        if (latency > 0)
        {
            record.AddDelivered(source, SERVICE, latency);
            continue;
        }
        record.AddGenerated(source, SERVICE, now);
        freeAt[source] = std::max(freeAt[source], now) + SERVICE;
        events.emplace(freeAt[source], source, freeAt[source] - now);
        events.emplace(now + gap(source), source, 0);
    }
    return record;
}

/// @return what is found of latencies that are high and low in turns, by 100 in blocks of bins,
/// and by 200 in single bins @param block bins that a block has
static TrafficRecord::Summary
Alternate(int64_t block)
{
    constexpr int64_t WORMS = 10; // in a bin
    TrafficRecord record(1, 1, WORMS);
    record.AddGenerated(0, 1, 0);
    for (int64_t i = 1; i < 256 * WORMS; ++i)
    {
        const auto bin = i / WORMS;
        const auto swing = 100 * (bin / block % 2 ? 1 : -1) + 200 * (bin % 2 ? 1 : -1);
        record.AddDelivered(0, 1, 1000 + swing);
        record.AddGenerated(0, 1, i);
    }
    return record.Summarize(1);
}

TEST_CASE(TrafficRecordTestCase, "Latency, intervals and growth of queues of known latency")
{
    FixRandomNumbers();
    const auto random = MakeRandom(1);
    const double load = 0.6;
    const auto expected = SERVICE * (1 + load / 2 / (1 - load));
    uint32_t covered = 0;
    double width = 0;
    constexpr uint32_t TRIALS = 200;
    for (uint32_t i = 0; i < TRIALS; ++i)
    {
        const auto found = Serve({load, load, load, load}, 20000, random).Summarize(1);
        NS_TEST_EXPECT_MSG_EQ(found.settled, true, "warm-up");
        NS_TEST_EXPECT_MSG_EQ_TOL(found.offered, load, 0.03, "offered load");
        NS_TEST_EXPECT_MSG_EQ_TOL(found.accepted, found.offered, 0.01, "accepted load");
        covered += std::abs(found.latency - expected) <= found.latencyCi95;
        width += found.latencyCi95 / TRIALS;
    }
    NS_TEST_EXPECT_MSG_GT(covered, TRIALS * 85 / 100, "intervals miss the mean too often");
    NS_TEST_EXPECT_MSG_LT(width, 0.05 * expected, "intervals are too wide");

    const auto over = Serve({1.25, 1.25}, 50000, random).Summarize(1);
    NS_TEST_EXPECT_MSG_EQ_TOL(over.accepted, 1, 0.01, "a queue accepts what it serves");
    NS_TEST_EXPECT_MSG_EQ_TOL(over.growth, 0.2, 0.02, "and grows by the rest");
    NS_TEST_EXPECT_MSG_GT(over.growth, over.growthCi95, "beyond doubt");

    std::vector<double> loads(100, 0.3);
    loads[42] = 1.2; // its queue grows by a third of what sources make on the average
    const auto one = Serve(loads, 200000, random).Summarize(1);
    NS_TEST_EXPECT_MSG_LT(one.growth, 0.01, "one of a hundred is not much");
    NS_TEST_EXPECT_MSG_EQ_TOL(one.worstGrowth, 0.2 / 0.309, 0.1, "but it is found");
    NS_TEST_EXPECT_MSG_GT(one.worstGrowth, one.worstGrowthCi95, "beyond doubt");

    // Latencies that stay high or low for a while make batches as long as that independent.
    const auto sixteen = Alternate(32);
    NS_TEST_EXPECT_MSG_EQ(sixteen.independent, true, "sixteen batches are independent");
    NS_TEST_EXPECT_MSG_EQ_TOL(sixteen.latencyCi95, 2.131 * 103.3 / 4, 2, "sixteen batches");
    NS_TEST_EXPECT_MSG_EQ(Alternate(128).independent, false, "all batches are too short");

    TrafficRecord record(1, 1, 100);
    for (int64_t i = 1; i <= 1000; ++i)
    {
        record.AddGenerated(0, 1, 10 * i);
        record.AddDelivered(0, 1, 1 + (i * 7) % 100);
    }
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(10).latency99, 99, "99 % of 1 to 100");
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(10).offered, 1, "a flit each flit time");
}
