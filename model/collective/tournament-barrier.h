/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOURNAMENT_BARRIER_H
#define TOURNAMENT_BARRIER_H

#include "software-collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier by a tournament: in round k, of two members whose ranks differ by 2^k the higher
 *        tells the lower and is out; the champion, rank 0, wakes those it has beaten, they wake
 *        those they have beaten before.
 */
class TournamentBarrier : public SoftwareBarrier
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

#endif /* TOURNAMENT_BARRIER_H */
