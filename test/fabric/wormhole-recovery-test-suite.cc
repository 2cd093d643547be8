// SPDX-License-Identifier: GPL-2.0-only

// Routes that change during a run, as parts go down and come up.

#include "../test-fabrics.h"

#include "ns3/config.h"
#include "ns3/recovery-node.h"

using namespace ns3;

SUITE("wormhole-recovery", UNIT);

namespace
{

constexpr uint32_t MOST_FLITS = 60; ///< of a worm

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
    struct LoneSending
    {
        uint32_t from;        ///< sending host
        uint32_t to;          ///< receiving host
        Time time;            ///< when
        Ptr<const Worm> worm; ///< the worm
    };

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
        const auto nHosts = graph.GetNHosts();
        for (uint32_t n = 0; n < 20 * nHosts; ++n)
        {
            const auto from = random.GetInteger(0, nHosts - 1);
            const auto to = (from + random.GetInteger(1, nHosts - 1)) % nHosts;
            const auto flits = random.GetInteger(1, MOST_FLITS);
            Simulator::Schedule(PicoSeconds(random.GetInteger(0, 160'000'000)),
                                [&run, from, to, flits] { run.Send(from, to, flits); });
        }
        std::vector<LoneSending> last;
        auto wait = MicroSeconds(1000);
        for (const auto& [from, to] : ListPairs(nHosts))
        {
            Simulator::Schedule(wait, [&run, &last, from = from, to = to] {
                last.push_back({from, to, Simulator::Now(), run.Send(from, to, MOST_FLITS)});
            });
            wait += MicroSeconds(20); // one at a time
        }
        Simulator::Run();
        CheckWorms(run);
        CheckPairs(graph, run, last);
        m_nChanges += run.recovery->GetChanges().size();
    }

    void CheckWorms(const RecoveryRun& run)
    {
        uint64_t nLost = 0;
        for (const auto& worm : run.sent)
        {
            const auto& fate = run.fates.at(worm);
            nLost += !fate.why.empty();
            const auto what = Text(m_name, ": worm ", worm->GetId(), " lost by ", fate.why);
            NS_TEST_EXPECT_MSG_EQ(fate.delivered + !fate.why.empty(), 1, what);
        }
        const auto lost = run.recovery->GetCounts().wormsLost;
        const auto nCounted = std::accumulate(lost.begin(), lost.end(), uint64_t{0});
        NS_TEST_EXPECT_MSG_EQ(nCounted, nLost, m_name);
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetCounts().pendingDestinations, 0, m_name);
        m_nLost += nLost;
    }

    void CheckPairs(const FabricGraph& graph,
                    const RecoveryRun& run,
                    const std::vector<LoneSending>& last)
    {
        // How long worms took, and where that is to be the same.
        std::vector<std::tuple<Time, FabricGraph, uint32_t, uint32_t>> expected;
        const auto isUp = [&](FabricGraph::Node node, FabricGraph::Port port) {
            return !run.recovery->IsDown({node, port}, false);
        };
        const auto joins = [&](FabricGraph::Node node, FabricGraph::Port port) {
            const auto far = graph.Peer(node, port).node;
            return !graph.IsSwitch(node) || !graph.IsSwitch(far) || isUp(node, port);
        };
        for (const auto& [from, to, time, worm] : last)
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
                expected.emplace_back(fate.at - time,
                                      piece.graph,
                                      piece.hostOf[from],
                                      piece.hostOf[to]);
            }
        }
        for (const auto& [time, whole, from, to] : expected)
        {
            StartAnew();
            RecoveryRun alone("none", whole);
            const auto worm = alone.Send(from, to, MOST_FLITS);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(alone.fates.at(worm).at, time, m_name);
        }
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

    std::string m_way;      ///< the recovery
    uint32_t m_first;       ///< number of the first case
    uint32_t m_nCases;      ///< how many cases
    std::string m_name;     ///< the present one
    uint64_t m_nLost{0};    ///< worms lost
    uint64_t m_nChanges{0}; ///< changes of routes
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
    const auto until = without + MicroSeconds(10);
    const bool isRight = until > changes[0].begun && until <= changes[0].done;
    NS_TEST_EXPECT_MSG_EQ(isRight, true, without << " until host 1 has new routes");
    NS_TEST_EXPECT_MSG_EQ(run.recovery->GetTimeWithoutRoute(0, 1), Time(0), "never without");
    NS_TEST_EXPECT_MSG_GT(run.recovery->GetCounts().held, Time(0), "hosts stop");
    std::ostringstream csv;
    run.recovery->WriteCsv(csv);
    Contains(csv.str(), "\n10.5,", "times of");
}

