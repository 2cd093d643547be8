// SPDX-License-Identifier: GPL-2.0-only

// Hosts and groups that go on where messages are lost, and hosts die (rule S14).

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-failures", UNIT);

namespace
{

/// A group in a random fabric with outages, some rounds, and how its members end.
struct FailureRun
{
    FailureRun(uint32_t seed, bool inSwitch)
        : random(MakeRandom(seed))
    {
        StartAnew();
        RngSeedManager::SetRun(seed + 1);
        const auto hosts = random->GetInteger(2, 8);
        const auto graph = DrawFabric(8, hosts, seed);
        const auto packet = std::to_string(random->GetInteger(0, 1) * 64);
        domain = InstallDomain(graph,
                               WithSoftware({{"Retransmission", inSwitch ? "false" : "true"},
                                             {"RetransmissionTimeout", "20us"},
                                             {"MaxPacketBytes", packet},
                                             {"Sharing", seed % 3 == 0 ? "in-turn" : "in-order"}}));
        fabric = domain->GetFabric();
        std::string outages = "each-cable mtbf 400us mttr 20us until 3ms"
                              "; each-host mtbf 1ms mttr 20us until 3ms";
        outages += inSwitch || random->GetInteger(0, 3) > 0
                       ? ""
                       : "; each-switch mtbf 1ms mttr 20us until 3ms";
        fabric->SetAttribute("OutageSchedule", StringValue(outages));
        fabric->SetAttribute("DetectionDelay",
                             TimeValue(NanoSeconds(random->GetInteger(0, 1) * 500)));
        group = DrawCollective(*random, text, [inSwitch](const std::string& each) {
            return each.find("hw-") != 0 && (each == "btin") == inSwitch;
        });
        text += ", seed " + std::to_string(seed);
        if (group->MovesData())
        {
            group->SetAttribute("Bytes", UintegerValue(12 * hosts));
        }
        else
        {
            SetAll(group, "WidthBits=32|Operation=MAX");
        }
        members = InvariantChecker::DrawHosts(random->GetInteger(2, hosts), hosts, 1, random);
    }

    /// Runs the group to its end. @return what is not as it should be; empty: all is well
    std::string Go()
    {
        checker = std::make_unique<InvariantChecker>(group,
                                                     group->MovesData() ? 1 : 10,
                                                     random,
                                                     200'000'000);
        Listen(group,
               "Failed",
               [this](uint32_t rank, const std::vector<uint32_t>& hosts, const std::string& why) {
                   failed[rank] = {hosts.begin(), hosts.end()};
                   reasons += why + "; ";
               });
        const auto error = ErrorOf([&] {
            group->Create(domain, members);
            RunFor(Seconds(1));
        });
        return !error.empty()              ? error
               : failed.empty()            ? checker->GetTrouble()
               : group->HasMembersInside() ? "not all end; " + reasons
                                           : checker->GetWrong();
    }

