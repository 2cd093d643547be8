/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-bench.h"

#include "ns3/round-explainer.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Simulated time between the end of one round and the start of the next: all channels are free.
constexpr int64_t PAUSE_US = 1000;

/// Refuses a list of another length than the group's.
void
CheckSize(const std::string& what, std::size_t size, std::size_t members)
{
    if (size != 0 && size != members)
    {
        throw WormholeError(std::to_string(size) + " " + what + " for " + std::to_string(members) +
                            " members; expected one for each, or none");
    }
}

} // namespace

CollectiveBench::CollectiveBench(Ptr<Collective> collective,
                                 Ptr<CollectiveDomain> domain,
                                 const std::vector<uint32_t>& hosts)
    : m_collective(collective),
      m_domain(domain),
      m_leaves(hosts.size()),
      m_results(hosts.size())
{
    collective->TraceConnectWithoutContext("Ready", MakeCallback(&CollectiveBench::Ready, this));
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&CollectiveBench::Leave, this));
    collective->TraceConnectWithoutContext("Released",
                                           MakeCallback(&CollectiveBench::Released, this));
    try
    {
        if (!domain->IsIdeal())
        {
            domain->GetFabric()->Start();
        }
        collective->Create(domain, hosts);
        Simulator::Run();
        if (!collective->IsReady())
        {
            const auto& fabric = domain->GetFabric();
            auto reason = collective->GetFallback() + fabric->ExplainDeadlock();
            const auto lost = fabric->GetCounts().flitsLost;
            if (reason.empty() && lost > 0)
            {
                reason =
                    "outages lost " + std::to_string(lost) + " flits, of its messages or others";
            }
            throw WormholeError("the group of " + std::to_string(hosts.size()) +
                                " members was never set up: " + reason);
        }
    }
    catch (...)
    {
        Disconnect();
        throw;
    }
}

CollectiveBench::~CollectiveBench()
{
    Disconnect();
    for (auto& entry : m_entries)
    {
        entry.Cancel();
    }
}

void
CollectiveBench::Disconnect()
{
    m_collective->TraceDisconnectWithoutContext("Ready",
                                                MakeCallback(&CollectiveBench::Ready, this));
    m_collective->TraceDisconnectWithoutContext("Leave",
                                                MakeCallback(&CollectiveBench::Leave, this));
    m_collective->TraceDisconnectWithoutContext("Released",
                                                MakeCallback(&CollectiveBench::Released, this));
}

void
CollectiveBench::Record()
{
    m_explainer.reset(); // there is one at most
    m_explainer = std::make_unique<RoundExplainer>(m_domain);
}

void
CollectiveBench::EndRecording()
{
    m_explainer.reset();
}

LatencyReport
CollectiveBench::GetReport() const
{
    const auto& explainer = *m_explainer;
    return {explainer.Explain(*m_collective, m_collective->GetRound(0)),
            [&explainer](const Worm& worm) { return explainer.Describe(worm); }};
}

Time
CollectiveBench::Cross(const std::vector<Time>& arrivals, const std::vector<uint64_t>& values)
{
    const auto members = m_leaves.size();
    CheckSize("arrivals", arrivals.size(), members);
    CheckSize("values", values.size(), members);
    Time last;
    for (const auto& arrival : arrivals)
    {
        if (arrival.IsStrictlyNegative())
        {
            throw WormholeError("a member cannot arrive before now; expected times from 0 on");
        }
        last = std::max(last, arrival);
    }
    const auto pause = MicroSeconds(PAUSE_US);
    m_begin = TimeLimit::Add(Simulator::Now(), pause);
    TimeLimit::Add(m_begin, last);
    m_nLeft = 0;
    std::fill(m_results.begin(), m_results.end(), 0);
    m_values = values;
    if (m_explainer)
    {
        m_explainer->Clear();
    }
    const auto before = CountTraffic();
    if (arrivals.empty())
    {
        m_entries.push_back(Simulator::Schedule(pause, &CollectiveBench::EnterAll, this));
    }
    for (uint32_t rank = 0; rank < arrivals.size(); ++rank)
    {
        m_entries.push_back(
            Simulator::Schedule(pause + arrivals[rank], &CollectiveBench::Enter, this, rank));
    }
    RunUntilLeft(members);
    const auto after = CountTraffic();
    m_traffic = {after.messageHops - before.messageHops, after.flitHops - before.flitHops};
    return *std::max_element(m_leaves.begin(), m_leaves.end()) - last;
}

