/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-rounds.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-host-software.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

namespace
{

double
InUs(Time time)
{
    return time.GetSeconds() * 1e6;
}

} // namespace

NetworkDoneRounds::NetworkDoneRounds(Ptr<NetworkDoneBarrier> barrier,
                                     Ptr<CollectiveDomain> domain,
                                     const std::vector<uint32_t>& hosts,
                                     const Quanta& quanta,
                                     int64_t stream)
    : m_barrier(barrier),
      m_quanta(quanta),
      m_first(quanta.rounds / 4),
      m_members(domain->GetNHosts()),
      m_rounds(quanta.rounds)
{
    for (auto& member : m_members)
    {
        member.intervals = CreateObject<ExponentialRandomVariable>();
        member.intervals->SetAttribute("Mean", DoubleValue(1));
        member.intervals->SetStream(stream++);
        member.receivers = CreateObject<UniformRandomVariable>();
        member.receivers->SetStream(stream++);
    }
    const auto connect = [&](const std::string& source, const CallbackBase& callback) {
        barrier->TraceConnectWithoutContext(source, callback);
    };
    connect("Ready", MakeCallback(&NetworkDoneRounds::Ready, this));
    connect("Received", MakeCallback(&NetworkDoneRounds::Receive, this));
    connect("Counted", MakeCallback(&NetworkDoneRounds::Count, this));
    connect("Leave", MakeCallback(&NetworkDoneRounds::Leave, this));
    barrier->Create(domain, hosts);
}

void
NetworkDoneRounds::Report(CsvRow& row) const
{
    const auto rounds = m_quanta.rounds - m_first;
    row["latency_us"] = m_latency.GetMean();
    row["quiet_us"] = m_quiet.GetMean();
    row["sums"] = m_sums.GetMean();
    row["busy_percent"] = 100.0 * m_nBusy / rounds;
    row["step_us"] = InUs(m_lastLeave - m_start) / rounds;
    row["message_us"] = m_message.GetMean();
}

void
NetworkDoneRounds::Ready(Time)
{
    // Not at once: a group that is ready at its creation is still being made.
    for (uint32_t rank = 0; rank < m_members.size(); ++rank)
    {
        Simulator::ScheduleNow(&NetworkDoneRounds::Begin, this, rank);
    }
}

void
NetworkDoneRounds::Begin(uint32_t rank)
{
    m_members[rank].left = m_quanta.length;
    Compute(rank);
}

bool
NetworkDoneRounds::IsFree(uint32_t rank, void (NetworkDoneRounds::*next)(uint32_t))
{
    const auto now = Simulator::Now();
    const auto free = m_barrier->GetSoftware(rank).GetCallEnd(m_barrier->GetTask(rank));
    if (free > now)
    {
        Simulator::Schedule(free - now, next, this, rank);
        return false;
    }
    return true;
}

void
NetworkDoneRounds::Compute(uint32_t rank)
{
    // What has come is taken, and acknowledged, first.
    if (!IsFree(rank, &NetworkDoneRounds::Compute))
    {
        return;
    }
    auto& member = m_members[rank];
    auto piece = member.left;
    bool sends = false;
    if (m_quanta.messages > 0)
    {
        const auto interval = member.intervals->GetValue() / m_quanta.messages *
                              static_cast<double>(m_quanta.length.GetTimeStep());
        sends = interval < static_cast<double>(member.left.GetTimeStep());
        piece = sends ? TimeStep(std::llround(interval)) : piece;
    }
    member.left -= piece;
    const auto end = m_barrier->GetSoftware(rank).Compute(m_barrier->GetTask(rank), piece);
    Simulator::Schedule(end - Simulator::Now(), &NetworkDoneRounds::EndPiece, this, rank, sends);
}

void
NetworkDoneRounds::EndPiece(uint32_t rank, bool sends)
{
    auto& software = m_barrier->GetSoftware(rank);
    const auto now = Simulator::Now();
    const auto until = software.GetComputingUntil(m_barrier->GetTask(rank));
    if (until > now)
    {
        Simulator::Schedule(until - now, &NetworkDoneRounds::EndPiece, this, rank, sends);
        return;
    }
    auto& member = m_members[rank];
    if (!sends)
    {
        Enter(rank);
        return;
    }
    const auto n = static_cast<uint32_t>(m_members.size());
    const auto to = (rank + 1 + member.receivers->GetInteger(0, n - 2)) % n;
    ++m_rounds[member.round].nSent;
    m_barrier->Send(rank, to, m_quanta.bytes);
    Compute(rank);
}

void
NetworkDoneRounds::Enter(uint32_t rank)
{
    if (!IsFree(rank, &NetworkDoneRounds::Enter))
    {
        return;
    }
    auto& round = m_rounds[m_members[rank].round];
    if (++round.nEntered == m_members.size())
    {
        round.isBusy = m_barrier->GetNUnderWay() > 0;
        round.lastEntry = Simulator::Now();
        round.quiet = round.lastEntry;
    }
    m_barrier->Enter(rank);
}

void
NetworkDoneRounds::Receive(uint32_t, uint32_t from, uint32_t, Time latency)
{
    // Nobody has left before it is received: its sender's round is that in which it was sent.
    const auto number = m_members[from].round;
    auto& round = m_rounds[number];
    if (round.nEntered == m_members.size())
    {
        round.quiet = Simulator::Now();
    }
    if (number >= m_first)
    {
        m_message.Add(InUs(latency));
    }
}

void
NetworkDoneRounds::Count(uint32_t rank, uint32_t nSums, bool)
{
    auto& round = m_rounds[m_members[rank].round];
    round.nSums = std::max(round.nSums, nSums);
}

void
NetworkDoneRounds::Leave(uint32_t rank, uint64_t)
{
    m_lastLeave = Simulator::Now();
    const auto number = m_members[rank].round++;
    if (++m_rounds[number].nLeft == m_members.size())
    {
        Finish(number);
    }
    if (number + 1 < m_quanta.rounds)
    {
        Simulator::ScheduleNow(&NetworkDoneRounds::Begin, this, rank);
    }
}

void
NetworkDoneRounds::Finish(uint32_t number)
{
    ++m_nOver;
    if (number < m_first)
    {
        m_start = m_lastLeave;
        return;
    }
    const auto& round = m_rounds[number];
    m_latency.Add(InUs(m_lastLeave - round.lastEntry));
    m_quiet.Add(InUs(round.quiet - round.lastEntry));
    m_sums.Add(round.nSums);
    m_nBusy += round.isBusy;
    m_nWithMessages += round.nSent > 0;
    m_nSent += round.nSent;
    if (AreOver())
    {
        Simulator::Stop();
    }
}

} // namespace ns3
