/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTING_PROGRESS_H
#define ROUTING_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How far a routing engine is with a part of its work, for whoever wants to know: engines
 *        may compute for minutes.
 *
 * There is one listener in a process. It hears of parts that take more than two seconds, a few
 * times a second, and of their end; routes are the same with it as without.
 */
class RoutingProgress
{
  public:
    /// Told how far a part is. @param what its steps, such as "roots tried"
    /// @param done how many are done
    /// @param all of how many; 0: nobody knows. At the end, however it came, as many as are done
    using Listener = std::function<void(const std::string& what, uint64_t done, uint64_t all)>;

    /// Names who is told from now on. @param listener it, in place of the one before; empty: nobody
    /// @param patience how long a part takes before it is told of, s @return the one before
    static Listener SetListener(Listener listener, double patience = 2);

    /// A part begins. @param what its steps @param all number of them; 0: nobody knows
    explicit RoutingProgress(const std::string& what, uint64_t all = 0);

    ~RoutingProgress();

    RoutingProgress(const RoutingProgress&) = delete;            ///< it ends once
    RoutingProgress& operator=(const RoutingProgress&) = delete; ///< it ends once

    /// A step is done.
    void Step();

  private:
    /// Time as people wait.
    using Clock = std::chrono::steady_clock;

    std::string m_what;       ///< the part's steps
    uint64_t m_all;           ///< number of them
    uint64_t m_done{0};       ///< how many are done
    Clock::time_point m_next; ///< when to tell next
    bool m_isTold{false};     ///< whether the listener has heard of it
};

} // namespace ns3

#endif /* ROUTING_PROGRESS_H */
