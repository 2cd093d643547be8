// SPDX-License-Identifier: GPL-2.0-only

// Groups whose members change between rounds, and that agree on who has died.

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-group-changes", UNIT);

namespace
{

/// A group on a random fabric, whose hosts may die, and what is not as it should be.
struct MortalGroup
{
    MortalGroup(uint32_t seed, uint32_t fewestHosts, uint32_t mostHosts)
    {
        StartAnew();
        RngSeedManager::SetRun(seed + 1);
        random = MakeRandom(seed);
        nHosts = Draw(fewestHosts, mostHosts);
    }

    void MakeDomain(uint32_t seed, bool mayDie, uint32_t registers)
    {
        auto helper = WithSoftware(
            {{"Retransmission", mayDie ? "true" : "false"}, {"RetransmissionTimeout", "20us"}});
        helper.SetUnitAttribute("Registers", UintegerValue(registers));
        helper.SetUnitAttribute("Lease",
                                TimeValue(MicroSeconds(mayDie && seed % 3 == 0 ? 150 : 0)));
        auto fabrics = WithFabric({{"Outages", mayDie ? "true" : "false"}});
        domain = InstallDomain(DrawFabric(8, nHosts, seed), helper, fabrics);
        SetAll(domain, Text("FailureDelay=20us|FailureDetector=", mayDie ? "fabric" : "none"));
    }

    uint32_t Draw(uint32_t from, uint32_t to) const
    {
        return random->GetInteger(from, to);
    }

    /// Schedules what is to happen some time, us.
    void Later(uint32_t from, uint32_t to, const std::function<void()>& action) const
    {
        Simulator::Schedule(MicroSeconds(Draw(from, to)), action);
    }

    void Kill(uint32_t host, uint32_t from, uint32_t to) const
    {
        const auto fabric = domain->GetFabric();
        fabric->ScheduleOutage({fabric->GetHost(host), MicroSeconds(Draw(from, to))});
    }

    static void RunToEnd()
    {
        RunFor(Seconds(1));
    }

