/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_ORACLE_H
#define LANE_ORACLE_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-case-file.h"
#include "ns3/worm-replay.h"

namespace ns3
{

/**
 * @ingroup wormhole-tests
 * Moves every flit of a case on its own, by rules S1 to S12: what MoveFlitByFlit is to S1 to S10,
 * for cases with lanes and choices, and as slow and plain.
 * @param worms the case; its worms bring no route (S1b)
 * @return when worms started, left and arrived
 */
ReplayOutcome MoveInLanes(const WormCase& worms);

/**
 * @ingroup wormhole-tests
 * What random cases with lanes and choices are like.
 */
struct LaneCaseOptions
{
    uint32_t lanes{1};   ///< lanes of a channel
    bool whole{false};   ///< whether outputs are granted to whole worms
    bool choices{false}; ///< whether unicast worms have choices
    bool ring{false};    ///< whether switches form a ring, so that worms can deadlock
    bool rates{false};   ///< whether cables have times of their own
    bool trees{true};    ///< whether some worms are tree worms
};

/// @return a random case of 2 to 6 switches @param rng random numbers
/// @param options what it is to be like
WormCase MakeLaneCase(Ptr<UniformRandomVariable> rng, const LaneCaseOptions& options);

} // namespace ns3

#endif /* LANE_ORACLE_H */
