/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BUTTERFLY_BARRIER_H
#define BUTTERFLY_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier by a butterfly: in each phase the members of sets as large as its radix tell
 *        each other.
 *
 * Members beyond the product of the radices fold in: they tell a partner first, and are told
 * last.
 */
class ButterflyBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;
    bool UsesRoot() const override;

  private:
    std::string m_radices; ///< attribute
};

} // namespace ns3

#endif /* BUTTERFLY_BARRIER_H */
