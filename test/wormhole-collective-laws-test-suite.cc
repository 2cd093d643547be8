/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "random-fabric.h"
#include "test-tools.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-registry.h"
#include "ns3/communication-schedule.h"
#include "ns3/linked-schedules.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/tree-shapes.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

using namespace ns3;

namespace
{

/// Kinds of collectives.
const std::vector<std::string> KINDS{"barrier", "broadcast", "reduction"};

/// @return algorithms of a kind, as many ways as there are to set them, with one process a host or
/// more @param kind the kind @param severalTasks whether hosts have several processes
std::vector<std::string>
Algorithms(const std::string& kind, bool severalTasks)
{
    std::vector<std::string> names;
    for (const auto& name : CollectiveHelper::GetNames(kind))
    {
        const bool isHardware = name == "btin" || name.find("hw-") == 0;
        const bool oneTask = isHardware || name == "multicast";
        if (name == "smp" && kind == "reduction")
        {
            names.push_back("btin");
        }
        if (!severalTasks || !oneTask)
        {
            names.push_back(name);
            if (!isHardware)
            {
                names.push_back(name + "[Transport=rdma]");
            }
        }
        if (name == "tree")
        {
            for (const std::string tree :
                 {"sequential", "chain", "binary", "kary-8", "fibo", "fibo-1-3"})
            {
                names.push_back(name + "[Tree=" + tree + "]");
            }
        }
        else if (name == "smp")
        {
            for (const auto& inner : CollectiveHelper::GetNames(kind))
            {
                if (inner != "smp")
                {
                    names.push_back(name + "[Inner=" + inner + "]");
                }
            }
        }
    }
    return names;
}

/// Runs schedules without a simulator, in random order, and notes whose values reach whom.
class PureRun
{
  public:
    /// @param schedules by rank @param rng random numbers
    PureRun(const std::vector<CommunicationSchedule>& schedules, Ptr<UniformRandomVariable> rng)
        : done(schedules.size(), false),
          counts(schedules.size()),
          m_schedules(schedules),
          m_next(schedules.size(), 0)
    {
        const auto n = static_cast<uint32_t>(schedules.size());
        std::vector<uint32_t> able(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            counts[rank].assign(n, 0);
            counts[rank][rank] = 1;
            able[rank] = rank;
        }
        // Everybody who might go on is tried, one picked at random after the other.
        while (!able.empty())
        {
            std::swap(able[rng->GetInteger(0, static_cast<uint32_t>(able.size()) - 1)],
                      able.back());
            const auto rank = able.back();
            able.pop_back();
            for (const auto woken : GoOn(rank))
            {
                able.push_back(woken);
            }
        }
    }

    std::vector<bool> done;                    ///< by rank, whether it has left
    std::vector<std::vector<uint32_t>> counts; ///< by rank: how often each member's value is in its

  private:
    /// A message: sender, receiver, tag.
    using Key = std::array<uint32_t, 3>;

    /// Goes on with a member's steps. @param rank the member @return whom it sent to
    std::vector<uint32_t> GoOn(uint32_t rank)
    {
        std::vector<uint32_t> woken;
        const auto& steps = m_schedules[rank].GetSteps();
        for (auto& next = m_next[rank]; next < steps.size(); ++next)
        {
            const auto& step = steps[next];
            if (step.kind == ScheduleStep::SEND)
            {
                m_messages[{rank, step.peer, step.tag}] = counts[rank];
                woken.push_back(step.peer);
            }
            else if (step.kind == ScheduleStep::MULTICAST)
            {
                for (uint32_t to = 0; to < m_schedules.size(); ++to)
                {
                    m_messages[{rank, to, step.tag}] = counts[rank];
                    woken.push_back(to);
                }
            }
            else
            {
                const auto found = m_messages.find({step.peer, rank, step.tag});
                if (found == m_messages.end())
                {
                    return woken;
                }
                if (step.kind == ScheduleStep::REPLACE)
                {
                    counts[rank] = found->second;
                }
                for (uint32_t i = 0; step.kind == ScheduleStep::COMBINE && i < counts.size(); ++i)
                {
                    counts[rank][i] += found->second[i];
                }
                m_messages.erase(found);
            }
        }
        done[rank] = true;
        return woken;
    }

