/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Groups whose members change between rounds.

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-group-changes", UNIT);

namespace
{

/// A group of any kind whose members come and go, and die, while it does rounds.
struct ChangeHistory
{
    /// @param seed of all that is random; every other history has failures
    explicit ChangeHistory(uint32_t seed)
        : hasFailures(seed % 2 > 0)
    {
        StartAnew();
        RngSeedManager::SetRun(seed + 1);
        random = MakeRandom(seed);
        nHosts = Draw(4, 6);
        CollectiveHelper helper;
        helper.SetSoftwareAttribute("Retransmission", BooleanValue(hasFailures));
        helper.SetSoftwareAttribute("RetransmissionTimeout", StringValue("20us"));
        helper.SetUnitAttribute("Registers", UintegerValue(Draw(1, 3)));
        WormholeHelper fabrics;
        fabrics.SetFabricAttribute("Outages", BooleanValue(hasFailures));
        domain = InstallDomain(DrawFabric(8, nHosts, seed), helper, fabrics);
        domain->SetAttribute("FailureDetector", StringValue(hasFailures ? "fabric" : "none"));
        domain->SetAttribute("FailureDelay", StringValue("20us"));
        group = DrawCollective(*random, text, [](const std::string&) { return true; });
        text += ", seed " + std::to_string(seed);
        if (group->MovesData())
        {
            // What is scattered has whole elements for each of up to 6 members.
            const bool isScattered = group->GetKind() == DataKind::REDUCE_SCATTER;
            group->SetAttribute("Bytes", UintegerValue(isScattered ? 240 : 96));
        }
        else if (group->GetInstanceTypeId().GetName() != "ns3::Hw1Barrier")
        {
            group->SetAttribute("WidthBits", UintegerValue(32));
            group->SetAttribute("Operation", StringValue("MAX"));
        }
        if (hasFailures)
        {
            group->SetAttribute("Timeout", StringValue("2ms"));
        }
        group->SetAttributeFailSafe("Exhaustion",
                                    StringValue(Draw(0, 1) > 0 ? "backup" : "memory"));
        checker = std::make_unique<InvariantChecker>(group, 3, random, 20'000'000);
        Listen(group, "Enter", [this](uint32_t, uint64_t) { ++nEntered; });
        Listen(group, "Leave", [this](uint32_t, uint64_t) { ++nEnded; });
        Listen(group,
               "Failed",
               [this](uint32_t, const std::vector<uint32_t>&, const std::string& reason) {
                   nFailed += group->IsReady();
                   reasons += reason + "; ";
                   trouble += reason.empty() ? "a member fails for no reason; " : "";
                   Simulator::Schedule(MicroSeconds(Draw(0, 50)), [this] { Repair(); });
               });
        Listen(group, "Released", [this](Time) { isOver = true; });
        Listen(
            group,
            "Changed",
            [this](const std::vector<uint32_t>& before, const std::vector<uint32_t>& after, Time) {
                trouble += before == now && after == group->GetHosts() ? "" : "wrong hosts; ";
                now = after;
                ++nChanges;
            });
    }

    uint32_t Draw(uint32_t from, uint32_t to) const
    {
        return random->GetInteger(from, to);
    }

