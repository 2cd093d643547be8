/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hotspot-pattern.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HotspotPattern);

TypeId
HotspotPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HotspotPattern")
            .SetParent<TrafficPattern>()
            .SetGroupName("Wormhole")
            .AddConstructor<HotspotPattern>()
            .AddAttribute("Fraction",
                          "Fraction of the worms of every other host that goes to the hot host.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&HotspotPattern::m_fraction),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Host",
                          "Number of the hot host.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HotspotPattern::m_host),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
HotspotPattern::DoPrepare(const FabricGraph& graph)
{
    if (m_host >= graph.GetNHosts())
    {
        throw WormholeError("hot host " + std::to_string(m_host) + ": accepted are 0 to " +
                            std::to_string(graph.GetNHosts() - 1));
    }
}

uint32_t
HotspotPattern::Draw(uint32_t source)
{
    if (source != m_host && DrawRatio() < m_fraction)
    {
        return m_host;
    }
    return DrawOther(source);
}

std::vector<TrafficPattern::Share>
HotspotPattern::GetShares(uint32_t source) const
{
    const auto fraction = source == m_host ? 0 : m_fraction;
    std::vector<Share> shares;
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        if (host != source)
        {
            shares.emplace_back(host,
                                (1 - fraction) / (GetNHosts() - 1) +
                                    (host == m_host ? fraction : 0));
        }
    }
    return shares;
}

} // namespace ns3
