/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "unicast-barrier.h"

#include "tree-schedules.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UnicastBarrier);

TypeId
UnicastBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UnicastBarrier")
                            .SetParent<SoftwareBarrier>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<UnicastBarrier>();
    return tid;
}

std::vector<CommunicationSchedule>
UnicastBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    return TreeSchedules("sequential", request).MakeBarrier();
}

} // namespace ns3