    Ptr<UniformRandomVariable> random;             ///< random numbers
    Ptr<WormholeFabric> fabric;                    ///< the fabric
    Ptr<CollectiveDomain> domain;                  ///< its collectives
    Ptr<Collective> group;                         ///< the group
    std::vector<uint32_t> members;                 ///< its hosts
    std::string text;                              ///< for messages
    std::unique_ptr<InvariantChecker> checker;     ///< its arrivals
    std::map<uint32_t, std::set<uint32_t>> failed; ///< by rank, hosts missed
    std::string reasons;                           ///< why
};

TEST_CASE_WITH(RepairedTestCase,
               (uint32_t first, uint32_t end),
               Text("Collectives by software survive outages that end, seeds from ", first))
{
    uint64_t again = 0;
    for (auto seed = first; seed < end; ++seed)
    {
        FailureRun run(seed, false);
        const auto trouble = run.Go();
        NS_TEST_EXPECT_MSG_EQ(trouble + run.reasons, "", run.text);
        for (uint32_t host = 0; host < run.domain->GetNHosts(); ++host)
        {
            again += run.domain->GetSoftware(host)->GetRetransmissionCounts().retransmitted;
        }
        run.group->Release();
        run.group->Dispose();
    }
    NS_TEST_EXPECT_MSG_GT(again, 0, "messages were lost");
}

TEST_CASE_WITH(DeadTestCase,
               (uint32_t first, uint32_t end),
               Text("Collectives by software name the dead, seeds from ", first))
{
    uint32_t nFailed = 0;
    for (auto seed = first; seed < end; ++seed)
    {
        FailureRun run(seed, false);
        run.domain->SetAttribute("FailureDetector",
                                 StringValue(seed % 2 == 0 ? "heartbeat" : "fabric"));
        const auto place = run.random->GetInteger(0, static_cast<uint32_t>(run.members.size()) - 1);
        const auto dead = run.members[place];
        run.fabric->ScheduleOutage(
            {run.fabric->GetHost(dead), MicroSeconds(run.random->GetInteger(0, 500))});
        Equals(run.Go(), "", run.text);
        for (const auto& [rank, missing] : run.failed)
        {
            const bool isNamed = rank == place || missing.count(dead) > 0;
            NS_TEST_EXPECT_MSG_EQ(isNamed, true, run.text << ": " << run.reasons);
        }
        nFailed += !run.failed.empty();
        run.group->Release();
        run.group->Dispose();
    }
    NS_TEST_EXPECT_MSG_GT(nFailed, (end - first) / 4, "some did not end before");
}

TEST_CASE_WITH(InSwitchLossTestCase,
               (uint32_t first, uint32_t end),
               Text("Collectives in switches never hang, and free what they held, seeds from ",
                    first))
{
    uint32_t nFailed = 0;
    for (auto seed = first; seed < end; ++seed)
    {
        FailureRun run(seed, true);
        run.group->SetAttribute("Timeout", StringValue("1ms"));
        if (seed % 4 == 0)
        {
            const auto at = MicroSeconds(run.random->GetInteger(0, 500));
            run.fabric->ScheduleOutage({run.fabric->GetSwitch(0), at, at + MicroSeconds(30)});
        }
        Equals(run.Go(), "", run.text);
        NS_TEST_EXPECT_MSG_EQ(run.failed.empty(), run.reasons.empty(), "a reason each");
        nFailed += !run.failed.empty();
        if (run.group->IsReady() || run.group->HasFailed())
        {
            run.group->Release();
            RunFor(Seconds(1));
        }
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*run.domain), 0, run.text);
        run.group->Dispose();
    }
    NS_TEST_EXPECT_MSG_GT(nFailed, 0, "messages were lost");
    NS_TEST_EXPECT_MSG_LT(nFailed, end - first, "not always");
}

/// A collective of two hosts on one switch, with retransmission; a broadcast is from host 0.
struct LossyPair
{
    LossyPair(const std::string& kind, const std::string& algorithm)
    {
        StartAnew();
        auto helper = WithSoftware(
            Attributes("Retransmission=true|RetransmissionTimeout=20us|MaxRetransmissions=2"));
        domain = InstallDomain(MakeStar(2), helper, WithFabric({{"Outages", "true"}}));
        group = CollectiveHelper::MakeCollective(kind, algorithm);
        group->SetAttribute("Root", IntegerValue(0));
        Listen(domain, "Received", [this](uint16_t, const HostMessage& message, uint32_t) {
            received.emplace_back(message.round, Simulator::Now());
            bytes = message.bytes;
        });
        group->Create(domain, {0, 1});
    }

    void TakeDown(Time from, Time until = Time::Max()) const
    {
        domain->GetFabric()->ScheduleOutage({domain->GetFabric()->GetHost(1), from, until});
    }

    /// @return what a host has sent again, dropped and given up
    std::vector<uint64_t> GetCounts(uint32_t host) const
    {
        const auto& counts = domain->GetSoftware(host)->GetRetransmissionCounts();
        return {counts.retransmitted, counts.duplicates, counts.gaveUp};
    }

    Time GetSendTime(uint64_t bytes) const
    {
        return domain->GetFabric()->GetFlitTime() *
               static_cast<int64_t>(domain->GetSoftware(0)->GetFlits(bytes));
    }

    Ptr<CollectiveDomain> domain;                    ///< the hosts
    Ptr<Collective> group;                           ///< the broadcast
    std::vector<std::pair<uint64_t, Time>> received; ///< rounds of messages, and when they came
    uint64_t bytes{0};                               ///< length of the last
};

} // namespace

