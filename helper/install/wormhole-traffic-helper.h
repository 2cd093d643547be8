// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_TRAFFIC_HELPER_H
#define WORMHOLE_TRAFFIC_HELPER_H

#include "ns3/fabric-graph.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-traffic-pattern.h"
#include "ns3/wormhole-traffic.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief Installs synthetic traffic on a fabric, by default uniform and Poisson.
class WormholeTrafficHelper
{
  public:
    WormholeTrafficHelper()
    {
        m_trafficFactory.SetTypeId("ns3::WormholeTraffic");
        SetPattern("uniform");
    }

    /// Sets an attribute of the traffic. @param name its name @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_trafficFactory, name, value);
    }

    /// Selects the traffic pattern by a short name (uniform, permutation, transpose, bit-reversal,
    /// hotspot or nearest-switch) or by the name of a TypeId, such as ns3::UniformPattern; throws a
    /// WormholeError if there is no pattern of that name.
    void SetPattern(const std::string& name);

    /// Sets an attribute of the selected pattern. @param name its name @param value its value
    void SetPatternAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_patternFactory, name, value);
    }

    /// Installs traffic on a fabric built from `graph`, with random streams `stream` to `stream`+2;
    /// call Start to begin it; throws a WormholeError if the pattern does not fit the fabric.
    Ptr<WormholeTraffic> Install(Ptr<WormholeFabric> fabric,
                                 const FabricGraph& graph,
                                 const WormLength& length,
                                 int64_t stream) const;

    /// Reassigns the random streams of worms' arrivals and lengths, and returns how many streams
    /// these are; the pattern's stream stays, since the pattern may have drawn from it already.
    static int64_t AssignStreams(Ptr<WormholeTraffic> traffic, int64_t stream)
    {
        return traffic->AssignStreams(stream);
    }

    /// Creates the selected pattern for the fabric of `graph`, with the random stream of number
    /// `stream`; throws a WormholeError if the pattern does not fit the fabric.
    Ptr<TrafficPattern> MakePattern(const FabricGraph& graph, int64_t stream) const;

    /// @return the short names of patterns that SetPattern accepts
    static std::vector<std::string> GetPatternNames();

  private:
    ObjectFactory m_patternFactory; ///< creates the pattern
    ObjectFactory m_trafficFactory; ///< creates the traffic
};

} // namespace ns3

#endif /* WORMHOLE_TRAFFIC_HELPER_H */