std::vector<Time>
CollectiveBench::CrossInLoop(uint32_t warmUp, uint32_t rounds)
{
    if (rounds == 0)
    {
        throw WormholeError("0 rounds: expected 1 or more");
    }
    const auto members = m_leaves.size();
    const auto pause = MicroSeconds(PAUSE_US);
    m_begin = TimeLimit::Add(Simulator::Now(), pause);
    m_nLeft = 0;
    m_values.clear();
    m_warmUp = warmUp;
    m_loopRounds = uint64_t{warmUp} + rounds;
    m_counts.assign(members, 0);
    m_starts.assign(members, Time(0));
    const auto before = CountTraffic();
    m_entries.resize(members);
    m_entries[0] = Simulator::Schedule(pause, &CollectiveBench::EnterAll, this);
    const auto due = members * m_loopRounds;
    try
    {
        RunUntilLeft(due);
    }
    catch (...)
    {
        m_loopRounds = 0;
        throw;
    }
    m_loopRounds = 0;
    const auto after = CountTraffic();
    m_traffic = {after.messageHops - before.messageHops, after.flitHops - before.flitHops};
    std::vector<Time> times;
    for (std::size_t rank = 0; rank < members; ++rank)
    {
        times.push_back(m_leaves[rank] - m_starts[rank]);
    }
    return times;
}

void
CollectiveBench::RunUntilLeft(uint64_t due)
{
    m_nDue = due;
    EventId begin;
    if (m_progress.IsSet())
    {
        // Not before: the interval between two looks would grow in the pause.
        const std::function<uint64_t()> done = [this] { return m_nLeft; };
        begin = Simulator::Schedule(MicroSeconds(PAUSE_US),
                                    &ProgressTeller::Begin,
                                    &m_progress,
                                    done,
                                    due);
    }
    Simulator::Run();
    begin.Cancel();
    m_progress.End();
    m_entries.clear();
    if (m_nLeft < due)
    {
        throw WormholeError("only " + std::to_string(m_nLeft) + " of " + std::to_string(due) +
                            " members leave: " + m_domain->ExplainMissing());
    }
}

Time
CollectiveBench::Dissolve()
{
    m_collective->Release();
    Simulator::Run();
    return m_release;
}

CollectiveBench::Traffic
CollectiveBench::CountTraffic() const
{
    if (m_domain->IsIdeal())
    {
        return {};
    }
    const auto& counts = m_domain->GetFabric()->GetCounts();
    return {counts.wormHops, counts.flitHops};
}

void
CollectiveBench::Enter(uint32_t rank)
{
    m_collective->Enter(rank, m_values.empty() ? 0 : m_values[rank]);
}

void
CollectiveBench::EnterAll()
{
    for (uint32_t rank = 0; rank < m_leaves.size(); ++rank)
    {
        Enter(rank);
    }
}

void
CollectiveBench::Leave(uint32_t rank, uint64_t result)
{
    m_leaves[rank] = Simulator::Now() - m_begin;
    m_results[rank] = result;
    if (++m_nLeft == m_nDue)
    {
        m_progress.End(); // so that no look makes the simulation longer
    }
    if (m_loopRounds == 0)
    {
        return;
    }
    const auto count = ++m_counts[rank];
    if (count == m_warmUp)
    {
        m_starts[rank] = m_leaves[rank];
    }
    if (count < m_loopRounds)
    {
        // The collective is not through with this leave yet.
        m_entries[rank] = Simulator::ScheduleNow(&CollectiveBench::Enter, this, rank);
    }
}

void
CollectiveBench::Ready(Time duration)
{
    m_setup = duration;
}

void
CollectiveBench::Released(Time duration)
{
    m_release = duration;
}

} // namespace ns3
