/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAT_TREE_TOPOLOGY_H
#define FAT_TREE_TOPOLOGY_H

#include "regular-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// Fat trees: k-ary n-trees, Clos networks, and those in between.
///
/// Switches are arranged in levels; leaves are level 0. A *block* of level l contains everything
/// that its switches reach downwards: d_l blocks of level l - 1, or d_0 hosts on level 0. All
/// blocks of a level have the same number of switches; a block of level l has u_l times as many as
/// one of level l - 1, arranged as u_l copies of a row. A switch at some place of its row is
/// connected, in every lower block, to the switch at that place, by p_l cables each. So a switch
/// reaches one switch in each of its blocks, and every leaf has exactly one path up to it. (Without
/// parallel cables, Oehring et al. 1995 call these extended generalized fat trees, XGFT.)
///
/// Switches are numbered from the top level down, within a level by block, then by place. A
/// switch's ports lead down, block by block, then up, copy by copy; parallel cables have
/// consecutive ports.
///
/// Routes lead up to a nearest common ancestor, then down. They are shortest, and deadlock-free,
/// since none goes up after going down. The path up selects one of the common ancestors, which
/// determines the path down. On level l, the output among the u upward ones is floor(c / r) mod u,
/// where c is a selecting number and r is the number of switches per block of that level. With
/// spread in-turn, c is the receiving host's number (d-mod-k, Zahavi 2010): in a k-ary n-tree or a
/// Clos network of equal switches, every downward channel then leads to a single host, so worms to
/// different hosts never meet after turning. A tree worm uses the paths selected by its sender's
/// number, so the trees of different senders are spread, too.
class FatTreeTopology : public RegularFamily<FatTreeTopology>
{
  public:
    /// The parameters of the topology; by default a single leaf.
    struct Parameters
    {
        std::vector<uint32_t> down{
            1}; ///< by level from the leaves up: hosts or blocks below a switch, d_l
        std::vector<uint32_t> up;     ///< by level from 1 up: switches above each lower switch, u_l
        std::vector<uint32_t> cables; ///< by level from 1 up: parallel cables, p_l; empty: 1
    };

    /// @throws WormholeError if a number is out of range, a list has the wrong length, or the
    /// fabric is too large
    explicit FatTreeTopology(const Parameters& parameters);

    /// A k-ary n-tree (Petrini and Vanneschi 1997): k^n hosts, n levels of k^(n-1) switches with 2
    /// k ports; the upper ports of the top level remain open.
    /// @param k arity, at least 2
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    static FatTreeTopology KAryNTree(uint32_t k, uint32_t n);

    /// The largest folded Clos network of equal switches, as in Myrinet: the switches of lower
    /// levels have half of their ports down and half up, those of the top level have all ports
    /// down. So p ports and n levels give 2 (p/2)^n hosts.
    /// @param levels number of levels, at least 2
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    static FatTreeTopology Clos(uint32_t ports, uint32_t levels);

    End Peer(Node node, Port port) const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    // Channels go down or up; no up channel follows a down channel.
    uint32_t GetKind(Node node, Port port) const override
    {
        return GetPlace(Peer(node, port).node).level > GetPlace(node).level;
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override;

  private:
    FatTreeTopology(const Parameters& parameters, const std::string& what, double nPorts);

    /// The position of a switch.
    struct Place
    {
        uint32_t level; ///< its level, 0 for leaves
        uint32_t block; ///< its block, among those of the level
        uint32_t row;   ///< its place in the block
    };

    Place GetPlace(Node node) const;
    Node GetSwitch(const Place& place) const;

    Port PortDown(uint32_t level, uint32_t block, uint32_t cable) const
    {
        return static_cast<Port>(block * m_levels[level - 1].upCables + cable);
    }

    Port PortUp(uint32_t level, uint32_t copy, uint32_t cable) const
    {
        return static_cast<Port>(m_levels[level].downPorts + copy * m_levels[level].upCables +
                                 cable);
    }

    /// The selected cable between two levels.
    struct Spread
    {
        uint32_t copy; ///< index of the switch above
        uint32_t cable;
    };

    Spread Choose(uint32_t level, uint32_t choice) const;

    struct Level
    {
        uint32_t down; ///< blocks or hosts below a switch
        uint32_t downPorts;
        uint32_t up; ///< switches above a switch; 0 on top
        uint32_t upCables;
        uint32_t row; ///< switches per block
        Node first;   ///< number of the first switch
    };

    std::vector<Level> m_levels; ///< from the leaves up
};

} // namespace ns3

#endif /* FAT_TREE_TOPOLOGY_H */
