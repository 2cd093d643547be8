/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_TREE_ROUTE_H
#define UP_DOWN_TREE_ROUTE_H

#include "up-down-routing.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Finds the route of one tree worm; the work behind UpDownRouting::TreeRoute.
 */
class UpDownTreeRoute
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /**
     * @param routing which way is up
     * @param source a host
     * @param destinations other hosts, each once
     * @throws WormholeError if a destination is the source or there twice
     */
    UpDownTreeRoute(const UpDownRouting& routing,
                    Node source,
                    const std::vector<Node>& destinations);

    /// @return the route
    WormRoute Get() const;

  private:
    /// How the search came to a switch.
    struct Step
    {
        Node from{FabricGraph::NONE}; ///< switch that it came from
        Port port{0};                 ///< port of that switch
        bool reached{false};          ///< whether it came here
    };

    /**
     * Lists the hosts' ports at their switches.
     * @param destinations the hosts
     */
    void PlaceDestinations(const std::vector<Node>& destinations);

    /// Finds the way up: m_climb.
    void Climb();

    /**
     * Searches upwards.
     * @param from a switch
     * @return the switches reached, by distance, then number
     */
    std::vector<Node> AllAbove(Node from);

    /**
     * Searches over down links alone.
     * @param sources switches to start from
     * @return a switch with destinations that was not reached; FabricGraph::NONE if all were
     */
    Node SearchDown(const std::vector<Node>& sources);

    /// Adds to m_ports what leads from the sources of the last downward search to destinations.
    void KeepBranches();

    const UpDownRouting& m_routing;         ///< which way is up
    const FabricGraph& m_graph;             ///< the fabric
    Node m_source;                          ///< sending host
    std::vector<Step> m_steps;              ///< the latest search, by switch
    std::vector<Node> m_goals;              ///< switches with destinations, each once
    std::vector<Node> m_climb;              ///< switches of the way up, the source's first
    std::vector<std::vector<Port>> m_ports; ///< ports of the route, by switch
};

} // namespace ns3

#endif /* UP_DOWN_TREE_ROUTE_H */
