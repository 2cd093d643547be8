/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Gathers, scatters, all-gathers, reduce-scatters, all-to-alls and scans: how long they take on the
// ideal network, and how many messages of how many bytes they send, by the literature's formulas.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-helper.h"
#include "ns3/group-schedules.h"
#include "ns3/wormhole-linked-schedules.h"

using namespace ns3;

SUITE("wormhole-data-exchange-formulas", UNIT);

namespace
{

/// What messages and combining cost, ns and ns per byte.
struct ExchangeCosts
{
    double s{3000};      ///< start-up and send overhead
    double sendByte{2};  ///< sending a byte
    double flight{7000}; ///< the network
    double r{1500};      ///< receive overhead
    double takeByte{1};  ///< receiving a byte
    double gamma{0.5};   ///< combining a byte
    double flag{250};    ///< a flag at either end
    double copyByte{4};  ///< copying a byte, within a host

    /// @return what a message costs, from the start of its send until its receiver has it
    double Alpha() const
    {
        return s + flight + r;
    }

    double Beta() const
    {
        return sendByte + takeByte;
    }

    double Send(double bytes) const
    {
        return s + sendByte * bytes;
    }

    double Take(double bytes) const
    {
        return r + takeByte * bytes;
    }

    /// @return what a message in memory costs at either end
    double Flag(double bytes) const
    {
        return flag + copyByte * bytes;
    }
};

uint32_t
ExchangeLog2(uint32_t n)
{
    uint32_t k = 0;
    while ((uint64_t{1} << k) < n)
    {
        ++k;
    }
    return k;
}

/// A time by a formula: of costs, members and Bytes.
using ExchangeFormula = std::function<double(const ExchangeCosts&, double, double)>;

/// A number by a formula: of members.
using ExchangeCount = std::function<double(uint32_t)>;

/// What the literature says of an algorithm.
struct ExchangeAlgorithm
{
    DataKind kind;          ///< what it does
    std::string name;       ///< its name
    ExchangeFormula time;   ///< for powers of two
    ExchangeCount messages; ///< of all members
    ExchangeCount bytes;    ///< of all members, by the attribute Bytes
    bool powersOfTwo; ///< whether the counts are for powers of two only; else for even numbers
};

double
AllPairs(uint32_t n)
{
    return double(n) * (n - 1);
}

double
AllOthers(uint32_t n)
{
    return n - 1.0;
}

double
Logs(uint32_t n)
{
    return double(n) * ExchangeLog2(n);
}

/// @return the time of log2 n steps that move a part of each other member in all @param m bytes of
/// a part
double
DoublingTime(const ExchangeCosts& c, double n, double m)
{
    return ExchangeLog2(n) * c.Alpha() + (n - 1) * c.Beta() * m;
}

/// @return the time of n - 1 steps of a message each @param m bytes of a message
double
StepsTime(const ExchangeCosts& c, double n, double m)
{
    return (n - 1) * (c.Alpha() + c.Beta() * m);
}

/// @return the time of a reduce-scatter in n - 1 steps @param m bytes of the vector
double
ReducingStepsTime(const ExchangeCosts& c, double n, double m)
{
    return (n - 1) * (c.Alpha() + (c.Beta() + c.gamma) * m / n);
}

/// @return the time of recursive halving @param m bytes of the vector
double
HalvingTime(const ExchangeCosts& c, double n, double m)
{
    return ExchangeLog2(n) * c.Alpha() + (n - 1) * (c.Beta() + c.gamma) * m / n;
}

double
LinearExchangeTime(const ExchangeCosts& c, double n, double m)
{
    const auto send = c.Send(m);
    const auto take = c.Take(m);
    return std::max({(n - 1) * (send + take),
                     (n - 1) * send + c.flight + take,
                     send + c.flight + (n - 1) * take});
}

/// @return the time of a scan by Hillis and Steele @param m bytes of the vector
double
HillisSteeleTime(const ExchangeCosts& c, double n, double m)
{
    return ExchangeLog2(n) * (c.Alpha() + (c.Beta() + c.gamma) * m);
}

/// @return the time of a scan by recursive doubling @param m bytes of the vector
double
DoublingScanTime(const ExchangeCosts& c, double n, double m)
{
    return ExchangeLog2(n) * (c.Alpha() + c.Beta() * m) + (2 * ExchangeLog2(n) - 1) * c.gamma * m;
}

const std::vector<ExchangeAlgorithm>&
ListExchanges()
{
    static const auto linearGather = [](const ExchangeCosts& c, double n, double m) {
        return c.Send(m) + c.flight + (n - 1) * c.Take(m);
    };
    static const auto linearScatter = [](const ExchangeCosts& c, double n, double m) {
        return (n - 1) * c.Send(m) + c.flight + c.Take(m);
    };
    static const auto neighbours = [](const ExchangeCosts& c, double n, double m) {
        return n / 2 * c.Alpha() + (n - 1) * c.Beta() * m;
    };
    static const auto bruckExchange = [](const ExchangeCosts& c, double n, double m) {
        return ExchangeLog2(n) * (c.Alpha() + c.Beta() * n * m / 2);
    };
    static const auto chain = [](const ExchangeCosts& c, double n, double m) {
        return (n - 1) * (c.Alpha() + (c.Beta() + c.gamma) * m);
    };
    static const auto halfLogs = [](uint32_t n) { return Logs(n) / 2; };
    static const auto halfSquares = [](uint32_t n) { return double(n) * n / 2; };
    static const auto bruckBytes = [](uint32_t n) { return Logs(n) * n / 2; };
    static const auto fewerLogs = [](uint32_t n) { return Logs(n) - (n - 1); };
    static const std::vector<ExchangeAlgorithm> algorithms{
        {DataKind::GATHER, "linear", linearGather, AllOthers, AllOthers, false},
        {DataKind::GATHER, "binomial", DoublingTime, AllOthers, halfLogs, true},
        {DataKind::SCATTER, "linear", linearScatter, AllOthers, AllOthers, false},
        {DataKind::SCATTER, "binomial", DoublingTime, AllOthers, halfLogs, true},
        {DataKind::ALL_GATHER, "ring", StepsTime, AllPairs, AllPairs, false},
        {DataKind::ALL_GATHER, "recursive-doubling", DoublingTime, Logs, AllPairs, true},
        {DataKind::ALL_GATHER, "bruck", DoublingTime, Logs, AllPairs, false},
        {DataKind::ALL_GATHER, "neighbour-exchange", neighbours, halfSquares, AllPairs, false},
        {DataKind::REDUCE_SCATTER, "ring", ReducingStepsTime, AllPairs, AllOthers, false},
        {DataKind::REDUCE_SCATTER, "recursive-halving", HalvingTime, Logs, AllOthers, true},
        {DataKind::REDUCE_SCATTER, "pairwise", ReducingStepsTime, AllPairs, AllOthers, false},
        {DataKind::ALL_TO_ALL, "linear", LinearExchangeTime, AllPairs, AllPairs, false},
        {DataKind::ALL_TO_ALL, "pairwise", StepsTime, AllPairs, AllPairs, false},
        {DataKind::ALL_TO_ALL, "bruck", bruckExchange, Logs, bruckBytes, true},
        {DataKind::SCAN, "linear", chain, AllOthers, AllOthers, false},
        {DataKind::SCAN, "recursive-doubling", DoublingScanTime, Logs, Logs, true},
        {DataKind::SCAN, "hillis-steele", HillisSteeleTime, fewerLogs, fewerLogs, true},
    };
    return algorithms;
}

std::string
ExchangeTime(double ns)
{
    return std::to_string(ns) + "ns";
}

std::string
ExchangeRate(double ns)
{
    return std::to_string(static_cast<uint64_t>(8e9 / ns)) + "bps";
}

/// @return when the last member leaves, ns @param name the algorithm, with its attributes
double
MeasureExchange(DataKind kind,
                const std::string& name,
                uint32_t members,
                uint32_t tasks,
                const ExchangeCosts& costs)
{
    StartAnew();
    CollectiveHelper helper;
    const std::vector<std::pair<std::string, std::string>> settings{
        {"StartUp", ExchangeTime(costs.s / 3)},
        {"SendOverhead", ExchangeTime(costs.s * 2 / 3)},
        {"ReceiveOverhead", ExchangeTime(costs.r)},
        {"SendDataRate", ExchangeRate(costs.sendByte)},
        {"ReceiveDataRate", ExchangeRate(costs.takeByte)},
        {"CombineDataRate", ExchangeRate(costs.gamma)},
        {"FlagTime", ExchangeTime(costs.flag)},
        {"CopyDataRate", tasks > 1 ? ExchangeRate(costs.copyByte) : "0bps"}};
    for (const auto& [attribute, value] : settings)
    {
        helper.SetSoftwareAttribute(attribute, StringValue(value));
    }
    const auto domain = helper.InstallIdeal(members / tasks,
                                            PicoSeconds(static_cast<int64_t>(costs.flight * 1000)));
    auto collective = CollectiveHelper::MakeData(DataKindInvariant::GetName(kind), name);
    Leavings leavings;
    leavings.Watch(collective);
    std::vector<uint32_t> hosts;
    for (uint32_t rank = 0; rank < members; ++rank)
    {
        hosts.push_back(rank / tasks);
    }
    collective->Create(domain, hosts);
    Simulator::ScheduleNow([&] { EnterAll(*collective); });
    Simulator::Run();
    collective->Dispose();
    domain->Dispose();
    Simulator::Destroy();
    return static_cast<double>(leavings.times.back().GetPicoSeconds()) / 1000;
}

/// @param name the name, perhaps with attributes
std::string
WithExchangeBytes(const std::string& name, uint64_t bytes)
{
    const auto setting = "Bytes=" + std::to_string(bytes) + "]";
    return name.back() == ']' ? name.substr(0, name.size() - 1) + "|" + setting
                              : name + "[" + setting;
}

TEST_CASE(ExchangeFormulaTestCase,
          "Times of algorithms of data on the ideal network equal their formulas")
{
    const ExchangeCosts costs;
    for (const auto& algorithm : ListExchanges())
    {
        for (const uint32_t n : {2, 4, 8, 16, 64})
        {
            for (const uint64_t bytes : {512, 65536})
            {
                const auto time = MeasureExchange(algorithm.kind,
                                                  WithExchangeBytes(algorithm.name, bytes),
                                                  n,
                                                  1,
                                                  costs);
                const auto formula = algorithm.time(costs, n, bytes);
                NS_TEST_EXPECT_MSG_EQ_TOL(time,
                                          formula,
                                          formula / 1000,
                                          DataKindInvariant::GetName(algorithm.kind)
                                              << " " << algorithm.name << ", " << n << " members, "
                                              << bytes << " bytes");
            }
        }
    }
}

/// Hosts of several members: the leaders' formula, and what goes up and down in memory.
class SmpFormulaTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(SmpFormulaTestCase, "Times of hierarchies of leaders equal their formulas");

