/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROADRUNNER_TOPOLOGY_H
#define ROADRUNNER_TOPOLOGY_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @return names of the possible wirings of the back ports, the default first
std::vector<std::string> GetRoadrunnerWirings();

/**
 * @ingroup wormhole
 * @brief The fabric of the Roadrunner cluster (Sun et al., "Broadcast on Clusters of SMPs with
 *        Optimal Concurrency", section III): 64 dual-processor hosts on four switches, each with 16
 *        front ports for hosts and 8 back ports for other switches.
 *
 * The paper does not specify the wiring of the back ports. Ports 0 to 15 are front ports, 16 to 23
 * back ports; a switch's back ports lead to the others in order, parallel cables next to each
 * other.
 *
 * @param wiring mesh: all pairs; ring: each switch and the next; line: the same without the last
 *        and the first; star: the first and each other
 * @param cables number of parallel cables per pair
 * @return the fabric
 * @throws WormholeError if there is no such wiring, or it needs too many ports
 */
FabricGraph MakeRoadrunnerGraph(const std::string& wiring = "mesh", uint32_t cables = 2);

} // namespace ns3

#endif /* ROADRUNNER_TOPOLOGY_H */
