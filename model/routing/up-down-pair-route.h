/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_PAIR_ROUTE_H
#define UP_DOWN_PAIR_ROUTE_H

#include "up-down-routing.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The route of UpDownRouting between two switches, found without a column for the whole
 *        fabric: for large ones, and for routes that are asked for once.
 *
 * Breadth-first searches from both ends, level by level, of switches together with whether the worm
 * has gone down. Where they meet first is half way of all shortest legal routes; from there the way
 * back to the source is marked. So the number of links that are left is known all along these
 * routes, and the tie-break of the columns can be followed. On an irregular fabric of 300,000
 * switches, each search comes to some thousand of them.
 */
class UpDownPairRoute
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /**
     * @param routing the routing
     * @param from a switch
     * @param to a switch
     */
    UpDownPairRoute(const UpDownRouting& routing, Node from, Node to);

    /// @return the ports to leave by, as the routing's column for the destination has them
    std::vector<Port> GetPorts() const;

  private:
    /// A switch, and in the lowest bit whether the worm that is there has gone down.
    using State = uint64_t;

    /// Number of links to one end.
    using Distances = std::unordered_map<State, uint32_t>;

    /// @return the state @param node a switch @param goneDown whether the worm has gone down
    static State At(Node node, bool goneDown)
    {
        return 2 * State{node} + goneDown;
    }

    /**
     * @param state a state
     * @return those that a worm can come to from it by one link
     */
    std::vector<State> After(State state) const;

    /**
     * @param state a state
     * @return those that it can be come to from by one link
     */
    std::vector<State> Before(State state) const;

    /**
     * Searches one level further.
     * @param level states of the level before
     * @param distances what this search has come to
     * @param step After or Before
     * @return states of the new level
     */
    std::vector<State> Grow(const std::vector<State>& level,
                            Distances& distances,
                            std::vector<State> (UpDownPairRoute::*step)(State) const) const;

    /// Marks the way back from where the searches met. @param met states of one level there
    void MarkBack(std::vector<State> met);

    const UpDownRouting& m_routing; ///< the routing
    Node m_from;                    ///< source
    Distances m_gone;               ///< links from the source
    Distances m_left;               ///< links to the destination
};

} // namespace ns3

#endif /* UP_DOWN_PAIR_ROUTE_H */
