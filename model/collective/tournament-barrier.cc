/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tournament-barrier.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TournamentBarrier);

TypeId
TournamentBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TournamentBarrier")
                            .SetParent<SoftwareBarrier>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<TournamentBarrier>();
    return tid;
}

std::vector<CollectiveProgram>
TournamentBarrier::MakePrograms(const ProgramRequest& request) const
{
    const auto n = request.members;
    std::vector<CollectiveProgram> programs(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        auto& program = programs[rank];
        // Who is beaten by whom is known beforehand: a rank plays until its lowest bit that is set.
        uint32_t distance = 1;
        for (; distance < n && !(rank & distance); distance *= 2)
        {
            if (rank + distance < n)
            {
                program.Receive(ProgramStep::COMBINE, rank + distance);
            }
        }
        if (rank > 0)
        {
            program.Send(rank - distance);
            program.Receive(ProgramStep::REPLACE, rank - distance);
        }
        while (distance > 1)
        {
            distance /= 2;
            if (rank + distance < n)
            {
                program.Send(rank + distance);
            }
        }
    }
    return programs;
}

bool
TournamentBarrier::UsesRoot() const
{
    return false;
}

} // namespace ns3
