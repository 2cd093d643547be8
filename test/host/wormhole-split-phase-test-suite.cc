// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-split-phase", UNIT);

namespace
{

/// @brief A plain machine whose members compute, enter a barrier by dissemination, compute, and
///        wait for it: from one instant at which something ends to the next, what each processor
///        does is looked at anew. Nothing is known ahead of time.
struct PlainProgress
{
    /// Who does what a member that computes owes to the barrier.
    enum Who
    {
        IN_CALL,
        INTERRUPT,
        INDEPENDENT
    };

    /// What members do: c(ompute), for how long, ns; e(nter), w(ait).
    using Steps = std::vector<std::pair<char, int64_t>>;

    Who who{IN_CALL};           ///< who makes progress
    int64_t sendNs{0};          ///< a send
    int64_t flightNs{0};        ///< from its end until the message has come
    int64_t takeNs{0};          ///< taking a message
    int64_t unexpectedNs{0};    ///< more, if it came before it was waited for
    int64_t interruptNs{0};     ///< more, if it interrupts a computation
    uint32_t rounds{1};         ///< how often all of it is done
    std::vector<Steps> members; ///< what members do in a round

    /// Whether a message came to a member at the very instant at which something that it did ended.
    /// Which of the two is first is nobody's rule.
    mutable bool hasTie{false};

    /// @return when the members' steps end, ns
    std::vector<std::vector<int64_t>> Run() const
    {
        hasTie = false;
        const auto n = static_cast<uint32_t>(members.size());
        const auto phases = CeilLog2(n);
        std::vector<State> states(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (uint32_t round = 0; round < rounds; ++round)
            {
                states[rank].steps = Join(states[rank].steps, members[rank]);
            }
        }

        struct Message
        {
            int64_t left;   ///< what is left of its flight
            uint32_t to;    ///< receiver
            uint32_t round; ///< round
            uint32_t phase; ///< step of the barrier
        };

        std::vector<Message> messages;
        std::vector<std::vector<int64_t>> ends(n);
        int64_t now = 0;
        while (true)
        {
            for (auto& message : messages)
            {
                if (message.left == 0)
                {
                    auto& to = states[message.to];
                    to.arrived[{message.round, message.phase}] = now;
                    hasTie = hasTie || (to.computes && to.toCompute == 0) ||
                             (to.doing != ' ' && to.toDo == 0);
                }
            }
            const auto hasCome = [](const auto& message) { return message.left == 0; };
            messages.erase(std::remove_if(messages.begin(), messages.end(), hasCome),
                           messages.end());
            auto step = std::numeric_limits<int64_t>::max();
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                auto& state = states[rank];
                if (state.doing == 's' && state.toDo == 0)
                {
                    messages.push_back(
                        {flightNs, (rank + (1U << state.phase)) % n, state.round, state.phase});
                    state.sent = true;
                    state.posted = now;
                    state.doing = ' ';
                }
                else if (state.doing == 't' && state.toDo == 0)
                {
                    ++state.phase;
                    state.sent = false;
                    state.doing = ' ';
                }
                while (Go(state, now, phases, ends[rank]))
                {
                }
                if (state.doing != ' ')
                {
                    step = std::min(step, state.toDo);
                }
                if (state.computes && (who != INTERRUPT || state.doing == ' '))
                {
                    step = std::min(step, state.toCompute);
                }
            }
            for (const auto& message : messages)
            {
                step = std::min(step, message.left);
            }
            if (step == std::numeric_limits<int64_t>::max())
            {
                return ends;
            }
            now += step;
            for (auto& state : states)
            {
                const bool isBusy = state.doing != ' ';
                state.toDo -= isBusy ? step : 0;
                state.toCompute -= state.computes && (who != INTERRUPT || !isBusy) ? step : 0;
            }
            for (auto& message : messages)
            {
                message.left -= step;
            }
        }
    }

