// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOG_GOPS_H
#define LOG_GOPS_H

#include "goal-schedule.h"
#include "log-gops-explanation.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-progress.h"

#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Runs a GOAL schedule on an ideal network by the LogGOPS model (Hoefler, Schneider and
///        Lumsdaine, LogGOPSim - Simulating Large-Scale Applications in the LogGOPS Model, 2010).
///
/// It uses no fabric and no ns-3 events. LogGopsParameters explains o, O, g, G, L and S. If a rank
/// sends a message of s bytes at t, its processor is busy until t + o + (s - 1) O, its interface
/// until t + g + (s - 1) G, and the first byte arrives at t + o + L. The send's cpu and nic
/// also number the receiver's processor and interface. Let u be the first time from t + o + L on
/// when both are free: the processor is busy until u + o + (s - 1) max(O, G), the interface until
/// u + g + (s - 1) G. If s > S, operations that depend on the send wait until a receive matches it.
///
/// A receive matches the first waiting message from its peer with its tag; a message matches the
/// first posted receive for its sender's rank and its tag. Operations are processed as they become
/// ready; of a rank's operations that become ready together, sends are first, calculations last.
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
    /// @throws WormholeError if an operation never becomes ready, a message is not received, a
    ///         time overflows, `progress` ends the run, or Check of the schedule throws
    static std::vector<Time> Run(const GoalSchedule& schedule,
                                 const Parameters& parameters,
                                 const ProgressListener& progress = {},
                                 Explanation* explanation = nullptr);
};

} // namespace ns3

#endif /* LOG_GOPS_H */
