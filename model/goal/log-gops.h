/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOG_GOPS_H
#define LOG_GOPS_H

#include "goal-schedule.h"
#include "log-gops-explanation.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Runs a GOAL schedule on an ideal network, by the LogGOPS model (Hoefler, Schneider and
 *        Lumsdaine, LogGOPSim - Simulating Large-Scale Applications in the LogGOPS Model, 2010).
 *
 * No fabric and no event of ns-3's. A message of s bytes that is sent at t keeps its processor busy
 * until t + o + (s - 1) O and its interface until t + g + (s - 1) G. Its first byte arrives at
 * t + o + L; from when both the receiver's processor and interface are free, at u, it keeps the
 * processor busy until u + o + (s - 1) max(O, G), and the interface until u + g + (s - 1) G. A
 * message of more than S bytes is sent as any other, but what waits for its send waits until it is
 * matched: then the sender's processor and interface are free, too, not before.
 *
 * A receive is matched with the first message from its rank, with its tag, that is there; a message
 * with the first such receive that is posted. What can be done at one time is done in the order in
 * which it could be done first; of what becomes possible at once, receives follow sends, and
 * calculations follow both.
 */
class LogGops
{
  public:
    using Parameters = LogGopsParameters;   ///< parameters of the model
    using Explanation = LogGopsExplanation; ///< why the last rank ended when it did

    /// Is told how many operations of how many are done.
    typedef std::function<void(uint64_t done, uint64_t all)> Progress;

    /**
     * @param schedule the schedule
     * @param parameters of the model
     * @param progress is told every now and then; may be empty
     * @param explanation why the last rank ended when it did; null: nobody asks, and nothing is
     *        recorded. Recording takes about 50 bytes for each operation
     * @return when each rank is through with all that it does
     * @throws WormholeError if an operation waits for ever, a message is not received, or a time
     *         does not fit
     */
    static std::vector<Time> Run(const GoalSchedule& schedule,
                                 const Parameters& parameters,
                                 const Progress& progress = {},
                                 Explanation* explanation = nullptr);
};

} // namespace ns3

#endif /* LOG_GOPS_H */
