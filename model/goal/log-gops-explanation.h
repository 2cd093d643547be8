/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOG_GOPS_EXPLANATION_H
#define LOG_GOPS_EXPLANATION_H

#include "ns3/nstime.h"
#include "ns3/wormhole-latency-interval.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Parameters of the LogGOPS model, see LogGops.
struct LogGopsParameters
{
    Time L{NanoSeconds(2500)}; ///< latency
    Time o{NanoSeconds(1500)}; ///< overhead of a message, at either end
    Time g{NanoSeconds(1000)}; ///< least time between messages at an interface
    Time G{PicoSeconds(6)};    ///< the same, for each byte
    Time O{Time(0)};           ///< overhead of each byte
    uint64_t S{65535};         ///< length of the longest message that is sent eagerly, bytes
};

/**
 * @ingroup wormhole
 * @brief Why the last rank of a schedule ended when it did on the ideal network: its critical path.
 *
 * How often the model's parameters are on it is how much the end changes with each, as long as the
 * path stays the same.
 */
struct LogGopsExplanation
{
    uint32_t rank{0};           ///< the first of the ranks that end last
    Time end;                   ///< when it ends
    LatencyIntervals intervals; ///< from 0 until then, without a gap
    uint64_t o{0};              ///< overheads on the path
    uint64_t L{0};              ///< latencies
    uint64_t g{0};              ///< gaps
    uint64_t G{0};              ///< bytes that count by their gap
    uint64_t O{0};              ///< bytes that count by their overhead
    uint64_t calcNs{0};         ///< calculations, ns

    /// @return the sum in words, such as "2 o + L + 100 G + 50 ns"
    std::string Print() const;
};

} // namespace ns3

#endif /* LOG_GOPS_EXPLANATION_H */
