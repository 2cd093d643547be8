/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_NEAR_ROUTE_H
#define UP_DOWN_NEAR_ROUTE_H

#include "up-down-routing.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The route of UpDownRouting between two switches that are near each other, found without a
 *        column for the whole fabric.
 *
 * A breadth-first search goes back from the destination, and stops as soon as it has come to the
 * source: all that is as near is known then. It gives up when it has seen a number of switches.
 * Set-up messages of barrier trees go to switches nearby, each of them once.
 */
class UpDownNearRoute
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// Number of switches seen, source and destination included, after which a search gives up.
    static constexpr std::size_t PATIENCE = 1000;

    /**
     * @param routing the routing
     * @param from a switch
     * @param to a switch
     */
    UpDownNearRoute(const UpDownRouting& routing, Node from, Node to);

    /// @return whether the search came to the source
    bool IsFound() const;

    /// @return the ports to leave by, those of the routing's column for the destination
    std::vector<Port> GetPorts() const;

  private:
    /// Links to go from a switch, UNREACHED where the search has not come to it.
    struct Left
    {
        uint32_t free{SwitchAdjacency::UNREACHED}; ///< if the worm may go up still
        uint32_t down{SwitchAdjacency::UNREACHED}; ///< if it has gone down
    };

    /**
     * Notes that a switch can be left in a number of links.
     * @param node the switch
     * @param known what is known of it
     * @param links number of links
     * @param goneDown whether that holds for worms that have gone down, too
     */
    void Reach(Node node, Left& known, uint32_t links, bool goneDown);

    const UpDownRouting& m_routing;          ///< the routing
    Node m_from;                             ///< source
    Node m_to;                               ///< destination
    std::unordered_map<Node, Left> m_left;   ///< what the search has come to
    std::vector<Node> m_level;               ///< switches of the next level
};

} // namespace ns3

#endif /* UP_DOWN_NEAR_ROUTE_H */