    const std::vector<CommunicationSchedule>& m_schedules; ///< by rank
    std::vector<std::size_t> m_next;                       ///< by rank
    std::map<Key, std::vector<uint32_t>> m_messages;       ///< on their way
};

/// Watches a group's rounds: members come at random times, and the laws of its kind must hold.
class KindWatch
{
  public:
    /// @param collective the group's collective @param kind its kind @param rounds how many rounds
    /// @param rng random numbers @param latest most that a member waits before it comes again
    KindWatch(Ptr<Collective> collective,
              const std::string& kind,
              uint32_t rounds,
              Ptr<UniformRandomVariable> rng,
              uint32_t latest)
        : m_collective(collective),
          m_kind(kind),
          m_rounds(rounds),
          m_rng(rng),
          m_latest(latest)
    {
        collective->TraceConnectWithoutContext("Ready", MakeCallback(&KindWatch::Ready, this));
        collective->TraceConnectWithoutContext("Enter", MakeCallback(&KindWatch::Enter, this));
        collective->TraceConnectWithoutContext("Leave", MakeCallback(&KindWatch::Leave, this));
    }

    uint32_t early{0}; ///< leavings before those had come whom the member must wait for
    uint32_t wrong{0}; ///< results that are wrong

    /// @return whether everybody has left all rounds
    bool AllLeft() const
    {
        return !m_left.empty() && *std::min_element(m_left.begin(), m_left.end()) == m_rounds;
    }

  private:
    /// The group is ready: everybody will come.
    void Ready(Time)
    {
        const auto n = m_collective->GetNMembers();
        m_left.assign(n, 0);
        m_entered.assign(n, 0);
        m_results.assign(m_rounds, 0);
        m_came.assign(m_rounds, 0);
        m_rootCame.assign(m_rounds, false);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            Come(rank);
        }
    }

    /// A member will come, sooner or later. @param rank the member
    void Come(uint32_t rank)
    {
        // Some at once, most later.
        const auto delay = m_rng->GetInteger(0, 3) == 0 ? 0 : m_rng->GetInteger(0, m_latest);
        Simulator::Schedule(PicoSeconds(delay), &KindWatch::DoCome, this, rank);
    }

