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

/// Balances the routes between all hosts over the channels, with the turns that a set allows, to
/// minimise the load of the busiest channel under uniform traffic.
///
/// In every round the routes of each switch are removed and recomputed by Dijkstra's algorithm over
/// lanes of channels. A channel costs as much as a cable, plus an amount that grows with the eighth
/// power of the ratio of its load to that of the busiest channel so far: routes avoid full
/// channels, and are not much longer elsewhere. The best round is kept. Costs are integers, so
/// routes are the same on every machine.
///
/// No route visits a switch twice: the search does not continue to a switch that its path has
/// passed. This leaves no switch unreached, since the set contains all turns of a spanning tree and
/// is closed: if one channel leads to another by turns, and ends where that one begins, the turn
/// between them is in the set. Proof: follow the tree from the source. If the search does not
/// continue by the tree's channel to the next switch, its path has passed that switch before, by a
/// channel that leads by turns to the tree's channel after it, and so may be followed by that one
/// directly.
class RouteBalance
{
  public:
    using Node = SwitchChannels::Node;
    using Vertex = TurnSet::Vertex; ///< number of a lane of a channel

    /// Cost of a cable that gives routes with the fewest cables only.
    static constexpr uint64_t SHORTEST = uint64_t{1} << 32;
    /// Cost of a cable that allows longer routes; the busiest channel costs 1024 more.
    static constexpr uint64_t ANY_LENGTH = 50;

    /// @param channels the channels, which must outlive this object, as all below
    /// @param turns the turns allowed, closed as above. Up/down turns are closed, and so is any set
    /// to which no turn can be added without a cycle; also in several lanes with all turns from
    /// each to the next
    /// @param nLanes number of their lanes; routes begin in any
    RouteBalance(const SwitchChannels& channels,
                 const HostAttachment& hosts,
                 const TurnSet& turns,
                 uint32_t nLanes,
                 uint64_t cableCost);

    /// Permits missing routes, where turns are not closed: these are stored without channels.
    void AllowGaps()
    {
        m_hasGaps = true;
    }

    void Run(uint32_t nRounds, RoutingProgress& progress);

    /// @return load of the busiest channel in the best round, in pairs of hosts
    uint64_t GetMaxLoad() const
    {
        return m_maxLoad;
    }

    StoredRoutes::Store TakeBest()
    {
        return std::move(m_best);
    }

    /// Finds routes by the costs of the latest round and other turns, and counts their turns.
    /// @param nLanes number of their lanes; routes begin in the first
    /// @return number of pairs of hosts that would use each turn, by channel and then in the order
    /// of the channels of the switch where it is made
    std::vector<std::vector<uint64_t>> CountTurns(const TurnSet& turns, uint32_t nLanes);

  private:
    /// Finds routes from a switch to all others.
    void Search(const TurnSet& turns, uint32_t nLanes, uint32_t nFirst, Node source);

    /// @return the route to a switch that the latest search found; empty if none
    std::vector<Vertex> GetPathTo(Node to) const;

    bool Passes(Vertex vertex, uint32_t nLanes, Node node) const;

    /// Recomputes the routes of one copy from a switch.
    void Renew(Node source, uint32_t copy);

    /// Adds a load to a route, or subtracts it.
    void Put(const std::vector<Vertex>& way, int64_t load);

    /// Computes the channels' costs.
    void SetCosts();

    const SwitchChannels& m_channels;
    const HostAttachment& m_hosts;
    const TurnSet& m_turns;
    uint32_t m_nLanes;
    uint64_t m_cableCost;
    bool m_hasGaps{false};         ///< whether routes may be missing
    uint32_t m_nCopies;            ///< routes per pair of switches
    std::vector<uint64_t> m_loads; ///< pairs of hosts, by channel
    std::vector<uint64_t> m_costs; ///< by channel
    uint64_t m_full;               ///< load of a channel that counts as full
    StoredRoutes::Store m_ways;    ///< routes of the latest round
    StoredRoutes::Store m_best;
    uint64_t m_maxLoad{UINT64_MAX};    ///< busiest channel of the best round
    std::vector<uint64_t> m_distances; ///< of the latest search, by vertex
    std::vector<Vertex> m_before;      ///< predecessor of each vertex in the latest search
    std::vector<Vertex> m_last;        ///< last vertex of the route to each switch
    std::vector<std::pair<uint64_t, Vertex>> m_heap; ///< of the latest search
};

/// Balanced up/down routes below one root, or below the best of several.
class UpDownSearch
{
  public:
    using Node = SwitchChannels::Node;

    /// Which spanning tree defines up and down.
    enum class Order
    {
        BREADTH_FIRST,
        DEPTH_FIRST
    };

    /// @param graph the fabric, which must outlive this object
    UpDownSearch(const FabricGraph& graph, Order order, uint64_t cableCost);

    SwitchTree MakeTree(Node root);

    /// Tries roots, and returns those with the least load of the busiest channel.
    /// @param nCandidates how many to try: the switches with the smallest mean distance to all
    ///        others; fewer on large fabrics
    /// @return these, the best first; ties by mean distance, then number
    std::vector<Node> FindBest(uint32_t nCandidates);

    /// @param name a root's name: best, or one that UpDownRouting::RootByName knows
    /// @throws WormholeError if there is no such root
    Node FindRoot(const std::string& name,
                  uint32_t nCandidates,
                  const std::vector<std::string>& others = {});

    Ptr<RouteSet> Compute(Node root, uint32_t nRounds);

    /// @return the sum of distances from each switch to all others, computed on first use
    const std::vector<uint64_t>& GetSumDistances();

    const SwitchChannels& GetChannels() const
    {
        return m_channels;
    }

    const HostAttachment& GetHosts() const
    {
        return m_hosts;
    }

  private:
    const FabricGraph& m_graph;
    SwitchChannels m_channels;
    HostAttachment m_hosts;
    Order m_order;
    uint64_t m_cableCost;
    std::vector<uint64_t> m_sums; ///< sums of distances, by switch; empty: not computed yet
};

} // namespace ns3

#endif /* UP_DOWN_SEARCH_H */
