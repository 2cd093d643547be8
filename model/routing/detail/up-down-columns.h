// SPDX-License-Identifier: GPL-2.0-only

#ifndef UP_DOWN_COLUMNS_H
#define UP_DOWN_COLUMNS_H

#include "ns3/ordering.h"
#include "ns3/switch-search.h"
#include "ns3/wormhole-route-spread.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

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

    /// @param order the switches; a cable leads up to the switch that comes first here
    UpDownColumns(const SwitchAdjacency& adjacency, std::vector<Node> order)
        : m_order(std::move(order)),
          m_ranks(PlacesIn(m_order))
    {
        for (const auto node : m_order)
        {
            const auto links = adjacency.Of(node);
            m_maxLinks = std::max(m_maxLinks, links.size());
            m_switches.push_back({0, static_cast<uint32_t>(m_links.size())});
            for (const auto& link : links)
            {
                m_links.push_back({m_ranks[link.to], link.port});
            }
        }
        m_switches.push_back({0, static_cast<uint32_t>(m_links.size())});
        FindPlaces();
    }

    bool HoldAll() const
    {
        return m_ranks.size() <= GetMaxKept();
    }

    bool HoldChoices() const
    {
        return HoldAll() && m_maxLinks <= MAX_CHOICES;
    }

    bool IsKept(Node to) const
    {
        return (!m_firsts.to.empty() && !m_firsts.to[to].empty()) ||
               (!m_packed.to.empty() && !m_packed.to[to].empty());
    }

    std::optional<Port> GetNext(Node from, Node to, bool goneDown)
    {
        const auto& here = m_switches[m_ranks[from]];
        if (m_maxLinks <= NO_PACKED)
        {
            const auto link = Unpack(GetPacked(to)[here.place], goneDown);
            return link == NO_PACKED ? std::nullopt
                                     : std::optional(m_links[here.firstLink + link].port);
        }
        const auto& next = GetFirsts(to)[here.place];
        const auto link = goneDown ? next.down : next.free;
        return link == NO_LINK ? std::nullopt : std::optional(m_links[here.firstLink + link].port);
    }

    void Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports)
    {
        if (spread.IsFirst() && m_maxLinks <= NO_PACKED)
        {
            Follow(GetPacked(to), from, to, ports, [](uint8_t links, uint32_t, bool goneDown) {
                return Unpack(links, goneDown);
            });
            return;
        }
        if (spread.IsFirst())
        {
            Follow(GetFirsts(to),
                   from,
                   to,
                   ports,
                   [](const NextLinks& next, uint32_t, bool goneDown) {
                       return goneDown ? next.down : next.free;
                   });
            return;
        }
        const auto choose = [&](const NextLinks& next, uint32_t rank, bool goneDown) {
            uint32_t links = goneDown ? next.down : next.free;
            if (links & (links - 1)) // several
            {
                for (auto skip = spread.Choose(m_order[rank], CountBits(links)); skip > 0; --skip)
                {
                    links &= links - 1;
                }
            }
            uint32_t place = 0;
            while (!(links >> place & 1))
            {
                ++place;
            }
            return place;
        };
        Follow(GetChoices(to), from, to, ports, choose);
    }

  private:
    /// Maximum memory of the kept columns, in bytes; fabrics of up to 8,000 switches need less.
    static constexpr std::size_t COLUMN_MEMORY = std::size_t{256} << 20;
    static constexpr uint32_t TOP = 64;             ///< number of switches at a column's start
    static constexpr std::size_t MAX_CHOICES = 16;  ///< maximum, in a column of alternatives
    static constexpr uint32_t NO_PACKED = 15;       ///< no link, in a packed column
    static constexpr uint16_t NO_LINK = UINT16_MAX; ///< no link, in an unpacked column

    /// The next link at a switch: the position of the first of the equally good links, or, in a
    /// column of alternatives, a bit for each of them.
    struct NextLinks
    {
        uint16_t free; ///< for a worm that may still go up
        uint16_t down; ///< for a worm that has gone down
    };

    using Column = std::vector<NextLinks>;

    /// The same for switches with few links: `free` in the low four bits, `down` in the high ones.
    using PackedColumn = std::vector<uint8_t>;

    template <typename COLUMN>
    struct Kept
    {
        std::vector<COLUMN> to; ///< by destination; empty: not kept
        std::deque<Node> order; ///< destinations of kept columns, oldest first
    };

    /// A switch. Switches are identified by rank: their place in the order from the root down.
    struct Switch
    {
        uint32_t place{0};
        uint32_t firstLink{0}; ///< place of its first link in m_links
    };

    /// A link of a switch; of equally good links, the first in m_links is preferred.
    struct Link
    {
        uint32_t to; ///< rank of the switch that it leads to
        Port port;
    };

    /// The state of the search for routes to one destination, by rank.
    struct Search
    {
        std::vector<uint32_t> down;  ///< links to the destination, down only
        std::vector<uint32_t> free;  ///< links to the destination, up or down
        std::vector<uint32_t> queue; ///< switches above it, nearest first
    };

    /// @param bits 16 bits
    static uint32_t CountBits(uint32_t bits)
    {
        bits -= bits >> 1 & 0x5555;
        bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
        bits = (bits + (bits >> 4)) & 0x0f0f;
        return (bits + (bits >> 8)) & 0x1f;
    }

    void FindPlaces()
    {
        const auto n = static_cast<uint32_t>(m_order.size());
        const auto top = std::min(n, TOP);
        std::vector<std::vector<uint32_t>> below(n);
        for (auto rank = top; rank < n; ++rank)
        {
            auto above = rank;
            for (auto at = m_switches[rank].firstLink; at < m_switches[rank + 1].firstLink; ++at)
            {
                above = std::min(above, m_links[at].to);
            }
            below[above].push_back(rank);
        }
        std::vector<uint32_t> next;
        for (auto rank = top; rank-- > 0;)
        {
            m_switches[rank].place = rank;
            next.push_back(rank);
        }
        auto place = top;
        while (!next.empty())
        {
            const auto rank = next.back();
            next.pop_back();
            if (rank >= top)
            {
                m_switches[rank].place = place++;
            }
            next.insert(next.end(), below[rank].rbegin(), below[rank].rend());
        }
    }

    std::size_t GetMaxKept() const
    {
        return std::max<std::size_t>(1, COLUMN_MEMORY / (sizeof(NextLinks) * m_ranks.size()));
    }

    /// Gets a column. If there are too many, a new column replaces the oldest one.
    /// @param put adds a link to an entry, see FindShortestPaths
    template <typename COLUMN, typename PUT>
    const COLUMN& Get(Kept<COLUMN>& kept, Node to, typename COLUMN::value_type none, PUT put)
    {
        if (kept.to.empty())
        {
            kept.to.resize(m_ranks.size());
        }
        auto& column = kept.to[to];
        if (column.empty())
        {
            if (kept.order.size() >= GetMaxKept())
            {
                kept.to[kept.order.front()] = COLUMN();
                kept.order.pop_front();
            }
            kept.order.push_back(to);
            column.assign(m_ranks.size(), none);
            FindShortestPaths(to, [&](uint32_t rank, bool goneDown, uint32_t link, bool isBetter) {
                put(column[m_switches[rank].place], goneDown, link, isBetter);
            });
        }
        return column;
    }

    const Column& GetFirsts(Node to)
    {
        return Get(m_firsts,
                   to,
                   {NO_LINK, NO_LINK},
                   [](NextLinks& next, bool goneDown, uint32_t link, bool isBetter) {
                       auto& kept = goneDown ? next.down : next.free;
                       kept = isBetter ? static_cast<uint16_t>(link) : kept;
                   });
    }

    const PackedColumn& GetPacked(Node to)
    {
        return Get(m_packed,
                   to,
                   NO_PACKED << 4 | NO_PACKED,
                   [](uint8_t& links, bool goneDown, uint32_t link, bool isBetter) {
                       const auto kept = links & (goneDown ? NO_PACKED : NO_PACKED << 4);
                       links = isBetter ? static_cast<uint8_t>(kept | link << (goneDown ? 4 : 0))
                                        : links;
                   });
    }

    const Column& GetChoices(Node to)
    {
        return Get(m_choices,
                   to,
                   {0, 0},
                   [](NextLinks& next, bool goneDown, uint32_t link, bool isBetter) {
                       auto& links = goneDown ? next.down : next.free;
                       links = static_cast<uint16_t>((isBetter ? 0 : links) | 1 << link);
                   });
    }

    static uint32_t Unpack(uint8_t links, bool goneDown)
    {
        return goneDown ? links >> 4 : links & NO_PACKED;
    }

    template <typename NOTE>
    void FindShortestPaths(Node to, NOTE note)
    {
        constexpr uint32_t FAR = SwitchAdjacency::UNREACHED;
        auto& [down, free, queue] = m_search;
        const auto end = m_ranks[to];
        down.assign(m_ranks.size(), FAR);
        down[end] = 0;
        queue.assign(1, end);
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            const auto rank = queue[i];
            for (auto at = m_switches[rank].firstLink; at < m_switches[rank + 1].firstLink; ++at)
            {
                const auto next = m_links[at].to;
                if (next < rank && down[next] == FAR) // up
                {
                    down[next] = down[rank] + 1;
                    queue.push_back(next);
                }
            }
        }
        free.assign(m_ranks.size(), FAR);
        free[end] = 0;
        // The switches above a switch come before it.
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            if (rank == end)
            {
                continue;
            }
            auto bestFree = FAR;
            auto bestDown = FAR;
            const auto first = m_switches[rank].firstLink;
            for (auto at = first; at < m_switches[rank + 1].firstLink; ++at)
            {
                const auto next = m_links[at].to;
                const bool isUp = next < rank;
                const auto left = isUp ? free[next] : down[next];
                if (left < FAR && left <= bestFree)
                {
                    note(rank, false, at - first, left < bestFree);
                    bestFree = left;
                }
                if (!isUp && left < FAR && left <= bestDown)
                {
                    note(rank, true, at - first, left < bestDown);
                    bestDown = left;
                }
            }
            free[rank] = bestFree < FAR ? bestFree + 1 : FAR;
        }
    }

    template <typename COLUMN, typename CHOOSE>
    void Follow(const COLUMN& column, Node from, Node to, WormRoute::Ports& ports, CHOOSE choose)
        const
    {
        constexpr std::size_t LINE = 64 / sizeof(typename COLUMN::value_type);
        auto rank = m_ranks[from];
        const auto last = m_ranks[to];
        for (std::size_t i = 0; i < std::min<std::size_t>(column.size(), TOP); i += LINE)
        {
            __builtin_prefetch(&column[i]);
        }
        for (const std::size_t end : {m_switches[rank].place, m_switches[last].place})
        {
            // The switches above a switch are stored shortly before it.
            __builtin_prefetch(&column[end]);
            __builtin_prefetch(&column[end - std::min(end, LINE)]);
        }
        bool goneDown = false;
        while (rank != last)
        {
            const auto& here = m_switches[rank];
            const auto& link = m_links[here.firstLink + choose(column[here.place], rank, goneDown)];
            goneDown = link.to > rank;
            ports.push_back(link.port);
            rank = link.to;
        }
    }

    std::vector<Node> m_order;      ///< the switches, by rank
    std::vector<uint32_t> m_ranks;  ///< by switch
    std::vector<Switch> m_switches; ///< by rank, then an entry where all links end
    std::vector<Link> m_links;      ///< of all switches, by rank
    std::size_t m_maxLinks{0};      ///< number of links of the switch with most links
    Kept<Column> m_firsts;
    Kept<PackedColumn> m_packed; ///< the same for switches with few links
    Kept<Column> m_choices;
    Search m_search; ///< kept so that its memory is reused
};

} // namespace ns3

#endif /* UP_DOWN_COLUMNS_H */
