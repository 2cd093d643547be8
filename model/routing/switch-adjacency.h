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
 * @brief The cables between switches as one flat list, for searches that visit all of them.
 *
 * Eight bytes a direction of a cable, in the order in which every search takes them: switches by
 * number, from each the neighbours by number, then ports by number. It is a copy: cables laid in
 * the fabric later are not in it.
 */
class SwitchAdjacency
{
  public:
    /// A way from a switch to a neighbour.
    struct Link
    {
        FabricGraph::Node to;   ///< the neighbour
        FabricGraph::Port port; ///< port of the switch that leads there
    };

    /// A range over the links of one switch.
    struct Links
    {
        const Link* first; ///< first link
        const Link* last;  ///< past the last link

        /// @return the first link
        const Link* begin() const
        {
            return first;
        }

        /// @return past the last link
        const Link* end() const
        {
            return last;
        }

        /// @return number of links
        std::size_t size() const
        {
            return last - first;
        }
    };

    /// No distance: what can't be reached.
    static constexpr uint32_t UNREACHED = UINT32_MAX;

    /**
     * @param graph a fabric
     */
    explicit SwitchAdjacency(const FabricGraph& graph);

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_first.size()) - 1;
    }

    /// @return the links of a switch @param node a switch
    Links Of(FabricGraph::Node node) const
    {
        return {m_links.data() + m_first[node], m_links.data() + m_first[node + 1]};
    }

    /**
     * Breadth-first search over all links.
     * @param root switch to start from
     * @param limit switches farther than limit + 1 are not searched for
     * @return number of links from the root to each switch, UNREACHED where it did not get
     */
    std::vector<uint32_t> Distances(FabricGraph::Node root, uint32_t limit = UNREACHED) const;

  private:
    std::vector<Link> m_links;     ///< links of all switches, switch by switch
    std::vector<uint32_t> m_first; ///< index of each switch's first link, and the total
};

} // namespace ns3

#endif /* SWITCH_ADJACENCY_H */
