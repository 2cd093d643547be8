/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-background-traffic.h"

#include "ns3/double.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{

BacklogLimit::BacklogLimit(Ptr<WormholeFabric> fabric,
                           Ptr<WormholeTraffic> traffic,
                           uint64_t perSender)
    : m_fabric(fabric),
      m_traffic(traffic),
      m_perSender(perSender)
{
    traffic->TraceConnectWithoutContext("Generated", MakeCallback(&BacklogLimit::Look, this));
}

BacklogLimit::~BacklogLimit()
{
    m_traffic->TraceDisconnectWithoutContext("Generated", MakeCallback(&BacklogLimit::Look, this));
}

uint64_t
BacklogLimit::CountWaiting(const WormholeTraffic& traffic)
{
    const auto& counts = traffic.GetCounts();
    return counts.generatedWorms - counts.deliveredWorms;
}

void
BacklogLimit::Refuse(WormholeFabric& fabric, const WormholeTraffic& traffic)
{
    const auto deadlock = fabric.ExplainDeadlock();
    if (!deadlock.empty())
    {
        throw WormholeError(deadlock);
    }
    DoubleValue load;
    traffic.GetAttribute("Load", load);
    std::ostringstream text;
    text << "data traffic at a load of " << load.Get()
         << " is more than the fabric takes: " << CountWaiting(traffic)
         << " worms wait; expected loads below saturation, which latency-load finds, less "
            "what is done beside it, as long messages";
    throw Overload(text.str());
}

void
BacklogLimit::Look(Ptr<const TrafficWorm>)
{
    if (CountWaiting(*m_traffic) > m_perSender * m_traffic->GetNSenders())
    {
        Refuse(*m_fabric, *m_traffic);
    }
}

StallDetector::StallDetector(std::function<Time()> last, Time limit)
    : m_last(std::move(last)),
      m_limit(limit)
{
    m_event = Simulator::Schedule(m_limit, &StallDetector::Look, this);
}

StallDetector::~StallDetector()
{
    m_event.Cancel();
}

void
StallDetector::Look()
{
    if (m_last() + m_limit > Simulator::Now())
    {
        m_event = Simulator::Schedule(m_limit, &StallDetector::Look, this);
        return;
    }
    Simulator::Stop();
}

} // namespace ns3
