// SPDX-License-Identifier: GPL-2.0-only

#include "study-hosts.h"

#include "ns3/barrier-model.h"
#include "ns3/cable-text.h"
#include "ns3/communication-tree.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-options.h"
#include "ns3/integer.h"
#include "ns3/simulator.h"
#include "ns3/tree-shapes.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

class Rounds
{
  public:
    Rounds(Ptr<Collective> collective, const StudyHosts::Task& task, BackgroundTraffic& traffic)
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
    BackgroundTraffic& m_traffic;            ///< what there is beside it
    bool m_hasPauses;                        ///< whether rounds begin apart
    Time m_begin;                            ///< when all members entered first, or this round
    std::vector<std::vector<Time>> m_rounds; ///< when members left since, by round and rank
    std::vector<uint32_t> m_done;            ///< rounds left, by rank
    uint64_t m_nLeft{0};                     ///< leaves of all rounds
};

void
NoteTime(Time* noted, Time time)
{
    *noted = time;
}

} // namespace

StudyHosts::StudyHosts(std::shared_ptr<const WormholeTopology> topology,
                       Time linkDelay,
                       Time switchDelay)
    : m_ideal(false),
      m_topology(topology)
{
    m_fabrics.SetChannelAttribute("Delay", TimeValue(linkDelay));
    m_fabrics.SetSwitchAttribute("Delay", TimeValue(switchDelay));
    m_fabrics.SetDeviceAttribute("Delay", TimeValue(switchDelay));
    m_fabrics.SetRouter(m_topology ? m_topology->router : nullptr);
}

StudyHosts
StudyHosts::Read(const OptionValues& options)
{
    StudyHosts hosts;
    hosts.m_ideal = false;
    hosts.m_topology = FabricOptions::Read(options);
    FabricOptions::SetDelays(options, hosts.m_fabrics);
    hosts.m_fabrics.SetRouter(hosts.m_topology ? hosts.m_topology->router : nullptr);
    return hosts;
}

FabricGraph
StudyHosts::MakeStar(uint32_t hosts)
{
    FabricGraph star(1, hosts, hosts);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        star.Connect(0, host, star.HostAt(host), 0);
    }
    return star;
}

void
StudyHosts::SetRate(const std::string& rate, uint32_t flitBytes)
{
    const auto value = CableText::ReadRate(rate);
    ExactTime::Transmission(uint64_t{flitBytes} * 8, value);
    m_fabrics.SetFabricAttribute("DataRate", DataRateValue(value));
    m_fabrics.SetFabricAttribute("FlitSize", UintegerValue(flitBytes));
}

void
StudyHosts::CheckNumber(uint32_t hosts) const
{
    if (m_topology && m_topology->graph.GetNFirstInterfaces() < hosts)
    {
        throw WormholeError(std::to_string(hosts) + " hosts are asked for, and the fabric has " +
                            std::to_string(m_topology->graph.GetNFirstInterfaces()) +
                            "; expected as many at most");
    }
}

void
StudyHosts::CheckReceiving(Time r, Time interfaceReceive) const
{
    if (m_ideal)
    {
        return;
    }
    Task nothing{{0}, 0, Time(0), r};
    nothing.interfaceReceive = interfaceReceive;
    Run(CollectiveHelper::MakeBarrier("pairwise-exchange"), nothing);
}

Ptr<CollectiveDomain>
StudyHosts::Install(uint32_t hosts, const Task& task) const
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

Time
StudyHosts::GetReceiveOverhead(const Collective& group, const Task& task) const
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

Ptr<CollectiveDomain>
StudyHosts::Create(Ptr<Collective> collective, const Task& task) const
{
    auto domain = Install(*std::max_element(task.hosts.begin(), task.hosts.end()) + 1, task);
    if (!m_ideal)
    {
        domain->GetFabric()->Start();
    }
    auto hosts = task.hosts;
    for (auto& host : hosts)
    {
        host = m_places.empty() ? host : m_places.at(host);
    }
    collective->Create(domain, hosts);
    const TimeValue overhead(task.isReceiversPart ? task.r : GetReceiveOverhead(*collective, task));
    for (uint32_t host = 0; host < domain->GetNHosts(); ++host)
    {
        domain->GetSoftware(host)->SetAttribute(task.receiver, overhead);
    }
    return domain;
}

Time
StudyHosts::MeasureSetUp(Ptr<Collective> collective, const Task& task) const
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
                           "the group is not ready in the end; expected one that can be made");
    return duration;
}

std::vector<std::vector<Time>>
StudyHosts::Run(Ptr<Collective> collective, const Task& task) const
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

std::string
StudyHosts::NameFiboTree(Time s, Time r)
{
    const auto unit = std::gcd(s.GetTimeStep(), r.GetTimeStep());
    return "fibo-" + std::to_string(s.GetTimeStep() / unit) + "-" +
           std::to_string(r.GetTimeStep() / unit);
}

std::vector<std::vector<Time>>
StudyHosts::SpreadByTree(const std::string& tree,
                         const ProcessHierarchy& levels,
                         uint32_t rounds) const
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
        // On a fabric, the broadcast would make a Fibo-tree for the way to some host.
        if (tree == "fibo" || IsTreeOfLevels(tree))
        {
            name = NameFiboTree(cost.Busy(), cost.r);
        }
    }
    auto broadcast = CollectiveHelper::MakeBroadcast("tree[Tree=" + name + "]");
    broadcast->SetAttribute("Root", IntegerValue(0));
    task.hosts.resize(levels.GetSize());
    std::iota(task.hosts.begin(), task.hosts.end(), 0);
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

} // namespace ns3
