/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Why GOAL schedules take as long as they do: critical paths on the ideal network and over fabrics.

#include "../interval-text.h"
#include "../jobs-case.h"
#include "../random-goal.h"
#include "../test-case.h"

#include "ns3/goal-file.h"
#include "ns3/log-gops.h"

using namespace ns3;

namespace
{

GoalSchedule
Parse(const std::string& text)
{
    return GoalFile::ReadText(text, "text");
}

class IdealGoalPathTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(IdealGoalPathTestCase,
                   "GOAL explained on the ideal network: no gap, and the path's sum is the end");

    /// The model's parameters, by the counts of a path.
    typedef std::pair<Time LogGops::Parameters::*, uint64_t LogGops::Explanation::*> Term;

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
        const auto rng = MakeRandom(3);
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

/// Critical paths with hosts' costs.
class FabricGoalPathTestCase : public SimulationTestCase
{
  public:
    explicit FabricGoalPathTestCase(uint32_t nCases)
        : SimulationTestCase("GOAL explained with hosts' costs: " + std::to_string(nCases) +
                             " random cases"),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        JobsDraw draw(4);
        const std::vector<std::string> topologies{"",
                                                  "mesh:2,hosts=4",
                                                  "torus:2x2,hosts=2",
                                                  "mesh:4,hosts=2"};
        uint32_t nEnded = 0;
        uint32_t nOthers = 0;
        for (uint32_t run = 0; run < m_nCases; ++run)
        {
            const auto what = draw.Make(topologies);
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

    uint32_t m_nCases; ///< how many random cases
};

static ListedTestSuite g_goalExplainTestSuite("wormhole-goal-explain",
                                              {new IdealGoalPathTestCase,
                                               new FabricGoalPathTestCase(200)},
                                              {new FabricGoalPathTestCase(2000)});

} // namespace
