// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/config.h"
#include "ns3/run-engine.h"
#include "ns3/up-down-pair-route.h"

using namespace ns3;

SUITE("wormhole-scale", UNIT);

namespace
{

FabricGraph
Draw(uint32_t hosts, int64_t stream)
{
    return DrawFabric(ScaleBenchmark::GetSwitchesFor(hosts), hosts, stream);
}

/// A barrier of 2,048 hosts takes what its tree's height says, and crosses as many links as the
/// tree has: every link carries one message in each phase, so none waits for another.
TEST_CASE(ScaleLatencyTestCase, "a barrier of 2,048 hosts is what its tree says, run after run")
{
    NS_TEST_ASSERT_MSG_EQ(ScaleBenchmark::GetSwitchesFor(1024), 300, "of the papers");
    NS_TEST_ASSERT_MSG_EQ(ScaleBenchmark::GetSwitchesFor(1048576), 307200, "of the papers");
    NS_TEST_ASSERT_MSG_EQ(ScaleBenchmark::GetSwitchesFor(1), 1, "one at least");
    constexpr uint32_t HOSTS = 2048;
    ScaleBenchmark::Setup setup;
    setup.hosts = HOSTS;
    setup.stream = 7;
    const auto row = ScaleBenchmark::Measure(setup);
    const auto graph = Draw(HOSTS, setup.stream);
    const BarrierTree tree(graph, ListHosts(graph));
    NS_TEST_ASSERT_MSG_EQ(row.hosts, HOSTS, "hosts");
    NS_TEST_ASSERT_MSG_EQ(row.switches, 600, "switches");
    NS_TEST_ASSERT_MSG_EQ(row.height, tree.GetHeight(), "height");
    NS_TEST_ASSERT_MSG_EQ(row.hops, 2 * (tree.GetNEdges() + HOSTS), "links crossed");
    // Two phases: start-up of 2 us, two interfaces, and as each switch takes a message of 2
    // flits of 6.25 ns whole, 12.5 ns and 20 ns for every link, 300 ns for every switch.
    const int64_t links = tree.DistanceLinks();
    const auto phase = 2000000 + 2 * 300000 + links * (12500 + 20000) + (links - 1) * 300000;
    NS_TEST_ASSERT_MSG_EQ(row.latency, PicoSeconds(2 * phase), "latency");
    NS_TEST_ASSERT_MSG_GT(row.setUp, MicroSeconds(2), "set-up takes a message at least");
    // All but the root leave by a message of their own; what switches take at once is shared.
    NS_TEST_ASSERT_MSG_GT(row.barrierEvents, HOSTS, "events");
    NS_TEST_ASSERT_MSG_GT(row.peakMiB, 0, "memory");

    const auto again = ScaleBenchmark::Measure(setup);
    NS_TEST_ASSERT_MSG_EQ(again.setUp, row.setUp, "same seed, same set-up");
    NS_TEST_ASSERT_MSG_EQ(again.groupEvents, row.groupEvents, "same events");
    NS_TEST_ASSERT_MSG_EQ(again.barrierEvents, row.barrierEvents, "same events");
    std::ostringstream csv;
    ScaleBenchmark::Write(csv, {row, again});
    const auto text = csv.str();
    NS_TEST_ASSERT_MSG_EQ(std::count(text.begin(), text.end(), '\n'), 3, "lines");
    NS_TEST_ASSERT_MSG_EQ(std::count(text.begin(), text.end(), ','), 3 * 14, "columns");
}

/// Memory of 32,768 hosts on 9,600 switches. The limit leaves room for other builds and allocators,
/// but not for a table of all pairs of switches, 4 bytes each.
TEST_CASE(ScaleMemoryTestCase, "memory of 32,768 hosts leaves no room for a table of all pairs")
{
    ScaleBenchmark::Setup setup;
    setup.hosts = 1;
    setup.connectivity = 0.125; // a port
    const auto before = ScaleBenchmark::Measure(setup).peakMiB;
    setup = ScaleBenchmark::Setup();
    setup.hosts = 32768;
    const auto grown = ScaleBenchmark::Measure(setup).peakMiB - before;
    constexpr double MOST = 8;        // KiB a host; 4.7 are usual
    constexpr double PAIRS_MIB = 351; // 9600 x 9600 x 4 bytes
    NS_TEST_ASSERT_MSG_GT(grown, 0, "MiB");
    if (!IS_SANITIZED) // most of it is the sanitizers' own
    {
        NS_TEST_ASSERT_MSG_LT(grown, setup.hosts * MOST / 1024, "MiB");
    }
    NS_TEST_ASSERT_MSG_LT(setup.hosts * MOST / 1024, PAIRS_MIB, "the limit tells");
}

TEST_CASE(ScaleRefusalTestCase, "fabrics that cannot be are refused")
{
    const auto refused = [&](const ScaleBenchmark::Setup& setup, const std::string& words) {
        Refuses([&] { ScaleBenchmark::Measure(setup); }, words);
    };
    ScaleBenchmark::Setup none;
    none.hosts = 0;
    refused(none, "0 hosts on 1 switches");
    ScaleBenchmark::Setup sparse;
    sparse.connectivity = 0.5;
    refused(sparse, "least feasible is");
    ScaleBenchmark::Setup few;
    few.switches = 100;
    refused(few, "expected 1 to 700");
}

static std::vector<FabricGraph::Port>
GetPorts(const UpDownRouting& routing, FabricGraph::Node from, FabricGraph::Node to)
{
    std::vector<FabricGraph::Port> ports;
    bool goneDown = false;
    while (from != to)
    {
        ports.push_back(routing.NextPort(from, to, goneDown));
        goneDown = !routing.IsUp(from, ports.back());
        from = routing.GetGraph().Peer(from, ports.back()).node;
    }
    return ports;
}

TEST_CASE(PairRouteTestCase, "routes searched from both ends are those of the table")
{
    uint32_t compared = 0;
    uint32_t longest = 0;
    for (const uint32_t hosts : {16, 64, 128, 256, 1024, 16384})
    {
        const auto graph = Draw(hosts, hosts);
        const UpDownRouting routing(graph, graph.GetNSwitches() / 2);
        UpDownPairRoute search(routing);
        const auto step = std::max(1U, graph.GetNSwitches() / 40); // columns take their time
        for (FabricGraph::Node to = 0; to < graph.GetNSwitches(); to += step)
        {
            for (FabricGraph::Node from = 0; from < graph.GetNSwitches(); from += step)
            {
                WormRoute::Ports found;
                search.Append(from, to, RouteSpread(RouteSpread::Rule::FIRST, 0, 0), found);
                const auto wanted = GetPorts(routing, from, to);
                const bool same =
                    std::equal(found.begin(), found.end(), wanted.begin(), wanted.end());
                NS_TEST_ASSERT_MSG_EQ(same, true, from << " to " << to);
                longest = std::max(longest, static_cast<uint32_t>(found.size()));
                ++compared;
            }
        }
    }
    NS_TEST_ASSERT_MSG_GT(compared, 5000, "routes");
    NS_TEST_ASSERT_MSG_GT(longest, 8, "long ones among them");
}

TEST_CASE(PortTraceTestCase, "trace sources of ports fire for those who are connected")
{
    auto fabric = WormholeHelper().Install(MakeStar(2));
    auto port = fabric->GetSwitch(0)->GetPort(1);
    auto end = fabric->GetHost(1)->GetPort();
    uint32_t fired = 0;
    std::string contexts;
    const auto count = CallbackOf([&](Ptr<const Worm>) { ++fired; });
    const auto countWith =
        CallbackOf([&](std::string what, Ptr<const Worm>) { contexts += what + " "; });
    for (const std::string name : {"Request", "Grant", "HeadStart", "TailLeft"})
    {
        NS_TEST_ASSERT_MSG_EQ(port->TraceConnectWithoutContext(name, count), true, name);
        NS_TEST_ASSERT_MSG_EQ(port->TraceConnect(name, name, countWith), true, name);
    }
    NS_TEST_ASSERT_MSG_EQ(end->TraceConnect("Delivered", "end", countWith), true, "end");
    SendWorm(*fabric, 0, 1, 5);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(fired, 4, "without context");
    NS_TEST_ASSERT_MSG_EQ(contexts, "Request Grant HeadStart TailLeft end ", "with context");
    for (const std::string name : {"Request", "HeadStart"})
    {
        NS_TEST_ASSERT_MSG_EQ(port->TraceDisconnectWithoutContext(name, count), true, name);
        NS_TEST_ASSERT_MSG_EQ(port->TraceDisconnect(name, name, countWith), true, name);
    }
    contexts.clear();
    SendWorm(*fabric, 0, 1, 5);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(fired, 6, "two are left");
    NS_TEST_ASSERT_MSG_EQ(contexts, "Grant TailLeft end ", "three are left");
}

/// Heads that cables tell of, as ns-3's AnimationInterface connects to them.
TEST_CASE(CableTraceTestCase, "cables tell when heads start and arrive, and between which nodes")
{
    constexpr uint64_t FLITS = 500;
    const auto tau = NanoSeconds(10);
    const auto p = NanoSeconds(70);
    const auto hop = tau + p + NanoSeconds(300);
    using Heads = std::multimap<std::string, Time>; // starts, by ends of the cable
    const auto run = [&](const FabricGraph& graph, uint32_t lanes, auto send) {
        Simulator::Destroy();
        auto helper =
            WithFabric({{"Lanes", std::to_string(lanes)}, {"Grant", lanes > 1 ? "worm" : "flit"}},
                       FLITS);
        helper.SetChannelAttribute("Delay", TimeValue(p));
        helper.SetChannelAttribute("FlitTime", TimeValue(tau));
        const auto fabric = helper.Install(graph);
        const auto nameOf = [](const Ptr<NetDevice>& device) {
            const auto itsSwitch = device->GetNode()->GetObject<WormholeSwitch>();
            return itsSwitch ? itsSwitch->GetName() + ":" + std::to_string(device->GetIfIndex())
                             : DynamicCast<WormholeNetDevice>(device)->GetPort()->GetName();
        };
        Heads heads;
        const auto note = [&](std::string,
                              Ptr<const Packet> packet,
                              Ptr<NetDevice> tx,
                              Ptr<NetDevice> rx,
                              Time txTime,
                              Time rxTime) {
            heads.emplace(nameOf(tx) + ">" + nameOf(rx), Simulator::Now());
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 0, "the worm carries none");
            NS_TEST_EXPECT_MSG_EQ(txTime, tau, "the cable's flit time");
            NS_TEST_EXPECT_MSG_EQ(rxTime, tau + p, "and its delay");
        };
        Config::Connect("/ChannelList/*/TxRxPointToPoint", CallbackOf(note));
        send(*fabric);
        Simulator::Run();
        return heads;
    };
    for (const uint32_t lanes : {1, 2})
    {
        const auto alone =
            run(MakeLine(3), lanes, [](WormholeFabric& fabric) { SendWorm(fabric, 0, 1, FLITS); });
        const auto start = alone.begin()->second;
        const Heads line{{"h0:0>s0:2", start},
                         {"s0:1>s1:0", start + hop},
                         {"s1:1>s2:0", start + 2 * hop},
                         {"s2:2>h1:0", start + 3 * hop}};
        NS_TEST_EXPECT_MSG_EQ((alone == line), true, "each cable of the way, a hop apart");
        const auto both = run(MakeStar(3), lanes, [](WormholeFabric& fabric) {
            SendWorm(fabric, 0, 2, FLITS);
            SendWorm(fabric, 1, 2, FLITS);
        });
        const Heads waiting{{"h0:0>s0:0", start},
                            {"h1:0>s0:1", start},
                            {"s0:2>h2:0", start + hop},
                            {"s0:2>h2:0", start + hop + FLITS * tau}};
        NS_TEST_EXPECT_MSG_EQ((both == waiting), true, "one head waits for the other worm's tail");
        const auto tree = run(MakeStar(3), lanes, [](WormholeFabric& fabric) {
            fabric.GetHost(0)->SendWorm(
                MakeWorm(FLITS, fabric.GetRouter()->GetTreeRoute(0, {1, 2})));
        });
        const Heads branches{{"h0:0>s0:0", start},
                             {"s0:1>h1:0", start + hop},
                             {"s0:2>h2:0", start + hop}};
        NS_TEST_EXPECT_MSG_EQ((tree == branches), true, "a branch each");
        const auto lost = run(MakeLine(3), lanes, [](WormholeFabric& fabric) {
            const auto cable = fabric.GetSwitch(1)->GetPort(1)->GetChannel();
            fabric.ScheduleOutage({cable, Time(0), Seconds(1)});
            SendWorm(fabric, 0, 1, FLITS);
        });
        const Heads before{{"h0:0>s0:2", start},
                           {"s0:1>s1:0", start + hop},
                           {"s1:1>s2:0", start + 2 * hop}};
        NS_TEST_EXPECT_MSG_EQ((lost == before), true, "no further than the cable that is down");
    }
}

