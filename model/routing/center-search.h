/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CENTER_SEARCH_H
#define CENTER_SEARCH_H

#include "switch-search.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

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

    /**
     * @param adjacency the links between switches, which must outlive this object
     * @param targets target switches by number, each once, one at least
     */
    CenterSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets);

    /**
     * Looks at some of the targets only.
     * @param adjacency the links between switches, which must outlive this object
     * @param targets target switches by number, each once, one at least
     * @param candidates those of them that may be nearest, such as one of those that see the same
     * of the fabric, see SwitchOrbits; others are searched from where that helps
     */
    CenterSearch(const SwitchAdjacency& adjacency,
                 const std::vector<Node>& targets,
                 const std::vector<Node>& candidates);

    /**
     * Makes the next search that is needed. After the last one every candidate of least
     * eccentricity has been searched from, among others, in no particular order.
     * @param before of the targets that might be as near as the nearest one so far, those of this
     *        number and higher ones need not be searched from
     * @return the search, until the next call; nullptr if no more is needed. A search that is not
     *         complete, as no links lead from one target to another, is the last.
     */
    const SwitchSearch* Next(Node before = FabricGraph::NONE);

    /// @return number of searches made
    uint32_t GetNSearches() const;

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

} // namespace ns3

#endif /* CENTER_SEARCH_H */