/// All hosts of a fabric send to each other all the time, while the first switch goes down, and
/// perhaps a cable.
struct LoadedChange : RecoveryRun
{
    LoadedChange(const FabricGraph& graph, Time cableDown)
        : RecoveryRun("overlapping", graph)
    {
        fabric->ScheduleOutage({fabric->GetSwitch(0), MicroSeconds(10)});
        if (cableDown.IsStrictlyPositive())
        {
            fabric->ScheduleOutage({fabric->GetSwitch(3)->GetPort(0)->GetChannel(), cableDown});
        }
        Listen(recovery, "Host", [this](uint32_t host, bool, uint32_t number) {
            routesOf[host] = number;
        });
        for (GraphNode node = 0; node < graph.GetNNodes(); ++node)
        {
            for (uint32_t i = 0; i < (graph.IsSwitch(node) ? graph.GetNPorts(node) : 1); ++i)
            {
                const auto host = node - graph.GetNSwitches();
                const auto port = PeekPointer(fabric->GetPort(node, i));
                Listen(fabric->GetPort(node, i), "Grant", [this, host, port](Ptr<const Worm> worm) {
                    if (host < fabric->GetNHosts())
                    {
                        numberOf[worm->GetId()] = routesOf[host];
                    }
                    if (!dynamic_cast<const ManagementWorm*>(PeekPointer(worm)))
                    {
                        const auto number = numberOf.at(worm->GetId());
                        nLate += number < newest[port];
                        newest[port] = std::max(newest[port], number);
                    }
                });
            }
        }
        const auto random = MakeRandom(3);
        for (int64_t us = 0; us < 200; ++us)
        {
            for (uint32_t from = 0; from < graph.GetNHosts(); ++from)
            {
                const auto to =
                    (from + random->GetInteger(1, graph.GetNHosts() - 1)) % graph.GetNHosts();
                const auto flits = random->GetInteger(1, MOST_FLITS);
                Simulator::Schedule(MicroSeconds(us),
                                    [this, from, to, flits] { Send(from, to, flits); });
            }
        }
        Simulator::Run();
    }

    std::map<uint32_t, uint32_t> routesOf;          ///< number of a host's routes
    std::map<uint64_t, uint32_t> numberOf;          ///< of those that a worm takes, by identifier
    std::map<const WormholePort*, uint32_t> newest; ///< of worms that a channel had
    uint32_t nLate{0}; ///< worms granted a channel that one on newer routes had before
};

// Without the root of up/down routes, those of the line that is left cross the old ones' last
// switch, and the old ones crossed the root.

TEST_CASE(RecoveryTokensTestCase, "Tokens keep routes apart that close a cycle, and no host stops")
{
    const LoadedChange run(MakeRing(6), Time(0));
    const auto& changes = run.recovery->GetChanges();
    NS_TEST_ASSERT_MSG_GT(changes.size(), 0, "it goes down");
    NS_TEST_EXPECT_MSG_EQ(run.nLate, 0, "no old worm comes after a new one");
    NS_TEST_EXPECT_MSG_EQ(run.fabric->GetCounts().pendingDestinations, 0, "all end");
    NS_TEST_EXPECT_MSG_EQ(changes.back().cycle, "", "not refused");
    // Of each switch a token by each cable; of each host one.
    NS_TEST_EXPECT_MSG_EQ(changes.back().tokens, 5 * 3 + 5, "tokens");
    NS_TEST_EXPECT_MSG_EQ(run.recovery->GetCounts().held, Time(0), "no host stops");
}

TEST_CASE(RecoveryRefusedTestCase, "Where adaptive routes close a cycle, hosts stop")
{
    Config::SetDefault("ns3::WormholeFabric::Grant", StringValue("worm"));
    RecoveryRun run("overlapping", MakeTopology("torus:4x4,routing=adaptive[Lanes=2]").graph);
    Config::SetDefault("ns3::WormholeFabric::Grant", StringValue("flit"));
    run.fabric->ScheduleOutage({run.fabric->GetSwitch(0), MicroSeconds(10)});
    run.Send(1, 2, 10); // with which the fabric starts
    Simulator::Run();
    Contains(run.recovery->GetChanges().back().cycle, "in a cycle");
    Holds(run.recovery->GetCounts().held > Time(0), "hosts stop");
}