// What the benchmark counts. Times are not judged, since machines are noisy.
SUITE("wormhole-benchmark", UNIT);

TEST_CASE(TrafficBenchmarkTestCase, "Events of traffic, and saturation")
{
    const auto graph = DrawFabric(16, 48);
    const FabricBenchmark benchmark(graph, WormholeHelper(), 1);
    constexpr uint64_t WORMS = 2000;
    const auto fits = benchmark.MeasureTraffic({"fabric", 2, 0.02, WORMS});
    const auto longer = benchmark.MeasureTraffic({"fabric", 100000, 0.02, WORMS});
    NS_TEST_EXPECT_MSG_EQ(fits.worms, WORMS, "all worms arrive");
    NS_TEST_EXPECT_MSG_EQ(longer.worms, WORMS, "all worms arrive");
    NS_TEST_EXPECT_MSG_GT(fits.cpuNsPerWormHop, 0, "CPU of traffic");
    NS_TEST_EXPECT_MSG_GT(fits.bareTwoEventsNs, 0, "CPU of bare events");
    NS_TEST_EXPECT_MSG_EQ(longer.wormHops, fits.wormHops, "the same draws, the same ways");
    // Made once, granted at every switch, arrived once. Grants of short worms, which are many
    // at a time, share events; those of long ones hardly.
    const auto own = 2.0 * WORMS / static_cast<double>(fits.wormHops);
    NS_TEST_EXPECT_MSG_LT(fits.eventsPerWormHop, own + 0.3, "worms that fit the buffers");
    NS_TEST_EXPECT_MSG_GT(fits.eventsPerWormHop, own, "made and arrived");
    NS_TEST_EXPECT_MSG_LT(longer.eventsPerWormHop, 1.6, "longer worms");
    NS_TEST_EXPECT_MSG_GT(longer.eventsPerWormHop, own + 0.3, "no grant is free");
    NS_TEST_EXPECT_MSG_EQ(fits.saturated, false, "little load");
    NS_TEST_EXPECT_MSG_GT(fits.latencyUsP99, fits.latencyUsMean, "latencies are spread");
    const auto tooMuch = benchmark.MeasureTraffic({"fabric", 64, 0.9, WORMS});
    NS_TEST_EXPECT_MSG_EQ(tooMuch.saturated, true, "more load than the fabric carries");
    std::ostringstream csv;
    FabricBenchmark::WriteTraffic(csv, {tooMuch});
    Contains(csv.str(), ",saturated,saturated\n", "no latency beyond saturation:");
}

