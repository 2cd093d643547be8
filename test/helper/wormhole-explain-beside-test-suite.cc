/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Why rounds of collectives take as long as they do beside traffic.

#include "../interval-text.h"
#include "../output-log.h"
#include "../round-case.h"
#include "../test-case.h"

#include "ns3/loaded-bench.h"

using namespace ns3;

namespace
{

/// What became of rounds beside traffic.
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

/// Rounds beside traffic.
class LoadedRun
{
  public:
    /// @param traffic what there is beside it
    LoadedRun(const RoundCase& what, const LoadedBench::Traffic& traffic)
        : m_case(what),
          m_traffic(traffic)
    {
    }

    /// @return what became of it @param isExplained whether it is
    LoadedOutcome Run(bool isExplained)
    {
        StartAnew();
        LoadedOutcome outcome;
        const auto [fabric, domain] = MakePlace(m_case);
        try
        {
            const auto collective = MakeCollective(m_case);
            LoadedBench bench(collective, domain, m_case.members, m_traffic);
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
            outcome.durations = bench.Cross(m_case.rounds);
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
        }
        catch (const WormholeError& error)
        {
            outcome.refusal = error.what();
        }
        return outcome;
    }

  private:
    const RoundCase& m_case;        ///< the case
    LoadedBench::Traffic m_traffic; ///< what there is beside it
};

} // namespace

/// Rounds of all kinds and algorithms beside traffic are explained without a gap, go on as if
/// nobody looked, and tell no lies.
class ExplainedBesideTestCase : public SimulationTestCase
{
  public:
    /// @param topology fabric of 24 hosts or more; empty: they are drawn
    ExplainedBesideTestCase(uint32_t nRounds, const std::string& topology)
        : SimulationTestCase(std::to_string(nRounds) + " rounds beside traffic are explained " +
                             topology),
          m_nRounds(nRounds),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        const auto algorithms = ListAlgorithms();
        RoundDraw draw(37);
        uint32_t explained = 0;
        uint32_t named = 0;
        for (uint32_t i = 0; explained < m_nRounds; ++i)
        {
            NS_TEST_ASSERT_MSG_LT(i, 20 * m_nRounds, "most cases are refused");
            // Not in order: a kind's first algorithms would be all that a short test sees.
            const auto& [kind, name] = algorithms[i * 29 % algorithms.size()];
            auto made = draw.Make(kind, name);
            made.topology = m_topology;
            made.isIdeal = false;
            made.load.clear();
            made.rounds = draw.Draw(1, 3);
            LoadedBench::Traffic traffic;
            traffic.load = std::stod(draw.Pick({"0.02", "0.08", "0.2"}));
            traffic.pattern =
                draw.Pick({"uniform", "uniform", "permutation", "hotspot", "nearest-switch"});
            traffic.flits = draw.Pick({"16", "64", "300"});
            const auto words = "case " + std::to_string(i) + ": " + made.Print() + ", load " +
                               std::to_string(traffic.load) + " " + traffic.pattern;
            LoadedRun run(made, traffic);
            const auto seen = run.Run(true);
            const auto plain = run.Run(false);
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
            explained += Check(seen, words);
            named += std::count_if(seen.paths.begin(), seen.paths.end(), NamesTraffic);
            const auto lie = seen.lies.empty() ? "" : seen.lies.front();
            NS_TEST_EXPECT_MSG_EQ(lie, "", words);
            for (const auto& other : seen.others)
            {
                const auto isAsGoalNamesThem =
                    other.find("worm ") == 0 && other.find(" of the traffic from h") < other.size();
                NS_TEST_EXPECT_MSG_EQ(isAsGoalNamesThem, true, other);
            }
            m_seen.insert({kind, name});
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_seen.size(),
                                    std::min<std::size_t>(m_nRounds / 4, algorithms.size() - 6),
                                    "algorithms");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(8 * named, explained, "traffic is in the way");
    }

    /// Looks at all rounds. @return how many take any time
    uint32_t Check(const LoadedOutcome& seen, const std::string& words)
    {
        uint32_t count = 0;
        for (std::size_t round = 0; round < seen.paths.size(); ++round)
        {
            const auto& path = seen.paths[round];
            const auto [begin, end] = seen.ran[round];
            NS_TEST_EXPECT_MSG_EQ(seen.durations[round].GetTimeStep(), end - begin, words);
            NS_TEST_EXPECT_MSG_EQ(SumOf(path, LatencyCause::UNEXPLAINED),
                                  0,
                                  words << ToLines(path));
            NS_TEST_EXPECT_MSG_EQ(FindGap(path, begin, end), "", words << ToLines(path));
            count += end > begin;
        }
        return count;
    }

    uint32_t m_nRounds;                                   ///< how many rounds
    std::string m_topology;                               ///< the fabric; empty: they are drawn
    std::set<std::pair<std::string, std::string>> m_seen; ///< kinds and algorithms that were
};

TEST_SUITE(WormholeExplainBesideTestSuite, "wormhole-explain-beside", UNIT)
{
    const std::string irregular = "irregular:switches=16,hosts=40,routing=";
    for (const auto& topology : {std::string(),
                                 irregular + "nue[Lanes=2]",
                                 irregular + "in-transit",
                                 std::string("torus:4x4,hosts=2"),
                                 std::string("torus:4x4,hosts=2,routing=adaptive")})
    {
        const auto isDrawn = topology.empty();
        AddTestCase(new ExplainedBesideTestCase(FewIfSanitized(isDrawn ? 20 : 8), topology),
                    WORMHOLE_TEST_QUICK);
        AddTestCase(new ExplainedBesideTestCase(isDrawn ? 1000 : 300, topology),
                    WORMHOLE_TEST_EXTENSIVE);
    }
}