TEST_CASE_WITH(CutShortTestCase,
               (uint32_t step),
               Text("Where outages come amid tokens hosts stop, and all go on: each ", step, " us"))
{
    uint32_t nHeld = 0;
    for (uint32_t us = 11; us < 100; us += step)
    {
        StartAnew();
        const LoadedChange run(MakeRing(6), MicroSeconds(us));
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetCounts().pendingDestinations, 0, us << " us: all end");
        const auto left = run.recovery->GetChanges().back().hostsLeft;
        NS_TEST_EXPECT_MSG_EQ(left, 0, us << " us: all told");
        nHeld += run.recovery->GetCounts().held > Time(0);
    }
    Holds(nHeld > 0 && nHeld < 30 / step, "few outages come amid tokens");
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
                return CollectiveBench(barrier, domain, MakeRange(graph.GetNHosts())).Cross({}, {});
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

/// Rounds of a barrier in registers, whose owner mends it when members fail.
struct MendedRounds
{
    MendedRounds(Ptr<WormholeFabric> fabric, const FabricGraph& graph, uint32_t nMembers)
        : domain(CollectiveHelper().Install(fabric, graph)),
          group(CollectiveHelper::MakeBarrier("btin[Timeout=500us]"))
    {
        Listen(group, "Ready", [this](Time time) {
            setups.push_back(time);
            Begin();
        });
        Listen(group, "Leave", [this](uint32_t, uint64_t) {
            if (!group->HasMembersInside())
            {
                rounds.emplace_back(begun, Simulator::Now() - begun);
                next = Simulator::Schedule(MicroSeconds(20), [this] { Begin(); });
            }
        });
        Listen(group, "Failed", [this](uint32_t, const std::vector<uint32_t>&, const std::string&) {
            ++nFailed;
            if (!group->IsChanging())
            {
                group->Shrink();
            }
        });
        group->Create(domain, MakeRange(nMembers));
    }

    void Begin()
    {
        next.Cancel();
        if (group->IsReady() && group->MayEnter(0) && !isOver)
        {
            begun = Simulator::Now();
            EnterAll(*group);
        }
    }

    /// Has no round begin any more, and releases the group when the last one is over.
    void End()
    {
        isOver = true;
        Simulator::Schedule(MicroSeconds(100), [this] { group->Release(); });
    }

    /// @return how long rounds took that began and ended within a time, each once
    std::set<Time> GetTimes(Time from, Time until) const
    {
        std::set<Time> times;
        for (const auto& [start, time] : rounds)
        {
            if (start >= from && start + time <= until)
            {
                times.insert(time);
            }
        }
        return times;
    }

    Ptr<CollectiveDomain> domain;              ///< the fabric's collectives
    Ptr<Collective> group;                     ///< the barrier
    std::vector<Time> setups;                  ///< how long it was set up
    std::vector<std::pair<Time, Time>> rounds; ///< when they began, and how long they took
    Time begun;                                ///< when the last one began
    EventId next;                              ///< begins the next one
    uint32_t nFailed{0};                       ///< members that failed
    bool isOver{false};                        ///< whether there are to be no more
};

/// @return both ends of a cable, or of all cables of a switch
std::set<std::pair<GraphNode, Port>>
ListEnds(const FabricGraph& graph, GraphNode node, int port)
{
    std::set<std::pair<GraphNode, Port>> ends;
    for (Port near = 0; near < graph.GetNPorts(node); ++near)
    {
        const auto far = graph.Peer(node, near);
        if (far.node != FabricGraph::NONE && (port < 0 || near == port))
        {
            ends.insert({{node, near}, {far.node, far.port}});
        }
    }
    return ends;
}

/// @return whether a tree has one of some ends of cables
bool
HasAny(const BarrierTree& tree, const std::set<std::pair<GraphNode, Port>>& ends)
{
    return AnyOf(tree.GetSwitches(), [&](const auto& entry) {
        const auto isIn = [&](Port port) { return ends.count({entry.node, port}) > 0; };
        return AnyOf(entry.GetPorts(), isIn);
    });
}

} // namespace

