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
/// The bound is computed from the routes and the hosts' distributions of destinations, without
/// simulation. A worm between two hosts of one switch loads only these hosts' own channels. All
/// lanes of a channel share its rate. Only a worm's first choice counts (WormholeRouter::GetPath).
///
/// The bound is exact up to 4 million pairs of hosts that communicate; under uniform traffic, up to
/// 4,096 hosts, and for more hosts if all hosts of a switch share their routes (DestinationLoads).
/// Otherwise the bound is an estimate. Under uniform traffic, one half of a random sample of pairs
/// shows which channels are busiest, and the other half gives these channels' loads. Under another
/// pattern, the senders that count are a sample: every k-th host.
class ChannelBound
{
  public:
    /// Properties of the routes of all pairs of hosts that communicate.
    struct Figures
    {
        /// The bound: the load of each host, relative to the rate of its channel, at most 1; the
        /// bound is 1 if the pattern's distribution of destinations is unknown.
        double bound{1};
        double meanChannels{0}; ///< mean number of channels of a route, including both hosts' own
        uint32_t longest{0};    ///< number of channels of the longest route, including the hosts'
        std::string busiest;    ///< busiest channel, such as "s3:1 to s4"; empty if it is a host's
        bool isEstimate{false}; ///< whether bound, meanChannels and longest are estimates
        double error{0};        ///< relative half width of the bound's 95 % confidence interval
    };

    /// Measures routes under a pattern that was prepared for the fabric; cables without a rate of
    /// their own are taken to have the default rate of WormholeFabric::DataRate.
    static Figures Measure(const FabricGraph& graph,
                           WormholeRouter& router,
                           const TrafficPattern& pattern);

    /// Measures routes under uniform traffic; throws a WormholeError for fewer than two hosts.
    static Figures MeasureUniform(const FabricGraph& graph, WormholeRouter& router);
};

/// @ingroup wormhole
/// @brief A load to compare a ChannelBound with: if the worms of each pair of hosts are split
///        evenly over all shortest paths, including parallel cables, then this load of each host
///        under uniform traffic saturates the busiest channel.
///
/// Routes may have a higher bound, since longer paths help where shortest paths are few; free of
/// deadlock and in one lane, routes rarely reach this load. Cables without a rate of their own are
/// taken to have the default rate of WormholeFabric::DataRate.
///
/// @param graph a fabric with at least two hosts
/// @return the load, relative to the rate of a host's own channel, at most 1; NaN if this would
///         take minutes: the number of switches with hosts times that of channels is above 2^32
double GetEqualSplitBound(const FabricGraph& graph);

} // namespace ns3

#endif /* CHANNEL_BOUND_H */
