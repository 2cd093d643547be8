/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_COUNTS_H
#define FABRIC_COUNTS_H

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief What a fabric has done so far.
struct FabricCounts
{
    uint64_t worms{0};               ///< worms started
    uint64_t wormHops{0};            ///< worms times channels, counted when the tail is scheduled
    uint64_t pendingDestinations{0}; ///< ends of worms that have not been reached
    uint64_t flitsIn{0};  ///< flits started by hosts and switches, copies of tree worms included
    uint64_t flitsOut{0}; ///< flits that arrived at hosts or were taken by a switch
    uint64_t flitsDropped{0};  ///< flits of routes that went no further, since they were read (S1b)
    uint64_t flitHops{0};      ///< flits times channels
    uint64_t eventsPending{0}; ///< events under way now
    uint64_t longestTreeWorm{0}; ///< length of the longest worm with several ends, flits
};

} // namespace ns3

#endif /* FABRIC_COUNTS_H */