    /// Runs it, and releases the group. @return what is not as it should be
    std::string Go()
    {
        now = InvariantChecker::DrawHosts(Draw(1, nHosts), nHosts, 1, random);
        wanted = {now.begin(), now.end()};
        bystander = CollectiveHelper::MakeBarrier("btin");
        bystander->SetAttribute("Exhaustion", StringValue("memory"));
        const InvariantChecker beside(bystander, 20, random, 20'000'000);
        const auto error = ErrorOf([&] {
            if (!hasFailures)
            {
                bystander->Create(domain, InvariantChecker::DrawHosts(2, nHosts, 1, random));
            }
            group->Create(domain, now);
            for (uint32_t i = 0; i < 5; ++i)
            {
                Simulator::Schedule(MicroSeconds(Draw(0, 300)), [this] { ChangeSomehow(); });
            }
            if (hasFailures)
            {
                const auto fabric = domain->GetFabric();
                fabric->ScheduleOutage(
                    {fabric->GetHost(Draw(0, nHosts - 1)), MicroSeconds(Draw(0, 300))});
            }
            Simulator::Stop(Seconds(1));
            Simulator::Run();
        });
        trouble += error + (group->HasMembersInside() ? "not all rounds end; " : "");
        trouble += nEntered == nEnded + nFailed ? "" : "a round neither ends nor fails; ";
        trouble += hasFailures ? "" : beside.GetTrouble();
        trouble += reasons.empty() ? checker->GetTrouble() : "";
        if (!hasFailures)
        {
            std::sort(now.begin(), now.end());
            const std::vector<uint32_t> hosts(wanted.begin(), wanted.end());
            trouble += now == hosts ? "" : "not the members that were asked for; ";
            bystander->Release();
        }
        if (!isOver)
        {
            group->Release();
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        trouble += CountHeld(*domain) > 0 ? "something is held" : "";
        return trouble;
    }

    /// Asks for a change.
    void ChangeSomehow()
    {
        if (!group->IsReady() && !group->IsChanging())
        {
            return;
        }
        const auto host = Draw(0, nHosts - 1);
        const auto hosts = group->GetHosts();
        const auto found = std::find(hosts.begin(), hosts.end(), host);
        const auto error = ErrorOf([&] {
            if (found == hosts.end() && wanted.insert(host).second)
            {
                group->Join(host);
            }
            else if (found != hosts.end() && wanted.size() > 1 && wanted.erase(host) > 0)
            {
                Draw(0, 1) > 0 ? group->Shrink({host})
                               : group->Leave(static_cast<uint32_t>(found - hosts.begin()));
            }
        });
        trouble += hasFailures ? "" : error; // whoever has died may have been the last but one
    }

    /// Goes on without the dead, or ends the group.
    void Repair()
    {
        if (!isOver && group->HasFailed() && !group->IsReleasing() &&
            (++nRepairs > 20 || !ErrorOf([this] { group->Shrink(); }).empty()))
        {
            group->Release();
        }
    }

    Ptr<UniformRandomVariable> random;         ///< random numbers
    bool hasFailures;                          ///< whether a host dies
    uint32_t nHosts;                           ///< of the fabric
    Ptr<CollectiveDomain> domain;              ///< its collectives
    Ptr<Collective> group;                     ///< the group
    Ptr<Collective> bystander;                 ///< another one that does not change
    std::unique_ptr<InvariantChecker> checker; ///< of the group
    std::vector<uint32_t> now;                 ///< hosts of its members
    std::set<uint32_t> wanted;                 ///< those that are asked for
    uint64_t nEntered{0};                      ///< rounds of members
    uint64_t nEnded{0};                        ///< of them, those that ended with a result
    uint64_t nFailed{0};                       ///< and without
    uint32_t nChanges{0};                      ///< changes made
    uint32_t nRepairs{0};                      ///< changes because of failures
    bool isOver{false};                        ///< whether the group is released
    std::string text;                          ///< for messages
    std::string reasons;                       ///< why members failed
    std::string trouble;                       ///< what is not as it should be
};

TEST_CASE_WITH(GroupHistoryTestCase,
               (uint32_t first, uint32_t end),
               "Groups of all kinds through random changes and failures, seeds from " +
                   std::to_string(first))
{
    uint32_t nChanges = 0;
    uint64_t nFailed = 0;
    for (auto seed = first; seed < end; ++seed)
    {
        ChangeHistory history(seed);
        const auto trouble = history.Go();
        NS_TEST_EXPECT_MSG_EQ(trouble, "", history.text << ": " << history.reasons);
        nChanges += history.nChanges;
        nFailed += history.nFailed;
        history.group->Dispose();
        history.bystander->Dispose();
    }
    NS_TEST_EXPECT_MSG_GT(nChanges, end - first, "groups change");
    NS_TEST_EXPECT_MSG_GT(nFailed, 0, "members fail");
}

} // namespace

TEST_CASE(GroupOrderTestCase, "Members that stay keep order, callbacks, root and rounds")
{
    const auto domain = InstallDomain(MakeStar(5));
    const auto group = CollectiveHelper::MakeCollective("broadcast", "tree");
    group->SetAttribute("Root", IntegerValue(1));
    group->SetAttribute("WidthBits", UintegerValue(8));
    group->Create(domain, {4, 2, 0});
    uint64_t received = 0;
    group->SetLeaveCallback(2, CallbackOf([&](uint64_t result) { received = result; }));
    group->Enter(1, 7); // who is asked for a change now is still to do this round
    group->Leave(0);
    group->Join(3);
    NS_TEST_EXPECT_MSG_EQ(group->MayEnter(0), true, "the round that the root has begun");
    group->Enter(0);
    group->Enter(2);
    Refuses([&] { group->Leave(0); }, "is no member");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(received, 7, "the last round of the old members");
    NS_TEST_EXPECT_MSG_EQ((group->GetHosts() == std::vector<uint32_t>{2, 0, 3}), true, "in order");
    NS_TEST_EXPECT_MSG_EQ(group->GetRoot(), 0, "the root has another rank");
    NS_TEST_EXPECT_MSG_EQ(group->GetRound(2), 1, "new ones begin with the next round");
    group->Enter(1);
    group->Enter(2);
    group->Enter(0, 9);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(received, 9, "the callback of host 0");
    Refuses([&] { group->Join(5); }, "hosts are 0 to 4");
    Refuses([&] { group->Shrink({0, 2, 3}); }, "loses all its 3 members");
    group->Release();
    Simulator::Run();
    Refuses([&] { group->Join(4); }, "does not exist");
}

ADD_CASES()
{
    constexpr uint32_t STEP = 250;
    for (uint32_t first = 0; first < 10'000; first += STEP)
    {
        const auto end = first + (first == 0 ? FewIfSanitized(STEP) : STEP);
        Add<GroupHistoryTestCase>(first == 0, first, end);
    }
}
