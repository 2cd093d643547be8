/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TRAFFIC_HELPER_H
#define WORMHOLE_TRAFFIC_HELPER_H

#include "ns3/fabric-graph.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-traffic-pattern.h"
#include "ns3/wormhole-traffic.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Brings synthetic traffic to a fabric: uniform and Poisson, unless told otherwise.
class WormholeTrafficHelper
{
  public:
    WormholeTrafficHelper();

    /// Sets an attribute of the traffic. @param name its name @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// Chooses who sends to whom.
    /// @param name uniform, permutation, transpose, bit-reversal, hotspot or nearest-switch, or the
    /// name of a TypeId such as ns3::UniformPattern
    /// @throws WormholeError if there is no such pattern
    void SetPattern(const std::string& name);

    /// Sets an attribute of the pattern chosen last. @param name its name @param value its value
    void SetPatternAttribute(const std::string& name, const AttributeValue& value);

    /// Brings traffic to a fabric, which starts with WormholeTraffic::Start.
    /// @param fabric the fabric
    /// @param graph the graph that it was built from
    /// @param length how long worms are
    /// @param stream number of the first of three streams of random numbers
    /// @return the traffic
    /// @throws WormholeError if the pattern does not fit the fabric
    Ptr<WormholeTraffic> Install(Ptr<WormholeFabric> fabric,
                                 const FabricGraph& graph,
                                 const WormLength& length,
                                 int64_t stream) const;

    /// Fixes the streams of arrivals and lengths anew, before Start. The pattern keeps the stream
    /// given to Install, which may already have drawn from it.
    /// @param traffic traffic made by Install
    /// @param stream first stream to use
    /// @return number of streams used
    static int64_t AssignStreams(Ptr<WormholeTraffic> traffic, int64_t stream)
    {
        return traffic->AssignStreams(stream);
    }

    /// Makes the pattern, fitted to a fabric.
    /// @param graph the fabric's graph
    /// @param stream number of its stream of random numbers
    /// @return the pattern
    /// @throws WormholeError if it does not fit
    Ptr<TrafficPattern> MakePattern(const FabricGraph& graph, int64_t stream) const;

    /// @return the short names of patterns
    static std::vector<std::string> GetPatternNames();

  private:
    ObjectFactory m_patternFactory; ///< makes the pattern
    ObjectFactory m_trafficFactory; ///< makes the traffic
};

} // namespace ns3

#endif /* WORMHOLE_TRAFFIC_HELPER_H */
