/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-pattern.h"

#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrafficPattern);

TypeId
TrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TrafficPattern").SetParent<Object>().SetGroupName("Wormhole");
    return tid;
}

TrafficPattern::TrafficPattern()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
TrafficPattern::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
TrafficPattern::Prepare(const FabricGraph& graph)
{
    if (graph.GetNHosts() < 2)
    {
        throw WormholeError("traffic between " + std::to_string(graph.GetNHosts()) +
                            " hosts: accepted are 2 at least");
    }
    m_nHosts = graph.GetNHosts();
    DoPrepare(graph);
    if (GetNSenders() == 0)
    {
        throw WormholeError("all of the " + std::to_string(m_nHosts) +
                            " hosts would send to themselves; accepted are more hosts");
    }
}

uint32_t
TrafficPattern::GetNHosts() const
{
    return m_nHosts;
}

uint32_t
TrafficPattern::GetNSenders() const
{
    uint32_t senders = 0;
    for (uint32_t host = 0; host < m_nHosts; ++host)
    {
        senders += !IsSilent(host);
    }
    return senders;
}

bool
TrafficPattern::IsSilent(uint32_t) const
{
    return false;
}

std::vector<TrafficPattern::Share>
TrafficPattern::GetShares(uint32_t) const
{
    return {};
}

uint32_t
TrafficPattern::DrawInteger(uint32_t least, uint32_t greatest)
{
    return m_random->GetInteger(least, greatest);
}

uint32_t
TrafficPattern::DrawOther(uint32_t source)
{
    const auto host = DrawInteger(0, m_nHosts - 2);
    return host + (host >= source);
}

double
TrafficPattern::DrawRatio()
{
    return m_random->GetValue(0, 1);
}

void
TrafficPattern::DoPrepare(const FabricGraph&)
{
}

} // namespace ns3
