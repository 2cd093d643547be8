/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPICH_BROADCAST_H
#define MPICH_BROADCAST_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The broadcast of early MPICH, which knows nothing of the network: see MakeBlockTree.
 *
 * Processes are counted from the root on, in the order of ranks, and from the last rank to rank 0.
 * Versions differ in the size of blocks; with 1 it is the binomial tree of later ones.
 */
class MpichBroadcast : public SoftwareBroadcast
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    uint32_t m_blockSize{3}; ///< attribute
};

} // namespace ns3

#endif /* MPICH_BROADCAST_H */
