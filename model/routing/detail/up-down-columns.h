/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_COLUMNS_H
#define UP_DOWN_COLUMNS_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-adjacency.h"
#include "ns3/worm-route.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3
{

class RouteSpread;

/**
 * @ingroup wormhole
 * @brief Tables of up/down routes: a column for each destination switch, made when it is asked
 *        for, with what follows at every switch.
 *
 * A column of first choices takes a byte a switch where switches have few links, else four; one to
 * choose from four. Routes jump about in columns, which together are larger than the processor's
 * caches. So the switches next to the root come first in a column, and then, one behind the other,
 * the branches of the tree below them: most of a route lies in few lines of memory.
 */
class UpDownColumns
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// @param adjacency cables between the switches
    /// @param order the switches, such that every cable leads up to the one that comes first
    UpDownColumns(const SwitchAdjacency& adjacency, std::vector<Node> order);

    /// @return whether columns to all switches can be kept
    bool HoldAll() const;

    /// @return whether those to choose from can be, too
    bool HoldChoices() const;

    /// @return whether first choices are there without being made @param to a switch
    bool IsKept(Node to) const;

    /// @return the first choice's port; nothing: there is no way @param from,to switches
    /// @param goneDown whether the worm has gone down already
    std::optional<Port> GetNext(Node from, Node to, bool goneDown);

    /// Appends the ports of the way by first choices. @param from,to switches @param ports the list
    void Append(Node from, Node to, WormRoute::Ports& ports);

    /// Appends the ports of a way. @param from,to switches @param spread what chooses among equals
    /// @param ports the list
    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports);

  private:
    /// What follows at a switch: the place among its links of the first of those equally good, or,
    /// in a column to choose from, a bit for each link that is.
    struct NextLinks
    {
        uint16_t free; ///< of a worm that may go up still
        uint16_t down; ///< of a worm that has gone down
    };

    /// By place of the switch.
    using Column = std::vector<NextLinks>;

    /// The same for switches of few links: `free` in the low four bits, `down` in the others.
    using PackedColumn = std::vector<uint8_t>;

    template <typename COLUMN>
    struct Kept
    {
        std::vector<COLUMN> to; ///< by destination; empty: not kept
        std::deque<Node> order; ///< destinations of those kept, oldest first
    };

    /// A switch. Here they go by their ranks, which are places in the order from the root down.
    struct Switch
    {
        uint32_t place{0};     ///< place in a column
        uint32_t firstLink{0}; ///< place of its first link in m_links
    };

    /// A link of a switch; equally good ones are preferred in this order.
    struct Link
    {
        uint32_t to; ///< rank of the switch that it leads to
        Port port;   ///< its port
    };

    /// What is found of the ways to one destination while its column is made, by rank.
    struct Search
    {
        std::vector<uint32_t> down;  ///< links to go, down alone
        std::vector<uint32_t> free;  ///< links to go, up ones among them
        std::vector<uint32_t> queue; ///< switches that reach it by going down, nearest first
    };

    void FindPlaces();

    /// @return number of columns that are kept at most
    std::size_t GetMaxKept() const;

    /// Gets a column, and drops the oldest where a new one is made and there are too many.
    /// @param put adds a link to an entry, see FindShortestPaths @return the column
    template <typename COLUMN, typename PUT>
    const COLUMN& Get(Kept<COLUMN>& kept, Node to, typename COLUMN::value_type none, PUT put);

    /// @return a column of first choices @param to a switch
    const Column& GetFirsts(Node to);

    /// @return the same, packed @param to a switch
    const PackedColumn& GetPacked(Node to);

    /// @return a column to choose from @param to a switch
    const Column& GetChoices(Node to);

    /// @return an entry of packed links @param links these @param goneDown see GetNext
    static uint32_t Unpack(uint8_t links, bool goneDown);

    /// Finds all ways to a destination.
    template <typename NOTE>
    void FindShortestPaths(Node to, NOTE note);

    /// Follows a column from switch to switch.
    template <typename COLUMN, typename CHOOSE>
    void Follow(const COLUMN& column, Node from, Node to, WormRoute::Ports& ports, CHOOSE choose)
        const;

    std::vector<Node> m_order;     ///< the switches, by rank
    std::vector<uint32_t> m_ranks; ///< by switch
    std::vector<Switch>
        m_switches;              ///< by rank, and one behind them, where the last one's links end
    std::vector<Link> m_links;   ///< of all switches, by rank
    std::size_t m_maxLinks{0};   ///< links of the switch that has most
    Kept<Column> m_firsts;       ///< first choices
    Kept<PackedColumn> m_packed; ///< the same where switches have few links
    Kept<Column> m_choices;      ///< columns to choose from
    Search m_search;             ///< of the last column, so that its memory is used again
};

} // namespace ns3

#endif /* UP_DOWN_COLUMNS_H */
