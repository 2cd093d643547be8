/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIRWISE_EXCHANGE_BARRIER_H
#define PAIRWISE_EXCHANGE_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier by recursive doubling, after Gupta et al. (2002), section 5.1: in step k members
 *        whose ranks differ by 2^k tell each other.
 *
 * If the number of members is no power of two, those beyond the greatest below it tell a partner
 * among the others first, and are told last: floor(log2 N) + 2 steps. With the attribute Transport
 * rdma it is the paper's barrier, where the paper's receiver tests for its barrier number or a
 * greater one, since a member may be one barrier ahead; here a member sees the write of its own
 * barrier, which comes first.
 */
class PairwiseExchangeBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;
    bool UsesRoot() const override;
};

} // namespace ns3

#endif /* PAIRWISE_EXCHANGE_BARRIER_H */
