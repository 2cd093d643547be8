// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/pointer.h"

using namespace ns3;

SUITE("wormhole-host-cost", UNIT);

namespace
{

using Costs = std::map<std::string, std::string>;

/// @return hosts of an ideal network whose software costs nothing but what is named
Ptr<CollectiveDomain>
MakeIdeal(uint32_t hosts, Time latency, const Costs& costs)
{
    Simulator::Destroy();
    auto all = costs;
    all.insert({"StartUp", "0s"}); // unless it costs something
    return WithSoftware(all).InstallIdeal(hosts, latency);
}

Ptr<CollectiveDomain>
MakeFabric(uint32_t hosts = 2, const Costs& costs = {})
{
    return InstallDomain(MakeStar(hosts), WithSoftware(costs));
}

/// Makes a group of all tasks of all hosts, host by host, and lets its members come. @return when
/// each leaves, since the first came, in us @param late by rank, how much later a member comes, us
std::vector<double>
Measure(Ptr<CollectiveDomain> domain,
        const std::string& kind,
        const std::string& name,
        uint32_t tasks = 1,
        const std::vector<double>& late = {})
{
    const auto latePs = MadeOf(late, [](double us) { return static_cast<int64_t>(us * 1e6); });
    const auto left = CrossOnce(domain, kind, name, TasksOf(domain->GetNHosts(), tasks), latePs);
    return MadeOf(left, [](int64_t ps) { return static_cast<double>(ps) / 1e6; });
}

} // namespace

/// Broadcasts on the ideal network take what the (s, r) model says: published figures.
TEST_CASE(TreeLatencyTestCase, "Broadcasts in the (s, r) model")
{
    const auto costs = Attributes("StartUp=20us|SendOverhead=7us|ReceiveOverhead=28us");
    using Published = std::map<std::string, double>;
    for (const auto& [tree, us] : Published{{"sequential", 574}, {"binomial", 460}, {"fibo", 311}})
    {
        const auto domain = MakeIdeal(19, MicroSeconds(60), costs);
        const auto times = Measure(domain, "broadcast", "tree[Tree=" + tree + "]");
        NS_TEST_EXPECT_MSG_EQ(Greatest(times), us, tree << ": s = 27 us, r = 88 us");
    }
    auto domain = MakeIdeal(64, MicroSeconds(3), {{"StartUp", "1us"}});
    const auto left = Measure(domain, "broadcast", "tree[Tree=fibo]");
    NS_TEST_EXPECT_MSG_EQ(Greatest(left), 15, "s = 1, r = 3, p = 64");

    // Two ports send two at a time.
    domain = MakeIdeal(5, MicroSeconds(3), {{"StartUp", "1us"}, {"MaxConcurrentSends", "2"}});
    Same(Measure(domain, "broadcast", "tree[Tree=sequential]"), {2, 4, 4, 5, 5}, "two ports");

    // On a fabric r is 959 ns, interfaces, switch and cables included: with a shorter s, the
    // root of four sends to all three.
    for (const auto& [s, sends] : std::map<int64_t, double>{{958, 3}, {960, 2}})
    {
        domain = MakeFabric(4, {{"StartUp", std::to_string(s) + "ns"}});
        const auto on = Measure(domain, "broadcast", "tree[Tree=fibo|Root=0]");
        NS_TEST_EXPECT_MSG_EQ_TOL(on[0], sends * s / 1000, 1e-9, "s = " << s << " ns");
    }

    // A host of its own is slower than others.
    domain = MakeIdeal(3, MicroSeconds(3), {{"StartUp", "1us"}});
    domain->GetSoftware(1)->SetAttribute("ReceiveOverhead", TimeValue(MicroSeconds(10)));
    Same(Measure(domain, "broadcast", "tree[Tree=chain]"), {1, 15, 18}, "a slow host");
}

