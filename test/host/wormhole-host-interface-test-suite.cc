// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/schedule-blocks.h"

using namespace ns3;

SUITE("wormhole-host-interface", UNIT);

namespace
{

/// What a message costs, in ps.
struct Costs
{
    int64_t send{0};       ///< s, its sender's software
    int64_t passSend{0};   ///< its sender's interface
    int64_t flight{0};     ///< the network
    int64_t passTake{0};   ///< its receiver's interface
    int64_t take{0};       ///< its receiver's software
    int64_t descriptor{0}; ///< for each send and receive
    int64_t early{0};      ///< one that comes before its receive
    int64_t registers{0};  ///< a buffer
};

template <typename F>
Costs
MakeCosts(F draw)
{
    return {draw(), draw(), draw(), draw(), draw(), draw(), draw(), draw()};
}

/// @return a cost, ps, often 0
int64_t
DrawCost(UniformRandomVariable& random, uint32_t most)
{
    // One after the other: compilers differ in which factor is drawn first.
    const int64_t factor = random.GetInteger(0, most);
    return factor * random.GetInteger(1, 9999);
}

Ptr<CollectiveDomain>
MakeIdeal(uint32_t hosts, const Costs& costs)
{
    return WithSoftware({{"StartUp", InPs(costs.send)},
                         {"InterfaceSendTime", InPs(costs.passSend)},
                         {"InterfaceReceiveTime", InPs(costs.passTake)},
                         {"ReceiveOverhead", InPs(costs.take)},
                         {"DescriptorTime", InPs(costs.descriptor)},
                         {"UnexpectedTime", InPs(costs.early)},
                         {"RegistrationTime", InPs(costs.registers)}})
        .InstallIdeal(hosts, PicoSeconds(costs.flight));
}

struct Noted
{
    int64_t ready{-1};          ///< when it is ready, ps
    std::vector<int64_t> leave; ///< by rank, ps
};

/// Makes a barrier, and has its members come once. @return when it was ready and they left, both
/// since it was made and since the first came @param late by rank, when members come, ps; empty:
/// all at once
Noted
Cross(Ptr<CollectiveDomain> domain,
      const std::string& name,
      const std::vector<uint32_t>& hosts,
      const std::vector<int64_t>& late = {})
{
    Noted noted;
    auto barrier = CollectiveHelper::MakeBarrier(name);
    Listen(barrier, "Ready", [&](Time) { noted.ready = Simulator::Now().GetPicoSeconds(); });
    barrier->Create(domain, hosts);
    Simulator::Run();
    noted.leave = CrossOnce(barrier, late);
    domain->Dispose();
    Simulator::Destroy();
    return noted;
}

/// @return when the last of two tasks a host leaves a pairwise exchange @param within how tasks of
/// a host exchange messages
int64_t
Last(uint32_t hosts, const Costs& costs, const std::string& within)
{
    const auto name = "pairwise[WithinHost=" + within + "]";
    return Greatest(Cross(MakeIdeal(hosts, costs), name, TasksOf(hosts, 2)).leave);
}

/// A tree whose messages go by the interface within a host, too.
const std::string BY_INTERFACE = "tree[Tree=sequential|Root=0|WithinHost=interface]";

TEST_CASE(ExchangeTestCase, "k tasks of a host exchange messages with k of another")
{
    auto draw = MakeRandom(21);
    for (uint32_t i = 0; i < 150; ++i)
    {
        auto costs = MakeCosts([&] { return DrawCost(*draw, 3); });
        costs.descriptor = 0;
        costs.early = 0;
        const uint32_t tasks = 1U << draw->GetInteger(0, 4);
        auto left = Cross(MakeIdeal(2, costs), "pairwise", TasksOf(2, tasks)).leave;
        std::sort(left.begin(), left.end());
        // All hand over at once; what comes first waits for what is sent.
        auto free = costs.send + tasks * costs.passSend;
        for (uint32_t task = 0; task < tasks; ++task)
        {
            const auto comes = costs.send + (task + 1) * costs.passSend + costs.flight;
            free = costs.passTake > 0 ? std::max(comes, free) + costs.passTake : comes;
            const auto what = Text("case ", i, ", task ", task, " of ", tasks);
            NS_TEST_ASSERT_MSG_EQ(left[2 * task], free + costs.take, what);
            NS_TEST_ASSERT_MSG_EQ(left[2 * task + 1], free + costs.take, what);
        }
    }
}

/// Barriers of two tasks a host: in each step one message waits for another at an interface,
/// unless four of them in a row take longer than that.
TEST_CASE(ExchangeStepsTestCase,
          "Barriers of two tasks a host: what waits at an interface in each step")
{
    for (const int64_t pass : {0, 1000, 2400, 2600, 4000, 4900})
    {
        const Costs costs{5000 - pass, pass, 70, pass, 4930 - pass};
        const int64_t step = 10000;
        std::vector<int64_t> ends;
        for (uint32_t hosts = 4; hosts <= 256; hosts *= 4)
        {
            ends.push_back(Last(hosts, costs, "memory"));
        }
        for (std::size_t i = 1; i < ends.size(); ++i)
        {
            // The first task's message has come while the second's is still being sent.
            const auto waits = std::max<int64_t>(0, pass - costs.flight);
            const auto wanted = 2 * std::max(step + waits, 4 * pass);
            const auto what = "two more steps, interface busy for " + std::to_string(pass);
            NS_TEST_EXPECT_MSG_EQ(ends[i] - ends[i - 1], wanted, what);
        }
    }
}

/// Messages at interfaces, moved one by one in order of time: an independent plain reference.
class PlainInterfaces
{
  public:
    PlainInterfaces(const Costs& costs, const std::vector<uint32_t>& hosts)
        : m_costs(costs),
          m_hosts(hosts),
          m_free(1 + Greatest(hosts), 0)
    {
    }

