// SPDX-License-Identifier: GPL-2.0-only

#ifndef SWITCH_LEVELS_H
#define SWITCH_LEVELS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/// The levels of a fat tree, found from its cables: an order of the switches with all top switches
/// first, and whether the fabric is a fat tree.
///
/// A leaf is a switch that has hosts, and that few shortest paths of other hosts pass: under
/// uniform traffic, these paths carry less than half of what the leaf's own hosts send. A switch's
/// height is its distance from the nearest leaf. Switches are ordered by height, the highest first,
/// then by the sum of distances from all hosts, then by number; or by that sum alone, if this gives
/// more shortest up-then-down paths, for example where branches differ in depth.
///
/// A fabric is a fat tree if
///
/// - 90 % of the pairs of hosts have a shortest path that goes up and then down, and
/// - at most a tenth of the cables between switches join switches of the same height, and
/// - there are at least two top switches, which on average have at most half as many hosts as
///   leaves.
///
/// So hosts at upper switches, missing or parallel cables, and empty switches are tolerated. Tori,
/// meshes, full meshes, dragonflies and irregular fabrics with hosts at every switch are not fat
/// trees. At most 256 switches with hosts are examined.
struct SwitchLevels
{
    explicit SwitchLevels(const FabricGraph& graph);

    /// Place of each switch in the order, the top ones first. If a channel counts as up when it
    /// leads to the switch that comes first, up/down routes connect all switches with hosts; where
    /// levels alone would not ensure this, some top switches are placed below others.
    std::vector<uint32_t> ranks;
    bool isFatTree{false};
};

} // namespace ns3

#endif /* SWITCH_LEVELS_H */
