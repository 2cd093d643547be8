// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/decision-queue.h"
#include "ns3/default-simulator-impl.h"

#include <random>

using namespace ns3;

namespace ns3
{

class OtherSimulatorImpl : public DefaultSimulatorImpl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::OtherSimulatorImpl")
                                .SetParent<DefaultSimulatorImpl>()
                                .AddConstructor<OtherSimulatorImpl>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(OtherSimulatorImpl);

} // namespace ns3

SUITE("wormhole-scheduler", UNIT);

namespace
{

/// Two fabrics with the same hosts: what arrives in one is sent on in the other at once.
struct Relay
{
    static constexpr uint32_t HOSTS = 24; ///< hosts

    using Arrival = std::tuple<int64_t, uint32_t, uint32_t>;

    Relay(uint64_t itsFlits, Time itsEnd)
        : flits(itsFlits),
          end(itsEnd)
    {
        for (uint32_t i = 0; i < fabrics.size(); ++i)
        {
            fabrics[i] = WormholeHelper().Install(DrawFabric(8, HOSTS, 1 + i));
            const auto receiver =
                CallbackOf([this, i](uint32_t host, Ptr<const Worm>) { OnArrival(i, host); });
            for (uint32_t host = 0; host < HOSTS; ++host)
            {
                fabrics[i]->GetHost(host)->SetHostReceiver(Worm::RAW, receiver);
            }
        }
    }

    void Start()
    {
        eventsBefore = Simulator::GetEventCount();
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            Send(0, host);
        }
    }

    void Send(uint32_t i, uint32_t from)
    {
        // Not by the order of what happens at one instant, which schedulers may change.
        const auto draw = Simulator::Now().GetTimeStep() / 7 + 5 * from;
        fabrics[i]->Start();
        SendWorm(*fabrics[i], from, (from + 1 + draw % (HOSTS - 1)) % HOSTS, flits);
    }

    std::vector<Arrival> GetArrivals() const
    {
        auto sorted = arrivals;
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }

    void OnArrival(uint32_t i, uint32_t host)
    {
        arrivals.emplace_back(Simulator::Now().GetTimeStep(), i, host);
        if (Simulator::Now() < end)
        {
            Send(1 - i, host);
        }
    }

    uint64_t flits;                             ///< length of worms
    uint64_t eventsBefore{0};                   ///< events up to the one that started it
    Time end;                                   ///< when nobody sends on any more
    std::array<Ptr<WormholeFabric>, 2> fabrics; ///< the fabrics
    std::vector<Arrival> arrivals;              ///< what arrived
};

} // namespace

TEST_CASE(BetweenEventsTestCase, "Fabrics decide between events")
{
    using Outcome = std::pair<std::vector<Relay::Arrival>, uint64_t>;
    const auto play = [&](
                          uint64_t flits,
                          const std::string& scheduler,
                          const std::string& implementation = "Default",
                          const std::function<void()>& meddle = [] {}) -> Outcome {
        Simulator::Destroy();
        StringValue before;
        GlobalValue::GetValueByName("SimulatorImplementationType", before);
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue("ns3::" + implementation + "SimulatorImpl"));
        UseScheduler(scheduler);
        Relay relay(flits, MicroSeconds(400) + NanoSeconds(1000 * flits));
        Simulator::ScheduleNow(&Relay::Start, &relay);
        meddle();
        Simulator::Run();
        const auto events = Simulator::GetEventCount() - relay.eventsBefore;
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", before);
        return {relay.GetArrivals(), events};
    };
    // Stops while worms are under way, and goes on with ns-3's default scheduler.
    const auto replaceWhenStopped = [&]() {
        Simulator::Schedule(MicroSeconds(20), &Simulator::Stop);
        Simulator::Run();
        UseScheduler("Map");
    };
    const auto replaceInEvent = [&]() {
        Simulator::Schedule(MicroSeconds(20), &UseScheduler, "Wormhole");
    };
    for (const uint64_t flits : {2, 64, 5000})
    {
        const auto wanted = play(flits, "Map");
        const auto worms = wanted.first.size();
        NS_TEST_ASSERT_MSG_GT(worms, 1000, flits << " flits: traffic");
        const auto judge = [&](const Outcome& got, const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ((got.first == wanted.first), true, flits << " flits, " << what);
        };
        const auto between = play(flits, "Wormhole");
        judge(between, "between events");
        NS_TEST_EXPECT_MSG_EQ(between.second, worms, "only of arrivals");
        const auto other = play(flits, "Wormhole", "Other");
        judge(other, "with a simulator of which nothing is known");
        NS_TEST_EXPECT_MSG_GT(other.second, between.second, "decisions take events there");
        const auto stopped = play(flits, "Wormhole", "Default", replaceWhenStopped);
        judge(stopped, "replaced when it has stopped");
        NS_TEST_EXPECT_MSG_GT(stopped.second, between.second, "not for want of worms");
        const auto replacing = play(flits, "Map", "Default", replaceInEvent);
        judge(replacing, "that replaces another in an event");
        NS_TEST_EXPECT_MSG_LT(replacing.second, wanted.second, "in time");
    }
}

