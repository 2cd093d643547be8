/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/boolean.h"
#include "ns3/default-simulator-impl.h"
#include "ns3/global-value.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-net-device.h"

#include <array>
#include <tuple>

namespace ns3
{

/// An implementation of the simulator of which nothing is known.
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

using namespace ns3;

namespace
{

/// Two fabrics with the same hosts: what arrives in one is sent on in the other at once.
class Relay
{
  public:
    static constexpr uint32_t HOSTS = 24; ///< hosts

    /// An arrival: time, fabric, host.
    using Arrival = std::tuple<int64_t, uint32_t, uint32_t>;

    /// @param end when nobody sends on any more
    Relay(uint64_t flits, Time end)
        : m_flits(flits),
          m_end(end)
    {
        for (uint32_t i = 0; i < m_fabrics.size(); ++i)
        {
            const auto graph = DrawFabric(8, HOSTS, 1 + i);
            m_fabrics[i] = WormholeHelper().Install(graph);
            const auto receiver =
                CallbackOf([this, i](uint32_t host, Ptr<const Worm>) { OnArrival(i, host); });
            for (uint32_t host = 0; host < HOSTS; ++host)
            {
                m_fabrics[i]->GetHost(host)->SetHostReceiver(Worm::RAW, receiver);
            }
        }
    }

    /// Has all hosts send in the first fabric.
    void Start()
    {
        m_eventsBefore = Simulator::GetEventCount();
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            Send(0, host);
        }
    }

    /// Sends a worm to a host in no special order.
    void Send(uint32_t i, uint32_t from)
    {
        // Not by the order of what happens at one instant, which schedulers may change.
        const auto draw = Simulator::Now().GetTimeStep() / 7 + 5 * from;
        const auto to = (from + 1 + draw % (HOSTS - 1)) % HOSTS;
        m_fabrics[i]->Start();
        SendWorm(*m_fabrics[i], from, to, m_flits);
    }

    std::vector<Arrival> GetArrivals() const
    {
        auto arrivals = m_arrivals;
        std::sort(arrivals.begin(), arrivals.end());
        return arrivals;
    }

    /// @return how many events there were after the one that started it
    uint64_t GetNEvents() const
    {
        return Simulator::GetEventCount() - m_eventsBefore;
    }

    /// @return worms that have not arrived
    uint64_t GetEndsLeft() const
    {
        return m_fabrics[0]->GetCounts().pendingDestinations +
               m_fabrics[1]->GetCounts().pendingDestinations;
    }

  private:
    void OnArrival(uint32_t i, uint32_t host)
    {
        m_arrivals.emplace_back(Simulator::Now().GetTimeStep(), i, host);
        if (Simulator::Now() < m_end)
        {
            Send(1 - i, host);
        }
    }

    uint64_t m_flits;                             ///< length of worms
    uint64_t m_eventsBefore{0};                   ///< events up to the one that started it
    Time m_end;                                   ///< when nobody sends on any more
    std::array<Ptr<WormholeFabric>, 2> m_fabrics; ///< the fabrics
    std::vector<Arrival> m_arrivals;              ///< what arrived
};

} // namespace

/// Whatever the scheduler, the same worms arrive at the same times; with WormholeScheduler, where
/// it can know the next event, for an event each.
class BetweenEventsTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(BetweenEventsTestCase, "Fabrics decide between events");

    /// What a run gave: what arrived, and the number of events.
    using Outcome = std::pair<std::vector<Relay::Arrival>, uint64_t>;

    /// @param scheduler ns-3's scheduler @param implementation of ns-3's simulator @return what the
    /// run gave
    static Outcome Run(
        uint64_t flits,
        const std::string& scheduler,
        const std::string& implementation = "Default",
        const std::function<void()>& meddle = [] {})
    {
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
        const auto events = relay.GetNEvents();
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", before);
        return {relay.GetArrivals(), events};
    }

    /// Stops while worms are under way, and goes on with ns-3's default scheduler.
    static void ReplaceWhenStopped()
    {
        Simulator::Schedule(MicroSeconds(20), &Simulator::Stop);
        Simulator::Run();
        UseScheduler("Map");
    }

    /// Has an event replace ns-3's default scheduler by one that has fabrics decide.
    static void ReplaceInEvent()
    {
        Simulator::Schedule(MicroSeconds(20), &UseScheduler, "Wormhole");
    }

    void DoRun() override
    {
        for (const uint64_t flits : {2, 64, 5000})
        {
            const auto wanted = Run(flits, "Map");
            const auto worms = wanted.first.size();
            NS_TEST_ASSERT_MSG_GT(worms, 1000, flits << " flits: traffic");
            const auto judge = [&](const Outcome& got, const std::string& what) {
                NS_TEST_EXPECT_MSG_EQ((got.first == wanted.first),
                                      true,
                                      flits << " flits, " << what << ": other arrivals");
            };
            const auto between = Run(flits, "Wormhole");
            judge(between, "between events");
            NS_TEST_EXPECT_MSG_EQ(between.second, worms, "only of arrivals");
            const auto other = Run(flits, "Wormhole", "Other");
            judge(other, "with a simulator of which nothing is known");
            NS_TEST_EXPECT_MSG_GT(other.second, between.second, "decisions take events there");
            const auto stopped = Run(flits, "Wormhole", "Default", &ReplaceWhenStopped);
            judge(stopped, "replaced when it has stopped");
            NS_TEST_EXPECT_MSG_GT(stopped.second, between.second, "not for want of worms");
            const auto replacing = Run(flits, "Map", "Default", &ReplaceInEvent);
            judge(replacing, "that replaces another in an event");
            NS_TEST_EXPECT_MSG_LT(replacing.second, wanted.second, "in time");
        }
    }
};

