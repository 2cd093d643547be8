/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_WORM_HEADER_H
#define TREE_WORM_HEADER_H

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// How the header of a tree worm encodes its destinations, and the header's length.
///
/// The header is not shortened on the way: it has the same length on the last channel as on the
/// first.
struct TreeWormHeader
{
    /// Encodings of destinations.
    enum Encoding : uint8_t
    {
        ADDRESSES,
        BIT_STRING, ///< a bit for each host of the fabric
        PATH_BASED, ///< the route: at each switch, a bit for each of its ports
    };

    /// @return names of the encodings, in their order: addresses, bit-string, path-based
    static std::vector<std::string> GetNames();

    static Encoding Parse(const std::string& name);

    Encoding encoding{ADDRESSES}; ///< how destinations are written down
    uint32_t addressBytes{2};     ///< length of an address, bytes

    /// @return bytes that it adds to the worm: addressBytes per destination; or a bit per host of
    /// the fabric; or a bit per port of all switches on the route. Bits are rounded up to bytes,
    /// for each switch and for the whole
    /// @throws WormholeError if a worm may not be that long
    uint32_t GetBytes(const FabricGraph& graph,
                      FabricGraph::Node from,
                      const WormRoute& route) const;

    /// @return as GetBytes, if all ports of the only switch lead to the sender and the destinations
    uint32_t GetBytesOnOneSwitch(uint32_t hosts) const;
};

} // namespace ns3

#endif /* TREE_WORM_HEADER_H */
