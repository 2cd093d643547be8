/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "permutation-pattern.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PermutationPattern);

TypeId
PermutationPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PermutationPattern")
                            .SetParent<FixedPattern>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<PermutationPattern>();
    return tid;
}

std::vector<uint32_t>
PermutationPattern::MakeDestinations(uint32_t nHosts)
{
    std::vector<uint32_t> destinations(nHosts);
    bool fixedPoint = true;
    while (fixedPoint) // about e times, whatever the number of hosts
    {
        std::iota(destinations.begin(), destinations.end(), 0);
        for (uint32_t i = 0; i + 1 < nHosts; ++i)
        {
            std::swap(destinations[i], destinations[DrawInteger(i, nHosts - 1)]);
        }
        fixedPoint = false;
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            fixedPoint = fixedPoint || destinations[i] == i;
        }
    }
    return destinations;
}

} // namespace ns3