    /// A member comes. @param rank the member
    void DoCome(uint32_t rank)
    {
        UintegerValue width;
        m_collective->GetAttribute("WidthBits", width);
        const uint64_t value = m_rng->GetInteger(0, 100'000);
        m_collective->Enter(rank, width.Get() == 1 ? value > 3000 : value);
    }

    /// A member has come. @param rank the member @param value its value
    void Enter(uint32_t rank, uint64_t value)
    {
        const auto round = m_entered[rank]++;
        auto& result = m_results[round];
        if (m_kind != "broadcast")
        {
            result = m_came[round] == 0 ? value : m_collective->CombineValues(result, value);
        }
        else if (rank == m_collective->GetRoot())
        {
            result = value;
        }
        ++m_came[round];
        m_rootCame[round] = m_rootCame[round] || rank == m_collective->GetRoot();
    }

    /// A member leaves. @param rank the member @param result the result
    void Leave(uint32_t rank, uint64_t result)
    {
        const auto round = m_left[rank]++;
        const bool allCame = m_came[round] == m_collective->GetNMembers();
        if (m_kind == "barrier" || (m_kind == "reduction" && rank == m_collective->GetRoot()))
        {
            early += !allCame;
            wrong += result != m_results[round];
        }
        else if (m_kind == "broadcast")
        {
            early += !m_rootCame[round];
            wrong += result != m_results[round];
        }
        else
        {
            wrong += result != 0;
        }
        if (m_left[rank] < m_rounds)
        {
            Come(rank);
        }
    }

    Ptr<Collective> m_collective;     ///< the group's collective
    std::string m_kind;               ///< its kind
    uint32_t m_rounds;                ///< how many rounds
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
    uint32_t m_latest;                ///< most that a member waits before it comes again, ps
    std::vector<uint32_t> m_left;     ///< rounds that each member has left
    std::vector<uint32_t> m_entered;  ///< rounds that each member has entered
    std::vector<uint32_t> m_came;     ///< members that have come, by round
    std::vector<bool> m_rootCame;     ///< whether the root has come, by round
    std::vector<uint64_t> m_results;  ///< what is right, by round
};

/// A fabric with collectives, and random numbers.
struct Bench
{
    Ptr<CollectiveDomain> domain;   ///< its collectives
    Ptr<UniformRandomVariable> rng; ///< random numbers
};

/// @return a random fabric @param switches of it @param hosts of it @param costs whether software
/// costs all it can cost, with jitter
Bench
MakeBench(uint32_t switches, uint32_t hosts, bool costs)
{
    StartAnew();
    const auto graph = DrawFabric(switches, hosts);
    CollectiveHelper helper;
    if (costs)
    {
        for (const std::string name : {"SendOverhead",
                                       "ReceiveOverhead",
                                       "MatchingTime",
                                       "DescriptorTime",
                                       "UnexpectedTime",
                                       "PostTime",
                                       "PollTime",
                                       "FlagTime"})
        {
            helper.SetSoftwareAttribute(name, StringValue("0.3us"));
        }
        helper.SetSoftwareAttribute("PollInterval", StringValue("0.7us"));
        for (const std::string name : {"SendJitter", "ReceiveJitter"})
        {
            helper.SetSoftwareAttribute(name,
                                        StringValue("ns3::UniformRandomVariable[Min=0|Max=3e-6]"));
        }
    }
    helper.SetUnitAttribute("Registers", UintegerValue(64));
    Bench bench{helper.Install(WormholeHelper().Install(graph), graph),
                CreateObject<UniformRandomVariable>()};
    CollectiveHelper::AssignStreams(bench.domain, 100);
    bench.rng->SetStream(7);
    for (uint32_t host = 1; costs && host < hosts; host += 3)
    {
        bench.domain->GetSoftware(host)->SetAttribute("Ports", UintegerValue(1 + host % 4));
        bench.domain->GetSoftware(host)->SetAttribute("StartUp", TimeValue(NanoSeconds(host)));
    }
    return bench;
}

/// @return a collective whose values have 32 bits, or as many as it can @param kind its kind @param
/// name its name
/// @param operation how it combines
Ptr<Collective>
MakeWide(const std::string& kind, const std::string& name, const std::string& operation)
{
    auto collective = CollectiveHelper::MakeCollective(kind, name);
    if (name.find("hw-1") == std::string::npos)
    {
        collective->SetAttribute("Operation", StringValue(operation));
        collective->SetAttribute("WidthBits", UintegerValue(32));
    }
    return collective;
}

/// @return hosts of a group's members, in random order @param n number of members
/// @param tasks most members of a host @param bench the hosts
std::vector<uint32_t>
DrawHosts(uint32_t n, uint32_t tasks, Bench& bench)
{
    std::vector<uint32_t> places;
    for (uint32_t host = 0; host < bench.domain->GetNHosts(); ++host)
    {
        places.insert(places.end(), tasks, host);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        std::swap(places[i],
                  places[bench.rng->GetInteger(i, static_cast<uint32_t>(places.size()) - 1)]);
    }
    places.resize(n);
    return places;
}

} // namespace

/**
 * @ingroup wormhole-tests
 * Schedules, without a simulator: everybody leaves, and each depends on all whom it must wait for;
 * with ADD each member counts once. Every n to 40 and some to 500.
 */
class ScheduleLawsTestCase : public TestCase
{
  public:
    /// @param kind kind of collective @param name algorithm
    ScheduleLawsTestCase(const std::string& kind, const std::string& name)
        : TestCase("Schedules: " + kind + " " + name),
          m_kind(kind),
          m_name(name)
    {
    }

