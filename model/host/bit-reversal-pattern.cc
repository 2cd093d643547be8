/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bit-reversal-pattern.h"

#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BitReversalPattern);

TypeId
BitReversalPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BitReversalPattern")
                            .SetParent<FixedPattern>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<BitReversalPattern>();
    return tid;
}

std::vector<uint32_t>
BitReversalPattern::MakeDestinations(uint32_t nHosts)
{
    uint32_t bits = 0;
    while (uint64_t{2} << bits <= nHosts)
    {
        ++bits;
    }
    const auto below = uint64_t{1} << bits;
    if (below != nHosts)
    {
        throw WormholeError("a bit reversal needs a power of two of hosts, and there are " +
                            std::to_string(nHosts) + "; accepted are " +
                            (below > 2 ? std::to_string(below) + " or " : "") +
                            std::to_string(2 * below));
    }
    std::vector<uint32_t> destinations(nHosts);
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        for (uint32_t bit = 0; bit < bits; ++bit)
        {
            destinations[i] |= (i >> bit & 1) << (bits - 1 - bit);
        }
    }
    return destinations;
}

} // namespace ns3
