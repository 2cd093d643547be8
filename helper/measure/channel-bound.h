/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHANNEL_BOUND_H
#define CHANNEL_BOUND_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-router.h"
#include "ns3/wormhole-traffic-pattern.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The load at which the busiest channel is full: no fabric carries more.
 *
 * Computed from the routes and each host's shares of destinations, without a simulation. Worms
 * within a switch load the hosts' own channels only. All lanes of a channel share its rate; of
 * choices the first is taken (WormholeRouter::GetPath).
 *
 * It is exact for 4 million pairs of hosts. For more under uniform traffic it is exact where hosts
 * of a switch share their routes (DestinationLoads), counted by source switch and destination host,
 * and for 4,096 hosts. Else it is an estimate: of pairs drawn at random, one half shows which
 * channels are the busiest, the other how full these are.
 */
class ChannelBound
{
  public:
    /// What routes are like, over all pairs that traffic takes.
    struct Figures
    {
        double bound{1};        ///< load of each host, over the rate of its own channel, 1 at most
        double meanChannels{0}; ///< channels of a route on average, those of the hosts included
        uint32_t longest{0};    ///< channels of the longest route
        std::string busiest; ///< the channel that is full first, as "s3:1 to s4"; empty: a host's
        bool isEstimate{false}; ///< whether the bound, the mean and the longest are estimates
        double error{0};        ///< half width of the bound's 95 % interval, over the bound
    };

    /// @param graph the fabric
    /// @param router gives its routes
    /// @param pattern who sends to whom, fitted to the fabric
    /// @return the loads of the channels, and the bound as Compute returns it
    static Figures Measure(const FabricGraph& graph,
                           WormholeRouter& router,
                           const TrafficPattern& pattern);

    /// As Measure, with uniform destinations.
    /// @param graph the fabric, of two hosts at least
    /// @param router gives its routes
    /// @return figures
    /// @throws WormholeError if there are fewer hosts
    static Figures MeasureUniform(const FabricGraph& graph, WormholeRouter& router);

    /// @param graph the fabric
    /// @param router gives its routes
    /// @param pattern who sends to whom, fitted to the fabric
    /// @return the load of each host, over the rate of its own channel, 1 at most; 1 if the pattern
    ///         does not know its shares. Cables without a rate of their own have
    ///         WormholeFabric::DataRate's default
    static double Compute(const FabricGraph& graph,
                          WormholeRouter& router,
                          const TrafficPattern& pattern);

    /// As Compute, where each host sends to all others alike.
    /// @param graph the fabric, of two hosts at least
    /// @param router gives its routes
    /// @return the load of each host, over a channel's rate
    /// @throws WormholeError if there are fewer hosts
    static double ComputeUniform(const FabricGraph& graph, WormholeRouter& router);
};

/**
 * @ingroup wormhole
 * @brief What routes are measured by: the load of each host at which the busiest channel is full if
 *        every host sends to all others alike, and each pair's worms take all paths of fewest
 *        channels evenly, parallel cables each.
 *
 * No routes need be so bad; free of deadlock in one lane these are seldom, and longer paths may do
 * better where few are shortest. Cables have the rates that ChannelBound takes.
 *
 * @param graph a fabric of two hosts at least
 * @return the load, over the rate of a host's own channel, 1 at most; NaN if the fabric is so large
 *         (switches with hosts times channels) that it would take minutes
 */
double GetEqualSplitBound(const FabricGraph& graph);

} // namespace ns3

#endif /* CHANNEL_BOUND_H */
