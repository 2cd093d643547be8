// SPDX-License-Identifier: GPL-2.0-only

#ifndef ROUND_EXPLAINER_H
#define ROUND_EXPLAINER_H

#include "ns3/ptr.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{

class Collective;
class CollectiveDomain;
class WormRecorder;

/// @ingroup wormhole
/// @brief Explains the latency of one round of a collective by the critical path: the chain of
///        causes, traced back from the last member's departure to the first cause.
///
/// From its construction on, a RoundExplainer records worms and activities of hosts and switches.
/// WormExplainer explains the path within the fabric. RoundExplainers of one domain share records.
class RoundExplainer
{
  public:
    /// @param domain the collective domain; it may have groups already, but no worms in flight
    explicit RoundExplainer(Ptr<CollectiveDomain> domain);

    /// Stops recording activities; stops recording worms, if this object began to record worms.
    ~RoundExplainer();

    RoundExplainer(const RoundExplainer&) = delete;
    RoundExplainer& operator=(const RoundExplainer&) = delete;

    /// Discards records of activities and, if this object began to record worms, of ended worms.
    /// Call it only while no member is in a collective, and no message of members is in flight.
    void Clear();

    /// @return intervals from the first member's arrival to the last member's departure; empty if
    ///         no member has left, or the round took no time
    /// @param collective,round the collective and the number of its round, from 1
    LatencyIntervals Explain(const Collective& collective, uint64_t round) const
    {
        return Explain(collective, round, GetEntries(collective, round).first);
    }

    /// @return intervals from the time `from` until the member left; empty if it has not left
    /// @param collective,round,from as for Explain @param rank the member's rank
    LatencyIntervals ExplainMember(const Collective& collective,
                                   uint64_t round,
                                   uint32_t rank,
                                   int64_t from) const;

    /// @return intervals from the time `from` until the last member left; empty if none has left
    /// @param collective,round the collective and the number of its round, from 1
    /// @param from start of the first interval, in ns-3 time units
    LatencyIntervals Explain(const Collective& collective, uint64_t round, int64_t from) const;

    /// @return arrival times of a round's first and last member; both 0 if no member has arrived
    /// @param collective,round the collective and the number of its round, from 1
    std::pair<int64_t, int64_t> GetEntries(const Collective& collective, uint64_t round) const;

    /// @return a worm's description, such as "worm 5, a reduction of group 4 (InSwitchBarrier)" or
    ///         "worm 7 of the traffic from h3 to h9" @param worm the worm
    std::string Describe(const Worm& worm) const;

    /// @return the collective domain
    const CollectiveDomain& GetDomain() const
    {
        return *m_domain;
    }

  private:
    struct Walk;

    Ptr<CollectiveDomain> m_domain;
    Ptr<WormRecorder> m_worms; ///< the worms' records; null on an ideal network
    bool m_ownsWorms{false};
};

} // namespace ns3

#endif /* ROUND_EXPLAINER_H */
