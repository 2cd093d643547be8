/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What an engine of lanes tells traces, logs and records: apart, so that the rest stays small.

#include "lane-engine.h"

#include "ns3/run-engine.h"
#include "ns3/simulator.h"
#include "ns3/worm-log.h"
#include "ns3/wormhole-port.h"

namespace ns3
{

void
LaneEngine::NotifyGrant(WormholePort& port, const LaneRequest& request, int64_t time) const
{
    const auto worm = request.hop->GetWorm();
    if (request.since < time || time > m_engine.m_now)
    {
        port.NotifyGrant(worm, time);
        port.NotifyHeadStart(worm, time);
        return;
    }
    // The trace of the request is an event of now, which comes first.
    const auto context = request.hop->GetNode()->context;
    const Ptr<WormholePort> traced(&port);
    Simulator::ScheduleWithContext(context,
                                   Time(0),
                                   &WormholePort::NotifyGrant,
                                   traced,
                                   worm,
                                   time);
    Simulator::ScheduleWithContext(context,
                                   Time(0),
                                   &WormholePort::NotifyHeadStart,
                                   traced,
                                   worm,
                                   time);
}

void
LaneEngine::ObserveStart(const LaneHop& hop, int64_t time) const
{
    if (m_engine.m_recorder)
    {
        m_engine.m_recorder->Begin(hop, time, GetNLanes());
    }
}

void
LaneEngine::ObserveRequest(const LaneRequest& request, int64_t time) const
{
    const auto& hop = *request.hop;
    WormLog::Print(WormLog::REQUEST, *request.output->port, *hop.worm, time);
    if (m_engine.m_recorder && &request == &hop.requests->list.front())
    {
        m_engine.m_recorder->Ask(hop, time);
    }
}

void
LaneEngine::ObserveGrant(const LaneRequest& request, int64_t time, const FlitEnvelope& starts) const
{
    const auto& port = *request.output->port;
    const auto& worm = *request.hop->worm;
    const auto left = starts.At(worm.GetFlits() - 1) + m_engine.m_times[port.pace];
    WormLog::Print(WormLog::GRANT, port, worm, time);
    WormLog::Print(WormLog::HEAD, port, worm, time);
    WormLog::Print(WormLog::TAIL, port, worm, left);
    if (m_engine.m_recorder)
    {
        m_engine.m_recorder->Grant(request, time, starts, m_engine.m_times, m_settings.priorities);
    }
}

void
LaneEngine::ObserveEnd(const LaneHop& hop, int64_t time) const
{
    if (m_engine.m_recorder)
    {
        m_engine.m_recorder->Take(hop, time);
    }
}

} // namespace ns3
