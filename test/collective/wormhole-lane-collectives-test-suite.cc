/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives on fabrics whose routes take several lanes, some with choices.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/data-collective.h"
#include "ns3/invariant-checker.h"
#include "ns3/loaded-bench.h"
#include "ns3/wormhole-port.h"
#include "ns3/wormhole-switch.h"

#include <cstring>
#include <numeric>

using namespace ns3;

namespace
{

/// Depth of buffers, flits: whole messages of these tests fit.
constexpr uint32_t WHOLE_DEPTH = 1024;

/// A fabric with collectives.
struct LaneCluster
{
    Ptr<WormholeFabric> fabric;   ///< the fabric
    Ptr<CollectiveDomain> domain; ///< its collectives
};

/// @return a fabric with collectives @param text its topology, with its engine
/// @param synchronisationBytes longest message with lanes of its own
/// @param depth of buffers, flits; 0: as cables need
LaneCluster
MakeLaneCluster(const std::string& text,
                uint32_t synchronisationBytes = 0,
                uint32_t depth = WHOLE_DEPTH)
{
    StartAnew();
    const auto graph = MakeTopology(text).graph;
    WormholeHelper helper;
    helper.SetPortAttribute("BufferDepth", UintegerValue(depth));
    if (synchronisationBytes > 0)
    {
        helper.SetFabricAttribute("Grant", StringValue("worm"));
        helper.SetFabricAttribute("MaxPriorityMessageBytes", UintegerValue(synchronisationBytes));
    }
    CollectiveHelper collectives;
    collectives.SetUnitAttribute("Registers", UintegerValue(64));
    collectives.SetUnitAttribute("Slots", UintegerValue(4096));
    collectives.SetUnitAttribute("SlotBytes", UintegerValue(128));
    auto fabric = helper.Install(graph);
    auto domain = collectives.Install(fabric, graph);
    CollectiveHelper::AssignStreams(domain, 100);
    return {fabric, domain};
}

/// @return bytes of elements
std::vector<uint8_t>
BytesOf(const std::vector<int32_t>& elements)
{
    std::vector<uint8_t> bytes(elements.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
}

} // namespace

/// The laws of all algorithms of values hold over routes of several lanes, also where messages that
/// choose their way overtake each other: by software, with tree worms, in the switches and beside
/// the fabric.
class LaneLawsTestCase : public TestCase
{
  public:
    /// @param text the topology with its engine
    /// @param synchronisationBytes longest message with lanes of its own; 0: none
    explicit LaneLawsTestCase(const std::string& text, uint32_t synchronisationBytes = 0)
        : TestCase("Laws on " + text +
                   (synchronisationBytes > 0 ? ", short messages in lanes of their own" : "")),
          m_text(text),
          m_synchronisationBytes(synchronisationBytes)
    {
    }

