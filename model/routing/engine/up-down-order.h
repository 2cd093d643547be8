/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_ORDER_H
#define UP_DOWN_ORDER_H

#include "ns3/switch-channels.h"
#include "ns3/turn-rule.h"

#include <cstdint>
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
    static SwitchTree BreadthFirst(const SwitchChannels& channels, Node root);

    /// A tree by depth-first search, by the rules of Sancho and Robles (Improving the Up/Down
    /// Routing Scheme for Networks of Workstations, Euro-Par 2000).
    /// @param sums sum of distances from each switch to all others, see SumDistances
    /// @return the tree; from each switch the search continues at the neighbour with most cables to
    /// switches already in the tree, then at the one with the largest mean distance from all
    /// others, then at the one of lowest number
    static SwitchTree DepthFirst(const SwitchChannels& channels,
                                 const std::vector<uint64_t>& sums,
                                 Node root);

    static std::vector<uint64_t> SumDistances(const SwitchChannels& channels);

    /// @return place of each switch in the order; the root's is 0
    const std::vector<uint32_t>& GetRanks() const
    {
        return m_ranks;
    }

    /// @return whether the tree contains a channel, or its reverse
    bool Has(Channel channel) const
    {
        return m_isInTree[channel];
    }

    std::vector<Channel> Path(Node from, Node to) const;

  private:
    explicit SwitchTree(const SwitchChannels& channels);

    /// Adds a switch to the tree.
    void Put(const SwitchChannels& channels, Node node, Channel down);

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
    UpDownOrder(const SwitchChannels& channels, std::vector<uint32_t> ranks);

    bool IsUp(Channel channel) const
    {
        return m_ranks[m_channels.To(channel)] < m_ranks[m_channels.From(channel)];
    }

    /// @return an order of the channels that up/down routes follow: up channels from the bottom
    ///         to the top, then down channels from the top to the bottom
    std::vector<Channel> OrderChannels() const;

    /// @return all turns of up/down routes, in one lane; none leads back to the switch that it
    ///         comes from
    TurnSet MakeTurns() const;

  protected:
    const SwitchChannels& m_channels;
    std::vector<uint32_t> m_ranks; ///< place of each switch
};

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
    /// Distance of an unreachable switch.
    static constexpr uint32_t FAR = UINT32_MAX;

    UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks);

    /// Computes the distances to a switch.
    void Measure(Node to);

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
