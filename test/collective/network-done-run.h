/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_RUN_H
#define NETWORK_DONE_RUN_H

#include "../test-fabrics.h"

namespace ns3
{

/// A random group on a random fabric that sends messages of data and meets in a barrier by
/// Network-Done, and what a bystander sees who counts every message at both ends.
class NetworkDoneRun
{
  public:
    /// Makes the barrier, without attributes.
    using Maker = std::function<Ptr<NetworkDoneBarrier>()>;

    /// @param scheduler name of the scheduler; empty: drawn
    NetworkDoneRun(uint32_t number, const Maker& maker, const std::string& scheduler = "")
    {
        StartAnew();
        m_rng = MakeRandom(1000 + number);
        const auto drawn = Pick(Words("Map List Heap Calendar PriorityQueue Wormhole"));
        UseScheduler(scheduler.empty() ? drawn : scheduler);
        name = "run " + std::to_string(number) + ", " + (scheduler.empty() ? drawn : scheduler);
        const auto nHosts = DrawNetwork();
        DrawGroup(maker, nHosts);
    }

    ~NetworkDoneRun()
    {
        m_barrier->Dispose();
    }

    NetworkDoneRun(const NetworkDoneRun&) = delete;            ///< traces point to it
    NetworkDoneRun& operator=(const NetworkDoneRun&) = delete; ///< traces point to it

    void Run()
    {
        if (m_traffic)
        {
            m_traffic->Start();
        }
        Simulator::Stop(Seconds(1)); // a long message takes 1 ms in the shallowest buffers
        Simulator::Run();
        if (*std::min_element(m_left.begin(), m_left.end()) < m_nRounds)
        {
            Note("not all members leave: " + m_domain->ExplainMissing());
        }
        if (m_sent != m_taken || m_onWire != m_delivered)
        {
            Note("messages are missing in the end");
        }
    }

    std::string name;            ///< what was drawn, for messages
    std::string trouble;         ///< the first thing that was wrong; empty: nothing was
    uint32_t nBusy{0};           ///< rounds with messages under way when the last member came
    uint32_t nRepeated{0};       ///< rounds with more sums than those of a quiet network
    std::vector<int64_t> leaves; ///< when members left, one after the other, in ns-3's time units

  private:
    uint32_t Draw(uint32_t most)
    {
        return m_rng->GetInteger(0, most);
    }

    template <typename T>
    T Pick(const std::vector<T>& list)
    {
        return list[Draw(static_cast<uint32_t>(list.size()) - 1)];
    }

