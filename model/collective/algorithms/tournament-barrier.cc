/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/software-collective.h"

namespace ns3
{

namespace
{

/// A barrier by a tournament: in round k, of two members whose ranks differ by 2^k the higher tells
/// the lower and is out; the champion, rank 0, wakes those it has beaten, they wake those they have
/// beaten before.
GroupSchedules
MakeTournament(const ScheduleRequest& request)
{
    const auto n = request.members;
    std::vector<CommunicationSchedule> schedules(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        auto& schedule = schedules[rank];
        // Who is beaten by whom is known beforehand: a rank plays until its lowest bit that is
        // set.
        uint32_t distance = 1;
        for (; distance < n && !(rank & distance); distance *= 2)
        {
            if (rank + distance < n)
            {
                schedule.Receive(ScheduleStep::COMBINE, rank + distance);
            }
        }
        if (rank > 0)
        {
            schedule.Send(rank - distance);
            schedule.Receive(ScheduleStep::REPLACE, rank - distance);
        }
        while (distance > 1)
        {
            distance /= 2;
            if (rank + distance < n)
            {
                schedule.Send(rank + distance);
            }
        }
    }
    return {request, schedules};
}

} // namespace

static const SoftwareAlgorithmOf<MakeTournament, Barrier> g_tournament{"Tournament"};

} // namespace ns3
