/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fat-tree-router.h"

namespace ns3
{

FatTreeRouter::FatTreeRouter(const FatTreeTopology& tree, RouteSpread::Rule spread)
    : RegularRouter(spread),
      m_tree(tree)
{
}

uint32_t
FatTreeRouter::GetNKinds() const
{
    return 2; // down and up
}

uint32_t
FatTreeRouter::GetKind(Node node, Port port) const
{
    const auto here = m_tree.GetPlace(node).level;
    return m_tree.GetPlace(m_tree.Peer(node, port).node).level > here;
}

bool
FatTreeRouter::MayFollow(uint32_t kind, uint32_t next) const
{
    return kind >= next; // none goes up after going down
}

const RegularTopology&
FatTreeRouter::GetTopology() const
{
    return m_tree;
}

FatTreeRouter::Spread
FatTreeRouter::Choose(uint32_t level, uint32_t choice) const
{
    const auto up = m_tree.GetUp(level);
    const auto cable = choice / m_tree.GetRowLength(level) % (up * m_tree.GetCables(level));
    return {cable % up, cable / up};
}

void
FatTreeRouter::AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const
{
    const auto source = m_tree.GetPlace(from);
    const auto target = m_tree.GetPlace(to);
    std::vector<uint32_t> blocks(target.level + 1, target.block); // the target's, by level
    auto block = source.block;
    auto level = source.level;
    for (; level < target.level || block != blocks[level]; ++level)
    {
        auto [copy, cable] = Choose(level, choice);
        if (level < target.level) // the way to the target's row
        {
            copy = target.row / m_tree.GetRowLength(level) % m_tree.GetUp(level);
        }
        ports.push_back(m_tree.PortUp(level, copy, cable));
        block /= m_tree.GetDown(level + 1);
        if (level >= target.level)
        {
            blocks.push_back(blocks[level] / m_tree.GetDown(level + 1));
        }
    }
    for (; level > target.level; --level)
    {
        const auto below = blocks[level - 1] % m_tree.GetDown(level);
        ports.push_back(m_tree.PortDown(level, below, Choose(level - 1, choice).cable));
    }
}

} // namespace ns3
