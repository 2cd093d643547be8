/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/barrier-tree.h"
#include "ns3/fabric-benchmark.h"
#include "ns3/up-down-pair-route.h"

using namespace ns3;

namespace
{

FabricGraph
Draw(uint32_t hosts, int64_t stream)
{
    return DrawFabric(ScaleBenchmark::GetSwitchesFor(hosts), hosts, stream);
}

} // namespace

/// A barrier of 2,048 hosts takes what its tree's height says, and crosses as many links as the
/// tree has: every link carries one message in each phase, so none waits for another.
SIMULATION_TEST_CASE(ScaleLatencyTestCase,
                     "a barrier of 2,048 hosts is what its tree says, run after run")
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
    std::vector<FabricGraph::Node> members;
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        members.push_back(graph.HostAt(host));
    }
    const BarrierTree tree(graph, members);
    NS_TEST_ASSERT_MSG_EQ(row.hosts, HOSTS, "hosts");
    NS_TEST_ASSERT_MSG_EQ(row.switches, 600, "switches");
    NS_TEST_ASSERT_MSG_EQ(row.height, tree.GetHeight(), "height");
    NS_TEST_ASSERT_MSG_EQ(row.hops, tree.MessageHops(), "links crossed");
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
SIMULATION_TEST_CASE(ScaleMemoryTestCase,
                     "memory of 32,768 hosts leaves no room for a table of all pairs")
{
    ScaleBenchmark::Setup setup;
    setup.hosts = 1;
    setup.connectivity = 0.125; // a port
    const auto before = ScaleBenchmark::Measure(setup).peakMiB;
    setup = ScaleBenchmark::Setup();
    setup.hosts = 32768;
    const auto row = ScaleBenchmark::Measure(setup);
    constexpr double MOST = 10;       // KiB a host; 3.5 are usual
    constexpr double PAIRS_MIB = 351; // 9600 x 9600 x 4 bytes
    const auto grown = row.peakMiB - before;
    NS_TEST_ASSERT_MSG_GT(grown, 0, "MiB");
    if (!IS_SANITIZED) // most of it is the sanitizers' own
    {
        NS_TEST_ASSERT_MSG_LT(grown, setup.hosts * MOST / 1024, "MiB");
    }
    NS_TEST_ASSERT_MSG_LT(setup.hosts * MOST / 1024, PAIRS_MIB, "the limit tells");
}

SIMULATION_TEST_CASE(ScaleRefusalTestCase, "fabrics that cannot be are refused")
{
    // Expects a refusal.
    const auto refused = [&](const ScaleBenchmark::Setup& setup, const std::string& words) {
        std::string said;
        try
        {
            ScaleBenchmark::Measure(setup);
        }
        catch (const WormholeError& error)
        {
            said = error.what();
        }
        NS_TEST_ASSERT_MSG_NE(said.find(words), std::string::npos, "said: " << said);
    };
    ScaleBenchmark::Setup setup;
    setup.hosts = 0;
    refused(setup, "0 hosts on 1 switches");
    setup = ScaleBenchmark::Setup();
    setup.connectivity = 0.5;
    refused(setup, "least feasible is");
    setup = ScaleBenchmark::Setup();
    setup.switches = 100;
    refused(setup, "expected 1 to 700");
}

/// @return the route that columns give
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

/// Routes of pairs, without a column, are those of the column, on small fabrics and on large ones.
SIMULATION_TEST_CASE(PairRouteTestCase, "routes searched from both ends are those of the table")
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
                const bool same = found.size() == wanted.size() &&
                                  std::equal(found.begin(), found.end(), wanted.begin());
                NS_TEST_ASSERT_MSG_EQ(same, true, from << " to " << to);
                longest = std::max(longest, static_cast<uint32_t>(found.size()));
                ++compared;
            }
        }
    }
    NS_TEST_ASSERT_MSG_GT(compared, 5000, "routes");
    NS_TEST_ASSERT_MSG_GT(longest, 8, "long ones among them");
}

SIMULATION_TEST_CASE(PortTraceTestCase, "trace sources of ports fire for those who are connected")
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
    Simulator::Destroy();
}

/// Tests of large fabrics.
static ListedTestSuite g_wormholeScaleTestSuite("wormhole-scale",
                                                {new ScaleLatencyTestCase,
                                                 new ScaleMemoryTestCase,
                                                 new ScaleRefusalTestCase,
                                                 new PairRouteTestCase,
                                                 new PortTraceTestCase});
