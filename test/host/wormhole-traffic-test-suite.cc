// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-traffic", UNIT);

namespace
{

Ptr<TrafficPattern>
MakePattern(const std::string& name, const FabricGraph& graph, int64_t stream = 1)
{
    WormholeTrafficHelper helper;
    helper.SetPattern(name);
    return helper.MakePattern(graph, stream);
}

std::vector<uint32_t>
DestinationsOf(Ptr<TrafficPattern> pattern)
{
    return MadeOf(MakeRange(pattern->GetNHosts()), [&](uint32_t host) {
        return pattern->IsSilent(host) ? host : pattern->Draw(host);
    });
}

} // namespace

static std::map<uint32_t, uint32_t>
Count(Ptr<TrafficPattern> pattern, uint32_t source, uint32_t draws)
{
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t i = 0; i < draws; ++i)
    {
        ++counts[pattern->Draw(source)];
    }
    return counts;
}

TEST_CASE(RandomPatternTestCase, "Uniform and hotspot draw what they say")
{
    constexpr uint32_t DRAWS = 10000; // of a source
    const auto graph = MakeStar(11);
    auto uniform = MakePattern("uniform", graph);
    NS_TEST_EXPECT_MSG_EQ(uniform->GetNSenders(), 11, "nobody is silent");
    for (uint32_t source = 0; source < 11; ++source)
    {
        auto counts = Count(uniform, source, DRAWS);
        NS_TEST_EXPECT_MSG_EQ(counts.count(source), 0, "nobody sends to itself");
        const auto chiSquare = SumOf(counts, [](const auto& entry) {
            return std::pow(entry.second - DRAWS / 10.0, 2) / (DRAWS / 10.0);
        });
        NS_TEST_EXPECT_MSG_EQ(counts.size(), 10, "all others");
        NS_TEST_EXPECT_MSG_LT(chiSquare, 27.9, "0.1 % of 9 degrees of freedom");
    }

    WormholeTrafficHelper helper;
    helper.SetPattern("hotspot");
    helper.SetPatternAttribute("Fraction", DoubleValue(0.3));
    helper.SetPatternAttribute("Host", UintegerValue(4));
    auto hotspot = helper.MakePattern(graph, 1);
    for (uint32_t source = 0; source < 11; ++source)
    {
        auto counts = Count(hotspot, source, DRAWS);
        NS_TEST_EXPECT_MSG_EQ(counts.count(source), 0, "nobody sends to itself");
        const auto hot = source == 4 ? 0 : 0.3 + 0.7 / 10;
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * counts[4] / DRAWS, hot, 0.02, "share of the hot host");
        const auto other = 1.0 * counts[source == 0 ? 1 : 0] / DRAWS;
        NS_TEST_EXPECT_MSG_EQ_TOL(other, (source == 4 ? 0.1 : 0.07), 0.012, "of another host");
    }
}

TEST_CASE(FixedPatternTestCase, "Permutation, transpose and bit reversal are what they say")
{
    for (const uint32_t n : {2, 3, 10, 257})
    {
        const auto graph = MakeStar(n);
        const auto destinations = DestinationsOf(MakePattern("permutation", graph));
        const std::set<uint32_t> distinct(destinations.begin(), destinations.end());
        NS_TEST_EXPECT_MSG_EQ(distinct.size(), n, "somebody gets from two");
        for (uint32_t host = 0; host < n; ++host)
        {
            NS_TEST_EXPECT_MSG_NE(destinations[host], host, "nobody sends to itself");
            NS_TEST_EXPECT_MSG_LT(destinations[host], n, "no such host");
        }
        Same(DestinationsOf(MakePattern("permutation", graph)), destinations, "one stream");
    }
    std::map<std::vector<uint32_t>, uint32_t> drawn;
    const auto four = MakeStar(4);
    for (int64_t stream = 0; stream < 1800; ++stream)
    {
        ++drawn[DestinationsOf(MakePattern("permutation", four, stream))];
    }
    NS_TEST_EXPECT_MSG_EQ(drawn.size(), 9, "four hosts have nine such permutations");
    for (const auto& entry : drawn)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(entry.second, 200, 60, "all are equally likely");
    }

    const auto nine = DestinationsOf(MakePattern("transpose", MakeStar(9)));
    Same(nine, {0, 3, 6, 1, 4, 7, 2, 5, 8}, "transpose of nine hosts");
    auto transpose = MakePattern("transpose", MakeStar(256));
    NS_TEST_EXPECT_MSG_EQ(transpose->GetNSenders(), 240, "the diagonal is silent");
    const auto swap = [](uint32_t host) { return (host << 4 | host >> 4) % 256; };
    Same(DestinationsOf(transpose), MadeOf(MakeRange(256), swap), "halves of bits");

    auto reversal = MakePattern("bit-reversal", MakeStar(8));
    Same(DestinationsOf(reversal), {0, 4, 2, 6, 1, 5, 3, 7}, "eight hosts reversed");
    NS_TEST_EXPECT_MSG_EQ(reversal->GetNSenders(), 4, "four of eight read the same backwards");
}

