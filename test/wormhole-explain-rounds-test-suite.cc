/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interval-text.h"
#include "random-fabric.h"
#include "test-tools.h"

#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/data-collective.h"
#include "ns3/integer.h"
#include "ns3/round-explainer.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A worm that is no part of the collective.
struct LoadWorm
{
    uint32_t from;  ///< sending host
    uint32_t to;    ///< receiving host
    uint64_t flits; ///< length
    int64_t time;   ///< when it is handed to the interface, ps; rounds begin after a ms
};

/// Rounds of a collective, in all their particulars.
struct RoundCase
{
    std::string kind;                            ///< kind of collective
    std::string name;                            ///< algorithm
    int64_t stream{1};                           ///< stream that draws the fabric
    uint32_t switches{8};                        ///< number of switches
    uint32_t hosts{12};                          ///< number of hosts
    bool isIdeal{false};                         ///< whether the network is ideal
    std::vector<uint32_t> members;               ///< hosts, by rank
    std::map<std::string, std::string> software; ///< attributes of hosts' software
    std::map<std::string, std::string> group;    ///< attributes of the group, where it has them
    std::vector<int64_t> arrivals;               ///< by rank, ps
    std::vector<LoadWorm> load;                  ///< other worms
    uint32_t rounds{1};                          ///< rounds, back to back if more than one

    /// @return the case in words
    std::string Print() const
    {
        std::ostringstream os;
        os << kind << " " << name << ", " << members.size() << " members, "
           << (isIdeal ? "ideal" : "fabric") << ", " << load.size() << " worms of load, " << rounds
           << " rounds";
        for (const auto& [attribute, value] : software)
        {
            os << " " << attribute << "=" << value;
        }
        return os.str();
    }
};

/// A round, as it was and as it is explained.
struct ExplainedRound
{
    int64_t begin{0};                   ///< when the first member came
    int64_t end{0};                     ///< when the last one left
    std::vector<int64_t> entries;       ///< by rank, when it came
    LatencyIntervals intervals;         ///< the explanation
    std::vector<std::size_t> loadNamed; ///< worms of the load that are named
};

/// What became of a case.
struct RoundOutcome
{
    std::vector<ExplainedRound> rounds; ///< its rounds
    std::string refusal;                ///< why there is no such group; empty: there is
};

/// Runs a case.
class RoundRun
{
  public:
    /// @param what the case @param isExplained whether it is recorded and explained
    RoundRun(const RoundCase& what, bool isExplained)
        : m_case(what),
          m_isExplained(isExplained)
    {
    }

    /// @return what became of it
    RoundOutcome Run()
    {
        StartAnew();
        RoundOutcome outcome;
        const auto graph = DrawFabric(m_case.switches, m_case.hosts, m_case.stream);
        CollectiveHelper helper;
        for (const auto& [attribute, value] : m_case.software)
        {
            helper.SetSoftwareAttribute(attribute, StringValue(value));
        }
        auto fabric = WormholeHelper().Install(graph);
        auto domain = m_case.isIdeal ? helper.InstallIdeal(m_case.hosts, NanoSeconds(1700))
                                     : helper.Install(fabric, graph);
        CollectiveHelper::AssignStreams(domain, 50);
        Ptr<Collective> collective;
        std::unique_ptr<CollectiveBench> bench;
        try
        {
            collective = CollectiveHelper::MakeCollective(m_case.kind, m_case.name);
            for (const auto& [attribute, value] : m_case.group)
            {
                collective->SetAttributeFailSafe(attribute, StringValue(value));
            }
            bench = std::make_unique<CollectiveBench>(collective, domain, m_case.members);
        }
        catch (const WormholeError& error)
        {
            outcome.refusal = error.what();
            return outcome;
        }
        collective->TraceConnectWithoutContext("Enter", MakeCallback(&RoundRun::Enter, this));
        collective->TraceConnectWithoutContext("Leave", MakeCallback(&RoundRun::Leave, this));
        m_entries.assign(m_case.members.size(), {});
        m_leaves.assign(m_case.members.size(), {});
        std::optional<RoundExplainer> explainer;
        if (m_isExplained)
        {
            explainer.emplace(domain);
        }
        std::vector<Ptr<Worm>> load;
        for (const auto& worm : m_case.load)
        {
            load.push_back(Create<Worm>(Worm::BARE,
                                        nullptr,
                                        worm.flits,
                                        fabric->GetRouter()->GetRoute(worm.from, worm.to)));
            fabric->GetHost(worm.from)->SendWormLater(load.back(), PicoSeconds(worm.time));
        }
        if (m_case.rounds == 1)
        {
            std::vector<Time> arrivals;
            for (const auto arrival : m_case.arrivals)
            {
                arrivals.push_back(PicoSeconds(arrival));
            }
            bench->Cross(arrivals, {});
        }
        else
        {
            bench->CrossInLoop(0, m_case.rounds);
        }
        for (uint32_t round = 0; round < m_case.rounds; ++round)
        {
            outcome.rounds.push_back(GetRound(round));
            if (explainer)
            {
                auto& its = outcome.rounds.back();
                its.intervals = explainer->Explain(*collective, round + 1);
                for (const auto& interval : its.intervals)
                {
                    const auto found = std::find(load.begin(), load.end(), interval.other);
                    if (interval.other && found != load.end())
                    {
                        its.loadNamed.push_back(static_cast<std::size_t>(found - load.begin()));
                    }
                }
            }
        }
        return outcome;
    }

