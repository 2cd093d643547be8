/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pairwise-exchange-barrier.h"

#include "butterfly-schedules.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairwiseExchangeBarrier);

TypeId
PairwiseExchangeBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PairwiseExchangeBarrier")
                            .SetParent<SoftwareBarrier>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<PairwiseExchangeBarrier>();
    return tid;
}

std::vector<CommunicationSchedule>
PairwiseExchangeBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    return MakeButterflySchedules(request.members, ButterflyTwos(request.members));
}

bool
PairwiseExchangeBarrier::UsesRoot() const
{
    return false;
}

} // namespace ns3
