/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rules S11 and S12: lanes and choices, judged by an oracle of their own.

#include "../oracle/flit-oracle.h"
#include "../oracle/lane-cases.h"
#include "../test-case.h"

#include "ns3/global-value.h"
#include "ns3/wormhole-fabric.h"

using namespace ns3;

/// On random cases the fabric gives the times of the oracle, all of them, by any scheduler; and
/// deadlocks are reported where worms are blocked, and name these.
class LaneOracleTestCase : public SimulationTestCase
{
  public:
    LaneOracleTestCase(const std::string& name, LaneCaseOptions options, uint32_t nCases)
        : SimulationTestCase(name),
          m_options(options),
          m_nCases(nCases)
    {
    }

  private:
    /// Runs a case by a scheduler. @param sending when worms are handed to their hosts @param how
    /// what it is, for messages
    void Check(const WormCase& worms,
               const std::string& scheduler,
               ReplaySending sending,
               const std::string& how)
    {
        const auto oracle = MoveFlitByFlit(worms, FabricDelays(worms, false));
        std::vector<uint64_t> blocked;
        for (std::size_t w = 0; w < oracle.worms.size(); ++w)
        {
            if (oracle.worms[w].blocked)
            {
                blocked.push_back(w);
            }
        }
        GlobalValue::Bind("SchedulerType", StringValue(scheduler));
        const auto outcome = ReplayWorms(worms, {}, sending);
        std::ostringstream wanted;
        PrintReplay(wanted, worms, oracle);
        std::ostringstream found;
        PrintReplay(found, worms, outcome);
        NS_TEST_EXPECT_MSG_EQ(found.str(), wanted.str(), how);
        NS_TEST_EXPECT_MSG_EQ(outcome.reports.empty(), blocked.empty(), how << outcome.deadlock);
        if (!outcome.reports.empty())
        {
            ++m_nBlocked;
            NS_TEST_EXPECT_MSG_EQ((outcome.reports.back().blocked == blocked),
                                  true,
                                  how << ": others are blocked than " << outcome.deadlock);
        }
    }

    void DoRun() override
    {
        auto rng = MakeRandom(11);
        for (uint32_t i = 0; i < m_nCases && !IsStatusFailure(); ++i)
        {
            const auto worms = MakeLaneCase(rng, m_options);
            const auto name = "case " + std::to_string(i) + ", ";
            for (const std::string scheduler :
                 {"ns3::MapScheduler", "ns3::PriorityQueueScheduler", "ns3::WormholeScheduler"})
            {
                Check(worms, scheduler, ReplaySending::AT_FIRST, name + scheduler);
            }
            // That worms have choices turns out while others have asked already.
            Check(worms, "ns3::MapScheduler", ReplaySending::IN_TIME, name + "worms by events");
        }
        if (m_options.ring)
        {
            NS_TEST_EXPECT_MSG_GT(m_nBlocked, 0, "no case has a deadlock");
        }
    }

    LaneCaseOptions m_options; ///< kind of cases
    uint32_t m_nCases;         ///< how many
    uint32_t m_nBlocked{0};    ///< runs with a deadlock
};

SIMULATION_TEST_CASE(LaneMistakesTestCase, "Lanes and choices that cannot be are refused")
{
    // Refuses a case. out: its way out of the switch
    const auto refuse = [&](const std::string& head,
                            const std::string& flits,
                            const std::string& out,
                            const std::string& part) {
        const auto path = WriteTemporary(
            "lanes.json",
            "{\"flit_time\": 1, \"link_delay\": 1, \"switch_delay\": 0, "
            "\"depth\": 8, " +
                head +
                "\"hosts\": [\"h0\", \"h1\"], \"links\": [[\"h0\", 0, "
                "\"s0\", 0], [\"h1\", 0, \"s0\", 1]], \"worms\": "
                "[{\"time\": 0, \"flits\": " +
                flits + ", \"root\": \"h0\", \"tree\": {\"h0\": [0], \"s0\": [" + out + "]}}]}");
        Refuses([&] { ReadWormCase(path); }, part);
    };
    const std::string two = "\"lanes\": 2, \"grant\": \"worm\", ";
    refuse("\"lanes\": 0, ", "1", "1", "lanes");
    refuse("\"lanes\": 2, ", "1", "1", "expected 1, or grant worm");
    refuse("\"grant\": \"packet\", ", "1", "1", "flit or worm");
    refuse("\"grant\": \"worm\", \"replication\": \"sync\", ", "1", "1", "sync");
    refuse("\"grant\": \"worm\", \"route_header\": \"source\", ", "1", "1", "none");
    refuse(two + "\"priorities\": [0], ", "1", "1", "one for each of 2");
    refuse(two + "\"priorities\": [0, 256], ", "1", "1", "255");
    refuse(two, "9", "1", "up to 8 flits");
    refuse(two, "1", "[1, 2]", "0 to 1");
    refuse(two, "1", "[1]", "a port, or [port, lane]");
    refuse(two, "1", "{\"any\": []}", "one choice at least");
    refuse(two, "1", "{\"all\": [1]}", "an array");
    refuse(two, "1", "{\"any\": [1, 1]}", "each choice once");
    refuse(two, "1", "{\"any\": [1]}, 1", "at each node");
    refuse(two, "1", "{\"any\": [0]}", "where the worm has been");
}

TEST_SUITE(LanesTestSuite, "wormhole-lanes", UNIT)
{
    const auto add = [this](const std::string& name, LaneCaseOptions options) {
        // Of those in a ring some must be deadlocked, which a part of them may not be.
        AddTestCase(new LaneOracleTestCase(name + " against the oracle",
                                           options,
                                           options.ring ? 25 : FewIfSanitized(25)),
                    WORMHOLE_TEST_QUICK);
        AddTestCase(new LaneOracleTestCase("Many: " + name, options, 1000),
                    WORMHOLE_TEST_EXTENSIVE);
    };
    LaneCaseOptions options;
    options.choices = true;
    add("Choices", options);
    options.rates = true;
    add("Choices, several rates", options);
    options.ring = true;
    add("Choices in a ring", options);
    options = {};
    options.whole = true;
    options.lanes = 3;
    add("Lanes", options);
    options.rates = true;
    add("Lanes, several rates", options);
    options.choices = true;
    add("Lanes and choices, several rates", options);
    options.ring = true;
    options.lanes = 2;
    add("Lanes and choices in a ring", options);
    options.choices = false;
    options.lanes = 1;
    add("Whole worms in a ring", options);
    AddTestCase(new LaneMistakesTestCase, WORMHOLE_TEST_QUICK);
}