TEST_CASE(AdapterTestCase, "Collectives that network adapters run")
{
    const auto costs = Attributes("StartUp=50us|ReceiveOverhead=70us|AdapterMessageTime=2us|"
                                  "AdapterStepTime=3us|DoorbellTime=300ns|CompletionTime=700ns");
    for (const uint32_t steps : {1, 3, 5})
    {
        const auto us = Measure(MakeIdeal(1U << steps, MicroSeconds(1), costs), "barrier", "nic");
        NS_TEST_EXPECT_MSG_EQ_TOL(Greatest(us), 1 + steps * 7, 1e-9, steps << " steps");
        // Who comes late finds the steps of all others begun.
        std::vector<double> late(us.size(), 0);
        late[0] = 20;
        const auto last =
            Measure(MakeIdeal(1U << steps, MicroSeconds(1), costs), "barrier", "nic", 1, late);
        NS_TEST_EXPECT_MSG_EQ_TOL(Greatest(last), 21 + steps * 7, 1e-9, "one is late");
    }
    // Processes of a host meet in its memory, at no cost here, and their first one asks the
    // adapter.
    const auto smp = Measure(MakeIdeal(8, MicroSeconds(1), costs), "barrier", "smp[Inner=nic]", 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(Greatest(smp), 1 + 3 * 7, 1e-9, "two processes a host");

    // On a fabric, messages of hosts and adapters take equally long.
    const auto equal = Attributes("StartUp=3us|ReceiveOverhead=3us|AdapterMessageTime=3us|"
                                  "DoorbellTime=0s|CompletionTime=0s");
    const auto domain = MakeFabric(4, equal);
    const auto byHosts = Measure(domain, "barrier", "dissemination");
    Same(Measure(domain, "barrier", "nic"), byHosts, "adapters as slow as hosts");
}

TEST_CASE(AdapterRefusalTestCase, "Refusals of adapters")
{
    for (const std::string inner : {"btin", "nic", "smp[Inner=nic]", "unicast"})
    {
        Refuses([&] { Measure(MakeFabric(4), "barrier", "nic[Inner=" + inner + "]"); },
                "which adapters can't run");
    }
    Refuses([&] { Measure(MakeFabric(2), "barrier", "nic", 2); }, "a member twice");
}

/// Steps of the barriers: with software that costs nothing, a step takes the flight time.
TEST_CASE(BarrierStepsTestCase, "Steps of barriers")
{
    const auto takes = [&](uint32_t n, const std::string& name, double steps) {
        const auto domain = MakeIdeal(n, MicroSeconds(1), {});
        NS_TEST_EXPECT_MSG_EQ(Greatest(Measure(domain, "barrier", name)), steps, name << ", " << n);
    };
    const std::map<uint32_t, uint32_t>
        published{{2, 1}, {3, 3}, {4, 2}, {5, 4}, {8, 3}, {9, 5}, {16, 4}, {32, 5}};
    for (const auto& [n, steps] : published)
    {
        const auto found = CollectiveHelper::CountSteps("barrier", "pairwise", n);
        NS_TEST_EXPECT_MSG_EQ(found, steps, "steps of pairwise exchange with " << n << " members");
        // Those who fold in tell and are told while others exchange: a message less in a row.
        const bool isPower = (n & (n - 1)) == 0;
        takes(n, "pairwise-exchange", isPower ? steps : steps - 1);
        takes(n, "pairwise[Transport=rdma]", isPower ? steps : steps - 1);
    }
    NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::CountSteps("barrier", "central", 9), 2, "central");
    NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::CountSteps("barrier", "dissemination", 9), 4, "");
    NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::CountSteps("barrier", "multicast", 9), 2, "");
    NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::CountSteps("barrier", "tree", 1), 0, "alone");
    takes(9, "dissemination", 4);
    takes(16, "dissemination", 4);
    takes(17, "dissemination", 5);
    takes(16, "tournament", 8);
    takes(16, "tournament[Radix=4]", 4);
    takes(17, "tournament[Radix=4]", 4); // the seventeenth has told the champion before
    takes(64, "tournament[Radix=4]", 6);
    takes(16, "tournament[Radix=16]", 2); // all meet at once, as in central
    takes(16, "central", 2);
    takes(16, "tree[Tree=chain]", 30);
    takes(12, "butterfly", 3); // 2 x 2 x 3
    takes(12, "butterfly[Radices=4,3]", 2);
    takes(13, "butterfly[Radices=4,3]", 3); // one folds in
    takes(30, "butterfly[Radices=12]", 3);  // eighteen fold in
    takes(11, "butterfly", 4);              // 8, and three fold in
}

