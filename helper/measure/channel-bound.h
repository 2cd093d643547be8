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
/// lanes of a channel share its rate. If worms have route choices, only GetPath's route counts.
///
/// The bound is exact for uniform traffic of up to 4,096 hosts, and for other patterns of up to 4
/// million pairs of hosts. For uniform traffic of more hosts, it is exact if all hosts of a switch
/// share their routes (DestinationLoads), and the router supports AddLoads or there are at most
/// 2^24 routes from a switch to a host. In all other cases the bound is an estimate, and so it is
/// whenever the route depends on the worm (AreByWorm).
class ChannelBound
{
  public:
    /// Properties of the routes of all pairs of hosts that communicate.
    struct Figures
    {
        /// The bound: the load that each host offers, relative to the rate of its channel; at most
        /// 1, and 1 if the pattern's distribution of destinations is unknown.
        double bound{1};
        double meanChannels{0}; ///< mean number of channels of a route, including both hosts' own
        uint32_t longest{0};    ///< number of channels of the longest route, including the hosts'
        std::string busiest;    ///< busiest channel, such as "s3:1 to s4"; empty: from a host
        bool hasChoices{false}; ///< whether worms may take other channels than GetPath has
        bool isEstimate{false}; ///< whether bound, meanChannels and longest are estimates
        double error{0};        ///< 95 % confidence: bound * (1 +- error); 0: exact or unknown
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
/// @brief A load to compare a ChannelBound with: the load per host at which uniform traffic
///        saturates the busiest channel if the worms of each pair of hosts are split evenly over
///        all shortest paths, including parallel cables.
///
/// Routes may have a higher bound, since longer paths help where shortest paths are few; but
/// deadlock-free routes in one lane rarely reach this load. Cables without a rate of their own are
/// taken to have the default rate of WormholeFabric::DataRate.
///
/// @param graph a fabric with at least two hosts
/// @return the load, relative to the rate of a host's own channel, at most 1; NaN for fabrics where
///         this would take minutes: (switches with hosts) * (channels between switches) > 2^32
double GetEqualSplitBound(const FabricGraph& graph);

} // namespace ns3

#endif /* CHANNEL_BOUND_H */
