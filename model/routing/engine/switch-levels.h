/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_LEVELS_H
#define SWITCH_LEVELS_H

#include "host-places.h"
#include "switch-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The levels of a fat tree, found from its cables: an order of the switches below all top
 *        switches at once, and whether the fabric is a fat tree.
 *
 * Leaves are the switches with hosts that other hosts' shortest paths hardly pass: such paths carry
 * less than half as much as a leaf's own hosts send, where all send to all alike. A switch's height
 * is its distance from the nearest leaf. The order goes by height, the highest first, then by the
 * sum of distances from all hosts, then by number; or, if it has more shortest paths up and then
 * down, by that sum alone, as where branches are not equally deep.
 *
 * A fabric is a fat tree if
 *
 * - 90 % of the pairs of hosts have a path as short as can be that goes up and then down, and
 * - a tenth of the cables between switches at most joins switches of one height, and
 * - there are two top switches at least, with half as many hosts as leaves have at most, each in
 * the mean.
 *
 * So hosts at upper switches, missing cables, parallel ones and empty switches do no harm. Tori,
 * meshes, full meshes, dragonflies and drawings where each switch has hosts are none. Of more than
 * MAX_SAMPLE switches with hosts so many are looked at.
 */
class SwitchLevels
{
  public:
    using Node = SwitchChannels::Node; ///< number of a switch

    /// Switches from and to which paths are looked at.
    static constexpr uint32_t MAX_SAMPLE = 256;

    /**
     * @param channels channels of connected switches
     * @param hosts hosts at them
     */
    SwitchLevels(const SwitchChannels& channels, const HostPlaces& hosts);

    /// @return whether the fabric is a fat tree
    bool IsFatTree() const;

    /// @return place of each switch in the order, the top ones first. With a channel up if it leads
    /// to the one that comes first there are up/down routes between all switches with hosts: where
    /// the levels alone leave some without, tops are put below others
    const std::vector<uint32_t>& GetRanks() const;

  private:
    /// What is found out of shortest paths.
    struct Paths
    {
        std::vector<double>
            through;              ///< pairs of hosts whose paths pass a switch, in parts of paths
        std::vector<double> sums; ///< sum of distances from all hosts, by switch
    };

    /// @return some of a list, MAX_SAMPLE at most, spread evenly @param all the list
    static std::vector<Node> Sample(const std::vector<Node>& all);

    /// @return what is known of shortest paths between some switches @param ends the switches
    Paths FindPaths(const std::vector<Node>& ends) const;

    /// Finds the leaves. @return what is known of paths between switches with hosts
    Paths FindLeaves();

    /// Finds the heights: distances from the nearest leaf.
    void FindHeights();

    /// @return the order by height, or without it @param byHeight whether by height @param sums
    /// sums of distances
    std::vector<uint32_t> Order(bool byHeight, const std::vector<double>& sums) const;

    /// @return part of the pairs of hosts with a shortest path up and then down @param ranks an
    /// order
    double CountLegal(const std::vector<uint32_t>& ranks) const;

    /// @return whether it has the other marks of a fat tree
    bool HasTops() const;

    /// @return whether a switch has no channel up @param node the switch
    bool IsTop(Node node) const;

    /// @return the switches that are reached from one by going down @param from that switch
    std::vector<bool> FindBelow(Node from) const;

    /// @return whether up/down routes lead from each switch with hosts to each
    bool IsJoined() const;

    /// Puts tops below others until there are routes between all.
    void Join();

    /// Orders switches anew. @param isAbove whether the switch that sends on a channel is above
    /// the one that it leads to @return whether there is such an order
    bool Sort(const std::vector<bool>& isAbove);

    const SwitchChannels& m_channels; ///< the channels
    const HostPlaces& m_hosts;        ///< the hosts
    std::vector<Node> m_ends;         ///< switches with hosts
    std::vector<Node> m_leaves;       ///< the leaves
    std::vector<uint32_t> m_heights;  ///< by switch
    std::vector<uint32_t> m_ranks;    ///< by switch
    bool m_isFatTree{false};          ///< whether the fabric is a fat tree
};

} // namespace ns3

#endif /* SWITCH_LEVELS_H */
