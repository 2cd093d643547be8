/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../interval-text.h"
#include "../round-case.h"
#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-bench.h"
#include "ns3/data-collective.h"
#include "ns3/integer.h"
#include "ns3/packet.h"
#include "ns3/round-explainer.h"
#include "ns3/wormhole-latency-report.h"
#include "ns3/wormhole-net-device.h"

using namespace ns3;

namespace
{

/// @return what is wrong with an explanation, or nothing
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

/// A frame of the network device that holds up a message.
SIMULATION_TEST_CASE(ExplainedFrameTestCase, "a frame that is in the way is named by its sender")
{
    const auto topology = MakeTopology("mesh:2");
    const auto domain = InstallDomain(topology);
    const auto fabric = domain->GetFabric();
    CollectiveBench bench(CollectiveHelper::MakeBarrier("dissemination"), domain, {0, 1});
    bench.Record();
    // When members come; it is longer than the start-up of their first message.
    Simulator::Schedule(MicroSeconds(1000), [&] {
        fabric->GetHost(0)->Send(Create<Packet>(1000), fabric->GetHost(1)->GetAddress(), 0x800);
    });
    bench.Cross({}, {});
    std::set<std::string> others;
    for (const auto& row : bench.GetReport().GetRows())
    {
        others.insert(row.other.substr(std::min(row.other.find(','), row.other.size())));
    }
    NS_TEST_EXPECT_MSG_EQ(others.count(", a frame from h0"), 1, "it is not named");
    Simulator::Destroy();
}

/// Rounds of all kinds and algorithms are explained without a gap, and go on as if nobody looked.
class ExplainedRoundsTestCase : public SimulationTestCase
{
  public:
    /// @param nReruns how many are run again without what is named @param topology fabric of 24
    /// hosts or more, with lanes, or whose hosts pass worms on; empty: fabrics are drawn
    ExplainedRoundsTestCase(uint32_t nRounds, uint32_t nReruns, const std::string& topology = "")
        : SimulationTestCase(std::to_string(nRounds) + " rounds of all kinds and algorithms " +
                             topology),
          m_nRounds(nRounds),
          m_nReruns(nReruns),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        const auto algorithms = ListAlgorithms();
        RoundDraw draw(29);
        std::set<std::pair<std::string, std::string>> seen;
        uint32_t explained = 0;
        bool isInLanes = false;
        bool isInTransit = false;
        for (uint32_t i = 0; explained < m_nRounds; ++i)
        {
            NS_TEST_ASSERT_MSG_LT(i, 20 * m_nRounds, "most cases are refused");
            const auto& [kind, name] = algorithms[i % algorithms.size()];
            auto made = draw.Make(kind, name);
            made.topology = m_topology;
            const auto outcome = RoundRun(made, true).Run();
            if (!outcome.refusal.empty())
            {
                continue;
            }
            seen.insert({kind, name});
            isInLanes = isInLanes || Tells(outcome, [](const auto& interval) {
                            return interval.lane > 0; // any but the first
                        });
            isInTransit = isInTransit || Tells(outcome, [](const auto& interval) {
                              return interval.cause == LatencyCause::IN_TRANSIT;
                          });
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
        const bool hasTransit = m_topology.find("in-transit") != std::string::npos;
        const bool hasLanes = !m_topology.empty() && !hasTransit;
        NS_TEST_EXPECT_MSG_EQ(isInTransit, hasTransit, "hosts are told that pass worms on");
        NS_TEST_EXPECT_MSG_EQ(isInLanes, hasLanes, "lanes are told where there are any");
        NS_TEST_EXPECT_MSG_EQ(m_reruns, m_nReruns, "reruns");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * m_shorter, 2 * m_reruns, "seldom shorter without them");
    }

    /// @return whether an explanation has such an interval @param isSuch whether an interval is one
    static bool Tells(const RoundOutcome& outcome,
                      const std::function<bool(const LatencyInterval&)>& isSuch)
    {
        return std::any_of(outcome.rounds.begin(), outcome.rounds.end(), [&](const auto& round) {
            return std::any_of(round.intervals.begin(), round.intervals.end(), isSuch);
        });
    }

    /// @return what is wrong if what is named is taken away, or nothing
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