  private:
    void DoRun() override
    {
        auto rng = CreateObject<UniformRandomVariable>();
        rng->SetStream(3);
        std::vector<uint32_t> sizes{64, 65, 127, 128, 500};
        for (uint32_t n = 1; n <= 40; ++n)
        {
            sizes.push_back(n);
        }
        const auto collective = CollectiveHelper::MakeCollective(m_kind, m_name);
        const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(collective));
        NS_TEST_ASSERT_MSG_NE(maker, nullptr, m_name << " has schedules");
        for (const auto n : sizes)
        {
            ScheduleRequest request;
            request.members = n;
            request.root = rng->GetInteger(0, n - 1);
            request.s = MicroSeconds(rng->GetInteger(1, 5));
            request.r = MicroSeconds(rng->GetInteger(0, 20));
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                request.hosts.push_back(rng->GetInteger(0, n / 2));
            }
            request.operation = CollectiveOperation::ADD;
            bool adds = true;
            std::vector<CommunicationSchedule> schedules;
            const auto refusal = ErrorOf([&] { schedules = maker->MakeSchedules(request); });
            if (n < 27 && refusal.find("or more; there are " + std::to_string(n)) != refusal.npos)
            {
                continue; // radices for more members
            }
            if (!refusal.empty())
            {
                NS_TEST_EXPECT_MSG_NE(refusal.find("can't ADD"), std::string::npos, refusal);
                adds = false;
                request.operation = CollectiveOperation::MAX;
                schedules = maker->MakeSchedules(request);
            }
            LinkedSchedules linked(schedules);
            Check(PureRun(schedules, rng), request, adds);
        }
    }

    /// Judges a run. @param run the run @param request the group @param adds whether it can add
    void Check(const PureRun& run, const ScheduleRequest& request, bool adds)
    {
        const auto n = request.members;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            NS_TEST_ASSERT_MSG_EQ(run.done[rank], true, "n " << n << ": " << rank << " leaves");
            if (m_kind == "reduction" && rank != request.root)
            {
                continue;
            }
            uint32_t bad = 0;
            for (uint32_t other = 0; other < n; ++other)
            {
                const auto count = run.counts[rank][other];
                if (m_kind == "broadcast")
                {
                    bad += count != (other == request.root);
                }
                else
                {
                    bad += adds ? count != 1 : count == 0;
                }
            }
            NS_TEST_ASSERT_MSG_EQ(bad, 0, "n " << n << ": what rank " << rank << " knows");
        }
    }

    std::string m_kind; ///< kind of collective
    std::string m_name; ///< algorithm
};

/**
 * @ingroup wormhole-tests
 * The laws of an algorithm's kind on a fabric: every n from 1 to 40 and some larger, staggered,
 * late and repeated rounds, all operations, hosts with one process or several, with jitter.
 */
class CollectiveLawsTestCase : public TestCase
{
  public:
    /// @param kind kind of collective @param tasks most members of a host
    CollectiveLawsTestCase(const std::string& kind, uint32_t tasks)
        : TestCase("Laws: " + kind + ", at most " + std::to_string(tasks) + " members a host"),
          m_kind(kind),
          m_tasks(tasks)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> operations{"ADD", "AND", "OR", "MIN", "MAX"};
        constexpr uint32_t ROUNDS = 3;
        auto bench = MakeBench(24, 64, true);
        uint32_t number = 0;
        for (const auto& name : Algorithms(m_kind, m_tasks > 1))
        {
            for (uint32_t n = 1; n <= 41; ++n)
            {
                const auto operation = operations[++number % operations.size()];
                const auto size = n == 41 ? 64 : n;
                const auto hosts = DrawHosts(size, m_tasks, bench);
                // Now close together, now so far apart that nearly all messages come unexpected.
                const uint32_t latest = number % 2 ? 2'000'000 : 60'000'000;
                auto collective = MakeWide(m_kind, name, operation);
                KindWatch watch(collective, m_kind, ROUNDS, bench.rng, latest);
                const auto refusal = ErrorOf([&] { collective->Create(bench.domain, hosts); });
                if (!refusal.empty())
                {
                    NS_TEST_ASSERT_MSG_NE(refusal.find("can't ADD"), std::string::npos, refusal);
                    collective->SetAttribute("Operation", StringValue("MAX"));
                    collective->Create(bench.domain, hosts);
                }
                Simulator::Run();
                NS_TEST_ASSERT_MSG_EQ(watch.early, 0, name << ", n " << size << ": left early");
                NS_TEST_ASSERT_MSG_EQ(watch.wrong, 0, name << ", n " << size << ": wrong results");
                NS_TEST_ASSERT_MSG_EQ(watch.AllLeft(), true, name << ", n " << size << ": left");
                NS_TEST_ASSERT_MSG_EQ(bench.domain->ExplainMissing(), "", "nobody is missing");
                collective->Release();
                Simulator::Run();
                collective->Dispose();
            }
        }
        Simulator::Destroy();
    }

    std::string m_kind; ///< kind of collective
    uint32_t m_tasks;   ///< most members of a host
};

/**
 * @ingroup wormhole-tests
 * All algorithms of all kinds at once, in groups that overlap, on the same hosts.
 */
class OverlappingGroupsTestCase : public TestCase
{
  public:
    OverlappingGroupsTestCase()
        : TestCase("All algorithms at once in groups that overlap")
    {
    }

