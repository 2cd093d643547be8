/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_ORDER_H
#define UP_DOWN_ORDER_H

#include "switch-channels.h"
#include "turn-set.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Up/down routing by an order of the switches, in which several may be on top: a channel is
 *        up if the switch that it leads to comes first, and no channel up follows one down.
 */
class UpDownOrder
{
  public:
    using Node = SwitchChannels::Node;       ///< number of a switch
    using Channel = SwitchChannels::Channel; ///< number of a channel

    /**
     * @param channels the channels, which must outlive this object
     * @param ranks place of each switch in the order, each another one
     */
    UpDownOrder(const SwitchChannels& channels, std::vector<uint32_t> ranks);

    /// @return whether a channel is up @param channel the channel
    bool IsUp(Channel channel) const
    {
        return m_ranks[m_channels.To(channel)] < m_ranks[m_channels.From(channel)];
    }

    /// @return an order of the channels that up/down routes follow: those up from the bottom to the
    /// top, then those down from the top to the bottom
    std::vector<Channel> OrderChannels() const;

    /// @return all turns of up/down routes, in one lane; none leads back to the switch it comes
    /// from
    TurnSet MakeTurns() const;

  protected:
    const SwitchChannels& m_channels; ///< the channels
    std::vector<uint32_t> m_ranks;    ///< place of each switch
};

/**
 * @ingroup wormhole
 * @brief How far it is to one switch after the other by up/down routes.
 */
class UpDownDistances : public UpDownOrder
{
  public:
    /// Distance of what can't be reached.
    static constexpr uint32_t FAR = UINT32_MAX;

    /// As UpDownOrder. @param channels the channels @param ranks place of each switch
    UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks);

    /// Finds how far it is to a switch. @param to the switch
    void Measure(Node to);

    /// @return channels to go to the switch measured last, FAR if it can't be reached
    /// @param from a switch @param goneDown whether the worm has gone down already
    uint32_t Get(Node from, bool goneDown) const
    {
        return goneDown ? m_down[from] : m_free[from];
    }

    /// @return switches by their places
    const std::vector<Node>& GetByPlace() const
    {
        return m_byPlace;
    }

  private:
    std::vector<Node> m_byPlace;  ///< switch of each place
    std::vector<uint32_t> m_free; ///< channels to go, by switch
    std::vector<uint32_t> m_down; ///< the same, down alone
    std::vector<Node> m_queue;    ///< of the search
};

} // namespace ns3

#endif /* UP_DOWN_ORDER_H */
