/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERVAL_TEXT_H
#define INTERVAL_TEXT_H

#include "ns3/latency-interval.h"

#include <sstream>
#include <string>

namespace ns3
{

/// @return an explanation, each interval behind a line break @param intervals it
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

} // namespace ns3

#endif /* INTERVAL_TEXT_H */