TEST_CASE(LaneBenchmarkTestCase, "Events of traffic in several lanes")
{
    StringValue scheduler;
    GlobalValue::GetValueByName("SchedulerType", scheduler);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::WormholeScheduler"));
    constexpr uint64_t WORMS = 2000;
    std::vector<double> waits;
    for (const std::string engine : {"dateline", "adaptive"})
    {
        const auto topology = MakeTopology("torus:4x4,hosts=2,routing=" + engine);
        auto helper = WithFabric({}, 1024);
        helper.SetRouter(topology.router);
        const FabricBenchmark benchmark(topology.graph, helper, 1);
        for (const uint64_t flits : {2, 64, 1024})
        {
            const auto row = benchmark.MeasureTraffic({"fabric", flits, 0.15, WORMS});
            NS_TEST_EXPECT_MSG_EQ(row.worms, WORMS, "all worms arrive");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(row.eventsPerWormHop, 1, "made and arrived, no more");
            waits.push_back(row.latencyUsMean);
        }
    }
    GlobalValue::Bind("SchedulerType", scheduler);
    NS_TEST_EXPECT_MSG_LT(waits[5], waits[2], "worms of 1024 flits wait less");
}

/// A barrier costs about one event for each channel that its messages cross.
TEST_CASE(BarrierBenchmarkTestCase, "Events of a barrier")
{
    const auto graph = DrawFabric(16, 48);
    const FabricBenchmark benchmark(graph, WormholeHelper(), 1);
    const auto once = benchmark.MeasureBarriers("fabric", {"btin"}, 48, 1).front();
    const auto often = benchmark.MeasureBarriers("fabric", {"btin"}, 48, 10).front();
    NS_TEST_EXPECT_MSG_EQ(once.members, 48, "all hosts");
    NS_TEST_EXPECT_MSG_EQ_TOL(often.eventsPerBarrier, once.eventsPerBarrier, 1, "each the same");
    // 48 hosts up and down, at most 15 cables of a spanning tree up and down, one to begin.
    NS_TEST_EXPECT_MSG_LT_OR_EQ(once.eventsPerBarrier, 2 * (48 + 15) + 1, "events");
}

