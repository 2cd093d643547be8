// SPDX-License-Identifier: GPL-2.0-only

#ifndef TREE_WORM_HEADER_H
#define TREE_WORM_HEADER_H

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
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
    enum Encoding : uint8_t
    {
        ADDRESSES,
        BIT_STRING, ///< a bit for each host of the fabric
        PATH_BASED, ///< the route: at each switch, a bit for each of its ports
    };

    /// @return names of the encodings, in their order: addresses, bit-string, path-based
    static std::vector<std::string> GetNames()
    {
        return {"addresses", "bit-string", "path-based"};
    }

    static Encoding Parse(const std::string& name)
    {
        const auto names = GetNames();
        const auto found = std::find(names.begin(), names.end(), name);
        WormholeError::ThrowIf(found == names.end(),
                               "there is no header encoding '" + name +
                                   "'; expected addresses, bit-string or path-based");
        return static_cast<Encoding>(found - names.begin());
    }

    Encoding encoding{ADDRESSES}; ///< how destinations are encoded
    uint32_t addressBytes{2};     ///< length of an address, bytes

    /// @return bytes that the header adds to the worm: addressBytes per destination; or a bit per
    /// host of the fabric; or a bit per port of all switches on the route. Bits are rounded up to
    /// whole bytes, at each switch or in all
    /// @throws WormholeError if these are too many for a worm
    uint32_t GetBytes(const FabricGraph& graph,
                      FabricGraph::Node from,
                      const WormRoute& route) const
    {
        uint64_t bytes = 0;
        if (encoding == ADDRESSES)
        {
            bytes = uint64_t{addressBytes} * route.GetNDestinations();
        }
        else if (encoding == BIT_STRING)
        {
            bytes = BytesOf(graph.GetNHosts());
        }
        else
        {
            for (const auto node : graph.Walk(from, route))
            {
                bytes += graph.IsSwitch(node) ? BytesOf(graph.GetNPorts(node)) : 0;
            }
        }
        return Check(bytes);
    }

    /// @return as GetBytes, on a single switch whose ports lead to the sender and the destinations
    uint32_t GetBytesOnOneSwitch(uint32_t hosts) const
    {
        return Check(encoding == ADDRESSES ? uint64_t{addressBytes} * (hosts - 1) : BytesOf(hosts));
    }

  private:
    static uint64_t BytesOf(uint64_t bits)
    {
        return (bits + 7) / 8;
    }

    static uint32_t Check(uint64_t bytes)
    {
        constexpr uint64_t MOST = 1U << 30;
        if (bytes > MOST)
        {
            throw WormholeError("the header of a tree worm would have " + std::to_string(bytes) +
                                " bytes; expected up to " + std::to_string(MOST));
        }
        return static_cast<uint32_t>(bytes);
    }
};

} // namespace ns3

#endif /* TREE_WORM_HEADER_H */
