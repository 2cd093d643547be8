// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOG_GOPS_H
#define LOG_GOPS_H

#include "goal-schedule.h"
#include "log-gops-explanation.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-progress.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Runs a GOAL schedule on an ideal network by the LogGOPS model (Hoefler, Schneider and
///        Lumsdaine, LogGOPSim - Simulating Large-Scale Applications in the LogGOPS Model, 2010).
///
/// It uses no fabric and no ns-3 events. A message of s bytes sent at t occupies the sender's
/// processor until t + o + (s - 1) O, and the interface until t + g + (s - 1) G. Its first byte
/// arrives at t + o + L. From the time u at which the receiver's processor and interface are both
/// free, it occupies the processor until u + o + (s - 1) max(O, G), and the interface until u + g +
/// (s - 1) G. A message of more than S bytes is sent like any other, but successors of its send
/// wait until it is matched, and the sender's processor and interface are not free before then.
///
/// A receive matches the first waiting message from its peer with its tag, and a message matches
/// the first posted receive for its rank and tag. Ready items are processed in the order in which
/// they became ready; among simultaneous items, sends come first, then receives, then calculations.
class LogGops
{
  public:
    using Parameters = LogGopsParameters;   ///< parameters of the model
    using Explanation = LogGopsExplanation; ///< why the last rank ended when it did

    /// @param schedule the schedule
    /// @param parameters parameters of the model
    /// @param progress receives the number of completed operations periodically; may be empty
    /// @param explanation receives the critical path (about 50 bytes per operation); may be null
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
