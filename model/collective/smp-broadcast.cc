/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-broadcast.h"

#include "collective-registry.h"
#include "smp-schedules.h"

#include "ns3/string.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SmpBroadcast);

TypeId
SmpBroadcast::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SmpBroadcast")
            .SetParent<SoftwareBroadcast>()
            .SetGroupName("Wormhole")
            .AddConstructor<SmpBroadcast>()
            .AddAttribute("Inner",
                          "What the hosts' first members do among them: name of a broadcast.",
                          StringValue("tree"),
                          MakeStringAccessor(&SmpBroadcast::m_inner),
                          MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
SmpBroadcast::MakeSchedules(const ScheduleRequest& request) const
{
    const auto inner = CollectiveRegistry::MakeInner(Broadcast::GetTypeId(), m_inner);
    return MakeSmpSchedules(request,
                            dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)),
                            false,
                            true);
}

Ptr<Collective>
SmpBroadcast::MakeInner(const ScheduleRequest& request, std::vector<uint32_t>& ranks) const
{
    return FindInnerCollective(CollectiveRegistry::MakeInner(Broadcast::GetTypeId(), m_inner),
                               request,
                               ranks);
}

} // namespace ns3