TEST_CASE(TransportCostsTestCase, "Costs of transports and flags")
{
    const auto costs =
        Attributes("StartUp=2us|SendOverhead=1us|DescriptorTime=0.5us|MatchingTime=0.25us|"
                   "ReceiveOverhead=0.75us|UnexpectedTime=4us|PostTime=0.125us|PollTime=0.375us|"
                   "FlagTime=0.0625us");
    const auto flight = MicroSeconds(6);
    // Both send at 0 for 3.5 us, post until 4 us; the message comes at 9.5 us and takes 1 us.
    Same(Measure(MakeIdeal(2, flight, costs), "barrier", "pairwise"), {10.5, 10.5}, "send/receive");

    // The other comes at 20 us: by then the first one's message has waited, unexpected; the
    // late one has posted at 24 us and takes 5 us.
    auto left = Measure(MakeIdeal(2, flight, costs), "barrier", "pairwise", 1, {0, 20});
    Same(left, {30.5, 29}, "unexpected");

    // The write comes at 3.125 + 6 us; the poll costs 0.375 us.
    left = Measure(MakeIdeal(2, flight, costs), "barrier", "pairwise[Transport=rdma]");
    Same(left, {9.5, 9.5}, "RDMA");

    // Polls are at 3.125 us and every 5 us from there: the one at 13.125 us sees it.
    auto polled = costs;
    polled["PollInterval"] = "5us";
    left = Measure(MakeIdeal(2, flight, polled), "barrier", "pairwise[Transport=rdma]");
    Same(left, {13.5, 13.5}, "polls");

    // Flags: the other's is written by 0.0625 us and seen by 0.125 us, the reset one is written
    // by 0.1875 us, seen by 0.25 us.
    Same(Measure(MakeIdeal(1, flight, costs), "barrier", "smp", 2), {0.1875, 0.25}, "flags");

    // Two hosts of two tasks: flags, then 9.5 us, then flags.
    left = Measure(MakeIdeal(2, flight, costs), "barrier", "smp[Inner=pairwise|Transport=rdma]", 2);
    Same(left, {9.6875, 9.75, 9.6875, 9.75}, "SMP nodes");
}

TEST_CASE(SharedHostTestCase, "Tasks share an interface; jitter is repeatable")
{
    // Tasks 0 and 1 of one host first see each other's flags, which cost nothing here, and
    // then start up a message each to those of the other host, at the same time; only the
    // interface sends one message, of 2 flits of 6.25 ns, after the other.
    const auto alone = Measure(MakeFabric(), "barrier", "pairwise")[1];
    const auto together = Greatest(Measure(MakeFabric(), "barrier", "pairwise", 2));
    NS_TEST_EXPECT_MSG_EQ_TOL(together, alone + 0.0125, 1e-9, "own processors, one interface");

    std::vector<std::vector<double>> runs;
    const Costs jitter{{"SendJitter", "ns3::ExponentialRandomVariable[Mean=1e-6]"},
                       {"ReceiveJitter", "ns3::UniformRandomVariable[Min=0|Max=1e-6]"}};
    for (const int64_t stream : {5, 5, 50})
    {
        FixRandomNumbers();
        const auto domain = MakeIdeal(30, MicroSeconds(6), jitter);
        NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::AssignStreams(domain, stream), 60, "streams");
        runs.push_back(Measure(domain, "barrier", "dissemination"));
    }
    NS_TEST_EXPECT_MSG_EQ((runs[0] == runs[1]), true, "the same streams draw the same");
    NS_TEST_EXPECT_MSG_EQ((runs[0] == runs[2]), false, "other streams draw something else");
    NS_TEST_EXPECT_MSG_GT(Greatest(runs[0]), 30, "jitter only adds");
}

