/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_SEARCH_H
#define SWITCH_SEARCH_H

#include "switch-adjacency.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Breadth-first searches from one switch after another, each until it has found a set of
 *        target switches.
 *
 * Neighbours are taken in the order of their numbers, first found first searched. What is found is
 * held in that order, level by level and without gaps, so that a tree can be walked up or down by
 * going through it once: the switch above is named by its index, and those below one switch lie
 * side by side. Only one byte per switch is looked up, so that 300,000 of them stay in the
 * processor's cache.
 */
class SwitchSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @param adjacency the links between switches, which must outlive this object
    /// @param targets switches to find, each once, one at least
    SwitchSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets);

    /// Searches until all targets are found and the level of the last one is complete.
    /// @param root switch to start from
    /// @return whether all targets were found
    bool Run(Node root);

    /// @return whether all targets were found
    bool IsComplete() const
    {
        return m_left == 0;
    }

    /// @return whether a switch is a target @param node a switch
    bool IsTarget(Node node) const
    {
        return m_isTarget[node];
    }

    /// @return links from the root to the target farthest from it, if the search is complete
    uint32_t GetDepth() const
    {
        return static_cast<uint32_t>(m_levels.size()) - 2;
    }

    /// @return number of switches found
    uint32_t GetNFound() const
    {
        return m_levels.back();
    }

    /// @param depth a number of links, GetDepth() + 1 at most
    /// @return index of the first switch that far from the root, or past the last one
    uint32_t FirstAt(uint32_t depth) const
    {
        return m_levels[depth];
    }

    /// @return a switch found @param index its index in the order of finding, 0 the root
    Node At(uint32_t index) const
    {
        return m_nodes[index];
    }

    /// @return index of the switch from which one was found @param index its index, not 0
    uint32_t Above(uint32_t index) const
    {
        return m_above[index];
    }

  private:
    const SwitchAdjacency& m_adjacency;   ///< links between switches
    std::vector<bool> m_isTarget;         ///< whether a switch is to be found
    uint32_t m_nTargets;                  ///< number of those
    uint32_t m_left;                      ///< number of those that the latest search did not find
    std::vector<uint8_t> m_seen;          ///< whether a switch has been found
    std::vector<Node> m_nodes;            ///< what was found, and room for one more
    std::vector<uint32_t> m_above;        ///< index of the switch above each
    std::vector<uint32_t> m_levels{0, 0}; ///< index of the first switch of each level, and the end
};

/**
 * @ingroup wormhole
 * @brief Finds out which of some target switches are nearest to their farthest target, with few
 *        breadth-first searches, and exactly.
 *
 * A switch's eccentricity is its distance to the target farthest from it. A search from a target v
 * bounds the eccentricity of every switch u from below twice over: it is d(u, v) at least, since v
 * is a target, and it is ecc(v) - d(u, v) at least, since u is no nearer to v's farthest target
 * than that. So the target of least bound is searched from next; if its eccentricity turns out to
 * be above its bound, the target farthest from it tells most about it and its surroundings, and is
 * searched from too (Dragan, Habib and Viennot call such targets a certificate). Targets
 * whose bound exceeds the least eccentricity found are left out: they can't be nearest.
 *
 * On irregular fabrics some tens of searches do. Where the targets see the same of the fabric, as
 * in a torus, a search from each is needed, as each has the least eccentricity, unless only some
 * are candidates.
 */
class CenterSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @param adjacency the links between switches, which must outlive this object
    /// @param targets target switches by number, each once, one at least
    CenterSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets);

    /// Looks at some of the targets only.
    /// @param adjacency the links between switches, which must outlive this object
    /// @param targets target switches by number, each once, one at least
    /// @param candidates those of them that may be nearest, such as one of those that see the same
    /// of the fabric, see SwitchOrbits; others are searched from where that helps
    CenterSearch(const SwitchAdjacency& adjacency,
                 const std::vector<Node>& targets,
                 const std::vector<Node>& candidates);

    /// Makes the next search that is needed. After the last one every candidate of least
    /// eccentricity has been searched from, among others, in no particular order.
    /// @param before of the targets that might be as near as the nearest one so far, those of this
    ///        number and higher ones need not be searched from
    /// @return the search, until the next call; nullptr if no more is needed. A search that is not
    ///         complete, as no links lead from one target to another, is the last.
    const SwitchSearch* Next(Node before = FabricGraph::NONE);

    /// @return number of searches made
    uint32_t GetNSearches() const
    {
        return m_nSearches;
    }

  private:
    /// Searches from a target. @param root the target
    void Search(Node root);

    /// Raises the bounds by what the latest search tells.
    void RaiseBounds();

    /// @return a target that the latest search found last and none started from, NONE if none
    Node FindFarthest() const;

    /// A target, by what was known of it: its bound, and its number.
    using Open = std::pair<uint32_t, Node>;

    SwitchSearch m_search;          ///< the latest search
    std::vector<uint32_t> m_bounds; ///< what is known of the eccentricity of each switch
    std::vector<bool> m_searched;   ///< whether a search was made from each switch
    /// Targets that none was made from, and some more; a bound may have been raised since.
    std::priority_queue<Open, std::vector<Open>, std::greater<Open>> m_open;
    Node m_farthest{FabricGraph::NONE};         ///< target to search from first of all
    uint32_t m_min{SwitchAdjacency::UNREACHED}; ///< least eccentricity found
    uint32_t m_nSearches{0};                    ///< number of searches made
};

/**
 * @ingroup wormhole
 * @brief Switches that see the same of the fabric, as those of a ring, torus or hypercube do.
 *
 * What is looked for are shifts: the switches are cut into blocks of equal size by their numbers,
 * and each goes some places on in its block, from the end on to the beginning. A shift by a cable
 * of switch 0 that maps every cable to a cable is a symmetry of the fabric; all that distances
 * alone decide is equal for a switch and where a symmetry takes it. Each shift is checked on all
 * cables, and most fail at the first. Symmetries that are no shifts are not found.
 */
class SwitchOrbits
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @return the first switch of each set of those that shifts take to each other, by number
    /// @param adjacency the links between switches
    static std::vector<Node> FindFirst(const SwitchAdjacency& adjacency);
};

} // namespace ns3

#endif /* SWITCH_SEARCH_H */
