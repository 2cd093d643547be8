/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANKED_TREE_H
#define RANKED_TREE_H

#include "switch-channels.h"

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
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
    using Node = SwitchChannels::Node; ///< number of a switch
    using Port = SwitchChannels::Port; ///< number of a port
    using Vertex = uint32_t;           ///< number of a lane of a channel, see LaneRoutes

    /// Lanes of channels one after the other.
    using Way = boost::container::small_vector<Vertex, WormRoute::USUAL_CHANNELS>;

    /// Appends the way of the unicast route to a host. @param to its index @param way the list
    using Append = std::function<void(uint32_t to, Way& way)>;

    /**
     * A tree of a sender alone.
     * @param graph the fabric, which must outlive this object, as all below
     * @param channels its channels
     * @param ranks rank of each vertex
     * @param nLanes lanes of each channel
     * @param from index of the sender
     */
    RankedTree(const FabricGraph& graph,
               const SwitchChannels& channels,
               const std::vector<uint32_t>& ranks,
               uint32_t nLanes,
               uint32_t from);

    /// Adds receivers. @param hosts indexes of all of them, in order @param append tells the
    /// unicast routes
    void AddAll(const std::vector<uint32_t>& hosts, const Append& append);

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

    /// Adds a receiver. @param to index of the host @param append tells the unicast route
    /// @return whether there is a path to it
    bool Graft(uint32_t to, const Append& append);

    /// Makes the route of the paths whose ranks end lowest. @param hosts indexes of the receivers
    void MakeForemost(const std::vector<uint32_t>& hosts);

    /// @return how a worm leaves a switch @param vertex by which lane of a channel
    Exit ExitBy(Vertex vertex) const;

    /// @return the switch and port of a host @param host its index
    FabricGraph::End EndOf(uint32_t host) const;

    const FabricGraph& m_graph;               ///< the fabric
    const SwitchChannels& m_channels;         ///< its channels
    const std::vector<uint32_t>& m_ranks;     ///< ranks, by vertex
    uint32_t m_nLanes;                        ///< lanes of each channel
    Node m_first;                             ///< the sender's switch
    std::unordered_map<Node, Visit> m_visits; ///< switches of the route
};

} // namespace ns3

#endif /* RANKED_TREE_H */
