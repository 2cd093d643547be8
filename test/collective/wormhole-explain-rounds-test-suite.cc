// SPDX-License-Identifier: GPL-2.0-only

#include "../jobs-case.h"

using namespace ns3;

SUITE("wormhole-explain-rounds", UNIT);

namespace
{

std::string
FindProblem(const RoundCase& of, const ExplainedRound& round)
{
    const std::map<LatencyCause, int64_t> lengths{
        {LatencyCause::START_UP, Time(of.software.at("StartUp")).GetTimeStep()},
        {LatencyCause::PROPAGATION, 20'000},
        {LatencyCause::IDEAL_NETWORK, 1'700'000}};
    for (const auto& interval : round.intervals)
    {
        const auto wanted = lengths.find(interval.cause);
        if (wanted != lengths.end() && interval.from > round.begin &&
            interval.to - interval.from != wanted->second)
        {
            return GetName(interval.cause) + " of another length";
        }
        if (interval.cause == LatencyCause::MEMBER_LATE)
        {
            const auto rank = std::stoul(interval.place.substr(std::string("rank ").size()));
            if (round.entries[rank] != interval.to)
            {
                return "the member came at another time";
            }
        }
    }
    return FindFault(round.intervals, round.begin, round.end);
}

TEST_CASE(ExplainedFrameTestCase, "a frame that is in the way is named by its sender")
{
    const auto domain = InstallDomain(MakeTopology("mesh:2"));
    const auto fabric = domain->GetFabric();
    CollectiveBench bench(CollectiveHelper::MakeBarrier("dissemination"), domain, {0, 1});
    bench.Record();
    // When members come; it is longer than the start-up of their first message.
    Simulator::Schedule(MicroSeconds(1000), [&] {
        fabric->GetHost(0)->Send(Create<Packet>(1000), fabric->GetHost(1)->GetAddress(), 0x800);
    });
    bench.Cross({}, {});
    const auto others = ToSet(MadeOf(bench.GetReport().GetRows(), [](const auto& row) {
        return row.other.substr(std::min(row.other.find(','), row.other.size()));
    }));
    NS_TEST_EXPECT_MSG_EQ(others.count(", a frame from h0"), 1, "it is not named");
}

/// Rounds of all kinds and algorithms are explained without a gap, and go on as if nobody looked.
/// @param nReruns how many are run again without what is named @param topology fabric of 24
/// hosts or more, with lanes, or whose hosts pass worms on; empty: fabrics are drawn
TEST_CASE_WITH(ExplainedRoundsTestCase,
               (uint32_t nRounds, uint32_t nReruns, const std::string& topology),
               std::to_string(nRounds) + " rounds of all kinds and algorithms " + topology)
{
    uint32_t nDone{0};    // how many were
    uint32_t nShorter{0}; // of these, how many took less time
    const auto tells = [&](const RoundOutcome& outcome,
                           const std::function<bool(const LatencyInterval&)>& isSuch) -> bool {
        return AnyOf(outcome.rounds,
                     [&](const auto& round) { return AnyOf(round.intervals, isSuch); });
    };
    const auto rerun = [&](const RoundCase& made, const ExplainedRound& before) -> std::string {
        auto changed = made;
        const auto& first = before.intervals.front();
        const bool isLate = first.cause == LatencyCause::MEMBER_LATE;
        if (!before.loadNamed.empty())
        {
            changed.load.erase(changed.load.begin() +
                               static_cast<std::ptrdiff_t>(before.loadNamed.front()));
        }
        else if (isLate)
        {
            const auto rank = std::stoul(first.place.substr(std::string("rank ").size()));
            changed.arrivals[rank] =
                *std::min_element(changed.arrivals.begin(), changed.arrivals.end());
        }
        else
        {
            return "";
        }
        ++nDone;
        const auto again = RunRounds(changed, true).rounds[0];
        const auto problem = FindProblem(changed, again);
        if (!problem.empty())
        {
            return problem + ToLines(again.intervals);
        }
        nShorter += again.end - again.begin < before.end - before.begin;
        if (before.loadNamed.empty() && again.intervals.front().cause == first.cause &&
            again.intervals.front().place == first.place)
        {
            return "the member is late still";
        }
        return "";
    };
    const auto algorithms = ListAlgorithms();
    RoundDraw draw(29);
    std::set<std::pair<std::string, std::string>> seen;
    uint32_t explained = 0;
    bool isInLanes = false;
    bool isInTransit = false;
    for (uint32_t i = 0; explained < nRounds; ++i)
    {
        NS_TEST_ASSERT_MSG_LT(i, 20 * nRounds, "most cases are refused");
        const auto& [kind, name] = algorithms[i % algorithms.size()];
        auto made = draw.Make(kind, name);
        made.topology = topology;
        const auto outcome = RunRounds(made, true);
        if (!outcome.refusal.empty())
        {
            continue;
        }
        seen.insert({kind, name});
        isInLanes = isInLanes || tells(outcome, [](const auto& interval) {
                        return interval.lane > 0; // any but the first
                    });
        isInTransit = isInTransit || tells(outcome, [](const auto& interval) {
                          return interval.cause == LatencyCause::IN_TRANSIT;
                      });
        const auto plain = RunRounds(made, false);
        for (std::size_t round = 0; round < outcome.rounds.size(); ++round)
        {
            const auto& its = outcome.rounds[round];
            NS_TEST_EXPECT_MSG_EQ(its.end, plain.rounds[round].end, made.Print());
            const auto what = Text("case ", i, " round ", round, ": ", made.Print());
            NS_TEST_EXPECT_MSG_EQ(FindProblem(made, its), "", what << ToLines(its.intervals));
            ++explained;
        }
        if (made.rounds == 1 && nDone < nReruns)
        {
            const auto problem = rerun(made, outcome.rounds[0]);
            NS_TEST_EXPECT_MSG_EQ(problem, "", "case " << i << ": " << made.Print());
        }
    }
    const auto few = std::min<std::size_t>(nRounds / 4, algorithms.size() - 3);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(seen.size(), few, "algorithms");
    const bool hasTransit = topology.find("in-transit") != std::string::npos;
    NS_TEST_EXPECT_MSG_EQ(isInTransit, hasTransit, "hosts are told that pass worms on");
    NS_TEST_EXPECT_MSG_EQ(isInLanes, (!topology.empty() && !hasTransit), "lanes are told");
    NS_TEST_EXPECT_MSG_EQ(nDone, nReruns, "reruns");
    // Where sanitizers slow all down, too few are done to say how often.
    Holds(IS_SANITIZED || 3 * nShorter >= 2 * nDone,
          Text("seldom shorter without them: ", nShorter, " of ", nDone));
}

/// What is on the path counts: with a start-up 1 ps longer, a round in which nobody waits for other
/// worms takes as many ps longer as there are start-ups on its path.
TEST_CASE_WITH(LongerStartUpsTestCase,
               (uint32_t nCases),
               std::to_string(nCases) + " rounds with longer start-ups")
{
    const auto names =
        Join({"btin", "unicast", "multicast"}, CollectiveHelper::GetNames("barrier"));
    RoundDraw draw(31);
    uint32_t free = 0;
    uint32_t startUps = 0;
    uint32_t cases = 0;
    for (uint32_t i = 0; cases < nCases; ++i)
    {
        NS_TEST_ASSERT_MSG_LT(i, 20 * nCases, "most cases are refused");
        auto made = draw.Make("barrier", names[i % names.size()]);
        made.load.clear();
        made.rounds = 1;
        made.group["Transport"] = "sendrecv"; // a poll may see a later write at the same time
        made.software["StartUp"] = "5000ns";
        const auto outcome = RunRounds(made, true);
        if (!outcome.refusal.empty())
        {
            continue;
        }
        ++cases;
        const auto& its = outcome.rounds[0];
        const auto count = [&](const std::set<LatencyCause>& causes) {
            const auto isSuch = [&](const auto& each) { return causes.count(each.cause) > 0; };
            return std::count_if(its.intervals.begin(), its.intervals.end(), isSuch);
        };
        const auto nStartUps = count({LatencyCause::START_UP});
        startUps += nStartUps > 0;
        // Where others are waited for, the path does not follow what these depend on.
        if (count({LatencyCause::OUTPUT,
                   LatencyCause::BUFFER_QUEUE,
                   LatencyCause::CREDIT,
                   LatencyCause::INTERFACE_BUSY}) > 0)
        {
            continue;
        }
        ++free;
        made.software["StartUp"] = "5000.001ns";
        const auto again = RunRounds(made, false).rounds[0];
        const auto wanted = its.end - its.begin + nStartUps;
        Equals(again.end - again.begin, wanted, made.Print() + ToLines(its.intervals));
    }
    NS_TEST_EXPECT_MSG_GT(2 * startUps, nCases, "few start-ups");
    NS_TEST_EXPECT_MSG_GT(3 * free, nCases, "most wait for others");
}

TEST_CASE(RegisterWaitsTestCase, "A register names the child that it waited for")
{
    const auto domain = InstallDomain(MakeStar(4));
    auto barrier = CollectiveHelper::MakeBarrier("btin");
    CollectiveBench bench(barrier, domain, {0, 1, 2, 3});
    bench.Record();
    const auto top = barrier->GetTree().GetRootHost() - 1;
    std::vector<Time> arrivals(4, NanoSeconds(0));
    const uint32_t late = top == 2 ? 3 : 2;
    arrivals[late] = NanoSeconds(700);
    bench.Cross(arrivals, {});
    std::string told;
    std::vector<std::string> causes;
    for (const auto& row : bench.GetReport().GetRows())
    {
        told += row.cause == "register" ? row.place + " " + row.note : "";
        causes.push_back(row.cause);
    }
    NS_TEST_EXPECT_MSG_EQ(told, "s0:" + std::to_string(late) + " came 700ns after the others", "");
    NS_TEST_EXPECT_MSG_EQ(causes.front(), "member-late", "the member");
    Contains(bench.GetReport().ToText(), "a member that came late: rank " + std::to_string(late));
}

TEST_CASE(LateGatherTestCase,
          "A gather's root does not take a next round's segment for a missing one")
{
    const auto domain = InstallDomain(MakeStar(3));
    auto gather = CollectiveHelper::MakeCollective("gather", "btin[Bytes=8|Root=0]");
    SetUp(gather, domain, {0, 1, 2});
    Time rootLeft;
    uint32_t nLeft = 0; // how often rank 1 has left
    gather->SetLeaveCallback(0, CallbackOf([&](uint64_t) { rootLeft = Simulator::Now(); }));
    const auto comeAgain = [&](uint64_t) {
        if (nLeft++ < 2)
        {
            Simulator::ScheduleNow([&] { gather->Enter(1); });
        }
    };
    gather->SetLeaveCallback(1, CallbackOf(comeAgain));
    const auto late = MicroSeconds(300);
    gather->Enter(0);
    gather->Enter(1);
    const auto came = Simulator::Now() + late;
    Simulator::Schedule(late, [&] { gather->Enter(2); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nLeft, 3, "rank 1 left its rounds");
    NS_TEST_EXPECT_MSG_GT(rootLeft, came, "the root left before rank 2 had come");
}

TEST_CASE(TwoDomainsTestCase,
          "A domain that nobody explains records nothing beside one that is explained")
{
    const auto explained = CollectiveHelper().InstallIdeal(4, MicroSeconds(1));
    const auto other = CollectiveHelper().InstallIdeal(4, MicroSeconds(1));
    {
        const RoundExplainer explainer(explained);
        const auto barrier = CollectiveHelper::MakeBarrier("dissemination");
        const std::vector<uint32_t> hosts{0, 1, 2, 3};
        CollectiveBench(CollectiveHelper::MakeBarrier("dissemination"), other, hosts).Cross({}, {});
        CollectiveBench(barrier, explained, hosts).Cross({}, {});
        NS_TEST_EXPECT_MSG_EQ(explainer.Explain(*barrier, 1).empty(), false, "it is explained");
        NS_TEST_EXPECT_MSG_EQ(other->GetActivities().IsRecording(), false, "nobody asks");
    }
    NS_TEST_EXPECT_MSG_EQ(explained->GetActivities().IsRecording(), false, "nobody asks any more");
}

ADD_CASES()
{
    AddQuick<ExplainedRoundsTestCase>(FewIfSanitized(40), FewIfSanitized(6), "");
    AddExtensive<ExplainedRoundsTestCase>(1000, 100, "");
    const std::string irregular = "irregular:switches=16,hosts=40,routing=";
    for (const auto& topology : {irregular + "nue[Lanes=2]",
                                 irregular + "nue[Lanes=4]",
                                 irregular + "adaptive",
                                 irregular + "in-transit",
                                 irregular + "in-transit[Mode=whole]",
                                 std::string("torus:4x4,hosts=2,routing=adaptive")})
    {
        // Fewer than 7 may not tell of hosts that pass worms on.
        AddQuick<ExplainedRoundsTestCase>(IS_SANITIZED ? 7 : 8, FewIfSanitized(3), topology);
        AddExtensive<ExplainedRoundsTestCase>(300, 30, topology);
    }
    AddQuick<LongerStartUpsTestCase>(FewIfSanitized(20));
    AddExtensive<LongerStartUpsTestCase>(400);
}

// Why GOAL schedules take as long as they do: critical paths on the ideal network and over fabrics.
SUITE("wormhole-goal-explain", UNIT);

GoalSchedule
Parse(const std::string& text)
{
    return GoalFile::ReadText(text, "text");
}

LogGops::Explanation
Explain(const std::string& text, const LogGops::Parameters& parameters)
{
    LogGops::Explanation explanation;
    LogGops::Run(Parse(text), parameters, {}, &explanation);
    return explanation;
}

TEST_CASE(IdealGoalPathTestCase,
          "GOAL explained on the ideal network: no gap, and the path's sum is the end")
{
    // The model's parameters, by the counts of a path.
    const std::vector<std::pair<Time LogGops::Parameters::*, uint64_t LogGops::Explanation::*>>
        terms{{&LogGops::Parameters::o, &LogGops::Explanation::o},
              {&LogGops::Parameters::L, &LogGops::Explanation::L},
              {&LogGops::Parameters::g, &LogGops::Explanation::g},
              {&LogGops::Parameters::G, &LogGops::Explanation::G},
              {&LogGops::Parameters::O, &LogGops::Explanation::O}};
    uint32_t nChanged{0}; // parameters on paths
    const auto rng = MakeRandom(3);
    uint32_t nExplained = 0;
    for (uint32_t number = 0; number < 600; ++number)
    {
        const auto run = "run " + std::to_string(number);
        const auto ranks = rng->GetInteger(2, number < 580 ? 12 : 200);
        const auto schedule = DrawGoal(rng, ranks, rng->GetInteger(1, 4 * ranks));
        LogGops::Parameters parameters;
        parameters.L = PicoSeconds(rng->GetInteger(0, 3000000));
        parameters.o = PicoSeconds(rng->GetInteger(0, 2000000));
        parameters.g = PicoSeconds(rng->GetInteger(0, 2000000));
        parameters.G = PicoSeconds(rng->GetInteger(0, 6000));
        parameters.O = PicoSeconds(rng->GetInteger(0, 3000));
        parameters.S = rng->GetInteger(0, 1) ? 65535 : 2000;
        const auto error = ErrorOf([&] {
            LogGops::Explanation explanation;
            const auto alone = LogGops::Run(schedule, parameters);
            const auto ends = LogGops::Run(schedule, parameters, {}, &explanation);
            NS_TEST_EXPECT_MSG_EQ((alone == ends), true, run << ": as if nobody looked");
            const auto last = std::max_element(ends.begin(), ends.end());
            NS_TEST_EXPECT_MSG_EQ(explanation.end, *last, run);
            NS_TEST_EXPECT_MSG_EQ(explanation.rank, last - ends.begin(), run);
            const auto& path = explanation.intervals;
            Equals(FindGap(path, 0, last->GetTimeStep()), "", run + ToLines(path));
            const auto computing = NanoSeconds(explanation.calcNs);
            NS_TEST_EXPECT_MSG_EQ(SumOf(path, LatencyCause::COMPUTE), computing.GetTimeStep(), run);
            Time sum = computing;
            for (const auto& [parameter, count] : terms)
            {
                const auto slope = static_cast<int64_t>(explanation.*count);
                sum += parameters.*parameter * slope;
                // A parameter a little greater moves the end by as much as it is on the path.
                auto more = parameters;
                more.*parameter += PicoSeconds(1);
                const auto moved = Greatest(LogGops::Run(schedule, more));
                const auto later = (moved - *last).GetPicoSeconds();
                NS_TEST_EXPECT_MSG_GT_OR_EQ(later, slope, run << ", " << explanation.Print());
                nChanged += slope > 0;
            }
            NS_TEST_EXPECT_MSG_EQ(sum, *last, run << ": the sum " << explanation.Print());
            ++nExplained;
        });
        NS_TEST_EXPECT_MSG_EQ(error.empty() || IsEndless(error), true, error);
    }
    NS_TEST_EXPECT_MSG_GT(nExplained, 300, "most of the schedules end");
    NS_TEST_EXPECT_MSG_GT(nChanged, 1000, "parameters are on the paths");
}

TEST_CASE(GoalLongMessagePathTestCase,
          "GOAL explained on the ideal network: the sender of a long message waits for its receive")
{
    const auto explanation =
        Explain("num_ranks 2\nrank 0 {\nl1: send 70000b to 1 tag 1\nl2: calc 900000\n"
                "l2 requires l1\n}\n"
                "rank 1 {\nl1: calc 1000000\nl2: recv 70000b from 0 tag 1\nl2 requires l1\n}\n",
                {});
    NS_TEST_EXPECT_MSG_EQ(explanation.rank, 0, "the sender ends last");
    NS_TEST_EXPECT_MSG_EQ(explanation.intervals.size(), 2, ToLines(explanation.intervals));
    const auto& late = explanation.intervals.front();
    NS_TEST_EXPECT_MSG_EQ(late.place, "rank 1", "it waits for the other");
    const std::string who = "calc 1000000; send 70000b to 1 tag 1 of rank 0 waited for this";
    NS_TEST_EXPECT_MSG_EQ(late.note, who, "which is late");
}

TEST_CASE(
    GoalBlockerPathTestCase,
    "GOAL explained on the ideal network: who keeps an interface or a processor busy is named")
{
    LogGops::Parameters parameters;
    parameters.g = MicroSeconds(4);
    const std::string second = "num_ranks 3\nrank 0 {\nsend 8b to 2 tag 1\n}\n"
                               "rank 1 {\nl1: calc 100\nl2: send 8b to 2 tag 1\n"
                               "l2 requires l1\n}\n";
    auto explanation =
        Explain(second + "rank 2 {\nrecv 8b from 0 tag 1\nrecv 8b from 1 tag 1\n}\n", parameters);
    // The first message comes at o + L and keeps the interface busy for g + 7 G.
    NS_TEST_EXPECT_MSG_EQ(explanation.Print(), "2 o + L + g + 14 G", "the second one waits");
    const auto& gap = explanation.intervals.at(2);
    NS_TEST_EXPECT_MSG_EQ(ns3::GetName(gap.cause), "gap", "after o and L");
    NS_TEST_EXPECT_MSG_EQ(gap.note, "send 8b to 2 tag 1 of rank 0", "who keeps it busy");
    NS_TEST_EXPECT_MSG_EQ(gap.to - gap.from, parameters.g.GetTimeStep(), "for how long");
    // Without it, the path is that of the other message.
    explanation = Explain("num_ranks 3\nrank 0 {\n}\n" + second.substr(second.find("rank 1")) +
                              "rank 2 {\nrecv 8b from 1 tag 1\n}\n",
                          parameters);
    NS_TEST_EXPECT_MSG_EQ(explanation.Print(), "2 o + L + 7 G + 100 ns", "nothing waits");
    explanation = Explain("num_ranks 1\nrank 0 {\n}\n", parameters);
    NS_TEST_EXPECT_MSG_EQ(explanation.Print(), "0 ns", "nothing is done");
    NS_TEST_EXPECT_MSG_EQ(explanation.intervals.size(), 0, "and takes no time");
}

TEST_CASE_WITH(FabricGoalPathTestCase,
               (uint32_t nCases),
               "GOAL explained with hosts' costs: " + std::to_string(nCases) + " random cases")
{
    JobsDraw draw(4);
    const auto topologies = Join({""}, Words("mesh:2,hosts=4 torus:2x2,hosts=2 mesh:4,hosts=2"));
    uint32_t nEnded = 0;
    uint32_t nOthers = 0;
    for (uint32_t run = 0; run < nCases; ++run)
    {
        const auto what = draw.Make(topologies);
        const auto seen = RunJobs(what, true);
        const auto alone = RunJobs(what, false);
        const auto words = "case " + std::to_string(run);
        NS_TEST_EXPECT_MSG_EQ(seen.refusal, alone.refusal, words);
        NS_TEST_EXPECT_MSG_EQ((seen.ends == alone.ends), true, words << ": as if nobody looked");
        for (std::size_t job = 0; job < seen.paths.size(); ++job)
        {
            const auto& path = seen.paths[job];
            NS_TEST_EXPECT_MSG_EQ(FindFault(path, seen.ends[job]), "", words << ToLines(path));
            ++nEnded;
        }
        nOthers += AnyOf(seen.rows, [](const auto& row) {
            return row.other.find("job ") != std::string::npos;
        });
    }
    NS_TEST_EXPECT_MSG_GT(nEnded, nCases / 2, "most of the cases end");
    NS_TEST_EXPECT_MSG_GT(nOthers, nCases / 50, "jobs name each other");
}

TEST_CASE(GoalOtherJobPathTestCase,
          "GOAL explained with hosts' costs: a job that waits for another's message")
{
    const auto send = [](const std::string& bytes, const std::string& wait) {
        return std::make_shared<GoalSchedule>(Parse(
            "num_ranks 2\nrank 0 {\nl1: calc " + wait + "\nl2: send " + bytes +
            "b to 1 tag 1\nl2 requires l1\n}\nrank 1 {\nrecv " + bytes + "b from 0 tag 1\n}\n"));
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
    const auto longer = (both.ends[0][1] - alone.ends[0][1]).GetPicoSeconds();
    NS_TEST_EXPECT_MSG_EQ(longer, held, "the time that the other job took");
    NS_TEST_EXPECT_MSG_EQ(SumOf(alone.paths[0], LatencyCause::OUTPUT), 0, "nobody is in the way");
    NS_TEST_EXPECT_MSG_EQ(SumOf(alone.paths[0], LatencyCause::COMPUTE), 300'000, "calculations");
}

ADD_CASES()
{
    AddQuick<FabricGoalPathTestCase>(100);
    AddExtensive<FabricGoalPathTestCase>(2000);
}

} // namespace
