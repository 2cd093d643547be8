/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERVAL_TEXT_H
#define INTERVAL_TEXT_H

#include "ns3/wormhole-latency-interval.h"

#include <sstream>
#include <string>

namespace ns3
{

/// @return an explanation, each interval behind a line break
inline std::string
ToLines(const LatencyIntervals& intervals)
{
    std::ostringstream os;
    for (const auto& interval : intervals)
    {
        os << "\n"
           << interval.from << ".." << interval.to << " " << GetName(interval.cause) << " "
           << interval.place << " " << interval.note;
        if (interval.other)
        {
            os << " worm " << interval.other->GetId();
        }
    }
    return os.str();
}

/// @return what is wrong with an explanation as a whole, or nothing @param from when it is to begin
/// @param to when it is to end
inline std::string
FindGap(const LatencyIntervals& intervals, int64_t from, int64_t to)
{
    for (const auto& interval : intervals)
    {
        if (interval.from != from || interval.to < from)
        {
            return "an interval does not meet the one before it";
        }
        if (interval.to == from && interval.cause != LatencyCause::REGISTER)
        {
            return "an interval takes no time";
        }
        from = interval.to;
    }
    return from == to ? ""
                      : "it ends at " + std::to_string(from) + ", not at " + std::to_string(to);
}

/// @return how long intervals of a cause take together, ns-3 time units
inline int64_t
SumOf(const LatencyIntervals& intervals, LatencyCause cause)
{
    int64_t sum = 0;
    for (const auto& interval : intervals)
    {
        sum += interval.cause == cause ? interval.to - interval.from : 0;
    }
    return sum;
}

} // namespace ns3

#endif /* INTERVAL_TEXT_H */
