// SPDX-License-Identifier: GPL-2.0-only

#ifndef STUDY_HOSTS_H
#define STUDY_HOSTS_H

#include "ns3/barrier-model.h"
#include "ns3/cable-text.h"
#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/communication-tree.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-options.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/tree-shapes.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-option-values.h"
#include "ns3/wormhole-process-hierarchy.h"
#include "ns3/wormhole-topology-factory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Hosts for studies of software collectives, whose costs are given as s, the time for which a
/// message keeps its sender busy, and r, the time from then until the receiver is active.
///
/// On an ideal network, a message arrives as soon as its sender has finished with it, and r is the
/// time of the receiver's software. On a fabric, r holds for two hosts of one switch: the
/// receiver's software takes r less the time of a lone worm over two cables, including both
/// interfaces, so that longer routes, and worms that wait for each other, add to r.
class StudyHosts
{
  public:
    StudyHosts()
        : m_ideal(true)
    {
    }

    /// Makes hosts on a fabric.
    /// @param topology its graph and routes; null: as many hosts as a task needs, on one switch
    /// @param linkDelay propagation delay of a cable @param switchDelay delay of a switch and of an
    /// interface
    StudyHosts(std::shared_ptr<const WormholeTopology> topology, Time linkDelay, Time switchDelay)
        : m_ideal(false),
          m_topology(topology)
    {
        m_fabrics.SetChannelAttribute("Delay", TimeValue(linkDelay));
        m_fabrics.SetSwitchAttribute("Delay", TimeValue(switchDelay));
        m_fabrics.SetDeviceAttribute("Delay", TimeValue(switchDelay));
        m_fabrics.SetRouter(m_topology ? m_topology->router : nullptr);
    }

    static StudyHosts Read(const OptionValues& options)
    {
        StudyHosts hosts;
        hosts.m_ideal = false;
        hosts.m_topology = FabricOptions::Read(options);
        FabricOptions::SetDelays(options, hosts.m_fabrics);
        hosts.m_fabrics.SetRouter(hosts.m_topology ? hosts.m_topology->router : nullptr);
        return hosts;
    }

    /// @return name of the Fibo-tree that is fastest for these s and r
    static std::string NameFiboTree(Time s, Time r)
    {
        const auto unit = std::gcd(s.GetTimeStep(), r.GetTimeStep());
        return "fibo-" + std::to_string(s.GetTimeStep() / unit) + "-" +
               std::to_string(r.GetTimeStep() / unit);
    }

    static FabricGraph MakeStar(uint32_t hosts)
    {
        FabricGraph star(1, hosts, hosts);
        for (uint32_t host = 0; host < hosts; ++host)
        {
            star.Connect(0, host, star.HostAt(host), 0);
        }
        return star;
    }

    /// @return the fabric's graph and routes; null: an ideal network, or all hosts on one switch
    std::shared_ptr<const WormholeTopology> GetTopology() const
    {
        return m_topology;
    }

    /// Sets the rate of the fabric's channels.
    /// @throws WormholeError if the rate is invalid, or a flit takes a fraction of a time unit
    void SetRate(const std::string& rate, uint32_t flitBytes)
    {
        const auto value = CableText::ReadRate(rate);
        ExactTime::Transmission(uint64_t{flitBytes} * 8, value);
        m_fabrics.SetFabricAttribute("DataRate", DataRateValue(value));
        m_fabrics.SetFabricAttribute("FlitSize", UintegerValue(flitBytes));
    }

    /// Sets background traffic on the fabric for the rounds of Run.
    void SetTraffic(const BackgroundTraffic::Parameters& traffic)
    {
        m_traffic = traffic;
    }

    const BackgroundTraffic::Parameters& GetTraffic() const
    {
        return m_traffic;
    }

    /// Places the hosts of tasks. @param places the fabric's host for each host number of a task
    void SetPlaces(const std::vector<uint32_t>& places)
    {
        m_places = places;
    }

    void CheckNumber(uint32_t hosts) const
    {
        if (m_topology && m_topology->graph.GetNFirstInterfaces() < hosts)
        {
            throw WormholeError(std::to_string(hosts) +
                                " hosts are asked for, and the fabric has " +
                                std::to_string(m_topology->graph.GetNFirstInterfaces()) +
                                "; expected no more than it has");
        }
    }

    /// @param r time from a message's sending until the receiver is active @param interfaceReceive
    /// part of r in which the message occupies the receiver's interface
    /// @throws WormholeError if the fabric's own times exceed the rest of r
    void CheckReceiving(Time r, Time interfaceReceive = Time(0)) const
    {
        if (m_ideal)
        {
            return;
        }
        Task nothing{{0}, 0, Time(0), r};
        nothing.interfaceReceive = interfaceReceive;
        Run(CollectiveHelper::MakeBarrier("pairwise-exchange"), nothing);
    }

