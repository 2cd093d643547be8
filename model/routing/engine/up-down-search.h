/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_SEARCH_H
#define UP_DOWN_SEARCH_H

#include "up-down-order.h"

#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Spreads the ways between all hosts over the channels that a set of turns leaves them, so
 *        that the busiest channel has as little as can be under uniform traffic.
 *
 * In every round each switch's ways are taken off the channels and found anew, by Dijkstra's
 * algorithm over lanes of channels. A channel costs as much as a cable does, and more the fuller it
 * is: as much again as the eighth power of its load over that of the busiest channel so far, so
 * that ways avoid what is full and are not much longer where nothing is. The best round is kept.
 * Costs are whole numbers, so ways are the same on every machine.
 *
 * A way comes to no switch twice: the search does not go on to a switch that it came through. That
 * leaves no switch unreached, as the set has all turns of a spanning tree and is closed: where one
 * channel leads to another by turns, and ends where that begins, the turn between them is in the
 * set. Follow the tree from the source: if the search does not go on by the tree's channel to the
 * next switch, its way has come through that switch before, by a channel that leads by turns to the
 * tree's channel behind it, and so may be followed by that one itself.
 */
class RouteBalance
{
  public:
    using Node = SwitchChannels::Node; ///< number of a switch
    using Vertex = TurnSet::Vertex;    ///< number of a lane of a channel

    /// Cost of a cable with which only ways of fewest cables are taken.
    static constexpr uint64_t SHORTEST = uint64_t{1} << 32;
    /// Cost of a cable with which ways may get longer; the busiest channel costs 1024 more.
    static constexpr uint64_t ANY_LENGTH = 50;

    /// @param channels the channels, which must outlive this object, as all below
    /// @param hosts the hosts
    /// @param turns turns to which ways keep, closed as above: up/down turns are, and any set to
    ///        which no turn can be added without a circle, also in several lanes with all turns
    ///        from each to the next one
    /// @param nLanes number of lanes of these; ways begin in any
    /// @param cableCost what a cable costs, see above
    RouteBalance(const SwitchChannels& channels,
                 const HostAttachment& hosts,
                 const TurnSet& turns,
                 uint32_t nLanes,
                 uint64_t cableCost);

    /// Lets ways be missing, where turns are not closed: they are stored without channels then.
    void AllowGaps()
    {
        m_hasGaps = true;
    }

    /// Finds all ways so many times. @param nRounds how many times
    /// @param progress takes a step for each
    void Run(uint32_t nRounds, RoutingProgress& progress);

    /// @return load of the busiest channel in the best round, in pairs of hosts
    uint64_t GetMaxLoad() const
    {
        return m_maxLoad;
    }

    /// @return the ways of the best round
    StoredRoutes::Store TakeBest()
    {
        return std::move(m_best);
    }

    /// Finds ways by the costs of the latest round and other turns, and counts their turns.
    /// @param turns the turns @param nLanes number of their lanes; ways begin in the first
    /// @return pairs of hosts that would take each turn, by channel and then in the order of the
    /// channels of the switch where it is made
    std::vector<std::vector<uint64_t>> CountTurns(const TurnSet& turns, uint32_t nLanes);

  private:
    /// Finds ways from a switch to all others.
    void Search(const TurnSet& turns, uint32_t nLanes, uint32_t nFirst, Node source);

    /// @return the way to a switch that the latest search found; empty if it found none
    std::vector<Vertex> GetPathTo(Node to) const;

    /// @return whether the way to a vertex comes through a switch
    bool Passes(Vertex vertex, uint32_t nLanes, Node node) const;

    /// Finds the ways of one copy from one switch anew. @param source the switch @param copy which
    void Renew(Node source, uint32_t copy);

    /// Puts a load on a way, or takes it off. @param way the way @param load pairs of hosts
    void Put(const std::vector<Vertex>& way, int64_t load);

    /// Sets what channels cost.
    void SetCosts();

    const SwitchChannels& m_channels;                ///< the channels
    const HostAttachment& m_hosts;                   ///< the hosts
    const TurnSet& m_turns;                          ///< the turns
    uint32_t m_nLanes;                               ///< their lanes
    uint64_t m_cableCost;                            ///< what a cable costs
    bool m_hasGaps{false};                           ///< whether ways may be missing
    uint32_t m_nCopies;                              ///< ways of each pair of switches
    std::vector<uint64_t> m_loads;                   ///< pairs of hosts, by channel
    std::vector<uint64_t> m_costs;                   ///< by channel
    uint64_t m_full;                                 ///< load of a channel that counts as full
    StoredRoutes::Store m_ways;                      ///< ways of the latest round
    StoredRoutes::Store m_best;                      ///< ways of the best one
    uint64_t m_maxLoad{UINT64_MAX};                  ///< busiest channel of the best one
    std::vector<uint64_t> m_distances;               ///< of the latest search, by vertex
    std::vector<Vertex> m_before;                    ///< vertex before each in the latest search
    std::vector<Vertex> m_last;                      ///< last vertex of the way to each switch
    std::vector<std::pair<uint64_t, Vertex>> m_heap; ///< of the latest search
};

/// @ingroup wormhole
/// @brief Balanced up/down routes below some root, or below the best of several.
class UpDownSearch
{
  public:
    using Node = SwitchChannels::Node; ///< number of a switch

    /// Which tree below a root it is in whose order a channel is up or down.
    enum class Order
    {
        BREADTH_FIRST,
        DEPTH_FIRST
    };

    /// @param graph the fabric, which must outlive this object @param order which tree
    /// @param cableCost see RouteBalance
    UpDownSearch(const FabricGraph& graph, Order order, uint64_t cableCost);

    /// @return the tree below a root @param root the root
    SwitchTree MakeTree(Node root);

    /// Tries roots, and gives those with the least load of the busiest channel.
    /// @param nCandidates how many are tried: the switches nearest to all others in the mean; on
    /// fabrics of many switches fewer
    /// @return these, the best first; among equals the nearest, then the lowest number
    std::vector<Node> FindBest(uint32_t nCandidates);

    /// @param name a root's name: best, or one that UpDownRouting::RootByName knows
    /// @param nCandidates see FindBest
    /// @param others names that the caller knows besides, for the message @return the root
    /// @throws WormholeError if there is none of that name
    Node FindRoot(const std::string& name,
                  uint32_t nCandidates,
                  const std::vector<std::string>& others = {});

    /// @param root the root @param nRounds rounds of balancing @return the routes
    Ptr<RouteSet> Compute(Node root, uint32_t nRounds);

    /// @return the sum of distances from each switch to all others, found when first asked for
    const std::vector<uint64_t>& GetSumDistances();

    /// @return the channels
    const SwitchChannels& GetChannels() const
    {
        return m_channels;
    }

    /// @return the hosts
    const HostAttachment& GetHosts() const
    {
        return m_hosts;
    }

  private:
    const FabricGraph& m_graph;   ///< the fabric
    SwitchChannels m_channels;    ///< its channels
    HostAttachment m_hosts;       ///< its hosts
    Order m_order;                ///< which tree
    uint64_t m_cableCost;         ///< what a cable costs
    std::vector<uint64_t> m_sums; ///< sums of distances, by switch; empty: not found yet
};

} // namespace ns3

#endif /* UP_DOWN_SEARCH_H */
