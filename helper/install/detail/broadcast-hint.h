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
 * Warns on standard error if broadcast frames may deadlock because buffers are too short.
 *
 * WormholeHelper connects it to the fabrics that it installs. The warning appears before the first
 * broadcast or multicast frame that exceeds the buffers, if such frames on the fabric's routes can
 * wait for each other in a cycle, and names the attribute to set.
 */
class BroadcastHint
{
  public:
    /// Makes a fabric warn about too shallow buffers, once.
    static void Connect(Ptr<WormholeFabric> fabric);

    /// Checks the routes of broadcasts from up to 32 hosts, spread over the fabric, and those
    /// between these hosts.
    /// @param fabric a fabric with a router
    /// @return whether frames longer than the buffers can wait for each other in a cycle
    static bool CanDeadlock(const WormholeFabric& fabric);

    static FabricGraph GetGraph(const WormholeFabric& fabric);
};

} // namespace ns3

#endif /* BROADCAST_HINT_H */
