// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_TRAFFIC_PATTERN_H
#define WORMHOLE_TRAFFIC_PATTERN_H

#include "ns3/fabric-graph.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Which host sends to which: draws each worm's destination, which is never its source.
///
/// A host that a pattern maps onto itself is silent: it sends nothing. Patterns depend on the
/// fabric's graph, not on time; hosts are numbered from 0, as in FabricGraph::HostAt.
class TrafficPattern : public Object
{
  public:
    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    TrafficPattern()
        : m_random(CreateObject<UniformRandomVariable>())
    {
    }

    /// Sets the stream of random numbers; to be called before Prepare.
    /// @param stream number of the stream
    /// @return number of streams used: 1
    int64_t AssignStreams(int64_t stream)
    {
        m_random->SetStream(stream);
        return 1;
    }

    /// Fits the pattern to a fabric.
    /// @param graph the fabric
    /// @throws WormholeError if the pattern does not fit; the error states what is accepted
    void Prepare(const FabricGraph& graph);

    /// @return number of hosts of the fabric passed to Prepare; 0 before Prepare
    uint32_t GetNHosts() const
    {
        return m_nHosts;
    }

    uint32_t GetNSenders() const; ///< @return number of hosts that are not silent

    /// @return whether a host sends nothing @param source the host
    virtual bool IsSilent([[maybe_unused]] uint32_t source) const
    {
        return false;
    }

    /// Draws the destination of a worm.
    /// @param source the sending host, which is not silent
    /// @return the receiving host, never the source
    virtual uint32_t Draw(uint32_t source) = 0;

    /// A destination, and its fraction of a source's worms.
    using Share = std::pair<uint32_t, double>;

    /// @param source the sending host, which is not silent
    /// @return each destination, with its long-run fraction of the source's worms; empty if unknown
    virtual std::vector<Share> GetShares([[maybe_unused]] uint32_t source) const
    {
        return {};
    }

  protected:
    /// @param least minimum
    /// @param greatest maximum
    /// @return a random number from least to greatest
    uint32_t DrawInteger(uint32_t least, uint32_t greatest)
    {
        return m_random->GetInteger(least, greatest);
    }

    /// @return a random host other than a given one @param source the given host
    uint32_t DrawOther(uint32_t source)
    {
        const auto host = DrawInteger(0, m_nHosts - 2);
        return host + (host >= source);
    }

    /// @return a random number, at least 0 and below 1
    double DrawRatio()
    {
        return m_random->GetValue(0, 1);
    }

  private:
    /// Fits the pattern to a fabric with at least two hosts.
    virtual void DoPrepare(const FabricGraph&)
    {
    }

    Ptr<UniformRandomVariable> m_random; ///< source of random numbers
    uint32_t m_nHosts{0};                ///< number of hosts
};

} // namespace ns3

#endif /* WORMHOLE_TRAFFIC_PATTERN_H */
