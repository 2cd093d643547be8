/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "unicast-barrier.h"

#include "tree-programs.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UnicastBarrier);

TypeId
UnicastBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UnicastBarrier")
                            .SetParent<SoftwareBarrier>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<UnicastBarrier>();
    return tid;
}

std::vector<CollectiveProgram>
UnicastBarrier::MakePrograms(const ProgramRequest& request) const
{
    return TreePrograms("sequential", request).MakeBarrier();
}

} // namespace ns3
