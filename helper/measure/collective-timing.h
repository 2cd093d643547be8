/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_TIMING_H
#define COLLECTIVE_TIMING_H

#include "ns3/collective.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Notes how long each round of a collective takes, whatever else a program does: since its
 *        last member came until its last member left, so that waiting for latecomers is no part of
 *        it.
 *
 * Of a broadcast, members that come late find the message there; its root may be the last.
 */
class CollectiveTiming
{
  public:
    /// @param collective the collective, with a group or before it has one
    explicit CollectiveTiming(Ptr<Collective> collective);
    ~CollectiveTiming();

    CollectiveTiming(const CollectiveTiming&) = delete;            ///< traces point to it
    CollectiveTiming& operator=(const CollectiveTiming&) = delete; ///< traces point to it

    /// @return how long rounds took that all members have left, in order
    std::vector<Time> GetDurations() const;

    /// @return mean, least and greatest of these in us, and how many there are, for people
    /// @param with99 whether to tell what 99 % of them do not exceed, too
    std::string ToText(bool with99 = false) const;

  private:
    struct Round
    {
        Time lastEnter;    ///< when the last member came, so far
        Time lastLeave;    ///< when the last member left, so far
        uint32_t nLeft{0}; ///< members that have left
    };

    void Enter(uint32_t rank, uint64_t value);
    void Leave(uint32_t rank, uint64_t result);
    /// @return the round that a member is in, one later each time
    Round& GetNext(std::vector<uint32_t>& rounds, uint32_t rank);

    Ptr<Collective> m_collective;    ///< the collective
    std::vector<Round> m_rounds;     ///< its rounds
    std::vector<uint32_t> m_entered; ///< rounds entered, by rank
    std::vector<uint32_t> m_left;    ///< rounds left, by rank
};

/**
 * @ingroup wormhole
 * @brief Tells what the time of a collective's rounds went into, each from when its last member
 *        came to when the last one left: of the slowest, and on average by cause; and in how much
 *        of it traffic is in the way, if it is.
 * @param explainer has recorded them
 * @param collective the collective
 * @param rounds how many it has done, from 1 on
 * @return text of some lines
 */
std::string ExplainRounds(const RoundExplainer& explainer,
                          const Ptr<Collective>& collective,
                          uint64_t rounds);

} // namespace ns3

#endif /* COLLECTIVE_TIMING_H */