// Parts of a fabric that are kept longer than what they belong to. Under valgrind or ASan these
// show reads of freed memory, too.
SUITE("wormhole-lifetime", UNIT);

Ptr<Worm>
MakeOneFlit()
{
    return MakeWorm(1, WormRoute::Path({0, 1, 2}));
}

} // namespace

TEST_CASE(KeptPortsTestCase, "Ports may be kept longer than what they belong to")
{
    auto fabricSwitch = CreateObject<WormholeSwitch>();
    fabricSwitch->SetName("s7");
    auto port = fabricSwitch->GetPort(3);
    auto device = CreateObject<WormholeNetDevice>();
    device->SetName("h9");
    auto far = device->GetPort();
    auto cable = CreateObject<WormholeChannel>();
    cable->Connect(port, far);
    fabricSwitch = nullptr;
    device = nullptr;
    NS_TEST_EXPECT_MSG_EQ(port->GetName(), "s7:3", "a port knows its name");
    NS_TEST_EXPECT_MSG_EQ(far->GetName(), "h9:0", "so does a host's");
    NS_TEST_EXPECT_MSG_EQ(cable->GetNDevices(), 0, "the host is gone");
    Refuses([&] { CreateObject<WormholeChannel>()->Connect(port, far); },
            "has a cable to h9:0 already");
    Simulator::Destroy(); // which disposes of the cable
    cable = nullptr;
    far = nullptr;
    NS_TEST_EXPECT_MSG_EQ(port->IsConnected(), false, "nothing is at the other end any more");
    NS_TEST_EXPECT_MSG_EQ(port->GetName(), "s7:3", "it still knows its name");
    auto nowhere = CreateObject<WormholePort>();
    Refuses([&] { CreateObject<WormholeChannel>()->Connect(nowhere, port); }, "a port of no node");
}

