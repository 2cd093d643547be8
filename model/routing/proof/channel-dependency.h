/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHANNEL_DEPENDENCY_H
#define CHANNEL_DEPENDENCY_H

#include "tree-dependencies.h"

#include "ns3/fabric-graph.h"
#include "ns3/turn-rule.h"
#include "ns3/worm-route.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class RouteSet;
class UpDownRouting;
class WormholeRouter;

/**
 * @ingroup wormhole
 * @brief Proves that worms on a set of routes cannot deadlock, or names the cycle of channels.
 *
 * A channel is one direction of a cable, named by the node that sends on it and its port; where it
 * has several lanes, each of them is a channel here. A worm that holds a channel may wait for the
 * next one on its route: a dependency (Dally and Seitz 1987). Worms in deadlock wait for each other
 * in a circle, so routes without a cycle of dependencies are free of it, however many worms use
 * them and whenever they start.
 *
 * Tree worms. Down its branches a tree worm waits as any other. If it is longer than an input
 * buffer, its branches also wait for each other: a buffer slot is free when its flit has left on
 * every branch, so a branch that can't go on stops, once the buffer in front of the fork is full,
 * all other branches of the fork with everything that the worm holds behind them, and a branch
 * moved in lock-step (sync replication) stops them at once. So a worm that holds any channel may
 * wait for any other of its route but those that lead to that one. If a whole worm fits every input
 * buffer and branches advance on their own (async), each branch draws on the whole worm in the
 * buffer before the fork, and no branch waits for a sibling.
 *
 * These waits alone would put any worm with two branches into a cycle with itself. What is excluded
 * as impossible:
 *
 * - a worm that waits for itself: the holder that it waits for is another worm;
 * - orders that contradict each other. A worm asks for all outputs of a switch at once, and grants
 *   go by time of request, then input port (rule S5), so at one switch worms cannot wait for each
 *   other in a circle. A worm that comes in behind another by the same port asks when the other
 *   has left that port on every branch (rule S4); the other then waits only ahead of the channel
 *   where it is met.
 *
 * A host takes all of a worm, also of one that it passes on (S13): nothing that is on its way there
 * waits for what lies beyond.
 *
 * All pairs' routes. Where these follow a TurnRule, and there are no other routes, the rule is
 * looked at first: if channels cannot follow each other in a circle by it, the routes are free of
 * deadlock, too, and need not be made. If they can, or with other routes beside, each is.
 *
 * Every deadlock of the fabric shows as a cycle. The reverse holds for no such test: with tree
 * worms longer than the buffers, a cycle may be one that the timing of the worms rules out.
 */
class ChannelDependency
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// How the branches of tree worms wait for each other.
    enum class Branches
    {
        COUPLED,    ///< they do: worms longer than an input buffer, or sync replication
        INDEPENDENT ///< they don't: async replication, and every buffer takes a whole worm
    };

    /// One direction of a cable, or a lane of it.
    struct Channel
    {
        Node node;       ///< node that sends on it
        Port port;       ///< output port there
        uint8_t lane{0}; ///< lane
    };

    /// @param graph the fabric, which must outlive this object
    /// @param branches how the branches of tree worms wait for each other
    /// @param nLanes number of lanes of every cable, 256 at most
    explicit ChannelDependency(const FabricGraph& graph,
                               Branches branches = Branches::COUPLED,
                               uint32_t nLanes = 1);

    /// Adds a route that worms may take.
    /// @param source node of stop 0
    /// @param route the route
    /// @throws WormholeError if it leaves by a port that has no cable, or is a tree that passes a
    ///         switch twice
    void Add(Node source, const WormRoute& route);

    /// Adds a pair of channels that follow each other on some route. @param first,next the channels
    void Add(const Channel& first, const Channel& next);

    /// Adds the routes from every host to every other one, without making each of them.
    /// @param routing routing on the same fabric, which must outlive this object
    void AddAllPairs(const UpDownRouting& routing);

    /// Adds the routes from every host to every other one, made one by one unless a TurnRule does.
    /// @param router gives routes of the same fabric, and must outlive this object
    /// @throws WormholeError if one of them leaves by a port that has no cable
    void AddAllPairs(WormholeRouter& router);

    /// Adds the routes from every host to every other one, made one by one.
    /// @param routes routes of the same fabric, of as many lanes
    void AddAllPairs(const RouteSet& routes);

    /// @return channels of a cycle, each waiting for the next and the last for the first; empty if
    ///         there is none, which proves that worms on these routes cannot deadlock
    std::vector<Channel> FindCycle();

    /// Refuses routes that can deadlock.
    /// @throws WormholeError if there is a cycle, naming it as s1:2 -> s4:0 -> ... -> s1:2,
    ///         where there are lanes as s1:2 lane 1 -> ...
    void CheckDeadlockFree();

    /// @return number of pairs of channels that follow each other on some route
    std::size_t GetNDependencies();

  private:
    /// @return number of a channel
    /// @param node a node
    /// @param port its output port
    /// @param lane its lane
    uint32_t IndexOf(Node node, Port port, uint8_t lane = 0) const;

    /// @return the channel @param index its number
    Channel ChannelAt(uint32_t index) const;

    /// Routes of all pairs that are made when they are needed.
    struct AllPairs
    {
        const TurnRule* rule;                           ///< what they follow
        std::function<void(ChannelDependency&)> addAll; ///< makes them
    };

    /// Makes the routes of all pairs that have not been made.
    void AddPending();

    /// Notes that channels follow each other. @param from,to their numbers, NO_CHANNEL from none
    void Depend(uint32_t from, uint32_t to);

    /// Adds all pairs' routes to the hosts of one switch.
    /// @param routing the routing
    /// @param destination the switch
    /// @param seen scratch: destination of the last route that came through, by switch and phase
    void AddAllTo(const UpDownRouting& routing, Node destination, std::vector<Node>& seen);

    /// Notes what follows what on a route with choices (rule S12). With several lanes a worm stands
    /// in one buffer and waits for any of its choices: if each may be full, so may the last, and
    /// that it waits for the last is enough. With one lane it may hold several channels.
    /// @param nNodes number of places where it has choices
    /// @param choicesAt channels that it may take at a place, and the places that they lead to,
    ///        further down
    void AddChoices(
        std::size_t nNodes,
        const std::function<std::vector<std::pair<uint32_t, uint32_t>>(std::size_t)>& choicesAt);

    /// Adds the routes of all pairs, each. @param router gives them
    void AddEachPair(WormholeRouter& router);

    /// Adds the routes of all pairs, each. @param routing the routing
    void AddEachPair(const UpDownRouting& routing);

    const FabricGraph& m_graph;                ///< the fabric
    Branches m_branches;                       ///< whether tree worms' branches wait for each other
    uint32_t m_nLanes;                         ///< lanes of every cable
    uint32_t m_nChannels;                      ///< number of channels, those of open ports too
    std::vector<std::vector<uint32_t>> m_next; ///< channels that follow each channel on some route;
                                               ///< empty: no routes so far
    TreeDependencies m_trees;                  ///< routes of tree worms with coupled branches
    std::size_t m_nDependencies{0};            ///< size of all of m_next and the trees' branches
    std::vector<AllPairs> m_pending;           ///< routes of all pairs that have not been made
};

} // namespace ns3

#endif /* CHANNEL_DEPENDENCY_H */
