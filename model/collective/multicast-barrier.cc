/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multicast-barrier.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MulticastBarrier);

TypeId
MulticastBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MulticastBarrier")
            .SetParent<SoftwareBarrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<MulticastBarrier>()
            .AddAttribute("AddressSize",
                          "Bytes that each destination takes in the header of the tree worm.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MulticastBarrier::m_addressSize),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::vector<CommunicationSchedule>
MulticastBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    std::vector<CommunicationSchedule> schedules(request.members);
    auto& root = schedules[request.root];
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        if (rank != request.root)
        {
            root.Receive(ScheduleStep::COMBINE, rank);
            schedules[rank].Send(request.root);
            schedules[rank].Receive(ScheduleStep::REPLACE,
                                    request.root,
                                    ScheduleStep::MULTICAST_TAG);
        }
    }
    if (request.members > 1)
    {
        root.Multicast(m_addressSize * (request.members - 1));
    }
    return schedules;
}

} // namespace ns3