    /// Makes the fabric, its traffic and software. @return the most members it can have
    uint32_t DrawNetwork()
    {
        auto helper = WithSoftware({{"StartUp", Pick(Words("0ns 100ns 2us"))},
                                    {"ReceiveOverhead", Draw(1) ? "0ns" : "700ns"},
                                    {"FlagTime", Draw(1) ? "0ns" : "50ns"}});
        if (Draw(3) == 0)
        {
            helper.SetSoftwareAttribute("ReceiveJitter",
                                        StringValue("ns3::UniformRandomVariable[Min=0|Max=2e-6]"));
        }
        if (Draw(7) == 0)
        {
            const auto latency = NanoSeconds(Draw(20'000));
            m_domain = helper.InstallIdeal(8, latency);
            CollectiveHelper::AssignStreams(m_domain, 100);
            name += ", ideal";
            return 8;
        }
        WormholeHelper fabrics;
        const auto depth = Pick<uint32_t>({0, 1, 8, 16, 3000});
        constexpr uint32_t ROUND_TRIP = 60; // flits, a little more than the default depth
        const auto rate = depth == 0 ? 1 : std::min(1.0, depth / (1.0 * ROUND_TRIP));
        m_isDeep = depth >= 16;
        fabrics.SetPortAttribute("BufferDepth", UintegerValue(depth));
        auto text = Pick(Words(
            "torus:3x3 clos:ports=4 full:2,hosts=3 full:4,hosts=2 dragonfly:a=2,h=1,hosts=1"));
        if (Draw(2) > 0)
        {
            // One after the other: compilers differ in which operand of + is drawn first.
            const auto switches = 3 + Draw(5);
            const auto hosts = 2 + Draw(2 * switches);
            const auto stream = 1 + Draw(1'000'000);
            text = "irregular:parallel=yes,switches=" + std::to_string(switches) +
                   ",hosts=" + std::to_string(hosts) + ",stream=" + std::to_string(stream);
        }
        name += ", " + text;
        const auto topology = MakeTopology(text);
        const auto& graph = topology.graph;
        m_domain = InstallDomain(topology, helper, fabrics);
        const auto fabric = m_domain->GetFabric();
        CollectiveHelper::AssignStreams(m_domain, 100);
        if (Draw(1))
        {
            WormholeTrafficHelper traffic;
            const auto load = 0.02 * rate * (1 + Draw(7));
            traffic.SetAttribute("Load", DoubleValue(load));
            m_traffic = traffic.Install(fabric, graph, WormLength::Parse("bimodal:8:400:0.3"), 200);
            name += ", traffic " + std::to_string(load);
        }
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            Listen(fabric->GetHost(host)->GetPort(), "Delivered", [this](Ptr<const Worm> worm) {
                Deliver(worm);
            });
        }
        return graph.GetNHosts();
    }

    /// @return name of a barrier for counters or values @param isAdding whether it must ADD
    std::string DrawPart(bool isAdding)
    {
        std::vector<std::string> names{"butterfly", "tree", "tournament", "smp[Inner=butterfly]"};
        if (!isAdding)
        {
            names.insert(names.end(), {"dissemination", "pairwise-exchange[Transport=rdma]"});
        }
        if (!m_domain->IsIdeal())
        {
            names.insert(names.end(), {"smp[Inner=hw-all]", "unicast"});
            if (m_isDeep) // messages for switches end there
            {
                names.emplace_back("smp[Inner=btin]");
            }
            if (!isAdding)
            {
                names.emplace_back("smp[Inner=hw-1]");
            }
        }
        return Pick(names);
    }

    void DrawGroup(const Maker& maker, uint32_t nHosts)
    {
        const auto n = 1 + Draw(nHosts - 1);
        const auto hosts = InvariantChecker::DrawHosts(n, nHosts, 1 + Draw(1), m_rng);
        m_isCounting = Draw(1);
        m_answers = Draw(1);
        m_nRounds = 1 + Draw(2);
        m_nMessages = Draw(8);
        m_phase = Pick<uint32_t>({200'000, 3'000'000, 30'000'000});
        const auto reduction = DrawPart(true);
        auto inner = DrawPart(false);
        if (m_isCounting && Draw(1))
        {
            inner = "none";
        }
        const std::string method = m_isCounting ? "counters" : "acks";
        name += ", " + std::to_string(hosts.size()) + " members, " + method + ", " +
                (m_isCounting ? reduction + ", " : "") + inner + (m_answers ? ", answers" : "");
        m_barrier = maker();
        m_barrier->SetAttribute("Method", StringValue(method));
        m_barrier->SetAttribute("Reduction", StringValue(reduction));
        m_barrier->SetAttribute("Inner", StringValue(inner));
        m_barrier->SetAttribute("Answers", BooleanValue(m_answers));
        m_barrier->SetAttribute("Transport", StringValue(Draw(1) ? "rdma" : "sendrecv"));
        m_barrier->SetAttribute("CountBits", UintegerValue(Draw(1) ? 16 : 64));
        m_barrier->TraceConnectWithoutContext("Ready", MakeCallback(&NetworkDoneRun::Ready, this));
        m_barrier->TraceConnectWithoutContext("Leave", MakeCallback(&NetworkDoneRun::Leave, this));
        m_barrier->TraceConnectWithoutContext("Counted",
                                              MakeCallback(&NetworkDoneRun::Count, this));
        m_barrier->SetDataCallback(MakeCallback(&NetworkDoneRun::Take, this));
        m_entered.assign(hosts.size(), 0);
        m_left.assign(hosts.size(), 0);
        m_barrier->Create(m_domain, hosts);
    }

    void Ready(Time)
    {
        // Not at once: a group that is ready at its creation is still being made.
        for (uint32_t rank = 0; rank < m_entered.size(); ++rank)
        {
            Simulator::ScheduleNow(&NetworkDoneRun::Begin, this, rank);
        }
    }

    /// A member begins its next round: it will send some messages, then enter.
    void Begin(uint32_t rank)
    {
        uint32_t last = 0;
        for (auto left = m_entered.size() > 1 ? Draw(m_nMessages) : 0; left > 0; --left)
        {
            const auto time = Draw(m_phase);
            last = std::max(last, time);
            Simulator::Schedule(PicoSeconds(time), &NetworkDoneRun::Send, this, rank);
        }
        const auto rest = Draw(2) == 0 ? 0 : Draw(m_phase);
        Simulator::Schedule(PicoSeconds(last + rest), &NetworkDoneRun::Enter, this, rank);
    }

    void Send(uint32_t rank)
    {
        const auto n = m_barrier->GetNMembers();
        const auto to = (rank + 1 + Draw(n - 2)) % n;
        ++m_sent;
        m_onWire += !m_domain->IsIdeal() && m_barrier->GetHost(rank) != m_barrier->GetHost(to);
        m_barrier->Send(rank, to, 1 + Draw(Draw(9) == 0 ? 3000 : 60));
    }

    void Enter(uint32_t rank)
    {
        ++m_entered[rank];
        ++m_nEntered;
        nBusy += m_nEntered % m_entered.size() == 0 && m_sent > m_taken;
        m_barrier->Enter(rank, 0);
    }

    void Take(uint32_t to, uint32_t, uint32_t)
    {
        ++m_taken;
        const bool isInside = m_entered[to] > m_left[to];
        const auto n = Pick<uint32_t>({0, 0, 0, 0, 0, 0, 1, 1, 2, 3}); // 0.7 on average
        for (uint32_t i = 0; i < n && (m_answers || !isInside); ++i)
        {
            Send(to);
        }
    }

    /// A worm has arrived at a host's port.
    void Deliver(Ptr<const Worm> worm)
    {
        if (worm->GetKind() == Worm::MESSAGE)
        {
            const auto& message = static_cast<const HostMessageWorm&>(*worm).GetMessage();
            const bool isAck = message.tag >> 31;
            m_delivered += message.group == m_barrier->GetGroup() && !isAck;
        }
    }

    void Count(uint32_t rank, uint32_t nSums, bool done)
    {
        if (!done)
        {
            return;
        }
        nRepeated += nSums > (m_answers ? 2 : 1);
        if (nSums < (m_answers ? 2 : 1))
        {
            Note("too few sums");
        }
        if (m_nDone < m_entered[rank])
        {
            CheckDone("rank " + std::to_string(rank) + " counts");
        }
    }

    void Leave(uint32_t rank, uint64_t)
    {
        leaves.push_back(Simulator::Now().GetTimeStep());
        if (m_nDone == m_left[rank])
        {
            // The first one to leave: what others send later belongs to the next round.
            CheckDone("rank " + std::to_string(rank) + " leaves");
            ++m_nDone;
            if (*std::min_element(m_entered.begin(), m_entered.end()) < m_nDone)
            {
                Note("rank " + std::to_string(rank) + " leaves before all have come");
            }
        }
        ++m_left[rank];
        if (m_left[rank] < m_nRounds)
        {
            Simulator::ScheduleNow(&NetworkDoneRun::Begin, this, rank);
        }
        else if (m_traffic && *std::min_element(m_left.begin(), m_left.end()) == m_nRounds)
        {
            m_traffic->Stop();
        }
    }

    /// Checks that nothing is under way.
    void CheckDone(const std::string& who)
    {
        if (m_sent != m_taken || m_onWire != m_delivered || m_barrier->GetNUnderWay() > 0)
        {
            Note(who + " while messages are under way: " + std::to_string(m_sent) + " sent, " +
                 std::to_string(m_taken) + " taken; of " + std::to_string(m_onWire) + " worms, " +
                 std::to_string(m_delivered) + " have arrived");
        }
    }

    void Note(const std::string& what)
    {
        if (trouble.empty())
        {
            trouble = name + ": " + what;
        }
    }

    Ptr<UniformRandomVariable> m_rng;  ///< random numbers
    Ptr<CollectiveDomain> m_domain;    ///< the network
    Ptr<WormholeTraffic> m_traffic;    ///< other traffic; null: none
    Ptr<NetworkDoneBarrier> m_barrier; ///< the barrier
    bool m_isDeep{false};              ///< whether buffers hold messages for switches
    bool m_isCounting{false};          ///< whether it counts
    bool m_answers{false};             ///< whether members answer
    uint32_t m_phase{0};               ///< most time between two actions, ps
    uint32_t m_nRounds{0};             ///< rounds
    uint32_t m_nMessages{0};           ///< most messages of a member in a round
    std::vector<uint32_t> m_entered;   ///< by rank
    std::vector<uint32_t> m_left;      ///< by rank
    uint32_t m_nEntered{0};            ///< entries of all
    uint32_t m_nDone{0};               ///< rounds that somebody has left
    uint64_t m_sent{0};                ///< messages sent
    uint64_t m_taken{0};               ///< messages taken
    uint64_t m_onWire{0};              ///< messages sent to another host
    uint64_t m_delivered{0};           ///< messages that have arrived at another host's port
};

} // namespace ns3

#endif /* NETWORK_DONE_RUN_H */
