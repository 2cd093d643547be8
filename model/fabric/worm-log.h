/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_LOG_H
#define WORM_LOG_H

#include <cstdint>

namespace ns3
{

class Worm;
class WormholeOutput;

/**
 * @ingroup wormhole
 * @brief Logs what happens to worms at ports, as component WormholeRunEngine.
 *
 * The engine knows of most of it ahead, so every line has its own time; ns-3's prefix is the time
 * at which the engine found out. Requests, grants, heads and tails are of level LOG_LOGIC, credits
 * of LOG_DEBUG. Where ns-3 is built without logs, nothing is called.
 */
class WormLog
{
  public:
    /// What happens.
    enum Event : uint8_t
    {
        REQUEST, ///< a worm's head asks for the output
        GRANT,   ///< a worm is granted the output
        HEAD,    ///< a head starts on the output's channel
        TAIL     ///< a tail has left by the output
    };

    /// @return whether anything is logged; false where ns-3 is built without logs
    static bool IsEnabled();

    /**
     * Logs what happens to a worm.
     * @param event what
     * @param output where
     * @param worm the worm
     * @param time when, ns-3 time units
     */
    static void Print(Event event, const WormholeOutput& output, const Worm& worm, int64_t time);

    /**
     * Logs credits.
     * @param output output that gets them
     * @param credits how many
     * @param time when the first one comes, ns-3 time units; the others follow a flit time apart
     */
    static void PrintCredits(const WormholeOutput& output, uint64_t credits, int64_t time);
};

} // namespace ns3

#endif /* WORM_LOG_H */
