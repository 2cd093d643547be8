/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Why GOAL schedules take as long as they do: critical paths on the ideal network and over fabrics.

#include "interval-text.h"
#include "random-goal.h"
#include "test-tools.h"

#include "ns3/collective-helper.h"
#include "ns3/goal-bench.h"
#include "ns3/goal-file.h"
#include "ns3/latency-report.h"
#include "ns3/log-gops.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/topology-factory.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return a schedule @param text in GOAL's words
GoalSchedule
Parse(const std::string& text)
{
    return GoalFile::ReadText(text, "text");
}

/// @return how long intervals of a cause take together, ns-3 time units @param intervals all
/// @param cause which
int64_t
SumOf(const LatencyIntervals& intervals, LatencyCause cause)
{
    int64_t sum = 0;
    for (const auto& interval : intervals)
    {
        sum += interval.cause == cause ? interval.to - interval.from : 0;
    }
    return sum;
}

/// Critical paths on the ideal network.
class IdealGoalPathTestCase : public TestCase
{
  public:
    IdealGoalPathTestCase()
        : TestCase("GOAL explained on the ideal network: no gap, and the path's sum is the end")
    {
    }

  private:
    /// The model's parameters, by the counts of a path.
    typedef std::pair<Time LogGops::Parameters::*, uint64_t LogGops::Explanation::*> Term;

    /// @return all of them
    static std::vector<Term> GetTerms()
    {
        return {{&LogGops::Parameters::o, &LogGops::Explanation::o},
                {&LogGops::Parameters::L, &LogGops::Explanation::L},
                {&LogGops::Parameters::g, &LogGops::Explanation::g},
                {&LogGops::Parameters::G, &LogGops::Explanation::G},
                {&LogGops::Parameters::O, &LogGops::Explanation::O}};
    }

