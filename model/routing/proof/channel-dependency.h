// SPDX-License-Identifier: GPL-2.0-only

#ifndef CHANNEL_DEPENDENCY_H
#define CHANNEL_DEPENDENCY_H

#include "tree-dependencies.h"

#include "ns3/fabric-graph.h"
#include "ns3/turn-rule.h"
#include "ns3/worm-route.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

class RouteSet;
class UpDownRouting;
class WormholeRouter;

/// @ingroup wormhole
/// @brief Proves that worms on a set of routes cannot deadlock, or finds a cycle of channels.
///
/// A channel is one direction of a cable, identified by the sending node and its port; if it has
/// several lanes, each is a channel here. A worm that holds a channel may wait for the next one on
/// its route: a dependency (Dally and Seitz 1987). Deadlocked worms wait for each other in a cycle,
/// so routes without a cycle of dependencies are free of deadlock, however many worms use them and
/// whenever they start.
///
/// Tree worms. Along each branch a tree worm waits like a unicast worm. If it is longer than an
/// input buffer, its branches also wait for each other: a buffer slot is freed when its flit has
/// left on every branch. So once the buffer before the fork is full, a blocked branch stops all
/// other branches of the fork, and everything that the worm holds behind them; with sync
/// replication it stops them at once. While such a worm holds a channel, it may wait for any other
/// channel of its route except those that lead to the held channel. If a whole worm fits into every
/// input buffer and branches advance independently (async), each branch draws on the worm in the
/// buffer before the fork, and no branch waits for another.
///
/// These waits alone would give every worm with two branches a cycle with itself. Two kinds of
/// waits are impossible and excluded:
///
/// - a worm waits for itself: a channel's other holder is always another worm;
/// - orders that contradict each other. A worm requests all outputs of a switch at once, and
///   requests are granted in order of time, then input port (rule S5), so at one switch worms
///   cannot wait for each other in a cycle. A worm that follows another through the same input port
///   requests when the other has left that port on every branch (rule S4); from then on the other
///   waits only beyond the channel where the two meet.
///
/// A host consumes every worm, including worms that it relays (S13): nothing on the route to a host
/// waits for channels beyond the host.
///
/// All pairs' routes. If these follow a TurnRule, and no other routes were added, the rule is
/// checked first: if it permits no cycle of channels, the routes are free of deadlock and need not
/// be made. If it permits a cycle, or other routes were added, each route is checked.
///
/// Every possible deadlock of the fabric appears as a cycle. The converse does not hold: with tree
/// worms longer than the buffers, the timing of the worms may rule out a cycle.
class ChannelDependency
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// How the branches of tree worms wait for each other.
    enum class Branches
    {
        COUPLED,    ///< branches wait: worms longer than an input buffer, or sync replication
        INDEPENDENT ///< branches don't wait: async replication, and every buffer holds a whole worm
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
    /// @param nLanes number of lanes of every cable, at most 256
    explicit ChannelDependency(const FabricGraph& graph,
                               Branches branches = Branches::COUPLED,
                               uint32_t nLanes = 1);

    /// Adds a route that worms may take.
    /// @param source node of stop 0
    /// @param route the route
    /// @throws WormholeError if the route leaves by a port without a cable, has a lane of nLanes or
    ///         above, or is a tree of COUPLED branches that passes a node twice
    void Add(Node source, const WormRoute& route);

    /// Adds two consecutive channels of a route. @param first,next the channels
    void Add(const Channel& first, const Channel& next);

    /// Adds the routes between all pairs of hosts, without making each of them.
    /// @param routing routing on the same fabric, which must outlive this object
    void AddAllPairs(const UpDownRouting& routing);

    /// Adds the routes between all pairs of hosts, but makes these routes only if no TurnRule
    /// proves them free of deadlock.
    /// @param router gives routes of the same fabric, and must outlive this object
    /// @throws WormholeError if a route leaves by a port without a cable
    void AddAllPairs(WormholeRouter& router);

    /// Adds the routes between all pairs of hosts, one by one.
    /// @param routes routes of the same fabric, with the same number of lanes
    void AddAllPairs(const RouteSet& routes);

    /// @return channels of a cycle, each waiting for the next and the last for the first; empty if
    ///         there is none, which proves that worms on these routes cannot deadlock
    std::vector<Channel> FindCycle();

    /// Throws if routes can deadlock.
    /// @throws WormholeError if there is a cycle; the message names it as s1:2 -> s4:0 -> ... ->
    ///         s1:2, with several lanes as s1:2 lane 1 -> ...
    void CheckDeadlockFree();

    /// @return number of pairs of consecutive channels; those of COUPLED trees count once per tree
    std::size_t GetNDependencies();

  private:
    /// @return number of a channel
    /// @param node a node
    /// @param port its output port
    /// @param lane its lane
    uint32_t IndexOf(Node node, Port port, uint8_t lane = 0) const;

    /// @return the channel @param index its number
    Channel ChannelAt(uint32_t index) const;

    /// Routes of all pairs that are made on demand.
    struct AllPairs
    {
        const TurnRule* rule;
        std::function<void(ChannelDependency&)> addAll; ///< makes the routes
    };

    /// Makes the routes of all pairs that were deferred.
    void AddPending();

    /// Adds a dependency. @param from,to channel numbers; NO_CHANNEL if there is no first channel
    void Depend(uint32_t from, uint32_t to);

    /// Adds all pairs' routes to the hosts of one switch.
    /// @param routing the routing
    /// @param destination the switch
    /// @param seen scratch: destination of the last route through, by switch and phase
    void AddAllTo(const UpDownRouting& routing, Node destination, std::vector<Node>& seen);

    /// Adds the dependencies of a route with choices (rule S12). With several lanes a worm occupies
    /// one buffer and waits for any of its choices: if all are full, so is the last, and it
    /// suffices to add the wait for the last. With one lane it may hold several channels.
    /// @param nNodes number of places where it has choices
    /// @param choicesAt channels that it may take at a place, and the places, further along the
    ///        route, to which they lead
    void AddChoices(
        std::size_t nNodes,
        const std::function<std::vector<std::pair<uint32_t, uint32_t>>(std::size_t)>& choicesAt);

    /// Adds the routes of all pairs one by one. @param router the router
    void AddEachPair(WormholeRouter& router);

    /// Adds the routes of all pairs one by one. @param routing the routing
    void AddEachPair(const UpDownRouting& routing);

    const FabricGraph& m_graph; ///< the fabric
    Branches m_branches;
    uint32_t m_nLanes;
    uint32_t m_nChannels; ///< number of channels, including those of open ports
    std::vector<std::vector<uint32_t>> m_next; ///< channels that follow each channel on some route;
                                               ///< empty: no routes so far
    TreeDependencies m_trees;                  ///< routes of tree worms with coupled branches
    std::size_t m_nDependencies{0};            ///< size of all of m_next and the trees' branches
    std::vector<AllPairs> m_pending;           ///< deferred routes of all pairs
};

} // namespace ns3

#endif /* CHANNEL_DEPENDENCY_H */
