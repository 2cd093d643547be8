/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_COLUMNS_H
#define UP_DOWN_COLUMNS_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-search.h"
#include "ns3/worm-route.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3
{

class RouteSpread;

/// Tables of up/down routes: a column for each destination switch, created on demand, with the next
/// link at every switch.
///
/// A column of first choices takes a byte per switch where switches have few links, else four; a
/// column of alternatives takes four. Routes access columns irregularly, and the columns together
/// exceed the processor's caches. So a column begins with the switches next to the root, followed
/// by the branches of the tree below them, one after the other: most of a route lies in few cache
/// lines.
class UpDownColumns
{
  public:
    using Node = FabricGraph::Node;
    using Port = FabricGraph::Port;

    /// @param order the switches, such that every cable leads up to the one that comes first
    UpDownColumns(const SwitchAdjacency& adjacency, std::vector<Node> order);

    /// @return whether the columns of all switches can be kept
    bool HoldAll() const;

    /// @return whether the columns of alternatives can be kept, too
    bool HoldChoices() const;

    /// @return whether the column of first choices exists already
    bool IsKept(Node to) const;

    /// @return port of the first choice; nothing if there is no route
    std::optional<Port> GetNext(Node from, Node to, bool goneDown);

    /// Appends the ports of the route by first choices.
    void Append(Node from, Node to, WormRoute::Ports& ports);

    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports);

  private:
    /// The next link at a switch: the position of the first of the equally good links, or, in a
    /// column of alternatives, a bit for each of them.
    struct NextLinks
    {
        uint16_t free; ///< for a worm that may still go up
        uint16_t down; ///< for a worm that has gone down
    };

    /// By the switch's place.
    using Column = std::vector<NextLinks>;

    /// The same for switches with few links: `free` in the low four bits, `down` in the high ones.
    using PackedColumn = std::vector<uint8_t>;

    template <typename COLUMN>
    struct Kept
    {
        std::vector<COLUMN> to; ///< by destination; empty: not kept
        std::deque<Node> order; ///< destinations of those kept, oldest first
    };

    /// A switch. Switches are identified by rank: their place in the order from the root down.
    struct Switch
    {
        uint32_t place{0};
        uint32_t firstLink{0}; ///< place of its first link in m_links
    };

    /// A link of a switch; equally good ones are preferred in this order.
    struct Link
    {
        uint32_t to; ///< rank of the switch that it leads to
        Port port;
    };

    /// The state of the search for routes to one destination, by rank.
    struct Search
    {
        std::vector<uint32_t> down;  ///< remaining links, down only
        std::vector<uint32_t> free;  ///< remaining links, up or down
        std::vector<uint32_t> queue; ///< switches that reach it by going down, nearest first
    };

    void FindPlaces();

    std::size_t GetMaxKept() const;

    /// Gets a column. If it is new and there are too many, the oldest is dropped.
    /// @param put adds a link to an entry, see FindShortestPaths
    template <typename COLUMN, typename PUT>
    const COLUMN& Get(Kept<COLUMN>& kept, Node to, typename COLUMN::value_type none, PUT put);

    const Column& GetFirsts(Node to);

    const PackedColumn& GetPacked(Node to);

    const Column& GetChoices(Node to);

    static uint32_t Unpack(uint8_t links, bool goneDown);

    /// Finds all routes to a destination.
    template <typename NOTE>
    void FindShortestPaths(Node to, NOTE note);

    /// Follows a column from switch to switch.
    template <typename COLUMN, typename CHOOSE>
    void Follow(const COLUMN& column, Node from, Node to, WormRoute::Ports& ports, CHOOSE choose)
        const;

    std::vector<Node> m_order;     ///< the switches, by rank
    std::vector<uint32_t> m_ranks; ///< by switch
    std::vector<Switch>
        m_switches;            ///< by rank, and one behind them, where the last one's links end
    std::vector<Link> m_links; ///< of all switches, by rank
    std::size_t m_maxLinks{0}; ///< number of links of the switch with most links
    Kept<Column> m_firsts;
    Kept<PackedColumn> m_packed; ///< the same for switches with few links
    Kept<Column> m_choices;
    Search m_search; ///< kept so that its memory is reused
};

} // namespace ns3

#endif /* UP_DOWN_COLUMNS_H */
