// SPDX-License-Identifier: GPL-2.0-only

// Rule S14: outages, judged by the flit oracle.

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

#include "ns3/graph-walk.h"
#include "ns3/outage-text.h"
#include "ns3/worm-recorder.h"

using namespace ns3;

SUITE("wormhole-outages", UNIT);

namespace
{

using DrawCase = std::function<WormCase(Ptr<UniformRandomVariable>)>;

/// @return a case in which only the cables that no worm takes are down, always
WormCase
BreakUnused(WormCase worms)
{
    std::set<std::pair<FabricGraph::Node, FabricGraph::Port>> used;
    for (const auto& worm : worms.worms)
    {
        for (WormRoute::Stop stop = 0; stop < worm.route.GetNStops(); ++stop)
        {
            for (const auto branch : worm.route.At(stop))
            {
                const auto far = worms.graph.Peer(worm.stopNodes[stop], branch.port);
                used.insert({worm.stopNodes[stop], branch.port});
                used.insert({far.node, far.port});
            }
        }
    }
    worms.outages.clear();
    ForEachEnd(worms.graph, [&](FabricGraph::End end, FabricGraph::End) {
        if (!used.count({end.node, end.port}))
        {
            worms.outages.push_back({end.node, end.port, 0, {}});
        }
    });
    return worms;
}

/// On random cases with outages the fabric tells the times, losses and cuts of the oracle, by any
/// scheduler, whether it knows of outages before or as late as they may be told. The oracle itself
/// accounts for all flits of unicast worms.
TEST_CASE_WITH(OutageOracleTestCase,
               ([[maybe_unused]] const std::string& name, const DrawCase& draw, uint32_t nCases),
               "Outages: " + name)
{
    uint32_t nCut = 0;  // worms that were cut
    uint32_t nLost = 0; // worms that lost flits
    auto rng = MakeRandom(21);
    const auto isMissing = [&] { return nCut == 0 || nLost == 0; };
    for (uint32_t i = 0; (i < nCases || (isMissing() && i < 2 * nCases)) && !IsStatusFailure(); ++i)
    {
        auto worms = draw(rng);
        const auto which = "case " + std::to_string(i);
        const auto unused = BreakUnused(worms);
        NS_TEST_EXPECT_MSG_EQ(PrintOutcome(unused, AskOracle(unused)),
                              PrintOutcome(unused, AskOracle(worms)),
                              which << " without cables that no worm takes");
        AddOutages(rng, worms);
        const auto oracle = AskOracle(worms);
        // All flits of a unicast worm have arrived, or were cut short or lost.
        for (std::size_t w = 0; w < worms.worms.size(); ++w)
        {
            const auto& worm = worms.worms[w];
            const auto& its = oracle.worms[w];
            const auto flits = (its.delivered.empty() ? 0 : worm.flits) +
                               SumOf(its.lost, [](const auto& entry) { return entry.second; }) +
                               SumOf(its.cut, [](const auto& entry) { return entry.second.flits; });
            // Route flits (S1b) are lost, too, where no switch has read them before.
            const auto most = worm.flits + (worms.sourceRouted ? worm.stopNodes.size() : 0);
            if (!its.blocked && worm.route.GetNDestinations() == 1)
            {
                Holds(flits >= worm.flits && flits <= most,
                      std::to_string(flits) + " of " + std::to_string(worm.flits) +
                          " flits of worm " + std::to_string(w) + ", " + which);
            }
            nCut += !its.cut.empty();
            nLost += !its.lost.empty();
        }

        const auto blocked = ListBlocked(oracle);
        for (const auto& [scheduler, sending] :
             Combine<std::string, ReplaySending>({"Map", "Wormhole"},
                                                 {ReplaySending::AT_FIRST, ReplaySending::IN_TIME}))
        {
            const auto how = which + ", " + scheduler +
                             (sending == ReplaySending::IN_TIME ? ", told in time" : "");
            const auto outcome = ReplayBy(scheduler, worms, sending);
            // An outage that nobody knew of may change a deadlock that was reported before.
            const bool isChanged = sending == ReplaySending::IN_TIME &&
                                   (blocked.empty() || !GetReported(outcome).empty()) &&
                                   PrintOutcome(worms, outcome) == PrintOutcome(worms, oracle);
            const auto difference = isChanged ? "" : FindDifference(worms, oracle, outcome);
            NS_TEST_EXPECT_MSG_EQ(difference, "", how);
        }
    }
    NS_TEST_EXPECT_MSG_GT(nLost, 0, "no flit is lost");
    if (!IS_SANITIZED) // fewer cases then
    {
        NS_TEST_EXPECT_MSG_GT(nCut, 0, "no worm is cut");
    }
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, const DrawCase& draw) {
        const auto isSlow = name.find("a ring") < name.size();
        AddQuick<OutageOracleTestCase>(name, draw, FewIfSanitized(isSlow ? 6 : 9));
        AddExtensive<OutageOracleTestCase>(name + ", many", draw, 500);
    };
    RandomCaseOptions random;
    random.rates = true;
    for (const auto& [multicast, sync] : Combine<double, bool>({0.0, 0.3}, {false, true}))
    {
        random.multicast = multicast;
        random.treeOfSwitches = !sync;
        random.sync = sync;
        add(std::string(multicast > 0 ? "tree worms among them" : "unicast") +
                (sync ? ", sync, general graphs" : ""),
            [random](auto rng) { return MakeRandomCase(rng, random); });
    }
    for (const auto& [lanes, choices, ring] :
         Combine<uint32_t, bool, bool>({1, 3}, {false, true}, {false, true}))
    {
        const LaneCaseOptions options{lanes, lanes > 1, choices, ring, true};
        add(std::to_string(lanes) + " lanes" + (choices ? ", choices" : "") +
                (ring ? ", a ring" : ""),
            [options](auto rng) { return MakeLaneCase(rng, options); });
    }
    random.treeOfSwitches = true;
    random.sync = false;
    random.sourceRouted = true;
    add("source routes", [random](auto rng) { return MakeRandomCase(rng, random); });
    for (const auto& [mode, circles] :
         Combine<InTransit, bool>({InTransit::WHOLE, InTransit::AS_IT_COMES}, {false, true}))
    {
        const TransitCaseOptions options{mode, true, false, !circles, circles};
        add("in transit, " + NameInTransit(mode) + (circles ? ", a ring" : ", source routes"),
            [options](auto rng) { return MakeTransitCase(rng, options); });
    }
}