TEST_CASE(KeptPartsTestCase, "All other parts may be kept when the simulation has ended")
{
    auto fabric = WormholeHelper().Install(MakeLine(2));
    auto device = fabric->GetHost(0);
    auto fabricSwitch = fabric->GetSwitch(0);
    auto port = fabricSwitch->GetPort(1);
    auto channel = port->GetChannel();
    auto segment = fabric->GetSegment();
    device->SendWorm(MakeOneFlit());
    Simulator::Run();
    const auto number = port->GetNumber();
    Simulator::Destroy();
    fabric = nullptr;
    NS_TEST_EXPECT_MSG_EQ(device->GetFabric(), nullptr, "the fabric is gone");
    NS_TEST_EXPECT_MSG_EQ(device->GetChannel(), nullptr, "so is what joined the hosts");
    NS_TEST_EXPECT_MSG_EQ(device->HasStarted(), false, "and what moved the worms");
    NS_TEST_EXPECT_MSG_EQ(segment->GetNDevices(), 0, "nobody is there");
    NS_TEST_EXPECT_MSG_EQ(channel->HasStarted(), false, "nothing moves");
    const auto name = fabricSwitch->GetName() + ":" + std::to_string(number);
    NS_TEST_EXPECT_MSG_EQ(port->GetName(), name, "the port's name");
    port->SetAttribute("BufferDepth", UintegerValue(2));
    Refuses([&] { device->SendWorm(MakeOneFlit()); }, "in no fabric, or that is gone");
    Refuses([&] { fabricSwitch->Originate(MakeOneFlit()); }, "in no fabric that has started");
    fabricSwitch->SetSink(nullptr);
}

TEST_CASE(KeptLooseTestCase, "Parts that were never on a node, of a fabric that never started")
{
    auto fabric = CreateObject<WormholeFabric>();
    auto device = CreateObject<WormholeNetDevice>();
    auto fabricSwitch = CreateObject<WormholeSwitch>();
    fabric->AddHost(device);
    fabric->AddSwitch(fabricSwitch);
    fabric = nullptr;
    NS_TEST_EXPECT_MSG_EQ(device->GetFabric(), nullptr, "the fabric is gone");
    Refuses([&] { device->SendWorm(MakeOneFlit()); }, "in no fabric, or that is gone");
    device->SetAddress(Mac48Address("02:00:00:00:00:01"));
}

TEST_CASE(UnusedFabricTestCase, "A fabric that was never used is kept by nobody")
{
    const auto graph = MakeLine(2);
    auto fabric = WormholeHelper().Install(graph);
    CollectiveHelper().Install(fabric, graph);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetReferenceCount(), 1, "nobody else keeps it");
}

SUITE("wormhole-fabric-mistakes", UNIT);