  private:
    struct State
    {
        Steps steps;          ///< all of them
        std::size_t next{0};  ///< step that is next or under way
        bool begun{false};    ///< whether it is under way
        int64_t toCompute{0}; ///< what is left of a computation
        bool computes{false}; ///< whether it computes
        char doing{' '};      ///< for the barrier: s(end), t(ake), nothing
        int64_t toDo{0};      ///< what is left of that
        uint32_t round{0};    ///< rounds entered
        uint32_t phase{0};    ///< step of the barrier
        bool sent{false};     ///< whether its message is sent
        int64_t posted{0};    ///< when it was
        bool inside{false};   ///< whether it has not left
        std::map<std::pair<uint32_t, uint32_t>, int64_t> arrived; ///< by round and step
    };

    /// Goes on with a member at an instant. @return whether something has changed @param phases
    /// number of steps of the barrier @param ends when its steps have ended
    bool Go(State& state, int64_t now, uint32_t phases, std::vector<int64_t>& ends) const
    {
        // The barrier: what is next of it begins, if whoever does it is free.
        const bool mayBegin =
            state.inside && state.doing == ' ' && (who != IN_CALL || !state.computes);
        if (mayBegin && state.phase == phases)
        {
            state.inside = false;
            return true;
        }
        if (mayBegin && !state.sent)
        {
            state.doing = 's';
            state.toDo = sendNs;
            return true;
        }
        const auto found = state.arrived.find({state.round, state.phase});
        if (mayBegin && found != state.arrived.end())
        {
            state.doing = 't';
            state.toDo = takeNs + (found->second < state.posted ? unexpectedNs : 0);
            // A message that comes to one who is at it already interrupts nothing more.
            if (who == INTERRUPT && state.computes && found->second == now && state.posted < now)
            {
                state.toDo += interruptNs;
            }
            return true;
        }

        // The program.
        const auto end = [&] {
            ends.push_back(now);
            ++state.next;
            state.begun = false;
            return true;
        };
        if (state.computes && state.toCompute == 0 && (who != INTERRUPT || state.doing == ' '))
        {
            state.computes = false;
            return end();
        }
        if (state.next == state.steps.size() || state.computes)
        {
            return false;
        }
        const bool isFree = who == INDEPENDENT || state.doing == ' ';
        const auto& [what, length] = state.steps[state.next];
        if (what == 'c' && isFree)
        {
            state.computes = true;
            state.toCompute = length;
            return true;
        }
        if (what == 'e' && !state.begun)
        {
            state.begun = state.inside = true;
            ++state.round;
            state.phase = 0;
            state.sent = false;
            return true;
        }
        return ((what == 'e' && isFree) || (what == 'w' && !state.inside)) && end();
    }
};

/// A step of a process: a group to enter (+1) or to wait for (-1), or a computation (0).
struct Step
{
    int phase;         ///< +1, -1, 0; 2: both
    uint32_t group;    ///< index of the group
    int64_t computeNs; ///< how long it computes
};

using Plan = std::vector<Step>;

struct Noted
{
    std::vector<int64_t> endsNs; ///< when its steps ended, in order
    std::vector<int64_t> tookNs; ///< how long they took
};

std::vector<Noted>
RunPlans(const std::vector<Ptr<Collective>>& groups,
         const std::vector<Plan>& plans,
         uint32_t rounds)
{
    std::vector<Noted> noted(plans.size());
    for (uint32_t host = 0; host < plans.size(); ++host)
    {
        auto process = CreateObject<CollectiveApplication>();
        process->SetAttribute("Repetitions", UintegerValue(rounds));
        for (const auto& step : plans[host])
        {
            if (step.phase == 0)
            {
                auto seconds = CreateObject<ConstantRandomVariable>();
                seconds->SetAttribute("Constant", DoubleValue(step.computeNs * 1e-9));
                process->AddComputation(seconds);
                continue;
            }
            const auto& group = groups[step.group];
            if (step.phase == 2)
            {
                process->AddCollective(group, group->GetRank(host));
            }
            else if (step.phase > 0)
            {
                process->AddEnter(group, group->GetRank(host), 1);
            }
            else
            {
                process->AddWait(group);
            }
        }
        Listen(process, "Step", [&its = noted[host]](uint32_t, Time duration) {
            its.endsNs.push_back(Simulator::Now().GetNanoSeconds());
            its.tookNs.push_back(duration.GetNanoSeconds());
        });
        Simulator::ScheduleNow(&Application::Initialize, process);
        Simulator::ScheduleDestroy(&Application::Dispose, process);
    }
    Simulator::Run();
    return noted;
}

