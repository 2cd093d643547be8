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

/**
 * @ingroup wormhole
 * @brief How the header of a tree worm tells switches where it goes, and how long that makes it.
 *
 * The header travels whole: it is as long on the last channel as on the first.
 */
struct TreeWormHeader
{
    /// How destinations are written down.
    enum Encoding : uint8_t
    {
        ADDRESSES,  ///< the address of each destination
        BIT_STRING, ///< a bit for each host of the fabric
        PATH_BASED, ///< the way: at each switch of it, a bit for each of the switch's ports
    };

    /// @return names of the encodings, in their order: addresses, bit-string, path-based
    static std::vector<std::string> GetNames();

    /// @return the encoding of that name @param name one of GetNames
    static Encoding Parse(const std::string& name);

    Encoding encoding{ADDRESSES}; ///< how destinations are written down
    uint32_t addressBytes{2};     ///< length of an address, bytes

    /// @param graph the fabric
    /// @param from the sending host, a node
    /// @param route the worm's way
    /// @return bytes that it adds to the worm: addressBytes times the destinations, or the fabric's
    /// hosts in bits, or the ports of all switches on the way in bits, each switch's and the whole
    /// rounded up to bytes
    /// @throws WormholeError if that is more than a worm may have
    uint32_t GetBytes(const FabricGraph& graph,
                      FabricGraph::Node from,
                      const WormRoute& route) const;

    /// @return as GetBytes, if the sender and all destinations are the hosts of one switch, and its
    /// ports are theirs
    /// @param hosts their number
    uint32_t GetBytesOnOneSwitch(uint32_t hosts) const;
};

} // namespace ns3

#endif /* TREE_WORM_HEADER_H */