TEST_CASE(SharesTestCase, "Every pattern draws each destination as often as it says")
{
    constexpr uint32_t DRAWS = 20000;
    const auto graph = DrawFabric(8, 16);
    for (const auto& name : WormholeTrafficHelper::GetPatternNames())
    {
        const auto pattern = MakePattern(name, graph);
        for (uint32_t source = 0; source < 3; ++source)
        {
            if (pattern->IsSilent(source))
            {
                continue;
            }
            auto counts = Count(pattern, source, DRAWS);
            double sum = 0;
            for (const auto& [destination, share] : pattern->GetShares(source))
            {
                sum += share;
                const auto to = std::to_string(source) + " to " + std::to_string(destination);
                Within(1.0 * counts[destination] / DRAWS, share, 0.02, name + ", " + to);
                NS_TEST_EXPECT_MSG_NE(destination, source, name << ", to itself");
                counts.erase(destination);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sum, 1, 1e-9, name << ", all");
            NS_TEST_EXPECT_MSG_EQ(counts.size(), 0, name << ", others");
        }
    }
}

static std::set<uint32_t>
Search(const FabricGraph& graph, uint32_t source)
{
    const auto neighbours = [&](GraphNode node) {
        const auto all = MadeOf(MakeRange(graph.GetNPorts(node)),
                                [&](Port port) { return graph.Peer(node, port).node; });
        return ThoseOf(all, [](GraphNode far) { return far != FabricGraph::NONE; });
    };
    std::map<uint32_t, std::set<uint32_t>> hosts; // by cables to them
    for (const auto& [node, cables] : CountStepsFrom(graph.HostAt(source), neighbours))
    {
        if (!graph.IsSwitch(node) && cables > 0)
        {
            hosts[cables].insert(node - graph.GetNSwitches());
        }
    }
    return hosts.begin()->second;
}

TEST_CASE(NearestSwitchTestCase,
          "Nearest-switch sends to all hosts at the fewest cables, and to no other")
{
    uint32_t away = 0;
    for (int64_t stream = 0; stream < 20; ++stream)
    {
        const auto graph = DrawFabric(20, 25, stream);
        auto pattern = MakePattern("nearest-switch", graph);
        for (uint32_t source = 0; source < 25; ++source)
        {
            const auto drawn = ToSet(
                MadeOf(Count(pattern, source, 300), [](const auto& entry) { return entry.first; }));
            const auto wanted = Search(graph, source);
            Same(drawn, wanted, "host " + std::to_string(source));
            away += graph.SwitchOf(graph.HostAt(*wanted.begin())).node !=
                    graph.SwitchOf(graph.HostAt(source)).node;
        }
    }
    NS_TEST_EXPECT_MSG_GT(away, 50, "hardly any host is alone at its switch");
}

TEST_CASE(TrafficMistakesTestCase, "Patterns, lengths and loads that do not fit are refused")
{
    const auto pattern = [](const std::string& name, uint32_t hosts) {
        return ErrorOf([&] { MakePattern(name, MakeStar(hosts)); });
    };
    Says(pattern("transpose", 15), "there are 15; expected 9 or 16");
    Says(pattern("transpose", 2), "expected 4");
    Says(pattern("bit-reversal", 12), "there are 12; expected 8 or 16");
    Says(pattern("bit-reversal", 2), "send to themselves");
    Says(pattern("uniform", 1), "traffic between 1 hosts: expected at least 2");
    Says(pattern("tornado", 4), "'tornado'; there are uniform, permutation, transpose");
    WormholeTrafficHelper hot;
    hot.SetPattern("ns3::HotspotPattern");
    hot.SetPatternAttribute("Host", UintegerValue(4));
    Refuses([&] { hot.MakePattern(MakeStar(4), 1); }, "hot host 4: expected 0 to 3");

    for (const auto& text : Join({""},
                                 Words("0 1.5 64, uniform:3 uniform:9:8 bimodal:8:8:0.5 "
                                       "bimodal:8:9:1 geometric:0.5 pareto:3 fixed:3")))
    {
        Refuses([&] { WormLength::Parse(text); }, "is no length of worms; expected");
    }

    const auto install = [](uint32_t hosts, const WormholeTrafficHelper& helper = {}) {
        const auto fabric = WormholeHelper().Install(MakeStar(4));
        helper.Install(fabric, MakeStar(hosts), WormLength::Fixed(4), 1)->Start();
    };
    const auto start = [&](const std::string& name, const AttributeValue& value) {
        return ErrorOf([&] {
            WormholeTrafficHelper helper;
            helper.SetAttribute(name, value);
            install(4, helper);
        });
    };
    Says(start("Load", DoubleValue(0)), "Load is 0.000000; expected");
    Says(start("Load", DoubleValue(1e300)), "a host sends several in ns-3's unit of time");
    Says(start("Load", DoubleValue(1e-12)), "expected one every");
    Says(start("Arrivals", StringValue("bursty")), "Arrivals=bursty: expected poisson or periodic");
    Refuses([&] { install(5); }, "between 5 hosts on a fabric of 4");
}

