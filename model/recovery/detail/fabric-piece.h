/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PIECE_H
#define FABRIC_PIECE_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Switches that are joined, with the hosts at them: what is left of a fabric, or a part of
///        that. Nodes keep their order, names and ports.
struct FabricPiece
{
    /// @return whether a cable is up @param node,port one of its ends in the whole fabric
    using IsUp = std::function<bool(FabricGraph::Node node, FabricGraph::Port port)>;

    /// @param whole the whole fabric
    /// @param first a switch of the piece
    /// @param isUp which cables are up; asked for either end
    FabricPiece(const FabricGraph& whole, FabricGraph::Node first, const IsUp& isUp);

    FabricGraph graph{0, 0, 0};              ///< the piece, with the whole fabric's kind of routes
    std::vector<FabricGraph::Node> switches; ///< number in the whole fabric, by number here
    std::vector<uint32_t> hosts;             ///< the same of hosts
    std::vector<uint32_t> switchOf;          ///< number here, by that in the whole; NONE: not here
    std::vector<uint32_t> hostOf;            ///< the same of hosts
};

} // namespace ns3

#endif /* FABRIC_PIECE_H */
