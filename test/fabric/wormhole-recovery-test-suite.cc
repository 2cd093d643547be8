// SPDX-License-Identifier: GPL-2.0-only

// Routes that change during a run, as parts go down and come up.

#include "../test-fabrics.h"

#include "ns3/config.h"
#include "ns3/recovery-node.h"

using namespace ns3;

SUITE("wormhole-recovery", UNIT);

namespace
{

constexpr uint64_t MOST_FLITS = 60; ///< of a worm

/// A fabric with random outages and worms, and what has come of these.
struct RecoveryRun
{
    struct Fate
    {
        uint32_t delivered{0}; ///< how often it has come
        Time at;               ///< when
        std::string why;       ///< why flits of it were lost
    };

    RecoveryRun(const std::string& way, const FabricGraph& graph)
    {
        Config::SetDefault("ns3::RouteRecovery::Way", StringValue(way));
        const auto helper =
            WithFabric({{"Outages", "true"}, {"DetectionDelay", "500ns"}}, MOST_FLITS);
        fabric = helper.Install(graph);
        Config::SetDefault("ns3::RouteRecovery::Way", StringValue(""));
        recovery = fabric->GetObject<RouteRecovery>();
        Listen(fabric, "FlitsLost", [this](const WormholeLoss& loss) {
            fates[loss.worm].why = WormholeLoss::GetName(loss.why);
        });
        ReceiveAll(fabric, [this](Ptr<const Worm> worm) {
            ++fates[worm].delivered;
            fates[worm].at = Simulator::Now();
        });
    }

    Ptr<const Worm> Send(uint32_t from, uint32_t to, uint64_t flits)
    {
        const auto worm = MakeWorm(flits, fabric->GetRouter()->GetRoute(from, to));
        fates[worm];
        sent.push_back(worm);
        fabric->GetHost(from)->SendWorm(worm);
        return worm;
    }

    Ptr<WormholeFabric> fabric;            ///< the fabric
    Ptr<RouteRecovery> recovery;           ///< its recovery
    std::map<Ptr<const Worm>, Fate> fates; ///< of worms, asked for by worm alone
    std::vector<Ptr<const Worm>> sent;     ///< worms of hosts, in order
};

/// Has up to three random parts go down, some for ever.
void
DrawOutages(UniformRandomVariable& random, const WormholeFabric& fabric)
{
    auto& told = const_cast<WormholeFabric&>(fabric);
    for (auto n = random.GetInteger(1, 3); n > 0; --n)
    {
        const auto kind = random.GetInteger(0, 9);
        const auto fabricSwitch = fabric.GetSwitch(random.GetInteger(0, fabric.GetNSwitches() - 1));
        const auto host = fabric.GetHost(random.GetInteger(0, fabric.GetNHosts() - 1));
        Ptr<Object> part = fabricSwitch;
        if (kind > 1)
        {
            std::vector<Ptr<Object>> cables;
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                if (fabricSwitch->GetPort(port)->IsConnected())
                {
                    cables.emplace_back(fabricSwitch->GetPort(port)->GetChannel());
                }
            }
            part = kind == 2 ? Ptr<Object>(host) : cables[random.GetInteger(0, cables.size() - 1)];
        }
        const auto from = PicoSeconds(random.GetInteger(1'000'000, 60'000'000));
        const auto length = PicoSeconds(random.GetInteger(500'000, 90'000'000));
        told.ScheduleOutage({part, from, random.GetInteger(0, 2) ? from + length : Time::Max()});
    }
}

} // namespace

/// On random fabrics with random outages and worms: every pair that has a way gets through in the
/// end, what is lost has a reason, nothing is stuck, and lone worms take as long as on a fabric
/// that never had what is down.
class RandomRecoveryTestCase : public ModuleTestCase
{
  public:
    RandomRecoveryTestCase(const std::string& way, uint32_t first, uint32_t nCases)
        : ModuleTestCase("Recovery " + way + ", " + std::to_string(nCases) + " random cases from " +
                         std::to_string(first)),
          m_way(way),
          m_first(first),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        auto random = MakeRandom(5 + m_first);
        for (uint32_t i = 0; i < m_nCases && !IsStatusFailure(); ++i)
        {
            m_name = m_way + ", case " + std::to_string(m_first + i);
            RunCase(*random, m_first + i);
            StartAnew();
        }
        NS_TEST_EXPECT_MSG_GT(m_nLost, 0, "no worm is lost");
        const bool changes = m_way != "none" && m_way != "local";
        NS_TEST_EXPECT_MSG_EQ((m_nChanges > 0), changes, "changes");
    }