    uint32_t m_nRounds;     ///< how many rounds
    uint32_t m_nReruns;     ///< how many are run again
    std::string m_topology; ///< the fabric; empty: they are drawn
    uint32_t m_reruns{0};   ///< how many were
    uint32_t m_shorter{0};  ///< of these, how many took less time
};

/// What is on the path counts: with a start-up 1 ps longer, a round in which nobody waits for other
/// worms takes as many ps longer as there are start-ups on its path.
TEST_CASE_WITH(ModuleTestCase,
               LongerStartUpsTestCase,
               uint32_t,
               m_nCases,
               std::to_string(m_nCases) + " rounds with longer start-ups")
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
            return std::count_if(
                its.intervals.begin(),
                its.intervals.end(),
                [&](const LatencyInterval& interval) { return causes.count(interval.cause) > 0; });
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

/// The register of a lone switch waits for the member that comes last, and says so.
SIMULATION_TEST_CASE(RegisterWaitsTestCase, "A register names the child that it waited for")
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
    NS_TEST_EXPECT_MSG_EQ(told,
                          "s0:" + std::to_string(late) + " came 700ns after the others",
                          "the register");
    NS_TEST_EXPECT_MSG_EQ(causes.front(), "member-late", "the member");
    const auto text = bench.GetReport().ToText();
    Contains(text, "a member that came late: rank " + std::to_string(late));
}

/// The root of a gather through switches leaves a round when all have come to it, however often one
/// of them has come since.
SIMULATION_TEST_CASE(LateGatherTestCase,
                     "A gather's root does not take a next round's segment for a missing one")
{
    const auto domain = InstallDomain(MakeStar(3));
    auto gather = CollectiveHelper::MakeCollective("gather", "btin");
    gather->SetAttribute("Bytes", UintegerValue(8));
    gather->SetAttribute("Root", IntegerValue(0));
    gather->Create(domain, {0, 1, 2});
    Simulator::Run();
    Time rootLeft;
    uint32_t nLeft = 0; // how often rank 1 has left
    gather->SetLeaveCallback(0, CallbackOf([&](uint64_t) { rootLeft = Simulator::Now(); }));
    gather->SetLeaveCallback(1, CallbackOf([&](uint64_t) {
                                 if (nLeft++ < 2)
                                 {
                                     Simulator::ScheduleNow([&] { gather->Enter(1); });
                                 }
                             }));
    const auto late = MicroSeconds(300);
    gather->Enter(0);
    gather->Enter(1);
    const auto came = Simulator::Now() + late;
    Simulator::Schedule(late, [&] { gather->Enter(2); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nLeft, 3, "rank 1 left its rounds");
    NS_TEST_EXPECT_MSG_GT(rootLeft, came, "the root left before rank 2 had come");
    Simulator::Destroy();
}

SIMULATION_TEST_CASE(TwoDomainsTestCase,
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

TEST_SUITE(WormholeExplainRoundsTestSuite, "wormhole-explain-rounds", UNIT)
{
    AddTestCase(new ExplainedRoundsTestCase(FewIfSanitized(60), FewIfSanitized(6)),
                WORMHOLE_TEST_QUICK);
    AddTestCase(new ExplainedRoundsTestCase(1000, 100), WORMHOLE_TEST_EXTENSIVE);
    const std::string irregular = "irregular:switches=16,hosts=40,routing=";
    for (const auto& topology : {irregular + "nue[Lanes=2]",
                                 irregular + "nue[Lanes=4]",
                                 irregular + "adaptive",
                                 irregular + "in-transit",
                                 irregular + "in-transit[Mode=whole]",
                                 std::string("torus:4x4,hosts=2,routing=adaptive")})
    {
        AddTestCase(new ExplainedRoundsTestCase(FewIfSanitized(20), FewIfSanitized(2), topology),
                    WORMHOLE_TEST_QUICK);
        AddTestCase(new ExplainedRoundsTestCase(300, 30, topology), WORMHOLE_TEST_EXTENSIVE);
    }
    AddTestCase(new LongerStartUpsTestCase(FewIfSanitized(40)), WORMHOLE_TEST_QUICK);
    AddTestCase(new LongerStartUpsTestCase(400), WORMHOLE_TEST_EXTENSIVE);
    AddTestCase(new RegisterWaitsTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new LateGatherTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new ExplainedFrameTestCase, WORMHOLE_TEST_QUICK);
    AddTestCase(new TwoDomainsTestCase, WORMHOLE_TEST_QUICK);
}
