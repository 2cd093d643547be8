/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-barrier.h"

#include "tree-schedules.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeBarrier);

TypeId
TreeBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TreeBarrier")
            .SetParent<SoftwareBarrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<TreeBarrier>()
            .AddAttribute("Tree",
                          "Its name: sequential, chain, binary, kary-K, binomial, block-B, fibo,"
                          " fibo-S-R.",
                          StringValue("binomial"),
                          MakeStringAccessor(&TreeBarrier::m_tree),
                          MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
TreeBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    return TreeSchedules(m_tree, request).MakeBarrier();
}

} // namespace ns3
