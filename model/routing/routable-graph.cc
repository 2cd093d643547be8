/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "routable-graph.h"

#include "ns3/wormhole-error.h"

namespace ns3
{

const FabricGraph&
CheckRoutable(const FabricGraph& graph)
{
    graph.Validate();
    if (graph.GetNSwitches() == 0)
    {
        throw WormholeError("a fabric of no switches: routing takes one at least");
    }
    return graph;
}

} // namespace ns3