TEST_CASE(RefusedWormTestCase, "Worms that cannot be are refused")
{
    const auto fabric = WormholeHelper().Install(MakeLine(2));
    const auto host = fabric->GetHost(0);
    uint32_t arrived = 0;
    fabric->GetHost(1)->SetReceiver(Worm::RAW, CallbackOf([&](Ptr<const Worm>) { ++arrived; }));
    const auto send = [&](uint64_t flits, const std::vector<uint16_t>& ports, Worm::Kind kind) {
        const auto route = Create<WormRoute>(WormRoute::Path(ports));
        host->SendWorm(Create<Worm>(kind, nullptr, flits, route));
    };
    const std::vector<uint16_t> way{0, 1, 2};
    Refuses([&] { send(5, {}, Worm::RAW); }, "h0 is to send a worm without a route");
    Refuses([&] { host->SendWorm(MakeWorm(5, nullptr)); }, "without a route");
    Refuses([&] { send(0, way, Worm::RAW); }, "of 0 flits; expected 1 to");
    Refuses([&] { send(1ULL << 63, way, Worm::RAW); }, "expected 1 to");
    Refuses([&] { send(5, way, Worm::FRAME); }, "without a packet");
    Refuses([&] { send(5, {3, 1, 2}, Worm::RAW); }, "h0: a route leaves by port 3");
    Refuses([&] { SendWorm(*fabric, 0, 1, 5, NanoSeconds(-1000)); }, "a time that has passed");
    send(5, way, Worm::RAW);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(arrived, 1, "what can be arrives");
    send(5, {0, 1, 2, 0}, Worm::RAW);
    Refuses([] { Simulator::Run(); }, "h1: a route goes on beyond this host");
    NS_TEST_EXPECT_MSG_EQ(arrived, 1, "and nothing else does");
}

