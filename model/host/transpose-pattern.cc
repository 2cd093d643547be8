/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transpose-pattern.h"

#include "ns3/wormhole-error.h"

#include <cmath>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TransposePattern);

TypeId
TransposePattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TransposePattern")
                            .SetParent<FixedPattern>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<TransposePattern>();
    return tid;
}

std::vector<uint32_t>
TransposePattern::MakeDestinations(uint32_t nHosts)
{
    const auto side = static_cast<uint32_t>(std::sqrt(nHosts));
    if (side * side != nHosts)
    {
        throw WormholeError("a transpose needs a square number of hosts, and there are " +
                            std::to_string(nHosts) + "; accepted are " +
                            (side > 1 ? std::to_string(side * side) + " or " : "") +
                            std::to_string((side + 1) * (side + 1)));
    }
    std::vector<uint32_t> destinations(nHosts);
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        destinations[i] = i % side * side + i / side;
    }
    return destinations;
}

} // namespace ns3
