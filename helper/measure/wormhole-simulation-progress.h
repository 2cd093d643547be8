// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_SIMULATION_PROGRESS_H
#define WORMHOLE_SIMULATION_PROGRESS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Reports the progress of a long simulation every few seconds.
 *
 * It checks the wall clock in events of its own, whose interval adapts to the speed of the
 * simulation, so that their cost is negligible. They do not affect the times of other events.
 */
class SimulationProgress
{
  public:
    /// Seconds between two reports, and before the first.
    static constexpr double SECONDS = 5;

    /// Prints for the object's lifetime, in intervals of wall-clock time, what a function returns,
    /// and the simulated time.
    SimulationProgress(std::ostream& os,
                       std::function<std::string()> describe,
                       double seconds = SECONDS);

    /// Calls a function instead.
    SimulationProgress(std::function<void()> tell, double seconds);

    ~SimulationProgress();

    SimulationProgress(const SimulationProgress&) = delete;            ///< events hold its address
    SimulationProgress& operator=(const SimulationProgress&) = delete; ///< events hold its address

  private:
    using Clock = std::chrono::steady_clock; //!< the wall clock

    /// Checks the clock, reports if due, and schedules the next check if other events are pending.
    void Look();

    std::function<void()> m_tell; ///< reports
    double m_seconds;             ///< between two reports
    Time m_interval;              ///< simulated time between two checks
    Clock::time_point m_told;     ///< time of the last report, or of the start
    Clock::time_point m_looked;   ///< time of the last check
    EventId m_event;              ///< next check
};

/// @ingroup wormhole
/// @brief Reports the progress of a measurement to a function, which may end it.
class ProgressTeller
{
  public:
    /// Receives completed and total work; returns whether to continue.
    using Tell = std::function<bool(uint64_t done, uint64_t all)>;

    /// Has a function, or none, receive progress every few seconds of wall-clock time.
    void Set(Tell tell, double seconds)
    {
        m_tell = std::move(tell);
        m_seconds = seconds;
    }

    /// @return whether a function is set
    bool IsSet() const
    {
        return bool(m_tell);
    }

    /// Starts reporting completed and total work, if a function is set.
    void Begin(const std::function<uint64_t()>& done, uint64_t all);

    /// Ends reporting, so that no check extends the simulation.
    void End()
    {
        m_progress.reset();
    }

  private:
    Tell m_tell;
    double m_seconds{0};
    std::unique_ptr<SimulationProgress> m_progress; ///< exists between Begin and End
};

} // namespace ns3

#endif /* WORMHOLE_SIMULATION_PROGRESS_H */
