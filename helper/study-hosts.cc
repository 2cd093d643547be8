/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-hosts.h"

#include "uncontended-barrier.h"

#include "ns3/broadcast.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// Number of bytes of a message: type, group and a value of one bit, as Collective's defaults.
constexpr uint32_t MESSAGE_FLITS = 2;

/// Has members enter again when they leave, and notes when that is.
class Rounds
{
  public:
    /// @param collective the collective @param rounds number of rounds
    Rounds(Ptr<Collective> collective, uint32_t rounds)
        : m_collective(collective),
          m_rounds(rounds, std::vector<Time>(collective->GetNMembers())),
          m_done(collective->GetNMembers(), 0)
    {
    }

    /// All members enter.
    void Begin()
    {
        for (uint32_t rank = 0; rank < m_done.size(); ++rank)
        {
            m_collective->Enter(rank);
        }
    }

    /// A member leaves. @param rank the member
    void Leave(uint32_t rank, uint64_t)
    {
        m_rounds[m_done[rank]][rank] = Simulator::Now();
        if (++m_done[rank] < m_rounds.size())
        {
            Simulator::ScheduleNow(&Collective::Enter, m_collective, rank, 0);
        }
    }

    /// @return whether all have left all rounds
    bool AreOver() const
    {
        return std::accumulate(m_done.begin(), m_done.end(), uint64_t{0}) ==
               m_done.size() * m_rounds.size();
    }

    /// @return when members left, by round and rank
    std::vector<std::vector<Time>> Take()
    {
        return std::move(m_rounds);
    }

  private:
    Ptr<Collective> m_collective;             ///< the collective
    std::vector<std::vector<Time>> m_rounds;  ///< when members left, by round and rank
    std::vector<uint32_t> m_done;             ///< rounds left, by rank
};

} // namespace

StudyHosts::StudyHosts()
    : m_ideal(true)
{
}

StudyHosts::StudyHosts(std::shared_ptr<const WormholeTopology> topology,
                       Time linkDelay,
                       Time switchDelay)
    : m_ideal(false),
      m_topology(topology)
{
    m_fabrics.SetChannelAttribute("Delay", TimeValue(linkDelay));
    m_fabrics.SetSwitchAttribute("Delay", TimeValue(switchDelay));
    m_fabrics.SetDeviceAttribute("Delay", TimeValue(switchDelay));
    if (m_topology)
    {
        m_fabrics.SetRouter(m_topology->router);
    }
}

void
StudyHosts::AddOptions(ProgramOptions& options, const std::string& topology)
{
    options.Add("topology",
                "torus:8x8,hosts=2",
                std::string("The fabric, by a short text as in doc/regular-topologies.rst") +
                    (topology.empty() ? "; all hosts on one switch without it" : ""),
                topology);
    options.Add("linkDelay", "20ns", "Propagation delay of a cable", "20ns");
    options.Add("switchDelay", "300ns", "Delay of a switch and of an interface", "300ns");
}

StudyHosts
StudyHosts::Read(const ProgramOptions& options)
{
    std::shared_ptr<const WormholeTopology> topology;
    if (!options.Get("topology").empty())
    {
        try
        {
            topology = std::make_shared<WormholeTopology>(MakeTopology(options.Get("topology")));
        }
        catch (const WormholeError& error)
        {
            options.Refuse("topology", error.what());
        }
    }
    return StudyHosts(topology, options.GetTime("linkDelay"), options.GetTime("switchDelay"));
}

bool
StudyHosts::IsIdeal() const
{
    return m_ideal;
}

void
StudyHosts::Check(uint32_t hosts, Time r) const
{
    if (m_ideal)
    {
        return;
    }
    if (m_topology && m_topology->graph.GetNHosts() < hosts)
    {
        throw WormholeError(std::to_string(hosts) + " hosts are asked for, and the fabric has " +
                            std::to_string(m_topology->graph.GetNHosts()) +
                            "; accepted are as many at most");
    }
    auto domain = Install(2, CollectiveHelper());
    GetReceiveOverhead(*domain, r);
    domain->Dispose();
    Simulator::Destroy();
}

Ptr<CollectiveDomain>
StudyHosts::Install(uint32_t hosts, const CollectiveHelper& helper) const
{
    if (m_ideal)
    {
        return helper.InstallIdeal(hosts, Time(0));
    }
    if (m_topology)
    {
        return helper.Install(m_fabrics.Install(m_topology->graph), m_topology->graph);
    }
    FabricGraph star(1, hosts, hosts);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        star.Connect(0, host, star.HostAt(host), 0);
    }
    return helper.Install(m_fabrics.Install(star), star);
}

Time
StudyHosts::GetReceiveOverhead(const CollectiveDomain& domain, Time r) const
{
    if (m_ideal)
    {
        return r;
    }
    auto times = FabricTimes::Of(domain);
    times.startUp = Time(0);
    const auto network = times.LoneWorm(2, MESSAGE_FLITS);
    if (network > r)
    {
        std::ostringstream message;
        message << "a message takes " << network.As(Time::US)
                << " between two hosts of one switch, but r is " << r.As(Time::US)
                << "; accepted is as much at least";
        throw WormholeError(message.str());
    }
    return r - network;
}

std::vector<std::vector<Time>>
StudyHosts::Run(Ptr<CollectiveDomain> domain,
                Ptr<Collective> collective,
                const std::vector<uint32_t>& hosts,
                uint32_t rounds)
{
    if (!domain->IsIdeal())
    {
        domain->GetFabric()->Start();
    }
    collective->Create(domain, hosts);
    NS_ASSERT(domain->IsIdeal() || collective->GetMessageFlits() == MESSAGE_FLITS);
    Rounds record(collective, rounds);
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&Rounds::Leave, &record));
    Simulator::ScheduleNow(&Rounds::Begin, &record);
    Simulator::Run();
    const auto missing = record.AreOver() ? "" : collective->ExplainMissing();
    collective->Dispose();
    domain->Dispose();
    Simulator::Destroy();
    if (!record.AreOver())
    {
        throw WormholeError("not all members left: " + missing);
    }
    return record.Take();
}

} // namespace ns3
