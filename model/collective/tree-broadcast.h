/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_BROADCAST_H
#define TREE_BROADCAST_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A broadcast down a tree.
 *
 * The tree is MakeCommunicationTree's; fibo is made for the s and r of the root's software and
 * the way from there to another member's host.
 */
class TreeBroadcast : public SoftwareBroadcast
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

#endif /* TREE_BROADCAST_H */