    void RunCase(UniformRandomVariable& random, uint32_t number)
    {
        IrregularTopologyHelper::Parameters drawn;
        drawn.switches = random.GetInteger(3, 9);
        drawn.hosts = random.GetInteger(drawn.switches, 2 * drawn.switches);
        const auto nMost = std::min(drawn.switches * (drawn.switches - 1) / 2, 2 * drawn.switches);
        const auto nLinks = random.GetInteger(drawn.switches - 1, nMost);
        drawn.connectivity = (drawn.hosts + 2.0 * nLinks) / (drawn.ports * drawn.switches);
        const auto graph = DrawFabric(drawn, number);
        RecoveryRun run(m_way, graph);
        DrawOutages(random, *run.fabric);
        const auto draw = [&](uint64_t low, uint64_t high) {
            return static_cast<uint32_t>(
                random.GetInteger(static_cast<uint32_t>(low), static_cast<uint32_t>(high)));
        };
        const auto nHosts = graph.GetNHosts();
        for (uint32_t n = 0; n < 20 * nHosts; ++n)
        {
            const auto from = draw(0, nHosts - 1);
            const auto to = (from + draw(1, nHosts - 1)) % nHosts;
            const auto flits = draw(1, MOST_FLITS);
            Simulator::Schedule(PicoSeconds(draw(0, 160'000'000)),
                                [&run, from, to, flits] { run.Send(from, to, flits); });
        }
        const auto quiet = MicroSeconds(1000);
        std::vector<std::tuple<uint32_t, uint32_t, Ptr<const Worm>>> last;
        auto wait = quiet;
        for (const auto& [from, to] : ListPairs(nHosts))
        {
            Simulator::Schedule(wait, [&run, &last, from = from, to = to] {
                last.emplace_back(from, to, run.Send(from, to, MOST_FLITS));
            });
            wait += MicroSeconds(20); // one at a time
        }
        Simulator::Run();
        CheckWorms(run);
        CheckPairs(graph, run, last, quiet);
        m_nChanges += run.recovery->GetChanges().size();
    }

