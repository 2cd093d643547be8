/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_ORBITS_H
#define SWITCH_ORBITS_H

#include "switch-adjacency.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Switches that see the same of the fabric, as those of a ring, torus or hypercube do.
 *
 * What is looked for are shifts: the switches are cut into blocks of equal size by their numbers,
 * and each goes some places on in its block, from the end on to the beginning. A shift by a cable
 * of switch 0 that maps every cable to a cable is a symmetry of the fabric; all that distances
 * alone decide is equal for a switch and where a symmetry takes it. Each shift is checked on all
 * cables, and most fail at the first. Symmetries that are no shifts are not found.
 */
class SwitchOrbits
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @return the first switch of each set of those that shifts take to each other, by number
    /// @param adjacency the links between switches
    static std::vector<Node> FindFirst(const SwitchAdjacency& adjacency);

  private:
    /// @return whether a shift is a symmetry @param adjacency the links @param block size of the
    /// blocks @param step how far
    static bool IsSymmetry(const SwitchAdjacency& adjacency, Node block, Node step);

    /// @return where a switch goes @param node the switch @param block size of the blocks
    /// @param step how far
    static Node Shift(Node node, Node block, Node step)
    {
        const auto place = node % block;
        return node - place + (place + step) % block;
    }
};

} // namespace ns3

#endif /* SWITCH_ORBITS_H */
