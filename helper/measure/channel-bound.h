// SPDX-License-Identifier: GPL-2.0-only

#ifndef CHANNEL_BOUND_H
#define CHANNEL_BOUND_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-router.h"
#include "ns3/wormhole-traffic-pattern.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief The load at which the busiest channel is saturated, an upper bound on a fabric's
///        throughput.
///
/// It is computed from the routes and the hosts' distributions of destinations, without simulation.
/// Worms within a switch load only the hosts' own channels. All lanes of a channel share its rate.
/// If a worm has choices, only its first choice counts (WormholeRouter::GetPath).
///
/// It is exact up to 4 million pairs of hosts, or, under uniform traffic, up to 4,096 hosts. Beyond
/// that, it is exact under uniform traffic if a switch's hosts share their routes, so that loads
/// can be counted per source switch and destination host (DestinationLoads). Otherwise it is an
/// estimate from random pairs of hosts: half of the pairs determine the busiest channels, and the
/// other half determine these channels' loads.
class ChannelBound
{
  public:
    /// Properties of the routes of all pairs of hosts that communicate.
    struct Figures
    {
        /// The bound: load of each host, relative to the rate of its own channel, at most 1; it is
        /// 1 if the pattern's distribution of destinations is unknown.
        double bound{1};
        double meanChannels{0}; ///< mean number of channels of a route, including the hosts'
        uint32_t longest{0};    ///< number of channels of the longest route
        std::string busiest;    ///< busiest channel, such as "s3:1 to s4"; empty: a host's channel
        bool isEstimate{false}; ///< whether bound, meanChannels and longest are estimates
        double error{0};        ///< relative half width of the bound's 95 % confidence interval
    };

    /// Measures routes under a pattern that was made for the fabric; cables without a rate of
    /// their own have WormholeFabric::DataRate's default.
    static Figures Measure(const FabricGraph& graph,
                           WormholeRouter& router,
                           const TrafficPattern& pattern);

    /// Measures routes under uniform traffic; throws a WormholeError for fewer than two hosts.
    static Figures MeasureUniform(const FabricGraph& graph, WormholeRouter& router);
};

/// @ingroup wormhole
/// @brief A reference for the bound of routes: the load of each host at which the busiest
///        channel saturates under uniform traffic if the worms of each pair of hosts are split
///        evenly over all minimal paths, including parallel cables.
///
/// Routes may do better: this is not an upper bound, since longer paths help where shortest paths
/// are few. Deadlock-free routes in one lane rarely reach this load. Cables have the rates that
/// ChannelBound uses.
///
/// @param graph a fabric with at least two hosts
/// @return the load, relative to the rate of a host's own channel, at most 1; NaN if this would
///         take minutes, that is, if (switches with hosts) * (channels) is above 2^32
double GetEqualSplitBound(const FabricGraph& graph);

} // namespace ns3

#endif /* CHANNEL_BOUND_H */