    struct Task
    {
        std::vector<uint32_t> hosts;             ///< hosts of the members, by rank
        uint32_t rounds{1};                      ///< number of rounds
        Time s;                                  ///< time for which a message keeps its sender busy
        Time r;                                  ///< time from then until the receiver is active
        std::string receiver{"ReceiveOverhead"}; ///< attribute for the software's part of r
        bool isReceiversPart{false}; ///< whether r is only the time of the receiver's software
        Time flag{};                 ///< time to set or see a flag shared by a host's tasks
        Time interfaceSend{};        ///< part of s in which the sender's interface is busy
        Time interfaceReceive{};     ///< part of r in which the receiver's interface is busy
        Time registration{};         ///< time to register a buffer
        Time c{};                    ///< further time for which sender and receiver are busy
        /// Costs by level, which replace s, r and c on an ideal network; null: none.
        std::shared_ptr<const ProcessHierarchy> levels{};
        /// Whether all members wait for the last one and BackgroundTraffic::Next between rounds.
        bool hasPauses{false};
    };

    /// Runs rounds of a collective on new hosts: each member enters the next round as soon as it
    /// leaves one, or all members enter at once after a pause, see Task. Ends the simulation.
    /// @return times of departure by round and rank, counted from the entry into the first round
    /// or, with pauses, into the same round
    /// @throws WormholeError if a member does not leave, or traffic overloads the fabric
    std::vector<std::vector<Time>> Run(Ptr<Collective> collective, const Task& task) const
    {
        auto domain = Create(collective, task);
        BackgroundTraffic traffic(*domain,
                                  task.rounds > 0 ? m_traffic : BackgroundTraffic::Parameters());
        Rounds rounds(collective, task, traffic);
        collective->TraceConnectWithoutContext("Leave", MakeCallback(&Rounds::Leave, &rounds));
        if (task.rounds > 0)
        {
            if (!collective->IsReady())
            {
                Simulator::Run(); // registers in switches are set up by messages
            }
            traffic.Begin([&rounds] { rounds.Begin(); });
            Simulator::Run();
        }
        const auto missing = rounds.AreOver() ? "" : collective->ExplainMissing();
        collective->Dispose();
        domain->Dispose();
        Simulator::Destroy();
        WormholeError::ThrowIf(!rounds.AreOver(), "not all members left: " + missing);
        return rounds.Take();
    }

    /// Makes processes spread messages over a tree, one per round that BackgroundTraffic starts;
    /// process i is at host i. Ends the simulation.
    /// @param levels the processes and costs of messages; several levels require an ideal network
    /// @param rounds number of messages; only 1 is run with several levels
    /// @return when each process becomes active, by round and process; the root is active at 0
    std::vector<std::vector<Time>> SpreadByTree(const std::string& tree,
                                                const ProcessHierarchy& levels,
                                                uint32_t rounds = 1) const
    {
        auto name = tree;
        Task task;
        if (levels.GetNLevels() > 1)
        {
            task.levels = std::make_shared<ProcessHierarchy>(levels);
        }
        else
        {
            const auto& cost = levels.GetCost(1);
            task.s = cost.s;
            task.r = cost.r;
            task.c = cost.c;
            task.rounds = rounds;
            task.hasPauses = true;
            // On a fabric, the broadcast would choose a Fibo-tree by the path to some host.
            if (tree == "fibo" || IsTreeOfLevels(tree))
            {
                name = NameFiboTree(cost.Busy(), cost.r);
            }
        }
        auto broadcast = CollectiveHelper::MakeBroadcast("tree[Tree=" + name + "]");
        broadcast->SetAttribute("Root", IntegerValue(0));
        task.hosts = NumbersBelow(levels.GetSize());
        auto leaves = Run(broadcast, task);

        // Members leave when they have sent to their children.
        const auto shape = MakeCommunicationTree(name, levels);
        for (auto& times : leaves)
        {
            for (uint32_t process = 0; process < levels.GetSize(); ++process)
            {
                for (const auto child : shape.GetChildren(process))
                {
                    times[process] -= levels.GetCost(process, child).Busy();
                }
            }
        }
        return leaves;
    }

    /// Makes a group on new hosts. Ends the simulation.
    /// @return the time until the group is ready
    Time MeasureSetUp(Ptr<Collective> collective, const Task& task) const
    {
        Time duration;
        collective->TraceConnectWithoutContext("Ready", MakeBoundCallback(&NoteTime, &duration));
        auto domain = Create(collective, task);
        Simulator::Run();
        const auto isReady = collective->IsReady();
        collective->Dispose();
        domain->Dispose();
        Simulator::Destroy();
        WormholeError::ThrowIf(!isReady,
                               "the group was never ready; expected one that can be set up");
        return duration;
    }

  private:
    class Rounds
    {
      public:
        Rounds(Ptr<Collective> collective, const Task& task, BackgroundTraffic& traffic)
            : m_collective(collective),
              m_traffic(traffic),
              m_hasPauses(task.hasPauses),
              m_rounds(task.rounds, std::vector<Time>(collective->GetNMembers())),
              m_done(collective->GetNMembers(), 0)
        {
        }