TEST_CASE(RetransmissionTestCase, "What is lost is sent again, and taken once and in order")
{
    LossyPair whole("broadcast", "tree");
    EnterAll(*whole.group);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(whole.received.size(), 1, "one message");
    Same(whole.GetCounts(0), {0, 0, 0}, "nothing is lost");
    const auto came = whole.received.front().second;

    LossyPair message("broadcast", "tree");
    message.TakeDown(Time(0), MicroSeconds(30));
    EnterAll(*message.group);
    Simulator::Schedule(MicroSeconds(30), &Collective::Enter, message.group, 0, uint64_t{0});
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(message.received.size(), 2, "two rounds");
    NS_TEST_EXPECT_MSG_EQ(message.received[0].first, 1, "the first message, which was lost");
    NS_TEST_EXPECT_MSG_EQ(message.received[1].first, 2, "before the second, which was not");
    const auto again = came + MicroSeconds(20 + 40) + 2 * message.GetSendTime(message.bytes);
    Equals(message.received[0].second, again, "sent after 20 us, lost again, and after 40 us more");
    Same(message.GetCounts(0), {2, 0, 0}, "sent twice again");

    LossyPair acknowledgement("broadcast", "tree");
    acknowledgement.TakeDown(came + PicoSeconds(1), came + MicroSeconds(1));
    EnterAll(*acknowledgement.group);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(acknowledgement.received.size(), 1, "taken once");
    Same(acknowledgement.GetCounts(0), {1, 0, 0}, "sent again");
    Same(acknowledgement.GetCounts(1), {0, 1, 0}, "dropped");

    LossyPair many("broadcast", "tree");
    NS_TEST_ASSERT_MSG_GT(many.GetSendTime(1 << 20), MilliSeconds(1), "more than the time-outs");
    const auto data = CollectiveHelper::MakeData("broadcast", "tree[Bytes=1048576]");
    data->Create(many.domain, {0, 1});
    EnterAll(*data);
    Simulator::Run();
    Same(many.GetCounts(0), {0, 0, 0}, "the cable's time is added");
}

TEST_CASE(GiveUpTestCase, "A host that never answers is dead, which is an error if nobody listens")
{
    LossyPair pair("barrier", "dissemination");
    pair.TakeDown(Time(0));
    EnterAll(*pair.group);
    Refuses([] { Simulator::Run(); },
            "group 0 fails at h0 without h1: h1 never acknowledged a message of h0");
    LossyPair heard("barrier", "dissemination");
    heard.TakeDown(Time(0));
    Listen(heard.group, "Failed", [](uint32_t, const std::vector<uint32_t>&, const std::string&) {
    }); // so that it is no error
    EnterAll(*heard.group);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(heard.group->HasFailed(), true, "of no use");
    Same(heard.group->GetMissing(0), {1}, "h1");
    NS_TEST_EXPECT_MSG_EQ(heard.GetCounts(0)[2], 1, "given up");
    heard.group->Release();
    Refuses([&] { heard.group->Enter(0); }, "not ready");
}

TEST_CASE(TimeoutTestCase, "A round that takes too long names whom it misses")
{
    const auto run = [this](const std::string& barrier, const std::string& reason) {
        StartAnew();
        const auto domain = InstallDomain(MakeStar(4));
        const auto group = SetUp(CollectiveHelper::MakeBarrier(barrier), domain, {0, 1, 2, 3});
        for (const uint32_t rank : {0, 1, 3})
        {
            group->Enter(rank);
        }
        Refuses([] { Simulator::Run(); }, reason);
        group->Dispose();
    };
    run("tree[Tree=sequential|Root=0|Timeout=1ms]", "without h2: time-out of 1ms");
    run("btin[Timeout=1ms]", "without h2: time-out of 1ms: s0 waits for port 2");
}

TEST_CASE(EndlessOutagesTestCase, "Outages by text are made as time goes on")
{
    const auto fabric = WormholeHelper().Install(MakeLine(3));
    fabric->SetAttribute("OutageSchedule",
                         StringValue("each-cable mtbf 10us mttr 10us until 20ms"));
    uint32_t known = 0;
    Listen(fabric, "Outage", [&](const WormholeOutage&) { ++known; });
    SendWorm(*fabric, 0, 1, 10);
    NS_TEST_EXPECT_MSG_LT(known, 20, "as few as are needed");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(known, 2000, 200, "in the end all");
}

ADD_CASES()
{
    AddSeeds<RepairedTestCase, DeadTestCase, InSwitchLossTestCase>(1000, 25);
}
