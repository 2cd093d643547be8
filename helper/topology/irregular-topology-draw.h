/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IRREGULAR_TOPOLOGY_DRAW_H
#define IRREGULAR_TOPOLOGY_DRAW_H

#include "irregular-topology-helper.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief One draw of IrregularTopologyHelper, which may get stuck.
 */
class IrregularTopologyDraw
{
  public:
    /**
     * @param parameters what is drawn, checked
     * @param nLinks number of cables between switches
     * @param random where random numbers come from
     */
    IrregularTopologyDraw(const IrregularTopologyHelper::Parameters& parameters,
                          uint32_t nLinks,
                          UniformRandomVariable& random);

    /// Draws hosts and cables. @return whether that went to the end
    bool Run();

    /// @return the fabric drawn, its ports chosen at random
    FabricGraph MakeGraph();

  private:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @return a random number from 0 to n - 1 @param n number of values
    uint32_t Below(std::size_t n);

    /// Puts the first elements of a list into random order (Fisher and Yates).
    /// @param list the list @param count number of elements to draw to its front
    void Shuffle(std::vector<uint32_t>& list, std::size_t count);

    /// Draws how many hosts each switch has.
    void DrawHosts();

    /// Joins all switches by the law `recursive`. @return whether that went to the end
    bool JoinRecursively();

    /// Joins all switches by the law `walk`. @return whether that went to the end
    bool JoinByWalk();

    /// Adds cables between random switches until there are enough. @return whether there are
    bool AddLinks();

    /// Lays all cables by the law `pairing`. @return whether that went to the end
    bool PairPorts();

    /// @return whether a cable between two switches is accepted @param a,b the switches
    bool MayLink(Node a, Node b) const;

    /// Lays a cable. @param a,b the switches
    void Link(Node a, Node b);

    /// @return whether any two of some switches may be linked @param open the switches
    bool AnyMayLink(const std::vector<Node>& open) const;

    const IrregularTopologyHelper::Parameters& m_parameters; ///< what is drawn
    uint32_t m_nLinks;                                       ///< number of cables to lay
    UniformRandomVariable& m_random;                         ///< where random numbers come from
    std::vector<uint32_t> m_hosts;                           ///< number of hosts of each switch
    std::vector<uint32_t> m_free;                            ///< free ports of each switch
    std::vector<std::vector<Node>> m_neighbours;             ///< switches linked to each switch
    std::vector<std::pair<Node, Node>> m_links;              ///< cables in the order of laying
};

} // namespace ns3

#endif /* IRREGULAR_TOPOLOGY_DRAW_H */
