/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_REDUCTION_H
#define TREE_REDUCTION_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A reduction up a tree.
 *
 * The tree is MakeCommunicationTree's; fibo is made for the s and r of the root's software and
 * the way from there to another member's host.
 */
class TreeReduction : public SoftwareReduction
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    std::string m_tree; ///< attribute
};

} // namespace ns3

#endif /* TREE_REDUCTION_H */