/// Hundreds of fabrics decide beside each other as they do with ns-3's scheduler.
TEST_CASE(ManyFabricsTestCase, "Hundreds of fabrics in a simulation")
{
    // Returns when which node got how many bytes. scheduler: ns-3's
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
            NodeContainer nodes;
            nodes.Create(3);
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

/// What would have to change decisions that are made is refused; the end of a simulation is not.
SIMULATION_TEST_CASE(TooLateTestCase, "Decisions made stand")
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
    NS_TEST_EXPECT_MSG_EQ(ended.GetEndsLeft(), Relay::HOSTS, "all worms are under way");
    NS_TEST_EXPECT_MSG_EQ(ended.GetArrivals().empty(), true, "none has arrived");
}

/// An error while grants are made ends its fabric, and nothing else.
SIMULATION_TEST_CASE(ErrorTestCase, "An error ends a fabric")
{
    for (const std::string scheduler : {"Wormhole", "Map"})
    {
        StartAnew();
        UseScheduler(scheduler);
        const auto fabric = WormholeHelper().Install(DrawFabric(8, 24));
        // Has host 0 send a worm. port: of its switch, by which it is to go
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

/// Worms that wait for each other are reported when the last one of them has begun to.
SIMULATION_TEST_CASE(DeadlockTimeTestCase, "A deadlock is reported when it is there")
{
    constexpr uint32_t SIZE = 4; // switches of a ring, with a host each
    // Returns when a deadlock is reported. scheduler: ns-3's; early: whether half of the worms are
    // sent before the simulation; units: whether switches have collective units
    const auto run = [](const std::string& scheduler, bool early, bool units) {
        Simulator::Destroy();
        UseScheduler(scheduler);
        const auto graph = MakeRing(SIZE);
        auto fabric = WormholeHelper().Install(graph);
        fabric->SetAttribute("ThrowOnDeadlock", BooleanValue(false));
        Time time;
        Listen(fabric, "Deadlock", [&](const std::string&) { time = Simulator::Now(); });
        if (units)
        {
            CollectiveHelper().Install(fabric, graph);
        }
        // Has hosts send a long worm two switches on.
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
        Simulator::Destroy();
        return time;
    };
    // The interface's delay, and 6.25 + 20 + 300 ns to the first switch. Each worm gets the
    // output there that another one wants next, and sends until the buffer behind it, of 56
    // flits, is full. A unit of time later, all of that instant is known.
    const auto wanted = NanoSeconds(300) + PicoSeconds(326250 + 56 * 6250 + 1);
    for (const bool early : {false, true})
    {
        for (const bool units : {false, true})
        {
            const auto how = std::string(early ? "early" : "late") + (units ? ", units" : "");
            NS_TEST_EXPECT_MSG_EQ(run("Map", early, units), wanted, "by events, " << how);
            NS_TEST_EXPECT_MSG_EQ(run("Wormhole", early, units), wanted, "between, " << how);
        }
    }
}

/// Suite of the scheduler that has fabrics decide between events.
static ListedTestSuite g_wormholeSchedulerTestSuite("wormhole-scheduler",
                                                    {new BetweenEventsTestCase,
                                                     new ManyFabricsTestCase,
                                                     new TooLateTestCase,
                                                     new ErrorTestCase,
                                                     new DeadlockTimeTestCase});