TEST_CASE(ExactTimeTestCase, "Times are exact or refused")
{
    for (const auto& [text, time] : std::map<std::string, Time>{{"6.25ns", PicoSeconds(6250)},
                                                                {"0.1us", NanoSeconds(100)},
                                                                {"2s", Seconds(2)},
                                                                {"1.23456s", MicroSeconds(1234560)},
                                                                {"2.000000s", Seconds(2)},
                                                                {"3600.000s", Seconds(3600)}})
    {
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse(text), time, text);
    }
    const auto take = [](uint64_t bits, uint64_t rate) {
        return ExactTime::Transmission(bits, DataRate(rate));
    };
    NS_TEST_EXPECT_MSG_EQ(take(8, 1'280'000'000), PicoSeconds(6250), "");
    NS_TEST_EXPECT_MSG_EQ(take(8 * 4096, 1'280'000'000), NanoSeconds(25600), "4 KiB at 160 MB/s");
    Equals(take(8 * 1000001, 1000001000), MilliSeconds(8), "a rate that has few divisors");
    Refuses([&] { take(1ULL << 60, 1); }, "5 hours");
    Refuses([] { ExactTime::Parse("0.5ps"); }, "Time::SetResolution(Time::FS)");
    Refuses([] { ExactTime::Parse("0.5fs"); }, "femtoseconds");
    for (const std::string text :
         {"3600.001s", "60.5min", "", "ns", "1", "-1ns", "1.2.3ns", "1 ns", "5000h"})
    {
        Refuses([&] { ExactTime::Parse(text); }, "is no time");
    }
    Refuses([&] { take(8, 3'000'000'000); }, "femtoseconds");
    Refuses([&] { take(8, 1'280'000'000'000); }, "Time::SetResolution(Time::FS)");

    WormholeHelper helper;
    Refuses([&] { helper.SetChannelAttribute("Delay", StringValue("20.0005ns")); },
            "Time::SetResolution(Time::FS)");
    Refuses([&] { helper.SetChannelAttribute("Delay", StringValue("0ns")); },
            "a time of 0ps is too short; expected 1ps at least");
    Refuses([&] { helper.SetChannelAttribute("Delay", TimeValue(Time(0))); }, "too short");
    Refuses([&] { helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(-1))); },
            "a time of -1ps is too short; expected 0ps at least");
    auto coarse = WithFabric({{"DataRate", "3Gbps"}});
    SaysAll(ErrorOf([&] { coarse.Install(MakeLine(2)); }),
            {"8 bits at 3000000000bps", "also a FlitSize of 3 bytes"});
    coarse.SetFabricAttribute("FlitSize", UintegerValue(3));
    auto fabric = coarse.Install(MakeLine(2));
    fabric->Start();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetFlitTime(), NanoSeconds(8), "24 bits at 3 Gbit/s");
    fabric = WormholeHelper().Install(MakeLine(2));
    const auto setDelays = [&fabric](Time delay) {
        for (const auto& port : {fabric->GetSwitch(0)->GetPort(1),
                                 fabric->GetHost(0)->GetPort(),
                                 fabric->GetHost(1)->GetPort()})
        {
            port->GetChannel()->SetAttribute("Delay", TimeValue(delay));
        }
    };
    setDelays(Seconds(1000));
    Refuses([&] { fabric->Start(); }, "; expected at most 268435455");
    setDelays(NanoSeconds(20));
    fabric->Start(); // what did not fit was mended
    Refuses([&] { setDelays(NanoSeconds(20)); }, "first frame");
    WormholeHelper wrong;
    Refuses([&] { wrong.SetFabricAttribute("Replication", StringValue("lockstep")); },
            "expected async or sync");
}

TEST_CASE(ExactTimePrintedTestCase, "Times are read as ns-3 prints them")
{
    for (const int64_t steps :
         {int64_t{0}, int64_t{1}, int64_t{6250}, int64_t{1'000'000'000}, int64_t{123'000'000'000}})
    {
        for (const auto unit : {Time::PS, Time::NS, Time::US, Time::MS, Time::S, Time::MIN})
        {
            // Six digits hold it.
            const auto time = TimeStep(steps) * (unit == Time::MIN ? 60 : 1);
            std::ostringstream text;
            text << time.As(unit);
            NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse(text.str()), time, text.str());
        }
    }
    for (const auto& [text, time] : std::map<std::string, Time>{{"+1e+06ns", MilliSeconds(1)},
                                                                {"1e3ns", MicroSeconds(1)},
                                                                {"1.5e-3us", PicoSeconds(1500)},
                                                                {"+6.25e+00ns", PicoSeconds(6250)},
                                                                {"1e-12s", PicoSeconds(1)},
                                                                {"0.000001000e6s", Seconds(1)},
                                                                {"0e99s", Time(0)},
                                                                {"+0.5min", Seconds(30)},
                                                                {"0.25h", Seconds(900)},
                                                                {"1e-5d", MilliSeconds(864)}})
    {
        NS_TEST_EXPECT_MSG_EQ(ExactTime::Parse(text), time, text);
    }
    for (const std::string text :
         {"1ens", "1e+ns", "e3ns", "1e99s", "1e4s", "2h", "1d", "1e3", "1e3 ns"})
    {
        Refuses([&] { ExactTime::Parse(text); }, "is no time");
    }
    Refuses([] { ExactTime::Parse("1e-13s"); }, "Time::SetResolution(Time::FS)");

    const auto exact = PicoSeconds(1'234'567'890'123);
    NS_TEST_EXPECT_MSG_EQ(ExactTime::Print(exact), "1.234567890123s", "to the last digit");
    auto fabricSwitch = CreateObject<WormholeSwitch>();
    fabricSwitch->SetAttribute("Delay", TimeValue(exact));
    const auto text = TextOf(fabricSwitch, "Delay");
    NS_TEST_EXPECT_MSG_EQ(text, "1.234567890123s", "as an attribute's text");
    fabricSwitch->SetAttribute("Delay", StringValue(text));
    NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetDelay(), exact, "which sets the same again");
}

TEST_CASE(FabricMistakesTestCase, "Mistakes are refused with value and place")
{
    const auto refuseWorm = [this](uint16_t port, uint64_t flits, const std::string& part) {
        const auto worm = MakeWorm(flits, WormRoute::Path({port}));
        const auto fabric = WormholeHelper().Install(MakeLine(2));
        Refuses([&] { fabric->GetHost(0)->SendWorm(worm); }, part);
        Simulator::Destroy();
    };
    refuseWorm(3, 1, "h0: a route leaves by port 3");
    // The way is settled as far as it is certain, so a worm that ends in a switch without a
    // collective unit is refused when it is sent.
    refuseWorm(0, 1, "no collective unit");
    refuseWorm(0, 57, "whose buffer holds 56");

    WormholeHelper helper;
    for (const std::string queue : {"ns3::NoQueue", "ns3::Node", "ns3::Queue", "DropTail"})
    {
        Refuses([&] { helper.SetQueue(queue); }, "SetQueue(\"" + queue + "\"): expected");
    }
    const StringValue rate("1Gbps");
    Refuses([&] { helper.SetDeviceAttribute("DataRate", rate); }, "SetFabricAttribute");
    Refuses([&] { helper.SetDeviceAttribute("Address", rate); }, "of its own");
    Refuses([&] { helper.SetQueue("ns3::DropTailQueue", "Max", StringValue("9p")); }, "Max");
    Refuses([&] { helper.Install("h", "nobody"); }, "no node of the name h");
    Refuses([] { WormholeHelper::EnablePcapSwitch("x", nullptr); }, "no switch is given");
    Refuses([] { MakeLine(2).HostAt(2); }, "there is no host 2; there are 2");
    helper.SetFabricAttribute("DataRate", StringValue("7Mbps"));
    Refuses([&] { helper.Install(MakeLine(2)); }, "WormholeFabric::FlitSize");
    Simulator::Destroy();

    NodeContainer hosts(2);
    NodeContainer switches(1);
    const auto install = [&] { WormholeHelper().Install(MakeLine(2), switches, hosts); };
    switches.Add(switches.Get(0));
    const auto twice = "node " + std::to_string(switches.Get(0)->GetId()) + " is to be a";
    Refuses(install, twice);
    NS_TEST_EXPECT_MSG_EQ(hosts.Get(0)->GetNDevices(), 0, "nothing half done");
    NodeContainer two(2);
    WormholeHelper().Install(MakeLine(2), two, hosts);
    switches = NodeContainer(two.Get(0));
    switches.Create(1);
    Refuses(install, "is to be a switch twice");
    Simulator::Destroy();

    WormholeHelper misrouted;
    misrouted.SetRoutingRoot("s7");
    Refuses([&] { misrouted.Install(MakeLine(2)); }, "s7");

    auto device = CreateObject<WormholeNetDevice>();
    Refuses([&] { device->SendWorm(MakeWorm(1, WormRoute::Path({0}))); }, "in no fabric");

    auto port = CreateObject<WormholeSwitch>()->GetPort(0);
    auto cable = CreateObject<WormholeChannel>();
    Refuses([&] { cable->Connect(port, port); }, "to itself");
    Refuses([] { WormRoute::Tree({{0}, {1, 2}, {}}); }, "3 stops");
}

TEST_CASE(LateChangesTestCase, "Changes of a fabric that has started are refused")
{
    auto fabric = WormholeHelper().Install(MakeLine(2));
    const TimeValue delay(NanoSeconds(40));
    auto host = fabric->GetHost(0);
    auto cable = host->GetPort()->GetChannel();
    cable->SetAttribute("Delay", delay);
    fabric->Start();
    const auto late = [&](Ptr<Object> object, const std::string& name, const AttributeValue& to) {
        Refuses([&] { object->SetAttribute(name, to); },
                object->GetInstanceTypeId().GetName() + "::" + name + " is set after");
    };
    late(cable, "Delay", TimeValue(NanoSeconds(50)));
    NS_TEST_EXPECT_MSG_EQ(Time(TextOf(cable, "Delay")), delay.Get(), "stays as it was");
    late(host, "Delay", delay);
    late(fabric->GetSwitch(0), "Delay", delay);
    late(host->GetPort(), "BufferDepth", UintegerValue(7));
    late(fabric, "FlitSize", UintegerValue(2));
    late(fabric, "DataRate", StringValue("1Gbps"));
    late(fabric, "FlitTime", delay);
    late(fabric, "Replication", StringValue("sync"));
    late(fabric, "DeadlockCheckInterval", delay);
    late(fabric, "DeadlockCheckEvents", UintegerValue(7));
    fabric->SetAttribute("ThrowOnDeadlock", BooleanValue(false)); // at any time
}

TEST_CASE(LastTimeTestCase, "Times are right or refused, up to the last one")
{
    const auto fabric = WithFabric({{"FlitTime", "3600s"}}, 161).Install(MakeLine(2));
    Refuses([&] { fabric->Start(); },
            "a buffer of 161 flits takes 579600s; expected at most 576460.");

    // Returns how long a worm of two flits takes over five switches
    const auto send = [](Time wait) {
        return SendLoneWorm(WormholeHelper(), MakeLine(5), 2, wait).arrived - wait;
    };
    const auto alone = send(Time(0));
    NS_TEST_EXPECT_MSG_GT(alone, MicroSeconds(1), "a worm takes its time");
    const auto last = TimeStep(TimeLimit::LATEST);
    NS_TEST_EXPECT_MSG_EQ(send(last - alone), alone, "the same just before the limit");
    Refuses([&] { send(last - MicroSeconds(1)); },
            "after 2305843.009213693952s, the last time that fabrics know");
    Refuses([&] { send(last + TimeStep(1)); }, "h0 is to send a worm too late; the last time");
    Refuses([&] { send(Time::Max()); }, "h0 is to send a worm too late; the last time");
}