TEST_CASE(ManyFabricsTestCase, "Hundreds of fabrics in a simulation")
{
    const auto run = [&](const std::string& scheduler) {
        constexpr uint32_t FABRICS = 300;
        StartAnew();
        UseScheduler(scheduler);
        std::vector<std::tuple<int64_t, uint32_t, uint32_t>> arrivals;
        const auto receive = CallbackOf(
            [&](Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&) {
                arrivals.emplace_back(Simulator::Now().GetTimeStep(),
                                      device->GetNode()->GetId(),
                                      packet->GetSize());
                return true;
            });
        for (uint32_t i = 0; i < FABRICS; ++i)
        {
            NodeContainer nodes(3);
            const auto devices = WormholeHelper().Install(nodes);
            for (uint32_t host = 0; host < 3; ++host)
            {
                const auto device = devices.Get(host);
                device->SetReceiveCallback(receive);
                Simulator::Schedule(NanoSeconds(7 * i + 100 * host), [device, i] {
                    device->Send(Create<Packet>(100 + i), device->GetBroadcast(), 0x88b5);
                });
            }
        }
        Simulator::Run();
        Simulator::Destroy();
        std::sort(arrivals.begin(), arrivals.end());
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 3 * 2 * FABRICS, "all arrive");
        return arrivals;
    };
    const auto between = run("Wormhole");
    NS_TEST_EXPECT_MSG_EQ((between == run("Map")), true, "at the same times");
}

