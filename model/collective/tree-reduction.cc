/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-reduction.h"

#include "tree-schedules.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeReduction);

TypeId
TreeReduction::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TreeReduction")
            .SetParent<SoftwareReduction>()
            .SetGroupName("Wormhole")
            .AddConstructor<TreeReduction>()
            .AddAttribute("Tree",
                          "Its name: sequential, chain, binary, kary-K, binomial, block-B, fibo,"
                          " fibo-S-R.",
                          StringValue("binomial"),
                          MakeStringAccessor(&TreeReduction::m_tree),
                          MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
TreeReduction::MakeSchedules(const ScheduleRequest& request) const
{
    return TreeSchedules(m_tree, request).MakeReduction();
}

} // namespace ns3
