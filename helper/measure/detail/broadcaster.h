// SPDX-License-Identifier: GPL-2.0-only

#ifndef BROADCASTER_H
#define BROADCASTER_H

#include "sample-summary.h"

#include "ns3/collective-domain.h"
#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// A group whose members broadcast again and again.
class Broadcaster
{
  public:
    static constexpr double US = 1e-6; ///< s

    /// @param over called when the last one is over
    Broadcaster(Ptr<Collective> broadcast,
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

    ~Broadcaster()
    {
        m_broadcast->Dispose();
    }

    Broadcaster(const Broadcaster&) = delete;            ///< traces point to it
    Broadcaster& operator=(const Broadcaster&) = delete; ///< traces point to it

    Time GetStart() const
    {
        return m_start;
    }

    Time GetLastLeave() const
    {
        return m_lastLeave;
    }

    void Report(CsvRow& row) const
    {
        const auto share = 1.0 / row["broadcasters"];
        row["time_us"] += share * (m_end - m_start).GetSeconds() / US / (m_rounds - m_first);
        row["latency_us"] += share * m_latency.GetMean();
        row["held_us"] += share * m_held.GetMean();
        row["outstanding"] = std::max<uint64_t>(row["outstanding"], m_outstanding);
    }

  private:
    void Ready(Time)
    {
        for (uint32_t rank = 0; rank < m_left.size(); ++rank)
        {
            Simulator::ScheduleNow(&Collective::Enter, m_broadcast, rank, 0);
        }
    }

    void Begin(Time held)
    {
        m_begins[m_nBegun] = Simulator::Now();
        ++m_nBegun;
        m_outstanding = std::max(m_outstanding, m_nBegun - m_nOver);
        if (m_nBegun > m_first)
        {
            m_held.Add(held.GetSeconds() / US);
        }
    }

    void Leave(uint32_t rank, uint64_t)
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

    void Finish(uint32_t round)
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

    Ptr<Collective> m_broadcast;   ///< the broadcast
    uint32_t m_rounds;             ///< how many of them
    uint32_t m_first;              ///< how many are not measured
    std::function<void()> m_over;  ///< called when the last one is over
    std::vector<uint32_t> m_left;  ///< broadcasts left, by rank
    std::vector<uint32_t> m_nLeft; ///< members that have left, by broadcast
    std::vector<Time> m_begins;    ///< when broadcasts began
    uint32_t m_nBegun{0};          ///< broadcasts begun
    uint32_t m_nOver{0};           ///< broadcasts at all members
    uint32_t m_outstanding{0};     ///< the most begun and not over
    Time m_start;                  ///< when the measurement began
    Time m_end;                    ///< when the last broadcast so far was over
    Time m_lastLeave;              ///< when the last member left so far
    SampleSummary m_latency;       ///< of broadcasts, us
    SampleSummary m_held;          ///< how long roots were held back, us
};

/// Latencies of data worms made in the time that is measured.
class DataRecord
{
  public:
    DataRecord(Ptr<WormholeTraffic> traffic, const Broadcaster& broadcaster)
        : m_broadcaster(broadcaster)
    {
        traffic->TraceConnectWithoutContext("Delivered", MakeCallback(&DataRecord::Deliver, this));
    }

    /// @return mean latency in us; NaN if no worm counts
    double GetMean() const
    {
        return m_latency.GetMean();
    }

  private:
    void Deliver(Ptr<const TrafficWorm> worm, Time latency)
    {
        const auto start = m_broadcaster.GetStart();
        if (start.IsStrictlyPositive() && worm->GetGenerated() >= start)
        {
            m_latency.Add(latency.GetSeconds() / Broadcaster::US);
        }
    }

    const Broadcaster& m_broadcaster; ///< what is measured beside it
    SampleSummary m_latency;          ///< latencies, us
};

} // namespace ns3

#endif /* BROADCASTER_H */
