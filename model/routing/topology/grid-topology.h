/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_TOPOLOGY_H
#define GRID_TOPOLOGY_H

#include "regular-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// Mesh or torus of any number of dimensions, with the same number of hosts at every switch.
///
/// A switch has a coordinate in each dimension; switches whose coordinates differ by one in one
/// dimension are neighbours, in a torus also the first and the last of a dimension. In a dimension
/// of length 2 these are neighbours anyway, by one cable, so that a torus of length 2 in all
/// dimensions is a hypercube. The first dimension's coordinate changes fastest with the switch's
/// number. Port 2 i leads upwards in dimension i, port 2 i + 1 downwards; the ports after these
/// lead to hosts.
///
/// Routes are in dimension order: along dimension 0, then 1, ... They are shortest; if both
/// directions of a torus dimension are equally long, the route goes upwards. On a mesh worms on
/// them cannot deadlock: a channel waits for one further on in the same dimension and direction, or
/// for one of a later dimension. On a torus worms can wait for each other around a dimension of
/// length 4 or more; virtual channels prevent this (Dally and Seitz 1987), see the engine dateline.
/// With lengths up to 3, a worm makes at most one step per dimension, and a torus is as safe as a
/// mesh.
class GridTopology : public RegularFamily<GridTopology>
{
  public:
    /// How the ends of a dimension are connected.
    enum class Ends
    {
        OPEN,  ///< not at all: a mesh
        JOINED ///< by a cable: a torus
    };

    /// @param lengths number of switches along each dimension, at least 2
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    GridTopology(const std::vector<uint32_t>& lengths, Ends ends, uint32_t hosts = 1);

    End Peer(Node node, Port port) const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;
    void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const override;

    // Kinds are output ports.
    uint32_t GetKind(Node, Port port) const override
    {
        return port;
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override;

    uint32_t GetNDimensions() const
    {
        return static_cast<uint32_t>(m_lengths.size());
    }

    Ends GetEnds() const
    {
        return m_ends;
    }

    uint32_t GetLength(uint32_t dimension) const
    {
        return m_lengths[dimension];
    }

    uint32_t GetCoordinate(Node node, uint32_t dimension) const
    {
        return node / m_strides[dimension] % m_lengths[dimension];
    }

    uint32_t GetDistance(Node from, Node to) const;

  private:
    std::vector<uint32_t> m_lengths; ///< switches along each dimension
    std::vector<Node> m_strides;     ///< difference in number between neighbours, by dimension
    Ends m_ends;
    uint32_t m_hosts; ///< hosts per switch
};

} // namespace ns3

#endif /* GRID_TOPOLOGY_H */