    std::vector<int64_t> Cross(const std::vector<int64_t>& come)
    {
        m_busy = come;
        for (std::size_t rank = 1; rank < m_hosts.size(); ++rank)
        {
            Send(rank, 0);
        }
        while (!m_agenda.empty())
        {
            const auto next = m_agenda.extract(m_agenda.begin());
            next.mapped()(next.key());
        }
        return m_busy;
    }

  private:
    void Send(std::size_t from, std::size_t to)
    {
        m_busy[from] += m_costs.send;
        m_agenda.emplace(m_busy[from], [this, from, to](int64_t sent) {
            const auto comes = Pass(from, sent, m_costs.passSend) + m_costs.flight;
            m_agenda.emplace(comes, [this, to](int64_t came) {
                m_agenda.emplace(Pass(to, came, m_costs.passTake),
                                 [this, to](int64_t seen) { Take(to, seen); });
            });
        });
    }

    void Take(std::size_t rank, int64_t time)
    {
        m_busy[rank] = std::max(m_busy[rank], time) + m_costs.take;
        if (rank == 0 && ++m_nTaken == m_hosts.size() - 1)
        {
            for (std::size_t to = 1; to < m_hosts.size(); ++to)
            {
                Send(0, to);
            }
        }
    }

    int64_t Pass(std::size_t rank, int64_t time, int64_t duration)
    {
        auto& free = m_free[m_hosts[rank]];
        return duration == 0 ? time : free = std::max(free, time) + duration;
    }

