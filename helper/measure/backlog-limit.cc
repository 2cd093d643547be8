/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "backlog-limit.h"

#include "ns3/double.h"
#include "ns3/wormhole-error.h"

#include <sstream>

namespace ns3
{

BacklogLimit::BacklogLimit(Ptr<WormholeFabric> fabric, Ptr<WormholeTraffic> traffic)
    : m_fabric(fabric),
      m_traffic(traffic)
{
    traffic->TraceConnectWithoutContext("Generated", MakeCallback(&BacklogLimit::Look, this));
}

BacklogLimit::~BacklogLimit()
{
    m_traffic->TraceDisconnectWithoutContext("Generated", MakeCallback(&BacklogLimit::Look, this));
}

void
BacklogLimit::Look(Ptr<const TrafficWorm>)
{
    const auto& counts = m_traffic->GetCounts();
    const auto waiting = counts.generatedWorms - counts.deliveredWorms;
    if (waiting > PER_SENDER * m_traffic->GetNSenders())
    {
        const auto deadlock = m_fabric->ExplainDeadlock();
        if (!deadlock.empty())
        {
            throw WormholeError(deadlock);
        }
        DoubleValue load;
        m_traffic->GetAttribute("Load", load);
        std::ostringstream text;
        text << "data traffic at a load of " << load.Get()
             << " is more than the fabric takes: " << waiting
             << " worms wait; accepted are loads below saturation, which latency-load "
             << "finds";
        throw WormholeError(text.str());
    }
}

} // namespace ns3
