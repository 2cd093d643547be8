/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dissemination-barrier.h"

#include "ns3/wormhole-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DisseminationBarrier);

TypeId
DisseminationBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DisseminationBarrier")
                            .SetParent<SoftwareBarrier>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<DisseminationBarrier>();
    return tid;
}

std::vector<CommunicationSchedule>
DisseminationBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    const auto n = request.members;
    if (request.operation == CollectiveOperation::ADD && (n & (n - 1)) != 0)
    {
        throw WormholeError("dissemination can't ADD the values of " + std::to_string(n) +
                            " members, since some would count twice; accepted are powers of two, "
                            "or the operations AND, OR, MIN and MAX");
    }
    std::vector<CommunicationSchedule> schedules(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        uint32_t step = 0;
        for (uint64_t distance = 1; distance < n; distance *= 2)
        {
            schedules[rank].Send(static_cast<uint32_t>((rank + distance) % n), step);
            schedules[rank].Receive(ScheduleStep::COMBINE,
                                    static_cast<uint32_t>((rank + n - distance) % n),
                                    step);
            ++step;
        }
    }
    return schedules;
}

bool
DisseminationBarrier::UsesRoot() const
{
    return false;
}

} // namespace ns3
