/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADAPTIVE_ROUTES_H
#define ADAPTIVE_ROUTES_H

#include "lane-routes.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class RouteSpread;

/**
 * @ingroup wormhole
 * @brief Routes with choices: all shortest ways, with an escape (Duato, A New Theory of
 *        Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE TPDS 4(12), 1993).
 *
 * Lane 0 is the escape: its ways follow an order of the channels. In the other lanes a worm may go
 * on by any channel that leads nearer to its end, whatever circles these close, and at each switch
 * it may leave for the escape. It may come back from there where it is nearer to its end than it
 * ever was: since it waits in one buffer at a time, for the escape, too, that closes no circle.
 * With one lane the choices are between all shortest ways that follow the order.
 *
 * What is needed of the ways to a switch is found when one is first asked for: two bytes for each
 * switch and each channel.
 */
class AdaptiveRoutes : public LaneRoutes
{
  public:
    /**
     * @param graph the fabric
     * @param nLanes number of lanes
     * @param order every channel once: what the escape's ways follow, which lead everywhere
     */
    AdaptiveRoutes(const FabricGraph& graph, uint32_t nLanes, const std::vector<Channel>& order);

    /// Appends a shortest way of the escape. @copydetails LaneRoutes::Append
    void Append(uint32_t from, uint32_t to, Way& way) const override;

    Choices MakeChoices(Node from, Node end) const override;
    bool HasChoices() const override;

  private:
    /// Channels from a switch, most often few.
    using ChannelList = boost::container::small_vector<Channel, 8>;

    /// How far it is to a switch.
    struct Distances
    {
        std::vector<uint16_t> bySwitch; ///< channels from each switch
        /// Channels of a way in the order that begins with each channel, that one among them.
        std::vector<uint16_t> byChannel;
    };

    /// @return how far it is to a switch @param to the switch
    const Distances& To(Node to) const;

    /**
     * Lists the channels that begin the shortest ways of the escape.
     * @param distances to where
     * @param node switch where the worm is
     * @param last channel by which it came on the escape; NONE: it begins
     * @return the channels
     */
    ChannelList ListEscapes(const Distances& distances, Node node, Channel last) const;

    /// @return the one of these channels that a pair of hosts takes @param distances to where
    /// @param node,last as above @param spread chooses
    Channel ChooseEscape(const Distances& distances,
                         Node node,
                         Channel last,
                         const RouteSpread& spread) const;

    /// As MakeChoices, with one lane. @param from,end the switches @return the choices
    Choices MakeOrdered(Node from, Node end) const;

    std::vector<uint32_t> m_places; ///< place of each channel in the order
    std::vector<Channel> m_order;   ///< the order
    mutable std::vector<std::unique_ptr<Distances>> m_distances; ///< by switch; null: not yet found
};

} // namespace ns3

#endif /* ADAPTIVE_ROUTES_H */
