/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Groups that compete for reduction slots: each is served or refused, and nothing is left behind.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-unit.h"
#include "ns3/in-switch-data-collective.h"
#include "ns3/reduction-slots.h"

#include <cstring>

using namespace ns3;

namespace
{

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
            std::vector<int32_t> values(10, static_cast<int32_t>(rank + 1));
            std::vector<uint8_t> bytes(40);
            std::memcpy(bytes.data(), values.data(), bytes.size());
            m_group->SetInput(rank, bytes);
        }
        EnterAll(*m_group);
    }

    void Leave()
    {
        if (++m_nLeft == m_hosts.size())
        {
            if (m_hosts.size() % 2 == 0)
            {
                End(); // within the callback
                return;
            }
            Simulator::ScheduleNow(&Competitor::End, this);
        }
    }

    /// All members have left.
    void End()
    {
        const auto n = static_cast<int32_t>(m_hosts.size());
        std::vector<int32_t> values(10);
        wasServed = true;
        for (uint32_t rank = 0; rank < m_hosts.size(); ++rank)
        {
            const auto output = m_group->GetOutput(rank);
            std::memcpy(values.data(), output.data(), output.size());
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

/// Random set-ups, each in several orders.
class SlotCompetitionTestCase : public SimulationTestCase
{
  public:
    SlotCompetitionTestCase(uint32_t setUps, uint32_t orders)
        : SimulationTestCase("Groups that compete for slots: " + std::to_string(setUps) +
                             " set-ups, " + std::to_string(orders) + " orders each"),
          m_setUps(setUps),
          m_orders(orders)
    {
    }

  private:
    void DoRun() override
    {
        auto rng = MakeRandom(77);
        for (uint32_t setUp = 0; setUp < m_setUps; ++setUp)
        {
            Draw(rng);
            for (uint32_t order = 0; order < m_orders; ++order)
            {
                RunOrder(rng,
                         "set-up " + std::to_string(setUp) + ", order " + std::to_string(order));
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_served, m_setUps, "hardly any group was served");
        NS_TEST_EXPECT_MSG_GT(m_refused, m_setUps / 4, "hardly any group was refused");
        NS_TEST_EXPECT_MSG_GT(m_fellBack, m_setUps / 4, "hardly any group fell back");
        NS_TEST_EXPECT_MSG_GT(m_gaveBack, 0, "no group had to give slots back");
    }

    /// Draws a set-up.
    void Draw(Ptr<UniformRandomVariable> rng)
    {
        const auto hosts = rng->GetInteger(4, 16);
        m_graph = DrawFabric(rng->GetInteger(7, 12), hosts, 1000 + rng->GetInteger(0, 1 << 20));
        m_slots = rng->GetInteger(2, 12);
        m_groups.clear();
        for (auto n = rng->GetInteger(2, 4); n > 0; --n)
        {
            std::vector<uint32_t> members;
            for (uint32_t host = 0; host < hosts; ++host)
            {
                if (rng->GetInteger(0, 2) > 0)
                {
                    members.push_back(host);
                }
            }
            if (members.size() < 2)
            {
                members = {0, hosts - 1};
            }
            m_groups.push_back({members,
                                rng->GetInteger(1, m_slots + (rng->GetInteger(0, 9) == 0)),
                                rng->GetInteger(0, 1) == 1});
        }
    }

    /// Runs a set-up once.
    void RunOrder(Ptr<UniformRandomVariable> rng, const std::string& what)
    {
        Simulator::Destroy();
        CollectiveHelper helper;
        helper.SetUnitAttribute("Slots", UintegerValue(m_slots));
        auto domain = helper.Install(WormholeHelper().Install(m_graph), m_graph);
        std::vector<std::unique_ptr<Competitor>> competitors;
        for (const auto& [members, window, fallsBack] : m_groups)
        {
            auto group = CreateObject<InSwitchDataAllReduction>();
            group->SetAttribute("Bytes", UintegerValue(40));
            group->SetAttribute("Window", UintegerValue(window));
            group->SetAttribute("Fallback", StringValue(fallsBack ? "ring" : ""));
            const auto at = TimeStep(rng->GetInteger(0, 3) * rng->GetInteger(0, 10'000'000));
            const auto hold = TimeStep(rng->GetInteger(0, 30'000'000));
            competitors.push_back(std::make_unique<Competitor>(group, domain, members, at, hold));
        }
        Simulator::Run();
        uint32_t inSwitch = 0;
        for (std::size_t i = 0; i < competitors.size(); ++i)
        {
            const auto& each = *competitors[i];
            const bool fallsBack = m_groups[i].fallsBack;
            NS_TEST_EXPECT_MSG_EQ(each.isOver, true, what << ": a group never ended");
            NS_TEST_EXPECT_MSG_EQ(each.wasServed,
                                  (each.refusal.empty() || fallsBack),
                                  what << ": " << each.refusal);
            NS_TEST_EXPECT_MSG_EQ(each.refusals, !each.refusal.empty(), what);
            const std::string server = fallsBack ? "ring: " : "refused: ";
            const auto wanted = each.refusal.empty() ? "" : server + each.refusal;
            NS_TEST_EXPECT_MSG_EQ(each.fallback, wanted, what);
            inSwitch += each.refusal.empty();
            m_served += each.wasServed;
            m_refused += !each.wasServed;
            m_fellBack += each.wasServed && !each.fallback.empty();
            m_gaveBack += !each.refusal.empty() && each.grants > 0;
        }
        const bool canBe = std::any_of(m_groups.begin(), m_groups.end(), [&](const auto& group) {
            return group.window <= m_slots;
        });
        NS_TEST_EXPECT_MSG_EQ((inSwitch > 0), canBe, what << ": nobody got its slots");
        for (uint32_t s = 0; s < m_graph.GetNSwitches(); ++s)
        {
            const auto unit = domain->GetUnit(s);
            NS_TEST_EXPECT_MSG_EQ(unit->GetNFreeSlots(),
                                  m_slots,
                                  what << ": slots are left behind");
            NS_TEST_EXPECT_MSG_EQ((unit->GetSlots() ? unit->GetSlots()->GetNHeld() : 0), 0, what);
        }
        competitors.clear();
        Simulator::Destroy();
    }

    /// A group of a set-up.
    struct Group
    {
        std::vector<uint32_t> members; ///< its members' hosts
        uint32_t window{1};            ///< slots that it wants of each switch
        bool fallsBack{false};         ///< whether another algorithm may serve it
    };

    uint32_t m_setUps;            ///< how many set-ups
    uint32_t m_orders;            ///< orders of each
    FabricGraph m_graph{0, 0, 0}; ///< fabric of the set-up
    uint32_t m_slots{0};          ///< of each switch
    std::vector<Group> m_groups;  ///< that compete
    uint32_t m_served{0};         ///< groups served so far
    uint32_t m_refused{0};        ///< groups refused so far
    uint32_t m_fellBack{0};       ///< groups served by another algorithm
    uint32_t m_gaveBack{0};       ///< groups that were refused after a grant
};

static ListedTestSuite g_slotAdmissionTestSuite("wormhole-slot-admission",
                                                {new SlotCompetitionTestCase(200, 5)},
                                                {new SlotCompetitionTestCase(200, 1000)});

} // namespace
