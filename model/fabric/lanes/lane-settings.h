/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_SETTINGS_H
#define LANE_SETTINGS_H

#include "ns3/ptr.h"
#include "ns3/worm.h"
#include "ns3/wormhole-buffers.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

class WormholePort;

/// @ingroup wormhole
/// @brief A worm that waits for its turn too long, while others have theirs.
struct LaneStarvation
{
    Ptr<const Worm> worm;    ///< the worm
    Ptr<WormholePort> port;  ///< output that it asks for
    uint8_t lane;            ///< lane of it
    Ptr<const Worm> granted; ///< worm that was granted the output instead
    int64_t since;           ///< when it asked, ns-3 time units
    int64_t time;            ///< when the other one was granted it
};

/// @ingroup wormhole
/// @brief What a fabric's attributes say of lanes (S11).
struct LaneSettings
{
    /// Priority of each lane. Those of routes come first, then as many of synchronisation messages,
    /// if these have lanes of their own.
    std::vector<int32_t> priorities;
    uint32_t nRouteLanes{1};     ///< number of lanes of routes
    uint64_t longestOwnFlits{0}; ///< longest message that takes lanes of its own, flits; 0: none
    int64_t patience{WormholeOutput::NEVER}; ///< how long waits a worm that starves
    std::function<void(const LaneStarvation& starvation)> onStarvation; ///< told of each
};

} // namespace ns3

#endif /* LANE_SETTINGS_H */
