/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-bench.h"

#include "collective-bench.h"

#include "ns3/simulation-progress.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

namespace
{

/// @return how long a round takes without traffic, of a group that is made
/// @param collective a collective without a group @param domain where
/// @param hosts numbers of the members' hosts, by rank
Time
MeasureUnloaded(Ptr<Collective> collective,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts)
{
    return CollectiveBench(collective, domain, hosts).Cross({}, {});
}

} // namespace

LoadedBench::LoadedBench(Ptr<Collective> collective,
                         Ptr<CollectiveDomain> domain,
                         const std::vector<uint32_t>& hosts,
                         const Traffic& traffic)
    : LoadedBench(collective, MeasureUnloaded(collective, domain, hosts), traffic)
{
}

LoadedBench::LoadedBench(Ptr<Collective> collective, Time unloaded, const Traffic& traffic)
    : m_collective(collective),
      m_unloaded(unloaded),
      m_traffic(collective->GetDomain(), traffic),
      m_nMembers(collective->GetNMembers())
{
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&LoadedBench::Leave, this));
}

LoadedBench::~LoadedBench()
{
    m_collective->TraceDisconnectWithoutContext("Leave", MakeCallback(&LoadedBench::Leave, this));
}

std::vector<Time>
LoadedBench::Cross(uint32_t rounds)
{
    if (rounds == 0)
    {
        throw WormholeError("0 rounds: accepted is 1 and more");
    }
    m_rounds = rounds;
    m_sums.assign(m_nMembers, Time(0));
    const auto limit = m_traffic.GetLimit(m_unloaded);
    m_traffic.Begin([this] { Enter(); });
    m_watch = std::make_unique<ProgressWatch>([this] { return m_traffic.GetLastLook(); }, limit);
    if (m_tell)
    {
        m_progress =
            std::make_unique<SimulationProgress>([this] { TellProgress(); }, m_tellSeconds);
    }
    Simulator::Run();
    if (m_durations.size() < rounds)
    {
        throw WormholeError("a collective beside traffic came to a stop: " +
                            m_collective->GetDomain().ExplainMissing());
    }
    return m_durations;
}

void
LoadedBench::Enter()
{
    m_begin = Simulator::Now();
    m_nLeft = 0;
    for (uint32_t rank = 0; rank < m_nMembers; ++rank)
    {
        m_collective->Enter(rank, 0);
    }
}

void
LoadedBench::Leave(uint32_t rank, uint64_t)
{
    if (m_rounds == 0)
    {
        return;
    }
    m_sums[rank] += Simulator::Now() - m_begin;
    if (++m_nLeft < m_nMembers)
    {
        return;
    }
    const auto duration = Simulator::Now() - m_begin;
    m_durations.push_back(duration);
    if (m_durations.size() < m_rounds)
    {
        m_traffic.Next(duration, [this] { Enter(); });
        return;
    }
    m_traffic.Stop();
    m_watch.reset();
    m_progress.reset();
}

void
LoadedBench::SetProgress(std::function<bool(uint64_t, uint64_t)> tell, double seconds)
{
    m_tell = std::move(tell);
    m_tellSeconds = seconds;
}

void
LoadedBench::TellProgress()
{
    if (!m_tell(m_durations.size(), m_rounds))
    {
        Simulator::Stop();
    }
}

const std::vector<Time>&
LoadedBench::GetSums() const
{
    return m_sums;
}

Time
LoadedBench::GetUnloaded() const
{
    return m_unloaded;
}

} // namespace ns3
