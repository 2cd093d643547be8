/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-time.h"

#include "ns3/exact-time.h"
#include "ns3/wormhole-error.h"

#include <limits>
#include <numeric>

namespace ns3
{

namespace
{

/// @return least size of a flit that takes a whole number of time units at all rates, bytes; 0 if
/// no flit does
uint64_t
GetMinFlitSize(const std::vector<DataRate>& rates)
{
    constexpr uint64_t MOST = std::numeric_limits<uint32_t>::max();
    uint64_t size = 1;
    for (const auto& rate : rates)
    {
        const auto bytes = rate.GetBitRate() ? ExactTime::GetMinBytes(rate) : 0;
        if (bytes == 0 || bytes > MOST || size / std::gcd(size, bytes) > MOST / bytes)
        {
            return 0;
        }
        size = std::lcm(size, bytes);
    }
    return size;
}

} // namespace

Time
FlitTimeOf(uint32_t flitSize,
           DataRate rate,
           const std::string& where,
           const std::vector<DataRate>& rates)
{
    try
    {
        return ExactTime::Transmission(8ULL * flitSize, rate);
    }
    catch (const WormholeError& error)
    {
        const auto bytes = GetMinFlitSize(rates);
        const auto cure = bytes > 0 && flitSize % bytes != 0
                              ? "; also a FlitSize of " + std::to_string(bytes) +
                                    " bytes, or a multiple of it, is accepted"
                              : "";
        throw WormholeError("a flit's time (WormholeFabric::FlitSize at " + where +
                            "): " + error.what() + cure);
    }
}

} // namespace ns3
