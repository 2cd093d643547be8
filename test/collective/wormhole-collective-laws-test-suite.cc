/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-invariants.h"
#include "ns3/collective-registry.h"
#include "ns3/group-schedules.h"
#include "ns3/invariant-checker.h"
#include "ns3/schedule-invariants.h"
#include "ns3/tree-shapes.h"

using namespace ns3;

namespace
{

const std::vector<std::string> KINDS{"barrier", "broadcast", "reduction"};

/// @return algorithms of a kind, as many ways as there are to set them, with one process a host or
/// more @param severalTasks whether hosts have several processes
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
            if (name == "throttled")
            {
                names.push_back("throttled[Inner=mpich|Window=2|Gap=3us]");
            }
            else if (name == "network-done")
            {
                names.push_back("network-done[Method=acks]");
            }
            else if (name == "tournament")
            {
                names.insert(names.end(), {"tournament[Radix=3]", "tournament[Radix=8]"});
            }
            if (!isHardware && name != "throttled" && name != "network-done")
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

/// A fabric with collectives, and random numbers.
struct Bench
{
    Ptr<CollectiveDomain> domain;   ///< its collectives
    Ptr<UniformRandomVariable> rng; ///< random numbers
};

/// @return a random fabric @param costs whether software costs all it can cost, with jitter
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
        // Most messages are longer than the limit, and are cut.
        for (const std::string name : {"SendDataRate", "ReceiveDataRate", "CopyDataRate"})
        {
            helper.SetSoftwareAttribute(name, StringValue("77Mbps"));
        }
        helper.SetSoftwareAttribute("MessageGap", StringValue("0.9us"));
        helper.SetSoftwareAttribute("EagerLimit", UintegerValue(3));
        helper.SetSoftwareAttribute("MaxPacketBytes", UintegerValue(3));
        helper.SetSoftwareAttribute("PacketHeaderBytes", UintegerValue(2));
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
        bench.domain->GetSoftware(host)->SetAttribute("MaxConcurrentSends",
                                                      UintegerValue(1 + host % 4));
        bench.domain->GetSoftware(host)->SetAttribute("StartUp", TimeValue(NanoSeconds(host)));
        bench.domain->GetSoftware(host)->SetAttribute("EagerLimit", UintegerValue(host % 7));
        bench.domain->GetSoftware(host)->SetAttribute("MaxPacketBytes", UintegerValue(host % 5));
    }
    return bench;
}

/// @return a collective whose values have 32 bits, or as many as it can
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

/// @return hosts of a group's members, in random order @param tasks most members of a host
std::vector<uint32_t>
DrawHosts(uint32_t n, uint32_t tasks, Bench& bench)
{
    return InvariantChecker::DrawHosts(n, bench.domain->GetNHosts(), tasks, bench.rng);
}

} // namespace

/// Schedules, without a simulator: everybody leaves, and each depends on all whom it must wait for;
/// with ADD each member counts once. Every n to 40 and some to 500.
class ScheduleLawsTestCase : public TestCase
{
  public:
    ScheduleLawsTestCase(const std::string& kind, const std::string& name)
        : TestCase("Schedules: " + kind + " " + name),
          m_kind(kind),
          m_name(name)
    {
    }

  private:
    void DoRun() override
    {
        auto rng = MakeRandom(3);
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
            const auto radices = "or more; there are " + std::to_string(n);
            const auto trouble =
                CollectiveInvariants::CheckSchedules(*maker, collective->GetForm(), n, rng);
            // A butterfly's radices may be for more members.
            NS_TEST_ASSERT_MSG_EQ(
                (trouble.empty() || (n < 27 && trouble.find(radices) != std::string::npos)),
                true,
                trouble);
        }
    }

    std::string m_kind; ///< kind of collective
    std::string m_name; ///< algorithm
};

