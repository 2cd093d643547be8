// SPDX-License-Identifier: GPL-2.0-only

// Broadcasts whose messages wait at their senders rather than in the network.

#include "../oracle/plain-paths.h"
#include "../test-fabrics.h"

#include "ns3/broadcast-plans.h"
#include "ns3/schedule-costs.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

using namespace ns3;

SUITE("wormhole-self-congestion", UNIT);

namespace
{

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
    std::map<std::pair<SwitchLink, int64_t>, std::vector<int64_t>> ends; // of messages, by channel
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
            const bool isAny = path.ports.empty();
            const auto endsOn = [&](std::size_t i) -> std::vector<int64_t>& {
                return ends[{path.links[i], isAny ? -1 : path.ports[i]}];
            };
            const auto countOn = [&](std::size_t i) {
                const auto& all = endsOn(i);
                return static_cast<uint32_t>(
                    std::count_if(all.begin(), all.end(), [&](auto end) { return end > now; }));
            };
            const auto isFull = [&](uint32_t i) { return countOn(i) >= (isAny ? channels : 1); };
            if (AnyOf(MakeRange(path.links.size()), isFull))
            {
                continue;
            }
            for (std::size_t i = 0; i < path.links.size(); ++i)
            {
                endsOn(i).push_back(now + s);
                plain.most = std::max(plain.most, countOn(i));
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

TEST_CASE_WITH(SelfCongestionPlanTestCase,
               (uint32_t cases),
               "self-congestion: a plain schedule, " + std::to_string(cases) + " cases")
{
    auto draw = MakeRandom(21);
    NeedPicoseconds();
    const std::vector<std::string> trees{"binomial", "sequential", "binary", "chain", "block-3"};
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < cases; ++i)
    {
        const auto switches = draw->GetInteger(2, 7);
        const auto hosts = draw->GetInteger(1, 9);
        const auto channels = draw->GetInteger(1, 3);
        ScheduleRequest request;
        request.members = switches * hosts;
        request.s = Time(draw->GetInteger(1, 6));
        const auto perLink = Time(draw->GetInteger(0, 4));
        request.paths = std::make_shared<PlainPaths>(hosts,
                                                     DrawLinks(switches, draw),
                                                     channels,
                                                     perLink,
                                                     i % 2 == 1);
        auto ranks = MakeRange(request.members);
        Shuffle(ranks, *draw);
        const auto tree =
            MakeCommunicationTree(trees[i % trees.size()], request.members, request.s, perLink);
        const SelfCongestion plan(tree, ranks, request);
        const auto plain = PlayPlainly(tree, ranks, request, channels);
        NS_TEST_EXPECT_MSG_EQ((plain.most <= channels), true, "channels, case " << i);
        for (uint32_t process = 0; process < tree.GetSize(); ++process)
        {
            const auto which = "case " + std::to_string(i) + ", process " + std::to_string(process);
            const auto arrival = plan.GetArrivals()[process].GetTimeStep();
            NS_TEST_ASSERT_MSG_EQ(arrival, plain.arrivals[process], which);
            auto ready = arrival;
            for (std::size_t turn = 0; turn < plain.starts[process].size(); ++turn)
            {
                const auto start = plain.starts[process][turn];
                const auto wait = plan.GetWaits()[process][turn].GetTimeStep();
                NS_TEST_ASSERT_MSG_EQ(wait, (start > ready ? start - arrival : 0), which);
                waiting += wait > 0;
                ready = start + request.s.GetTimeStep();
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ((waiting > cases), true, "messages wait: " << waiting);
}

struct Last
{
    Time simulated;
    Time planned; ///< by the plan
};

using Planner = std::function<std::vector<Time>(const ScheduleRequest&)>;

/// @return when the last of some hosts has a message of so many bytes, by a broadcast and by a plan
Last
Broadcast(const WormholeTopology& topology,
          const std::vector<uint32_t>& hosts,
          const std::string& name,
          uint32_t bytes,
          const Planner& plan)
{
    StartAnew();
    auto fabric = InstallFabric(topology);
    auto domain = WithSoftware({{"StartUp", "2us"}}).Install(fabric, topology.graph);
    auto broadcast = CollectiveHelper::MakeBroadcast(name);
    SetAll(broadcast, Text("Root=0|MessageBytes=", bytes));
    broadcast->Create(domain, hosts);
    Last last;
    for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    {
        broadcast->SetLeaveCallback(rank, CallbackOf([&](uint64_t) {
                                        last.simulated = Simulator::Now();
                                    }));
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
    last.planned = Greatest(plan(request));
    broadcast->Dispose();
    return last;
}

TEST_CASE(SelfCongestionFabricTestCase, "self-congestion: no message waits in the network")
{
    auto draw = MakeRandom(22);
    const auto topology = MakeTopology("roadrunner:wiring=mesh,cables=1");
    uint32_t differ = 0;
    for (uint32_t i = 0; i < 12; ++i)
    {
        auto hosts = MakeRange(topology.graph.GetNHosts());
        Shuffle(hosts, *draw);
        hosts.resize(draw->GetInteger(2, hosts.size()));
        const uint32_t bytes = i % 2 == 0 ? 100000 : 64;
        const auto lastOf = [&](const std::string& name) {
            return Broadcast(topology, hosts, name, bytes, [](const auto& request) {
                auto ranks = MakeRange(request.members);
                const auto tree = MakeBlockTree(request.members, 1);
                return SelfCongestion(tree, ranks, request).GetArrivals();
            });
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
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check("broadcast", name), "", name);
    }
}

/// Plans in which any host that has the message sends to other switches: a message waits in the
/// network only where the plan says that it waits, on wirings of Roadrunner and for jobs of all
/// sizes.
TEST_CASE_WITH(InformedPlanTestCase,
               (uint32_t placements),
               "plans of any host: " + std::to_string(placements) + " placements")
{
    auto draw = MakeRandom(23);
    const auto messageTime = NanoSeconds(1333340); // 200,000 bytes in flits of 3 at 1.2 Gb/s
    for (uint32_t i = 0; i < placements; ++i)
    {
        // Eight back ports of each switch are cables to the others.
        const auto texts =
            Words("mesh,cables=1 mesh,cables=2 ring,cables=1 ring,cables=4 line,cables=2");
        const auto topology = MakeTopology("roadrunner:wiring=" + texts[draw->GetInteger(0, 4)]);
        auto hosts = MakeRange(topology.graph.GetNHosts());
        // A block of hosts, a random job in their order, or in any order.
        const auto size = draw->GetInteger(2, hosts.size());
        const auto placement = draw->GetInteger(0, 2);
        if (placement > 0)
        {
            Shuffle(hosts, *draw);
        }
        hosts.resize(size);
        if (placement == 1)
        {
            std::sort(hosts.begin(), hosts.end());
        }
        const auto plan = [](const auto& request) {
            const WorkingSwitches switches(request);
            return HostBroadcastPlan(switches, true).GetArrivals();
        };
        const auto last = Broadcast(topology, hosts, "sss-mst[Senders=informed]", 200000, plan);
        NS_TEST_EXPECT_MSG_LT(Abs(last.simulated - last.planned),
                              messageTime / 100,
                              "placement " << i << " of " << size << " hosts");
    }
}

ADD_CASES()
{
    AddQuick<SelfCongestionPlanTestCase>(300);
    AddQuick<InformedPlanTestCase>(100);
    AddExtensive<SelfCongestionPlanTestCase>(5000);
    AddExtensive<InformedPlanTestCase>(500);
}

} // namespace
