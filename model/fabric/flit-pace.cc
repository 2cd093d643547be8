/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-pace.h"

namespace ns3
{

FlitPart
FlitPart::MeetOther(uint64_t flit,
                    FlitPart one,
                    FlitPart other,
                    FlitPace channel,
                    const FlitTimes& times)
{
    other.pace = times[other.pace] < times[channel] ? channel : other.pace;
    const auto end = std::min(one.end, other.end);
    const bool leads =
        one.time != other.time ? one.time > other.time : times[one.pace] >= times[other.pace];
    auto part = leads ? one : other;
    const auto& second = leads ? other : one;
    part.end = end;
    if (times[second.pace] > times[part.pace])
    {
        // The slower one is behind by now, and comes to the front.
        const auto gain = times[second.pace] - times[part.pace];
        const auto flits = static_cast<uint64_t>((part.time - second.time) / gain) + 1;
        part.end = std::min(part.end, flit + flits);
    }
    return part;
}

} // namespace ns3
