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
/// @return names of the ways to cable the back ports, the default first
std::vector<std::string> GetRoadrunnerWirings();

/**
 * @ingroup wormhole
 * @brief The fabric of the Roadrunner cluster (Sun et al., "Broadcast on Clusters of SMPs with
 *        Optimal Concurrency", section III): 64 hosts of two processors on four switches, each with
 *        16 ports at the front for hosts and 8 at the back for other switches.
 *
 * How the back ports were cabled is not told. Ports 0 to 15 are at the front, 16 to 23 at the back;
 * a switch's back ports lead to the others in order, the cables of a pair side by side.
 *
 * @param wiring mesh: each pair is cabled; ring: each switch and the next; line: the same, but for
 *               the last and the first; star: the first and each other
 * @param cables cables of a pair that is cabled
 * @return the fabric
 * @throws WormholeError if there is no such wiring, or it takes more ports than there are
 */
FabricGraph MakeRoadrunnerGraph(const std::string& wiring = "mesh", uint32_t cables = 2);

} // namespace ns3

#endif /* ROADRUNNER_TOPOLOGY_H */
