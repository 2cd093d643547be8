// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTING_PROGRESS_H
#define WORMHOLE_ROUTING_PROGRESS_H

#include "ns3/wormhole-progress.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole @brief Reports the progress of routing engines, which may compute for minutes.
///
/// There is one listener per process, since fabrics and groups compute routes where no listener
/// could be passed. Once a computation has lasted two seconds (by default), the listener is called
/// after steps, a few times a second, and then once more at the end, even after an error. If it
/// returns false after a step, the computation ends by a WormholeError.
class RoutingProgress
{
  public:
    /// Sets the listener, called once `patience` seconds have passed, and returns the former one.
    static ProgressListener SetListener(ProgressListener listener, double patience = 2);

    /// Begins a computation. @param what the steps' name @param all number of steps; 0: unknown
    explicit RoutingProgress(const std::string& what, uint64_t all = 0);

    ~RoutingProgress();

    RoutingProgress(const RoutingProgress&) = delete;            ///< not copyable
    RoutingProgress& operator=(const RoutingProgress&) = delete; ///< not copyable

    /// Completes a step.
    void Step();

  private:
    using Clock = std::chrono::steady_clock; ///< wall-clock time

    std::string m_what;
    uint64_t m_all;
    uint64_t m_done{0}; ///< number of completed steps
    Clock::time_point m_next;
    bool m_isTold{false}; ///< whether the listener was called
};

} // namespace ns3

#endif /* WORMHOLE_ROUTING_PROGRESS_H */
