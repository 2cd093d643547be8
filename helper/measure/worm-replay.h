/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_REPLAY_H
#define WORM_REPLAY_H

#include "worm-case-file.h"

#include "ns3/deadlock.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class WormholeFabric;

/**
 * @ingroup wormhole
 * @brief When the worms of a case started, left and arrived; times in ps.
 */
struct ReplayOutcome
{
    /// A worm on one channel.
    struct Leg
    {
        int64_t headStart{0};           ///< when its head started
        std::optional<int64_t> tailEnd; ///< when its tail had left; none if it never did
    };

    /// What became of one worm.
    struct Worm
    {
        std::map<std::string, Leg> legs;              ///< by output, "node:port"
        std::map<std::string, int64_t> delivered;     ///< when its tail had arrived, by host
        bool blocked{false};                          ///< whether it missed one of its ends
        std::map<std::string, std::string> explained; ///< if asked for, by host that it arrived at,
                                                      ///< LatencyReport::WriteJson
    };

    std::vector<Worm> worms;       ///< in the case's order
    std::vector<Deadlock> reports; ///< deadlocks reported, the last with all blocked worms; their
                                   ///< numbers are those of the case
    std::string deadlock;          ///< the last report in one line, if worms blocked each other
    uint64_t events{0};            ///< events that the fabric's arbiters and interfaces needed
};

/// @ingroup wormhole
/// @brief When a case's worms are handed to their hosts, which sends them at the same times.
enum class ReplaySending : uint8_t
{
    AT_FIRST, ///< all before the simulation
    IN_TIME   ///< each by an event at its time, so that the fabric learns of it on the way
};

/**
 * Runs a case on a fabric of its own, in a simulation of its own: the simulator is destroyed
 * before and after. ns-3's time resolution must be ps.
 * @param worms the case
 * @param prepare called with the fabric before it starts, to set attributes; may be empty
 * @param sending when worms are handed to their hosts
 * @return what happened
 */
ReplayOutcome ReplayWorms(const WormCase& worms,
                          const std::function<void(WormholeFabric&)>& prepare = {},
                          ReplaySending sending = ReplaySending::AT_FIRST);

/// @ingroup wormhole @brief Runs a case as ReplayWorms, and explains latencies, too.
/// @param worms the case
/// @param prepare as for ReplayWorms
/// @return what happened
ReplayOutcome ExplainWorms(const WormCase& worms,
                           const std::function<void(WormholeFabric&)>& prepare = {});

/// Prints an outcome as JSON.
/// @param os where to
/// @param worms the case
/// @param outcome its outcome
void PrintReplay(std::ostream& os, const WormCase& worms, const ReplayOutcome& outcome);

} // namespace ns3

#endif /* WORM_REPLAY_H */
