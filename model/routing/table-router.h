/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TABLE_ROUTER_H
#define TABLE_ROUTER_H

#include "fabric-graph.h"
#include "route-table.h"
#include "turn-rule.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

class ChannelDependency;

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with the routes of a table, such as a cluster's own.
 *
 * The table is checked when the router is made: a route of every pair of hosts reaches its host,
 * and channels do not wait for each other in a circle. Then all channels between switches can be
 * ranked, so that ranks increase along every route; any other routes along which they do cannot
 * add a circle. Those are the routes that the table does not have:
 *
 * - to a switch with hosts: the route to its first host, cut off there; to a switch without hosts:
 *   a shortest path of increasing ranks.
 * - of a tree worm: the unicast routes to its hosts, each from the last switch where it meets the
 *   tree so far. Where ranks do not increase there, it is a shortest path from anywhere in the
 *   tree.
 *
 * Time and memory of the check are linear in entries of the table.
 */
class TableRouter : public WormholeRouter, public TurnRule
{
  public:
    /**
     * @param graph the fabric, whose own routes have the table
     * @throws WormholeError if there is no table for this fabric, a route does not reach its host,
     *         or worms can wait for each other in a circle, naming it
     */
    explicit TableRouter(const FabricGraph& graph);

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override;
    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override;
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override;

    // Kinds are ranks, one for each channel of a switch.
    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;
    bool HasCircle(const FabricGraph& graph) const override;

  private:
    /// What the table's routes use, by number of a channel.
    struct Use
    {
        std::vector<bool> used;                   ///< whether one of them has the channel
        std::vector<std::vector<uint32_t>> turns; ///< channels that follow it on one of them
    };

    /// A switch of a tree worm's route.
    struct Visit
    {
        uint32_t rank{0};        ///< of the channel by which the worm comes
        std::vector<Port> ports; ///< by which it leaves
    };

    /// The switches of a tree worm's route.
    using Visits = std::unordered_map<Node, Visit>;

    /// A path of channels between switches.
    struct Path
    {
        Node first{FabricGraph::NONE}; ///< switch that it begins at; NONE: there is no path
        WormRoute::Ports ports;        ///< ports by which it leaves each switch
    };

    /// @return number of a channel @param node a switch @param port its port
    std::size_t IndexOf(Node node, Port port) const;

    /// @return the switch of a host, and its port there @param host index of the host
    FabricGraph::End EndOf(uint32_t host) const;

    /// @return where a worm goes from a switch @param node the switch @param to index of its host
    FabricGraph::End Next(Node node, uint32_t to) const;

    /// Follows the routes to a host from all others. @param to index of the host
    /// @param done scratch: last host that a route through each switch was for
    /// @param use gets the channels of these routes
    void FollowAllTo(uint32_t to, std::vector<uint32_t>& done, Use& use) const;

    /// Refuses a table that does not lead on. @param node the switch where it does not
    /// @param to index of the receiving host @param trouble what is wrong there
    [[noreturn]] void Refuse(Node node, uint32_t to, const std::string& trouble) const;

    /// Ranks the channels: first those of the table's routes, then the others, those that are
    /// nearer to a switch with hosts before those that are farther. @param use the channels of
    /// these routes
    void Rank(const Use& use);

    /// @return how many cables away from the next switch with hosts each switch is
    std::vector<uint32_t> FindDepths() const;

    /// Refuses channels that follow each other in a circle. @param use channels of routes
    void CheckDeadlockFree(const Use& use) const;

    /// Appends the ports of a route. @param node switch that it goes on from @param to index of its
    /// host @param ports list to append to
    void AppendPorts(Node node, uint32_t to, WormRoute::Ports& ports) const;

    /**
     * Finds a shortest path of increasing ranks.
     * @param visits where it may begin, and what it may not come through again
     * @param to a switch
     * @return the path
     */
    Path FindPath(const Visits& visits, Node to) const;

    /// Adds a host to a tree worm's route. @param first switch of the sender @param to index of the
    /// host @param visits the route so far
    void Graft(Node first, uint32_t to, Visits& visits) const;

    /// @return the host's index if it is one @param role what it is to the route @param host its
    /// index
    uint32_t CheckHost(const char* role, uint32_t host) const;

    FabricGraph m_graph;                       ///< the fabric
    std::shared_ptr<const RouteTable> m_table; ///< its routes
    std::vector<uint32_t> m_ranks;             ///< of channels of switches, from 1 on
};

} // namespace ns3

#endif /* TABLE_ROUTER_H */
