/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAT_TREE_ROUTER_H
#define FAT_TREE_ROUTER_H

#include "fat-tree-topology.h"
#include "regular-router.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Routes of a fat tree: up to a nearest common ancestor, then down.
 *
 * These routes are shortest, and worms cannot deadlock, since none goes up after going down. Each
 * common ancestor will do; the way up decides which it is, and the way down is given by it.
 *
 * On level l, the u cables upwards are taken by floor(c / r) mod u, c the number that RouteSpread
 * chooses by, r the number of switches of a block of the level. In turn, c is the receiving host's
 * number (d-mod-k, Zahavi 2010): in a k-ary n-tree and a Clos network of equal switches, every
 * channel downwards then leads to one host alone, so worms to different hosts never meet after
 * their turn. A tree worm takes the ways that its sender's number chooses, so the trees of
 * different senders are spread, too.
 */
class FatTreeRouter : public RegularRouter
{
  public:
    /// @param tree the fat tree @param spread how its ways are shared
    explicit FatTreeRouter(const FatTreeTopology& tree,
                           RouteSpread::Rule spread = RouteSpread::Rule::HASH);

    const RegularTopology& GetTopology() const override;

    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

  private:
    /// Which cable to take between two levels.
    struct Spread
    {
        uint32_t copy;  ///< which of the switches above
        uint32_t cable; ///< which of the cables to it
    };

    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    /// @return the cable up from a level @param level the level @param choice the number
    /// that chooses
    Spread Choose(uint32_t level, uint32_t choice) const;

    FatTreeTopology m_tree; ///< the fat tree
};

} // namespace ns3

#endif /* FAT_TREE_ROUTER_H */