    struct Hierarchy
    {
        DataKind kind;     ///< what it does
        std::string inner; ///< name of the inner algorithm
        /// Its time: of costs, hosts, members of a host, Bytes.
        std::function<double(const ExchangeCosts&, double, double, double)> time;
    };

    static std::vector<Hierarchy> List()
    {
        const auto combineUp = [](const ExchangeCosts& c, double t, double m) {
            return t * c.Flag(m) + (t - 1) * c.gamma * m;
        };
        return {
            {DataKind::GATHER,
             "binomial",
             [](const ExchangeCosts& c, double h, double t, double m) {
                 return t * c.Flag(m) + DoublingTime(c, h, t * m);
             }},
            {DataKind::SCATTER,
             "binomial",
             [](const ExchangeCosts& c, double h, double t, double m) {
                 return DoublingTime(c, h, t * m) + t * c.Flag(m);
             }},
            {DataKind::ALL_GATHER,
             "ring",
             [](const ExchangeCosts& c, double h, double t, double m) {
                 return t * c.Flag(m) + StepsTime(c, h, t * m) + t * c.Flag((h * t - 1) * m);
             }},
            {DataKind::ALL_GATHER,
             "bruck",
             [](const ExchangeCosts& c, double h, double t, double m) {
                 return t * c.Flag(m) + DoublingTime(c, h, t * m) + t * c.Flag((h * t - 1) * m);
             }},
            {DataKind::REDUCE_SCATTER,
             "recursive-halving",
             [combineUp](const ExchangeCosts& c, double h, double t, double m) {
                 return combineUp(c, t, m) + HalvingTime(c, h, m) + t * c.Flag(m / (h * t));
             }},
            {DataKind::ALL_REDUCTION,
             "ring",
             [combineUp](const ExchangeCosts& c, double h, double t, double m) {
                 return combineUp(c, t, m) + ReducingStepsTime(c, h, m) + StepsTime(c, h, m / h) +
                        t * c.Flag(m);
             }},
            {DataKind::ALL_TO_ALL,
             "pairwise",
             [](const ExchangeCosts& c, double h, double t, double m) {
                 return 2 * t * c.Flag((h * t - 1) * m) + StepsTime(c, h, t * t * m);
             }},
            // The inner scan begins with a copy; without hosts of several members copies cost
            // nothing here.
            {DataKind::SCAN,
             "recursive-doubling",
             [](const ExchangeCosts& c, double h, double t, double m) {
                 return (t - 1) * (2 * c.Flag(m) + c.gamma * m) + c.copyByte * m +
                        DoublingScanTime(c, h, m) + c.Alpha() + c.Beta() * m + t * c.Flag(m) +
                        c.gamma * m;
             }},
        };
    }

