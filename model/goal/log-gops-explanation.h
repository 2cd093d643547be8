// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOG_GOPS_EXPLANATION_H
#define LOG_GOPS_EXPLANATION_H

#include "ns3/nstime.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole @brief Parameters of the LogGOPS model, see LogGops.
struct LogGopsParameters
{
    Time L{NanoSeconds(2500)}; ///< latency
    Time o{NanoSeconds(1500)}; ///< processor's overhead per message, at sender and at receiver
    Time g{NanoSeconds(1000)}; ///< gap: minimum time between messages at an interface
    Time G{NanoSeconds(6)};    ///< gap per byte
    Time O{Time(0)};           ///< processor's overhead per byte
    uint64_t S{65535};         ///< maximum length of eagerly sent messages, bytes
};

/// @ingroup wormhole
/// @brief Why the last rank of a schedule ended when it did in a LogGops run: a critical path.
///
/// The number of times that the path contains a parameter is the derivative of the end time with
/// respect to this parameter, provided that the same path stays critical.
struct LogGopsExplanation
{
    uint32_t rank{0};           ///< the rank that ends last; if several do, the lowest of them
    Time end;                   ///< when that rank ends
    LatencyIntervals intervals; ///< intervals of the path: they cover all time from 0 to the end
    uint64_t o{0};              ///< number of overheads o on the path
    uint64_t L{0};              ///< number of latencies L on the path
    uint64_t g{0};              ///< number of gaps g on the path
    uint64_t G{0};              ///< number of bytes on the path, each with gap G
    uint64_t O{0};              ///< number of bytes on the path, each with overhead O
    uint64_t calcNs{0};         ///< total time of calculations on the path, ns

    /// @return the counts as a sum, such as "2 o + L + 100 G + 50 ns"
    std::string Print() const;
};

} // namespace ns3

#endif /* LOG_GOPS_EXPLANATION_H */
