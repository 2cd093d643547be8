/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-worm-header.h"

#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return bytes that so many bits take
uint64_t
BytesOf(uint64_t bits)
{
    return (bits + 7) / 8;
}

/// @return a header's length, unless it is more than a worm may have
uint32_t
Check(uint64_t bytes)
{
    constexpr uint64_t MOST = 1U << 30;
    if (bytes > MOST)
    {
        throw WormholeError("the header of a tree worm would have " + std::to_string(bytes) +
                            " bytes; expected up to " + std::to_string(MOST));
    }
    return static_cast<uint32_t>(bytes);
}

} // namespace

std::vector<std::string>
TreeWormHeader::GetNames()
{
    return {"addresses", "bit-string", "path-based"};
}

TreeWormHeader::Encoding
TreeWormHeader::Parse(const std::string& name)
{
    const auto names = GetNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        throw WormholeError("there is no header encoding '" + name +
                            "'; expected addresses, bit-string or path-based");
    }
    return static_cast<Encoding>(found - names.begin());
}

uint32_t
TreeWormHeader::GetBytes(const FabricGraph& graph,
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

uint32_t
TreeWormHeader::GetBytesOnOneSwitch(uint32_t hosts) const
{
    return Check(encoding == ADDRESSES ? uint64_t{addressBytes} * (hosts - 1) : BytesOf(hosts));
}

} // namespace ns3