  private:
    void DoRun() override
    {
        const auto cluster = MakeLaneCluster(m_text, m_synchronisationBytes);
        const auto& domain = cluster.domain;
        auto rng = MakeRandom(7);
        UintegerValue lanes;
        cluster.fabric->GetAttribute("Lanes", lanes);
        const auto mode = cluster.fabric->GetRouter()->GetInTransit();
        NS_TEST_ASSERT_MSG_GT(lanes.Get() + (mode != InTransit::NONE),
                              1,
                              "the routes' lanes, or hosts that pass worms on");
        uint32_t nChecked = 0;
        for (const std::string kind : {"barrier", "broadcast", "reduction"})
        {
            for (const auto& name : CollectiveHelper::GetNames(kind))
            {
                for (const uint32_t n : {1U, 2U, 5U, 16U, domain->GetNHosts()})
                {
                    const auto of = kind + " " + name + ", n " + std::to_string(n);
                    constexpr uint32_t ROUNDS = 2;
                    constexpr uint32_t LATEST = 5'000'000; // ps
                    auto collective = CollectiveHelper::MakeCollective(kind, name);
                    InvariantChecker watch(collective, ROUNDS, rng, LATEST);
                    collective->Create(domain,
                                       InvariantChecker::DrawHosts(n, domain->GetNHosts(), 1, rng));
                    Simulator::Run();
                    NS_TEST_ASSERT_MSG_EQ(watch.GetTrouble(), "", of);
                    NS_TEST_ASSERT_MSG_EQ(watch.HaveAllLeft(), true, of << ": all left");
                    collective->Release();
                    Simulator::Run();
                    collective->Dispose();
                    ++nChecked;
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(nChecked, 100, "algorithms of all kinds");
        Simulator::Destroy(); // which ends the program if a flit was lost
    }

    std::string m_text;              ///< the topology
    uint32_t m_synchronisationBytes; ///< longest message with lanes of its own
};

/// All-reductions of data over routes of several lanes, in the switches and by software: each
/// member has the sum. Buffers are as deep as cables need, so messages are longer than these.
class LaneSumsTestCase : public TestCase
{
  public:
    /// @param text the topology with its engine
    explicit LaneSumsTestCase(const std::string& text)
        : TestCase("Sums on " + text),
          m_text(text)
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& name : CollectiveHelper::GetDataNames("allreduction"))
        {
            // What combines in the switches has messages of SlotBytes and a header.
            const bool isInSwitch = name == "in-switch" || name == "btin";
            const auto cluster = MakeLaneCluster(m_text, 0, isInSwitch ? WHOLE_DEPTH : 0);
            CheckSum(name, cluster.domain);
            Simulator::Destroy(); // which ends the program if a flit was lost
        }
    }

    /// Runs one all-reduction.
    void CheckSum(const std::string& name, const Ptr<CollectiveDomain>& domain)
    {
        constexpr uint32_t MEMBERS = 16;
        constexpr std::size_t ELEMENTS = 300;
        auto group = CollectiveHelper::MakeData("allreduction", name);
        group->SetAttribute("Bytes", UintegerValue(ELEMENTS * sizeof(int32_t)));
        std::vector<uint32_t> hosts(MEMBERS);
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            hosts[rank] = rank * 2;
        }
        group->Create(domain, hosts);
        Simulator::Run();
        std::vector<int32_t> sum(ELEMENTS);
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            std::vector<int32_t> own(ELEMENTS);
            for (std::size_t i = 0; i < ELEMENTS; ++i)
            {
                own[i] = static_cast<int32_t>(i * 31 + rank * 17);
                sum[i] += own[i];
            }
            group->SetInput(rank, BytesOf(own));
            group->Enter(rank);
        }
        Simulator::Run();
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ((group->GetOutput(rank) == BytesOf(sum)),
                                  true,
                                  name << ", rank " << rank);
        }
        group->Release();
        Simulator::Run();
        group->Dispose();
    }

    std::string m_text; ///< the topology
};

/// @return mean time of a barrier beside traffic @param synchronisationBytes longest message with
/// lanes of its own
static Time
Cross(const std::string& text, const std::string& name, double load, uint32_t synchronisationBytes)
{
    const auto cluster = MakeLaneCluster(text, synchronisationBytes);
    auto hosts = MakeRange(16);
    LoadedBench::Traffic traffic;
    traffic.load = load;
    traffic.flits = "1024";
    Time sum;
    {
        LoadedBench bench(CollectiveHelper::MakeBarrier(name), cluster.domain, hosts, traffic);
        constexpr uint32_t ROUNDS = 20;
        for (const auto& duration : bench.Cross(ROUNDS))
        {
            sum += duration;
        }
        sum = TimeStep(sum.GetTimeStep() / ROUNDS);
    }
    Simulator::Destroy();
    return sum;
}

