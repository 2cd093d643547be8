// SPDX-License-Identifier: GPL-2.0-only

#include "../jobs-case.h"

#include "ns3/worm-explainer.h"
#include "ns3/worm-recorder.h"

using namespace ns3;

namespace
{

/// @return the worm of the traffic that an interval names; null: none
const TrafficWorm*
GetTraffic(const LatencyInterval& interval)
{
    return dynamic_cast<const TrafficWorm*>(PeekPointer(interval.other));
}

bool
NamesTraffic(const LatencyIntervals& path)
{
    return AnyOf(path, GetTraffic);
}

/// What ports' traces tell: who had each output, and since when, and until when.
struct OutputLog
{
    void Watch(Ptr<WormholeFabric> fabric)
    {
        for (const auto& port : ListPorts(fabric, true))
        {
            const auto name = port->GetName();
            Listen(port, "Grant", [this, name](Ptr<const Worm> worm) {
                owned[{name, worm->GetId()}] = {Simulator::Now().GetTimeStep(), 0};
            });
            Listen(port, "TailLeft", [this, name](Ptr<const Worm> worm) {
                owned[{name, worm->GetId()}].second = Simulator::Now().GetTimeStep();
            });
        }
    }

    /// @return what is false of an interval that names somebody, or nothing
    std::string FindLie(const LatencyInterval& interval, int64_t start) const
    {
        const bool isHost = interval.cause == LatencyCause::INTERFACE_BUSY;
        if (!interval.other || (!isHost && interval.cause != LatencyCause::OUTPUT))
        {
            return "";
        }
        const auto output = interval.place + (isHost ? ":0" : "");
        const auto found = owned.find({output, interval.other->GetId()});
        if (found == owned.end())
        {
            return "it never had " + output;
        }
        const auto [granted, left] = found->second;
        // In front of a host's queue, a worm waits for its output, too.
        if ((!isHost && granted > start + interval.from) || left < start + interval.to)
        {
            return "it had " + output + " from " + std::to_string(granted - start) + " until " +
                   std::to_string(left - start);
        }
        return "";
    }