    void CheckWorms(const RecoveryRun& run)
    {
        uint64_t nLost = 0;
        for (const auto& worm : run.sent)
        {
            const auto& fate = run.fates.at(worm);
            nLost += !fate.why.empty();
            NS_TEST_EXPECT_MSG_EQ(fate.delivered + !fate.why.empty(),
                                  1,
                                  m_name << ": worm " << worm->GetId() << " lost by " << fate.why);
        }
        const auto lost = run.recovery->GetCounts().wormsLost;
        const auto nCounted = std::accumulate(lost.begin(), lost.end(), uint64_t{0});
        NS_TEST_EXPECT_MSG_EQ(nCounted, nLost, m_name);
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetCounts().pendingDestinations, 0, m_name);
        m_nLost += nLost;
    }

    void CheckPairs(const FabricGraph& graph,
                    const RecoveryRun& run,
                    const std::vector<std::tuple<uint32_t, uint32_t, Ptr<const Worm>>>& last,
                    Time quiet)
    {
        const auto isUp = [&](FabricGraph::Node node, FabricGraph::Port port) {
            return !run.recovery->IsDown({node, port}, false);
        };
        const auto joins = [&](FabricGraph::Node node, FabricGraph::Port port) {
            const auto isBetween =
                graph.IsSwitch(node) && graph.IsSwitch(graph.Peer(node, port).node);
            return !isBetween || isUp(node, port);
        };
        auto wait = quiet;
        for (const auto& [from, to, worm] : last)
        {
            const auto& fate = run.fates.at(worm);
            const FabricPiece piece(graph, graph.SwitchOf(graph.HostAt(from)).node, joins);
            bool hasWay = piece.hostOf[to] != FabricGraph::NONE && isUp(graph.HostAt(from), 0) &&
                          isUp(graph.HostAt(to), 0);
            if (m_way == "none" || m_way == "local")
            {
                hasWay = IsWhole(graph, from, *worm->GetRoute(), isUp);
            }
            NS_TEST_EXPECT_MSG_EQ(fate.delivered, hasWay, m_name << ": " << from << " to " << to);
            if (m_way == "static" && hasWay && (from + to) % 5 == 0)
            {
                m_expected.push_back(
                    {fate.at - wait, piece.graph, piece.hostOf[from], piece.hostOf[to]});
            }
            wait += MicroSeconds(20);
        }
        CompareWithPieces();
    }

    /// @return whether a worm gets through that takes the first cable that is up of its choices
    static bool IsWhole(const FabricGraph& graph,
                        uint32_t from,
                        const WormRoute& route,
                        const FabricPiece::IsUp& isUp)
    {
        auto node = graph.HostAt(from);
        for (WormRoute::Stop stop = 0; route.At(stop).size() > 0;)
        {
            const auto choices = route.At(stop);
            std::size_t i = 0;
            while (i < choices.size() && !isUp(node, choices[i].port))
            {
                ++i;
            }
            if (i == choices.size())
            {
                return false;
            }
            node = graph.Peer(node, choices[i].port).node;
            stop = choices[i].next;
        }
        return true;
    }

    void CompareWithPieces()
    {
        for (const auto& [time, graph, from, to] : m_expected)
        {
            StartAnew();
            RecoveryRun run("none", graph);
            const auto worm = run.Send(from, to, MOST_FLITS);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.fates.at(worm).at, time, m_name);
        }
        m_expected.clear();
    }

    std::string m_way;      ///< the recovery
    uint32_t m_first;       ///< number of the first case
    uint32_t m_nCases;      ///< how many cases
    std::string m_name;     ///< the present one
    uint64_t m_nLost{0};    ///< worms lost
    uint64_t m_nChanges{0}; ///< changes of routes
    /// How long worms took, and where that is to be the same.
    std::vector<std::tuple<Time, FabricGraph, uint32_t, uint32_t>> m_expected;
};

TEST_CASE(RecoveryMistakesTestCase, "Recovery that cannot be is refused")
{
    Refuses([] { RecoveryWay::Make("statik"); },
            "there is no recovery 'statik'; expected double, local, none, overlapping or static");
    Refuses(
        [] { RecoveryRun("double", MakeTopology("torus:4x4,routing=adaptive[Lanes=2]").graph); },
        "recovery double doubles the lanes");
}

