/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUNDS_BESIDE_H
#define ROUNDS_BESIDE_H

#include "progress-watch.h"
#include "traffic-beside.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Rounds of whatever it is, one after the other beside traffic, with pauses between them,
 *        see TrafficBeside. Traffic ends with the last round.
 */
class RoundsBeside
{
  public:
    /**
     * Makes the traffic.
     * @param domain the collective domain of a fabric, which must outlive this
     * @param traffic what there is
     * @throws WormholeError as TrafficBeside
     */
    RoundsBeside(const CollectiveDomain& domain, const TrafficBeside::Parameters& traffic);

    RoundsBeside(const RoundsBeside&) = delete;            ///< events hold its address
    RoundsBeside& operator=(const RoundsBeside&) = delete; ///< events hold its address

    /**
     * Does rounds, once, and waits until all worms have arrived.
     * @param what is done, such as "a collective"
     * @param rounds how many, at least 1
     * @param unloaded how long one takes without traffic
     * @param enter begins a round, at whose end End must be called
     * @throws WormholeError if there are no rounds, or one does not end; a BacklogLimit::Overload
     * if the traffic is more than the fabric takes. The simulation must be destroyed then
     */
    void Run(const std::string& what,
             uint32_t rounds,
             Time unloaded,
             const std::function<void()>& enter);

    /// Ends a round. @return whether it was the last
    bool End();

    /// @return whether rounds are still to be done
    bool AreLeft() const;

    /// @return when this round began
    Time GetBegin() const;

  private:
    const CollectiveDomain& m_domain;       ///< where
    TrafficBeside m_traffic;                ///< beside the rounds
    std::unique_ptr<ProgressWatch> m_watch; ///< ends rounds that stand still
    std::function<void()> m_round;          ///< begins a round
    uint32_t m_left{0};                     ///< rounds to be done
    Time m_begin;                           ///< of this round
};

} // namespace ns3

#endif /* ROUNDS_BESIDE_H */
