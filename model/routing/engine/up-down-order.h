// SPDX-License-Identifier: GPL-2.0-only

#ifndef UP_DOWN_ORDER_H
#define UP_DOWN_ORDER_H

#include "ns3/ordering.h"
#include "ns3/switch-channels.h"
#include "ns3/turn-rule.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A spanning tree of the switches, and the order in which they were added.
class SwitchTree
{
  public:
    using Node = SwitchChannels::Node;
    using Channel = SwitchChannels::Channel;

    /// A tree by breadth-first search: every switch is as near the root as possible.
    /// @return the tree; switches of a level are ordered by number
    static SwitchTree BreadthFirst(const SwitchChannels& channels, Node root)
    {
        SwitchTree tree(channels);
        tree.Put(channels, root, SwitchChannels::NONE);
        std::vector<Node> level{root};
        while (!level.empty())
        {
            std::vector<Node> next;
            for (const auto node : level)
            {
                for (const auto channel : channels.Out(node))
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
            for (const auto node : next) // within the level by number, as in UpDownRouting
            {
                tree.m_ranks[node] = rank++;
            }
            level = std::move(next);
        }
        return tree;
    }

    /// A tree by depth-first search, by the rules of Sancho and Robles (Improving the Up/Down
    /// Routing Scheme for Networks of Workstations, Euro-Par 2000).
    /// @param sums sum of distances from each switch to all others, see SumDistances
    /// @return the tree; from each switch the search continues at the neighbour with most cables to
    /// switches already in the tree, then at the one with the largest mean distance from all
    /// others, then at the one of lowest number
    static SwitchTree DepthFirst(const SwitchChannels& channels,
                                 const std::vector<uint64_t>& sums,
                                 Node root)
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
                for (const auto channel : channels.Out(node))
                {
                    ++linked[channels.To(channel)];
                }
            }
            auto best = SwitchChannels::NONE;
            for (const auto channel : channels.Out(node))
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

    static std::vector<uint64_t> SumDistances(const SwitchChannels& channels)
    {
        return MadeOfNumbers(channels.GetNSwitches(), [&](Node root) {
            const auto distances = channels.Distances(root);
            return std::accumulate(distances.begin(), distances.end(), uint64_t{0});
        });
    }

    static Node FindCenter(const SwitchChannels& channels)
    {
        const auto sums = SumDistances(channels);
        return static_cast<Node>(std::min_element(sums.begin(), sums.end()) - sums.begin());
    }

    const std::vector<uint32_t>& GetRanks() const
    {
        return m_ranks;
    }

    bool Has(Channel channel) const
    {
        return m_isInTree[channel];
    }

    std::vector<Channel> Path(Node from, Node to) const
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

  private:
    static constexpr uint32_t NOT_YET = UINT32_MAX; ///< rank of a switch that is not in the tree

    explicit SwitchTree(const SwitchChannels& channels)
        : m_ranks(channels.GetNSwitches(), NOT_YET),
          m_levels(channels.GetNSwitches(), 0),
          m_parents(channels.GetNSwitches(), FabricGraph::NONE),
          m_up(channels.GetNSwitches(), SwitchChannels::NONE),
          m_down(channels.GetNSwitches(), SwitchChannels::NONE),
          m_isInTree(channels.GetNChannels(), false)
    {
    }

    void Put(const SwitchChannels& channels, Node node, Channel down)
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

    std::vector<uint32_t> m_ranks;  ///< place in the order, by switch
    std::vector<uint32_t> m_levels; ///< cables to the root, by switch
    std::vector<Node> m_parents;    ///< by switch; NONE for the root
    std::vector<Channel> m_up;      ///< channel to the parent, by switch
    std::vector<Channel> m_down;    ///< channel from the parent, by switch
    std::vector<bool> m_isInTree;   ///< by channel
    uint32_t m_count{0};            ///< number of switches added
};

/// Up/down routing by an order of the switches, with one or several on top: a channel is up if the
/// switch that it leads to comes first, and no up channel follows a down channel.
class UpDownOrder
{
  public:
    using Node = SwitchChannels::Node;
    using Channel = SwitchChannels::Channel;

    /// @param channels the channels, which must outlive this object
    /// @param ranks place of each switch in the order, all different
    UpDownOrder(const SwitchChannels& channels, std::vector<uint32_t> ranks)
        : m_channels(channels),
          m_ranks(std::move(ranks))
    {
    }

    bool IsUp(Channel channel) const
    {
        return m_ranks[m_channels.To(channel)] < m_ranks[m_channels.From(channel)];
    }