    /// By output and worm, from when to when.
    std::map<std::pair<std::string, uint64_t>, std::pair<int64_t, int64_t>> owned;
};

// Why GOAL schedules take as long as they do beside traffic: critical paths through others' worms.
SUITE("wormhole-goal-beside", UNIT);

TEST_CASE_WITH(GoalBesideTestCase,
               (uint32_t nCases),
               "GOAL explained beside traffic: " + std::to_string(nCases) + " random cases")
{
    JobsDraw draw(5);
    uint32_t nRounds = 0;
    uint32_t nNamed = 0;
    for (uint32_t run = 0; run < nCases; ++run)
    {
        auto what = draw.MakeOnFabric();
        what.traffic = draw.PickTraffic();
        what.rounds = draw.Draw(1, 3);
        const auto words = "case " + std::to_string(run) + ", " + what.topology;
        bool isRecorded = true;
        const auto seen = RunJobs(what, true);
        const auto alone = RunJobs(what, false, [&](Ptr<WormholeFabric> fabric) {
            isRecorded =
                fabric->GetRecorder() != nullptr ||
                fabric->GetHost(0)->GetObject<HostSoftware>()->GetActivities().IsRecording();
        });
        NS_TEST_EXPECT_MSG_EQ(isRecorded, false, words << ": nothing is, if nobody asks");
        NS_TEST_EXPECT_MSG_EQ(seen.refusal, alone.refusal, words);
        const bool isSame = seen.ends == alone.ends && seen.rounds == alone.rounds;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, words << ": as if nobody looked");
        for (std::size_t job = 0; job < seen.paths.size(); ++job)
        {
            const auto& idle = seen.paths[job];
            NS_TEST_EXPECT_MSG_EQ(FindFault(idle, seen.ends[job]), "", words << ToLines(idle));
            NS_TEST_EXPECT_MSG_EQ(NamesTraffic(idle), false, words << ": there is none yet");
            NS_TEST_EXPECT_MSG_EQ(seen.beside[job].size(), what.rounds, words);
            for (std::size_t round = 0; round < seen.beside[job].size(); ++round)
            {
                const auto& path = seen.beside[job][round];
                const auto fault = FindFault(path, seen.rounds[job][round]);
                NS_TEST_EXPECT_MSG_EQ(fault, "", words << ", round " << round << ToLines(path));
                ++nRounds;
                nNamed += NamesTraffic(path);
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(nRounds, 2 * nCases, "most of the cases end");
    NS_TEST_EXPECT_MSG_GT(nNamed, nRounds / 4, "traffic is in the way");
}

TEST_CASE_WITH(GoalBlockersTestCase,
               (uint32_t nReruns),
               "GOAL explained beside traffic: " + std::to_string(nReruns) +
                   " cases without a worm that is named")
{
    // Looks at paths as a whole. Returns a job whose path names a worm of the traffic; as many as
    // there are: none
    const auto checkPaths = [&](const JobsOutcome& outcome,
                                const std::string& words) -> std::size_t {
        NS_TEST_EXPECT_MSG_EQ(outcome.refusal, "", words);
        auto named = outcome.paths.size();
        for (std::size_t job = 0; job < outcome.paths.size(); ++job)
        {
            const auto& path = outcome.paths[job];
            NS_TEST_EXPECT_MSG_EQ(FindFault(path, outcome.ends[job]), "", words << ToLines(path));
            named = NamesTraffic(path) ? job : named;
        }
        return named;
    };
    // Returns a case without the worm that has been in the way for longest. path: a path of it that
    // names one
    const auto remove = [&](const JobsCase& what, const LatencyIntervals& path) -> JobsCase {
        std::map<const TrafficWorm*, int64_t> held;
        for (const auto& interval : path)
        {
            if (const auto worm = GetTraffic(interval))
            {
                held[worm] += interval.to - interval.from;
            }
        }
        const auto worst = std::max_element(held.begin(), held.end(), [](auto& a, auto& b) {
            return a.second < b.second;
        });
        const auto& worm = *worst->first;
        auto changed = what;
        changed.load.erase(FindIn(changed.load, [&](const LoadWorm& its) {
            return its.from == worm.GetSource() && its.to == worm.GetDestination() &&
                   its.time == worm.GetGenerated().GetPicoSeconds();
        }));
        return changed;
    };
    JobsDraw draw(6);
    uint32_t nDone = 0;
    uint32_t nShorter = 0;
    uint32_t nTold = 0;
    for (uint32_t run = 0; nDone < nReruns; ++run)
    {
        NS_TEST_ASSERT_MSG_LT(run, 20 * nReruns, "traffic is seldom named");
        auto what = draw.MakeOnFabric();
        what.start = MicroSeconds(20);
        what.load = draw.DrawLoad(draw.Draw(20, 200), what.nHosts, LANE_DEPTH, 200'000'000, 0);
        const auto words = "case " + std::to_string(run) + ", " + what.topology;
        OutputLog log;
        const auto outcome =
            RunJobs(what, true, [&](Ptr<WormholeFabric> fabric) { log.Watch(fabric); });
        if (!outcome.refusal.empty())
        {
            continue; // a rank waits for ever
        }
        const auto job = checkPaths(outcome, words);
        for (const auto& path : outcome.paths)
        {
            for (const auto& interval : path)
            {
                const auto lie = log.FindLie(interval, what.start.GetTimeStep());
                NS_TEST_EXPECT_MSG_EQ(lie, "", words << ToLines({interval}));
                nTold += GetTraffic(interval) != nullptr;
            }
        }
        if (job < outcome.paths.size())
        {
            const auto again = RunJobs(remove(what, outcome.paths[job]), true);
            checkPaths(again, words + ", again");
            const auto last = [job](const JobsOutcome& of) { return Greatest(of.ends[job]); };
            ++nDone;
            nShorter += last(again) < last(outcome);
        }
    }
    NS_TEST_EXPECT_MSG_GT(nTold, 2 * nReruns, "claims");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * nShorter, 2 * nReruns, "seldom shorter without them");
}

TEST_CASE(
    GoalBesideLongWormTestCase,
    "GOAL explained beside traffic: a worm that was under way before is named, and costs just "
    "what is told; those that had ended are forgotten")
{
    bool hasLooked = false;
    const auto look = [&](WormholeFabric& fabric) {
        hasLooked = true;
        const auto recorder = fabric.GetRecorder();
        NS_TEST_EXPECT_MSG_EQ((recorder->Find(0) != nullptr), false, "a worm that had ended");
        NS_TEST_EXPECT_MSG_EQ((recorder->Find(1) != nullptr), true, "a worm under way");
        NS_TEST_EXPECT_MSG_EQ(recorder->IsWhole(1), false, "is not whole");
        NS_TEST_EXPECT_MSG_EQ(recorder->IsWhole(2), true, "the program's is");
        const auto told = WormExplainer(*recorder).Explain(1, "h3").size();
        NS_TEST_EXPECT_MSG_EQ(told, 0, "and so is not explained itself");
    };
    JobsCase what;
    what.topology = "mesh:2,hosts=2";
    what.nHosts = 4;
    what.software = {{"StartUp", "1us"}, {"ReceiveOverhead", "2us"}};
    what.jobs = {std::make_shared<GoalSchedule>(
        GoalFile::ReadText("num_ranks 2\nrank 0 {\nsend 500b to 1 tag 1\n}\n"
                           "rank 1 {\nrecv 500b from 0 tag 1\n}\n",
                           "text"))};
    what.hosts = {{0, 2}};
    what.start = MicroSeconds(20);
    what.load = {{3, 1, 10, 0}, {1, 3, 20000, 1}};
    const auto beside = RunJobs(what, true, [&](Ptr<WormholeFabric> fabric) {
        Simulator::Schedule(MicroSeconds(30), [&, its = PeekPointer(fabric)] { look(*its); });
    });
    NS_TEST_EXPECT_MSG_EQ(hasLooked, true, "in the midst of it");
    int64_t held = 0;
    for (const auto& row : beside.rows)
    {
        if (!row.other.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(row.cause, "output", "the cable between the switches");
            NS_TEST_EXPECT_MSG_EQ(row.other, "worm 1 of the traffic from h1 to h3", "who");
            held += row.toPs - row.fromPs;
        }
    }
    NS_TEST_EXPECT_MSG_GT(held, 0, "it is in the way");
    what.load.pop_back();
    const auto alone = RunJobs(what, true);
    const auto longer = beside.ends[0][1] - alone.ends[0][1];
    NS_TEST_EXPECT_MSG_EQ(longer.GetPicoSeconds(), held, "the time that it took");
    NS_TEST_EXPECT_MSG_EQ(SumOf(alone.paths[0], LatencyCause::OUTPUT), 0, "nobody");

    // A worm is kept until its last credit is back, which the first message may wait for.
    what.topology = "mesh:2,hosts=2,length=400m";
    what.depth = 1;
    what.software = {{"StartUp", "0ns"}};
    what.hosts = {{0, 1}};
    what.load = {{0, 1, 1, 0}};
    uint32_t nNamed = 0;
    for (int64_t start = 1; start < 120; ++start)
    {
        what.start = NanoSeconds(100 * start);
        const auto outcome = RunJobs(what, true);
        const auto& path = outcome.paths[0];
        NS_TEST_EXPECT_MSG_EQ(FindFault(path, outcome.ends[0]), "", start << ToLines(path));
        nNamed += NamesTraffic(path);
    }
    NS_TEST_EXPECT_MSG_GT(nNamed, 10, "its credit is waited for");
}

ADD_CASES()
{
    AddQuick<GoalBesideTestCase>(8);
    AddQuick<GoalBlockersTestCase>(40);
    AddExtensive<GoalBesideTestCase>(1000);
    AddExtensive<GoalBlockersTestCase>(400);
}

// Why rounds of collectives take as long as they do beside traffic.
SUITE("wormhole-explain-beside", UNIT);

struct LoadedOutcome
{
    std::string refusal;                          ///< why there are none; empty: there are
    std::vector<Time> durations;                  ///< by round
    std::vector<Time> sums;                       ///< by rank
    std::vector<std::pair<int64_t, int64_t>> ran; ///< by round, from when to when
    std::vector<LatencyIntervals> paths;          ///< by round, if they are recorded
    std::vector<std::string> others;              ///< traffic that is named, as reports name it
    std::vector<std::string> lies;                ///< claims that are false
    bool isRecorded{false};                       ///< whether anything was recorded
};

LoadedOutcome
RunLoaded(const RoundCase& what, const LoadedBench::Traffic& traffic, bool isExplained)
{
    StartAnew();
    LoadedOutcome outcome;
    const auto domain = MakeDomain(what);
    outcome.refusal = ErrorOf([&] {
        const auto collective = MakeCollective(what);
        LoadedBench bench(collective, domain, what.members, traffic);
        const auto fabric = domain->GetFabric();
        OutputLog log;
        if (isExplained)
        {
            log.Watch(fabric);
            bench.Record();
        }
        uint32_t nInside = 0; // members
        Listen(collective, "Enter", [&](uint32_t, uint64_t) {
            const auto now = Simulator::Now().GetTimeStep();
            if (nInside++ == 0)
            {
                outcome.ran.emplace_back(now, now);
            }
        });
        Listen(collective, "Leave", [&](uint32_t, uint64_t) {
            --nInside;
            outcome.ran.back().second = Simulator::Now().GetTimeStep();
        });
        outcome.isRecorded =
            fabric->GetRecorder() != nullptr || domain->GetActivities().IsRecording();
        outcome.durations = bench.Cross(what.rounds);
        outcome.sums = bench.GetSums();
        outcome.paths = bench.GetPaths();
        for (uint32_t round = 1; round <= outcome.paths.size(); ++round)
        {
            for (const auto& row : bench.GetReport(round).GetRows())
            {
                if (row.other.find("traffic") != std::string::npos)
                {
                    outcome.others.push_back(row.other);
                }
            }
            for (const auto& interval : outcome.paths[round - 1])
            {
                const auto lie = log.FindLie(interval, 0);
                if (!lie.empty())
                {
                    outcome.lies.push_back(lie + ToLines({interval}));
                }
            }
        }
    });
    return outcome;
}

} // namespace

/// Rounds of all kinds and algorithms beside traffic are explained without a gap, go on as if
/// nobody looked, and tell no lies.
/// @param topology fabric of 24 hosts or more; empty: they are drawn
TEST_CASE_WITH(ExplainedBesideTestCase,
               (uint32_t nRounds, const std::string& topology),
               std::to_string(nRounds) + " rounds beside traffic are explained " + topology)
{
    std::set<std::pair<std::string, std::string>> nSeen; // kinds and algorithms that were
    const auto check = [&](const LoadedOutcome& seen, const std::string& words) -> uint32_t {
        uint32_t count = 0;
        for (std::size_t round = 0; round < seen.paths.size(); ++round)
        {
            const auto& path = seen.paths[round];
            const auto [begin, end] = seen.ran[round];
            NS_TEST_EXPECT_MSG_EQ(seen.durations[round].GetTimeStep(), end - begin, words);
            NS_TEST_EXPECT_MSG_EQ(FindFault(path, begin, end), "", words << ToLines(path));
            count += end > begin;
        }
        return count;
    };
    const auto algorithms = ListAlgorithms();
    RoundDraw draw(37);
    uint32_t explained = 0;
    uint32_t named = 0;
    for (uint32_t i = 0; explained < nRounds; ++i)
    {
        NS_TEST_ASSERT_MSG_LT(i, 20 * nRounds, "most cases are refused");
        // Not in order: a kind's first algorithms would be all that a short test sees.
        const auto& [kind, name] = algorithms[i * 29 % algorithms.size()];
        auto made = draw.Make(kind, name);
        made.topology = topology;
        made.isIdeal = false;
        made.load.clear();
        made.rounds = draw.Draw(1, 3);
        const auto traffic = draw.PickTraffic();
        const auto words = "case " + std::to_string(i) + ": " + made.Print() + ", load " +
                           std::to_string(traffic.load) + " " + traffic.pattern;
        const auto seen = RunLoaded(made, traffic, true);
        const auto plain = RunLoaded(made, traffic, false);
        NS_TEST_EXPECT_MSG_EQ(seen.refusal, plain.refusal, words);
        if (!seen.refusal.empty())
        {
            continue; // too much traffic, or no such group
        }
        NS_TEST_EXPECT_MSG_EQ(plain.isRecorded, false, words << ": nothing is, unasked");
        NS_TEST_EXPECT_MSG_EQ(plain.paths.size(), 0, words << ": nor explained");
        const bool isSame = seen.durations == plain.durations && seen.sums == plain.sums;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, words << ": as if nobody looked");
        NS_TEST_EXPECT_MSG_EQ(seen.paths.size(), made.rounds, words);
        explained += check(seen, words);
        named += std::count_if(seen.paths.begin(), seen.paths.end(), NamesTraffic);
        NS_TEST_EXPECT_MSG_EQ((seen.lies.empty() ? "" : seen.lies.front()), "", words);
        for (const auto& other : seen.others)
        {
            const auto isAsGoalNamesThem =
                other.find("worm ") == 0 && other.find(" of the traffic from h") < other.size();
            NS_TEST_EXPECT_MSG_EQ(isAsGoalNamesThem, true, other);
        }
        nSeen.insert({kind, name});
    }
    const auto least = std::min<std::size_t>(nRounds / 4, algorithms.size() - 6);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nSeen.size(), least, "algorithms");
    // Where sanitizers slow all down, too few are explained to say how often.
    Holds(IS_SANITIZED || 8 * named >= explained,
          "traffic is in the way of " + std::to_string(named) + " of " + std::to_string(explained));
}

ADD_CASES()
{
    const std::string irregular = "irregular:switches=16,hosts=40,routing=";
    for (const auto& topology : {std::string(),
                                 irregular + "nue[Lanes=2]",
                                 irregular + "in-transit",
                                 std::string("torus:4x4,hosts=2"),
                                 std::string("torus:4x4,hosts=2,routing=adaptive")})
    {
        const auto isDrawn = topology.empty();
        AddQuick<ExplainedBesideTestCase>(FewIfSanitized(isDrawn ? 12 : 8), topology);
        AddExtensive<ExplainedBesideTestCase>(isDrawn ? 1000 : 300, topology);
    }
}