TEST_CASE(MendedTreeTestCase, "A group whose tree is cut goes on, before repair, on what is left")
{
    const auto graph = MakeTopology("torus:4x4,routing=up-down").graph;
    constexpr uint32_t N_MEMBERS = 8;
    const auto down = MilliSeconds(1);
    const auto up = MilliSeconds(5);
    for (const std::string way : {"static", "overlapping", "double", "local"})
    {
        StartAnew();
        RecoveryRun run(way, graph);
        MendedRounds rounds(run.fabric, graph, N_MEMBERS);
        const auto whole = rounds.group->GetTree().GetSwitches().front();
        const auto cut = ListEnds(graph, whole.node, whole.childPorts.front());
        const auto cable = run.fabric->GetSwitch(whole.node)->GetPort(whole.childPorts.front());
        run.fabric->ScheduleOutage({cable->GetChannel(), down, up});
        std::vector<bool> isCut;
        for (const auto& at : {down, up, up + MilliSeconds(2)})
        {
            Simulator::Schedule(at - NanoSeconds(1),
                                [&] { isCut.push_back(HasAny(rounds.group->GetTree(), cut)); });
        }
        Simulator::Schedule(up + MilliSeconds(1), [&] { rounds.group->Shrink(); });
        Simulator::Schedule(up + MilliSeconds(2), [&] { rounds.End(); });
        Simulator::Run();
        const auto text = way + ": ";
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*rounds.domain), 0, text << "all registers are free");
        const auto late = down + MicroSeconds(1);
        const auto before = rounds.GetTimes(Time(0), down);
        const auto after = rounds.GetTimes(up + MilliSeconds(1), Time::Max());
        NS_TEST_ASSERT_MSG_EQ(before.size(), 1, text << "rounds are alike");
        NS_TEST_EXPECT_MSG_EQ((after == before), true, text << "the whole fabric is used again");
        if (way == "local")
        {
            NS_TEST_EXPECT_MSG_EQ(rounds.GetTimes(late, up).empty(), true, "nobody tells");
            continue;
        }
        Same(isCut, {true, false, true}, text + "trees before, between and after");
        NS_TEST_EXPECT_MSG_EQ(rounds.nFailed, N_MEMBERS, text << "one round is lost");
        NS_TEST_ASSERT_MSG_EQ(rounds.setups.size(), 3, text << "mended once, and back");
        const auto& mended = static_cast<const InSwitchBarrier&>(*rounds.group);
        Holds(mended.GetNRegisterChanges() < mended.GetTree().GetSwitches().size(),
              text + "on the way back, registers that are as before are kept");
        const auto between = rounds.GetTimes(late, up);
        const auto setup = rounds.setups[1];

        const FabricPiece piece(graph, 0, [&](FabricGraph::Node node, FabricGraph::Port port) {
            return cut.count({node, port}) == 0;
        });
        StartAnew();
        RecoveryRun other(way == "double" ? way : "none", piece.graph);
        MendedRounds alone(other.fabric, piece.graph, N_MEMBERS);
        Simulator::Schedule(down, [&] { alone.End(); });
        Simulator::Run();
        Holds(between == alone.GetTimes(Time(0), down),
              text + "rounds as on a fabric without the cable");
        NS_TEST_EXPECT_MSG_EQ(setup, alone.setups[0], text << "and the setting up");
    }
}