    void DoRun() override
    {
        const ExchangeCosts costs;
        for (const auto& hierarchy : List())
        {
            for (const uint32_t hosts : {4, 8})
            {
                for (const uint32_t tasks : {2, 4})
                {
                    for (const uint64_t bytes : {512, 65536})
                    {
                        const auto time = MeasureExchange(
                            hierarchy.kind,
                            WithExchangeBytes("smp[Inner=" + hierarchy.inner + "]", bytes),
                            hosts * tasks,
                            tasks,
                            costs);
                        const auto formula = hierarchy.time(costs, hosts, tasks, bytes);
                        NS_TEST_EXPECT_MSG_EQ_TOL(time,
                                                  formula,
                                                  formula / 1000,
                                                  DataKindInvariant::GetName(hierarchy.kind)
                                                      << " of " << hosts << " x " << tasks
                                                      << " members, " << bytes << " bytes by "
                                                      << hierarchy.inner);
                    }
                }
            }
        }
    }
};

class ExchangeCountTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(ExchangeCountTestCase,
                   "Numbers and bytes of messages of algorithms of data are the literature's");

    void DoRun() override
    {
        for (const auto& algorithm : ListExchanges())
        {
            const auto made = CollectiveHelper::MakeData(DataKindInvariant::GetName(algorithm.kind),
                                                         algorithm.name);
            const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
            for (uint32_t n = 2; n <= 64; n += 2)
            {
                if (!algorithm.powersOfTwo || (n & (n - 1)) == 0)
                {
                    CheckCounts(algorithm, *maker, n);
                }
            }
        }
        CheckBruck();
        CheckFallbacks();
    }

    /// @return what an algorithm is asked for, with parts of 12 bytes or of a vector of so many
    /// times members
    static ScheduleRequest MakeRequest(DataKind kind, uint32_t n)
    {
        ScheduleRequest request;
        request.kind = kind;
        request.members = n;
        request.elementBytes = 4;
        request.parts.assign(DataKindInvariant::GetNParts(kind, n), 12);
        return request;
    }

    void CheckCounts(const ExchangeAlgorithm& algorithm, const ScheduleMaker& maker, uint32_t n)
    {
        const auto request = MakeRequest(algorithm.kind, n);
        const auto schedules = maker.MakeGroupSchedules(request);
        const LinkedSchedules linked(schedules.members, schedules.layout);
        double messages = 0;
        double bytes = 0;
        for (uint32_t index = 0; index < linked.GetFirst(n); ++index)
        {
            if (linked.At(index).IsSend())
            {
                ++messages;
                bytes += static_cast<double>(linked.GetBytes(linked.At(index)));
            }
        }
        const auto what = DataKindInvariant::GetName(algorithm.kind) + " " + algorithm.name + ", " +
                          std::to_string(n);
        // A reduce-scatter's Bytes are those of the vector.
        const double unit = algorithm.kind == DataKind::REDUCE_SCATTER ? 12.0 * n : 12;
        NS_TEST_EXPECT_MSG_EQ(messages, algorithm.messages(n), what << ": messages");
        NS_TEST_EXPECT_MSG_EQ(bytes, algorithm.bytes(n) * unit, what << ": bytes");
        NS_TEST_EXPECT_MSG_EQ(schedules.fallback, "", what);
    }

    /// Each member sends ceil(log2 n) messages, for any number.
    void CheckBruck()
    {
        for (const auto kind : {DataKind::ALL_GATHER, DataKind::ALL_TO_ALL})
        {
            const auto made = CollectiveHelper::MakeData(DataKindInvariant::GetName(kind), "bruck");
            const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
            for (uint32_t n = 1; n <= 40; ++n)
            {
                const auto schedules = maker->MakeGroupSchedules(MakeRequest(kind, n));
                for (const auto& member : schedules.members)
                {
                    NS_TEST_EXPECT_MSG_EQ(member.GetSteps().size(),
                                          2 * ExchangeLog2(n),
                                          n << " members");
                }
            }
        }
    }

    /// @return the algorithm that serves @param request the group and its data @param name that
    /// which was asked for
    static std::string FindFallback(const ScheduleRequest& request, const std::string& name)
    {
        const auto made =
            CollectiveHelper::MakeData(DataKindInvariant::GetName(request.kind), name);
        return dynamic_cast<const ScheduleMaker&>(*made).MakeGroupSchedules(request).fallback;
    }

    void CheckFallbacks()
    {
        auto request = MakeRequest(DataKind::ALL_GATHER, 5);
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "recursive-doubling"),
                              "bruck: 5 members are no power of two",
                              "no power of two");
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "neighbour-exchange"),
                              "ring: 5 members are an odd number",
                              "odd");
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "smp[Inner=neighbour-exchange]"),
                              "smp[Inner=ring]: 5 members are an odd number",
                              "odd leaders");
        request = MakeRequest(DataKind::REDUCE_SCATTER, 6);
        request.keepsOrder = true;
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "ring"),
                              "pairwise: a ring does not combine in order of ranks",
                              "order");
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "recursive-halving"), "", "order is kept");
        request.hosts = {0, 1, 2, 0, 1, 2};
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "smp"),
                              "recursive-halving: members of a host are not consecutive ranks",
                              "order among hosts");
        request.keepsOrder = false;
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "smp"), "", "any order");
        request = MakeRequest(DataKind::SCAN, 6);
        request.hosts = {0, 1, 2, 0, 1, 2};
        NS_TEST_EXPECT_MSG_EQ(FindFallback(request, "smp[Inner=linear]"),
                              "linear: members of a host are not consecutive ranks",
                              "a scan");
    }
};

} // namespace