    Ptr<UniformRandomVariable> random; ///< random numbers
    uint32_t nHosts;                   ///< of the fabric
    Ptr<CollectiveDomain> domain;      ///< its collectives
    Ptr<Collective> group;             ///< the group
    std::string text;                  ///< for messages
    std::string trouble;               ///< what is not as it should be
};

struct ChangeHistory : public MortalGroup
{
    /// @param seed of all that is random; every other history has failures
    explicit ChangeHistory(uint32_t seed)
        : MortalGroup(seed, 4, 6),
          hasFailures(seed % 2 > 0)
    {
        MakeDomain(seed, hasFailures, Draw(1, 3));
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
            SetAll(group, "WidthBits=32|Operation=MAX");
        }
        if (hasFailures)
        {
            group->SetAttribute("Timeout", StringValue("2ms"));
        }
        group->SetAttributeFailSafe("Exhaustion",
                                    StringValue(Draw(0, 1) > 0 ? "backup" : "memory"));
        if (seed % 3 == 0) // registers are asked for, and have leases where hosts die
        {
            group->SetAttributeFailSafe("Requests", BooleanValue(true));
            group->SetAttributeFailSafe("Exhaustion", StringValue("memory"));
            group->SetAttributeFailSafe("KeepAliveInterval", StringValue("30us"));
        }
        checker = std::make_unique<InvariantChecker>(group, 3, random, 20'000'000);
        Listen(group, "Enter", [this](uint32_t, uint64_t) { ++nEntered; });
        Listen(group, "Leave", [this](uint32_t, uint64_t) { ++nEnded; });
        Listen(group,
               "Failed",
               [this](uint32_t, const std::vector<uint32_t>&, const std::string& reason) {
                   nFailed += group->IsReady();
                   reasons += reason + "; ";
                   trouble += reason.empty() ? "a member fails for no reason; " : "";
                   Later(0, 50, [this] { Repair(); });
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

    std::string Go()
    {
        now = InvariantChecker::DrawHosts(Draw(1, nHosts), nHosts, 1, random);
        wanted = {now.begin(), now.end()};
        bystander = CollectiveHelper::MakeBarrier("btin[Exhaustion=memory]");
        const InvariantChecker beside(bystander, 20, random, 20'000'000);
        const auto error = ErrorOf([&] {
            if (!hasFailures)
            {
                bystander->Create(domain, InvariantChecker::DrawHosts(2, nHosts, 1, random));
            }
            group->Create(domain, now);
            for (uint32_t i = 0; i < 5; ++i)
            {
                Later(0, 300, [this] { ChangeSomehow(); });
            }
            if (hasFailures)
            {
                Kill(Draw(0, nHosts - 1), 0, 300);
            }
            RunToEnd();
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
        RunToEnd();
        trouble += CountHeld(*domain) > 0 ? "something is held" : "";
        return trouble;
    }

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

    bool hasFailures;                          ///< whether a host dies
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
    std::string reasons;                       ///< why members failed
};

TEST_CASE_WITH(GroupHistoryTestCase,
               (uint32_t first, uint32_t end),
               Text("Groups of all kinds through random changes and failures, seeds from ", first))
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
    const auto group = CollectiveHelper::MakeBroadcast("tree[Root=1|WidthBits=8]");
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
    Same(group->GetHosts(), {2, 0, 3}, "in order");
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
    AddSeeds<GroupHistoryTestCase>(10'000, 100);
}

SUITE("wormhole-agreement", UNIT);

namespace
{

constexpr uint32_t AGREEMENTS = 5;
constexpr uint64_t ALL_FLAGS = (1 << 13) - 1;

struct AgreementRun : public MortalGroup
{
    explicit AgreementRun(uint32_t seed)
        : MortalGroup(seed, 3, 8)
    {
        MakeDomain(seed, true, 2);
        auto names = CollectiveHelper::GetNames("barrier");
        names.erase(std::remove(names.begin(), names.end(), "hw-1"), names.end()); // has no values
        text = names[Draw(0, static_cast<uint32_t>(names.size()) - 1)];
        group = CollectiveHelper::MakeBarrier(text + "[WidthBits=32|Timeout=2ms]");
        group->SetAttributeFailSafe("Exhaustion", StringValue("memory"));
        agreement = CreateObject<GroupAgreement>();
        agreement->Attach(group);
        Listen(agreement,
               "Agreed",
               [this](uint32_t rank, uint64_t flags, const std::vector<uint32_t>& gone) {
                   Take(rank, flags, gone);
               });
    }

    void Enter(uint32_t host)
    {
        const auto hosts = group->GetHosts();
        const auto found = std::find(hosts.begin(), hosts.end(), host);
        if (found == hosts.end())
        {
            return;
        }
        const auto rank = static_cast<uint32_t>(found - hosts.begin());
        const auto number = agreement->GetNumber(rank);
        if (number < AGREEMENTS)
        {
            // Most flags are set, so that the AND of many has some.
            const auto flags = ALL_FLAGS & ~(uint64_t{1} << Draw(0, 12));
            entered[number][host] = flags;
            agreement->Enter(rank, flags);
        }
        else
        {
            done.insert(host);
        }
    }

    void Take(uint32_t rank, uint64_t flags, const std::vector<uint32_t>& gone)
    {
        const auto host = group->GetHost(rank);
        const auto number = agreement->GetNumber(rank) - 1;
        const auto first = results.emplace(number, std::make_pair(flags, gone)).first->second;
        trouble += first == std::make_pair(flags, gone) ? "" : "members differ; ";
        trouble += flags & ~entered[number][host] ? "not all flags count; " : "";
        Later(0, 60, [this, host] { Enter(host); });
    }

    std::string Go()
    {
        std::set<uint32_t> dead;
        for (auto n = Draw(0, 2); n > 0; --n)
        {
            dead.insert(Draw(0, nHosts - 1));
        }
        for (const auto host : dead)
        {
            Kill(host, 1, 400);
        }
        const auto hosts = MakeRange(nHosts);
        const auto error = ErrorOf([&] {
            group->Create(domain, hosts);
            for (const auto host : hosts)
            {
                Later(0, 60, [this, host] { Enter(host); });
            }
            RunToEnd();
        });
        for (const auto host : hosts)
        {
            trouble += dead.count(host) + done.count(host) > 0 ? "" : "not all agree; ";
        }
        for (const auto& [number, result] : results)
        {
            auto all = ALL_FLAGS;
            for (const auto& [host, flags] : entered[number])
            {
                all &= flags;
            }
            trouble += all & ~result.first ? "a flag is missing; " : "";
            for (const auto host : result.second)
            {
                trouble += dead.count(host) > 0 ? "" : "a live host has gone; ";
            }
        }
        nGone += static_cast<uint32_t>(agreement->GetGone().size());
        return error + trouble;
    }

    Ptr<GroupAgreement> agreement; ///< its agreement
    uint32_t nGone{0};             ///< hosts that died
    std::set<uint32_t> done;       ///< hosts that have agreed as often as they are to
    std::map<uint64_t, std::map<uint32_t, uint64_t>> entered; ///< flags by agreement, then host
    std::map<uint64_t, std::pair<uint64_t, std::vector<uint32_t>>> results; ///< by agreement
};

TEST_CASE_WITH(AgreementTestCase,
               (uint32_t first, uint32_t end),
               Text("Those that live agree on flags and on who has gone, seeds from ", first))
{
    uint32_t nGone = 0;
    for (auto seed = first; seed < end; ++seed)
    {
        AgreementRun run(seed);
        const auto trouble = run.Go();
        NS_TEST_EXPECT_MSG_EQ(trouble, "", run.text << ", seed " << seed);
        nGone += run.nGone;
        run.agreement->Dispose();
        run.group->Dispose();
    }
    NS_TEST_EXPECT_MSG_GT(nGone, 0, "hosts die");
}

} // namespace

TEST_CASE(AgreementTimeTestCase, "Without failures an agreement takes two rounds of its group")
{
    const auto measure = [](bool agrees) {
        StartAnew();
        const auto domain = InstallDomain(MakeStar(5));
        const auto group = CollectiveHelper::MakeBarrier("dissemination[WidthBits=24]");
        const auto agreement = CreateObject<GroupAgreement>();
        if (agrees)
        {
            agreement->Attach(group);
        }
        else
        {
            Listen(group, "Leave", [&group](uint32_t rank, uint64_t) {
                group->GetRound(rank) < 2 ? group->Enter(rank) : void();
            });
        }
        SetUp(group, domain, {0, 1, 2, 3, 4});
        for (uint32_t rank = 0; rank < 5; ++rank)
        {
            agrees ? agreement->Enter(rank, 31 - rank) : group->Enter(rank);
        }
        Simulator::Run();
        agreement->Dispose();
        group->Dispose();
        return Simulator::Now();
    };
    NS_TEST_EXPECT_MSG_EQ(measure(true), measure(false), "the time of two rounds");
}

TEST_CASE(AgreementJoinTestCase, "Who joins takes part in the next agreement")
{
    const auto domain = InstallDomain(MakeStar(3));
    const auto group = CollectiveHelper::MakeBarrier("btin[WidthBits=24]");
    const auto agreement = CreateObject<GroupAgreement>();
    agreement->Attach(group);
    std::vector<uint64_t> results;
    Listen(agreement, "Agreed", [&](uint32_t, uint64_t flags, const std::vector<uint32_t>&) {
        results.push_back(flags);
    });
    const auto agree = [&](const std::vector<uint64_t>& flags) {
        for (uint32_t rank = 0; rank < flags.size(); ++rank)
        {
            agreement->Enter(rank, flags[rank]);
        }
        Simulator::Run();
    };
    group->Create(domain, {0, 1});
    agree({7, 13});
    group->Join(2);
    Simulator::Run();
    agree({30, 7, 11});
    Same(results, {5, 5, 2, 2, 2}, "results");
    NS_TEST_EXPECT_MSG_EQ(agreement->GetGone().size(), 0, "all are there");
    NS_TEST_EXPECT_MSG_EQ(agreement->GetNumber(2), 2, "who joins counts as the others do");
    agreement->Dispose();
    group->Dispose();
}

TEST_CASE(AgreementRefusedTestCase, "What an agreement refuses")
{
    const auto domain = InstallDomain(MakeStar(3));
    const auto agreement = CreateObject<GroupAgreement>();
    Refuses([&] { agreement->Enter(0, 1); }, "is no member");
    const auto group = CollectiveHelper::MakeBarrier("dissemination");
    Refuses([&] { agreement->Attach(group); }, "1 bits wide, by AND; expected a barrier");
    SetAll(group, "WidthBits=24|Operation=OR");
    Refuses([&] { agreement->Attach(group); }, "24 bits wide, by OR; expected a barrier");
    group->SetAttribute("Operation", StringValue("and"));
    Refuses([&] { agreement->Attach(nullptr); }, "one group, once");
    agreement->Attach(group);
    Refuses([&] { agreement->Attach(group); }, "one group, once");
    SetUp(group, domain, {0, 1});
    agreement->Enter(0, 31);
    Refuses([&] { agreement->Enter(0, 1); }, "that it is in");
    Refuses([&] { agreement->Enter(1, 32); }, "expected at most 31");
    Refuses([&] { agreement->Enter(2, 1); }, "is no member");
    Refuses([&] { agreement->GetNumber(2); }, "is no member");
    agreement->Dispose();
    group->Dispose();
}

ADD_CASES()
{
    AddSeeds<AgreementTestCase>(5'000, 100);
}