        void Begin()
        {
            m_begin = Simulator::Now();
            for (uint32_t rank = 0; rank < m_done.size(); ++rank)
            {
                m_collective->Enter(rank);
            }
        }

        void Leave(uint32_t rank, uint64_t)
        {
            const auto duration = Simulator::Now() - m_begin;
            m_rounds[m_done[rank]][rank] = duration;
            ++m_done[rank];
            ++m_nLeft;
            if (AreOver())
            {
                m_traffic.Stop();
            }
            else if (m_hasPauses && m_nLeft % m_done.size() == 0)
            {
                m_traffic.Next(duration, [this] { Begin(); });
            }
            else if (!m_hasPauses && m_done[rank] < m_rounds.size())
            {
                Simulator::ScheduleNow(&Collective::Enter, m_collective, rank, 0);
            }
        }

        bool AreOver() const
        {
            return m_nLeft == m_done.size() * m_rounds.size();
        }

        std::vector<std::vector<Time>> Take()
        {
            return std::move(m_rounds);
        }

      private:
        Ptr<Collective> m_collective;            ///< the collective
        BackgroundTraffic& m_traffic;            ///< background traffic
        bool m_hasPauses;                        ///< whether there are pauses between rounds
        Time m_begin;                            ///< start of the first, or with pauses this, round
        std::vector<std::vector<Time>> m_rounds; ///< departures since then, by round and rank
        std::vector<uint32_t> m_done;            ///< number of departures, by rank
        uint64_t m_nLeft{0};                     ///< number of departures in all rounds
    };

    static void NoteTime(Time* noted, Time time)
    {
        *noted = time;
    }

    Ptr<CollectiveDomain> Create(Ptr<Collective> collective, const Task& task) const
    {
        auto domain = Install(*std::max_element(task.hosts.begin(), task.hosts.end()) + 1, task);
        if (!m_ideal)
        {
            domain->GetFabric()->Start();
        }
        const auto hosts = MadeOf(task.hosts, [this](uint32_t host) {
            return m_places.empty() ? host : m_places.at(host);
        });
        collective->Create(domain, hosts);
        const TimeValue overhead(task.isReceiversPart ? task.r
                                                      : GetReceiveOverhead(*collective, task));
        for (uint32_t host = 0; host < domain->GetNHosts(); ++host)
        {
            domain->GetSoftware(host)->SetAttribute(task.receiver, overhead);
        }
        return domain;
    }

    Ptr<CollectiveDomain> Install(uint32_t hosts, const Task& task) const
    {
        CollectiveHelper helper;
        helper.SetSoftwareAttribute("StartUp", TimeValue(task.s - task.interfaceSend));
        helper.SetSoftwareAttribute("InterfaceSendTime", TimeValue(task.interfaceSend));
        helper.SetSoftwareAttribute("InterfaceReceiveTime", TimeValue(task.interfaceReceive));
        helper.SetSoftwareAttribute("RegistrationTime", TimeValue(task.registration));
        helper.SetSoftwareAttribute("FlagTime", TimeValue(task.flag));
        helper.SetSoftwareAttribute("TransferTime", TimeValue(task.c));
        if (m_ideal)
        {
            auto domain = helper.InstallIdeal(hosts, Time(0));
            if (task.levels)
            {
                domain->SetLevels(*task.levels);
            }
            return domain;
        }
        if (m_topology)
        {
            return helper.Install(m_fabrics.Install(m_topology->graph), m_topology->graph);
        }
        const auto star = MakeStar(hosts);
        return helper.Install(m_fabrics.Install(star), star);
    }

    /// @return the rest of r after a message has passed the network and the interface
    Time GetReceiveOverhead(const Collective& group, const Task& task) const
    {
        const auto left = task.r - task.interfaceReceive;
        if (m_ideal)
        {
            return left;
        }
        auto times = FabricTimes::Of(group.GetDomain());
        times.startUp = Time(0);
        const auto route = group.GetDomain().GetFabric()->GetRouteFlits(WormRoute::Path({0, 0}));
        const auto network = times.LoneWorm(2, group.GetMessageFlits() + route);
        if (network > left)
        {
            std::ostringstream message;
            message << "a message takes " << network.As(Time::US)
                    << " between two hosts of one switch, but r is " << task.r.As(Time::US);
            if (task.interfaceReceive.IsStrictlyPositive())
            {
                message << ", for " << task.interfaceReceive.As(Time::US)
                        << " of which it occupies the interface";
            }
            message << "; expected as much at least"
                    << (task.interfaceReceive.IsStrictlyPositive() ? " for the rest" : "");
            throw WormholeError(message.str());
        }
        return left - network;
    }

    bool m_ideal;                                       ///< whether the network is ideal
    std::shared_ptr<const WormholeTopology> m_topology; ///< the fabric; may be null
    std::vector<uint32_t> m_places;          ///< its host for each host number; empty: the same
    WormholeHelper m_fabrics;                ///< builds the fabric
    BackgroundTraffic::Parameters m_traffic; ///< background traffic
};

} // namespace ns3

#endif /* STUDY_HOSTS_H */
