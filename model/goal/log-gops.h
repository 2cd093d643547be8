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
/// It uses no fabric and no ns-3 events; for o, O, g, G, L and S, see LogGopsParameters. A message
/// of s bytes sent at t occupies the sender's processor until t + o + (s - 1) O, and its interface
/// until t + g + (s - 1) G. Its first byte arrives at t + o + L. At u, when the receiver's
/// processor and interface are both free, the message begins to occupy them: the processor until u
/// + o + (s - 1) max(O, G), the interface until u + g + (s - 1) G. If s > S, the send's successors
/// wait until a receive matches; sender's processor and interface are not free before.
///
/// A receive matches the first waiting message from its peer with its tag; a message matches the
/// first posted receive for its sender's rank and its tag. What becomes ready first is processed
/// first; at one time, sends come first, then receives, then calculations.
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
