/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_CASES_H
#define RANDOM_CASES_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-replay.h"

#include <cstdint>

namespace ns3
{

/// What random cases are like.
struct RandomCaseOptions
{
    double multicast{0.0};     ///< part of the worms that are tree worms
    bool treeOfSwitches{true}; ///< whether switches form a tree; else there are cycles
    bool sync{false};          ///< whether tree worms advance on all branches together
    bool uneven{false};        ///< whether cables, switches and buffers differ
    bool longer{false};        ///< whether many worms are longer than all buffers on their way
    uint32_t maxWorms{25};     ///< number of worms at most
    bool rates{false};         ///< whether cables and switches have times of their own (S10)
    bool sourceRouted{false};  ///< whether worms bring their route; then often over many switches
};

/// A random case: 2 to 8 switches, 1 to 3 hosts each, up to so many worms, all kinds of delays,
/// buffers 1 to 100 flits deep. @param options what the case is to be like
WormCase MakeRandomCase(Ptr<UniformRandomVariable> rng, const RandomCaseOptions& options);

} // namespace ns3

#endif /* RANDOM_CASES_H */
