// SPDX-License-Identifier: GPL-2.0-only

#ifndef TRAFFIC_PATTERNS_H
#define TRAFFIC_PATTERNS_H

#include "ns3/wormhole-traffic-pattern.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// A pattern in which each host always sends to the same other host.
class FixedPattern : public TrafficPattern
{
  public:
    static TypeId GetTypeId();

    bool IsSilent(uint32_t source) const override
    {
        return m_destinations[source] == source;
    }

    uint32_t Draw(uint32_t source) override
    {
        return m_destinations[source];
    }

    std::vector<Share> GetShares(uint32_t source) const override
    {
        return {{m_destinations[source], 1.0}};
    }

  private:
    void DoPrepare(const FabricGraph& graph) override
    {
        m_destinations = MakeDestinations(graph.GetNHosts());
    }

    /// @return each host's destination, or the host itself if it is silent @param nHosts at least 2
    virtual std::vector<uint32_t> MakeDestinations(uint32_t nHosts) = 0;

    std::vector<uint32_t> m_destinations; ///< by source
};

} // namespace ns3

#endif /* TRAFFIC_PATTERNS_H */