TEST_CASE(TooLateTestCase, "Decisions made stand")
{
    UseScheduler("Wormhole");
    Relay relay(5000, Time(0));
    bool isReplaced = false;
    Simulator::ScheduleNow(&Relay::Start, &relay);
    Simulator::Schedule(NanoSeconds(1), [&] {
        UseScheduler("Map");
        Refuses([&] { relay.Send(0, 0); }, "whose grants are made");
        isReplaced = true;
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(isReplaced, true, "it was replaced");

    Simulator::Destroy();
    UseScheduler("Wormhole");
    Relay ended(5000, Time(0));
    Simulator::ScheduleNow(&Relay::Start, &ended);
    Simulator::Schedule(NanoSeconds(1), &Simulator::Stop);
    Simulator::Run();
    Simulator::Destroy(); // nobody makes them
    const auto& [first, second] = ended.fabrics;
    const auto nLeft =
        first->GetCounts().pendingDestinations + second->GetCounts().pendingDestinations;
    NS_TEST_EXPECT_MSG_EQ(nLeft, Relay::HOSTS, "all worms are under way");
    NS_TEST_EXPECT_MSG_EQ(ended.GetArrivals().empty(), true, "none has arrived");
}

TEST_CASE(ErrorTestCase, "An error ends a fabric")
{
    for (const std::string scheduler : {"Wormhole", "Map"})
    {
        StartAnew();
        UseScheduler(scheduler);
        const auto fabric = WormholeHelper().Install(DrawFabric(8, 24));
        const auto send = [fabric](uint16_t port) {
            fabric->GetHost(0)->SendWorm(MakeWorm(5, WormRoute::Path({0, port})));
        };
        Simulator::ScheduleNow([&] { send(99); });
        Refuses([] { Simulator::Run(); }, "99");
        Refuses([&] { send(0); }, "was ended by an earlier error");
        bool done = false;
        Simulator::Schedule(MicroSeconds(1), [&] { done = true; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(done, true, "the simulation goes on with " << scheduler);
    }
}

TEST_CASE(DeadlockTimeTestCase, "A deadlock is reported when it is there")
{
    constexpr uint32_t SIZE = 4; // switches of a ring, with a host each
    // Returns when a deadlock is reported. scheduler: ns-3's; early: whether half of the worms are
    // sent before the simulation; units: whether switches have collective units
    const auto run = [](const std::string& scheduler, bool early, bool units) {
        Simulator::Destroy();
        UseScheduler(scheduler);
        const auto graph = MakeRing(SIZE);
        auto fabric = WithFabric({{"ThrowOnDeadlock", "false"}}).Install(graph);
        Time time;
        Listen(fabric, "Deadlock", [&](const std::string&) { time = Simulator::Now(); });
        if (units)
        {
            CollectiveHelper().Install(fabric, graph);
        }
        const auto fill = [fabric](uint32_t first) {
            fabric->Start();
            SendAround(*fabric, first, first + SIZE / 2);
        };
        if (early)
        {
            fill(0);
        }
        else
        {
            Simulator::ScheduleNow([&] { fill(0); });
        }
        Simulator::ScheduleNow([&] { fill(SIZE / 2); });
        Simulator::Run();
        return time;
    };
    // The interface's delay, and 6.25 + 20 + 300 ns to the first switch. Each worm gets the
    // output there that another one wants next, and sends until the buffer behind it, of 56
    // flits, is full. A unit of time later, all of that instant is known.
    const auto wanted = NanoSeconds(300) + PicoSeconds(326250 + 56 * 6250 + 1);
    for (const auto& [early, units] : Combine<bool, bool>({false, true}, {false, true}))
    {
        const auto how = std::string(early ? "early" : "late") + (units ? ", units" : "");
        NS_TEST_EXPECT_MSG_EQ(run("Map", early, units), wanted, "by events, " << how);
        NS_TEST_EXPECT_MSG_EQ(run("Wormhole", early, units), wanted, "between, " << how);
    }
}

SUITE("wormhole-rounds", UNIT);

TEST_CASE(DecisionQueueTestCase, "Decisions come in order")
{
    // Uses a queue as the engine does. near: greatest time ahead of most decisions; size: about how
    // many decisions wait
    const auto use = [&](int64_t horizon, int64_t near, int64_t spread, std::size_t size) {
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
            const bool areTold = table.empty() || table.begin()->first.first >= end;
            NS_TEST_ASSERT_MSG_EQ(areTold, true, "all before the end, horizon " << horizon);
            push(end + draw(spread));
        }
    };
    for (const auto& [reach, spread] : std::vector<std::pair<int64_t, int64_t>>{{1, 3},
                                                                                {10, 5},
                                                                                {64, 64},
                                                                                {1000, 700},
                                                                                {1000, 5'000'000},
                                                                                {652'500, 10'000}})
    {
        use(reach, reach, spread, 200);
        use(reach, reach, spread, 12);
    }
    // Slots get wider where nearly all are far, and narrower where they hold hundreds.
    use(1, 50'000, 100'000, 200);
    use(1'000'000, 400'000, 600'000, 3000);
}

TEST_CASE(AheadTestCase, "Decisions made ahead change nothing but events")
{
    // What happened: time, port and event, worm.
    using Record = std::tuple<int64_t, std::string, uint64_t>;
    // Returns what happened, and how many events it took without traces. depth: of buffers, flits;
    // 0: the round trip; units: whether switches have collective units, so that grants are not
    // decided ahead of what their worms may ask for
    const auto run = [&](uint64_t flits, uint32_t depth, bool units, const std::string& scheduler) {
        std::vector<Record> records;
        uint64_t events = 0;
        for (const bool traced : {false, true})
        {
            Simulator::Destroy();
            UseScheduler(scheduler);
            const auto graph = DrawFabric(16, 48);
            auto fabric = WithFabric({}, depth).Install(graph);
            if (units)
            {
                CollectiveHelper().Install(fabric, graph);
            }
            if (traced)
            {
                for (const auto& [port, trace] :
                     Combine(ListPorts(fabric, false), Words("Request Grant HeadStart TailLeft")))
                {
                    const auto what = port->GetName() + " " + trace;
                    Listen(port, trace, [&, what](Ptr<const Worm> worm) {
                        records.emplace_back(Simulator::Now().GetTimeStep(), what, worm->GetId());
                    });
                }
            }
            const auto mean = fabric->GetFlitTime() * static_cast<int64_t>(flits);
            const auto traffic =
                StartTraffic(fabric, graph, 0.05, std::to_string(flits), 400 * mean);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(traffic->GetCounts().deliveredWorms, 500, "traffic");
            events = traced ? events : Simulator::GetEventCount();
        }
        Simulator::Destroy();
        std::sort(records.begin(), records.end());
        return std::make_pair(records, events);
    };
    for (const auto& [flits, depth] :
         std::vector<std::pair<uint64_t, uint32_t>>{{2, 0}, {64, 0}, {5000, 0}, {40, 3}})
    {
        const auto [timely, eventsTimely] = run(flits, depth, true, "Map");
        const auto compare = [&, &wanted = timely, flits = flits](const std::vector<Record>& got,
                                                                  const std::string& what) {
            NS_TEST_ASSERT_MSG_EQ(got.size(), wanted.size(), flits << " flits, " << what);
            const auto differs = std::mismatch(got.begin(), got.end(), wanted.begin());
            NS_TEST_EXPECT_MSG_EQ((differs.first == got.end()),
                                  true,
                                  flits << " flits, " << what << ": " << std::get<1>(*differs.first)
                                        << " at " << std::get<0>(*differs.first));
        };
        const auto [ahead, eventsAhead] = run(flits, depth, false, "Map");
        compare(ahead, "ahead");
        NS_TEST_EXPECT_MSG_LT(eventsAhead, eventsTimely, flits << " flits: events");
        const auto [further, eventsFurther] = run(flits, depth, false, "Wormhole");
        compare(further, "between events");
        NS_TEST_EXPECT_MSG_LT(eventsFurther, eventsAhead, flits << " flits: events");
        const auto [unitsToo, eventsUnitsToo] = run(flits, depth, true, "Wormhole");
        compare(unitsToo, "with units, between events");
        NS_TEST_EXPECT_MSG_LT(eventsUnitsToo, eventsTimely, flits << " flits: events");
    }
}

TEST_CASE(LateUnitTestCase, "Switches send worms only with units, installed in time")
{
    const auto graph = DrawFabric(16, 48);
    auto fabric = WormholeHelper().Install(graph);
    fabric->Start();
    const auto sendFromSwitch = [&] {
        const auto port = graph.PortsToHosts(0).front();
        fabric->GetSwitch(0)->Originate(MakeWorm(1, WormRoute::Path({port})));
    };
    Refuses(sendFromSwitch, "has no collective unit");
    bool isInstalled = false;
    Simulator::Schedule(MicroSeconds(20), [&] {
        CollectiveHelper().Install(fabric, graph);
        Refuses(sendFromSwitch, "install units before");
        isInstalled = true;
    });
    const auto traffic = StartTraffic(fabric, graph, 0.3, "2", MicroSeconds(20));
    // A head needs as long from a host to a switch, so a unit that answers is never too soon.
    Simulator::Schedule(MicroSeconds(21), sendFromSwitch);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(isInstalled, true, "units were installed");
    const auto& counts = fabric->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.pendingDestinations, 0, "all worms arrive");
    const auto nMade = traffic->GetCounts().generatedWorms;
    NS_TEST_EXPECT_MSG_EQ(counts.worms, nMade + 1, "the switch's among them");
}
