/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-reduction.h"

#include "collective-registry.h"
#include "smp-schedules.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SmpReduction);

TypeId
SmpReduction::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SmpReduction")
            .SetParent<SoftwareReduction>()
            .SetGroupName("Wormhole")
            .AddConstructor<SmpReduction>()
            .AddAttribute("Inner",
                          "What the hosts' first members do among them: name of a reduction.",
                          StringValue("tree"),
                          MakeStringAccessor(&SmpReduction::m_inner),
                          MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
SmpReduction::MakeSchedules(const ScheduleRequest& request) const
{
    const auto inner = MakeInnerCollective();
    return MakeSmpSchedules(request,
                            dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)),
                            true,
                            false);
}

Ptr<Collective>
SmpReduction::MakeInner(const ScheduleRequest& request, std::vector<uint32_t>& ranks) const
{
    return FindInnerCollective(MakeInnerCollective(), request, ranks);
}

Ptr<Collective>
SmpReduction::MakeInnerCollective() const
{
    // The switches reduce for all; only the root keeps the result.
    const auto bare = m_inner.substr(0, m_inner.find('['));
    const bool isInSwitch = bare == "btin" || bare == "in-switch";
    return CollectiveRegistry::MakeInner(isInSwitch ? Barrier::GetTypeId() : Reduction::GetTypeId(),
                                         m_inner);
}

} // namespace ns3