SIMULATION_TEST_CASE(OwnLanesTestCase, "Messages with lanes of their own pass beside traffic")
{
    constexpr uint32_t BYTES = 64;
    // Loads at which barriers meet traffic.
    const std::vector<std::pair<std::string, double>> loads{
        {"irregular:switches=16,hosts=40,grant=worm", 0.1},
        {"torus:4x4,hosts=2,routing=dateline", 0.3}};
    for (const auto& [text, load] : loads)
    {
        for (const std::string name : {"btin", "dissemination"})
        {
            const auto alone = Cross(text, name, 0, BYTES);
            const auto shared = Cross(text, name, load, 0);
            const auto own = Cross(text, name, load, BYTES);
            NS_TEST_EXPECT_MSG_EQ(alone, Cross(text, name, 0, 0), name << " without traffic");
            NS_TEST_EXPECT_MSG_GT(own, alone, name << ": a worm on a wire is not stopped");
            NS_TEST_EXPECT_MSG_LT(own, shared, name << " on " << text << " beside traffic");
        }
    }
    StartAnew();
    const auto refuse = [this](const std::string& text, const std::string& part) {
        WormholeHelper helper;
        helper.SetFabricAttribute("MaxPriorityMessageBytes", UintegerValue(BYTES));
        Refuses([&] { helper.Install(MakeTopology(text).graph); }, part);
        Simulator::Destroy();
    };
    refuse("torus:4x4", "MaxPriorityMessageBytes is 64, but Grant is flit; expected 0");
    refuse("torus:4x4,lanes=129,grant=worm", "expected 256 in all");
}

/// Tree worms whose addresses alone are longer than a lane's buffer are refused when their group is
/// made; so are segments of data that end in switches.
SIMULATION_TEST_CASE(LongTreeWormsTestCase,
                     "Tree worms and segments that lanes' buffers do not hold")
{
    const std::string text = "dragonfly:a=4,h=2,hosts=2,routing=dragonfly-minimal";
    const auto cluster = MakeLaneCluster(text, 0, 0);
    auto hosts = MakeRange(cluster.domain->GetNHosts());
    auto broadcast = CollectiveHelper::MakeBroadcast("multicast");
    Refuses([&] { broadcast->Create(cluster.domain, hosts); },
            "bytes besides its share, but a lane's buffer holds 56 bytes");
    for (const uint64_t bytes : {8, 1000}) // whatever the vector's length is
    {
        auto sum = CollectiveHelper::MakeData("allreduction", "in-switch");
        sum->SetAttribute("Bytes", UintegerValue(bytes));
        Refuses([&] { sum->Create(cluster.domain, hosts); },
                "holds 56; expected SlotBytes (of CollectiveUnit) up to 48, or a "
                "BufferDepth (of WormholePort) of 136 flits or more");
    }
}

TEST_SUITE(LaneCollectivesTestSuite, "wormhole-lane-collectives", UNIT)
{
    for (const std::string text :
         {"irregular:switches=16,hosts=40,routing=turn-prohibition[Lanes=4]",
          "irregular:switches=16,hosts=40,routing=in-transit",
          "torus:4x4,hosts=2,routing=dateline",
          "torus:4x4,hosts=2,routing=adaptive",
          "dragonfly:a=4,h=2,hosts=2,routing=dragonfly-minimal",
          "dragonfly:a=4,h=2,hosts=2,routing=ugal"})
    {
        AddTestCase(new LaneLawsTestCase(text), WORMHOLE_TEST_QUICK);
        AddTestCase(new LaneSumsTestCase(text), WORMHOLE_TEST_QUICK);
    }
    for (const std::string engine : {"dateline", "adaptive"})
    {
        constexpr uint32_t SHORT = 64;
        AddTestCase(new LaneLawsTestCase("torus:4x4,hosts=2,routing=" + engine, SHORT),
                    WORMHOLE_TEST_QUICK);
    }
    AddTestCase(new LongTreeWormsTestCase(), WORMHOLE_TEST_QUICK);
    AddTestCase(new OwnLanesTestCase(), WORMHOLE_TEST_QUICK);
}
