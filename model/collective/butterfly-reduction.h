/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BUTTERFLY_REDUCTION_H
#define BUTTERFLY_REDUCTION_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A reduction by a butterfly: in each phase the members of sets as large as its radix tell
 *        each other.
 *
 * Members beyond the product of the radices fold in: they tell a partner first.
 * All who exchange know the result; only the root, which is one of them, keeps it.
 */
class ButterflyReduction : public SoftwareReduction
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    std::string m_radices; ///< attribute
};

} // namespace ns3

#endif /* BUTTERFLY_REDUCTION_H */
