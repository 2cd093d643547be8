// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-network-done-study", UNIT);

namespace
{

constexpr double ADD_US = 2.7;  ///< of 32 bits by hw-all
constexpr double AND_US = 2.6;  ///< a barrier by hw-1
constexpr double LEAST = 1e-6;  ///< us, below what the simulator can tell
constexpr double QUANTUM = 100; ///< us

AskedStudy
MeasureDone(const std::string& methods, const std::string& more = {}, uint32_t jobs = 1)
{
    return {"network-done",
            "topology=clos:ports=4,levels=2 methods=" + methods + " quantum=100us rounds=24 " +
                more,
            jobs};
}

} // namespace

/// Nothing is under way: what comes last takes all the time.
TEST_CASE(NetworkDoneQuietTestCase, "network-done: closed forms of a quiet network")
{
    const auto study = MeasureDone("network-done[Reduction=hw-all|Inner=none],"
                                   "network-done[Reduction=hw-all|Inner=hw-1],"
                                   "network-done[Method=acks|Inner=hw-1]",
                                   "messages=1");
    NS_TEST_ASSERT_MSG_EQ(study.GetNRows(), 6, "a row without messages for each, and one");
    const std::vector<double> latencies{ADD_US, ADD_US + AND_US, AND_US};
    for (std::size_t i = 0; i < latencies.size(); ++i)
    {
        const auto get = [&](const std::string& column) { return study.Get(2 * i, column); };
        const auto method = study.GetText(2 * i, "method");
        NS_TEST_EXPECT_MSG_EQ_TOL(get("latency_us"), latencies[i], LEAST, method);
        NS_TEST_EXPECT_MSG_EQ_TOL(get("step_us"), QUANTUM + latencies[i], LEAST, method);
        NS_TEST_EXPECT_MSG_EQ_TOL(get("accounting_us"), latencies[i], LEAST, method);
        NS_TEST_EXPECT_MSG_EQ(get("sums"), (i < 2 ? 1 : 0), method);
        for (const auto column : {"messages", "message_load", "quiet_us", "busy_percent"})
        {
            NS_TEST_EXPECT_MSG_EQ(get(column), 0, method << ": " << column);
        }
        NS_TEST_EXPECT_MSG_EQ(std::isnan(get("message_us")), true, "there is none");
    }
}

/// Without software, counters are read every D: ceil(L / D) + 1 sums in a round.
TEST_CASE(NetworkDoneSumsTestCase, "network-done: closed form of the number of sums")
{
    const auto study =
        MeasureDone("network-done[Reduction=hw-all|Inner=none]",
                    "messages=0.5,5,50 startUp=0us receive=0us progressBy=independent bytes=1000");
    for (std::size_t row = 0; row < study.GetNRows(); ++row)
    {
        const auto get = [&](const std::string& column) { return study.Get(row, column); };
        const auto what = study.GetText(row, "messages") + " messages";
        NS_TEST_EXPECT_MSG_EQ_TOL(get("latency_us"), get("sums") * ADD_US, LEAST, what);
        const auto more = get("sums") - 1;
        const auto busy = get("busy_percent");
        const auto quiet = get("quiet_us") / ADD_US;
        NS_TEST_EXPECT_MSG_EQ((more >= quiet - LEAST), true, what);
        NS_TEST_EXPECT_MSG_EQ((more <= quiet + busy / 100 + LEAST), true, what);
        NS_TEST_EXPECT_MSG_EQ((get("messages") < 5 || busy > 50), true, what);
    }
}

