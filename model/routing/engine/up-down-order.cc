/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// No rank: a switch that is not in the tree yet.
constexpr uint32_t NOT_YET = UINT32_MAX;

} // namespace

UpDownOrder::UpDownOrder(const SwitchChannels& channels, std::vector<uint32_t> ranks)
    : m_channels(channels),
      m_ranks(std::move(ranks))
{
}

std::vector<UpDownOrder::Channel>
UpDownOrder::OrderChannels() const
{
    const auto height = [&](uint32_t channel) {
        const auto rank = static_cast<int64_t>(m_ranks[m_channels.From(channel)]);
        return IsUp(channel) ? -rank : rank + 1;
    };
    std::vector<Channel> order(m_channels.GetNChannels());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return height(a) < height(b);
    });
    return order;
}

TurnSet
UpDownOrder::MakeTurns() const
{
    TurnSet turns(OrderChannels());
    m_channels.ForEachTurn([&](Channel channel, Channel next) {
        if (IsUp(channel) || !IsUp(next))
        {
            turns.Add(channel, next);
        }
    });
    return turns;
}

UpDownDistances::UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks)
    : UpDownOrder(channels, std::move(ranks)),
      m_byPlace(m_ranks.size())
{
    for (Node node = 0; node < m_ranks.size(); ++node)
    {
        m_byPlace[m_ranks[node]] = node;
    }
}

void
UpDownDistances::Measure(Node to)
{
    m_down.assign(m_ranks.size(), FAR);
    m_down[to] = 0;
    m_queue.assign(1, to);
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        const auto node = m_queue[i];
        for (auto channel = m_channels.First(node); channel < m_channels.First(node + 1); ++channel)
        {
            const auto far = m_channels.To(channel);
            if (IsUp(channel) && m_down[far] == FAR) // from there it is down
            {
                m_down[far] = m_down[node] + 1;
                m_queue.push_back(far);
            }
        }
    }
    m_free = m_down;
    for (const auto node : m_byPlace) // what is up from a switch is before it
    {
        for (auto channel = m_channels.First(node); channel < m_channels.First(node + 1); ++channel)
        {
            const auto left = m_free[m_channels.To(channel)];
            if (IsUp(channel) && left < FAR)
            {
                m_free[node] = std::min(m_free[node], left + 1);
            }
        }
    }
}

SwitchTree::SwitchTree(const SwitchChannels& channels)
    : m_ranks(channels.GetNSwitches(), NOT_YET),
      m_levels(channels.GetNSwitches(), 0),
      m_parents(channels.GetNSwitches(), FabricGraph::NONE),
      m_up(channels.GetNSwitches(), SwitchChannels::NONE),
      m_down(channels.GetNSwitches(), SwitchChannels::NONE),
      m_isInTree(channels.GetNChannels(), false)
{
}

void
SwitchTree::Put(const SwitchChannels& channels, Node node, Channel down)
{
    m_ranks[node] = m_count++;
    if (down == SwitchChannels::NONE)
    {
        return;
    }
    m_parents[node] = channels.From(down);
    m_levels[node] = m_levels[m_parents[node]] + 1;
    m_down[node] = down;
    m_up[node] = channels.Reverse(down);
    m_isInTree[m_down[node]] = true;
    m_isInTree[m_up[node]] = true;
}

SwitchTree
SwitchTree::BreadthFirst(const SwitchChannels& channels, Node root)
{
    SwitchTree tree(channels);
    tree.Put(channels, root, SwitchChannels::NONE);
    std::vector<Node> level{root};
    while (!level.empty())
    {
        std::vector<Node> next;
        for (const auto node : level)
        {
            for (auto channel = channels.First(node); channel < channels.First(node + 1); ++channel)
            {
                const auto to = channels.To(channel);
                if (tree.m_ranks[to] == NOT_YET)
                {
                    tree.Put(channels, to, channel);
                    next.push_back(to);
                }
            }
        }
        std::sort(next.begin(), next.end());
        auto rank = tree.m_count - static_cast<uint32_t>(next.size());
        for (const auto node : next) // within the level by number, as up/down routing has it
        {
            tree.m_ranks[node] = rank++;
        }
        level = std::move(next);
    }
    return tree;
}

std::vector<uint64_t>
SwitchTree::SumDistances(const SwitchChannels& channels)
{
    std::vector<uint64_t> sums;
    for (Node root = 0; root < channels.GetNSwitches(); ++root)
    {
        const auto distances = channels.Distances(root);
        sums.push_back(std::accumulate(distances.begin(), distances.end(), uint64_t{0}));
    }
    return sums;
}

SwitchTree
SwitchTree::DepthFirst(const SwitchChannels& channels, const std::vector<uint64_t>& sums, Node root)
{
    SwitchTree tree(channels);
    tree.Put(channels, root, SwitchChannels::NONE);
    std::vector<uint32_t> linked(channels.GetNSwitches(), 0); // cables to switches in the tree
    std::vector<Node> way;
    for (auto node = root;;)
    {
        if (way.empty() || way.back() != node)
        {
            way.push_back(node);
            for (auto channel = channels.First(node); channel < channels.First(node + 1); ++channel)
            {
                ++linked[channels.To(channel)];
            }
        }
        auto best = SwitchChannels::NONE;
        for (auto channel = channels.First(node); channel < channels.First(node + 1); ++channel)
        {
            const auto to = channels.To(channel);
            const auto worth = [&](Channel of) {
                return std::pair(linked[channels.To(of)], sums[channels.To(of)]);
            };
            if (tree.m_ranks[to] == NOT_YET &&
                (best == SwitchChannels::NONE || worth(channel) > worth(best)))
            {
                best = channel;
            }
        }
        if (best != SwitchChannels::NONE)
        {
            node = channels.To(best);
            tree.Put(channels, node, best);
            continue;
        }
        way.pop_back();
        if (way.empty())
        {
            return tree;
        }
        node = way.back();
    }
}

std::vector<SwitchTree::Channel>
SwitchTree::Path(Node from, Node to) const
{
    std::vector<Channel> path;
    std::vector<Channel> down;
    while (from != to)
    {
        if (m_levels[from] >= m_levels[to])
        {
            path.push_back(m_up[from]);
            from = m_parents[from];
        }
        else
        {
            down.push_back(m_down[to]);
            to = m_parents[to];
        }
    }
    path.insert(path.end(), down.rbegin(), down.rend());
    return path;
}

} // namespace ns3
