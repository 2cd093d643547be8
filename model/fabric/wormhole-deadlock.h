/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_DEADLOCK_H
#define WORMHOLE_DEADLOCK_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Worms of a fabric that wait for each other for ever.
struct Deadlock
{
    /// What a worm lacks.
    enum Cause
    {
        OUTPUT, ///< an output that another worm holds
        TURN,   ///< its turn for an output, which another worm has
        CREDIT, ///< a slot of the next buffer
        FLIT,   ///< its own next flit, which is held up further back
        FIFO,   ///< the front of its buffer
        LEAVE   ///< a branch of the same worm at the same node
    };

    /// One wait of the cycle.
    struct Wait
    {
        uint64_t worm;     ///< number of the worm that waits
        Cause cause;       ///< what it lacks
        std::string place; ///< port where it lacks it
        uint64_t forWorm;  ///< number of the worm whose move it is; maybe the same
    };

    Time closed;                   ///< when the first cycle closed
    std::vector<Wait> cycle;       ///< the first cycle, each for the next one's worm
    std::vector<uint64_t> blocked; ///< numbers of all worms that cannot end, in ascending order
    uint64_t depth{0}; ///< BufferDepth of all ports with which no worm so far could deadlock;
                       ///< 0: none

    /// @return whether there is one
    explicit operator bool() const
    {
        return !blocked.empty();
    }

    /// @return one line: when, who waits for whom and where, who is blocked, and what would help
    std::string Print() const;
};

} // namespace ns3

#endif /* WORMHOLE_DEADLOCK_H */
