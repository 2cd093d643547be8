/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_DISTANCES_H
#define UP_DOWN_DISTANCES_H

#include "switch-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How far it is to one switch after the other by up/down routes of an order of the switches,
 *        in which several may be on top.
 */
class UpDownDistances
{
  public:
    using Node = SwitchChannels::Node;       ///< number of a switch
    using Channel = SwitchChannels::Channel; ///< number of a channel

    /// Distance of what can't be reached.
    static constexpr uint32_t FAR = UINT32_MAX;

    /**
     * @param channels the channels, which must outlive this object
     * @param ranks place of each switch in the order: a channel is up if the switch that it leads
     *        to comes first
     */
    UpDownDistances(const SwitchChannels& channels, std::vector<uint32_t> ranks);

    /// Finds how far it is to a switch. @param to the switch
    void Measure(Node to);

    /// @return whether a channel is up @param channel the channel
    bool IsUp(Channel channel) const
    {
        return m_ranks[m_channels.To(channel)] < m_ranks[m_channels.From(channel)];
    }

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
    const SwitchChannels& m_channels; ///< the channels
    std::vector<uint32_t> m_ranks;    ///< place of each switch
    std::vector<Node> m_byPlace;      ///< switch of each place
    std::vector<uint32_t> m_free;     ///< channels to go, by switch
    std::vector<uint32_t> m_down;     ///< the same, down alone
    std::vector<Node> m_queue;        ///< of the search
};

} // namespace ns3

#endif /* UP_DOWN_DISTANCES_H */
