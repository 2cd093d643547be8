/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANKED_TREE_H
#define RANKED_TREE_H

#include "lane-routes.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Finds the route of one tree worm along which ranks increase; the work behind
 *        LaneRoutes::GetTreeRoute.
 *
 * It has the unicast routes to its hosts, each from the last switch where it meets the tree so far.
 * Where ranks do not increase there, it is a shortest path from anywhere in the tree. Where there
 * is none, the tree is made anew of the paths whose ranks end lowest at each switch: these always
 * form a tree, as the foremost journeys of a timetable do.
 */
class RankedTree
{
  public:
    using Node = LaneRoutes::Node;     ///< number of a switch
    using Port = LaneRoutes::Port;     ///< number of a port
    using Vertex = LaneRoutes::Vertex; ///< number of a lane of a channel
    using Way = LaneRoutes::Way;       ///< lanes of channels one after the other

    /// A tree of a sender alone. @param routes the unicast routes @param from index of the sender
    RankedTree(const LaneRoutes& routes, uint32_t from);

    /// Adds receivers. @param hosts indexes of all of them, in order
    void AddAll(const std::vector<uint32_t>& hosts);

    /**
     * Finds a shortest path of increasing ranks that begins in the tree, and comes through it no
     * more.
     * @param to a switch
     * @param way gets the path
     * @return whether there is one
     */
    bool FindPath(Node to, Way& way) const;

    /// @return the route
    Ptr<const WormRoute> Get();

    /// @return a route @param route its ports @param lanes lane of each of its channels, by stop;
    /// empty: all are lane 0
    static Ptr<const WormRoute> MakeRoute(WormRoute route, const WormRoute::Lanes& lanes);

  private:
    /// How the worm leaves a node.
    struct Exit
    {
        Port port;    ///< output port
        uint8_t lane; ///< lane of its channel
    };

    /// A switch of the route.
    struct Visit
    {
        uint32_t rank{0};        ///< 1 more than that of the lane by which the worm comes
        std::vector<Exit> exits; ///< by which it leaves
    };

    /// Adds a receiver. @param to index of the host @return whether there is a path to it
    bool Graft(uint32_t to);

    /// Makes the route of the paths whose ranks end lowest. @param hosts indexes of the receivers
    void MakeForemost(const std::vector<uint32_t>& hosts);

    /// @return how a worm leaves a switch @param vertex by which lane of a channel
    Exit ExitBy(Vertex vertex) const;

    /// @return the switch and port of a host @param host its index
    FabricGraph::End EndOf(uint32_t host) const;

    const LaneRoutes& m_routes;               ///< the unicast routes
    const SwitchChannels& m_channels;         ///< their channels
    const std::vector<uint32_t>& m_ranks;     ///< their ranks, by vertex
    uint32_t m_nLanes;                        ///< lanes of each channel
    uint32_t m_from;                          ///< index of the sender
    Node m_first;                             ///< its switch
    std::unordered_map<Node, Visit> m_visits; ///< switches of the route
};

} // namespace ns3

#endif /* RANKED_TREE_H */
