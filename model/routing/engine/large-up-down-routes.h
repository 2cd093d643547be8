/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LARGE_UP_DOWN_ROUTES_H
#define LARGE_UP_DOWN_ROUTES_H

#include "lane-routes.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Balanced up/down routes of fabrics of thousands of switches: shortest legal routes by
 *        destination, two bytes for each switch and each that has hosts.
 *
 * Destinations are looked at one after the other. At each switch a worm goes on by that of the
 * equally good channels which has least load of destinations before, and of worms to the same one
 * from switches looked at before.
 */
class LargeUpDownRoutes : public LaneRoutes
{
  public:
    /**
     * @param graph the fabric
     * @param ranks place of each switch in the order, the root's first: a channel is up if the
     *        switch that it leads to comes first
     * @throws WormholeError if a switch has more than 255 channels
     */
    LargeUpDownRoutes(const FabricGraph& graph, const std::vector<uint32_t>& ranks);

    void Append(uint32_t from, uint32_t to, Way& way) const override;

  private:
    /// Channels by which worms go on, by switch, from the first of the switch's on.
    struct Column
    {
        std::vector<uint8_t> free; ///< worms that may go up still
        std::vector<uint8_t> down; ///< worms that have gone down
    };

    /// What is known of the ways to one destination.
    struct Distances
    {
        std::vector<uint32_t> free; ///< channels to go, by switch
        std::vector<uint32_t> down; ///< the same, down alone
    };

    /// @return whether a channel is up @param channel the channel
    bool IsUp(Channel channel) const;

    /// Finds how far it is to a switch. @param to the switch @param distances gets it
    void Measure(Node to, Distances& distances) const;

    /// Chooses the channels to a switch, and puts the load on them. @param to the switch
    /// @param distances how far it is there @param loads load of each channel
    void Choose(Node to, const Distances& distances, std::vector<uint64_t>& loads);

    std::vector<uint32_t> m_order; ///< place of each switch
    std::vector<Node> m_byPlace;   ///< switch of each place
    std::vector<Column> m_columns; ///< by destination switch; empty if it has no hosts
};

} // namespace ns3

#endif /* LARGE_UP_DOWN_ROUTES_H */
