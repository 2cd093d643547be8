/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Agreements of groups whose members die.

#include "../test-fabrics.h"

#include "ns3/group-agreement.h"

using namespace ns3;

SUITE("wormhole-agreement", UNIT);

namespace
{

constexpr uint32_t AGREEMENTS = 5;
constexpr uint64_t ALL_FLAGS = (1 << 13) - 1;

/// A group that agrees several times while some of its hosts die.
struct AgreementRun
{
    explicit AgreementRun(uint32_t seed)
    {
        StartAnew();
        RngSeedManager::SetRun(seed + 1);
        random = MakeRandom(seed);
        nHosts = Draw(3, 8);
        CollectiveHelper helper;
        helper.SetSoftwareAttribute("Retransmission", BooleanValue(true));
        helper.SetSoftwareAttribute("RetransmissionTimeout", StringValue("20us"));
        helper.SetUnitAttribute("Registers", UintegerValue(2));
        WormholeHelper fabrics;
        fabrics.SetFabricAttribute("Outages", BooleanValue(true));
        domain = InstallDomain(DrawFabric(8, nHosts, seed), helper, fabrics);
        domain->SetAttribute("FailureDetector", StringValue("fabric"));
        domain->SetAttribute("FailureDelay", StringValue("20us"));
        auto names = CollectiveHelper::GetNames("barrier");
        names.erase(std::remove(names.begin(), names.end(), "hw-1"), names.end()); // has no values
        name = names[Draw(0, static_cast<uint32_t>(names.size()) - 1)];
        group = CollectiveHelper::MakeBarrier(name);
        group->SetAttribute("WidthBits", UintegerValue(32));
        group->SetAttribute("Timeout", StringValue("2ms"));
        group->SetAttributeFailSafe("Exhaustion", StringValue("memory"));
        agreement = CreateObject<GroupAgreement>();
        agreement->Attach(group);
        Listen(agreement,
               "Agreed",
               [this](uint32_t rank, uint64_t flags, const std::vector<uint32_t>& gone) {
                   Take(rank, flags, gone);
               });
    }

    uint32_t Draw(uint32_t from, uint32_t to) const
    {
        return random->GetInteger(from, to);
    }

    /// A process is to agree the next time.
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

    /// A process has agreed.
    void Take(uint32_t rank, uint64_t flags, const std::vector<uint32_t>& gone)
    {
        const auto host = group->GetHost(rank);
        const auto number = agreement->GetNumber(rank) - 1;
        const auto first = results.emplace(number, std::make_pair(flags, gone)).first->second;
        trouble += first == std::make_pair(flags, gone) ? "" : "members differ; ";
        trouble += flags & ~entered[number][host] ? "not all flags count; " : "";
        Simulator::Schedule(MicroSeconds(Draw(0, 60)), [this, host] { Enter(host); });
    }

    /// Runs it. @return what is not as it should be
    std::string Go()
    {
        std::set<uint32_t> dead;
        for (auto n = Draw(0, 2); n > 0; --n)
        {
            dead.insert(Draw(0, nHosts - 1));
        }
        const auto fabric = domain->GetFabric();
        for (const auto host : dead)
        {
            fabric->ScheduleOutage({fabric->GetHost(host), MicroSeconds(Draw(1, 400))});
        }
        std::vector<uint32_t> hosts(nHosts);
        std::iota(hosts.begin(), hosts.end(), 0);
        const auto error = ErrorOf([&] {
            group->Create(domain, hosts);
            for (const auto host : hosts)
            {
                Simulator::Schedule(MicroSeconds(Draw(0, 60)), [this, host] { Enter(host); });
            }
            Simulator::Stop(Seconds(1));
            Simulator::Run();
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

    Ptr<UniformRandomVariable> random; ///< random numbers
    uint32_t nHosts;                   ///< of the fabric
    Ptr<CollectiveDomain> domain;      ///< its collectives
    std::string name;                  ///< the group's algorithm
    Ptr<Collective> group;             ///< the group
    Ptr<GroupAgreement> agreement;     ///< its agreement
    uint32_t nGone{0};                 ///< hosts that died
    std::string trouble;               ///< what is not as it should be
    std::set<uint32_t> done;           ///< hosts that have agreed as often as they are to
    std::map<uint64_t, std::map<uint32_t, uint64_t>> entered; ///< flags by agreement, then host
    std::map<uint64_t, std::pair<uint64_t, std::vector<uint32_t>>> results; ///< by agreement
};

TEST_CASE_WITH(AgreementTestCase,
               (uint32_t first, uint32_t end),
               "Those that live agree on flags and on who has gone, seeds from " +
                   std::to_string(first))
{
    uint32_t nGone = 0;
    for (auto seed = first; seed < end; ++seed)
    {
        AgreementRun run(seed);
        const auto trouble = run.Go();
        NS_TEST_EXPECT_MSG_EQ(trouble, "", run.name << ", seed " << seed);
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
        const auto group = CollectiveHelper::MakeBarrier("dissemination");
        group->SetAttribute("WidthBits", UintegerValue(24));
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
        group->Create(domain, {0, 1, 2, 3, 4});
        Simulator::Run();
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
    const auto group = CollectiveHelper::MakeBarrier("btin");
    group->SetAttribute("WidthBits", UintegerValue(24));
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
    NS_TEST_EXPECT_MSG_EQ((results == std::vector<uint64_t>{5, 5, 2, 2, 2}), true, "results");
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
    group->SetAttribute("WidthBits", UintegerValue(24));
    group->SetAttribute("Operation", StringValue("OR"));
    Refuses([&] { agreement->Attach(group); }, "24 bits wide, by OR; expected a barrier");
    group->SetAttribute("Operation", StringValue("and"));
    Refuses([&] { agreement->Attach(nullptr); }, "one group, once");
    agreement->Attach(group);
    Refuses([&] { agreement->Attach(group); }, "one group, once");
    group->Create(domain, {0, 1});
    Simulator::Run();
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
    constexpr uint32_t STEP = 250;
    for (uint32_t first = 0; first < 5'000; first += STEP)
    {
        Add<AgreementTestCase>(first == 0,
                               first,
                               first + (first == 0 ? FewIfSanitized(STEP) : STEP));
    }
}
