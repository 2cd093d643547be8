// SPDX-License-Identifier: GPL-2.0-only

#ifndef SWITCH_SEARCH_H
#define SWITCH_SEARCH_H

#include "fabric-graph.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief The cables between switches as flat lists, for searches over all of them.
///
/// The lists take six bytes per direction of a cable. They hold links in the order in which every
/// search visits them: switches by number, a switch's neighbours by number, then ports by number.
/// The lists are a copy: cables added to the fabric later are not included.
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

    static constexpr uint32_t UNREACHED = UINT32_MAX; ///< distance of an unreachable switch

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
    void PrefetchPlace(Node node) const
    {
        Prefetch(m_first.data() + node);
    }

    /// Prefetches a switch's neighbours; call PrefetchPlace before. @param node a switch
    void PrefetchNeighbours(Node node) const
    {
        Prefetch(m_to.data() + m_first[node]);
    }

    /// Result of a breadth-first search.
    struct Search
    {
        std::vector<uint32_t> distances; ///< by switch: links from the nearest start; or UNREACHED
        std::vector<Node> order;         ///< switches reached, nearest first
    };

    /// Searches breadth-first over all links, starting from several switches, each listed once.
    Search SearchFrom(const std::vector<Node>& starts) const;

    /// @return each switch's distance from a given switch, see Search @param root the given switch
    std::vector<uint32_t> Distances(Node root) const
    {
        return SearchFrom({root}).distances;
    }

  protected:
    std::vector<Node> m_to;        ///< neighbours of all switches, switch by switch
    std::vector<Port> m_ports;     ///< ports that lead to those neighbours
    std::vector<uint32_t> m_first; ///< index of each switch's first link, and the total

  private:
    LinkIterator At(uint32_t index) const
    {
        return {m_to.data() + index, m_ports.data() + index};
    }

    static void Prefetch([[maybe_unused]] const void* address)
    {
#ifdef __GNUC__
        __builtin_prefetch(address);
#endif
    }
};

/// @ingroup wormhole
/// @brief Breadth-first searches from one switch after another, each until it has found a set of
///        target switches.
///
/// Neighbours are visited by number; switches are expanded in the order found. The result lists
/// switches in the order found, each with its parent's index, so that one pass walks the tree up or
/// down. A search looks up one byte per switch, so that 300,000 switches fit in the cache.
class SwitchSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// Prepares searches for one or more targets, each listed once; `adjacency` must outlive this.
    SwitchSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets);

    /// Searches from a switch until all targets, and all switches no farther than the farthest
    /// target, are found; tells whether all targets were found.
    bool Run(Node root);

    /// @return whether the latest search found all targets
    bool IsComplete() const
    {
        return m_left == 0;
    }

    /// @return whether a switch is a target @param node a switch
    bool IsTarget(Node node) const
    {
        return m_isTarget[node];
    }

    /// @return number of links from the root to the farthest target; valid if IsComplete
    uint32_t GetDepth() const
    {
        return static_cast<uint32_t>(m_levels.size()) - 2;
    }

    /// @return number of switches found
    uint32_t GetNFound() const
    {
        return m_levels.back();
    }

    /// Gives the index of the first switch at a distance from the root; for GetDepth() + 1, the
    /// index after the last switch.
    uint32_t FirstAt(uint32_t depth) const
    {
        return m_levels[depth];
    }

    /// @return a switch found @param index its index in search order; the root is 0
    Node At(uint32_t index) const
    {
        return m_nodes[index];
    }

    /// @return index of a switch's parent @param index the switch's index, not 0
    uint32_t Above(uint32_t index) const
    {
        return m_above[index];
    }

  private:
    const SwitchAdjacency& m_adjacency; ///< links between switches
    std::vector<bool> m_isTarget;
    uint32_t m_nTargets;
    uint32_t m_left;                      ///< number of targets not found by the latest search
    std::vector<uint8_t> m_seen;          ///< whether a switch has been found
    std::vector<Node> m_nodes;            ///< switches found, with room for one more
    std::vector<uint32_t> m_above;        ///< index of each switch's parent
    std::vector<uint32_t> m_levels{0, 0}; ///< index of the first switch of each level, and the end
};

/// @ingroup wormhole
/// @brief Finds the target switches of least eccentricity with few breadth-first searches, exactly.
///
/// d(u, v) is the distance between switches u and v; ecc(u), u's eccentricity, is the distance from
/// u to its farthest target. A search from a target v gives two lower bounds of ecc(u): d(u, v),
/// since v is a target, and ecc(v) - d(u, v), by the triangle inequality.
/// b(u) is the greatest bound of ecc(u) so far. A search starts from the target t of least b(t). If
/// ecc(t) > b(t), the next search starts from the target farthest from t (Dragan, Habib and
/// Viennot). Targets u with b(u) above the least eccentricity found are excluded.
///
/// On irregular fabrics some tens of searches suffice; on symmetric fabrics such as a torus, a
/// search is needed from each target that may have least eccentricity.
class CenterSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// Takes the links, which must outlive this object, and the numbers of one or more targets,
    /// each listed once.
    CenterSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets)
        : CenterSearch(adjacency, targets, targets)
    {
    }

    /// Also takes the targets that may be results (candidates), such as one target of each orbit
    /// (SwitchOrbits); searches may also start from other targets.
    CenterSearch(const SwitchAdjacency& adjacency,
                 const std::vector<Node>& targets,
                 const std::vector<Node>& candidates);

    /// Makes the next search; once this returns nullptr, every candidate of least eccentricity has
    /// been searched from, and some other targets, too.
    /// @param before targets of this number or above are searched from only if their eccentricity
    ///        may be below the least found so far
    /// @return the search, valid until the next call; nullptr if none is needed. A search that
    ///         misses targets, because no links lead to them, is the last one
    const SwitchSearch* Next(Node before = FabricGraph::NONE);

    /// @return number of searches made
    uint32_t GetNSearches() const
    {
        return m_nSearches;
    }

  private:
    void Search(Node root);

    void RaiseBounds();

    /// @return a target that is farthest in the latest search and from which no search has started;
    ///         NONE if there is none
    Node FindFarthest() const;

    using Open = std::pair<uint32_t, Node>; ///< a target's bound when queued, and its number

    SwitchSearch m_search;
    std::vector<uint32_t> m_bounds; ///< lower bound of each switch's eccentricity
    std::vector<bool> m_searched;   ///< whether a search was made from each switch
    /// Candidates to search from. An entry is outdated if the candidate's bound has risen since.
    std::priority_queue<Open, std::vector<Open>, std::greater<Open>> m_open;
    Node m_farthest{FabricGraph::NONE};         ///< target to search from first
    uint32_t m_min{SwitchAdjacency::UNREACHED}; ///< least eccentricity found
    uint32_t m_nSearches{0};
};

/// @ingroup wormhole @brief Orbits of switches under shifts, as in a ring, torus or hypercube.
///
/// A shift divides the switches, by number, into blocks of equal size, and moves each switch by the
/// same step within its block, cyclically. A shift is used if it maps each cable to a cable, if its
/// step divides the size of a block, and if it moves switch 0 to a neighbour. Two switches are
/// in one orbit if used shifts, one after another, map one switch to the other.
class SwitchOrbits
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// Finds the first switch of each orbit, by number.
    static std::vector<Node> FindFirst(const SwitchAdjacency& adjacency);
};

} // namespace ns3

#endif /* SWITCH_SEARCH_H */
