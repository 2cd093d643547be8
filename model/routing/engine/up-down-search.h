/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_SEARCH_H
#define UP_DOWN_SEARCH_H

#include "route-balance.h"
#include "switch-tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Balanced up/down routes below some root, or below the best of several.
 */
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

    /**
     * @param graph the fabric, which must outlive this object
     * @param order which tree
     * @param cableCost see RouteBalance
     */
    UpDownSearch(const FabricGraph& graph, Order order, uint64_t cableCost);

    /// @return the tree below a root @param root the root
    SwitchTree MakeTree(Node root);

    /**
     * Tries roots, and gives those with the least load of the busiest channel.
     * @param nCandidates how many are tried: the switches nearest to all others in the mean; on
     *        fabrics of many switches fewer
     * @return these, the best first; among equals the nearest, then the lowest number
     */
    std::vector<Node> FindBest(uint32_t nCandidates);

    /**
     * @param name a root's name: best, or one that UpDownRouting::RootByName knows
     * @param nCandidates see FindBest
     * @param others names that the caller knows besides, for the message
     * @return the root
     * @throws WormholeError if there is none of that name
     */
    Node FindRoot(const std::string& name,
                  uint32_t nCandidates,
                  const std::vector<std::string>& others = {});

    /**
     * @param root the root
     * @param nRounds rounds of balancing
     * @return the routes
     */
    Ptr<LaneRoutes> Compute(Node root, uint32_t nRounds);

    /// @return the sum of distances from each switch to all others, found when first asked for
    const std::vector<uint64_t>& GetSumDistances();

    /// @return the channels
    const SwitchChannels& GetChannels() const;

    /// @return the hosts
    const HostPlaces& GetHosts() const;

  private:
    const FabricGraph& m_graph;   ///< the fabric
    SwitchChannels m_channels;    ///< its channels
    HostPlaces m_hosts;           ///< its hosts
    Order m_order;                ///< which tree
    uint64_t m_cableCost;         ///< what a cable costs
    std::vector<uint64_t> m_sums; ///< sums of distances, by switch; empty: not found yet
};

} // namespace ns3

#endif /* UP_DOWN_SEARCH_H */
