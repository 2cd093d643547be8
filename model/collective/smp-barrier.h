/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_BARRIER_H
#define SMP_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier of hosts with several members: a host's master waits for the flags of the
 *        host's other members, does the inner barrier with the masters of other hosts, and resets
 *        the flags (Gupta et al. 2002, sections 5.2 and 5.3).
 *
 * The inner barrier may be btin, that by the registers in switches. The master is a host's first
 * member, at the root's host the root.
 */
class SmpBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    Ptr<Collective> MakeInner(const ScheduleRequest& request,
                              std::vector<uint32_t>& ranks) const override;

    /// @return what the attribute Inner names, without a group
    Ptr<Collective> MakeInnerCollective() const;

    std::string m_inner; ///< attribute
};

} // namespace ns3

#endif /* SMP_BARRIER_H */
