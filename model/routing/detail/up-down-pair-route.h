/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_PAIR_ROUTE_H
#define UP_DOWN_PAIR_ROUTE_H

#include "ns3/up-down-routing.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// Finds up/down routes between two switches without a column for the whole fabric: for large
/// fabrics, and for routes that are needed once.
///
/// A route goes up to a switch, its *top*, and down from there; seen from the destination, that is
/// up as well. So two breadth-first searches upwards, one from each end, find all tops: the
/// switches that both reach. The best tops have the fewest links to both ends. Few switches are
/// above a given one: on average 40 of 300,000 in an irregular fabric, and 740 of 10,000 in a
/// two-dimensional torus. The distances found suffice to apply the columns' tie-break, or a
/// RouteSpread, link by link.
///
/// A switch is expanded only if a top above it may be as good as the best known one: no link leads
/// down by more than one level. It needs 24 bytes per switch and four per link, and is not
/// thread-safe.
class UpDownPairRoute
{
  public:
    using Node = FabricGraph::Node;
    using Port = FabricGraph::Port;

    /// @param routing the routing, which must outlive this object
    explicit UpDownPairRoute(const UpDownRouting& routing);

    /// @param spread selects among equally good ports
    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports);

  private:
    /// An upward search.
    struct Search
    {
        std::vector<uint32_t> run;   ///< by switch: the last search that reached it
        std::vector<uint32_t> links; ///< by switch: links from the start of that search
        std::vector<Node> found;     ///< switches found, nearest first
        std::size_t next{0};         ///< next switch to expand
        uint32_t level{0};           ///< links to the farthest of them
    };

    void Begin(Search& search, Node end);

    /// Expands a search by one level.
    void Grow(Search& search, const Search& other);

    /// @return a lower bound for the links of a route via a top above a switch
    uint32_t MinAbove(const Search& search, const Search& other, Node node) const;

    bool Has(const Search& search, Node node) const
    {
        return search.run[node] == m_run;
    }

    /// Marks the switches on the upward parts of shortest routes.
    void MarkPaths();

    bool IsOnRoute(Node node, const SwitchAdjacency::Link& link, bool goneDown) const;

    const UpDownRouting& m_routing;
    std::vector<uint32_t> m_levels;     ///< links from the root, by switch
    std::vector<Node> m_above;          ///< upward neighbours of all switches, each once
    std::vector<uint32_t> m_firstAbove; ///< index of each switch's first one, and the total
    uint32_t m_run{0};                  ///< number of the current search
    Search m_gone;
    Search m_left;
    std::vector<uint32_t> m_isWay; ///< by switch: the last search with a route upwards through it
    uint32_t m_best{0};            ///< links of the shortest route known
};

} // namespace ns3

#endif /* UP_DOWN_PAIR_ROUTE_H */
