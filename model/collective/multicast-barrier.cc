/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multicast-barrier.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MulticastBarrier);

TypeId
MulticastBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MulticastBarrier")
            .SetParent<SoftwareBarrier>()
            .SetGroupName("Wormhole")
            .AddConstructor<MulticastBarrier>()
            .AddAttribute("AddressSize",
                          "Bytes that each destination takes in the header of the tree worm.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MulticastBarrier::m_addressSize),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::vector<CollectiveProgram>
MulticastBarrier::MakePrograms(const ProgramRequest& request) const
{
    std::vector<CollectiveProgram> programs(request.members);
    auto& root = programs[request.root];
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        if (rank != request.root)
        {
            root.Receive(ProgramStep::COMBINE, rank);
            programs[rank].Send(request.root);
            programs[rank].Receive(ProgramStep::REPLACE, request.root, ProgramStep::MULTICAST_TAG);
        }
    }
    if (request.members > 1)
    {
        root.Multicast(m_addressSize * (request.members - 1));
    }
    return programs;
}

} // namespace ns3
