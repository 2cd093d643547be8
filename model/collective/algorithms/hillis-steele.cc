// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/software-collective.h"

namespace ns3
{

/// A scan in ceil(log2 n) steps: in step k = 0, 1, ... each member passes all that it has combined
/// to the one 2^k ranks above it, if there is one, which combines it from the left (Hillis and
/// Steele, Data parallel algorithms, 1986). What a member has covers 2^k ranks before step k.
///
/// Time: ceil(log2 n) (alpha + beta m + gamma m).
///
/// Contributions are always combined in order of ranks.
static GroupSchedules
MakeHillisSteeleScan(const ScheduleRequest& request)
{
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t distance = 1; distance < request.members; distance *= 2)
    {
        schedules.Step(ListMessages(request.members - distance, [=](uint32_t rank) -> BlockMessage {
            return {rank, rank + distance, {{0, 1}}, ScheduleStep::COMBINE, true};
        }));
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            schedules.Wait(rank); // those that do not send any more take one after the other
        }
    }
    return schedules;
}

const SoftwareAlgorithm<MakeHillisSteeleScan, DataKind::SCAN> g_hillisSteeleScan{"HillisSteele"};

} // namespace ns3
