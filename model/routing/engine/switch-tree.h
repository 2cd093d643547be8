/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_TREE_H
#define SWITCH_TREE_H

#include "switch-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A spanning tree of the switches, and the order in which they came into it.
 */
class SwitchTree
{
  public:
    using Node = SwitchChannels::Node;       ///< number of a switch
    using Channel = SwitchChannels::Channel; ///< number of a channel

    /**
     * A tree by breadth-first search: every switch is as near the root as it can be.
     * @param channels channels of connected switches
     * @param root the root
     * @return the tree; switches of one level come by number
     */
    static SwitchTree BreadthFirst(const SwitchChannels& channels, Node root);

    /**
     * A tree by depth-first search, by the rules of Sancho and Robles (Improving the Up/Down
     * Routing Scheme for Networks of Workstations, Euro-Par 2000).
     * @param channels channels of connected switches
     * @param sums sum of distances from each switch to all others, see SumDistances
     * @param root the root
     * @return the tree; from each switch the search goes on to the neighbour with most cables to
     *         switches that are in the tree, then to the one farthest from all others in the mean,
     *         then to the lowest number
     */
    static SwitchTree DepthFirst(const SwitchChannels& channels,
                                 const std::vector<uint64_t>& sums,
                                 Node root);

    /// @return the sum of distances from each switch to all others, in cables
    /// @param channels channels of connected switches
    static std::vector<uint64_t> SumDistances(const SwitchChannels& channels);

    /// @return place of each switch in the order, from 0 on: the root's is 0
    const std::vector<uint32_t>& GetRanks() const;

    /// @return whether the tree has a channel, or its other direction @param channel the channel
    bool Has(Channel channel) const
    {
        return m_isInTree[channel];
    }

    /**
     * @param from a switch
     * @param to a switch
     * @return the channels of the way between them in the tree
     */
    std::vector<Channel> Path(Node from, Node to) const;

  private:
    /// @param channels channels of connected switches
    explicit SwitchTree(const SwitchChannels& channels);

    /// Puts a switch into the tree. @param channels the channels @param node the switch
    /// @param down channel from its parent; NONE for the root
    void Put(const SwitchChannels& channels, Node node, Channel down);

    std::vector<uint32_t> m_ranks;  ///< place in the order, by switch
    std::vector<uint32_t> m_levels; ///< cables to the root, by switch
    std::vector<Node> m_parents;    ///< by switch; NONE for the root
    std::vector<Channel> m_up;      ///< channel to the parent, by switch
    std::vector<Channel> m_down;    ///< channel from the parent, by switch
    std::vector<bool> m_isInTree;   ///< by channel
    uint32_t m_count{0};            ///< number of switches put in
};

} // namespace ns3

#endif /* SWITCH_TREE_H */
