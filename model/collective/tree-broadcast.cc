/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-broadcast.h"

#include "tree-schedules.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeBroadcast);

TypeId
TreeBroadcast::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TreeBroadcast")
            .SetParent<SoftwareBroadcast>()
            .SetGroupName("Wormhole")
            .AddConstructor<TreeBroadcast>()
            .AddAttribute("Tree",
                          "Its name: sequential, chain, binary, kary-K, binomial, block-B, fibo,"
                          " fibo-S-R.",
                          StringValue("binomial"),
                          MakeStringAccessor(&TreeBroadcast::m_tree),
                          MakeStringChecker());
    return tid;
}

std::vector<CommunicationSchedule>
TreeBroadcast::MakeSchedules(const ScheduleRequest& request) const
{
    return TreeSchedules(m_tree, request).MakeBroadcast();
}

} // namespace ns3
