/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_LEVELS_H
#define SWITCH_LEVELS_H

#include "ns3/switch-channels.h"

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

    /// @param channels channels of connected switches @param hosts hosts at them
    SwitchLevels(const SwitchChannels& channels, const HostAttachment& hosts);

    /// @return whether the fabric is a fat tree
    bool IsFatTree() const
    {
        return m_isFatTree;
    }

    /// @return place of each switch in the order, the top ones first. With a channel up if it leads
    /// to the one that comes first there are up/down routes between all switches with hosts: where
    /// the levels alone leave some without, tops are put below others
    const std::vector<uint32_t>& GetRanks() const
    {
        return m_ranks;
    }

  private:
    std::vector<uint32_t> m_ranks;
    bool m_isFatTree{false};
};

} // namespace ns3

#endif /* SWITCH_LEVELS_H */
