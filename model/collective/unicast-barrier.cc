/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "unicast-barrier.h"

#include "ns3/host-message.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UnicastBarrier);

TypeId
UnicastBarrier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UnicastBarrier")
                            .SetParent<CentralBarrier>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<UnicastBarrier>();
    return tid;
}

void
UnicastBarrier::Distribute(uint64_t result)
{
    const auto root = GetRoot();
    auto router = GetDomain().GetFabric()->GetRouter();
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        if (rank != root)
        {
            GetSoftware(root).Send(
                ns3::Create<HostMessageWorm>(MakeMessage(root, result),
                                             GetMessageFlits(),
                                             router->GetRoute(GetHost(root), GetHost(rank))));
        }
    }
}

} // namespace ns3
