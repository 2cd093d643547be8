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

/**
 * @ingroup wormhole
 * @brief Mesh or torus of any number of dimensions, with equally many hosts at every switch.
 *
 * A switch has a coordinate in each dimension; coordinates that differ by one in one dimension are
 * neighbours, and in a torus the first and the last of a dimension, too. In a dimension of length 2
 * these are neighbours anyway, by one cable, so that a torus of length 2 in all dimensions is a
 * hypercube. The first dimension's coordinate changes fastest with the switch's number. Port 2 i
 * leads upwards in dimension i, port 2 i + 1 downwards; hosts are at the ports after these.
 *
 * Routes are in order of dimensions: first along dimension 0, then along 1, ... They are shortest;
 * halfway round a torus' dimension, the way goes upwards. On a mesh worms on them cannot deadlock:
 * a channel of one dimension waits for one of the same direction further on, or of a later
 * dimension. On a torus worms wait for each other all round a dimension of length 4 or more; it
 * takes virtual channels to part them (Dally and Seitz 1987), see the engine dateline. With length
 * 3 at most in each dimension, a worm makes one step in each, and a torus is as safe as a mesh.
 */
class GridTopology : public RegularFamily<GridTopology>
{
  public:
    /// How the ends of a dimension are joined.
    enum class Ends
    {
        OPEN,  ///< not at all: a mesh
        JOINED ///< by a cable: a torus
    };

    /// @param lengths number of switches along each dimension, 2 at least
    /// @param ends how the ends of a dimension are joined
    /// @param hosts number of hosts at each switch
    /// @throws WormholeError if a number is out of its range, or the fabric too large
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

    /// @return number of dimensions
    uint32_t GetNDimensions() const
    {
        return static_cast<uint32_t>(m_lengths.size());
    }

    /// @return how the ends of a dimension are joined
    Ends GetEnds() const
    {
        return m_ends;
    }

    /// @return number of switches along a dimension @param dimension the dimension
    uint32_t GetLength(uint32_t dimension) const
    {
        return m_lengths[dimension];
    }

    /// @return a coordinate of a switch @param node the switch @param dimension the dimension
    uint32_t GetCoordinate(Node node, uint32_t dimension) const
    {
        return node / m_strides[dimension] % m_lengths[dimension];
    }

    /// @return number of links on the shortest way @param from,to two switches
    uint32_t GetDistance(Node from, Node to) const;

  private:
    std::vector<uint32_t> m_lengths; ///< switches along each dimension
    std::vector<Node> m_strides;     ///< how far apart neighbours are numbered, by dimension
    Ends m_ends;                     ///< how the ends of a dimension are joined
    uint32_t m_hosts;                ///< hosts at each switch
};

} // namespace ns3

#endif /* GRID_TOPOLOGY_H */