    void DoRun() override
    {
        StartAnew();
        const auto rng = CreateObject<UniformRandomVariable>();
        rng->SetStream(3);
        uint32_t nExplained = 0;
        for (uint32_t run = 0; run < 600; ++run)
        {
            const auto ranks = rng->GetInteger(2, run < 580 ? 12 : 200);
            const auto schedule = DrawGoal(rng, ranks, rng->GetInteger(1, 4 * ranks));
            LogGops::Parameters parameters;
            parameters.L = PicoSeconds(rng->GetInteger(0, 3000000));
            parameters.o = PicoSeconds(rng->GetInteger(0, 2000000));
            parameters.g = PicoSeconds(rng->GetInteger(0, 2000000));
            parameters.G = PicoSeconds(rng->GetInteger(0, 6000));
            parameters.O = PicoSeconds(rng->GetInteger(0, 3000));
            parameters.S = rng->GetInteger(0, 1) ? 65535 : 2000;
            const auto error = ErrorOf([&] {
                Check(schedule, parameters, "run " + std::to_string(run));
                ++nExplained;
            });
            const bool isTold = error.empty() ||
                                error.find("waits for ever") != std::string::npos ||
                                error.find("is never received") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isTold, true, error);
        }
        NS_TEST_EXPECT_MSG_GT(nExplained, 300, "most of the schedules end");
        NS_TEST_EXPECT_MSG_GT(m_nChanged, 1000, "parameters are on the paths");
        CheckBlockers();
        CheckLongMessage();
    }

    /// Explains a schedule. @param schedule the schedule @param parameters of the model
    /// @param run in words
    void Check(const GoalSchedule& schedule,
               const LogGops::Parameters& parameters,
               const std::string& run)
    {
        LogGops::Explanation explanation;
        const auto alone = LogGops::Run(schedule, parameters);
        const auto ends = LogGops::Run(schedule, parameters, {}, &explanation);
        const bool isSame = alone == ends;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, run << ": as if nobody looked");
        const auto last = std::max_element(ends.begin(), ends.end());
        NS_TEST_EXPECT_MSG_EQ(explanation.end, *last, run);
        NS_TEST_EXPECT_MSG_EQ(explanation.rank, last - ends.begin(), run);
        NS_TEST_EXPECT_MSG_EQ(FindGap(explanation.intervals, 0, last->GetTimeStep()),
                              "",
                              run << ToLines(explanation.intervals));
        Time sum = NanoSeconds(explanation.calcNs);
        for (const auto& [parameter, count] : GetTerms())
        {
            sum += parameters.*parameter * static_cast<int64_t>(explanation.*count);
        }
        NS_TEST_EXPECT_MSG_EQ(sum, *last, run << ": the sum " << explanation.Print());
        NS_TEST_EXPECT_MSG_EQ(SumOf(explanation.intervals, LatencyCause::COMPUTE),
                              NanoSeconds(explanation.calcNs).GetTimeStep(),
                              run);
        CheckSlopes(schedule, parameters, explanation, run);
    }

    /// A parameter that is a little greater moves the end by as much as it is on the path.
    /// @param schedule the schedule @param parameters of the model @param explanation the path
    /// @param run in words
    void CheckSlopes(const GoalSchedule& schedule,
                     const LogGops::Parameters& parameters,
                     const LogGops::Explanation& explanation,
                     const std::string& run)
    {
        for (const auto& [parameter, count] : GetTerms())
        {
            auto more = parameters;
            more.*parameter += PicoSeconds(1);
            const auto ends = LogGops::Run(schedule, more);
            const auto later = *std::max_element(ends.begin(), ends.end()) - explanation.end;
            const auto slope = static_cast<int64_t>(explanation.*count);
            const bool isMoved = later.GetPicoSeconds() >= slope;
            NS_TEST_EXPECT_MSG_EQ(isMoved,
                                  true,
                                  run << ": " << later.GetPicoSeconds() << " ps later, not "
                                      << slope << " of " << explanation.Print());
            m_nChanged += slope > 0;
        }
    }

    /// Who keeps an interface or a processor busy is named, and is the cause.
    void CheckBlockers()
    {
        LogGops::Parameters parameters;
        parameters.g = MicroSeconds(4);
        const std::string second = "num_ranks 3\nrank 0 {\nsend 8b to 2 tag 1\n}\n"
                                   "rank 1 {\nl1: calc 100\nl2: send 8b to 2 tag 1\n"
                                   "l2 requires l1\n}\n";
        LogGops::Explanation explanation;
        LogGops::Run(Parse(second + "rank 2 {\nrecv 8b from 0 tag 1\nrecv 8b from 1 tag 1\n}\n"),
                     parameters,
                     {},
                     &explanation);
        // The first message comes at o + L and keeps the interface busy for g + 7 G.
        NS_TEST_EXPECT_MSG_EQ(explanation.Print(), "2 o + L + g + 14 G", "the second one waits");
        const auto& gap = explanation.intervals.at(2);
        NS_TEST_EXPECT_MSG_EQ(ns3::GetName(gap.cause), "gap", "after o and L");
        NS_TEST_EXPECT_MSG_EQ(gap.note, "send 8b to 2 tag 1 of rank 0", "who keeps it busy");
        NS_TEST_EXPECT_MSG_EQ(gap.to - gap.from, parameters.g.GetTimeStep(), "for how long");
        // Without it, the path is that of the other message.
        LogGops::Run(Parse("num_ranks 3\nrank 0 {\n}\n" + second.substr(second.find("rank 1")) +
                           "rank 2 {\nrecv 8b from 1 tag 1\n}\n"),
                     parameters,
                     {},
                     &explanation);
        NS_TEST_EXPECT_MSG_EQ(explanation.Print(), "2 o + L + 7 G + 100 ns", "nothing waits");
        LogGops::Run(Parse("num_ranks 1\nrank 0 {\n}\n"), parameters, {}, &explanation);
        NS_TEST_EXPECT_MSG_EQ(explanation.Print(), "0 ns", "nothing is done");
        NS_TEST_EXPECT_MSG_EQ(explanation.intervals.size(), 0, "and takes no time");
    }

    /// The sender of a long message waits for its receive, and the path goes there.
    void CheckLongMessage()
    {
        const LogGops::Parameters parameters;
        LogGops::Explanation explanation;
        LogGops::Run(Parse("num_ranks 2\nrank 0 {\nl1: send 70000b to 1 tag 1\nl2: calc 900000\n"
                           "l2 requires l1\n}\n"
                           "rank 1 {\nl1: calc 1000000\nl2: recv 70000b from 0 tag 1\n"
                           "l2 requires l1\n}\n"),
                     parameters,
                     {},
                     &explanation);
        NS_TEST_EXPECT_MSG_EQ(explanation.rank, 0, "the sender ends last");
        NS_TEST_EXPECT_MSG_EQ(explanation.intervals.size(), 2, ToLines(explanation.intervals));
        const auto& late = explanation.intervals.front();
        NS_TEST_EXPECT_MSG_EQ(late.place, "rank 1", "it waits for the other");
        NS_TEST_EXPECT_MSG_EQ(late.note,
                              "calc 1000000; send 70000b to 1 tag 1 of rank 0 waited for this",
                              "which is late");
    }

    uint32_t m_nChanged{0}; ///< parameters on paths
};