// How a fabric is told of outages (rule S14), and what it tells of them.
SUITE("wormhole-outage-mistakes", UNIT);

Ptr<WormholeFabric>
InstallLine(WormholeHelper helper = {})
{
    return helper.Install(MakeLine(2));
}

Ptr<WormholeChannel>
GetCable(const WormholeFabric& fabric)
{
    return fabric.GetSwitch(0)->GetPort(1)->GetChannel();
}

void
Send(WormholeFabric& fabric, uint64_t flits, Time wait = Time(0))
{
    fabric.GetHost(0)->SendWorm(MakeWorm(flits, WormRoute::Path({0, 1, 2})), wait);
}

} // namespace

TEST_CASE(OutageMistakesTestCase, "Outages that cannot be are refused")
{
    auto fabric = InstallLine();
    const auto other = InstallLine();
    const auto tell = [&](Ptr<Object> part, Time from, Time until = Time::Max()) {
        return [&fabric, part, from, until] { fabric->ScheduleOutage({part, from, until}); };
    };
    Refuses(tell(GetCable(*other), Time(0)), "no part of this fabric; expected a cable");
    Refuses(tell(nullptr, Time(0)), "no part of this fabric");
    Refuses(tell(fabric, Time(0)), "no part of this fabric");
    const auto cable = GetCable(*fabric);
    Refuses(tell(cable, Time(-1)), "an outage of s0:1 to s1:0");
    Refuses(tell(cable, Time(-1)), "is out of range; expected a time from 0");
    Refuses(tell(cable, TimeStep(TimeLimit::LATEST) + Time(1)), "out of range");
    Refuses(tell(cable, NanoSeconds(9), NanoSeconds(8)), "until 8ns is too short");
    Refuses(tell(cable, NanoSeconds(9), PicoSeconds(28'999)), "expected 20ns or longer");
    const auto host = fabric->GetHost(1);
    Refuses(tell(host, NanoSeconds(9), PicoSeconds(28'999)), "an outage of h1 from 9ns on");
    fabric->SetAttribute("DetectionDelay", StringValue("1us"));
    Refuses(tell(cable, NanoSeconds(9), NanoSeconds(1008)), "expected 1us or longer");
    tell(cable, NanoSeconds(9), NanoSeconds(1009))();
    fabric->SetAttribute("DetectionDelay", StringValue("2us"));
    Refuses([&] { fabric->Check(); }, "expected 2us or longer");
    Refuses([&] { fabric->Start(); }, "expected 2us or longer");

    fabric = InstallLine();
    Send(*fabric, 1);
    Refuses(tell(GetCable(*fabric), NanoSeconds(9)), "WormholeFabric::Outages = true");
}

TEST_CASE(OutageUnsupportedTestCase, "What cannot be with outages is refused")
{
    const auto fabric = InstallLine(WithFabric({{"Outages", "true"}}));
    const auto listener = [](Ptr<const Worm>, Ptr<WormholePort>, uint8_t, Ptr<const Worm>, Time) {};
    Listen(fabric, "Starvation", listener);
    Refuses([&] { fabric->Start(); }, "expected no listener of WormholeFabric::Starvation");
}

TEST_CASE(LateOutageTestCase, "An outage is told as late as is exact, and no later")
{
    const auto fabric = InstallLine(WithFabric({{"Outages", "true"}}));
    const auto cable = GetCable(*fabric);
    NS_TEST_EXPECT_MSG_EQ(fabric->GetOutageLead(cable), PicoSeconds(26'250), "tau + p");
    Send(*fabric, 1000);
    uint32_t told = 0;
    Simulator::Schedule(NanoSeconds(1000), [&] {
        const auto tooEarly = NanoSeconds(1000) + fabric->GetOutageLead(cable) - PicoSeconds(1);
        Refuses([&] { fabric->ScheduleOutage({cable, tooEarly}); },
                "from 1.026249us on is announced at 1us; expected by 999.999ns");
        fabric->ScheduleOutage({cable, tooEarly + PicoSeconds(1)});
        ++told;
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(told, 1, "the latest instant is accepted");
    NS_TEST_EXPECT_MSG_GT(fabric->GetCounts().flitsLost, 0, "and matters");
}

TEST_CASE(JoinedOutagesTestCase, "Outages of one part that meet are one")
{
    using Times = std::vector<std::pair<int64_t, int64_t>>;
    const auto run = [&](const Times& outages, ReplaySending sending) {
        std::string list;
        for (const auto& [from, to] : outages)
        {
            list += (list.empty() ? "" : ", ") +
                    (R"({"cable": ["s0", 1], "from": )" + std::to_string(from) + R"(, "to": )" +
                     std::to_string(to) + "}");
        }
        const auto text = R"({"flit_time": 7, "link_delay": 90, "switch_delay": 11, "depth": 8,
"hosts": ["h0", "h1"], "detection_delay": 100,
"links": [["h0", 0, "s0", 0], ["s0", 1, "s1", 0], ["h1", 0, "s1", 1]],
"worms": [{"time": 0, "flits": 30, "root": "h0", "path": [0, 1, 1]},
          {"time": 999, "flits": 9, "root": "h0", "path": [0, 1, 1]}],
"outages": [)" + list + "]}";
        const auto worms = ReadWormCase(WriteTemporary("joined.json", text));
        std::ostringstream replay;
        PrintReplay(replay, worms, ReplayWorms(worms, {}, sending));
        return replay.str();
    };
    const auto one = run({{500, 1500}}, ReplaySending::AT_FIRST);
    Contains(one, "\"cut\": {\"h1\"");
    for (const auto sending : {ReplaySending::AT_FIRST, ReplaySending::IN_TIME})
    {
        for (const auto& parts : {Times{{500, 1000}, {1000, 1500}},
                                  Times{{1000, 1500}, {500, 1000}},
                                  Times{{500, 1100}, {900, 1500}},
                                  Times{{500, 1500}, {700, 900}},
                                  Times{{700, 900}, {500, 1500}}})
        {
            NS_TEST_EXPECT_MSG_EQ(run(parts, sending), one, "joined");
        }
    }
    NS_TEST_EXPECT_MSG_NE(run({{500, 1000}, {1400, 1500}}, ReplaySending::AT_FIRST), one, "apart");
}

TEST_CASE(LossReasonsTestCase, "Losses and cuts have places and reasons, and add up")
{
    const auto fabric = InstallLine();
    fabric->SetAttribute("DetectionDelay", StringValue("100ns"));
    std::map<std::string, uint64_t> lost;
    std::vector<uint64_t> ofWorm(3);
    Listen(fabric, "FlitsLost", [&](const WormholeLoss& loss) {
        lost[WormholeLoss::GetName(loss.why) + " " + loss.GetPlace()] += loss.flits;
        ofWorm.at(loss.worm->GetId()) += loss.flits;
    });
    std::string cuts;
    Listen(fabric, "WormCut", [&](const WormholeCut& cut) {
        cuts += std::to_string(cut.worm->GetId()) + " at " + cut.input->GetName() +
                (cut.isHere ? " here; " : " by its mark; ");
        if (cut.input->GetName() == "h1:0")
        {
            ofWorm.at(cut.worm->GetId()) += cut.flits;
        }
    });
    fabric->ScheduleOutage({GetCable(*fabric), MicroSeconds(2), MicroSeconds(3)});
    fabric->ScheduleOutage({fabric->GetHost(0), MicroSeconds(4), MicroSeconds(5)});
    Send(*fabric, 500);
    Send(*fabric, 100, NanoSeconds(3500)); // the interface takes 300 ns
    Send(*fabric, 10, MicroSeconds(4));
    Simulator::Run();
    for (const std::string place : {"wire s0:1", "drain s0:1", "wire h0:0", "node h0"})
    {
        NS_TEST_EXPECT_MSG_GT(lost[place], 0, place);
    }
    NS_TEST_EXPECT_MSG_EQ(lost["handed-over h0"], 10, "all of the third worm");
    NS_TEST_EXPECT_MSG_EQ(cuts,
                          "0 at s1:0 here; 0 at h1:0 by its mark; 1 at s0:2 here; "
                          "1 at h1:0 by its mark; ",
                          "where and why");
    NS_TEST_EXPECT_MSG_EQ(ofWorm[0], 500, "the first worm's flits add up");
    NS_TEST_EXPECT_MSG_EQ(ofWorm[1], 100, "the second one's, too");
    const auto& counts = fabric->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.flitsLost + counts.flitsCut, 610, "of all worms");
    NS_TEST_EXPECT_MSG_EQ(counts.pendingDestinations, 0, "nobody waits");
}

TEST_CASE(LostFramesTestCase, "A host that was down sends its next frames")
{
    const auto fabric = InstallLine();
    const auto host = fabric->GetHost(0);
    uint32_t dropped = 0;
    uint32_t received = 0;
    Listen(host, "MacTxDrop", [&](Ptr<const Packet>) { ++dropped; });
    fabric->GetHost(1)->SetReceiveCallback(CountFrames(received));
    fabric->ScheduleOutage({host, MicroSeconds(1), MicroSeconds(5)});
    const auto send = [&] {
        host->Send(Create<Packet>(1000), fabric->GetHost(1)->GetAddress(), 0x0800);
    };
    constexpr uint32_t BEFORE = 4; // the first one has begun to leave
    for (uint32_t i = 0; i < BEFORE; ++i)
    {
        Simulator::Schedule(Time(0), send);
    }
    Simulator::Schedule(MicroSeconds(3), send);
    Simulator::Schedule(MicroSeconds(6), send);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(dropped, BEFORE, "those not sent, and that of the time meanwhile");
    NS_TEST_EXPECT_MSG_EQ(received, 1, "the last one");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetCounts().pendingDestinations, 0, "nobody waits");
}

TEST_CASE(OutageDeadlockTestCase, "No deadlock is told of before the last outage is over")
{
    const auto fabric = WithFabric({{"ThrowOnDeadlock", "false"}}).Install(MakeRing(4));
    fabric->ScheduleOutage({fabric->GetHost(0)->GetPort()->GetChannel(), Seconds(1), Seconds(2)});
    std::vector<Time> reports;
    Listen(fabric, "Deadlock", [&](const std::string& report) {
        reports.push_back(Simulator::Now());
        Says(report, "4 worms wait for each other");
    });
    SendAround(*fabric, 0, 4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(reports.empty(), false, "it is told of");
    NS_TEST_EXPECT_MSG_EQ((reports.empty() ? Time(0) : reports.front()), Seconds(2), "afterwards");
}

TEST_CASE(OutageOpensTestCase, "A switch that goes down opens a deadlock")
{
    const auto fabric = WormholeHelper().Install(MakeRing(4));
    fabric->ScheduleOutage({fabric->GetSwitch(1), MicroSeconds(10), MicroSeconds(11)});
    SendAround(*fabric, 0, 4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetCounts().pendingDestinations, 0, "all worms have ended");
}

TEST_CASE(LostRegisterTestCase, "A switch that was down has lost its registers")
{
    const auto domain = InstallDomain(MakeLine(2));
    const auto fabric = domain->GetFabric();
    fabric->SetAttribute("Outages", BooleanValue(true));
    const auto group = SetUp(CollectiveHelper::MakeBarrier("btin"), domain, {0, 1});
    EnterAll(*group);
    Simulator::Run();
    const auto from = Simulator::Now() + MicroSeconds(1);
    fabric->ScheduleOutage({fabric->GetSwitch(1), from, from + MicroSeconds(1)});
    Simulator::Run();
    EnterAll(*group);
    Refuses([] { Simulator::Run(); },
            "group 0 fails at h0: switch s1 has lost what it held of the group");
}

TEST_CASE(OutageLinkTestCase, "Outages take links down, and frames go on afterwards")
{
    const auto fabric = InstallLine();
    fabric->SetAttribute("DetectionDelay", StringValue("100ns"));
    fabric->SetAttribute("OutageSchedule",
                         StringValue("h0 at 10us for 10us; s0:1-s1:0 at 40us for 1us; s0 at 50us"));
    const auto device = fabric->GetHost(0);
    std::ostringstream changes;
    device->AddLinkChangeCallback(Callback<void>([&] {
        changes << (device->IsLinkUp() ? "up " : "down ") << Simulator::Now().GetNanoSeconds()
                << ' ';
    }));
    uint32_t received = 0;
    fabric->GetHost(1)->SetReceiveCallback(CountFrames(received));
    uint32_t dropped = 0;
    Listen(device, "MacTxDrop", [&](Ptr<const Packet>) { ++dropped; });
    for (const auto time : {9, 9, 9, 15, 25, 60})
    {
        Simulator::Schedule(MicroSeconds(time), [&] {
            device->Send(Create<Packet>(1000), fabric->GetHost(1)->GetAddress(), 0x800);
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(changes.str(), "down 10100 up 20000 down 50100 ", "noticed, and over");
    NS_TEST_EXPECT_MSG_EQ(received, 1, "the frame of 25 us; others are lost");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(dropped, 2, "those of 15 and 60 us at least");
}

TEST_CASE(OutageScheduleTestCase, "Outages by text are those by pointers")
{
    const auto run = [&](const std::string& schedule, bool isByPointer) {
        StartAnew();
        const auto fabric = InstallLine();
        std::ostringstream told;
        Listen(fabric, "FlitsLost", [&](const WormholeLoss& loss) {
            told << Simulator::Now().GetTimeStep() << ' ' << loss.GetPlace() << ' ' << loss.flits
                 << '\n';
        });
        if (isByPointer)
        {
            fabric->ScheduleOutage({GetCable(*fabric), MicroSeconds(2), MicroSeconds(3)});
            fabric->ScheduleOutage({fabric->GetHost(0), MicroSeconds(4), MicroSeconds(5)});
            fabric->ScheduleOutage({fabric->GetSwitch(1), MicroSeconds(9)});
        }
        fabric->SetAttribute("OutageSchedule", StringValue(schedule));
        Send(*fabric, 500);
        Send(*fabric, 700, NanoSeconds(3500));
        Send(*fabric, 900, MicroSeconds(6));
        Simulator::Run();
        return told.str();
    };
    const auto byPointers = run("", true);
    Contains(byPointers, "s0:1");
    for (const auto* text : {"s0:1-s1:0 at 2us for 1us; h0 at 4us for 1us;s1 at 9us",
                             "'s1':0-\"s0\":1 at 2us for 1us; s1 at 9us; h0 at 4us for 1us;"})
    {
        NS_TEST_EXPECT_MSG_EQ(run(text, false), byPointers, text);
    }
    const std::string thrice = "s0:1-s1:0 at 2us for 1us; s0:1-s1:0 at 4us for 1us; "
                               "s0:1-s1:0 at 6us for 1us";
    const auto each = run("each-cable at 2us for 1us every 2us until 8us", false);
    NS_TEST_EXPECT_MSG_EQ(each, run(thrice, false), "a cable that flaps");
    for (const auto& [schedule, part] : std::vector<std::pair<std::string, std::string>>{
             {"s9 at 1us", "outage 's9 at 1us': there is no such part"},
             {"s0:1-s1:1 at 1us", "by both ends, such as "},
             {"s0 on 1us", "outage 's0 on 1us': expected PART at TIME"},
             {"s0 at 1us for 0us", "expected PART"},
             {"s0 at 1us until 2us", "expected PART"},
             {"s0 at 1u", "outage 's0 at 1u': "},
             {"s0 at 1us for 1ns", "is too short"}})
    {
        const auto fabric = InstallLine();
        fabric->SetAttribute("OutageSchedule", StringValue(schedule));
        Refuses([&] { fabric->Check(); }, part);
    }
    const auto path =
        WriteTemporary("quotes.json", R"({"hosts": ["h-0"], "links": [["h-0", 0, "core 0", 0]]})");
    const auto named = WormholeHelper().Install(ReadFabricFile(path));
    named->SetAttribute("OutageSchedule", StringValue("s9 at 1us"));
    Refuses([&] { named->Check(); }, "such as 'core 0':0-'h-0':0");
}

TEST_CASE(RandomOutagesTestCase, "Random outages have their mean times, and come again")
{
    const auto entries = OutageText::Read("each-cable mtbf 100us mttr 20us until 100ms");
    NS_TEST_ASSERT_MSG_EQ(entries.size(), 1, "one entry");
    const auto make = [&](int64_t stream) {
        std::vector<std::pair<Time, Time>> made;
        for (OutageSequence next(entries.front(), NanoSeconds(20), stream); next.Get(); next.GoOn())
        {
            made.push_back(*next.Get());
        }
        return made;
    };
    const auto made = make(7);
    NS_TEST_EXPECT_MSG_EQ_TOL(made.size(), 833, 100, "100 ms of 120 us");
    Time down;
    Time last;
    for (const auto& [from, until] : made)
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(from, last, "one after the other");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(until - from, NanoSeconds(20), "none too short");
        down += until - from;
        last = until;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(down.GetSeconds() / made.size(), 20e-6, 2e-6, "time to repair");
    NS_TEST_EXPECT_MSG_LT(made.back().first, MilliSeconds(100), "none begins later");
    NS_TEST_EXPECT_MSG_EQ((made == make(7)), true, "the same stream");
    NS_TEST_EXPECT_MSG_EQ((made == make(8)), false, "another stream");
}

TEST_CASE(OutagesInFileTestCase, "A fabric file holds outages, and is written with them")
{
    const auto path = WriteTemporary("outages.json", R"({"hosts": ["h0", "h1"],
"links": [["h0", 0, "s0", 0], ["h1", 0, "s0", 1]],
"outages": ["s0 at 1ms", "h1 at 2us for 1us"]})");
    const auto again = CreateTempDirFilename("again.json");
    WriteFabricFile(ReadFabricFile(path), again);
    const auto fabric = WormholeHelper().Install(ReadFabricFile(again));
    Contains(TextOf(fabric, "OutageSchedule"), "s0 at 1ms; h1 at 2us for 1us");
}
