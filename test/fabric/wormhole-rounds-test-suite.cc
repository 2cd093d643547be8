/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/decision-queue.h"
#include "ns3/double.h"
#include "ns3/wormhole-traffic-helper.h"

#include <random>
#include <tuple>

using namespace ns3;

/// Decisions come by time, then by order of being put in, as from a sorted table.
class DecisionQueueTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(DecisionQueueTestCase, "Decisions come in order");

    /// Uses a queue as the engine does. @param near greatest time ahead of most decisions
    /// @param size about how many decisions wait
    void Use(int64_t horizon, int64_t near, int64_t spread, std::size_t size)
    {
        std::mt19937_64 random(horizon + near + spread);
        const auto draw = [&random](int64_t most) {
            return static_cast<int64_t>(random() % (most + 1));
        };
        DecisionQueue queue;
        queue.SetHorizon(horizon);
        std::map<std::pair<int64_t, uint64_t>, bool> table; // by time and number
        uint64_t pushed = 0;
        const auto push = [&](int64_t time) {
            queue.Push(time, nullptr);
            table[{time, pushed++}] = true;
        };
        int64_t end = 0;
        push(draw(spread));
        for (int round = 0; round < 300 && !table.empty(); ++round)
        {
            NS_TEST_ASSERT_MSG_EQ(queue.IsEmpty(), false, "as many as in the table");
            NS_TEST_ASSERT_MSG_EQ(queue.GetTime(), table.begin()->first.first, "the next time");
            // As arrivals that follow from decisions come next, a round may end before it would.
            for (int early = draw(2); early > 0; --early)
            {
                queue.NextBefore(end + draw(spread));
            }
            end = std::max(end, queue.GetTime() + 1 + draw(near / 2));
            while (const auto next = queue.NextBefore(end))
            {
                const std::pair expected = table.begin()->first;
                NS_TEST_ASSERT_MSG_EQ(next->time, expected.first, "horizon " << horizon);
                NS_TEST_ASSERT_MSG_EQ(next->number, expected.second, "horizon " << horizon);
                const auto now = next->time;
                queue.Pop();
                table.erase(table.begin());
                for (auto more = draw(table.size() < size ? 3 : 1); more > 0; --more)
                {
                    push(now + 1 + draw(draw(3) == 0 ? spread : near));
                }
            }
            NS_TEST_ASSERT_MSG_EQ((table.empty() || table.begin()->first.first >= end),
                                  true,
                                  "all before the end were told");
            push(end + draw(spread));
        }
    }

    void DoRun() override
    {
        for (const auto& [reach, spread] :
             std::vector<std::pair<int64_t, int64_t>>{{1, 3},
                                                      {10, 5},
                                                      {64, 64},
                                                      {1000, 700},
                                                      {1000, 5'000'000},
                                                      {652'500, 10'000}})
        {
            Use(reach, reach, spread, 200);
            Use(reach, reach, spread, 12);
        }
        // Slots get wider where nearly all are far, and narrower where they hold hundreds.
        Use(1, 50'000, 100'000, 200);
        Use(1'000'000, 400'000, 600'000, 3000);
    }
};

