/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_BARRIER_H
#define TREE_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier up and down a tree: every member sends to its parent when its children have, and
 *        the root's result comes down the same path.
 *
 * The tree is MakeCommunicationTree's; fibo is made for the s and r of the root's software and
 * the way from there to another member's host.
 */
class TreeBarrier : public SoftwareBarrier
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

#endif /* TREE_BARRIER_H */
