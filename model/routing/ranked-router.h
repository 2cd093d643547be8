/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANKED_ROUTER_H
#define RANKED_ROUTER_H

#include "fabric-graph.h"
#include "turn-rule.h"

#include "ns3/worm-route.h"
#include "ns3/wormhole-router.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with routes between hosts that a derived class knows, and
 *        with others that follow from these.
 *
 * All lanes of channels between switches are ranked, and ranks increase along every route between
 * hosts. Any other routes along which they do cannot add a circle. Those are:
 *
 * - to a switch with hosts: the route to its first host, cut off there; to a switch without hosts:
 *   a shortest path of increasing ranks.
 * - of a tree worm: the unicast routes to its hosts, each from the last switch where it meets the
 *   tree so far. Where ranks do not increase there, it is a shortest path from anywhere in the
 *   tree. Where there is none, the tree is made anew of the paths whose ranks end lowest at each
 *   switch: these always form a tree, as the foremost journeys of a timetable do.
 */
class RankedRouter : public WormholeRouter, public TurnRule
{
  public:
    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    // Kinds are ranks, the highest of each channel's lanes.
    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;
    bool HasCircle(const FabricGraph& graph) const override;

  protected:
    /// How a worm leaves a node.
    struct Exit
    {
        Port port;       ///< output port
        uint8_t lane{0}; ///< lane of its channel
    };

    /// How a worm leaves the nodes on its way.
    using Exits = boost::container::small_vector<Exit, WormRoute::USUAL_CHANNELS>;

    /**
     * @param graph the fabric
     * @param what what its routes are, for messages, such as "routes by table"
     */
    RankedRouter(const FabricGraph& graph, const std::string& what);

    /**
     * Sets the ranks.
     * @param ranks of lanes of channels of switches: by switch, port, lane; from 1 on
     * @param nLanes number of lanes
     */
    void SetRanks(std::vector<uint32_t> ranks, uint32_t nLanes);

    /// @return the fabric
    const FabricGraph& GetGraph() const;

    /// @return number of a channel @param node a switch @param port its port
    std::size_t IndexOf(Node node, Port port) const;

    /// @return the switch of a host, and its port there @param host index of the host
    FabricGraph::End EndOf(uint32_t host) const;

    /// @return the route by AppendExits @param from index of the sender @param to index of the
    /// receiver
    Ptr<const WormRoute> MakeExitPath(uint32_t from, uint32_t to) const;

  private:
    /// Appends the way from the switch of a host to another host, the last port among it.
    /// @param from index of the sender @param to index of the receiver @param exits list to append
    /// to
    virtual void AppendExits(uint32_t from, uint32_t to, Exits& exits) const = 0;

    /// @return a route with choices (S12), or that hosts pass on (S13); null: neither, AppendExits
    /// tells
    /// @param from index of the sender @param to index of the receiver
    virtual Ptr<const WormRoute> MakeChoiceOrTransitRoute(uint32_t from, uint32_t to);

    /// A switch of a tree worm's route.
    struct Visit
    {
        uint32_t rank{0};        ///< of the lane by which the worm comes
        std::vector<Exit> exits; ///< by which it leaves
    };

    /// The switches of a tree worm's route.
    using Visits = std::unordered_map<Node, Visit>;

    /// A path of channels between switches.
    struct Path
    {
        Node first{FabricGraph::NONE}; ///< switch that it begins at; NONE: there is no path
        Exits exits;                   ///< by which it leaves each switch
    };

    /// @return rank of a lane of a channel @param node a switch @param exit its port and lane
    uint32_t RankOf(Node node, const Exit& exit) const;

    /**
     * Finds a shortest path of increasing ranks.
     * @param visits where it may begin, and what it may not come through again
     * @param to a switch
     * @return the path
     */
    Path FindPath(const Visits& visits, Node to) const;

    /// Adds a host to a tree worm's route. @param from index of the sender @param to index of the
    /// host @param visits the route so far @return whether there is a path to it
    bool Graft(uint32_t from, uint32_t to, Visits& visits) const;

    /**
     * Makes a tree worm's route of the paths whose ranks end lowest.
     * @param from index of the sender
     * @param hosts indexes of the receivers
     * @return the route
     */
    Visits MakeForemostTree(uint32_t from, const std::vector<uint32_t>& hosts) const;

    /// @return the host's index if it is one @param role what it is to the route @param host its
    /// index
    uint32_t CheckHost(const char* role, uint32_t host) const;

    /// @return a unicast route @param exits by which it leaves the switches
    Ptr<const WormRoute> MakePath(const Exits& exits) const;

    /// @return a route @param route its ports @param lanes lane of each of its channels, by stop;
    /// empty: all are lane 0
    static Ptr<const WormRoute> MakeRoute(WormRoute route, const WormRoute::Lanes& lanes);

    FabricGraph m_graph;           ///< the fabric
    std::string m_what;            ///< what its routes are
    uint32_t m_nLanes{1};          ///< lanes of each channel
    std::vector<uint32_t> m_ranks; ///< of lanes of channels of switches
};

} // namespace ns3

#endif /* RANKED_ROUTER_H */