    /// @return an order of the channels that up/down routes follow: up channels from the bottom
    ///         to the top, then down channels from the top to the bottom
    std::vector<Channel> OrderChannels() const
    {
        const auto height = [&](uint32_t channel) {
            const auto rank = static_cast<int64_t>(m_ranks[m_channels.From(channel)]);
            return IsUp(channel) ? -rank : rank + 1;
        };
        return NumbersBy(m_channels.GetNChannels(), height);
    }

    /// @return all turns of up/down routes, in one lane; none leads back to the switch that it
    ///         comes from
    TurnSet MakeTurns() const
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

  protected:
    const SwitchChannels& m_channels;
    std::vector<uint32_t> m_ranks; ///< place of each switch
};

/// @return the channels of a path @param next by switch: the path's next channel
inline std::vector<SwitchChannels::Channel>
FollowChannels(const SwitchChannels& channels,
               const std::vector<SwitchChannels::Channel>& next,
               SwitchChannels::Node from,
               SwitchChannels::Node to)
{
    std::vector<SwitchChannels::Channel> way;
    for (; from != to; from = channels.To(next[from]))
    {
        way.push_back(next[from]);
    }
    return way;
}

/// Calls a function with each switch and copy of its routes that hosts use, see
/// HostAttachment::CountAt. @param what name of the work, for progress reports
template <typename VISIT>
void
ForEachCopy(uint32_t nSwitches,
            const HostAttachment& hosts,
            uint32_t nCopies,
            const std::string& what,
            VISIT visit)
{
    RoutingProgress progress(what, uint64_t{nCopies} * nSwitches);
    for (uint32_t copy = 0; copy < nCopies; ++copy)
    {
        for (SwitchChannels::Node to = 0; to < nSwitches; ++to)
        {
            progress.Step();
            if (hosts.CountAt(to, copy, nCopies) > 0)
            {
                visit(to, copy);
            }
        }
    }
}

template <typename IS_MADE_AT>
TurnSet
MakeLaneTurns(const SwitchChannels& channels,
              const TurnSet& turns,
              uint32_t nLanes,
              IS_MADE_AT isMadeAt)
{
    const auto nChannels = channels.GetNChannels();
    std::vector<TurnSet::Vertex> order(std::size_t{nChannels} * nLanes);
    for (uint32_t vertex = 0; vertex < order.size(); ++vertex)
    {
        order[vertex % nLanes * nChannels + turns.GetRank(vertex / nLanes)] = vertex;
    }
    TurnSet made(order);
    channels.ForEachTurn([&](uint32_t channel, uint32_t next) {
        const bool isOther = !turns.Has(channel, next);
        for (uint32_t lane = 0;
             lane + isOther < nLanes && (!isOther || isMadeAt(channels.To(channel)));
             ++lane)
        {
            made.Add(channel * nLanes + lane, next * nLanes + lane + isOther);
        }
    });
    return made;
}

/// Up/down distances to one switch after another.
class UpDownDistances : public UpDownOrder
{
  public:
    static constexpr uint32_t FAR = UINT32_MAX;

    UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks)
        : UpDownOrder(channels, std::move(ranks)),
          m_byPlace(PlacesIn(m_ranks))
    {
    }

    void Measure(Node to)
    {
        m_down.assign(m_ranks.size(), FAR);
        m_down[to] = 0;
        m_queue.assign(1, to);
        for (std::size_t i = 0; i < m_queue.size(); ++i)
        {
            const auto node = m_queue[i];
            for (const auto channel : m_channels.Out(node))
            {
                const auto far = m_channels.To(channel);
                if (IsUp(channel) && m_down[far] == FAR) // from `far` it leads down
                {
                    m_down[far] = m_down[node] + 1;
                    m_queue.push_back(far);
                }
            }
        }
        m_free = m_down;
        for (const auto node : m_byPlace) // switches above a switch come before it
        {
            for (const auto channel : m_channels.Out(node))
            {
                const auto left = m_free[m_channels.To(channel)];
                if (IsUp(channel) && left < FAR)
                {
                    m_free[node] = std::min(m_free[node], left + 1);
                }
            }
        }
    }

    /// @return number of channels to the switch measured last; FAR if unreachable
    uint32_t Get(Node from, bool goneDown) const
    {
        return goneDown ? m_down[from] : m_free[from];
    }

    const std::vector<Node>& GetByPlace() const
    {
        return m_byPlace;
    }

  private:
    std::vector<Node> m_byPlace;
    std::vector<uint32_t> m_free; ///< remaining channels, by switch
    std::vector<uint32_t> m_down; ///< the same, down only
    std::vector<Node> m_queue;    ///< used by the search
};

} // namespace ns3

#endif /* UP_DOWN_ORDER_H */
