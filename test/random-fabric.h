/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_FABRIC_H
#define RANDOM_FABRIC_H

#include "ns3/irregular-topology-helper.h"

#include <cstdint>

namespace ns3
{

/// @return a random fabric @param switches number of switches @param hosts number of hosts
/// @param stream stream that draws it
inline FabricGraph
DrawFabric(uint32_t switches, uint32_t hosts, int64_t stream = 1)
{
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = switches;
    parameters.hosts = hosts;
    IrregularTopologyHelper topology(parameters);
    topology.AssignStreams(stream);
    return topology.Create();
}

} // namespace ns3

#endif /* RANDOM_FABRIC_H */