  private:
    void DoRun() override
    {
        auto bench = MakeBench(24, 64, true);
        std::vector<std::unique_ptr<KindWatch>> watches;
        std::vector<Ptr<Collective>> collectives;
        std::vector<std::string> names;
        for (const auto& kind : KINDS)
        {
            for (const uint32_t tasks : {1, 3})
            {
                for (const auto& name : Algorithms(kind, tasks > 1))
                {
                    collectives.push_back(MakeWide(kind, name, "MAX"));
                    watches.push_back(std::make_unique<KindWatch>(collectives.back(),
                                                                  kind,
                                                                  4,
                                                                  bench.rng,
                                                                  30'000'000));
                    names.push_back(kind + " " + name);
                    const auto n = bench.rng->GetInteger(1, 50);
                    collectives.back()->Create(bench.domain, DrawHosts(n, tasks, bench));
                }
            }
        }
        Simulator::Run();
        for (std::size_t i = 0; i < watches.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(watches[i]->early, 0, names[i] << ": left early");
            NS_TEST_EXPECT_MSG_EQ(watches[i]->wrong, 0, names[i] << ": wrong results");
            NS_TEST_EXPECT_MSG_EQ(watches[i]->AllLeft(), true, names[i] << ": all left");
            collectives[i]->Dispose();
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup wormhole-tests
 * Large groups on a fabric of 512 hosts.
 */
class LargeGroupsTestCase : public TestCase
{
  public:
    /// @param kind kind of collective
    explicit LargeGroupsTestCase(const std::string& kind)
        : TestCase("Laws in large groups: " + kind),
          m_kind(kind)
    {
    }

  private:
    void DoRun() override
    {
        auto bench = MakeBench(150, 512, false);
        for (const auto& name : CollectiveHelper::GetNames(m_kind))
        {
            for (const uint32_t n : {100, 255, 500})
            {
                auto collective = MakeWide(m_kind, name, "MAX");
                KindWatch watch(collective, m_kind, 2, bench.rng, 100'000'000);
                collective->Create(bench.domain, DrawHosts(n, 1, bench));
                Simulator::Run();
                NS_TEST_ASSERT_MSG_EQ(watch.early, 0, name << ", n " << n << ": left early");
                NS_TEST_ASSERT_MSG_EQ(watch.wrong, 0, name << ", n " << n << ": wrong results");
                NS_TEST_ASSERT_MSG_EQ(watch.AllLeft(), true, name << ", n " << n << ": left");
                collective->Dispose();
            }
        }
        Simulator::Destroy();
    }

    std::string m_kind; ///< kind of collective
};

/**
 * @ingroup wormhole-tests
 * Laws of all collectives, found in the registry of types, so that none is forgotten.
 */
class WormholeCollectiveLawsTestSuite : public TestSuite
{
  public:
    WormholeCollectiveLawsTestSuite()
        : TestSuite("wormhole-collective-laws", TestSuite::Type::UNIT)
    {
        for (const auto& kind : KINDS)
        {
            for (const auto& name : Algorithms(kind, false))
            {
                const auto isPure = name.find("btin") == std::string::npos &&
                                    name.find("hw-") == std::string::npos &&
                                    name.find("Transport") == std::string::npos;
                if (isPure)
                {
                    AddTestCase(new ScheduleLawsTestCase(kind, name), WORMHOLE_TEST_QUICK);
                }
            }
            for (const std::string radices : {"3", "7", "4,2", "2,4", "3,3,3", "5,2,2"})
            {
                if (kind != "broadcast")
                {
                    AddTestCase(
                        new ScheduleLawsTestCase(kind, "butterfly[Radices=" + radices + "]"),
                        WORMHOLE_TEST_QUICK);
                }
            }
            AddTestCase(new CollectiveLawsTestCase(kind, 1), WORMHOLE_TEST_QUICK);
            AddTestCase(new CollectiveLawsTestCase(kind, 2), WORMHOLE_TEST_QUICK);
            AddTestCase(new CollectiveLawsTestCase(kind, 3), WORMHOLE_TEST_QUICK);
            AddTestCase(new LargeGroupsTestCase(kind), WORMHOLE_TEST_QUICK);
        }
        AddTestCase(new OverlappingGroupsTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// The suite.
static WormholeCollectiveLawsTestSuite g_wormholeCollectiveLawsTestSuite;
