/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUND_EXPLAINER_H
#define ROUND_EXPLAINER_H

#include "ns3/ptr.h"
#include "ns3/wormhole-latency-interval.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

class ActivityRecorder;
class Collective;
class CollectiveDomain;
class Worm;
class WormRecorder;

/**
 * @ingroup wormhole
 * @brief Tells of a collective's round why it took as long as it did: the critical path, back from
 *        the last member that left to the first cause.
 *
 * Records what happens from its making on: activities of hosts and switches, and worms. Within the
 * fabric, WormExplainer tells. Several of these share one record, which the first one keeps.
 */
class RoundExplainer
{
  public:
    /// @param domain the collective domain, whose groups may be made already; its fabric has no
    /// worms on their way
    explicit RoundExplainer(Ptr<CollectiveDomain> domain);

    /// Records no longer.
    ~RoundExplainer();

    RoundExplainer(const RoundExplainer&) = delete;
    RoundExplainer& operator=(const RoundExplainer&) = delete;

    /// Forgets what was recorded, but for other worms that are under way. Members must be outside,
    /// and none of their messages under way.
    void Clear();

    /// Explains a round, from when its first member came to when the last one left.
    /// @param collective the collective
    /// @param round the round, from 1 on
    /// @return intervals; none if nobody has left it, or it took no time
    LatencyIntervals Explain(const Collective& collective, uint64_t round) const;

    /// Explains when a member left a round.
    /// @param collective the collective
    /// @param round the round, from 1 on
    /// @param rank the member
    /// @param from when the intervals are to begin
    /// @return intervals from then until it left
    LatencyIntervals ExplainMember(const Collective& collective,
                                   uint64_t round,
                                   uint32_t rank,
                                   int64_t from) const;

    /// Explains a round.
    /// @param collective the collective
    /// @param round the round, from 1 on
    /// @param from when the intervals are to begin
    /// @return intervals from then until the last member left
    LatencyIntervals Explain(const Collective& collective, uint64_t round, int64_t from) const;

    /// @param collective the collective
    /// @param round the round, from 1 on
    /// @return when its first member came, and its last; 0 if none has
    std::pair<int64_t, int64_t> GetEntries(const Collective& collective, uint64_t round) const;

    /// @return a worm in words, such as "a reduction of group 4 (InSwitchBarrier)", or "worm 7 of
    /// the traffic from h3 to h9"
    /// @param worm the worm
    std::string Describe(const Worm& worm) const;

    /// @return the collective domain
    const CollectiveDomain& GetDomain() const
    {
        return *m_domain;
    }

  private:
    class Walk;

    Ptr<CollectiveDomain> m_domain; ///< the collective domain
    Ptr<WormRecorder> m_worms;      ///< what worms did; null on an ideal network
    bool m_ownsWorms{false};        ///< whether this records them
};

} // namespace ns3

#endif /* ROUND_EXPLAINER_H */
