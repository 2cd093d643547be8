/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-load-study.h"

#include "ns3/backlog-limit.h"
#include "ns3/collective-helper.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/own-simulation.h"
#include "ns3/progress-watch.h"
#include "ns3/sample-summary.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-sweep.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace ns3
{

namespace
{

constexpr double US = 1e-6; ///< s

/// A group whose members broadcast again and again.
class Broadcaster
{
  public:
    /// @param broadcast the broadcast, without a group @param domain the hosts
    /// @param rounds how many broadcasts @param over called when the last one is over
    Broadcaster(Ptr<Collective> broadcast,
                Ptr<CollectiveDomain> domain,
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
        std::vector<uint32_t> hosts(domain->GetNHosts());
        std::iota(hosts.begin(), hosts.end(), 0);
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

    /// @return from when on it is measured
    Time GetStart() const
    {
        return m_start;
    }

    /// @return when the last member left so far
    Time GetLastLeave() const
    {
        return m_lastLeave;
    }

    /// Adds what it found. @param row where to
    void Report(BroadcastLoadRow& row) const
    {
        const auto share = 1.0 / row.broadcasters;
        row.timeUs += share * (m_end - m_start).GetSeconds() / US / (m_rounds - m_first);
        row.latencyUs += share * m_latency.GetMean();
        row.heldUs += share * m_held.GetMean();
        row.outstanding = std::max<uint64_t>(row.outstanding, m_outstanding);
    }

  private:
    /// The group is ready.
    void Ready(Time)
    {
        for (uint32_t rank = 0; rank < m_left.size(); ++rank)
        {
            Simulator::ScheduleNow(&Collective::Enter, m_broadcast, rank, 0);
        }
    }

    /// The root begins a broadcast. @param held how long it was held back
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

    /// A member leaves. @param rank the member
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

    /// A broadcast is at all members. @param round its number
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
    /// @param traffic the data traffic @param broadcaster what is measured beside it
    DataRecord(Ptr<WormholeTraffic> traffic, const Broadcaster& broadcaster)
        : m_broadcaster(broadcaster)
    {
        traffic->TraceConnectWithoutContext("Delivered", MakeCallback(&DataRecord::Deliver, this));
    }

    /// @return mean latency in us; NaN if no worm counts
    double GetMean() const
    {
        return m_count == 0 ? std::numeric_limits<double>::quiet_NaN() : m_latency.GetMean();
    }

  private:
    /// A worm has arrived. @param worm the worm @param latency since it was made
    void Deliver(Ptr<const TrafficWorm> worm, Time latency)
    {
        const auto start = m_broadcaster.GetStart();
        if (start.IsStrictlyPositive() && worm->GetGenerated() >= start)
        {
            m_latency.Add(latency.GetSeconds() / US);
            ++m_count;
        }
    }

    const Broadcaster& m_broadcaster; ///< what is measured beside it
    SampleSummary m_latency;          ///< latencies, us
    uint64_t m_count{0};              ///< how many
};

} // namespace

BroadcastLoadStudy::BroadcastLoadStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& p = m_parameters;
    if (!p.topology || p.broadcasts.empty() || p.windows.empty() || p.gaps.empty())
    {
        throw WormholeError("study of broadcasts beside data without a fabric, broadcasts, windows "
                            "or gaps: accepted is one of each at least");
    }
    constexpr uint32_t LEAST = 4;
    if (p.rounds < LEAST)
    {
        throw WormholeError(std::to_string(p.rounds) +
                            " broadcasts, of which the first quarter is not measured; accepted "
                            "are 4 and more");
    }
    const auto hosts = p.topology->graph.GetNFirstInterfaces();
    if (p.broadcasters == 0 || p.broadcasters > hosts)
    {
        throw WormholeError(std::to_string(p.broadcasters) + " broadcasters on a fabric of " +
                            std::to_string(hosts) + " hosts; accepted are 1 to " +
                            std::to_string(hosts));
    }
    WormLength::Parse(p.flits);
}

std::vector<BroadcastLoadRow>
BroadcastLoadStudy::Run(uint32_t jobs, const Progress& progress) const
{
    const auto& p = m_parameters;
    std::vector<double> loads{0};
    loads.insert(loads.end(), p.loads.begin(), p.loads.end());
    std::vector<double> gaps;
    for (const auto& gap : p.gaps)
    {
        gaps.push_back(gap.GetSeconds() / US);
    }
    BroadcastLoadRow common;
    common.broadcasters = p.broadcasters;
    return StudySweep(common)
        .Over(&BroadcastLoadRow::broadcast, p.broadcasts)
        .Over(&BroadcastLoadRow::load, loads)
        .Over(&BroadcastLoadRow::gapUs, gaps)
        .Over(&BroadcastLoadRow::window, p.windows)
        .Measure([this](const auto& row) { return Measure(row); }, jobs, progress);
}

BroadcastLoadRow
BroadcastLoadStudy::Measure(BroadcastLoadRow row) const
{
    const auto& p = m_parameters;
    const SeedKeeper seedKeeper;
    const OwnSimulation ownSimulation;
    RngSeedManager::SetSeed(p.seed);
    RngSeedManager::SetRun(1);
    const auto& graph = p.topology->graph;
    auto fabrics = p.fabrics;
    fabrics.SetRouter(p.topology->router);
    auto fabric = fabrics.Install(graph);
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", TimeValue(p.startUp));
    helper.SetSoftwareAttribute("ReceiveOverhead", TimeValue(p.receive));
    helper.SetSoftwareAttribute("UnexpectedTime", TimeValue(p.unexpected));
    auto domain = helper.Install(fabric, graph);

    uint32_t going = p.broadcasters;
    const auto over = [&going] {
        if (--going == 0)
        {
            Simulator::Stop();
        }
    };
    std::vector<std::unique_ptr<Broadcaster>> broadcasters;
    for (uint32_t i = 0; i < p.broadcasters; ++i)
    {
        auto broadcast = CollectiveHelper::MakeBroadcast("throttled");
        broadcast->SetAttribute("Inner", StringValue(row.broadcast));
        broadcast->SetAttribute("Acks", StringValue(p.acks));
        broadcast->SetAttribute("Window", UintegerValue(row.window));
        broadcast->SetAttribute("Gap", TimeValue(NanoSeconds(std::llround(row.gapUs * 1000))));
        broadcast->SetAttribute("MessageBytes", UintegerValue(p.bytes));
        broadcast->SetAttribute(
            "Root",
            IntegerValue(uint64_t{i} * graph.GetNFirstInterfaces() / p.broadcasters));
        broadcasters.push_back(std::make_unique<Broadcaster>(broadcast, domain, p.rounds, over));
    }
    // Far longer than any broadcast, one member after the other, takes.
    fabric->Start();
    const auto message = fabric->GetFlitTime() * static_cast<int64_t>(fabric->GetFlits(p.bytes)) +
                         p.startUp + p.receive + p.unexpected;
    const auto limit = MilliSeconds(10) + NanoSeconds(std::llround(row.gapUs * 1000)) +
                       message * (int64_t{4} * graph.GetNFirstInterfaces() * p.broadcasters);
    const auto lastLeave = [&broadcasters] {
        Time last;
        for (const auto& broadcaster : broadcasters)
        {
            last = std::max(last, broadcaster->GetLastLeave());
        }
        return last;
    };
    const auto watch = row.load > 0 ? std::make_unique<ProgressWatch>(lastLeave, limit) : nullptr;
    Ptr<WormholeTraffic> traffic;
    std::unique_ptr<DataRecord> record;
    std::unique_ptr<BacklogLimit> backlog;
    if (row.load > 0)
    {
        WormholeTrafficHelper source;
        source.SetPattern(p.pattern);
        source.SetAttribute("Load", DoubleValue(row.load));
        traffic = source.Install(fabric, graph, WormLength::Parse(p.flits), 1);
        record = std::make_unique<DataRecord>(traffic, *broadcasters.front());
        backlog = std::make_unique<BacklogLimit>(fabric, traffic);
        traffic->Start();
    }
    Simulator::Run();
    if (going > 0)
    {
        throw WormholeError("broadcast '" + row.broadcast +
                            "' came to a stop: " + domain->ExplainMissing());
    }
    for (const auto& broadcaster : broadcasters)
    {
        broadcaster->Report(row);
    }
    row.trafficUs = record ? record->GetMean() : std::numeric_limits<double>::quiet_NaN();
    broadcasters.clear();
    domain->Dispose();
    return row;
}

} // namespace ns3
