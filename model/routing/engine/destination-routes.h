// SPDX-License-Identifier: GPL-2.0-only

#ifndef DESTINATION_ROUTES_H
#define DESTINATION_ROUTES_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-router.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// Up*/down* routes by destination, below one root switch or several, balanced by load: shortest
/// legal routes, with a byte per switch and host (two where a switch has more than 255 cables to
/// switches; twice that where downward routes are not unique).
///
/// Receiving hosts are processed one by one, and for each host all sending switches. Where worms to
/// the host reach a switch that has no output to this host yet, the output of least cost is
/// selected among the equally good ones. An output's cost is the load on it and on the path beyond
/// (or on the best of the possible paths, if not yet selected), divided by the channels' rates.
/// That is the marginal cost of the sum of squares of loads, which is least when loads are equal.
/// Ties are broken from a different channel for each switch and host. Small fabrics are processed
/// several times, and the best round is kept.
/// @param ranks place of each switch in the order: a channel is up if the switch that it leads to
/// comes first. There must be a path up and then down between all switches with hosts
Ptr<WormholeRouter> MakeDestinationRoutes(const FabricGraph& graph,
                                          const std::vector<uint32_t>& ranks);

/// Routes of a fat tree that has lost parts: routes whose cables are all left are kept; the others
/// are replaced, and balanced along with them.
Ptr<WormholeRouter> MakeRepairedRoutes(const FabricGraph& graph,
                                       const std::vector<uint32_t>& ranks,
                                       const FabricGraph& whole,
                                       Ptr<WormholeRouter> before);

} // namespace ns3

#endif /* DESTINATION_ROUTES_H */
