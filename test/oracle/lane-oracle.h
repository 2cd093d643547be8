/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_ORACLE_H
#define LANE_ORACLE_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-replay.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/// A worm that waits for a lane of an output, at an instant whose grants are made.
struct LaneWaiting
{
    std::optional<std::size_t> owner; ///< worm that has the output
    int64_t credits;                  ///< the lane's, without those that its owner will take
    std::vector<std::size_t> before;  ///< worms that asked for the lane earlier, in order
};

/// What worms of a case waited for, by worm and by the stop that the lane leads to.
struct LaneWaitLog
{
    using Key = std::pair<std::size_t, WormRoute::Stop>; ///< a worm, and the stop

    std::map<Key, int64_t> asked;                          ///< when they asked
    std::map<Key, std::map<int64_t, LaneWaiting>> waiting; ///< by time, of each instant
};

/// Moves every flit of a case on its own, by rules S1 to S12: what MoveFlitByFlit is to S1 to S10,
/// for cases with lanes and choices, and as slow and plain.
/// @param worms the case; its worms bring no route (S1b)
/// @param log where to write what worms waited for; null: nowhere
/// @return when worms started, left and arrived
ReplayOutcome MoveInLanes(const WormCase& worms, LaneWaitLog* log = nullptr);

/// What random cases with lanes and choices are like.
struct LaneCaseOptions
{
    uint32_t lanes{1};   ///< lanes of a channel
    bool whole{false};   ///< whether outputs are granted to whole worms
    bool choices{false}; ///< whether unicast worms have choices
    bool ring{false};    ///< whether switches form a ring, so that worms can deadlock
    bool rates{false};   ///< whether cables have times of their own
    bool trees{true};    ///< whether some worms are tree worms
};

/// @return a random case of 2 to 6 switches @param options what it is to be like
WormCase MakeLaneCase(Ptr<UniformRandomVariable> rng, const LaneCaseOptions& options);

} // namespace ns3

#endif /* LANE_ORACLE_H */