/// What hosts cost, they cost whatever the scheme: in the switches, by tree worm and by software, a
/// barrier with the root has two messages in a row.
TEST_CASE(AllSchemesCostTestCase, "Receive overhead and send overhead count in all schemes")
{
    for (const std::string name : {"btin", "multicast", "unicast", "tree", "smp[Inner=btin]"})
    {
        const auto free = Greatest(Measure(MakeFabric(), "barrier", name));
        const auto domain = MakeFabric(2, {{"SendOverhead", "3us"}, {"ReceiveOverhead", "7us"}});
        const auto dear = Greatest(Measure(domain, "barrier", name));
        Within(dear, free + 20, 1e-9, name + ": two messages, 10 us more each");
    }
    const auto domain = MakeIdeal(4, MicroSeconds(6), {{"StartUp", "1us"}});
    Same(Measure(domain, "broadcast", "tree[Tree=sequential|Root=2]"), {7, 8, 3, 9}, "root 2");
}

TEST_CASE(ScheduleTestCase, "Schedules of computations and collectives")
{
    // Two processes: compute 10 us, barrier of 3.5 + 6 us, compute 10 us, broadcast.
    auto domain = MakeIdeal(2, MicroSeconds(6), {{"StartUp", "3.5us"}});
    CollectiveApplicationHelper schedule;
    schedule.SetAttribute("Repetitions", UintegerValue(2));
    const std::string computation = "ns3::ConstantRandomVariable[Constant=10e-6]";
    schedule.AddComputation(computation);
    schedule.AddCollective(CollectiveHelper::MakeBarrier("pairwise"));
    schedule.AddComputation(computation);
    schedule.AddCollective(CollectiveHelper::MakeBroadcast("tree"));
    auto processes = schedule.Install(domain, {0, 1});
    NS_TEST_EXPECT_MSG_EQ(CollectiveApplicationHelper::AssignStreams(processes, 1), 4, "draws");
    std::vector<double> times[2];
    for (uint32_t rank = 0; rank < 2; ++rank)
    {
        Listen(processes.Get(rank), "Done", [&, rank](uint64_t) {
            times[rank].push_back(static_cast<double>(Simulator::Now().GetPicoSeconds()) / 1e6);
        });
    }
    processes.Start(MicroSeconds(100));
    Simulator::Run();
    // The root leaves the broadcast at 133 us, the other hears it at 139 us; the barrier then
    // ends when the other's message has come, at 158.5 us, and sooner for the other.
    Same(times[0], {133, 172}, "the root");
    Same(times[1], {139, 178}, "the other");

    // On a fabric, where a group in the switches takes time to be ready, and stops early.
    domain = MakeFabric();
    CollectiveApplicationHelper endless;
    endless.SetAttribute("Repetitions", UintegerValue(0));
    auto btin = CollectiveHelper::MakeBarrier("smp[Inner=btin]");
    endless.AddCollective(btin);
    endless.AddComputation(computation);
    auto four = endless.Install(domain, {0, 0, 1, 1});
    NS_TEST_EXPECT_MSG_EQ(btin->IsReady(), false, "registers take time to be set up");
    four.Start(Seconds(0));
    four.Stop(MicroSeconds(1000));
    Simulator::Run();
    const auto first = DynamicCast<CollectiveApplication>(four.Get(0))->GetNDone();
    NS_TEST_EXPECT_MSG_GT(first, 50, "it went on until it was stopped");
    NS_TEST_EXPECT_MSG_EQ(domain->ExplainMissing(), "", "nobody is left inside");
}

