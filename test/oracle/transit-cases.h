/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSIT_CASES_H
#define TRANSIT_CASES_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-replay.h"

namespace ns3
{

/// What random cases with worms in transit are like.
struct TransitCaseOptions
{
    InTransit mode{InTransit::WHOLE}; ///< how hosts pass worms on
    bool rates{false};                ///< whether cables and switches have times of their own
    bool longer{false};               ///< whether many worms are longer than all buffers
    bool sourceRouted{false};         ///< whether worms bring their route (S1b)
    bool circles{false};              ///< whether legs may close circles, so that worms deadlock
};

/// A random case (S13): 2 to 6 switches of 2 or 3 hosts, worms that 0 to 3 hosts pass on, which
/// send worms themselves, often at the same instant. @param options what the case is to be like
WormCase MakeTransitCase(Ptr<UniformRandomVariable> rng, const TransitCaseOptions& options);

/// Has hosts send worms at the very instant at which others may be put into the same queue.
void AddTransitRivals(WormCase& worms);

} // namespace ns3

#endif /* TRANSIT_CASES_H */
