/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_INVARIANTS_H
#define COLLECTIVE_INVARIANTS_H

#include "ns3/group-schedules.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-collective-form.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Holds a collective to the invariants of its kind, for those who write their own.
 *
 * An algorithm by software is checked without a simulator first, by 1 to 40 members and some more:
 * everybody leaves, with each contribution that it must have. Of data, lengths, segments, lengths
 * of parts and whether order is kept are varied, too. Then any algorithm runs on a random fabric,
 * by 1 to 24 members: of a value in late and repeated rounds, with all operations; of data with
 * contents. Nobody may leave before those have come whom its kind has it wait for, and only with
 * the right result.
 *
 * Ends the simulation that was going on.
 */
class CollectiveInvariants
{
  public:
    /// @param kind any kind
    /// @param name name of the algorithm, as for CollectiveHelper::MakeCollective
    /// @param maxMembers greatest number of members on the fabric, 1 to 64
    /// @return why an invariant does not hold, in one line; empty: all hold
    /// @throws WormholeError if there is no such kind or algorithm
    static std::string Check(const std::string& kind,
                             const std::string& name,
                             uint32_t maxMembers = 24);

    /// Checks an algorithm by software without a simulator: of a value with a drawn root, costs and
    /// hosts; of data with lengths, segments, lengths of parts and orders of several kinds.
    /// @param maker the algorithm
    /// @param form its form
    /// @param members how many
    /// @param rng random numbers, which also pick who goes on next of a value
    /// @return as Check
    static std::string CheckSchedules(const ScheduleMaker& maker,
                                      const CollectiveForm& form,
                                      uint32_t members,
                                      Ptr<UniformRandomVariable> rng);
};

} // namespace ns3

#endif /* COLLECTIVE_INVARIANTS_H */
