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

/**
 * @ingroup wormhole
 * @brief Trees of several roots: k-ary n-trees, Clos networks, and all between them.
 *
 * Switches stand on levels, leaves on level 0. A *block* of level l holds everything that its
 * switches reach downwards: d_l blocks of level l - 1, or d_0 hosts on level 0. The blocks of level
 * l - 1 have equally many switches; a block of level l has u_l times as many, which are u_l copies
 * of the same row. The switch at some place of its row is joined, in every lower block, to the one
 * at that place, by p_l cables each. So a switch reaches each of its blocks, and there one switch;
 * and from every leaf it can be reached by one way up. (Oehring et al. 1995 call these extended
 * generalized fat trees, XGFT, without parallel cables.)
 *
 * Switches are numbered from the top level down, level by level, by block, then by place. A
 * switch's ports lead down, block by block, then up, copy by copy, or cable by cable of them.
 *
 * Routes lead up to a nearest common ancestor, then down. They are shortest, and worms cannot
 * deadlock, since none goes up after going down. Each common ancestor will do; the way up decides
 * which it is, and the way down is given by it. On level l, the u cables upwards are taken by
 * floor(c / r) mod u, c the number that chooses, r the number of switches of a block of the level.
 * In turn, c is the receiving host's number (d-mod-k, Zahavi 2010): in a k-ary n-tree and a Clos
 * network of equal switches, every channel downwards then leads to one host alone, so worms to
 * different hosts never meet after their turn. A tree worm takes the ways that its sender's number
 * chooses, so the trees of different senders are spread, too.
 */
class FatTreeTopology : public RegularFamily<FatTreeTopology>
{
  public:
    /// What is built; a leaf level alone by default.
    struct Parameters
    {
        std::vector<uint32_t> down{1}; ///< by level from the leaves up: hosts or blocks below, d_l
        std::vector<uint32_t> up;      ///< by level from 1 up: switches above a switch below, u_l
        std::vector<uint32_t> cables;  ///< by level from 1 up: cables between two, p_l; empty: 1
    };

    /// @param parameters what is built
    /// @throws WormholeError if a number is out of its range, a list too short or long, or the
    /// fabric too large
    explicit FatTreeTopology(const Parameters& parameters);

    /// A k-ary n-tree (Petrini and Vanneschi 1997): k^n hosts, n levels of k^(n-1) switches of 2 k
    /// ports; the upper ports of the top level stay open. @param k arity, 2 at least
    /// @param n number of levels @return the topology
    /// @throws WormholeError if a number is out of its range, or the fabric too large
    static FatTreeTopology KAryNTree(uint32_t k, uint32_t n);

    /// The largest folded Clos network of equal switches, as Myrinet builds it: the lower levels
    /// have half of their ports down and half up, the top level has all of them down. So p ports
    /// and n levels give 2 (p/2)^n hosts. @param ports ports of a switch, an even number
    /// @param levels number of levels, 2 at least @return the topology
    /// @throws WormholeError if a number is out of its range, or the fabric too large
    static FatTreeTopology Clos(uint32_t ports, uint32_t levels);

    End Peer(Node node, Port port) const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    // Channels are down or up; none up follows one down.
    uint32_t GetKind(Node node, Port port) const override
    {
        return GetPlace(Peer(node, port).node).level > GetPlace(node).level;
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override;

  private:
    FatTreeTopology(const Parameters& parameters, const std::string& what, double nPorts);

    /// Where a switch stands.
    struct Place
    {
        uint32_t level; ///< its level, 0 for leaves
        uint32_t block; ///< its block, among those of the level
        uint32_t row;   ///< its place in the block
    };

    Place GetPlace(Node node) const;
    Node GetSwitch(const Place& place) const;

    /// @return the port of a switch, not a leaf @param block which of the blocks below it
    /// @param cable which of the cables there
    Port PortDown(uint32_t level, uint32_t block, uint32_t cable) const
    {
        return static_cast<Port>(block * m_levels[level - 1].upCables + cable);
    }

    /// @return the port of a switch, not on top @param copy which of the switches above it
    /// @param cable which of the cables there
    Port PortUp(uint32_t level, uint32_t copy, uint32_t cable) const
    {
        return static_cast<Port>(m_levels[level].downPorts + copy * m_levels[level].upCables +
                                 cable);
    }

    /// Which cable to take between two levels.
    struct Spread
    {
        uint32_t copy;  ///< which of the switches above
        uint32_t cable; ///< which of the cables to it
    };

    /// @return the cable up from a level
    Spread Choose(uint32_t level, uint32_t choice) const;

    /// One level of switches.
    struct Level
    {
        uint32_t down;      ///< blocks or hosts below a switch
        uint32_t downPorts; ///< ports to them
        uint32_t up;        ///< switches above a switch; 0 on top
        uint32_t upCables;  ///< cables to each of those
        uint32_t row;       ///< switches of a block
        Node first;         ///< number of the first switch
    };

    std::vector<Level> m_levels; ///< from the leaves up
};

} // namespace ns3

#endif /* FAT_TREE_TOPOLOGY_H */