  private:
    /// @return when members came to a round, and left it @param round the round, from 0 on
    ExplainedRound GetRound(uint32_t round) const
    {
        ExplainedRound its;
        its.begin = m_entries[0][round];
        for (std::size_t rank = 0; rank < m_entries.size(); ++rank)
        {
            its.entries.push_back(m_entries[rank][round]);
            its.begin = std::min(its.begin, m_entries[rank][round]);
            its.end = std::max(its.end, m_leaves[rank][round]);
        }
        return its;
    }

    /// A member comes. @param rank the member
    void Enter(uint32_t rank, uint64_t)
    {
        m_entries[rank].push_back(Simulator::Now().GetTimeStep());
    }

    /// A member leaves. @param rank the member
    void Leave(uint32_t rank, uint64_t)
    {
        m_leaves[rank].push_back(Simulator::Now().GetTimeStep());
    }

    const RoundCase& m_case;                     ///< the case
    bool m_isExplained;                          ///< whether it is explained
    std::vector<std::vector<int64_t>> m_entries; ///< by rank and round
    std::vector<std::vector<int64_t>> m_leaves;  ///< by rank and round
};

/// Draws cases.
class RoundDraw
{
  public:
    /// @param stream stream of random numbers
    explicit RoundDraw(int64_t stream)
        : m_random(MakeRandom(stream))
    {
    }

