/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_PROPERTIES_H
#define TOPOLOGY_PROPERTIES_H

#include "topology-text.h"

#include "ns3/fabric-graph.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a topology's text says of its cables, switches (S10) and lanes, in any family.
 *
 * `rate`, `delay` or `length`, and `depth` are of all cables, as CableText reads them; with
 * `uplink-` in front, of cables between switches. `rates`, as 40Gbps+100Gbps, are of the cables in
 * turn, in the order of nodes and ports. `switch-delay` is that of all switches. `lanes`,
 * `priorities` and `grant` are those of all channels (S11), as LaneText reads them.
 */
class TopologyProperties
{
  public:
    /// @return the keys above
    static const std::vector<std::string>& GetKeys();

    /**
     * Reads them.
     * @param text the topology
     * @param graph its graph, which gets them
     * @throws WormholeError if a value is none
     */
    static void Read(const TopologyText& text, FabricGraph& graph);
};

} // namespace ns3

#endif /* TOPOLOGY_PROPERTIES_H */
