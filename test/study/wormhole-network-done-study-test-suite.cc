/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/network-done-barrier.h"
#include "ns3/network-done-study.h"
#include "ns3/string.h"

#include <cmath>

using namespace ns3;

namespace
{

constexpr double ADD_US = 2.7;  ///< of 32 bits by hw-all
constexpr double AND_US = 2.6;  ///< a barrier by hw-1
constexpr double LEAST = 1e-6;  ///< us, below what the simulator can tell
constexpr double QUANTUM = 100; ///< us

/// @return a study of 8 hosts
NetworkDoneStudy::Parameters
MakeParameters(const std::vector<std::string>& methods)
{
    NetworkDoneStudy::Parameters parameters;
    parameters.topology =
        std::make_shared<const WormholeTopology>(MakeTopology("clos:ports=4,levels=2"));
    parameters.methods = methods;
    parameters.quantum = MicroSeconds(100);
    parameters.software.SetSoftwareAttribute("StartUp", StringValue("4200ns"));
    parameters.software.SetSoftwareAttribute("ReceiveOverhead", StringValue("7300ns"));
    parameters.rounds = 24;
    return parameters;
}

} // namespace

/// Rows of which every column is known, and what must hold between columns.
class NetworkDoneStudyFormsTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(NetworkDoneStudyFormsTestCase, "network-done: closed forms");

    /// Nothing is under way: what comes last takes all the time.
    void CheckQuiet()
    {
        const auto rows =
            NetworkDoneStudy(MakeParameters({"network-done[Reduction=hw-all|Inner=none]",
                                             "network-done[Reduction=hw-all|Inner=hw-1]",
                                             "network-done[Method=acks|Inner=hw-1]"}))
                .Run(1, {});
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 3, "a row without messages for each");
        const std::vector<double> latencies{ADD_US, ADD_US + AND_US, AND_US};
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            const auto& row = rows[i];
            NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUs, latencies[i], LEAST, row.method);
            NS_TEST_EXPECT_MSG_EQ_TOL(row.stepUs, QUANTUM + latencies[i], LEAST, row.method);
            NS_TEST_EXPECT_MSG_EQ_TOL(row.accountingUs, latencies[i], LEAST, row.method);
            NS_TEST_EXPECT_MSG_EQ(row.sums, (i < 2 ? 1 : 0), row.method);
            NS_TEST_EXPECT_MSG_EQ((row.messages + row.messageLoad + row.quietUs + row.busyPercent),
                                  0,
                                  row.method);
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row.messageUs), true, "there is none");
        }
    }

    /// Without software, counters are read every D: ceil(L / D) + 1 sums in a round.
    void CheckSums()
    {
        auto parameters = MakeParameters({"network-done[Reduction=hw-all|Inner=none]"});
        parameters.messages = {0.5, 5, 50};
        parameters.software.SetSoftwareAttribute("StartUp", StringValue("0us"));
        parameters.software.SetSoftwareAttribute("ReceiveOverhead", StringValue("0us"));
        parameters.software.SetSoftwareAttribute("Progress", StringValue("independent"));
        parameters.bytes = 1000;
        for (const auto& row : NetworkDoneStudy(parameters).Run(1, {}))
        {
            const auto what = std::to_string(row.messages) + " messages";
            NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUs, row.sums * ADD_US, LEAST, what);
            const auto more = row.sums - 1;
            NS_TEST_EXPECT_MSG_EQ((more >= row.quietUs / ADD_US - LEAST), true, what);
            NS_TEST_EXPECT_MSG_EQ((more <= row.quietUs / ADD_US + row.busyPercent / 100 + LEAST),
                                  true,
                                  what);
            NS_TEST_EXPECT_MSG_EQ((row.messages < 5 || row.busyPercent > 50), true, what);
        }
    }

    /// One message on the same fabric, sent when all enter.
    void CheckOneMessage()
    {
        for (const uint32_t bytes : {20, 1000, 5000, 20'000})
        {
            StartAnew();
            const auto topology = MakeTopology("clos:ports=4,levels=2");
            CollectiveHelper helper;
            helper.SetSoftwareAttribute("StartUp", StringValue("0us"));
            helper.SetSoftwareAttribute("Progress", StringValue("independent"));
            const auto domain = InstallDomain(topology, helper);
            const auto barrier = DynamicCast<NetworkDoneBarrier>(
                CollectiveHelper::MakeBarrier("network-done[Reduction=hw-all|Inner=none]"));
            Time received;
            Time left;
            Listen(barrier, "Received", [&](uint32_t, uint32_t, uint32_t, Time) {
                received = Simulator::Now();
            });
            Listen(barrier, "Leave", [&](uint32_t, uint64_t) { left = Simulator::Now(); });
            barrier->Create(domain, {0, 1, 6, 7});
            barrier->Send(0, 2, bytes);
            EnterAll(*barrier);
            Simulator::Run();
            const auto sums =
                static_cast<uint32_t>(std::ceil(received.GetSeconds() * 1e6 / ADD_US)) + 1;
            NS_TEST_EXPECT_MSG_EQ(barrier->GetNSums(0), sums, bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(left,
                                  NanoSeconds(2700) * static_cast<int64_t>(sums),
                                  bytes << " bytes");
            barrier->Dispose();
            domain->Dispose();
            Simulator::Destroy();
        }
    }

    void DoRun() override
    {
        CheckQuiet();
        CheckSums();
        CheckOneMessage();
    }
};

/// What holds for every row, whatever is random; and that rows depend on nothing else.
SIMULATION_TEST_CASE(NetworkDoneStudyRowsTestCase,
                     "network-done: bounds, and the same rows with two processes")
{
    auto parameters = MakeParameters({"network-done[Method=acks]",
                                      "network-done[Method=acks|Inner=hw-1]",
                                      "network-done",
                                      "network-done[Reduction=hw-all|Inner=none]",
                                      "network-done[Answers=true|Inner=btin]"});
    parameters.messages = {0.2, 2, 10};
    for (const std::string progress : {"in-call", "interrupt", "independent"})
    {
        parameters.software.SetSoftwareAttribute("Progress", StringValue(progress));
        parameters.software.SetSoftwareAttribute("InterruptTime", StringValue("1us"));
        parameters.load = progress == "interrupt" ? 0.3 : 0;
        const NetworkDoneStudy study(parameters);
        const auto rows = study.Run(1, {});
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 20, "methods, messages");
        for (const auto& row : rows)
        {
            const auto what = progress + ", " + row.method + ", " + std::to_string(row.messages);
            const bool isByAcks = row.method.find("acks") != std::string::npos;
            const auto least = isByAcks                                          ? 0
                               : row.method.find("Answers") != std::string::npos ? 2
                                                                                 : 1;
            NS_TEST_EXPECT_MSG_EQ((row.latencyUs > row.quietUs), true, what);
            NS_TEST_EXPECT_MSG_EQ((row.sums >= least), true, what);
            NS_TEST_EXPECT_MSG_EQ((row.sums == 0), isByAcks, what);
            NS_TEST_EXPECT_MSG_EQ((row.stepUs > QUANTUM + row.quietUs), true, what);
            NS_TEST_EXPECT_MSG_EQ((row.quietUs > 0), (row.busyPercent > 0), what);
            NS_TEST_EXPECT_MSG_EQ((row.messageLoad > 0), (row.messages > 0), what);
            // A message takes its sender 4.2 us and its receiver 7.3 us, and the way.
            NS_TEST_EXPECT_MSG_EQ((row.messages == 0 || row.messageUs > 11.5), true, what);
        }
        NS_TEST_EXPECT_MSG_EQ(NetworkDoneRow::GetTable().Pack(study.Run(2, {})),
                              NetworkDoneRow::GetTable().Pack(rows),
                              "two processes");
    }
}

/// The accounting has the latencies of the paper's Table 1, and none for what it does not know.
TEST_CASE(NetworkDoneAccountingTestCase, "network-done: the accounting")
{
    // communicates: share of rounds with messages; us: what is right
    const auto compare = [&](const std::string& method, double communicates, double us) {
        NS_TEST_EXPECT_MSG_EQ_TOL(NetworkDoneAccounting::GetTimeUs(method, 32, communicates),
                                  us,
                                  LEAST,
                                  method);
    };
    compare("network-done[Inner=none]", 1, 67); // 32 bit ADD to all
    compare("network-done", 0, 67 + 60);        // and a barrier
    compare("network-done[Method=acks]", 0.5, 0.5 * 12 + 60);
    compare("network-done[Method=acks|Inner=hw-1]", 1, 12 + AND_US);
    compare("network-done[Reduction=hw-all|Inner=none]", 1, ADD_US);
    const auto none = NetworkDoneAccounting::GetTimeUs("network-done[Reduction=btin]", 32, 1);
    NS_TEST_EXPECT_MSG_EQ(std::isnan(none), true, "registers in switches");
}

SIMULATION_TEST_CASE(NetworkDoneStudyRefusalsTestCase, "network-done: what can't be is refused")
{
    // part: what the message must hold
    const auto refusesMethod = [&](const std::string& method, const std::string& part) {
        Refuses([&] { NetworkDoneStudy{MakeParameters({method})}; }, part);
    };
    refusesMethod("network-don", "did you mean network-done?");
    refusesMethod("butterfly", "'butterfly' does not wait for messages of data; accepted are");
    refusesMethod("network-done[Reduction=hw-1]", "AND");
    refusesMethod("network-done[Method=acks|Inner=none]", "accepted is a barrier");
    Refuses([] { NetworkDoneStudy{MakeParameters({})}; }, "one method at least");
    auto parameters = MakeParameters({"network-done"});
    parameters.rounds = 0;
    Refuses([&] { NetworkDoneStudy{parameters}; }, "0 rounds, of which the first quarter");
    parameters.rounds = 4;
    parameters.quantum = Time(0);
    Refuses([&] { NetworkDoneStudy{parameters}; }, "accepted is a time above 0");
    parameters.quantum = MicroSeconds(1);
    parameters.load = 4;
    Refuses([&] { NetworkDoneStudy(parameters).Run(1, {}); },
            "at a load of 4 is more than the fabric takes");
    parameters.topology = std::make_shared<const WormholeTopology>(MakeTopology("full:1,hosts=1"));
    Refuses([&] { NetworkDoneStudy{parameters}; }, "accepted are 2 and more");
}

static ListedTestSuite g_wormholeNetworkDoneStudyTestSuite(
    "wormhole-network-done-study",
    {new NetworkDoneStudyFormsTestCase(),
     new NetworkDoneStudyRowsTestCase(),
     new NetworkDoneAccountingTestCase(),
     new NetworkDoneStudyRefusalsTestCase()});