/// Jobs over a fabric or an ideal network, with hosts' costs.
struct JobsCase
{
    std::string topology;                                  ///< text of a family; empty: ideal
    uint32_t nHosts{0};                                    ///< number of hosts
    std::vector<std::shared_ptr<const GoalSchedule>> jobs; ///< what they do
    std::vector<std::vector<uint32_t>> hosts;              ///< by job and rank
    std::string transport{"sendrecv"};                     ///< how messages are exchanged
    std::map<std::string, std::string> software;           ///< attributes
};

/// What became of them.
struct JobsOutcome
{
    std::vector<std::vector<Time>> ends;  ///< by job and rank
    std::vector<LatencyIntervals> paths;  ///< by job
    std::vector<LatencyReport::Row> rows; ///< of all jobs
    std::string refusal;                  ///< why it did not end
};

/// @return what became of jobs @param what the jobs @param isExplained whether they are recorded
JobsOutcome
RunJobs(const JobsCase& what, bool isExplained)
{
    StartAnew();
    CollectiveHelper helper;
    for (const auto& [attribute, value] : what.software)
    {
        helper.SetSoftwareAttribute(attribute, StringValue(value));
    }
    Ptr<CollectiveDomain> domain;
    if (what.topology.empty())
    {
        domain = helper.InstallIdeal(what.nHosts, NanoSeconds(1700));
    }
    else
    {
        const auto topology = MakeTopology(what.topology);
        domain = helper.Install(WormholeHelper().Install(topology.graph), topology.graph);
    }
    CollectiveHelper::AssignStreams(domain, 50);
    JobsOutcome outcome;
    GoalBench bench(domain);
    for (std::size_t job = 0; job < what.jobs.size(); ++job)
    {
        bench.Add(what.jobs[job], what.hosts[job], what.transport);
    }
    if (isExplained)
    {
        bench.Record();
    }
    outcome.refusal = ErrorOf([&] { bench.Run(); });
    for (uint32_t job = 0; outcome.refusal.empty() && job < what.jobs.size(); ++job)
    {
        outcome.ends.push_back(bench.GetEnds(job));
        if (isExplained)
        {
            outcome.paths.push_back(bench.Explain(job));
            const auto rows = LatencyReport(outcome.paths.back(), [&](const Worm& worm) {
                                  return bench.Describe(worm);
                              }).GetRows();
            outcome.rows.insert(outcome.rows.end(), rows.begin(), rows.end());
        }
    }
    return outcome;
}