    /// @return a number @param low the least @param high the greatest
    uint32_t Draw(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    /// @return one of some texts @param values the texts
    std::string Pick(const std::vector<std::string>& values)
    {
        return values[Draw(0, static_cast<uint32_t>(values.size()) - 1)];
    }

    /// @return a case @param kind its kind @param name its algorithm
    RoundCase Make(const std::string& kind, const std::string& name)
    {
        RoundCase made;
        made.kind = kind;
        made.name = name;
        made.stream = Draw(1, 1000);
        made.switches = Draw(8, 12);
        made.hosts = Draw(12, 24);
        made.isIdeal = Draw(0, 6) == 0;
        DrawMembers(made);
        DrawSoftware(made);
        made.group["Bytes"] = std::to_string(8 * Draw(1, 40));
        made.group["SegmentBytes"] = Pick({"0", "64"});
        made.group["Transport"] = Pick({"sendrecv", "sendrecv", "rdma"});
        made.group["WithinHost"] = Pick({"flags", "flags", "memory", "interface"});
        made.rounds = Draw(0, 3) == 0 ? 3 : 1;
        const auto latest = Draw(0, 1) ? 40'000'000 : 3'000'000;
        for (std::size_t rank = 0; rank < made.members.size(); ++rank)
        {
            made.arrivals.push_back(Draw(0, latest));
        }
        for (auto n = made.isIdeal || Draw(0, 1) ? 0 : Draw(5, 60); n > 0; --n)
        {
            LoadWorm worm{Draw(0, made.hosts - 1), Draw(0, made.hosts - 1), Draw(1, 2000), 0};
            worm.time = 1'000'000'000 + Draw(0, 60'000'000);
            if (worm.from != worm.to)
            {
                made.load.push_back(worm);
            }
        }
        return made;
    }

  private:
    /// Draws members. @param made the case
    void DrawMembers(RoundCase& made)
    {
        std::set<uint32_t> chosen;
        const auto n = Draw(2, 16);
        while (chosen.size() < std::min(n, made.hosts))
        {
            chosen.insert(Draw(0, made.hosts - 1));
        }
        const auto tasks = Draw(0, 2) == 0 ? Draw(2, 3) : 1;
        for (const auto host : chosen)
        {
            made.members.insert(made.members.end(), tasks, host);
        }
        for (std::size_t i = 1; i < made.members.size(); ++i)
        {
            std::swap(made.members[i], made.members[Draw(0, static_cast<uint32_t>(i))]);
        }
    }

    /// Draws attributes of the software. @param made the case
    void DrawSoftware(RoundCase& made)
    {
        const std::map<std::string, std::vector<std::string>> choices{
            {"StartUp", {"0ns", "5us", "731ns"}},
            {"SendOverhead", {"0ns", "1us", "313ns"}},
            {"ReceiveOverhead", {"0ns", "2us", "517ns"}},
            {"TransferTime", {"0ns", "411ns"}},
            {"MatchingTime", {"0ns", "97ns"}},
            {"DescriptorTime", {"0ns", "211ns"}},
            {"UnexpectedTime", {"0ns", "1301ns"}},
            {"PostTime", {"0ns", "89ns"}},
            {"PollTime", {"0ns", "61ns"}},
            {"PollInterval", {"0ns", "700ns"}},
            {"FlagTime", {"0ns", "123ns"}},
            {"InterfaceSendTime", {"0ns", "0ns", "901ns"}},
            {"InterfaceReceiveTime", {"0ns", "0ns", "607ns"}},
            {"MessageGap", {"0ns", "0ns", "1009ns"}},
            {"SendDataRate", {"0bps", "1Gbps"}},
            {"ReceiveDataRate", {"0bps", "2Gbps"}},
            {"CopyDataRate", {"0bps", "3Gbps"}},
            {"CombineDataRate", {"0bps", "1Gbps"}},
            {"EagerLimit", {"4294967295", "4294967295", "64", "0"}},
            {"MaxPacketBytes", {"0", "0", "48"}},
            {"Ports", {"1", "1", "2"}},
            {"SendJitter", {"", "ns3::UniformRandomVariable[Max=1e-7]"}},
            {"ReceiveJitter", {"", "ns3::UniformRandomVariable[Max=1e-7]"}},
        };
        for (const auto& [attribute, values] : choices)
        {
            const auto value = Pick(values);
            if (!value.empty())
            {
                made.software[attribute] = value;
            }
        }
    }

    Ptr<UniformRandomVariable> m_random; ///< random numbers
};

/// @return what is wrong with an explanation, or nothing @param of its case @param round the round
std::string
FindProblem(const RoundCase& of, const ExplainedRound& round)
{
    for (const auto& interval : round.intervals)
    {
        const auto length = interval.to - interval.from;
        const auto isWhole = interval.from > round.begin;
        const auto check = [&](LatencyCause cause, const char* attribute) {
            return interval.cause == cause && isWhole &&
                   length != Time(of.software.at(attribute)).GetTimeStep();
        };
        if (interval.cause == LatencyCause::UNEXPLAINED)
        {
            return "an interval without a cause";
        }
        if (check(LatencyCause::START_UP, "StartUp"))
        {
            return "a start-up of another length";
        }
        if (interval.cause == LatencyCause::PROPAGATION && isWhole && length != 20'000)
        {
            return "a cable of another length";
        }
        if (interval.cause == LatencyCause::IDEAL_NETWORK && isWhole && length != 1'700'000)
        {
            return "another latency than the ideal network's";
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
    return FindGap(round.intervals, round.begin, round.end);
}

} // namespace

/**
 * @ingroup wormhole-tests
 * Rounds of all kinds and algorithms are explained without a gap, and go on as if nobody looked.
 */
class ExplainedRoundsTestCase : public TestCase
{
  public:
    /// @param nRounds how many rounds @param nReruns how many are run again without what is named
    ExplainedRoundsTestCase(uint32_t nRounds, uint32_t nReruns)
        : TestCase(std::to_string(nRounds) + " rounds of all kinds and algorithms"),
          m_nRounds(nRounds),
          m_nReruns(nReruns)
    {
    }

  private:
    void DoRun() override
    {
        StartAnew();
        std::vector<std::pair<std::string, std::string>> algorithms;
        for (const auto& kind : CollectiveHelper::GetKindNames())
        {
            for (const auto& name : CollectiveHelper::GetNames(kind))
            {
                algorithms.emplace_back(kind, name);
            }
        }
        RoundDraw draw(29);
        std::set<std::pair<std::string, std::string>> seen;
        uint32_t explained = 0;
        for (uint32_t i = 0; explained < m_nRounds; ++i)
        {
            NS_TEST_ASSERT_MSG_LT(i, 20 * m_nRounds, "most cases are refused");
            const auto& [kind, name] = algorithms[i % algorithms.size()];
            const auto made = draw.Make(kind, name);
            const auto outcome = RoundRun(made, true).Run();
            if (!outcome.refusal.empty())
            {
                continue;
            }
            seen.insert({kind, name});
            const auto plain = RoundRun(made, false).Run();
            for (std::size_t round = 0; round < outcome.rounds.size(); ++round)
            {
                const auto& its = outcome.rounds[round];
                NS_TEST_EXPECT_MSG_EQ(its.end, plain.rounds[round].end, made.Print());
                const auto problem = FindProblem(made, its);
                NS_TEST_EXPECT_MSG_EQ(problem,
                                      "",
                                      "case " << i << " round " << round << ": " << made.Print()
                                              << ToLines(its.intervals));
                ++explained;
            }
            if (made.rounds == 1 && m_reruns < m_nReruns)
            {
                const auto problem = Rerun(made, outcome.rounds[0]);
                NS_TEST_EXPECT_MSG_EQ(problem, "", "case " << i << ": " << made.Print());
            }
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(seen.size(),
                                    std::min<std::size_t>(m_nRounds / 4, algorithms.size() - 3),
                                    "algorithms");
        NS_TEST_EXPECT_MSG_EQ(m_reruns, m_nReruns, "reruns");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * m_shorter, 2 * m_reruns, "seldom shorter without them");
    }

    /// @return what is wrong if what is named is taken away, or nothing @param made the case
    /// @param before how it was
    std::string Rerun(const RoundCase& made, const ExplainedRound& before)
    {
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
        ++m_reruns;
        const auto again = RoundRun(changed, true).Run().rounds[0];
        const auto problem = FindProblem(changed, again);
        if (!problem.empty())
        {
            return problem + ToLines(again.intervals);
        }
        m_shorter += again.end - again.begin < before.end - before.begin;
        if (before.loadNamed.empty() && again.intervals.front().cause == first.cause &&
            again.intervals.front().place == first.place)
        {
            return "the member is late still";
        }
        return "";
    }

    uint32_t m_nRounds;    ///< how many rounds
    uint32_t m_nReruns;    ///< how many are run again
    uint32_t m_reruns{0};  ///< how many were
    uint32_t m_shorter{0}; ///< of these, how many took less time
};

/**
 * @ingroup wormhole-tests
 * What is on the path counts: with a start-up 1 ps longer, a round in which nobody waits for other
 * worms takes as many ps longer as there are start-ups on its path.
 */
class LongerStartUpsTestCase : public TestCase
{
  public:
    /// @param nCases how many rounds
    explicit LongerStartUpsTestCase(uint32_t nCases)
        : TestCase(std::to_string(nCases) + " rounds with longer start-ups"),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::string> names{"btin", "unicast", "multicast"};
        for (const auto& name : CollectiveHelper::GetNames("barrier"))
        {
            names.push_back(name);
        }
        RoundDraw draw(31);
        uint32_t free = 0;
        uint32_t startUps = 0;
        uint32_t cases = 0;
        for (uint32_t i = 0; cases < m_nCases; ++i)
        {
            NS_TEST_ASSERT_MSG_LT(i, 20 * m_nCases, "most cases are refused");
            auto made = draw.Make("barrier", names[i % names.size()]);
            made.load.clear();
            made.rounds = 1;
            made.group["Transport"] = "sendrecv"; // a poll may see a later write at the same time
            made.software["StartUp"] = "5000ns";
            const auto outcome = RoundRun(made, true).Run();
            if (!outcome.refusal.empty())
            {
                continue;
            }
            ++cases;
            const auto& its = outcome.rounds[0];
            const auto count = [&](std::set<LatencyCause> causes) {
                return std::count_if(its.intervals.begin(),
                                     its.intervals.end(),
                                     [&](const LatencyInterval& interval) {
                                         return causes.count(interval.cause) > 0;
                                     });
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
            const auto again = RoundRun(made, false).Run().rounds[0];
            NS_TEST_EXPECT_MSG_EQ(again.end - again.begin,
                                  its.end - its.begin + nStartUps,
                                  made.Print() << ToLines(its.intervals));
        }
        NS_TEST_EXPECT_MSG_GT(2 * startUps, m_nCases, "few start-ups");
        NS_TEST_EXPECT_MSG_GT(3 * free, m_nCases, "most wait for others");
    }

    uint32_t m_nCases; ///< how many rounds
};

/**
 * @ingroup wormhole-tests
 * The register of a lone switch waits for the member that comes last, and says so.
 */
class RegisterWaitsTestCase : public TestCase
{
  public:
    RegisterWaitsTestCase()
        : TestCase("A register names the child that it waited for")
    {
    }

  private:
    void DoRun() override
    {
        StartAnew();
        FabricGraph graph(1, 4, 4);
        for (uint32_t host = 0; host < 4; ++host)
        {
            graph.Connect(graph.HostAt(host), 0, 0, static_cast<FabricGraph::Port>(host));
        }
        const auto domain = CollectiveHelper().Install(WormholeHelper().Install(graph), graph);
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
        NS_TEST_EXPECT_MSG_EQ(told,
                              "s0:" + std::to_string(late) + " came 700ns after the others",
                              "the register");
        NS_TEST_EXPECT_MSG_EQ(causes.front(), "member-late", "the member");
        const auto text = bench.GetReport().ToText();
        NS_TEST_EXPECT_MSG_NE(text.find("a member that came late: rank " + std::to_string(late)),
                              std::string::npos,
                              text);
    }
};

/**
 * @ingroup wormhole-tests
 * The root of a gather through switches leaves a round when all have come to it, however often one
 * of them has come since.
 */
class LateGatherTestCase : public TestCase
{
  public:
    LateGatherTestCase()
        : TestCase("A gather's root does not take a next round's segment for a missing one")
    {
    }

  private:
    /// A member has left. @param run this case @param rank the member
    static void Leave(LateGatherTestCase* run, uint32_t rank, uint64_t)
    {
        if (rank == 0)
        {
            run->m_rootLeft = Simulator::Now();
        }
        else if (rank == 1 && run->m_nLeft++ < 2)
        {
            run->Enter(rank);
        }
    }

    /// A member enters, once it has left. @param rank the member
    void Enter(uint32_t rank)
    {
        Simulator::ScheduleNow(&Collective::Enter, m_gather, rank, uint64_t{0});
    }

    void DoRun() override
    {
        StartAnew();
        FabricGraph graph(1, 3, 3);
        for (uint32_t host = 0; host < 3; ++host)
        {
            graph.Connect(graph.HostAt(host), 0, 0, static_cast<FabricGraph::Port>(host));
        }
        const auto domain = CollectiveHelper().Install(WormholeHelper().Install(graph), graph);
        m_gather = CollectiveHelper::MakeCollective("gather", "btin");
        m_gather->SetAttribute("Bytes", UintegerValue(8));
        m_gather->SetAttribute("Root", IntegerValue(0));
        m_gather->Create(domain, {0, 1, 2});
        Simulator::Run();
        for (uint32_t rank = 0; rank < 3; ++rank)
        {
            m_gather->SetLeaveCallback(rank, MakeBoundCallback(&Leave, this, rank));
        }
        const auto late = MicroSeconds(300);
        m_gather->Enter(0);
        m_gather->Enter(1);
        const auto came = Simulator::Now() + late;
        Simulator::Schedule(late, &Collective::Enter, m_gather, 2U, uint64_t{0});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_nLeft, 3, "rank 1 left its rounds");
        NS_TEST_EXPECT_MSG_GT(m_rootLeft, came, "the root left before rank 2 had come");
        Simulator::Destroy();
        m_gather = nullptr;
    }

    Ptr<Collective> m_gather; ///< the gather
    Time m_rootLeft;          ///< when the root left
    uint32_t m_nLeft{0};      ///< how often rank 1 has left
};

/**
 * @ingroup wormhole-tests
 * Tests of explanations of rounds.
 */
class WormholeExplainRoundsTestSuite : public TestSuite
{
  public:
    WormholeExplainRoundsTestSuite()
        : TestSuite("wormhole-explain-rounds", TestSuite::Type::UNIT)
    {
        AddTestCase(new ExplainedRoundsTestCase(120, 12), WORMHOLE_TEST_QUICK);
        AddTestCase(new ExplainedRoundsTestCase(1000, 100), WORMHOLE_TEST_EXTENSIVE);
        AddTestCase(new LongerStartUpsTestCase(40), WORMHOLE_TEST_QUICK);
        AddTestCase(new LongerStartUpsTestCase(400), WORMHOLE_TEST_EXTENSIVE);
        AddTestCase(new RegisterWaitsTestCase, WORMHOLE_TEST_QUICK);
        AddTestCase(new LateGatherTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// The suite.
static WormholeExplainRoundsTestSuite g_wormholeExplainRoundsTestSuite;
