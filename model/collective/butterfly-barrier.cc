/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "butterfly-barrier.h"

#include "butterfly-schedules.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ButterflyBarrier);

TypeId
ButterflyBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ButterflyBarrier")
            .SetParent<SoftwareBarrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<ButterflyBarrier>()
            .AddAttribute(
                "Radices",
                "Radix of each phase with commas, such as 4,2; their product is the number "
                "of members that exchange, the others fold in. auto: the prime factors "
                "of the number of members, or, if one is above 7, as many 2s as fit.",
                StringValue("auto"),
                MakeStringAccessor(&ButterflyBarrier::m_radices),
                MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
ButterflyBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    return MakeButterflySchedules(request.members, ParseRadices(m_radices, request.members));
}

bool
ButterflyBarrier::UsesRoot() const
{
    return false;
}

} // namespace ns3
