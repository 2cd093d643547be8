/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpich-broadcast.h"

#include "tree-schedules.h"
#include "tree-shapes.h"

#include "ns3/uinteger.h"

#include <numeric>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MpichBroadcast);

TypeId
MpichBroadcast::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MpichBroadcast")
            .SetParent<SoftwareBroadcast>()
            .SetGroupName("Wormhole")
            .AddConstructor<MpichBroadcast>()
            .AddAttribute("BlockSize",
                          "Members of a block, which its first member serves in turn; "
                          "MPIR_BCAST_BLOCK_SIZE. 1 makes a binomial tree.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&MpichBroadcast::m_blockSize),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::vector<CommunicationSchedule>
MpichBroadcast::MakeSchedules(const ScheduleRequest& request) const
{
    std::vector<uint32_t> ranks(request.members);
    std::iota(ranks.begin(), ranks.end(), request.root);
    for (auto& rank : ranks)
    {
        rank %= request.members;
    }
    return TreeSchedules(MakeBlockTree(request.members, m_blockSize), ranks).MakeBroadcast();
}

} // namespace ns3
