/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcaster.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr double US = 1e-6; ///< s

} // namespace

Broadcaster::Broadcaster(Ptr<Collective> broadcast,
                         Ptr<CollectiveDomain> domain,
                         const std::vector<uint32_t>& hosts,
                         uint32_t rounds,
                         const std::function<void()>& over)
    : m_broadcast(broadcast),
      m_rounds(rounds),
      m_first(rounds / 4),
      m_over(over),
      m_left(domain->GetNHosts(), 0),
      m_nLeft(rounds, 0),
      m_begins(rounds)
{
    broadcast->TraceConnectWithoutContext("Begin", MakeCallback(&Broadcaster::Begin, this));
    broadcast->TraceConnectWithoutContext("Leave", MakeCallback(&Broadcaster::Leave, this));
    broadcast->TraceConnectWithoutContext("Ready", MakeCallback(&Broadcaster::Ready, this));
    broadcast->Create(domain, hosts);
}

void
Broadcaster::Report(CsvRow& row) const
{
    const auto share = 1.0 / row["broadcasters"];
    row["time_us"] += share * (m_end - m_start).GetSeconds() / US / (m_rounds - m_first);
    row["latency_us"] += share * m_latency.GetMean();
    row["held_us"] += share * m_held.GetMean();
    row["outstanding"] = std::max<uint64_t>(row["outstanding"], m_outstanding);
}

void
Broadcaster::Ready(Time)
{
    for (uint32_t rank = 0; rank < m_left.size(); ++rank)
    {
        Simulator::ScheduleNow(&Collective::Enter, m_broadcast, rank, 0);
    }
}

void
Broadcaster::Begin(Time held)
{
    m_begins[m_nBegun] = Simulator::Now();
    ++m_nBegun;
    m_outstanding = std::max(m_outstanding, m_nBegun - m_nOver);
    if (m_nBegun > m_first)
    {
        m_held.Add(held.GetSeconds() / US);
    }
}

void
Broadcaster::Leave(uint32_t rank, uint64_t)
{
    m_lastLeave = Simulator::Now();
    const auto round = m_left[rank]++;
    if (++m_nLeft[round] == m_left.size())
    {
        Finish(round);
    }
    if (m_left[rank] < m_rounds)
    {
        Simulator::ScheduleNow(&Collective::Enter, m_broadcast, rank, 0);
    }
}

void
Broadcaster::Finish(uint32_t round)
{
    ++m_nOver;
    m_end = Simulator::Now();
    if (round + 1 == m_first)
    {
        m_start = m_end;
    }
    if (round >= m_first)
    {
        m_latency.Add((m_end - m_begins[round]).GetSeconds() / US);
    }
    if (m_nOver == m_rounds)
    {
        m_over();
    }
}

DataRecord::DataRecord(Ptr<WormholeTraffic> traffic, const Broadcaster& broadcaster)
    : m_broadcaster(broadcaster)
{
    traffic->TraceConnectWithoutContext("Delivered", MakeCallback(&DataRecord::Deliver, this));
}

void
DataRecord::Deliver(Ptr<const TrafficWorm> worm, Time latency)
{
    const auto start = m_broadcaster.GetStart();
    if (start.IsStrictlyPositive() && worm->GetGenerated() >= start)
    {
        m_latency.Add(latency.GetSeconds() / US);
    }
}

} // namespace ns3
