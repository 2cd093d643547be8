/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_CASES_H
#define LANE_CASES_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-replay.h"

#include <cstdint>

namespace ns3
{

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

#endif /* LANE_CASES_H */
