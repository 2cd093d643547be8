/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-reduction.h"

#include "collective-registry.h"
#include "smp-programs.h"

#include "ns3/string.h"
#include "ns3/wormhole-error.h"

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

std::vector<CollectiveProgram>
SmpReduction::MakePrograms(const ProgramRequest& request) const
{
    const auto inner = CollectiveRegistry::Make(Reduction::GetTypeId(), m_inner);
    const auto maker = dynamic_cast<const ProgramMaker*>(PeekPointer(inner));
    if (!maker)
    {
        throw WormholeError("SmpReduction::Inner is '" + m_inner +
                            "'; accepted is a reduction by software");
    }
    return MakeSmpPrograms(request, *maker, true, false);
}

} // namespace ns3
