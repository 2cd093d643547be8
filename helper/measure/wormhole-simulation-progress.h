// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_SIMULATION_PROGRESS_H
#define WORMHOLE_SIMULATION_PROGRESS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-progress.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace ns3
{

/// @ingroup wormhole
/// @brief Reports the progress of a long simulation every few seconds to a listener, which may stop
///        it.
///
/// It checks the wall clock in its own events, whose interval adapts to the simulation's speed, so
/// that their cost is negligible. These events do not affect the times of other events.
class SimulationProgress
{
  public:
    /// Default time between two reports, and before the first report, in seconds.
    static constexpr double SECONDS = 5;

    /// Makes an object that, after Begin, reports to a listener every `seconds` of wall-clock time.
    explicit SimulationProgress(ProgressListener listener = {}, double seconds = SECONDS)
    {
        Set(std::move(listener), seconds);
    }

    ~SimulationProgress()
    {
        End();
    }

    SimulationProgress(const SimulationProgress&) = delete;            ///< not copyable
    SimulationProgress& operator=(const SimulationProgress&) = delete; ///< not copyable

    /// Replaces the listener (empty: none) and the seconds between two reports.
    void Set(ProgressListener listener, double seconds)
    {
        m_listener = std::move(listener);
        m_seconds = seconds;
    }

    /// @return whether there is a listener
    bool IsSet() const
    {
        return bool(m_listener);
    }

    /// Starts reporting that done() of `all` steps are done; reports also name the steps, and give
    /// the simulated time, unless that name, `what`, is empty.
    void Begin(const std::string& what, const std::function<uint64_t()>& done, uint64_t all);

    /// Ends reporting, and removes the event of the next check, which would prolong the simulation.
    void End();

  private:
    using Clock = std::chrono::steady_clock; //!< the wall clock

    /// Checks the clock, reports if due, and schedules the next check if other events are pending.
    void Look();

    ProgressListener m_listener;
    double m_seconds; ///< seconds between two reports
    std::string m_what;
    std::function<uint64_t()> m_done;
    uint64_t m_all{0};
    Time m_interval;            ///< simulated time between two checks
    Clock::time_point m_told;   ///< time of the last report, or of the start
    Clock::time_point m_looked; ///< time of the last check
    EventId m_event;            ///< next check
};

} // namespace ns3

#endif /* WORMHOLE_SIMULATION_PROGRESS_H */