TEST_CASE_WITH(RandomMendedTreesTestCase,
               (uint32_t n),
               std::to_string(n) + " random trees are mended, and others go on")
{
    const auto random = MakeRandom(17);
    uint32_t nWritten = 0;
    uint32_t nKept = 0;
    uint32_t nSwitches = 0;
    uint32_t nDone = 0;
    for (uint32_t i = 0; nDone < n && i < 10 * n; ++i)
    {
        StartAnew();
        const auto graph = DrawFabric(8, 12, i);
        RecoveryRun run(i % 2 ? "static" : "overlapping", graph);
        const auto domain = CollectiveHelper().Install(run.fabric, graph);
        const auto make = [&](const std::string& name, uint32_t most) {
            const auto group = CollectiveHelper::MakeBarrier(name);
            group->SetAttribute("WidthBits", UintegerValue(32));
            group->SetAttribute("Operation", StringValue("MAX"));
            const auto n = random->GetInteger(2, most);
            group->Create(domain, InvariantChecker::DrawHosts(n, 12, 1, random));
            return group;
        };
        const auto group = make("btin[Timeout=500us]", 8);
        const auto other = make("btin", 4);
        const InvariantChecker beside(other, 100, random, 50'000'000);
        std::vector<std::pair<GraphNode, int>> parts;
        for (const auto& entry : group->GetTree().GetSwitches())
        {
            parts.insert(parts.end(), entry.IsMember() ? 0 : 3, {entry.node, -1});
            for (const auto port : entry.childPorts)
            {
                parts.emplace_back(entry.node, port);
            }
        }
        if (parts.empty())
        {
            continue;
        }
        const auto [node, port] = parts[random->GetInteger(0, parts.size() - 1)];
        const auto gone = ListEnds(graph, node, port);
        const auto hosts = group->GetHosts();
        const FabricPiece piece(graph,
                                graph.SwitchOf(graph.HostAt(hosts[0])).node,
                                [&](GraphNode at, Port by) { return gone.count({at, by}) == 0; });
        const auto isCut = [&](auto host) { return piece.hostOf[host] == FabricGraph::NONE; };
        if (AnyOf(hosts, isCut) || HasAny(other->GetTree(), gone))
        {
            continue;
        }
        ++nDone;
        nSwitches += port < 0;
        const auto fabricSwitch = run.fabric->GetSwitch(node);
        const auto part = port < 0 ? Ptr<Object>(fabricSwitch)
                                   : Ptr<Object>(fabricSwitch->GetPort(port)->GetChannel());
        run.fabric->ScheduleOutage({part, MilliSeconds(1)});
        uint32_t nFailed = 0;
        uint32_t nReady = 0;
        Listen(group, "Failed", [&](uint32_t, const std::vector<uint32_t>&, const std::string&) {
            ++nFailed;
        });
        Listen(other, "Ready", [&](Time) { ++nReady; });
        const bool isInRound = i / 2 % 2 > 0;
        if (isInRound)
        {
            Simulator::Schedule(MilliSeconds(1), [&] { EnterAll(*group); });
        }
        std::unique_ptr<InvariantChecker> checker;
        Simulator::Schedule(MilliSeconds(2), [&] {
            checker = std::make_unique<InvariantChecker>(group, 5, random, 20'000'000);
            group->Shrink();
        });
        Simulator::Run();
        const auto text = "case " + std::to_string(i);
        NS_TEST_ASSERT_MSG_EQ((checker != nullptr), true, text);
        NS_TEST_EXPECT_MSG_EQ(checker->GetTrouble(), "", text << ": mended");
        NS_TEST_EXPECT_MSG_EQ(beside.GetTrouble(), "", text << ": beside");
        NS_TEST_EXPECT_MSG_EQ(nReady, 1, text << ": no register of the other's is written");
        NS_TEST_EXPECT_MSG_EQ(HasAny(group->GetTree(), gone), false, text);
        if (!isInRound && port >= 0)
        {
            NS_TEST_EXPECT_MSG_EQ(nFailed, 0, text << ": mended before anybody misses the cable");
            const auto n = static_cast<const InSwitchBarrier&>(*group).GetNRegisterChanges();
            nWritten += n;
            nKept += std::max<uint32_t>(n, group->GetTree().GetSwitches().size()) - n;
        }
        group->Release();
        other->Release();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, text << ": all registers are free");
    }
    NS_TEST_EXPECT_MSG_EQ(nDone, n, "cases");
    NS_TEST_EXPECT_MSG_GT(nSwitches, 0, "switches");
    NS_TEST_EXPECT_MSG_EQ((nWritten > 0 && nKept > 0), true, "only registers that differ");
}

ADD_CASES()
{
    AddQuick<CutShortTestCase>(6);
    AddExtensive<CutShortTestCase>(3);
    AddQuick<RandomMendedTreesTestCase>(IS_SANITIZED ? FewIfSanitized(100) : 25);
    AddExtensive<RandomMendedTreesTestCase>(100);
    for (const auto& way : RecoveryWay::GetNames())
    {
        AddQuick<RandomRecoveryTestCase>(way, 0, FewIfSanitized(4));
        constexpr uint32_t STEP = 200;
        for (uint32_t first = 0; first < 2000; first += STEP)
        {
            AddExtensive<RandomRecoveryTestCase>(way, first, STEP);
        }
    }
}