TEST_CASE(RecoveryStepsTestCase, "A cable of a ring goes and comes: each step takes its time")
{
    const auto graph = MakeRing(4);
    RecoveryRun run("static", graph);
    const auto cable = run.fabric->GetSwitch(1)->GetPort(0)->GetChannel();
    run.fabric->ScheduleOutage({cable, MicroSeconds(10), MicroSeconds(100)});
    Simulator::Schedule(MicroSeconds(9), [&] { run.Send(1, 2, 10); });
    Simulator::Schedule(MicroSeconds(11), [&] { run.Send(1, 2, 10); }); // waits
    Simulator::Schedule(MicroSeconds(50), [&] { run.Send(1, 2, 10); });
    Simulator::Run();
    const auto& changes = run.recovery->GetChanges();
    NS_TEST_ASSERT_MSG_EQ(changes.size(), 2, "down and up");
    NS_TEST_EXPECT_MSG_EQ(changes[0].noticed, NanoSeconds(10'500), "DetectionDelay later");
    NS_TEST_EXPECT_MSG_EQ(changes[1].noticed, MicroSeconds(100), "at once");
    for (const auto& change : changes)
    {
        NS_TEST_EXPECT_MSG_EQ(change.computed - change.explored, MicroSeconds(14), "10 + 4 us");
        NS_TEST_EXPECT_MSG_EQ(change.begun, change.computed, "nothing is under way");
        NS_TEST_EXPECT_MSG_GT(change.done, change.begun, "it is distributed");
        NS_TEST_EXPECT_MSG_EQ(change.switches + change.hosts, 8, "nothing is cut off");
        NS_TEST_EXPECT_MSG_EQ(change.cutOff, 0, "no pair");
    }
    NS_TEST_EXPECT_MSG_EQ(changes[0].changed, changes[1].changed, "as many come back");
    for (const auto& worm : run.sent)
    {
        NS_TEST_EXPECT_MSG_EQ(run.fates.at(worm).delivered, 1, "none was on the cable");
    }
    const auto without = run.recovery->GetTimeWithoutRoute(1, 2);
    NS_TEST_EXPECT_MSG_EQ((without > changes[0].begun - MicroSeconds(10) &&
                           without <= changes[0].done - MicroSeconds(10)),
                          true,
                          without << " until host 1 has new routes");
    NS_TEST_EXPECT_MSG_EQ(run.recovery->GetTimeWithoutRoute(0, 1), Time(0), "never without");
    NS_TEST_EXPECT_MSG_GT(run.recovery->GetCounts().held, Time(0), "hosts stop");
    std::ostringstream csv;
    run.recovery->WriteCsv(csv);
    Contains(csv.str(), "\n10.5,", "times of");
}

TEST_CASE(RecoveryRefusedTestCase, "Old and new routes that close a cycle do not overlap")
{
    // Without the root of up/down routes, those of the line that is left cross the old ones' last
    // switch, and the old ones crossed the root.
    const auto graph = MakeRing(6);
    RecoveryRun run("overlapping", graph);
    run.fabric->ScheduleOutage({run.fabric->GetSwitch(0), MicroSeconds(10)});
    run.Send(1, 2, 10); // with which the fabric starts
    for (const auto& [from, to] : ListPairs(6))
    {
        Simulator::Schedule(MicroSeconds(200),
                            [&run, from = from, to = to] { run.Send(from, to, 10); });
    }
    Simulator::Run();
    const auto& changes = run.recovery->GetChanges();
    NS_TEST_ASSERT_MSG_GT(changes.size(), 0, "it goes down");
    Contains(changes.back().cycle, "in a circle");
    const auto came = std::count_if(run.sent.begin(), run.sent.end(), [&](const auto& worm) {
        return run.fates.at(worm).delivered == 1;
    });
    NS_TEST_EXPECT_MSG_EQ(came, 1 + 5 * 4, "all between the other hosts");
    NS_TEST_EXPECT_MSG_EQ(run.recovery->GetCounts().wormsWithoutRoute, 5, "to the host cut off");
    NS_TEST_EXPECT_MSG_GT(run.recovery->GetCounts().held, Time(0), "hosts stop");
}

TEST_CASE(RecoveredRoundsTestCase, "Rounds after recovery take what they take without the part")
{
    for (const std::string routing : {"up-down", "balanced"})
    {
        for (FabricGraph::Port port = 0; port < 4; ++port)
        {
            const auto measure = [](Ptr<WormholeFabric> fabric, const FabricGraph& graph) {
                const auto domain = CollectiveHelper().Install(fabric, graph);
                Simulator::Run();
                const auto barrier = CollectiveHelper::MakeBarrier("dissemination");
                const auto all = MakeRange(graph.GetNHosts());
                return CollectiveBench(barrier, domain, all).Cross({}, {});
            };
            const auto graph = MakeTopology("torus:3x3,routing=" + routing).graph;
            StartAnew();
            RecoveryRun run("static", graph);
            const auto cable = run.fabric->GetSwitch(4)->GetPort(port)->GetChannel();
            run.fabric->ScheduleOutage({cable, MicroSeconds(10)});
            run.Send(0, 1, 10); // with which the fabric starts
            const auto time = measure(run.fabric, graph);
            const FabricPiece piece(graph, 0, [&](FabricGraph::Node node, FabricGraph::Port at) {
                return !run.recovery->IsDown({node, at}, false);
            });
            StartAnew();
            RecoveryRun other("none", piece.graph);
            other.Send(0, 1, 10);
            NS_TEST_EXPECT_MSG_EQ(time, measure(other.fabric, piece.graph), routing << port);
        }
    }
}

ADD_CASES()
{
    for (const auto& way : RecoveryWay::GetNames())
    {
        AddQuick<RandomRecoveryTestCase>(way, 0, FewIfSanitized(12));
        constexpr uint32_t STEP = 200;
        for (uint32_t first = 0; first < 2000; first += STEP)
        {
            AddExtensive<RandomRecoveryTestCase>(way, first, STEP);
        }
    }
}
