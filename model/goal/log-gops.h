// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOG_GOPS_H
#define LOG_GOPS_H

#include "goal-schedule.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-progress.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Parameters of the LogGOPS model, see LogGops.
struct LogGopsParameters
{
    Time L{NanoSeconds(2500)}; ///< latency
    Time o{NanoSeconds(1500)}; ///< per-message overhead, at either end
    Time g{NanoSeconds(1000)}; ///< gap: minimum time between messages at an interface
    Time G{PicoSeconds(6)};    ///< gap per byte
    Time O{Time(0)};           ///< overhead per byte
    uint64_t S{65535};         ///< maximum length of eagerly sent messages, bytes
};

/// @ingroup wormhole
/// @brief Why the last rank of a schedule ended then on the ideal network: its critical path.
///
/// The count of a parameter on the path is the derivative of the end with respect to it, as long as
/// the path stays the same.
struct LogGopsExplanation
{
    uint32_t rank{0};           ///< the first of the ranks that end last
    Time end;                   ///< when it ends
    LatencyIntervals intervals; ///< from 0 to the end, without a gap
    uint64_t o{0};              ///< number of overheads on the path
    uint64_t L{0};              ///< number of latencies
    uint64_t g{0};              ///< number of gaps
    uint64_t G{0};              ///< number of bytes at gap G
    uint64_t O{0};              ///< number of bytes at overhead O
    uint64_t calcNs{0};         ///< total of calculations, ns

    /// @return the sum as text, such as "2 o + L + 100 G + 50 ns"
    std::string Print() const;
};

/// @ingroup wormhole
/// @brief Runs a GOAL schedule on an ideal network by the LogGOPS model (Hoefler, Schneider and
///        Lumsdaine, LogGOPSim - Simulating Large-Scale Applications in the LogGOPS Model, 2010).
///
/// It uses no fabric and no ns-3 events. A message of s bytes sent at t occupies its processor
/// until t + o + (s - 1) O and its interface until t + g + (s - 1) G. Its first byte arrives at t +
/// o + L. From the time u at which the receiver's processor and interface are both free, it
/// occupies the processor until u + o + (s - 1) max(O, G), and the interface until u + g + (s - 1)
/// G. A message of more than S bytes is sent like any other, but successors of its send wait until
/// it is matched: then the sender's processor and interface are free, too, not before.
///
/// A receive matches the first waiting message from its rank with its tag, and a message the first
/// such posted receive. Ready items are processed in the order in which they became ready; among
/// simultaneous ones, sends come first, then receives, then calculations.
class LogGops
{
  public:
    using Parameters = LogGopsParameters;   ///< parameters of the model
    using Explanation = LogGopsExplanation; ///< why the last rank ended when it did

    /// @param schedule the schedule
    /// @param parameters parameters of the model
    /// @param progress receives completed operations periodically; may be empty
    /// @param explanation receives the critical path, for about 50 bytes an operation; or null
    /// @return when each rank ends
    /// @throws WormholeError if an operation never becomes ready, a message is not received, or a
    ///         time overflows
    static std::vector<Time> Run(const GoalSchedule& schedule,
                                 const Parameters& parameters,
                                 const ProgressListener& progress = {},
                                 Explanation* explanation = nullptr);
};

} // namespace ns3

#endif /* LOG_GOPS_H */
