/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCASTER_H
#define BROADCASTER_H

#include "sample-summary.h"

#include "ns3/collective-domain.h"
#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// A group whose members broadcast again and again.
class Broadcaster
{
  public:
    /// @param over called when the last one is over
    Broadcaster(Ptr<Collective> broadcast,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts,
                uint32_t rounds,
                const std::function<void()>& over);

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

    /// @return when the last member left so far
    Time GetLastLeave() const
    {
        return m_lastLeave;
    }

    void Report(CsvRow& row) const;

  private:
    void Ready(Time);
    void Begin(Time held);

    void Leave(uint32_t rank, uint64_t);
    void Finish(uint32_t round);

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
    DataRecord(Ptr<WormholeTraffic> traffic, const Broadcaster& broadcaster);

    /// @return mean latency in us; NaN if no worm counts
    double GetMean() const
    {
        return m_latency.GetMean();
    }

  private:
    void Deliver(Ptr<const TrafficWorm> worm, Time latency);

    const Broadcaster& m_broadcaster; ///< what is measured beside it
    SampleSummary m_latency;          ///< latencies, us
};

} // namespace ns3

#endif /* BROADCASTER_H */