TEST_CASE(WormLengthTestCase, "Lengths of worms: means, variances and bounds")
{
    const auto expect = [&](const std::string& text,
                            double mean,
                            double variance,
                            uint64_t least,
                            uint64_t greatest) {
        auto length = WormLength::Parse(text);
        length.AssignStreams(3);
        constexpr uint32_t DRAWS = 200000;
        double sum = 0;
        double squares = 0;
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            const auto flits = length.Draw();
            NS_TEST_ASSERT_MSG_EQ((flits >= least && flits <= greatest), true, text << flits);
            sum += flits;
            squares += std::pow(flits - mean, 2);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(length.GetMean(), mean, 1e-9 * mean, text);
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / DRAWS, mean, 4 * std::sqrt(variance / DRAWS), text);
        NS_TEST_EXPECT_MSG_EQ_TOL(squares / DRAWS, variance, 0.03 * variance, text);
    };
    expect("64", 64, 0, 64, 64);
    expect("uniform:1:127", 64, (127.0 * 127 - 1) / 12, 1, 127);
    expect("uniform:2:3", 2.5, 0.25, 2, 3);
    expect("bimodal:8:1024:0.25", 262, 0.25 * 0.75 * 1016 * 1016, 8, 1024);
    expect("geometric:2.5", 2.5, 2.5 * 1.5, 1, 100);
    expect("geometric:64", 64, 64 * 63.0, 1, 10000);
    expect("geometric:1", 1, 0, 1, 1);
    WormLength any(CreateObject<NormalRandomVariable>(), 1);
    NS_TEST_EXPECT_MSG_EQ((any.Draw() >= 1), true, "any random variable will do");
}