    Costs m_costs;                                                 ///< of messages
    std::vector<uint32_t> m_hosts;                                 ///< by rank
    std::vector<int64_t> m_free;                                   ///< by host, of its interface
    std::vector<int64_t> m_busy;                                   ///< by rank, of its software
    std::size_t m_nTaken{0};                                       ///< messages that the root has
    std::multimap<int64_t, std::function<void(int64_t)>> m_agenda; ///< by time, what is done then
};

TEST_CASE(PlainInterfacesTestCase, "Interfaces against a plain reference, under all schedulers")
{
    auto draw = MakeRandom(22);
    const std::vector<std::string> schedulers{"Map", "List", "Heap", "Calendar"};
    for (uint32_t i = 0; i < 300; ++i)
    {
        // Large numbers, so that hardly any two messages ask in one instant.
        auto costs = MakeCosts(
            [&] { return draw->GetInteger(0, 4) == 0 ? 0 : draw->GetInteger(1, 9999999); });
        costs.descriptor = 0;
        costs.early = 0;
        const auto hosts = draw->GetInteger(2, 6);
        std::vector<uint32_t> members{0};
        std::vector<int64_t> come{draw->GetInteger(0, 99999999)};
        while (members.size() < 1 + draw->GetInteger(1, 20))
        {
            members.push_back(draw->GetInteger(0, hosts - 1));
            come.push_back(draw->GetInteger(0, 99999999));
        }
        const auto expected = PlainInterfaces(costs, members).Cross(come);
        UseScheduler(schedulers[i % schedulers.size()]);
        const auto left = Cross(MakeIdeal(hosts, costs), BY_INTERFACE, members, come).leave;
        NS_TEST_ASSERT_MSG_EQ((left == expected), true, "case " << i);
    }
}

int64_t
OnFabric(const std::vector<uint32_t>& hosts, Time passing)
{
    StartAnew();
    const auto ps = InPs(passing);
    auto helper = WithSoftware({{"InterfaceSendTime", ps}, {"InterfaceReceiveTime", ps}});
    return CrossOnce(InstallDomain(MakeStar(3), helper), "broadcast", BY_INTERFACE, hosts)[1];
}

TEST_CASE(WithinHostTestCase, "Messages between tasks of one host")
{
    constexpr int64_t STEP = 3650;
    const Costs costs{3000, 0, 600, 0, 50};
    for (uint32_t hosts = 1, steps = 0; hosts <= 32; hosts *= 2, ++steps)
    {
        NS_TEST_EXPECT_MSG_EQ(Last(hosts, costs, "flags"), steps * STEP, "flags cost nothing");
        NS_TEST_EXPECT_MSG_EQ(Last(hosts, costs, "memory"), steps * STEP + 3050, "no flight");
        NS_TEST_EXPECT_MSG_EQ(Last(hosts, costs, "interface"), (steps + 1) * STEP, "a full step");
    }
    for (const auto& passing : {Time(0), MicroSeconds(3)})
    {
        for (uint32_t host = 0; host < 3; ++host)
        {
            const std::vector<uint32_t> neighbours{host, (host + 1) % 3};
            const auto between = OnFabric(neighbours, passing);
            const auto own = OnFabric({host, host}, passing);
            NS_TEST_EXPECT_MSG_EQ(own, between, "to the switch and back as to a neighbour");
            const auto wanted = OnFabric(neighbours, Time(0)) + 2 * passing.GetPicoSeconds();
            NS_TEST_EXPECT_MSG_EQ(between, wanted, "interfaces take what they are said to");
        }
    }
    for (const auto& [within, name] :
         Combine(Words("memory interface"), Words("pairwise smp dissemination")))
    {
        const auto whole = name + "[WithinHost=" + within + "]";
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check("barrier", whole), "", whole);
    }
    Refuses([] { CollectiveHelper::MakeBarrier("pairwise[WithinHost=smoke]"); },
            "flags, memory or interface");
    Refuses([&] { Last(2, costs, "flags]|Inner=pairwise[WithinHost=memory"); }, "expected");
}