/// Has host 0 be in groups with host 1 and with host 2, and all come at once. @return when they
/// leave: host 0 and host 1 the first group, host 0 and host 2 the other
static std::vector<double>
MeasureTwo(const std::string& kind, const std::string& name, const Costs& costs)
{
    auto domain = MakeIdeal(3, MicroSeconds(1), costs);
    std::vector<Ptr<Collective>> groups;
    std::vector<double> us(4);
    for (uint32_t i = 0; i < 2; ++i)
    {
        groups.push_back(CollectiveHelper::MakeCollective(kind, name));
        Listen(groups[i], "Leave", [&us, i](uint32_t rank, uint64_t) {
            us[2 * i + rank] = Simulator::Now().ToDouble(Time::US);
        });
        groups[i]->Create(domain, {0, i + 1});
    }
    for (const auto& group : groups)
    {
        EnterAll(*group);
    }
    Simulator::Run();
    return us;
}

TEST_CASE(SeveralGroupsTestCase, "A process in several groups")
{
    const Costs costs{{"StartUp", "1us"}, {"ReceiveOverhead", "1us"}};
    Same(MeasureTwo("broadcast", "tree", costs), {1, 3, 2, 4}, "sends");
    Same(MeasureTwo("reduction", "tree", costs), {3, 1, 4, 1}, "receives");
    const Costs polled{{"StartUp", "1us"}, {"PollTime", "1us"}, {"PollInterval", "5us"}};
    Same(MeasureTwo("reduction", "tree[Transport=rdma]", polled), {6, 1, 11, 1}, "polls");
}

static std::string
Constant(const std::string& seconds)
{
    return "ns3::ConstantRandomVariable[Constant=" + seconds + "]";
}

/// A host of two ports broadcasts to three others. @return when members leave
static std::vector<double>
MeasurePorts(Ptr<CollectiveDomain> domain)
{
    auto draws = CreateObject<SequentialRandomVariable>();
    SetAll(draws, "Min=0|Max=30e-6|Increment=" + Constant("20e-6"));
    auto root = domain->GetSoftware(0);
    SetAll(root, "StartUp=1us|MaxConcurrentSends=2");
    root->SetAttribute("SendJitter", PointerValue(draws));
    return Measure(domain, "broadcast", "tree[Tree=sequential|Root=0]");
}

TEST_CASE(JitterTestCase, "Jitter, and ports that take unequal times")
{
    const Costs jitter{{"StartUp", "1us"},
                       {"SendJitter", Constant("3e-6")},
                       {"ReceiveJitter", Constant("5e-6")}};
    auto domain = MakeIdeal(2, MicroSeconds(1), jitter);
    Same(Measure(domain, "broadcast", "tree"), {4, 10}, "jitter of 3 and 5 us");

    NS_TEST_EXPECT_MSG_EQ(CollectiveHelper::AssignStreams(domain, 7), 4, "two for each host");
    for (uint32_t host = 0; host < 2; ++host)
    {
        int64_t expected = 7 + 2 * host;
        for (const auto name : {"SendJitter", "ReceiveJitter"})
        {
            PointerValue value;
            domain->GetSoftware(host)->GetAttribute(name, value);
            NS_TEST_EXPECT_MSG_EQ(value.Get<RandomVariableStream>()->GetStream(), expected++, name);
        }
    }

    domain = MakeIdeal(2, MicroSeconds(1), {{"ReceiveJitter", Constant("-1e-6")}});
    Refuses([&] { Measure(domain, "broadcast", "tree"); },
            "expected random variables of at least 0 s");

    auto ported = MeasurePorts(MakeIdeal(4, MicroSeconds(1), {}));
    Same(ported, {21, 2, 22, 13}, "two ports");
    // On a fabric, the third message does not wait for the second.
    ported = MeasurePorts(MakeFabric(4));
    NS_TEST_EXPECT_MSG_EQ_TOL(ported[3] - ported[1], 11, 1e-6, "one port's messages");
    NS_TEST_EXPECT_MSG_EQ_TOL(ported[2] - ported[1], 20, 1e-6, "the other port's message");
}