/// Critical paths with hosts' costs.
class FabricGoalPathTestCase : public TestCase
{
  public:
    /// @param nCases how many random cases
    explicit FabricGoalPathTestCase(uint32_t nCases)
        : TestCase("GOAL explained with hosts' costs: " + std::to_string(nCases) + " random cases"),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        StartAnew();
        m_rng = CreateObject<UniformRandomVariable>();
        m_rng->SetStream(4);
        uint32_t nEnded = 0;
        uint32_t nOthers = 0;
        for (uint32_t run = 0; run < m_nCases; ++run)
        {
            const auto what = DrawCase();
            const auto seen = RunJobs(what, true);
            const auto alone = RunJobs(what, false);
            const auto words = "case " + std::to_string(run);
            NS_TEST_EXPECT_MSG_EQ(seen.refusal, alone.refusal, words);
            const bool isSame = seen.ends == alone.ends;
            NS_TEST_EXPECT_MSG_EQ(isSame, true, words << ": as if nobody looked");
            for (std::size_t job = 0; job < seen.paths.size(); ++job)
            {
                const auto& ends = seen.ends[job];
                const auto& path = seen.paths[job];
                const auto last = std::max_element(ends.begin(), ends.end())->GetTimeStep();
                NS_TEST_EXPECT_MSG_EQ(FindGap(path, 0, last), "", words << ToLines(path));
                NS_TEST_EXPECT_MSG_EQ(SumOf(path, LatencyCause::UNEXPLAINED),
                                      0,
                                      words << ToLines(path));
                ++nEnded;
            }
            nOthers += std::any_of(seen.rows.begin(), seen.rows.end(), [](const auto& row) {
                return row.other.find("job ") != std::string::npos;
            });
        }
        NS_TEST_EXPECT_MSG_GT(nEnded, m_nCases / 2, "most of the cases end");
        NS_TEST_EXPECT_MSG_GT(nOthers, m_nCases / 50, "jobs name each other");
        CheckOtherJob();
    }

    /// @return one of some texts @param values the texts
    std::string Pick(const std::vector<std::string>& values)
    {
        return values[m_rng->GetInteger(0, static_cast<uint32_t>(values.size()) - 1)];
    }

    /// @return a case
    JobsCase DrawCase()
    {
        JobsCase what;
        what.nHosts = 8;
        what.topology = Pick({"", "mesh:2,hosts=4", "torus:2x2,hosts=2", "mesh:4,hosts=2"});
        what.transport = Pick({"sendrecv", "sendrecv", "rdma"});
        const auto nJobs = m_rng->GetInteger(1, 3);
        for (uint32_t job = 0; job < nJobs; ++job)
        {
            const auto ranks = m_rng->GetInteger(2, 9);
            what.jobs.push_back(std::make_shared<GoalSchedule>(
                DrawGoal(m_rng, ranks, m_rng->GetInteger(1, 4 * ranks))));
            what.hosts.emplace_back();
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                what.hosts.back().push_back(m_rng->GetInteger(0, what.nHosts - 1));
            }
        }
        const std::map<std::string, std::vector<std::string>> choices{
            {"StartUp", {"0ns", "731ns"}},
            {"SendOverhead", {"0ns", "313ns"}},
            {"ReceiveOverhead", {"0ns", "517ns"}},
            {"TransferTime", {"0ns", "411ns"}},
            {"MatchingTime", {"0ns", "97ns"}},
            {"DescriptorTime", {"0ns", "211ns"}},
            {"UnexpectedTime", {"0ns", "1301ns"}},
            {"PostTime", {"0ns", "89ns"}},
            {"PollTime", {"0ns", "61ns"}},
            {"PollInterval", {"0ns", "700ns"}},
            {"FlagTime", {"0ns", "123ns"}},
            {"InterfaceSendTime", {"0ns", "901ns"}},
            {"InterfaceReceiveTime", {"0ns", "607ns"}},
            {"MessageGap", {"0ns", "1009ns"}},
            {"SendDataRate", {"0bps", "1Gbps"}},
            {"CopyDataRate", {"0bps", "3Gbps"}},
            {"EagerLimit", {"4294967295", "4294967295", "1000"}},
            {"MaxPacketBytes", {"0", "1500"}},
            {"SendJitter", {"", "ns3::UniformRandomVariable[Max=1e-7]"}},
        };
        for (const auto& [attribute, values] : choices)
        {
            const auto value = Pick(values);
            if (!value.empty())
            {
                what.software[attribute] = value;
            }
        }
        return what;
    }

    /// A job whose message waits for another job's is faster by just that time without it.
    void CheckOtherJob()
    {
        const auto send = [](const std::string& bytes, const std::string& wait) {
            return std::make_shared<GoalSchedule>(
                Parse("num_ranks 2\nrank 0 {\nl1: calc " + wait + "\nl2: send " + bytes +
                      "b to 1 tag 1\nl2 requires l1\n}\nrank 1 {\nrecv " + bytes +
                      "b from 0 tag 1\n}\n"));
        };
        JobsCase what;
        what.topology = "mesh:2,hosts=2";
        what.nHosts = 4;
        what.software = {{"StartUp", "1us"}, {"ReceiveOverhead", "2us"}};
        what.jobs = {send("500", "300"), send("20000", "0")};
        what.hosts = {{0, 2}, {1, 3}};
        const auto both = RunJobs(what, true);
        int64_t held = 0;
        for (const auto& row : both.rows)
        {
            if (row.other.find("job 1") != std::string::npos)
            {
                NS_TEST_EXPECT_MSG_EQ(row.cause, "output", "the cable between the switches");
                held += row.toPs - row.fromPs;
            }
        }
        NS_TEST_EXPECT_MSG_GT(held, 0, "the other job is named");
        what.jobs.resize(1);
        what.hosts.resize(1);
        const auto alone = RunJobs(what, true);
        NS_TEST_EXPECT_MSG_EQ((both.ends[0][1] - alone.ends[0][1]).GetPicoSeconds(),
                              held,
                              "the time that the other job took");
        NS_TEST_EXPECT_MSG_EQ(SumOf(alone.paths[0], LatencyCause::OUTPUT),
                              0,
                              "nobody is in the way");
        NS_TEST_EXPECT_MSG_EQ(SumOf(alone.paths[0], LatencyCause::COMPUTE),
                              300'000,
                              "calculations have a cause of their own");
    }

    uint32_t m_nCases;                ///< how many random cases
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
};

/// Explained GOAL schedules.
class GoalExplainTestSuite : public TestSuite
{
  public:
    GoalExplainTestSuite()
        : TestSuite("wormhole-goal-explain", TestSuite::Type::UNIT)
    {
        AddTestCase(new IdealGoalPathTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new FabricGoalPathTestCase(200), WORMHOLE_TEST_QUICK);
        AddTestCase(new FabricGoalPathTestCase(2000), WORMHOLE_TEST_EXTENSIVE);
    }
};

/// The suite.
GoalExplainTestSuite g_goalExplainTestSuite;

} // namespace
