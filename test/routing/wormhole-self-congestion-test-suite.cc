/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts whose messages wait at their senders rather than in the network.

#include "../oracle/plain-paths.h"
#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-laws.h"
#include "ns3/integer.h"
#include "ns3/schedule-costs.h"
#include "ns3/self-congestion.h"
#include "ns3/software-collective.h"
#include "ns3/tree-shapes.h"

#include <numeric>

using namespace ns3;

namespace
{

/// What a plain schedule finds.
struct Plain
{
    std::vector<int64_t> arrivals;            ///< when processes are active
    std::vector<std::vector<int64_t>> starts; ///< when they send, by child
    uint32_t most{0};                         ///< messages on a link at once, the most
};

/// The technique by its definition, unit of time by unit of time: all who are active and free try
/// to send to their next child, those who have waited longest first, then by process.
/// @param request the group, each on its own host @return what comes of it
Plain
PlayPlainly(const CommunicationTree& tree,
            const std::vector<uint32_t>& ranks,
            const ScheduleRequest& request,
            uint32_t channels)
{
    const auto n = tree.GetSize();
    const auto s = request.s.GetTimeStep();
    constexpr int64_t NEVER = INT64_MAX;
    Plain plain;
    plain.arrivals.assign(n, NEVER);
    plain.arrivals[0] = 0;
    plain.starts.resize(n);
    std::vector<int64_t> freeAt(n, 0);
    std::map<SwitchLink, std::vector<int64_t>> ends; // of messages on each link
    uint32_t missing = n - 1;
    for (int64_t now = 0; missing > 0; ++now)
    {
        std::vector<std::pair<int64_t, uint32_t>> able; // since when, who
        for (uint32_t process = 0; process < n; ++process)
        {
            if (plain.arrivals[process] <= now && freeAt[process] <= now &&
                plain.starts[process].size() < tree.GetChildren(process).size())
            {
                able.emplace_back(std::max(plain.arrivals[process], freeAt[process]), process);
            }
        }
        std::sort(able.begin(), able.end());
        for (const auto& [since, process] : able)
        {
            const auto child = tree.GetChildren(process)[plain.starts[process].size()];
            const auto path = request.paths->GetPath(ranks[process], ranks[child]);
            const auto countOn = [&](const SwitchLink& link) {
                const auto& all = ends[link];
                return static_cast<uint32_t>(
                    std::count_if(all.begin(), all.end(), [&](auto end) { return end > now; }));
            };
            if (std::any_of(path.links.begin(), path.links.end(), [&](const auto& link) {
                    return countOn(link) >= channels;
                }))
            {
                continue;
            }
            for (const auto& link : path.links)
            {
                ends[link].push_back(now + s);
                plain.most = std::max(plain.most, countOn(link));
            }
            plain.starts[process].push_back(now);
            freeAt[process] = now + s;
            plain.arrivals[child] = now + s + path.r.GetTimeStep();
            --missing;
        }
    }
    return plain;
}

std::vector<SwitchLink>
DrawLinks(uint32_t switches, Ptr<UniformRandomVariable> draw)
{
    std::vector<SwitchLink> links;
    for (uint32_t b = 1; b < switches; ++b)
    {
        links.emplace_back(draw->GetInteger(0, b - 1), b);
    }
    if (draw->GetInteger(0, 1) == 1 && switches > 2)
    {
        links.emplace_back(0, switches - 1);
    }
    return links;
}

TEST_CASE_WITH(ModuleTestCase,
               SelfCongestionPlanTestCase,
               uint32_t,
               m_cases,
               "self-congestion: a plain schedule, " + std::to_string(m_cases) + " cases")
{
    auto draw = MakeRandom(21);
    NeedPicoseconds();
    const std::vector<std::string> trees{"binomial", "sequential", "binary", "chain", "block-3"};
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < m_cases; ++i)
    {
        const auto switches = draw->GetInteger(2, 7);
        const auto hosts = draw->GetInteger(1, 9);
        const auto channels = draw->GetInteger(1, 3);
        ScheduleRequest request;
        request.members = switches * hosts;
        request.s = Time(draw->GetInteger(1, 6));
        const auto perLink = Time(draw->GetInteger(0, 4));
        request.paths =
            std::make_shared<PlainPaths>(hosts, DrawLinks(switches, draw), channels, perLink);
        std::vector<uint32_t> ranks(request.members);
        std::iota(ranks.begin(), ranks.end(), 0);
        for (auto left = request.members; left > 1; --left)
        {
            std::swap(ranks[left - 1], ranks[draw->GetInteger(0, left - 1)]);
        }
        const auto tree =
            MakeCommunicationTree(trees[i % trees.size()], request.members, request.s, perLink);
        const SelfCongestion plan(tree, ranks, request);
        const auto plain = PlayPlainly(tree, ranks, request, channels);
        NS_TEST_EXPECT_MSG_EQ((plain.most <= channels), true, "channels, case " << i);
        for (uint32_t process = 0; process < tree.GetSize(); ++process)
        {
            NS_TEST_ASSERT_MSG_EQ(plan.GetArrivals()[process].GetTimeStep(),
                                  plain.arrivals[process],
                                  "case " << i << ", process " << process);
            auto ready = plain.arrivals[process];
            for (std::size_t turn = 0; turn < plain.starts[process].size(); ++turn)
            {
                const auto start = plain.starts[process][turn];
                const auto wait = start > ready ? start - plain.arrivals[process] : 0;
                NS_TEST_ASSERT_MSG_EQ(plan.GetWaits()[process][turn].GetTimeStep(),
                                      wait,
                                      "case " << i << ", process " << process);
                waiting += wait > 0;
                ready = start + request.s.GetTimeStep();
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ((waiting > m_cases), true, "messages wait: " << waiting);
}

class SelfCongestionFabricTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(SelfCongestionFabricTestCase,
                   "self-congestion: no message waits in the network");

    void DoRun() override
    {
        auto draw = MakeRandom(22);
        const auto topology = MakeTopology("roadrunner:wiring=mesh,cables=1");
        uint32_t differ = 0;
        for (uint32_t i = 0; i < 12; ++i)
        {
            std::vector<uint32_t> hosts(topology.graph.GetNHosts());
            std::iota(hosts.begin(), hosts.end(), 0);
            for (auto left = hosts.size(); left > 1; --left)
            {
                std::swap(hosts[left - 1], hosts[draw->GetInteger(0, left - 1)]);
            }
            hosts.resize(draw->GetInteger(2, hosts.size()));
            const uint32_t bytes = i % 2 == 0 ? 100000 : 64;
            const auto lastOf = [&](const std::string& name) {
                return Run(topology, hosts, name, bytes);
            };
            const auto held = lastOf("mpich[BlockSize=1|SelfCongestion=true]");
            NS_TEST_EXPECT_MSG_EQ(held.simulated, held.planned, "case " << i);
            differ += lastOf("mpich[BlockSize=1]").simulated != held.simulated;
        }
        NS_TEST_EXPECT_MSG_EQ((differ > 0), true, "it makes a difference");
        for (const std::string name : {"mpich[SelfCongestion=true]",
                                       "sss-mst[SelfCongestion=true]",
                                       "sss-mst[SelfCongestion=true|Senders=informed]"})
        {
            NS_TEST_EXPECT_MSG_EQ(CollectiveLaws::Check("broadcast", name), "", name);
        }
        Simulator::Destroy();
    }

    /// When the last member has the message.
    struct Last
    {
        Time simulated; ///< simulated
        Time planned;   ///< by the plan
    };

    /// @return when the last member has it @param name the broadcast, a binomial tree by rank
    static Last Run(const WormholeTopology& topology,
                    const std::vector<uint32_t>& hosts,
                    const std::string& name,
                    uint32_t bytes)
    {
        StartAnew();
        WormholeHelper helper;
        helper.SetRouter(topology.router);
        auto fabric = helper.Install(topology.graph);
        CollectiveHelper collectives;
        collectives.SetSoftwareAttribute("StartUp", StringValue("2us"));
        auto domain = collectives.Install(fabric, topology.graph);
        auto broadcast = CollectiveHelper::MakeBroadcast(name);
        broadcast->SetAttribute("MessageBytes", UintegerValue(bytes));
        broadcast->SetAttribute("Root", IntegerValue(0));
        broadcast->Create(domain, hosts);
        Last last;
        for (uint32_t rank = 0; rank < hosts.size(); ++rank)
        {
            broadcast->SetLeaveCallback(
                rank,
                MakeBoundCallback(&SelfCongestionFabricTestCase::Leave, &last.simulated));
            Simulator::ScheduleNow(&Collective::Enter, broadcast, rank, 0);
        }
        Simulator::Run();
        const auto paths = std::make_shared<FabricPaths>(*broadcast,
                                                         HostSoftware::Transport::SEND_RECEIVE,
                                                         broadcast->GetMessageBytes());
        ScheduleRequest request;
        request.members = static_cast<uint32_t>(hosts.size());
        request.hosts = hosts;
        request.s = paths->GetSendTime(hosts[0]);
        request.paths = paths;
        std::vector<uint32_t> ranks(hosts.size());
        std::iota(ranks.begin(), ranks.end(), 0);
        const SelfCongestion plan(MakeBlockTree(request.members, 1), ranks, request);
        last.planned = *std::max_element(plan.GetArrivals().begin(), plan.GetArrivals().end());
        broadcast->Dispose();
        return last;
    }

    /// A member leaves. @param last when the last one did
    static void Leave(Time* last, uint64_t)
    {
        *last = Simulator::Now();
    }
};

static ListedTestSuite g_wormholeSelfCongestionTestSuite("wormhole-self-congestion",
                                                         {new SelfCongestionPlanTestCase(300),
                                                          new SelfCongestionFabricTestCase},
                                                         {new SelfCongestionPlanTestCase(5000)});

} // namespace
