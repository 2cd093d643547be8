/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_ADJACENCY_H
#define SWITCH_ADJACENCY_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The cables between switches as flat lists, for searches over all of them.
 *
 * Six bytes per direction of a cable, in the order in which every search visits them: switches by
 * number, their neighbours by number, then ports by number. It is a copy: cables added to the
 * fabric later are not included.
 */
class SwitchAdjacency
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// A link from a switch to a neighbour.
    struct Link
    {
        Node to;   ///< the neighbour
        Port port; ///< port of the switch that leads there
    };

    /// A place in a list of links.
    struct LinkIterator
    {
        const Node* to;   ///< the neighbour
        const Port* port; ///< the port

        /// @return the link here
        Link operator*() const
        {
            return {*to, *port};
        }

        /// @return the next place
        LinkIterator& operator++()
        {
            ++to;
            ++port;
            return *this;
        }

        /// @return whether this is a different place @param other a place in the same list
        bool operator!=(const LinkIterator& other) const
        {
            return to != other.to;
        }
    };

    /// A range over the links of one switch.
    struct Links
    {
        LinkIterator first; ///< first link
        LinkIterator last;  ///< past the last link

        /// @return the first link
        LinkIterator begin() const
        {
            return first;
        }

        /// @return past the last link
        LinkIterator end() const
        {
            return last;
        }

        /// @return a link @param i its index
        Link operator[](std::size_t i) const
        {
            return {first.to[i], first.port[i]};
        }

        /// @return number of links
        std::size_t size() const
        {
            return last.to - first.to;
        }
    };

    /// Distance of an unreachable switch.
    static constexpr uint32_t UNREACHED = UINT32_MAX;

    /// @param graph a fabric
    explicit SwitchAdjacency(const FabricGraph& graph);

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_first.size()) - 1;
    }

    /// @return the links of a switch @param node a switch
    Links Of(Node node) const
    {
        return {At(m_first[node]), At(m_first[node + 1])};
    }

    /// Prefetches the position of a switch's links into the cache.
    /// @param node a switch
    void PrefetchPlace(Node node) const
    {
        Prefetch(m_first.data() + node);
    }

    /// Prefetches a switch's neighbours, after PrefetchPlace. @param node a switch
    void PrefetchNeighbours(Node node) const
    {
        Prefetch(m_to.data() + m_first[node]);
    }

    /// Result of a breadth-first search.
    struct Search
    {
        /// Links from the nearest start, by switch; UNREACHED if none.
        std::vector<uint32_t> distances;
        std::vector<Node> order; ///< switches reached, nearest first
    };

    /// Searches breadth-first over all links.
    /// @param starts switches to start from, each once
    /// @return the result
    Search SearchFrom(const std::vector<Node>& starts) const;

    /// @return number of links from a switch to each other one, see Search @param root the switch
    std::vector<uint32_t> Distances(Node root) const
    {
        return SearchFrom({root}).distances;
    }

  protected:
    std::vector<Node> m_to;        ///< neighbours of all switches, switch by switch
    std::vector<Port> m_ports;     ///< ports that lead to them
    std::vector<uint32_t> m_first; ///< index of each switch's first link, and the total

  private:
    /// @return the place of a link @param index its index among all links
    LinkIterator At(uint32_t index) const
    {
        return {m_to.data() + index, m_ports.data() + index};
    }

    /// Prefetches memory, where supported. @param address where
    static void Prefetch([[maybe_unused]] const void* address)
    {
#ifdef __GNUC__
        __builtin_prefetch(address);
#endif
    }
};

} // namespace ns3

#endif /* SWITCH_ADJACENCY_H */
