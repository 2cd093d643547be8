// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_INVARIANTS_H
#define COLLECTIVE_INVARIANTS_H

#include "ns3/group-schedules.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-collective-form.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Checks the invariants of a collective's kind, for authors of algorithms.
///
/// A software algorithm is first checked without a simulator, with 1 to 40 members; for a value,
/// also with 64, 65, 127 and 128: all members must leave, each with all required contributions. For
/// data, lengths of data and of segments vary, and also the order of combining. After this, any
/// algorithm, including those in switches, runs on a random fabric with 1 to 24 members that arrive
/// at random times. Values are combined in several rounds, data are summed in one. A member must
/// leave after all contributors to its result have arrived, and with the correct result.
///
/// Destroys the current simulation.
class CollectiveInvariants
{
  public:
    /// Checks an algorithm, named as for CollectiveHelper::MakeCollective, with up to maxMembers
    /// (1 to 64) members on the fabric; returns the first violation, in one line, or an empty text
    /// if there is none; throws a WormholeError if the kind or algorithm is unknown.
    static std::string Check(const std::string& kind,
                             const std::string& name,
                             uint32_t maxMembers = 24);

    /// Does the part of Check that needs no simulator; for a value, the root, costs and hosts are
    /// random; for data, the lengths of data and segments and the order of combining vary.
    static std::string CheckSchedules(const ScheduleMaker& maker,
                                      const CollectiveForm& form,
                                      uint32_t members,
                                      Ptr<UniformRandomVariable> rng);
};

} // namespace ns3

#endif /* COLLECTIVE_INVARIANTS_H */
