/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-barrier.h"

#include "collective-registry.h"
#include "smp-schedules.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SmpBarrier);

TypeId
SmpBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SmpBarrier")
            .SetParent<SoftwareBarrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<SmpBarrier>()
            .AddAttribute("Inner",
                          "What the hosts' first members do among them: name of a barrier.",
                          StringValue("pairwise-exchange"),
                          MakeStringAccessor(&SmpBarrier::m_inner),
                          MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
SmpBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    const auto inner = MakeInnerCollective();
    return MakeSmpSchedules(request,
                            dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)),
                            true,
                            true);
}

Ptr<Collective>
SmpBarrier::MakeInner(const ScheduleRequest& request, std::vector<uint32_t>& ranks) const
{
    return FindInnerCollective(MakeInnerCollective(), request, ranks);
}

Ptr<Collective>
SmpBarrier::MakeInnerCollective() const
{
    return CollectiveRegistry::MakeInner(Barrier::GetTypeId(), m_inner);
}

} // namespace ns3
