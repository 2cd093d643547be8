/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_LAYERS_H
#define LANE_LAYERS_H

#include "lane-routes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Puts every way into one lane, its layer, so that the ways of no layer close a circle.
 */
class LaneLayers
{
  public:
    using Node = SwitchChannels::Node;       ///< number of a switch
    using Channel = SwitchChannels::Channel; ///< number of a channel

    /// A way that is to be put into a layer.
    struct LayeredWay
    {
        Node from;                     ///< switch where it begins
        Node to;                       ///< switch where it ends
        uint32_t copy;                 ///< which of the ways between them
        std::vector<Channel> channels; ///< its channels
        uint32_t layer{0};             ///< its lane
    };

    /**
     * @param graph the fabric, which must outlive this object
     * @param engine name of the engine, for messages
     * @param maxLayers number of lanes that there are
     * @param isBalanced whether loads decide between equally short ways; else the lowest channels
     */
    LaneLayers(const FabricGraph& graph,
               const std::string& engine,
               uint32_t maxLayers,
               bool isBalanced);

    /**
     * Puts each way into the first layer where it closes no circle, as LASH does.
     * @throws WormholeError if that takes more layers than there are
     */
    void PutFirst();

    /**
     * Puts all ways into the first layer, and as long as there is a circle in a layer those of its
     * turn that has fewest into the next one, as DFSSSP does.
     * @throws WormholeError if that takes more layers than there are
     */
    void BreakCircles();

    /// @return the routes
    Ptr<LaneRoutes> Make() const;

  private:
    /// Takes the circles out of a layer. @param ways the ways in it, by number
    /// @return those that are left for the next one
    std::vector<std::size_t> BreakCirclesOf(const std::vector<std::size_t>& ways);

    /// @throws WormholeError that there are too few layers
    [[noreturn]] void RefuseLayers() const;

    const FabricGraph& m_graph;     ///< the fabric
    std::string m_engine;           ///< name of the engine
    uint32_t m_maxLayers;           ///< layers that there are
    SwitchChannels m_channels;      ///< the channels
    HostPlaces m_hosts;             ///< the hosts
    uint32_t m_nCopies;             ///< ways of each pair of switches
    std::vector<LayeredWay> m_ways; ///< all ways
};

} // namespace ns3

#endif /* LANE_LAYERS_H */
