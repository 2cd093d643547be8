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

/**
 * @ingroup wormhole
 * @brief Finds routes of UpDownRouting between two switches without a column for the whole fabric:
 *        for large ones, and for routes that are asked for once.
 *
 * A route goes up to some switch, its *top*, and down from there, which seen from the destination
 * is up as well. So two breadth-first searches, from both ends over links upwards alone, find all
 * tops: switches that both have come to, and the best are those of fewest links from both together.
 * What is above a switch is little: of 300,000 in an irregular fabric, 40 switches in the mean; of
 * 10,000 in a torus of two dimensions, 740. The distances found are all that it takes to follow the
 * columns' tie-break, or a RouteSpread, link by link.
 *
 * A switch is searched from only if a top above it may be as good as the best one known: no link
 * leads further down than by one level. It keeps 24 bytes a switch and four a link, and is for one
 * thread.
 */
class UpDownPairRoute
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// @param routing the routing, which must outlive this object
    explicit UpDownPairRoute(const UpDownRouting& routing);

    /// @param from,to a switch @param spread what chooses among ports that are equally good
    /// @param ports list to append the ports to, by which to leave
    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports);

  private:
    /// One search upwards.
    struct Search
    {
        std::vector<uint32_t> run;   ///< by switch: the latest search that came there
        std::vector<uint32_t> links; ///< by switch: number of links from the end of that search
        std::vector<Node> found;     ///< switches found, nearest first
        std::size_t next{0};         ///< which of them to search from next
        uint32_t level{0};           ///< links to the farthest of them
    };

    void Begin(Search& search, Node end);

    /// Searches one level further.
    void Grow(Search& search, const Search& other);

    /// @return links of a route by a top above a switch, at least
    uint32_t MinAbove(const Search& search, const Search& other, Node node) const;

    /// @return whether a search came to a switch @param search the search @param node the switch
    bool Has(const Search& search, Node node) const
    {
        return search.run[node] == m_run;
    }

    /// Marks the switches by which shortest routes go up.
    void MarkPaths();

    /// @return whether a shortest route takes it
    bool IsOnRoute(Node node, const SwitchAdjacency::Link& link, bool goneDown) const;

    const UpDownRouting& m_routing;     ///< the routing
    std::vector<uint32_t> m_levels;     ///< links from the root, by switch
    std::vector<Node> m_above;          ///< neighbours upwards of all switches, each once
    std::vector<uint32_t> m_firstAbove; ///< index of each switch's first one, and the total
    uint32_t m_run{0};                  ///< number of the latest pair's search
    Search m_gone;                      ///< from the source
    Search m_left;                      ///< from the destination
    std::vector<uint32_t> m_isWay;      ///< by switch: the latest search by whose routes it is up
    uint32_t m_best{0};                 ///< links of the shortest route known
};

} // namespace ns3

#endif /* UP_DOWN_PAIR_ROUTE_H */
