/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uniform-pattern.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UniformPattern);

TypeId
UniformPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UniformPattern")
                            .SetParent<TrafficPattern>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<UniformPattern>();
    return tid;
}

uint32_t
UniformPattern::Draw(uint32_t source)
{
    return DrawOther(source);
}

std::vector<TrafficPattern::Share>
UniformPattern::GetShares(uint32_t source) const
{
    std::vector<Share> shares;
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        if (host != source)
        {
            shares.emplace_back(host, 1.0 / (GetNHosts() - 1));
        }
    }
    return shares;
}

} // namespace ns3
