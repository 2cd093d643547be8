// SPDX-License-Identifier: GPL-2.0-only

#include "loaded-bench.h"

#include "collective-bench.h"

#include "ns3/round-explainer.h"
#include "ns3/simulator.h"

namespace ns3
{

LoadedBench::LoadedBench(Ptr<Collective> collective,
                         Ptr<CollectiveDomain> domain,
                         const std::vector<uint32_t>& hosts,
                         const Traffic& traffic)
    : LoadedBench(collective, CollectiveBench(collective, domain, hosts).Cross({}, {}), traffic)
{
}

LoadedBench::LoadedBench(Ptr<Collective> collective, Time unloaded, const Traffic& traffic)
    : m_collective(collective),
      m_unloaded(unloaded),
      m_rounds(collective->GetDomain(), traffic),
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
    m_sums.assign(m_nMembers, Time(0));
    m_progress.Begin("", [this] { return m_durations.size(); }, rounds);
    m_rounds.Run("a collective", rounds, m_unloaded, [this] { Enter(); });
    return m_durations;
}

void
LoadedBench::Enter()
{
    if (m_explainer)
    {
        m_explainer->Clear();
    }
    m_nLeft = 0;
    for (uint32_t rank = 0; rank < m_nMembers; ++rank)
    {
        m_collective->Enter(rank, 0);
    }
}

void
LoadedBench::Leave(uint32_t rank, uint64_t)
{
    if (!m_rounds.HasRemaining())
    {
        return;
    }
    const auto duration = Simulator::Now() - m_rounds.GetBegin();
    m_sums[rank] += duration;
    if (++m_nLeft < m_nMembers)
    {
        return;
    }
    m_durations.push_back(duration);
    if (m_explainer)
    {
        m_paths.push_back(m_explainer->Explain(*m_collective,
                                               m_collective->GetRound(rank),
                                               m_rounds.GetBegin().GetTimeStep()));
    }
    if (m_rounds.End())
    {
        m_progress.End();
    }
}

void
LoadedBench::Record()
{
    m_explainer.reset(); // there is one at most
    m_explainer = std::make_unique<RoundExplainer>(&m_collective->GetDomain());
}

LatencyReport
LoadedBench::GetReport(uint32_t round) const
{
    const auto& explainer = *m_explainer;
    return {m_paths.at(round - 1),
            [&explainer](const Worm& worm) { return explainer.Describe(worm); }};
}

} // namespace ns3