Ptr<Collective>
MakeGroup(const std::string& name, Ptr<CollectiveDomain> domain, uint32_t n)
{
    auto group = CollectiveHelper::MakeBarrier(name);
    group->Create(domain, MakeRange(n));
    return group;
}

std::string
Ns(int64_t ns)
{
    return std::to_string(ns) + "ns";
}

TEST_CASE_WITH(PlainProgressTestCase,
               (uint32_t cases),
               "Progress as by a plain machine, " + std::to_string(cases) + " cases")
{
    auto draw = MakeRandom(7);
    const auto names = Words("in-call interrupt independent"); // in the order of Who
    uint32_t nTies = 0;
    for (uint32_t number = 0; number < cases; ++number)
    {
        const auto time = [&](uint32_t most) {
            return static_cast<int64_t>(draw->GetInteger(1, most));
        };
        const auto& progress = names[number % names.size()];
        PlainProgress machine;
        machine.who = static_cast<PlainProgress::Who>(number % names.size());
        machine.sendNs = time(5000);
        machine.flightNs = time(draw->GetInteger(0, 1) ? 9000 : 900);
        machine.takeNs = time(3000);
        machine.unexpectedNs = time(1000);
        machine.interruptNs = time(1000);
        machine.rounds = draw->GetInteger(1, 3);
        const auto members = draw->GetInteger(1, 9);
        std::vector<Plan> plans(members);
        for (auto& plan : plans)
        {
            PlainProgress::Steps steps;
            const auto scale = draw->GetInteger(0, 2) ? 60000 : 6000;
            const auto compute = [&] {
                steps.emplace_back('c', time(scale));
                plan.push_back({0, 0, steps.back().second});
            };
            compute();
            steps.emplace_back('e', 0);
            plan.push_back({1, 0, 0});
            for (auto pieces = draw->GetInteger(0, 3); pieces > 0; --pieces)
            {
                compute();
            }
            steps.emplace_back('w', 0);
            plan.push_back({-1, 0, 0});
            machine.members.push_back(steps);
        }
        auto domain = WithSoftware({{"StartUp", Ns(machine.sendNs)},
                                    {"ReceiveOverhead", Ns(machine.takeNs)},
                                    {"UnexpectedTime", Ns(machine.unexpectedNs)},
                                    {"InterruptTime", Ns(machine.interruptNs)},
                                    {"Progress", progress}})
                          .InstallIdeal(members, NanoSeconds(machine.flightNs));
        const auto noted =
            RunPlans({MakeGroup("dissemination", domain, members)}, plans, machine.rounds);
        const auto expected = machine.Run();
        nTies += machine.hasTie;
        for (uint32_t rank = 0; rank < members && !machine.hasTie; ++rank)
        {
            const bool isRight = noted[rank].endsNs == expected[rank];
            const auto what = "case " + std::to_string(number) + ", " + progress + ", rank ";
            NS_TEST_ASSERT_MSG_EQ(isRight, true, what << rank << " of " << members);
        }
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_LT(nTies * 20, cases, "nearly all cases are judged");
}

TEST_CASE(SplitLawsTestCase, "Laws of entering and waiting")
{
    constexpr uint32_t ROUNDS = 3; // how often each schedule is done
    auto draw = MakeRandom(11);
    for (const auto& [name, progress] :
         Combine(CollectiveHelper::GetNames("barrier"), HostSoftware::GetProgressNames()))
    {
        // A: all hosts, B: some; entered and waited for in both orders.
        constexpr uint32_t HOSTS = 12;
        const auto some = draw->GetInteger(2, HOSTS);
        const auto software = WithSoftware(
            {{"ReceiveOverhead", "1us"}, {"InterruptTime", "1us"}, {"Progress", progress}});
        const auto domain =
            InstallDomain(DrawFabric(8, HOSTS, draw->GetInteger(1, 1000)), software);
        const auto a = MakeGroup(name, domain, HOSTS);
        const auto b = MakeGroup(name == "multicast" ? "unicast" : name, domain, some);
        const bool nested = draw->GetInteger(0, 1);
        std::vector<Plan> plans(HOSTS);
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            auto& plan = plans[host];
            const auto compute = [&] { plan.push_back({0, 0, draw->GetInteger(0, 30000)}); };
            const bool inB = host < some;
            plan.push_back({1, 0, 0});
            compute();
            plan.push_back({inB ? 1 : 0, 1, 0});
            compute();
            plan.push_back({inB || !nested ? -1 : 0, nested && inB ? 1U : 0U, 0});
            compute();
            plan.push_back({inB || nested ? -1 : 0, nested || !inB ? 0U : 1U, 0});
        }
        const auto noted = RunPlans({a, b}, plans, ROUNDS);
        constexpr uint32_t STEPS = 7;
        const auto what = name + ", " + progress;
        for (const auto& its : noted)
        {
            NS_TEST_ASSERT_MSG_EQ(its.endsNs.size(), STEPS * ROUNDS, what << ": all waits end");
        }
        const auto steps = Combine(MakeRange(HOSTS), MakeRange(STEPS));
        for (uint32_t first = 0; first < STEPS * ROUNDS; first += STEPS)
        {
            int64_t entered[2] = {0, 0}; // begin of the last member's step
            for (const auto& [host, i] : steps)
            {
                const auto& step = plans[host][i];
                const auto began = noted[host].endsNs[first + i] - noted[host].tookNs[first + i];
                if (step.phase > 0)
                {
                    entered[step.group] = std::max(entered[step.group], began);
                }
            }
            for (const auto& [host, i] : steps)
            {
                const auto& step = plans[host][i];
                const bool isEarly =
                    step.phase < 0 && noted[host].endsNs[first + i] < entered[step.group];
                NS_TEST_ASSERT_MSG_EQ(isEarly, false, what << ": nobody's wait ends too early");
                const bool isShort = noted[host].tookNs[first + i] < step.computeNs;
                NS_TEST_ASSERT_MSG_EQ(isShort, false, what << ": computing takes its time");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(domain->ExplainMissing(), "", name);
        Simulator::Destroy();
    }
}

TEST_CASE(SplitTimeTestCase, "Time of a step that enters, computes and waits")
{
    // Returns how long a step takes, ns. phases: whether it enters and waits in two steps, or in
    // one that comes after computing
    const auto measureStep = [&](Ptr<Collective> group, int64_t computeNs, bool phases) -> int64_t {
        const auto plan = phases ? Plan{{1, 0, 0}, {0, 0, computeNs}, {-1, 0, 0}}
                                 : Plan{{0, 0, computeNs}, {2, 0, 0}};
        const auto begin = Simulator::Now().GetNanoSeconds();
        const std::vector<Plan> plans(group->GetNMembers(), plan);
        const auto endOf = [](const auto& its) {
            return its.endsNs.empty() ? 0 : its.endsNs.back();
        };
        return GreatestOf(int64_t{0}, RunPlans({group}, plans, 1), endOf) - begin;
    };
    constexpr uint32_t N = 8;   // members, 3 steps of dissemination
    constexpr int64_t S = 2000; // ns, a send
    constexpr int64_t F = 5000; // ns, a flight
    constexpr int64_t R = 1000; // ns, taking a message
    constexpr int64_t I = 300;  // ns, an interrupt
    constexpr int64_t BARRIER = 3 * (S + F + R);
    for (const int64_t computeNs : {0, 100, 4000, 5500, 12000, 23000, 90000})
    {
        const auto step = [&](const std::string& progress) {
            auto domain = WithSoftware({{"StartUp", Ns(S)},
                                        {"ReceiveOverhead", Ns(R)},
                                        {"InterruptTime", Ns(I)},
                                        {"Progress", progress}})
                              .InstallIdeal(N, NanoSeconds(F));
            const auto took = measureStep(MakeGroup("dissemination", domain, N), computeNs, true);
            Simulator::Destroy();
            return took;
        };
        NS_TEST_EXPECT_MSG_EQ(step("independent"), std::max(computeNs, BARRIER), computeNs);
        // Only the first message's flight is hidden.
        const auto shown = BARRIER + std::max<int64_t>(0, computeNs - F);
        NS_TEST_EXPECT_MSG_EQ(step("in-call"), shown, computeNs);
        // Computing takes longer by taking three messages, two sends and three interrupts.
        const auto interrupted = step("interrupt");
        if (computeNs >= 23000)
        {
            NS_TEST_EXPECT_MSG_EQ(interrupted, computeNs + 3 * (S + R + I), computeNs);
        }
        else if (computeNs <= 4000)
        {
            NS_TEST_EXPECT_MSG_EQ(interrupted, BARRIER, computeNs);
        }

        // Hardware: with no time of the host's, all of it is hidden.
        for (const auto& [name, interfaceNs] :
             Combine<std::string, int64_t>({"hw-1", "hw-all"}, {0, 1000}))
        {
            auto helper = WithSoftware({});
            helper.SetAddOnNetworkAttribute("InterfaceTime", TimeValue(NanoSeconds(interfaceNs)));
            const auto group = MakeGroup(name, InstallDomain(DrawFabric(8, N), helper), N);
            constexpr int64_t LATENCY = 2600;
            const auto wanted = std::max(LATENCY, computeNs + 2 * interfaceNs);
            NS_TEST_EXPECT_MSG_EQ(measureStep(group, computeNs, true), wanted, name);
            Simulator::Destroy();
        }
    }

    // Steps that enter and wait at once are as long as one that does both, and with an engine
    // of its own, computing and the barrier run side by side, whatever the algorithm.
    for (const auto& name : CollectiveHelper::GetNames("barrier"))
    {
        const auto measure = [&](const std::string& progress, int64_t computeNs, bool phases) {
            const auto software =
                WithSoftware({{"Progress", progress}, {"ReceiveOverhead", "1us"}});
            const auto group = MakeGroup(name, InstallDomain(DrawFabric(8, 11, 3), software), 11);
            Simulator::Run(); // until registers are set up
            const auto took = measureStep(group, computeNs, phases);
            Simulator::Destroy();
            return took;
        };
        const auto alone = measure("independent", 0, false);
        NS_TEST_EXPECT_MSG_EQ(measure("independent", 0, true), alone, name);
        NS_TEST_EXPECT_MSG_EQ(measure("in-call", 0, true), alone, name);
        for (const int64_t computeNs : {alone / 2, 2 * alone})
        {
            const auto longer = std::max(computeNs, alone);
            NS_TEST_EXPECT_MSG_EQ(measure("independent", computeNs, true), longer, name);
            NS_TEST_EXPECT_MSG_EQ(measure("in-call", computeNs, false), alone + computeNs, name);
            const auto inCall = measure("in-call", computeNs, true);
            NS_TEST_EXPECT_MSG_EQ((inCall >= longer), true, name);
            NS_TEST_EXPECT_MSG_EQ((inCall <= alone + computeNs), true, name);
        }
    }
}

TEST_CASE(SplitMistakesTestCase, "Schedules that enter and wait in a wrong order")
{
    const auto barrier = CollectiveHelper::MakeBarrier("dissemination");
    const auto other = CollectiveHelper::MakeBarrier("pairwise");
    CollectiveApplicationHelper program;
    Refuses([&] { program.AddEnter(nullptr); }, "expected a collective");
    Refuses([&] { program.AddWait(nullptr); }, "expected a collective");
    Refuses([&] { program.AddWait(barrier); },
            "step 0 of a schedule waits for a collective that was not entered; expected one "
            "that an earlier step has entered");
    program.AddComputation("ns3::ConstantRandomVariable[Constant=1e-6]");
    program.AddEnter(barrier);
    const std::string again = "step 2 of a schedule enters the collective that step 1 has "
                              "entered; expected a wait for it in between";
    Refuses([&] { program.AddEnter(barrier); }, again);
    Refuses([&] { program.AddCollective(barrier); }, again);
    Refuses([&] { program.AddWait(other); }, "expected one of those entered by step 1");
    const auto domain = CollectiveHelper().InstallIdeal(2, MicroSeconds(1));
    Refuses([&] { program.Install(domain, {0, 1}); },
            "a schedule ends at step 2 without a wait for the collective that step 1 enters; "
            "expected a wait for each that is entered");
    program.AddWait(barrier);
    Refuses([&] { program.AddWait(barrier); }, "waits for a collective that was not entered");
    program.AddEnter(barrier);
    program.AddEnter(other);
    program.AddWait(barrier);
    program.AddWait(other);
    auto processes = program.Install(domain, {0, 1});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(DynamicCast<CollectiveApplication>(processes.Get(1))->GetNDone(), 1, "");
    Simulator::Destroy();

    Refuses([] { WithSoftware({{"Progress", "never"}}).InstallIdeal(1, Time(0)); },
            "in-call, interrupt or independent");
    NS_TEST_EXPECT_MSG_EQ(Attributes("Progress=never|Transport=").count("Transport"), 1, "empty");
}

TEST_CASE(GrowingScheduleTestCase, "A schedule that grows while its process enters a collective")
{
    const auto domain = CollectiveHelper().InstallIdeal(1, MicroSeconds(1));
    const auto group = MakeGroup("dissemination", domain, 1);
    auto process = CreateObject<CollectiveApplication>();
    process->AddEnter(group, 0);
    process->AddWait(group);
    process->SetAttribute("Repetitions", UintegerValue(1));
    auto more = CreateObject<ConstantRandomVariable>();
    Listen(group, "Enter", [&](uint32_t, uint64_t) {
        for (uint32_t step = 0; step < 8; ++step)
        {
            process->AddComputation(more);
        }
    });
    Simulator::ScheduleNow(&Application::Initialize, process);
    Simulator::ScheduleDestroy(&Application::Dispose, process);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(process->GetNDone(), 1, "all steps");
    Simulator::Destroy();
}

TEST_CASE(SplitStudyTestCase, "Study of split-phase barriers")
{
    const auto measure = [](const std::string& more) {
        return AskedStudy("split-barrier",
                          "topology=torus:3x3,hosts=1 compute=0us,1us,30us steps=5 " + more);
    };
    const std::string six = "algorithms=hw-1,btin,dissemination[Transport=rdma] members=6";
    const auto study = measure(six);
    NS_TEST_EXPECT_MSG_EQ(study.GetNRows(), 3 * 3 * 2 * 3, "all combinations");
    for (std::size_t row = 0; row < study.GetNRows(); ++row)
    {
        const auto get = [&](const std::string& column) { return study.Get(row, column); };
        const auto algorithm = study.GetText(row, "algorithm");
        const auto progress = study.GetText(row, "progress");
        const auto what = algorithm + ", " + progress;
        const auto compute = get("compute_us");
        constexpr double SMALL = 1e-6;
        NS_TEST_EXPECT_MSG_GT(get("split_us"), compute * 0.8, what);
        const auto saved = 100 * (get("blocking_us") - get("split_us")) / get("barrier_us");
        Within(get("saved_percent"), saved, SMALL, what);
        if (get("imbalance_percent") > 0)
        {
            continue;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(get("blocking_us"), compute + get("barrier_us"), SMALL, what);
        if (algorithm == "hw-1")
        {
            // The process takes 1 us to enter and 1 us to fetch, which an interrupt precedes.
            const auto host = progress == "independent" ? 0.0
                              : progress == "in-call"   ? 2.0
                                                        : 2.0 + (compute > 0);
            NS_TEST_EXPECT_MSG_EQ_TOL(get("split_us"), std::max(2.6, compute + host), SMALL, what);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(measure(six).GetCsv(), study.GetCsv(), "the same every time");
    const auto other = measure(six + " stream=100").GetCsv();
    NS_TEST_EXPECT_MSG_NE(other, study.GetCsv(), "other computing times");
    Refuses([&] { measure("algorithms=hw-1,hw-3"); }, "hw-3");
    Refuses([&] { measure("members=10"); }, "expected 1 to 9");
    Refuses([&] { AskedStudy("split-barrier", "compute="); }, "has no value; expected");
}

ADD_CASES()
{
    AddQuick<PlainProgressTestCase>(600);
    AddExtensive<PlainProgressTestCase>(12000);
}

} // namespace