/// Grants that are decided ahead are the same, at the same times, as those decided in their time,
/// and are traced at their time.
class AheadTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(AheadTestCase, "Decisions made ahead change nothing but events");

    /// What happened: time, port and event, worm.
    using Record = std::tuple<int64_t, std::string, uint64_t>;

    void Note(std::string what, Ptr<const Worm> worm)
    {
        m_records.emplace_back(Simulator::Now().GetTimeStep(), what, worm->GetId());
    }

    /// @param depth depth of buffers, flits; 0: the round trip @param units whether switches have
    /// collective units, so that grants are not decided ahead of what their worms may ask for
    /// @return what happened, and how many events it took without traces
    std::pair<std::vector<Record>, uint64_t> Run(uint64_t flits,
                                                 uint32_t depth,
                                                 bool units,
                                                 const std::string& scheduler)
    {
        uint64_t events = 0;
        for (const bool traced : {false, true})
        {
            Simulator::Destroy();
            UseScheduler(scheduler);
            m_records.clear();
            const auto graph = DrawFabric(16, 48);
            WormholeHelper fabrics;
            fabrics.SetPortAttribute("BufferDepth", UintegerValue(depth));
            auto fabric = fabrics.Install(graph);
            if (units)
            {
                CollectiveHelper().Install(fabric, graph);
            }
            if (traced)
            {
                for (uint32_t node = 0; node < graph.GetNSwitches(); ++node)
                {
                    auto fabricSwitch = fabric->GetSwitch(node);
                    for (uint32_t number = 0; number < fabricSwitch->GetNPorts(); ++number)
                    {
                        auto port = fabricSwitch->GetPort(number);
                        for (const auto trace : {"Request", "Grant", "HeadStart", "TailLeft"})
                        {
                            port->TraceConnect(trace,
                                               port->GetName() + " " + trace,
                                               MakeCallback(&AheadTestCase::Note, this));
                        }
                    }
                }
            }
            WormholeTrafficHelper helper;
            helper.SetAttribute("Load", DoubleValue(0.05));
            auto traffic = helper.Install(fabric, graph, WormLength::Fixed(flits), 1);
            traffic->Start();
            const auto mean = fabric->GetFlitTime() * static_cast<int64_t>(flits);
            Simulator::Schedule(400 * mean, &WormholeTraffic::Stop, traffic);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(traffic->GetCounts().deliveredWorms, 500, "traffic");
            events = traced ? events : Simulator::GetEventCount();
        }
        Simulator::Destroy();
        std::sort(m_records.begin(), m_records.end());
        return {m_records, events};
    }

    void DoRun() override
    {
        for (const auto& [flits, depth] :
             std::vector<std::pair<uint64_t, uint32_t>>{{2, 0}, {64, 0}, {5000, 0}, {40, 3}})
        {
            const auto [timely, eventsTimely] = Run(flits, depth, true, "Map");
            const auto compare =
                [&, &wanted = timely, flits = flits](const std::vector<Record>& got,
                                                     const std::string& what) {
                    NS_TEST_ASSERT_MSG_EQ(got.size(), wanted.size(), flits << " flits, " << what);
                    const auto differs = std::mismatch(got.begin(), got.end(), wanted.begin());
                    NS_TEST_EXPECT_MSG_EQ((differs.first == got.end()),
                                          true,
                                          flits << " flits, " << what << ": "
                                                << std::get<1>(*differs.first) << " at "
                                                << std::get<0>(*differs.first));
                };
            const auto [ahead, eventsAhead] = Run(flits, depth, false, "Map");
            compare(ahead, "ahead");
            NS_TEST_EXPECT_MSG_LT(eventsAhead, eventsTimely, flits << " flits: events");
            const auto [further, eventsFurther] = Run(flits, depth, false, "Wormhole");
            compare(further, "between events");
            NS_TEST_EXPECT_MSG_LT(eventsFurther, eventsAhead, flits << " flits: events");
            const auto [unitsToo, eventsUnitsToo] = Run(flits, depth, true, "Wormhole");
            compare(unitsToo, "with units, between events");
            NS_TEST_EXPECT_MSG_LT(eventsUnitsToo, eventsTimely, flits << " flits: events");
        }
    }

    std::vector<Record> m_records; ///< what happened
};

/// A switch that sends worms of its own must have a unit before grants are decided ahead.
SIMULATION_TEST_CASE(LateUnitTestCase, "Switches send worms only with units, installed in time")
{
    const auto graph = DrawFabric(16, 48);
    auto fabric = WormholeHelper().Install(graph);
    fabric->Start();
    const auto sendFromSwitch = [&] {
        const auto port = graph.PortsToHosts(0).front();
        fabric->GetSwitch(0)->Originate(MakeWorm(1, WormRoute::Path({port})));
    };
    Refuses(sendFromSwitch, "without a collective unit");
    WormholeTrafficHelper helper;
    helper.SetAttribute("Load", DoubleValue(0.3));
    auto traffic = helper.Install(fabric, graph, WormLength::Fixed(2), 1);
    traffic->Start();
    bool isInstalled = false;
    Simulator::Schedule(MicroSeconds(20), [&] {
        CollectiveHelper().Install(fabric, graph);
        Refuses(sendFromSwitch, "install units before");
        isInstalled = true;
    });
    Simulator::Schedule(MicroSeconds(20), &WormholeTraffic::Stop, traffic);
    // A head needs as long from a host to a switch, so a unit that answers is never too soon.
    Simulator::Schedule(MicroSeconds(21), sendFromSwitch);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(isInstalled, true, "units were installed");
    const auto& counts = fabric->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.pendingDestinations, 0, "all worms arrive");
    NS_TEST_EXPECT_MSG_EQ(counts.worms,
                          traffic->GetCounts().generatedWorms + 1,
                          "the switch's among them");
    Simulator::Destroy();
}

/// Suite of the engine's rounds of decisions.
static ListedTestSuite g_wormholeRoundsTestSuite("wormhole-rounds",
                                                 {new DecisionQueueTestCase,
                                                  new AheadTestCase,
                                                  new LateUnitTestCase});
