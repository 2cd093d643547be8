/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-bench.h"

#include "collective-bench.h"
#include "watchdog.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// Worms that a host makes between two rounds, on the average.
constexpr int64_t PAUSE_WORMS = 32;

/// Worms for each host that may wait when a round begins.
constexpr uint64_t WAITING = 8;

/// Pauses before the first round.
constexpr int64_t WARM_UP = 4;

/// Times as long as a round and as some pauses that worms may take that it has held up.
constexpr int64_t PATIENCE = 8;

} // namespace

LoadedBench::LoadedBench(Ptr<Collective> collective,
                         Ptr<CollectiveDomain> domain,
                         const FabricGraph& graph,
                         const std::vector<uint32_t>& hosts,
                         const Traffic& traffic)
    : m_collective(collective),
      m_domain(domain),
      m_load(traffic.load),
      m_nMembers(static_cast<uint32_t>(hosts.size()))
{
    if (domain->IsIdeal())
    {
        throw WormholeError("an ideal network has no traffic beside a collective; accepted is a "
                            "fabric");
    }
    const auto length = WormLength::Parse(traffic.flits);
    m_unloaded = CollectiveBench(collective, domain, hosts).Cross({}, {});
    const auto fabric = domain->GetFabric();
    WormholeTrafficHelper helper;
    helper.SetPattern(traffic.pattern);
    helper.SetAttribute("Load", DoubleValue(m_load));
    m_traffic = helper.Install(fabric, graph, length, traffic.stream);
    m_pause =
        Time::FromDouble(fabric->GetFlitTime().GetSeconds() * length.GetMean() / m_load, Time::S) *
        PAUSE_WORMS;
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&LoadedBench::Leave, this));
}

LoadedBench::~LoadedBench()
{
    m_event.Cancel();
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
    const auto limit = (m_unloaded + m_pause) * PATIENCE * 128;
    const Watchdog watchdog([this] { return m_lastLook; }, limit);
    m_lastLook = Simulator::Now();
    m_event = Simulator::Schedule(m_pause * WARM_UP, &LoadedBench::Begin, this);
    m_traffic->Start();
    Simulator::Run();
    if (m_durations.size() < rounds)
    {
        throw WormholeError("a collective beside traffic came to a stop: " +
                            m_domain->ExplainMissing());
    }
    return m_durations;
}

void
LoadedBench::Begin()
{
    m_lastLook = Simulator::Now();
    const auto& counts = m_traffic->GetCounts();
    const auto waiting = counts.generatedWorms - counts.deliveredWorms;
    if (waiting > WAITING * m_traffic->GetNSenders())
    {
        const auto patience = m_durations.empty()
                                  ? m_pause * PATIENCE
                                  : (m_durations.back() + m_pause * PATIENCE) * PATIENCE;
        if (m_waited > patience)
        {
            const auto deadlock = m_domain->GetFabric()->ExplainDeadlock();
            if (!deadlock.empty())
            {
                throw WormholeError(deadlock);
            }
            std::ostringstream text;
            text << "data traffic at a load of " << m_load
                 << " is more than the fabric takes: " << waiting
                 << " worms wait; accepted are loads below saturation, which latency-load finds";
            throw Overload(text.str());
        }
        // Longer and longer, so that a long round's backlog takes few events.
        const auto pause = std::max(m_pause, m_waited / 8);
        m_waited += pause;
        m_event = Simulator::Schedule(pause, &LoadedBench::Begin, this);
        return;
    }
    m_begin = Simulator::Now();
    m_nLeft = 0;
    for (uint32_t rank = 0; rank < m_nMembers; ++rank)
    {
        m_collective->Enter(rank, 0);
    }
}

void
LoadedBench::Leave(uint32_t, uint64_t)
{
    if (++m_nLeft < m_nMembers || m_rounds == 0)
    {
        return;
    }
    m_durations.push_back(Simulator::Now() - m_begin);
    if (m_durations.size() == m_rounds)
    {
        m_traffic->Stop();
        Simulator::Stop();
        return;
    }
    m_waited = m_pause;
    m_event = Simulator::Schedule(m_pause, &LoadedBench::Begin, this);
}

Time
LoadedBench::GetUnloaded() const
{
    return m_unloaded;
}

} // namespace ns3
