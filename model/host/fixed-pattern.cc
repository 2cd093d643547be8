/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-pattern.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FixedPattern);

TypeId
FixedPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FixedPattern").SetParent<TrafficPattern>().SetGroupName("Wormhole");
    return tid;
}

void
FixedPattern::DoPrepare(const FabricGraph& graph)
{
    m_destinations = MakeDestinations(graph.GetNHosts());
}

bool
FixedPattern::IsSilent(uint32_t source) const
{
    return m_destinations[source] == source;
}

uint32_t
FixedPattern::Draw(uint32_t source)
{
    return m_destinations[source];
}

std::vector<TrafficPattern::Share>
FixedPattern::GetShares(uint32_t source) const
{
    return {{m_destinations[source], 1.0}};
}

} // namespace ns3
