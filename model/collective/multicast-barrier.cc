/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multicast-barrier.h"

#include "ns3/host-message.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MulticastBarrier);

TypeId
MulticastBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MulticastBarrier")
            .SetParent<CentralBarrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<MulticastBarrier>()
            .AddAttribute("AddressSize",
                          "Bytes that each destination takes in the header of the tree worm.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MulticastBarrier::m_addressSize),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
MulticastBarrier::Distribute(uint64_t result)
{
    const auto root = GetRoot();
    std::vector<uint32_t> others;
    others.reserve(GetNMembers());
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        if (rank != root)
        {
            others.push_back(GetHost(rank));
        }
    }
    const auto header = m_addressSize * static_cast<uint32_t>(others.size());
    GetSoftware(root).Send(ns3::Create<HostMessageWorm>(
        MakeMessage(root, result),
        GetMessageFlits(header),
        GetDomain().GetFabric()->GetRouter()->GetTreeRoute(GetHost(root), others)));
}

} // namespace ns3
