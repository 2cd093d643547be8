/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Tells every few seconds how far a simulation is that takes long.
 *
 * It looks at the machine's clock from events of its own, the farther apart the faster the
 * simulation goes, so that they cost nothing worth mentioning. No other event's time depends on
 * them.
 */
class SimulationProgress
{
  public:
    /// Seconds between two lines, and before the first.
    static constexpr double SECONDS = 5;

    /// Begins to look at once, for as long as it lives.
    /// @param os where to tell it
    /// @param describe returns how far it is, what a line has before the simulated time
    /// @param seconds machine's seconds between two lines
    SimulationProgress(std::ostream& os,
                       std::function<std::string()> describe,
                       double seconds = SECONDS);

    /// Tells somebody else.
    /// @param tell is called when it is time
    /// @param seconds machine's seconds between two calls
    SimulationProgress(std::function<void()> tell, double seconds);

    ~SimulationProgress();

    SimulationProgress(const SimulationProgress&) = delete;            ///< events hold its address
    SimulationProgress& operator=(const SimulationProgress&) = delete; ///< events hold its address

  private:
    using Clock = std::chrono::steady_clock; //!< the machine's clock

    /// Looks at the clock, tells if it is time, and looks again if anything else is left to come.
    void Look();

    std::function<void()> m_tell; ///< tells it
    double m_seconds;             ///< between two lines
    Time m_interval;              ///< simulated time between two looks
    Clock::time_point m_told;     ///< of the last line, or of the start
    Clock::time_point m_looked;   ///< of the last look
    EventId m_event;              ///< the next look
};

/// @ingroup wormhole
/// @brief Has somebody told how far a measurement is, while it is simulated, who may end it.
class ProgressTeller
{
  public:
    /// Is told how much of how much is done; returns whether to go on.
    using Tell = std::function<bool(uint64_t done, uint64_t all)>;

    /// @param tell is told; empty: nobody @param seconds machine's seconds between two calls
    void Set(Tell tell, double seconds);

    /// @return whether anybody is told
    bool IsSet() const
    {
        return bool(m_tell);
    }

    /// Begins to tell, if anybody is told.
    /// @param done returns how much is done
    /// @param all how much there is
    void Begin(const std::function<uint64_t()>& done, uint64_t all);

    /// Tells no more, so that no look makes the simulation longer.
    void End()
    {
        m_progress.reset();
    }

  private:
    Tell m_tell;
    double m_seconds{0};
    std::unique_ptr<SimulationProgress> m_progress; ///< calls it, between Begin and End
};

} // namespace ns3

#endif /* WORMHOLE_SIMULATION_PROGRESS_H */