TEST_CASE(NetworkDoneOneMessageTestCase, "network-done: closed form of one message")
{
    for (const uint32_t bytes : {20, 1000, 5000, 20'000})
    {
        StartAnew();
        auto helper = WithSoftware({{"StartUp", "0us"}, {"Progress", "independent"}});
        const auto domain = InstallDomain(MakeTopology("clos:ports=4,levels=2"), helper);
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
        NS_TEST_EXPECT_MSG_EQ(left, NanoSeconds(2700) * int64_t{sums}, bytes << " bytes");
        barrier->Dispose();
        domain->Dispose();
    }
}

TEST_CASE(NetworkDoneStudyRowsTestCase,
          "network-done: bounds, and the same rows with two processes")
{
    const std::string methods = "network-done[Method=acks],network-done[Method=acks|Inner=hw-1],"
                                "network-done,network-done[Reduction=hw-all|Inner=none],"
                                "network-done[Answers=true|Inner=btin]";
    for (const std::string progress : {"in-call", "interrupt", "independent"})
    {
        const auto more = "messages=0.2,2,10 progressBy=" + progress +
                          (progress == "interrupt" ? " interrupt=1us load=0.3 flits=512" : "");
        const auto study = MeasureDone(methods, more);
        const auto two = MeasureDone(methods, more, 2);
        NS_TEST_ASSERT_MSG_EQ(study.GetNRows(), 20, "methods, messages");
        NS_TEST_EXPECT_MSG_EQ(two.GetCsv(), study.GetCsv(), "two processes");
        for (std::size_t row = 0; row < study.GetNRows(); ++row)
        {
            const auto get = [&](const std::string& column) { return study.Get(row, column); };
            const auto method = study.GetText(row, "method");
            const auto what = progress + ", " + method + ", " + study.GetText(row, "messages");
            const bool isByAcks = method.find("acks") != std::string::npos;
            const auto least = isByAcks ? 0 : method.find("Answers") != std::string::npos ? 2 : 1;
            const auto quiet = get("quiet_us");
            NS_TEST_EXPECT_MSG_EQ((get("latency_us") > quiet), true, what);
            NS_TEST_EXPECT_MSG_EQ((get("sums") >= least), true, what);
            NS_TEST_EXPECT_MSG_EQ((get("sums") == 0), isByAcks, what);
            NS_TEST_EXPECT_MSG_EQ((get("step_us") > QUANTUM + quiet), true, what);
            NS_TEST_EXPECT_MSG_EQ((quiet > 0), (get("busy_percent") > 0), what);
            NS_TEST_EXPECT_MSG_EQ((get("message_load") > 0), (get("messages") > 0), what);
            // A message takes its sender 4.2 us and its receiver 7.3 us, and the way.
            NS_TEST_EXPECT_MSG_EQ((get("messages") == 0 || get("message_us") > 11.5), true, what);
            for (const auto column : {"latency_us", "quiet_us", "sums", "step_us"})
            {
                NS_TEST_EXPECT_MSG_EQ(two.Get(row, column), get(column), what << ": exactly");
            }
        }
    }
}

/// The accounting has the latencies of the paper's Table 1, and none for what it does not know.
TEST_CASE(NetworkDoneAccountingTestCase, "network-done: the accounting")
{
    // us: what is right without messages, and with some in each round
    const auto compare = [&](const std::string& method, double quietUs, double us) {
        const AskedStudy study("network-done", "methods=" + method + " messages=9 rounds=4");
        NS_TEST_EXPECT_MSG_EQ_TOL(study.Get(0, "accounting_us"), quietUs, LEAST, method);
        NS_TEST_EXPECT_MSG_EQ_TOL(study.Get(1, "accounting_us"), us, LEAST, method);
    };
    compare("network-done[Inner=none]", 67, 67); // 32 bit ADD to all
    compare("network-done", 67 + 60, 67 + 60);   // and a barrier
    compare("network-done[Method=acks]", 60, 12 + 60);
    compare("network-done[Method=acks|Inner=hw-1]", AND_US, 12 + AND_US);
    compare("network-done[Reduction=hw-all|Inner=none]", ADD_US, ADD_US);
    const AskedStudy none("network-done", "methods=network-done[Reduction=btin] rounds=4");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(none.Get(0, "accounting_us")), true, "registers in switches");
}

TEST_CASE(NetworkDoneStudyRefusalsTestCase, "network-done: what can't be is refused")
{
    const auto refusesMethod = [&](const std::string& method, const std::string& part) {
        Refuses([&] { MeasureDone(method); }, part);
    };
    refusesMethod("network-don", "did you mean network-done?");
    refusesMethod("butterfly", "'butterfly' does not wait for messages of data; expected");
    refusesMethod("network-done[Reduction=hw-1]", "AND");
    refusesMethod("network-done[Method=acks|Inner=none]", "expected a barrier");
    refusesMethod("", "has no value; expected");
    const auto refuses = [&](const std::string& options, const std::string& part) {
        Refuses([&] { AskedStudy("network-done", options); }, part);
    };
    refuses("rounds=3", "expected a whole number from 4 to");
    refuses("quantum=0us", "above 0");
    refuses("topology=clos:ports=4,levels=2 methods=network-done rounds=4 quantum=1us load=4",
            "at a load of 4 is more than the fabric takes");
    refuses("topology=full:1,hosts=1", "expected 2 or more");
}
