// SPDX-License-Identifier: GPL-2.0-only

// Gathers, scatters, all-gathers, reduce-scatters, all-to-alls and scans: how long they take on the
// ideal network, and how many messages of how many bytes they send, by the literature's formulas.

#include "../ideal-data-run.h"

using namespace ns3;

SUITE("wormhole-data-exchange-formulas", UNIT);

namespace
{

const IdealCosts EXCHANGE_COSTS{3000, 2, 1500, 1, 0.5, 7000, 250, 4};

/// A time by a formula: of costs, members and Bytes.
using ExchangeFormula = std::function<double(const IdealCosts&, double, double)>;

using ExchangeCount = std::function<double(uint32_t)>;

struct ExchangeAlgorithm
{
    DataKind kind;          ///< what it does
    std::string name;       ///< its name
    ExchangeFormula time;   ///< for powers of two
    ExchangeCount messages; ///< of all members
    ExchangeCount bytes;    ///< of all members, by the attribute Bytes
    bool powersOfTwo; ///< whether the counts are for powers of two only; else for even numbers
};

/// @return the time of log2 n steps that move a part of each other member in all @param m bytes of
/// a part
double
DoublingTime(const IdealCosts& c, double n, double m)
{
    return CeilLog2(n) * c.Alpha() + (n - 1) * c.Beta() * m;
}

double
StepsTime(const IdealCosts& c, double n, double m)
{
    return (n - 1) * (c.Alpha() + c.Beta() * m);
}

double
ReducingStepsTime(const IdealCosts& c, double n, double m)
{
    return (n - 1) * (c.Alpha() + (c.Beta() + c.c) * m / n);
}

double
HalvingTime(const IdealCosts& c, double n, double m)
{
    return CeilLog2(n) * c.Alpha() + (n - 1) * (c.Beta() + c.c) * m / n;
}

double
DoublingScanTime(const IdealCosts& c, double n, double m)
{
    return CeilLog2(n) * (c.Alpha() + c.Beta() * m) + (2 * CeilLog2(n) - 1) * c.c * m;
}

std::vector<ExchangeAlgorithm>
ListExchanges()
{
    const auto linearGather = [](const IdealCosts& c, double n, double m) {
        return c.Send(m) + c.latency + (n - 1) * c.Take(m);
    };
    const auto linearScatter = [](const IdealCosts& c, double n, double m) {
        return (n - 1) * c.Send(m) + c.latency + c.Take(m);
    };
    const auto linearExchange = [](const IdealCosts& c, double n, double m) {
        const auto send = c.Send(m);
        const auto take = c.Take(m);
        return std::max({(n - 1) * (send + take),
                         (n - 1) * send + c.latency + take,
                         send + c.latency + (n - 1) * take});
    };
    const auto neighbours = [](const IdealCosts& c, double n, double m) {
        return n / 2 * c.Alpha() + (n - 1) * c.Beta() * m;
    };
    const auto bruckExchange = [](const IdealCosts& c, double n, double m) {
        return CeilLog2(n) * (c.Alpha() + c.Beta() * n * m / 2);
    };
    const auto chain = [](const IdealCosts& c, double n, double m) {
        return (n - 1) * (c.Alpha() + (c.Beta() + c.c) * m);
    };
    const auto hillisSteele = [](const IdealCosts& c, double n, double m) {
        return CeilLog2(n) * (c.Alpha() + (c.Beta() + c.c) * m);
    };
    const auto pairs = [](uint32_t n) { return double(n) * (n - 1); };
    const auto others = [](uint32_t n) { return n - 1.0; };
    const auto logs = [](uint32_t n) { return double(n) * CeilLog2(n); };
    const auto halfLogs = [logs](uint32_t n) { return logs(n) / 2; };
    const auto halfSquares = [](uint32_t n) { return double(n) * n / 2; };
    const auto bruckBytes = [logs](uint32_t n) { return logs(n) * n / 2; };
    const auto fewerLogs = [logs](uint32_t n) { return logs(n) - (n - 1); };
    return {
        {DataKind::GATHER, "linear", linearGather, others, others, false},
        {DataKind::GATHER, "binomial", DoublingTime, others, halfLogs, true},
        {DataKind::SCATTER, "linear", linearScatter, others, others, false},
        {DataKind::SCATTER, "binomial", DoublingTime, others, halfLogs, true},
        {DataKind::ALL_GATHER, "ring", StepsTime, pairs, pairs, false},
        {DataKind::ALL_GATHER, "recursive-doubling", DoublingTime, logs, pairs, true},
        {DataKind::ALL_GATHER, "bruck", DoublingTime, logs, pairs, false},
        {DataKind::ALL_GATHER, "neighbour-exchange", neighbours, halfSquares, pairs, false},
        {DataKind::REDUCE_SCATTER, "ring", ReducingStepsTime, pairs, others, false},
        {DataKind::REDUCE_SCATTER, "recursive-halving", HalvingTime, logs, others, true},
        {DataKind::REDUCE_SCATTER, "pairwise", ReducingStepsTime, pairs, others, false},
        {DataKind::ALL_TO_ALL, "linear", linearExchange, pairs, pairs, false},
        {DataKind::ALL_TO_ALL, "pairwise", StepsTime, pairs, pairs, false},
        {DataKind::ALL_TO_ALL, "bruck", bruckExchange, logs, bruckBytes, true},
        {DataKind::SCAN, "linear", chain, others, others, false},
        {DataKind::SCAN, "recursive-doubling", DoublingScanTime, logs, logs, true},
        {DataKind::SCAN, "hillis-steele", hillisSteele, fewerLogs, fewerLogs, true},
    };
}

TEST_CASE(ExchangeFormulaTestCase,
          "Times of algorithms of data on the ideal network equal their formulas")
{
    for (const auto& algorithm : ListExchanges())
    {
        const auto& kind = DataKindInvariant::GetName(algorithm.kind);
        for (const auto& [n, bytes] : Combine<uint32_t, uint64_t>({2, 4, 8, 16, 64}, {512, 65536}))
        {
            const auto time = RunIdeal(kind, algorithm.name, n, bytes, 0, EXCHANGE_COSTS).time;
            const auto formula = algorithm.time(EXCHANGE_COSTS, n, bytes);
            const auto size = std::to_string(n) + " members, " + std::to_string(bytes) + " bytes";
            Near(time, formula, 1e-3, kind + " " + algorithm.name + ", " + size);
        }
    }
}

TEST_CASE(SmpFormulaTestCase, "Times of hierarchies of leaders equal their formulas")
{
    const auto& c = EXCHANGE_COSTS;
    const auto combineUp = [&](double t, double m) { return t * c.Flag(m) + (t - 1) * c.c * m; };
    using Formula = std::function<double(double, double, double)>;
    const auto check = [&](DataKind kind, const std::string& inner, const Formula& formula) {
        const auto& name = DataKindInvariant::GetName(kind);
        for (const auto& [hosts, tasks, bytes] :
             Combine<uint32_t, uint32_t, uint64_t>({4, 8}, {2, 4}, {512, 65536}))
        {
            const auto smp = "smp[Inner=" + inner + "]";
            const auto found = RunIdeal(name, smp, hosts * tasks, bytes, 0, c, tasks);
            const auto size = Text(hosts, " x ", tasks, " members, ", bytes, " bytes");
            const auto what = Text(name, " of ", size, " by ", inner);
            Near(found.time, formula(hosts, tasks, bytes), 1e-3, what);
        }
    };
    check(DataKind::GATHER, "binomial", [&](double h, double t, double m) {
        return t * c.Flag(m) + DoublingTime(c, h, t * m);
    });
    check(DataKind::SCATTER, "binomial", [&](double h, double t, double m) {
        return DoublingTime(c, h, t * m) + t * c.Flag(m);
    });
    check(DataKind::ALL_GATHER, "ring", [&](double h, double t, double m) {
        return t * c.Flag(m) + StepsTime(c, h, t * m) + t * c.Flag((h * t - 1) * m);
    });
    check(DataKind::ALL_GATHER, "bruck", [&](double h, double t, double m) {
        return t * c.Flag(m) + DoublingTime(c, h, t * m) + t * c.Flag((h * t - 1) * m);
    });
    check(DataKind::REDUCE_SCATTER, "recursive-halving", [&](double h, double t, double m) {
        return combineUp(t, m) + HalvingTime(c, h, m) + t * c.Flag(m / (h * t));
    });
    check(DataKind::ALL_REDUCTION, "ring", [&](double h, double t, double m) {
        const auto between = ReducingStepsTime(c, h, m) + StepsTime(c, h, m / h);
        return combineUp(t, m) + between + t * c.Flag(m);
    });
    check(DataKind::ALL_TO_ALL, "pairwise", [&](double h, double t, double m) {
        return 2 * t * c.Flag((h * t - 1) * m) + StepsTime(c, h, t * t * m);
    });
    // The inner scan begins with a copy; without hosts of several members copies cost nothing here.
    check(DataKind::SCAN, "recursive-doubling", [&](double h, double t, double m) {
        return (t - 1) * (2 * c.Flag(m) + c.c * m) + c.copy * m + DoublingScanTime(c, h, m) +
               c.Alpha() + c.Beta() * m + t * c.Flag(m) + c.c * m;
    });
}

TEST_CASE(ExchangeCountTestCase,
          "Numbers and bytes of messages of algorithms of data are the literature's")
{
    constexpr uint64_t PART = 12; // bytes
    for (const auto& algorithm : ListExchanges())
    {
        for (uint32_t n = 2; n <= 64; n += 2)
        {
            if (!algorithm.powersOfTwo || (n & (n - 1)) == 0)
            {
                const auto schedules =
                    MakeDataSchedules(algorithm.name, MakeDataRequest(algorithm.kind, n, PART));
                const LinkedSchedules linked(schedules.members, schedules.layout);
                double messages = 0;
                double bytes = 0;
                for (uint32_t index = 0; index < linked.GetFirst(n); ++index)
                {
                    if (linked.At(index).IsSend())
                    {
                        ++messages;
                        bytes += static_cast<double>(linked.At(index).bytes);
                    }
                }
                const auto what = DataKindInvariant::GetName(algorithm.kind) + " " +
                                  algorithm.name + ", " + std::to_string(n);
                // A reduce-scatter's Bytes are those of the vector.
                const auto unit = PART * (algorithm.kind == DataKind::REDUCE_SCATTER ? n : 1);
                NS_TEST_EXPECT_MSG_EQ(messages, algorithm.messages(n), what << ": messages");
                NS_TEST_EXPECT_MSG_EQ(bytes, algorithm.bytes(n) * unit, what << ": bytes");
                NS_TEST_EXPECT_MSG_EQ(schedules.fallback, "", what);
            }
        }
    }
    // Each member sends ceil(log2 n) messages, for any number.
    for (const auto kind : {DataKind::ALL_GATHER, DataKind::ALL_TO_ALL})
    {
        for (uint32_t n = 1; n <= 40; ++n)
        {
            const auto schedules = MakeDataSchedules("bruck", MakeDataRequest(kind, n, PART));
            for (const auto& member : schedules.members)
            {
                NS_TEST_EXPECT_MSG_EQ(member.GetSteps().size(), 2 * CeilLog2(n), n << " members");
            }
        }
    }

    auto request = MakeDataRequest(DataKind::ALL_GATHER, 5, PART);
    const auto check = [&](const std::string& name, const std::string& fallback) {
        NS_TEST_EXPECT_MSG_EQ(MakeDataSchedules(name, request).fallback, fallback, name);
    };
    check("recursive-doubling", "bruck: 5 members are no power of two");
    check("neighbour-exchange", "ring: 5 members are an odd number");
    check("smp[Inner=neighbour-exchange]", "smp[Inner=ring]: 5 members are an odd number");
    request = MakeDataRequest(DataKind::REDUCE_SCATTER, 6, PART);
    request.keepsOrder = true;
    check("ring", "pairwise: a ring does not combine in order of ranks");
    check("recursive-halving", "");
    request.hosts = {0, 1, 2, 0, 1, 2};
    check("smp", "recursive-halving: members of a host are not consecutive ranks");
    request.keepsOrder = false;
    check("smp", "");
    request = MakeDataRequest(DataKind::SCAN, 6, PART);
    request.hosts = {0, 1, 2, 0, 1, 2};
    check("smp[Inner=linear]", "linear: members of a host are not consecutive ranks");
}

} // namespace
