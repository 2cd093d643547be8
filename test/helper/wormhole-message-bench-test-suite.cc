/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-bench.h"
#include "ns3/data-rate.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-message-bench.h"

using namespace ns3;

namespace
{

/// What the software of a host costs.
struct Costs
{
    int64_t s{0};        ///< start-up, ps
    int64_t r{0};        ///< receive overhead, ps
    int64_t flight{0};   ///< of a message, ps
    int64_t gap{0};      ///< between messages of an interface, ps
    uint64_t out{0};     ///< rate of sending, bit/s; 0: length costs nothing
    uint64_t in{0};      ///< rate of taking, bit/s; 0: length costs nothing
    uint64_t limit{~0U}; ///< longest message without handshake, bytes

    /// @return how long a send keeps its process busy, ps
    int64_t Send(uint64_t bytes) const
    {
        return s + Length(bytes, out);
    }

    /// @return how long a message keeps its receiver busy, ps
    int64_t Take(uint64_t bytes) const
    {
        return r + Length(bytes, in);
    }

    /// @return 8 b / rate in ps, half up @param rate in bit/s
    static int64_t Length(uint64_t bytes, uint64_t rate)
    {
        constexpr uint64_t PS = 1000000000000;
        return rate == 0 ? 0 : static_cast<int64_t>((16 * bytes * PS + rate) / (2 * rate));
    }

    /// @return a helper of such software
    CollectiveHelper MakeHelper() const
    {
        CollectiveHelper helper;
        const auto set = [&](const std::string& name, const std::string& value) {
            helper.SetSoftwareAttribute(name, StringValue(value));
        };
        set("StartUp", std::to_string(s) + "ps");
        set("ReceiveOverhead", std::to_string(r) + "ps");
        set("MessageGap", std::to_string(gap) + "ps");
        set("SendDataRate", std::to_string(out) + "bps");
        set("ReceiveDataRate", std::to_string(in) + "bps");
        set("EagerLimit", std::to_string(limit));
        return helper;
    }

    Ptr<CollectiveDomain> MakeIdeal(uint32_t hosts) const
    {
        return MakeHelper().InstallIdeal(hosts, PicoSeconds(flight));
    }
};

} // namespace

SIMULATION_TEST_CASE(MessageBenchCostsTestCase, "Ping-pong and windows of messages: closed forms")
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

/// A window whose messages the cables hold up: bandwidth is theirs.
SIMULATION_TEST_CASE(MessageBenchCableTestCase, "A window of messages: the cables' rate")
{
    const auto topology = MakeTopology("torus:4x4");
    WormholeHelper fabrics;
    fabrics.SetRouter(topology.router);
    Costs costs;
    costs.s = 100000;
    auto domain = costs.MakeHelper().Install(fabrics.Install(topology.graph), topology.graph);
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

SIMULATION_TEST_CASE(MessageBenchLoopTestCase, "Collectives back to back, and refusals")
{
    Costs costs;
    costs.s = 1700;
    costs.r = 900;
    costs.flight = 333;
    auto domain = costs.MakeIdeal(8);
    const std::vector<uint32_t> hosts{0, 1, 2, 3, 4, 5, 6, 7};
    {
        // All go in step: three times a send, a flight and a receive, each barrier anew.
        CollectiveBench bench(CollectiveHelper::MakeCollective("barrier", "dissemination"),
                              domain,
                              hosts);
        for (const uint32_t warmUp : {0, 3})
        {
            const auto times = bench.CrossInLoop(warmUp, 5);
            for (const auto& time : times)
            {
                NS_TEST_EXPECT_MSG_EQ(time, PicoSeconds(5 * 3 * (1700 + 333 + 900)), "5");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Cross({}, {}), PicoSeconds(3 * 2933), "one alone");
        NS_TEST_EXPECT_MSG_NE(ErrorOf([&] { bench.CrossInLoop(1, 0); }).find("expected 1"),
                              std::string::npos,
                              "no round");
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

/// Messages between two processes, measured as benchmarks of MPI do.
static ListedTestSuite g_wormholeMessageBenchTestSuite("wormhole-message-bench",
                                                       {new MessageBenchCostsTestCase,
                                                        new MessageBenchCableTestCase,
                                                        new MessageBenchLoopTestCase});