TEST_CASE(CostMistakesTestCase, "Mistakes with hosts and algorithms are refused")
{
    const auto refuses = [&](const std::string& kind,
                             const std::string& name,
                             uint32_t n,
                             const std::string& operation,
                             const std::string& part) {
        const auto error = ErrorOf([&] {
            auto collective = CollectiveHelper::MakeCollective(kind, name);
            collective->SetAttribute("Operation", StringValue(operation));
            collective->Create(MakeIdeal(n, MicroSeconds(1), {}), MakeRange(n));
        });
        Contains(error, part, name);
    };
    refuses("barrier", "dissemination", 6, "ADD", "can't ADD the values of 6 members");
    refuses("barrier", "dissemination", 8, "ADD", "");
    refuses("barrier", "butterfly[Radices=4,x]", 6, "AND", "'x' is no radix");
    refuses("barrier", "butterfly[Radices=4,2]", 6, "AND", "8 members or more; there are 6");
    refuses("barrier", "tree[Tree=oak]", 6, "AND", "oak");
    refuses("barrier", "tree[Trees=oak]", 6, "AND", "sets no attribute of ns3::TreeBarrier");
    refuses("barrier", "tree[Transport=pigeon]", 6, "AND", "expected sendrecv or rdma");
    refuses("barrier", "tree[Root=6]", 6, "AND", "expected -1 and ranks, 0 to 5");
    refuses("barrier", "multicast", 6, "AND", "no tree worms on an ideal network");
    refuses("barrier", "btin", 6, "AND", "no barrier tree on an ideal network");
    refuses("barrier", "smp[Inner=smoke]", 6, "AND", "there is no barrier 'smoke'");
    refuses("broadcast", "dissemination", 6, "AND", "there is no broadcast 'dissemination'");
    refuses("rumour", "tree", 6, "AND", "there are barrier, allreduction, broadcast");
    refuses("barrier", "tree", 0, "AND", "no member");

    CommunicationSchedule talks;
    talks.Send(1);
    CommunicationSchedule listens;
    listens.Receive(ScheduleStep::COMBINE, 0, 3);
    Refuses([&] { LinkedSchedules({talks, listens}); }, "from rank 0 to rank 1 with tag 0");

    auto domain = MakeIdeal(2, MicroSeconds(1), {});
    RefusesWith([&] { domain->GetSoftware(2); }, "host 2 has no software; expected 0 to 1");
    CollectiveApplicationHelper schedule;
    NS_TEST_EXPECT_MSG_NE(ErrorOf([&] { schedule.AddCollective(nullptr); }), "", "no collective");
    const std::pair<std::string, std::string> mistakes[] = {
        {"", "a computation takes ''; expected random variables"},
        {"ns3::Node", "a computation takes 'ns3::Node'"},
        {"ns3::RandomVariableStream", "a computation takes 'ns3::RandomVariableStream'"},
        {"ns3::ConstantRandomVariable[Constant=1e-4", "a bracket is not closed"},
        {"ns3::ConstantRandomVariable[Constnat=1e-4]", "did you mean Constant?"},
        {"ns3::ConstantRandomVariable[Constant]", "Constant=: expected a number"},
        {"ns3::ConstantRandomVariable[Constant=soon]", "Constant=soon: expected a number"},
        {"ns3::UniformRandomVariable[Min=0|Max=x]", "Max=x: expected a number"}};
    schedule.AddComputation("ns3::ConstantRandomVariable[]");
    for (const auto& [seconds, told] : mistakes)
    {
        Contains(Refusal([&, text = seconds] { schedule.AddComputation(text); }), told, seconds);
    }
}