TEST_CASE(AddressExchangeTestCase, "Registration of buffers and exchange of addresses")
{
    const auto checkKnown = [&](const std::string& name, uint32_t n) {
        const auto schedules = AddressExchange::MakeSchedules(name, n);
        auto known = MadeOf(MakeRange(n), [](uint32_t rank) { return std::vector{rank}; });
        // Members go in step: a message has the first addresses that its sender knew before.
        std::vector<std::size_t> next(n, 0);
        for (bool goesOn = true; goesOn;)
        {
            goesOn = false;
            const auto before = known;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                const auto& steps = schedules[rank].GetSteps();
                for (; next[rank] < steps.size() && steps[next[rank]].IsSend(); ++next[rank])
                {
                    const auto& step = steps[next[rank]];
                    const auto count = step.extraBytes / AddressExchange::ADDRESS_BYTES;
                    NS_TEST_ASSERT_MSG_EQ((count <= before[rank].size()), true, "none unknown");
                    auto& its = known[step.peer];
                    its.insert(its.end(), before[rank].begin(), before[rank].begin() + count);
                    goesOn = true;
                }
                while (next[rank] < steps.size() && steps[next[rank]].IsReceive())
                {
                    ++next[rank];
                }
            }
        }
        for (const auto& all : known)
        {
            NS_TEST_EXPECT_MSG_EQ(all.size(), n, name << " of " << n << ": each address once");
            NS_TEST_EXPECT_MSG_EQ(ToSet(all).size(), n, "all");
        }
    };
    const auto expect = [&](const Costs& costs, const std::string& name, uint32_t n) -> int64_t {
        if (n == 1)
        {
            return 0; // nobody writes to it
        }
        const auto send = costs.send + costs.descriptor;
        if (name == "dissemination")
        {
            const int64_t steps = CeilLog2(n);
            const auto isEarly = costs.flight < costs.descriptor;
            return costs.registers + steps * (send + std::max(costs.descriptor, costs.flight) +
                                              costs.take + (isEarly ? costs.early : 0));
        }
        const auto posted = costs.registers + (n - 1) * (send + costs.descriptor);
        auto free = posted;
        for (uint32_t k = 1; k < n; ++k)
        {
            const auto comes = costs.registers + k * send + costs.flight;
            free = std::max(free, comes) + costs.take + (comes < posted ? costs.early : 0);
        }
        return free;
    };
    auto draw = MakeRandom(23);
    for (const std::string name : {"direct", "dissemination"})
    {
        const auto exchange = "|Transport=rdma|AddressExchange=" + name + "]";
        for (uint32_t n = 1; n <= 40; ++n)
        {
            checkKnown(name, n);
            auto costs = MakeCosts([&] { return DrawCost(*draw, 2); });
            costs.passSend = 0;
            costs.passTake = 0;
            const auto expected = expect(costs, name, n);
            auto noted = Cross(MakeIdeal(n, costs), "pairwise[Root=0" + exchange, TasksOf(n, 1));
            NS_TEST_ASSERT_MSG_EQ(noted.ready, expected, name << " of " << n);
            // Barriers are what they are without it.
            const auto known =
                Cross(MakeIdeal(n, costs), "pairwise[Transport=rdma]", TasksOf(n, 1));
            NS_TEST_EXPECT_MSG_EQ(known.ready, 0, "at once");
            NS_TEST_EXPECT_MSG_EQ((noted.leave == known.leave), true, "barrier of " << n);
            // Of a host with several tasks, the master alone has a buffer.
            noted = Cross(MakeIdeal(n, costs), "smp[Root=0" + exchange, TasksOf(n, 3));
            NS_TEST_EXPECT_MSG_EQ(noted.ready, expected, "masters of " << n);
        }
        for (const auto& [kind, start] :
             {std::make_pair("barrier", "smp[Root=0"), std::make_pair("reduction", "tree[Root=0")})
        {
            NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check(kind, start + exchange), "", kind);
        }
    }
    Refuses([] { Cross(MakeIdeal(2, {}), "pairwise[AddressExchange=direct]", {0, 1}); },
            "expected none, or Transport rdma");
}

TEST_CASE(OtherSendersTestCase, "A message holds back nothing that others send before it")
{
    // Returns when worms arrive at the second host of two. pass: how long a message occupies the
    // interface; hasMessage: whether the software sends one at 10 us
    const auto run = [](Time pass, bool hasMessage, const std::vector<Time>& others) {
        auto helper = WithSoftware({{"InterfaceSendTime", InPs(pass)}});
        const auto domain = InstallDomain(MakeLine(2), helper);
        const auto fabric = domain->GetFabric();
        std::vector<Time> times;
        Listen(fabric->GetHost(1)->GetPort(), "Delivered", [&](Ptr<const Worm>) {
            times.push_back(Simulator::Now());
        });
        if (hasMessage)
        {
            const auto worm = MakeWorm(8, fabric->GetRouter()->GetRoute(0, 1));
            domain->GetSoftware(0)->HandOver(worm, MicroSeconds(10));
        }
        for (const auto& time : others)
        {
            Simulator::Schedule(time, [&] { SendWorm(*fabric, 0, 1, 8); });
        }
        Simulator::Run();
        Simulator::Destroy();
        return times;
    };
    const auto alone = run(Time(0), false, {Time(0)}).front();
    const std::vector<Time> others{Time(0), MicroSeconds(9), MicroSeconds(12)};
    for (const auto& pass : {Time(0), MicroSeconds(3)})
    {
        auto expected = Join(others, {MicroSeconds(10) + pass});
        std::sort(expected.begin(), expected.end());
        for (auto& time : expected)
        {
            time += alone;
        }
        Same(run(pass, true, others), expected, "in order of time");
    }
}

} // namespace
