/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_SEARCH_H
#define UP_DOWN_SEARCH_H

#include "lane-routes.h"
#include "route-balance.h"
#include "switch-tree.h"

#include <cstdint>
#include <memory>
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

    /// Makes the tree below a root.
    using MakeTree = SwitchTree (*)(const SwitchChannels& channels, Node root);

    /**
     * @param graph the fabric, which must outlive this object
     * @param makeTree makes the tree below a root, in whose order a channel is up or down
     * @param cableCost see RouteBalance
     */
    UpDownSearch(const FabricGraph& graph, MakeTree makeTree, uint64_t cableCost);

    /**
     * Tries roots, and gives those with the least load of the busiest channel.
     * @param nCandidates how many are tried: the switches nearest to all others in the mean; on
     *        fabrics of many switches fewer
     * @return these, the best first; among equals the nearest, then the lowest number
     */
    std::vector<Node> FindBest(uint32_t nCandidates) const;

    /**
     * @param root the root
     * @param nRounds rounds of balancing
     * @return the routes
     */
    std::shared_ptr<const LaneRoutes> Compute(Node root, uint32_t nRounds) const;

    /// @return the channels
    const SwitchChannels& GetChannels() const;

    /// @return the hosts
    const HostPlaces& GetHosts() const;

  private:
    const FabricGraph& m_graph; ///< the fabric
    SwitchChannels m_channels;  ///< its channels
    HostPlaces m_hosts;         ///< its hosts
    MakeTree m_makeTree;        ///< makes a tree
    uint64_t m_cableCost;       ///< what a cable costs
};

} // namespace ns3

#endif /* UP_DOWN_SEARCH_H */