/// The laws of an algorithm's kind on a fabric: n from 1 to 40 and some larger, staggered,
/// late and repeated rounds, all operations, hosts with one process or several, with jitter.
class CollectiveLawsTestCase : public TestCase
{
  public:
    /// @param tasks most members of a host
    /// @param isEvery whether every n up to 40 is tried, not only some
    CollectiveLawsTestCase(const std::string& kind, uint32_t tasks, bool isEvery)
        : TestCase("Laws: " + kind + ", at most " + std::to_string(tasks) + " members a host" +
                   (isEvery ? ", every n" : "")),
          m_kind(kind),
          m_tasks(tasks),
          m_isEvery(isEvery)
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
            auto sizes = ListGroupSizes(m_isEvery);
            sizes.push_back(64);
            for (const auto size : sizes)
            {
                const auto operation = operations[++number % operations.size()];
                const auto hosts = DrawHosts(size, m_tasks, bench);
                // Now close together, now so far apart that nearly all messages come unexpected.
                const uint32_t latest = number % 2 ? 2'000'000 : 60'000'000;
                auto collective = MakeWide(m_kind, name, operation);
                InvariantChecker watch(collective, ROUNDS, bench.rng, latest);
                const auto refusal = ErrorOf([&] { collective->Create(bench.domain, hosts); });
                if (!refusal.empty())
                {
                    NS_TEST_ASSERT_MSG_NE(refusal.find("can't ADD"), std::string::npos, refusal);
                    collective->SetAttribute("Operation", StringValue("MAX"));
                    collective->Create(bench.domain, hosts);
                }
                Simulator::Run();
                NS_TEST_ASSERT_MSG_EQ(watch.GetNEarly(),
                                      0,
                                      name << ", n " << size << ": left early");
                NS_TEST_ASSERT_MSG_EQ(watch.GetNWrong(),
                                      0,
                                      name << ", n " << size << ": wrong results");
                NS_TEST_ASSERT_MSG_EQ(watch.HaveAllLeft(),
                                      true,
                                      name << ", n " << size << ": left");
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
    bool m_isEvery;     ///< whether every n is tried
};

TEST_CASE(OverlappingGroupsTestCase, "All algorithms at once in groups that overlap")
{
    auto bench = MakeBench(24, 64, true);
    std::vector<std::unique_ptr<InvariantChecker>> watches;
    std::vector<Ptr<Collective>> collectives;
    std::vector<std::string> names;
    for (const auto& kind : KINDS)
    {
        for (const uint32_t tasks : {1, 3})
        {
            for (const auto& name : Algorithms(kind, tasks > 1))
            {
                collectives.push_back(MakeWide(kind, name, "MAX"));
                watches.push_back(std::make_unique<InvariantChecker>(collectives.back(),
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
        NS_TEST_EXPECT_MSG_EQ(watches[i]->GetNEarly(), 0, names[i] << ": left early");
        NS_TEST_EXPECT_MSG_EQ(watches[i]->GetNWrong(), 0, names[i] << ": wrong results");
        NS_TEST_EXPECT_MSG_EQ(watches[i]->HaveAllLeft(), true, names[i] << ": all left");
        collectives[i]->Dispose();
    }
    Simulator::Destroy();
}

/// Large groups on a fabric of 512 hosts.
TEST_CASE_WITH(ModuleTestCase,
               LargeGroupsTestCase,
               std::string,
               m_kind,
               "Laws in large groups: " + m_kind)
{
    auto bench = MakeBench(150, 512, false);
    for (const auto& name : CollectiveHelper::GetNames(m_kind))
    {
        for (const uint32_t n : {100, 255, 500})
        {
            auto collective = MakeWide(m_kind, name, "MAX");
            InvariantChecker watch(collective, 2, bench.rng, 100'000'000);
            collective->Create(bench.domain, DrawHosts(n, 1, bench));
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(watch.GetNEarly(), 0, name << ", n " << n << ": left early");
            NS_TEST_ASSERT_MSG_EQ(watch.GetNWrong(), 0, name << ", n " << n << ": wrong results");
            NS_TEST_ASSERT_MSG_EQ(watch.HaveAllLeft(), true, name << ", n " << n << ": left");
            collective->Dispose();
        }
    }
    Simulator::Destroy();
}

/// Laws of all collectives, found in the registry of types, so that none is forgotten.
TEST_SUITE(WormholeCollectiveLawsTestSuite, "wormhole-collective-laws", UNIT)
{
    for (const auto& kind : KINDS)
    {
        for (const auto& name : Algorithms(kind, false))
        {
            const auto isPure = name.find("btin") == std::string::npos &&
                                name.find("hw-") == std::string::npos &&
                                name.find("throttled") == std::string::npos &&
                                name.find("network-done") == std::string::npos &&
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
                AddTestCase(new ScheduleLawsTestCase(kind, "butterfly[Radices=" + radices + "]"),
                            WORMHOLE_TEST_QUICK);
            }
        }
        for (const uint32_t tasks : {1, 2, 3})
        {
            AddTestCase(new CollectiveLawsTestCase(kind, tasks, false),
                        tasks == 2 ? WORMHOLE_TEST_EXTENSIVE : WORMHOLE_TEST_QUICK);
            AddTestCase(new CollectiveLawsTestCase(kind, tasks, true), WORMHOLE_TEST_EXTENSIVE);
        }
        AddTestCase(new LargeGroupsTestCase(kind), WORMHOLE_TEST_QUICK);
    }
    AddTestCase(new OverlappingGroupsTestCase, WORMHOLE_TEST_QUICK);
}