TEST_CASE(ArrivalsTestCase, "Poisson and periodic arrivals at the load asked for, one event a worm")
{
    std::vector<std::vector<double>> madeAt; // by host, when it made worms
    uint64_t nArrived{0};                    // worms delivered
    uint64_t stopAfter{0};                   // worms after which to stop
    Ptr<WormholeFabric> network;             // the fabric
    Ptr<WormholeTraffic> source;             // its traffic
    // Lets hosts send for a while. stop: after how many worms to stop; 0: never; stream: first
    // stream of arrivals and lengths
    const auto sendFor =
        [&](const std::string& arrivals, double load, uint64_t stop, int64_t stream = 2) {
            const auto graph = MakeStar(2);
            madeAt.assign(2, {});
            nArrived = 0;
            stopAfter = stop;
            WormholeTrafficHelper helper;
            helper.SetAttribute("Arrivals", StringValue(arrivals));
            helper.SetAttribute("Load", DoubleValue(load));
            network = WormholeHelper().Install(graph);
            source = helper.Install(network, graph, WormLength::Fixed(10), 1);
            NS_TEST_EXPECT_MSG_EQ(WormholeTrafficHelper::AssignStreams(source, stream), 2, "two");
            Listen(source, "Generated", [&](Ptr<const TrafficWorm> worm) {
                const auto now = static_cast<double>(Simulator::Now().GetTimeStep());
                NS_TEST_EXPECT_MSG_EQ(worm->GetGenerated(), Simulator::Now(), "made now");
                madeAt[worm->GetSource()].push_back(now);
                if (stopAfter > 0 && --stopAfter == 0)
                {
                    source->Stop();
                }
            });
            Listen(source, "Delivered", [&](Ptr<const TrafficWorm> worm, Time latency) {
                NS_TEST_EXPECT_MSG_EQ(latency, Simulator::Now() - worm->GetGenerated(), "latency");
                ++nArrived;
            });
            source->Start();
            if (stop == 0)
            {
                Simulator::Stop(MilliSeconds(2));
            }
            Simulator::Run();
        };
    sendFor("periodic", 0.4, 0);
    for (const auto& times : madeAt)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(times.size(), 12800, 1, "2 ms at one worm in 156.25 ns");
        for (std::size_t i = 1; i < times.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(times[i] - times[i - 1], 156250, "period");
        }
    }
    NS_TEST_EXPECT_MSG_NE(madeAt[0].front(), madeAt[1].front(), "hosts are in step");
    Simulator::Destroy();

    sendFor("periodic", 0.3, 0); // 208.333... ns
    const auto last = madeAt[0].front() + (madeAt[0].size() - 1) * 625000.0 / 3;
    Within(madeAt[0].back(), last, 1, "roundings add up");
    Simulator::Destroy();

    sendFor("poisson", 0.4, 0);
    for (const auto& times : madeAt)
    {
        double squares = 0;
        const auto mean = times.back() / times.size();
        for (std::size_t i = 1; i < times.size(); ++i)
        {
            squares += std::pow(times[i] - times[i - 1] - mean, 2);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(mean, 156250, 6000, "mean gap");
        const auto deviation = std::sqrt(squares / times.size());
        Within(deviation, 156250, 10000, "gaps of a Poisson process vary by as much as their mean");
    }
    const auto& counts = source->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.generatedWorms, madeAt[0].size() + madeAt[1].size(), "worms");
    NS_TEST_EXPECT_MSG_EQ(counts.generatedFlits, 10 * counts.generatedWorms, "flits");
    NS_TEST_EXPECT_MSG_EQ(counts.deliveredWorms, nArrived, "worms delivered");
    const auto most = counts.generatedWorms + network->GetCounts().wormHops + 10;
    NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), most, "events beyond one a worm and a hop");
    Simulator::Destroy();

    std::vector<std::vector<double>> of;
    for (const auto stream : {2, 2, 4})
    {
        sendFor("poisson", 0.4, 100, stream);
        of.push_back(madeAt[0]);
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_EQ((of[0] == of[1]), true, "the same streams, the same times");
    NS_TEST_EXPECT_MSG_EQ((of[0] == of[2]), false, "other streams, other times");

    sendFor("poisson", 3, 1000);
    NS_TEST_EXPECT_MSG_EQ(madeAt[0].size() + madeAt[1].size(), 1000, "nobody stopped");
    NS_TEST_EXPECT_MSG_EQ(nArrived, 1000, "those on their way go on");
    Simulator::Destroy();
}

TEST_CASE(BarrierUnderTrafficTestCase,
          "Traffic and a barrier share a fabric, and the barrier takes longer")
{
    const auto take = [&](const std::string& scheme, double load) {
        const auto graph = DrawFabric(20, 16);
        const auto domain = InstallDomain(graph);
        WormholeTrafficHelper helper;
        helper.SetAttribute("Load", DoubleValue(load));
        const auto traffic = helper.Install(domain->GetFabric(), graph, WormLength::Fixed(256), 1);
        const auto barrier = CollectiveHelper::MakeBarrier(scheme);
        Time entered;
        Time taken; // from then until the last member left
        std::set<uint32_t> left;
        Listen(barrier, "Ready", [&](Time) {
            entered = Simulator::Now();
            EnterAll(*barrier);
        });
        // After the last one, nothing more happens.
        Listen(barrier, "Leave", [&](uint32_t rank, uint64_t) {
            left.insert(rank);
            if (left.size() == barrier->GetNMembers())
            {
                taken = Simulator::Now() - entered;
                traffic->Stop();
            }
        });
        barrier->Create(domain, MakeRange(16));
        if (load > 0)
        {
            traffic->Start();
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(left.size(), 16, scheme << ": somebody never leaves");
        const auto& counts = traffic->GetCounts();
        NS_TEST_EXPECT_MSG_EQ((counts.generatedWorms > 20), (load > 0), scheme << ": traffic");
        NS_TEST_EXPECT_MSG_EQ(counts.deliveredWorms, counts.generatedWorms, "all worms arrive");
        Simulator::Destroy();
        return taken;
    };
    for (const auto scheme : {"btin", "unicast"})
    {
        const auto alone = take(scheme, 0);
        NS_TEST_EXPECT_MSG_GT(take(scheme, 0.3), alone + MicroSeconds(1), scheme << " under load");
    }
}
