/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_HINT_H
#define BROADCAST_HINT_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-fabric.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief One line on the error output where broadcast frames may deadlock for want of buffers.
 *
 * WormholeHelper connects it to the fabrics that it installs. It speaks before the first broadcast
 * or multicast frame is sent that no buffer holds, if such frames on the fabric's routes can wait
 * for each other in a circle, and says what to set. Programs that never send one never see it.
 */
class BroadcastHint
{
  public:
    /// Has a fabric hint at too shallow buffers, once. @param fabric the fabric
    static void Connect(Ptr<WormholeFabric> fabric);

    /// Judges the routes of broadcasts of up to 32 hosts, spread over the fabric, and those between
    /// these hosts. @param fabric a fabric with a router
    /// @return whether frames longer than the buffers can wait for each other in a circle
    static bool CanDeadlock(const WormholeFabric& fabric);

    /// @return the graph that a fabric was built of @param fabric the fabric
    static FabricGraph GetGraph(const WormholeFabric& fabric);
};

} // namespace ns3

#endif /* BROADCAST_HINT_H */
