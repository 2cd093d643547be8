// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/slot-oracle.h"
#include "../test-fabrics.h"

#include "ns3/slot-message.h"

using namespace ns3;

SUITE("wormhole-reduction-slot", UNIT);

namespace
{

Ptr<CollectiveDomain>
InstallCase(const SlotCase& slotCase, uint32_t slots)
{
    auto fabricHelper = WithTimes(slotCase.flitTimePs,
                                  slotCase.linkDelayPs,
                                  slotCase.switchDelayPs,
                                  slotCase.deviceDelayPs,
                                  slotCase.depth);
    fabricHelper.SetFabricAttribute("FlitSize", UintegerValue(slotCase.flitBytes));
    auto helper = WithSoftware(
        {{"StartUp", InPs(slotCase.startUpPs)}, {"ReceiveOverhead", InPs(slotCase.receivePs)}});
    helper.SetUnitAttribute("Slots", UintegerValue(slots));
    helper.SetUnitAttribute("SlotBytes", UintegerValue(slotCase.slotBytes));
    helper.SetUnitAttribute("CombineRate", DataRateValue(DataRate(slotCase.combineBps)));
    helper.SetUnitAttribute("CombineTime", TimeValue(TimeStep(slotCase.combinePs)));
    return InstallDomain(slotCase.graph, helper, fabricHelper);
}

Ptr<DataCollective>
MakeCollective(const SlotCase& slotCase)
{
    auto group = MakeData(slotCase.kind, "btin");
    SetAll(group, Text("Bytes=", slotCase.bytes, "|Window=", slotCase.window, "|AdmissionBytes=1"));
    SetAll(group, Text("HeaderBytes=", slotCase.headerBytes));
    if (DataKindInvariant::HasRoot(slotCase.kind))
    {
        group->SetAttribute("Root", IntegerValue(slotCase.root));
    }
    return group;
}

std::string
Print(const std::vector<std::vector<int64_t>>& times, int64_t start)
{
    std::ostringstream text;
    for (const auto& rounds : times)
    {
        for (const auto time : rounds)
        {
            text << time - start << " ";
        }
        text << "| ";
    }
    return text.str();
}

TEST_CASE_WITH(SlotOracleTestCase,
               (DataKind kind, uint32_t nCases),
               "Flit by flit: " + DataKindInvariant::GetName(kind))
{
    auto rng = MakeRandom(40 + static_cast<int64_t>(kind));
    for (uint32_t i = 0; i < nCases; ++i)
    {
        const auto slotCase = MakeRandomSlotCase(rng, kind);
        UseScheduler(i % 2 ? "Map" : "Wormhole");
        const auto n = static_cast<uint32_t>(slotCase.hosts.size());
        const bool isByMember = kind == DataKind::GATHER || kind == DataKind::ALL_TO_ALL;
        const auto slots = slotCase.window * (isByMember ? n : 1);
        auto domain = InstallCase(slotCase, slots);
        auto group = MakeCollective(slotCase);
        SlotRun run(group, slotCase.gaps);
        std::map<uint32_t, uint32_t> nSegments; // taken, by switch with slot messages
        for (uint32_t s = 0; s < slotCase.graph.GetNSwitches(); ++s)
        {
            Listen(domain->GetUnit(s), "Taken", [&nSegments, s](Ptr<const Worm> worm, uint32_t) {
                const auto& message = static_cast<const SlotWorm&>(*worm).GetSlotMessage();
                nSegments[s] += message.bytes > 0;
            });
        }
        group->Create(domain, slotCase.hosts);
        const auto top = group->GetTree().GetRootSwitch();
        Simulator::Run();
        const auto wanted = MoveSegmentsFlitByFlit(slotCase, top, run.start);
        const auto found = Print(run.leaves, run.start);
        NS_TEST_ASSERT_MSG_EQ(found, Print(wanted, run.start), "case " << i);
        group->Release(); // which switches with segments in their slots refuse
        Simulator::Run();
        for (const auto& [s, n] : nSegments)
        {
            NS_TEST_ASSERT_MSG_GT(n, 0, "case " << i);
        }
        for (uint32_t s = 0; s < slotCase.graph.GetNSwitches(); ++s)
        {
            NS_TEST_ASSERT_MSG_EQ(domain->GetUnit(s)->GetNFreeSlots(), slots, "case " << i);
        }
        group->Dispose();
        Simulator::Destroy();
    }
}

ADD_CASES()
{
    AddQuick<SlotOracleTestCase>(DataKind::ALL_REDUCTION, 250);
    AddExtensive<SlotOracleTestCase>(DataKind::ALL_REDUCTION, 20'000);
    for (const auto kind :
         {DataKind::REDUCTION, DataKind::BROADCAST, DataKind::GATHER, DataKind::ALL_TO_ALL})
    {
        AddQuick<SlotOracleTestCase>(kind, 50);
        AddExtensive<SlotOracleTestCase>(kind, 300);
    }
}

// Groups that compete for reduction slots: each is served or refused, and nothing is left behind.
SUITE("wormhole-slot-admission", UNIT);

/// A group that asks for slots at some time, sums numbers once, and is released.
class Competitor
{
  public:
    /// @param hold how long it stays idle after that, before its members enter
    Competitor(Ptr<InSwitchDataAllReduction> group,
               Ptr<CollectiveDomain> domain,
               std::vector<uint32_t> hosts,
               Time at,
               Time hold)
        : m_group(group),
          m_domain(domain),
          m_hosts(std::move(hosts)),
          m_hold(hold)
    {
        Listen(group, "Ready", [this](Time) {
            Simulator::Schedule(m_hold, &Competitor::Enter, this);
        });
        Listen(group, "Leave", [this](uint32_t, uint64_t) { Leave(); });
        Listen(group, "Refused", [this](std::string reason) { refusal = reason; });
        Listen(group, "Released", [this](Time) {
            isOver = true;
            fallback = m_group->GetFallback();
        });
        Listen(group, "Admission", [this](uint32_t, bool granted, uint32_t) {
            ++(granted ? grants : refusals);
        });
        Simulator::Schedule(at, [this] { m_group->Create(m_domain, m_hosts); });
    }

    ~Competitor()
    {
        m_group->Dispose();
    }

    bool wasServed{false}; ///< whether all members left, with the right sum
    bool isOver{false};    ///< whether it has given everything back
    std::string refusal;   ///< why it was refused
    uint32_t grants{0};    ///< switches that granted slots
    uint32_t refusals{0};  ///< switches that refused
    std::string fallback;  ///< what served it then

  private:
    void Enter()
    {
        for (uint32_t rank = 0; rank < m_hosts.size(); ++rank)
        {
            const std::vector<int32_t> values(10, static_cast<int32_t>(rank + 1));
            m_group->SetInput(rank, ToBytes(values));
        }
        EnterAll(*m_group);
    }

    void Leave()
    {
        if (++m_nLeft == m_hosts.size())
        {
            // Within the callback, or behind it.
            m_nLeft % 2 == 0 ? End() : void(Simulator::ScheduleNow(&Competitor::End, this));
        }
    }

    void End()
    {
        const auto n = static_cast<int32_t>(m_hosts.size());
        wasServed = true;
        for (uint32_t rank = 0; rank < m_hosts.size(); ++rank)
        {
            const auto values = FromBytes<int32_t>(m_group->GetOutput(rank));
            wasServed = wasServed && values == std::vector<int32_t>(10, n * (n + 1) / 2);
        }
        m_group->Release();
    }

    Ptr<InSwitchDataAllReduction> m_group; ///< the group
    Ptr<CollectiveDomain> m_domain;        ///< where
    std::vector<uint32_t> m_hosts;         ///< its members
    Time m_hold;                           ///< before members enter
    std::size_t m_nLeft{0};                ///< members that have left
};

TEST_CASE_WITH(SlotCompetitionTestCase,
               (uint32_t setUps, uint32_t orders),
               "Groups that compete for slots: " + std::to_string(setUps) + " set-ups, " +
                   std::to_string(orders) + " orders each")
{
    struct Group
    {
        std::vector<uint32_t> members; // its members' hosts
        uint32_t window{1};            // slots that it wants of each switch
        bool fallsBack{false};         // whether another algorithm may serve it
    };

    FabricGraph drawn{0, 0, 0};   // fabric of the set-up
    uint32_t nSlots{0};           // of each switch
    std::vector<Group> competing; // that compete
    uint32_t nServed{0};          // groups served so far
    uint32_t nRefused{0};         // groups refused so far
    uint32_t nFellBack{0};        // groups served by another algorithm
    uint32_t nGaveBack{0};        // groups that were refused after a grant
    auto rng = MakeRandom(77);
    for (uint32_t run = 0; run < setUps * orders; ++run)
    {
        if (run % orders == 0)
        {
            const auto hosts = rng->GetInteger(4, 16);
            drawn = DrawFabric(rng->GetInteger(7, 12), hosts, 1000 + rng->GetInteger(0, 1 << 20));
            nSlots = rng->GetInteger(2, 12);
            competing.clear();
            for (auto n = rng->GetInteger(2, 4); n > 0; --n)
            {
                auto members =
                    NumbersWith(hosts, [&](uint32_t) { return rng->GetInteger(0, 2) > 0; });
                if (members.size() < 2)
                {
                    members = {0, hosts - 1};
                }
                competing.push_back({members,
                                     rng->GetInteger(1, nSlots + (rng->GetInteger(0, 9) == 0)),
                                     rng->GetInteger(0, 1) == 1});
            }
        }
        const auto what = Text("set-up ", run / orders, ", order ", run % orders);
        Simulator::Destroy();
        const auto domain = InstallDomain(drawn, WithUnits({{"Slots", std::to_string(nSlots)}}));
        std::vector<std::unique_ptr<Competitor>> competitors;
        for (const auto& [members, window, fallsBack] : competing)
        {
            auto group = CreateObject<InSwitchDataAllReduction>();
            SetAll(group, Text("Bytes=40|Fallback=", fallsBack ? "ring" : "", "|Window=", window));
            const auto at = TimeStep(rng->GetInteger(0, 3) * rng->GetInteger(0, 10'000'000));
            const auto hold = TimeStep(rng->GetInteger(0, 30'000'000));
            competitors.push_back(std::make_unique<Competitor>(group, domain, members, at, hold));
        }
        Simulator::Run();
        uint32_t inSwitch = 0;
        for (std::size_t i = 0; i < competitors.size(); ++i)
        {
            const auto& each = *competitors[i];
            const bool fallsBack = competing[i].fallsBack;
            NS_TEST_EXPECT_MSG_EQ(each.isOver, true, what << ": a group never ended");
            NS_TEST_EXPECT_MSG_EQ(each.wasServed, (each.refusal.empty() || fallsBack), what);
            NS_TEST_EXPECT_MSG_EQ(each.refusals, !each.refusal.empty(), what);
            const std::string server = fallsBack ? "ring: " : "refused: ";
            const auto wanted = each.refusal.empty() ? "" : server + each.refusal;
            NS_TEST_EXPECT_MSG_EQ(each.fallback, wanted, what);
            inSwitch += each.refusal.empty();
            nServed += each.wasServed;
            nRefused += !each.wasServed;
            nFellBack += each.wasServed && !each.fallback.empty();
            nGaveBack += !each.refusal.empty() && each.grants > 0;
        }
        const bool canBe =
            AnyOf(competing, [&](const auto& group) { return group.window <= nSlots; });
        NS_TEST_EXPECT_MSG_EQ((inSwitch > 0), canBe, what << ": nobody got its slots");
        for (uint32_t s = 0; s < drawn.GetNSwitches(); ++s)
        {
            // A switch does not take slots back that hold segments.
            const auto free = domain->GetUnit(s)->GetNFreeSlots();
            NS_TEST_EXPECT_MSG_EQ(free, nSlots, what << ": slots are left behind");
        }
        competitors.clear();
    }
    NS_TEST_EXPECT_MSG_GT(nServed, setUps, "hardly any group was served");
    NS_TEST_EXPECT_MSG_GT(nRefused, setUps / 4, "hardly any group was refused");
    NS_TEST_EXPECT_MSG_GT(nFellBack, setUps / 4, "hardly any group fell back");
    NS_TEST_EXPECT_MSG_GT(nGaveBack, 0, "no group had to give slots back");
}

ADD_CASES()
{
    AddQuick<SlotCompetitionTestCase>(100, 5);
    AddExtensive<SlotCompetitionTestCase>(200, 1000);
}

// The law of throughput of doc/user/in-switch-data.rst: the least of the line's rate, the window's
// and the combiner's.
SUITE("wormhole-slot-law", SYSTEM);

struct LawCase
{
    uint64_t bytes{8};                ///< of the vector
    uint32_t slotBytes{32};           ///< longest segment
    uint32_t window{1 << 20};         ///< segments under way
    uint64_t combineBps{0};           ///< rate of the combiner, bit/s; 0: at once
    uint32_t headerBytes{8};          ///< what a message is longer by
    std::string kind{"allreduction"}; ///< what is done
    uint32_t spareFlits{56};          ///< what buffers hold beyond a message: a round trip
};

constexpr double LINE_BPS = 1280e6;        ///< rate of every cable, bit/s
constexpr double STARTUP_SECONDS = 2e-6;   ///< what sending costs
constexpr double RECEIVE_SECONDS = 0.5e-6; ///< what receiving costs

struct Measured
{
    std::vector<double> leaves; ///< when members leave, by rank, since all entered, seconds
    uint32_t root{0};           ///< rank of the root
    uint32_t mostPorts{0};      ///< most ports by which a switch of the tree combines

    /// @return when the last one leaves, seconds
    double GetTime() const
    {
        return *std::max_element(leaves.begin(), leaves.end());
    }
};

Measured
Measure(const WormholeTopology& fabric, const LawCase& law)
{
    Simulator::Destroy();
    auto helper = WithSoftware({{"StartUp", "2us"}, {"ReceiveOverhead", "500ns"}});
    helper.SetUnitAttribute("Slots", UintegerValue(UINT32_MAX));
    helper.SetUnitAttribute("SlotBytes", UintegerValue(law.slotBytes));
    helper.SetUnitAttribute("CombineRate", DataRateValue(DataRate(law.combineBps)));
    const auto fabrics = WithFabric({}, law.slotBytes + law.headerBytes + law.spareFlits);
    auto domain = InstallDomain(fabric, helper, fabrics);
    auto group = CollectiveHelper::MakeData(law.kind, "btin");
    SetAll(group, Text("Bytes=", law.bytes, "|Window=", law.window));
    SetAll(group, Text("HeaderBytes=", law.headerBytes));
    SetUp(group, domain, MakeRange(fabric.graph.GetNHosts()));
    Measured measured;
    measured.root = group->GetRoot();
    for (const auto& entry : group->GetTree().GetSwitches())
    {
        const auto ports = entry.memberPorts.size() + entry.childPorts.size();
        measured.mostPorts = std::max(measured.mostPorts, static_cast<uint32_t>(ports));
    }
    measured.leaves = MadeOf(CrossOnce(group), [](double ps) { return ps * 1e-12; });
    return measured;
}

class SlotLaw
{
  public:
    SlotLaw(const WormholeTopology& fabric, const LawCase& law)
        : m_law(law)
    {
        auto first = law;
        first.bytes = std::min<uint64_t>(law.bytes, law.slotBytes);
        const auto alone = Measure(fabric, first);
        m_first = alone.GetTime();
        m_roundTrip = FindRoundTrip(fabric, alone);
        const double message = law.slotBytes + law.headerBytes;
        const double payload = law.slotBytes / message;
        // Where buffers hold little beyond a message, the next waits for credits: 2 p + t_r are
        // 54.4 flits.
        const auto period = std::max(message, 54.4 + message - law.spareFlits);
        m_line = LINE_BPS / 8 * law.slotBytes / period;
        m_window = static_cast<double>(law.window) * law.slotBytes / m_roundTrip;
        m_combine = law.combineBps ? law.combineBps / 8.0 * payload / alone.mostPorts : HUGE_VAL;
    }

    /// @return the rate, bytes of the vector per second
    double GetRate() const
    {
        return std::min({m_line, m_window, m_combine});
    }

    std::string GetBound() const
    {
        return GetRate() == m_line ? "line" : GetRate() == m_window ? "window" : "combiner";
    }

    /// @return the time, seconds
    double GetTime() const
    {
        const auto first = std::min<uint64_t>(m_law.bytes, m_law.slotBytes);
        return m_first + static_cast<double>(m_law.bytes - first) / GetRate();
    }

  private:
    /// Finds the longest time between the sending of a segment and news of what became of it.
    /// @return that time, seconds
    double FindRoundTrip(const WormholeTopology& fabric, const Measured& alone) const
    {
        if (m_law.kind == "allreduction")
        {
            return alone.GetTime() - STARTUP_SECONDS - RECEIVE_SECONDS;
        }
        // Who only sends leaves when its second segment goes, if one may be under way.
        auto two = m_law;
        two.window = 1;
        two.bytes = 2 * uint64_t{two.slotBytes};
        auto measured = Measure(fabric, two);
        if (m_law.kind == "broadcast")
        {
            return measured.leaves[measured.root] - STARTUP_SECONDS;
        }
        measured.leaves[measured.root] = 0; // it is near: the way to it and back is short
        return measured.GetTime() - STARTUP_SECONDS;
    }

    LawCase m_law;         ///< the case
    double m_roundTrip{0}; ///< time between the sending of a segment and news of it, seconds
    double m_first{0};     ///< time of the first segment alone, software included, seconds
    double m_line{0};      ///< the line's rate, bytes of the vector per second
    double m_window{0};    ///< the window's
    double m_combine{0};   ///< the combiner's
};

/// Times of all-reductions are within 1 % of the law.
/// @param longest bytes of the longest vector @param segments how many it is cut into
TEST_CASE_WITH(SlotLawTestCase,
               (const std::string& kind, uint64_t longest, uint64_t segments),
               "The law, " + kind + ", 8 B to " + std::to_string(longest) + " B in " +
                   std::to_string(segments) + " segments")
{
    const auto check =
        [&](const WormholeTopology& fabric, const LawCase& law, const std::string& bound) {
            const SlotLaw wanted(fabric, law);
            const auto what = Text(", ", law.bytes, " bytes in segments of ", law.slotBytes);
            Near(Measure(fabric, law).GetTime(), wanted.GetTime(), 0.01, fabric.family + what);
            if (!bound.empty())
            {
                NS_TEST_EXPECT_MSG_EQ(wanted.GetBound(), bound, fabric.family << what);
            }
        };
    for (const std::string name :
         {"clos:ports=16,levels=2", "torus:8x8,hosts=2", "irregular:switches=75,hosts=256"})
    {
        const auto fabric = MakeTopology(name);
        for (uint64_t bytes = 8; bytes <= longest; bytes *= 8)
        {
            LawCase law;
            law.kind = kind;
            law.bytes = bytes;
            law.slotBytes = static_cast<uint32_t>(std::max<uint64_t>(32, bytes / segments));
            check(fabric, law, "line");
            law.window = 2;
            // The first segment, and so many whole windows.
            law.bytes = law.slotBytes * (1 + bytes / law.slotBytes / 2 * 2);
            check(fabric, law, law.bytes > law.slotBytes ? "window" : "");
            law.bytes = bytes;
            law.window = 1 << 20;
            if (kind == "allreduction")
            {
                law.combineBps = 300'000'000;
                check(fabric, law, "combiner");
                law.combineBps = 0;
                law.spareFlits = 20;
                check(fabric, law, "line");
            }
        }
    }
}

/// Gathers keep the root's cable busy, and total exchanges in one switch everybody's.
TEST_CASE(SlotLineTestCase, "Gathers and total exchanges at the rate of the line")
{
    const auto check = [&](const WormholeTopology& fabric, const LawCase& law) {
        const auto segments = law.bytes / law.slotBytes * (fabric.graph.GetNHosts() - 1);
        const auto bits = 8 * segments * (law.slotBytes + law.headerBytes);
        const auto time = Measure(fabric, law).GetTime();
        Near(time * LINE_BPS, static_cast<double>(bits), 0.01, law.kind + ", " + fabric.family);
    };
    LawCase law;
    law.slotBytes = 256;
    law.bytes = 4'096;
    for (const std::string name :
         {"clos:ports=16,levels=2", "torus:8x8,hosts=2", "irregular:switches=75,hosts=256"})
    {
        law.kind = "gather";
        check(MakeTopology(name), law);
    }
    law.kind = "alltoall";
    law.bytes = 16'384;
    check(MakeTopology("full:1,hosts=12"), law); // news goes behind all segments
}

ADD_CASES()
{
    // The law of reductions has all that those of the others have.
    AddQuick<SlotLawTestCase>("allreduction", 4 << 10, 64);
    for (const std::string kind : {"allreduction", "reduction", "broadcast"})
    {
        AddExtensive<SlotLawTestCase>(kind, 64 << 20, 64);
        AddExtensive<SlotLawTestCase>(kind, 64 << 20, 2048);
    }
}

} // namespace
