/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LATENCY_INTERVAL_H
#define WORMHOLE_LATENCY_INTERVAL_H

#include "wormhole-worm.h"

#include "ns3/ptr.h"
#include "ns3/wormhole-latency-cause.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief One interval of a latency, and its cause. Times are in ns-3 time units.
struct LatencyInterval
{
    static constexpr int32_t NO_LANE = -1; ///< What is in no lane, or in the only one.

    int64_t from;          ///< when it begins
    int64_t to;            ///< when it ends
    LatencyCause cause;    ///< its cause
    std::string place;     ///< output, buffer, switch or process
    Ptr<const Worm> worm;  ///< the worm that is explained there; null at hosts
    Ptr<const Worm> other; ///< worm that holds it up; null if none does
    std::string note{};    ///< more about it, such as who came late
    int32_t lane{NO_LANE}; ///< lane of the output or buffer, where there are several (S11)
};

/// @ingroup wormhole
/// @brief Intervals that meet end to end, in order of time.
using LatencyIntervals = std::vector<LatencyInterval>;

} // namespace ns3

#endif /* WORMHOLE_LATENCY_INTERVAL_H */
