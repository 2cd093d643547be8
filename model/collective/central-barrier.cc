/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "central-barrier.h"

#include "ns3/host-message.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CentralBarrier);

TypeId
CentralBarrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CentralBarrier").SetParent<Barrier>().SetGroupName("Wormhole");
    return tid;
}

void
CentralBarrier::DoCreate()
{
    BeReady();
}

void
CentralBarrier::DoRelease()
{
    BeReleased();
}

void
CentralBarrier::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

HostMessage
CentralBarrier::MakeMessage(uint32_t from, uint64_t value) const
{
    HostMessage message;
    message.group = GetGroup();
    message.from = from;
    message.value = value;
    return message;
}

void
CentralBarrier::DoEnter(uint32_t rank, uint64_t value)
{
    if (rank == GetRoot())
    {
        Arrive(value);
        return;
    }
    auto route =
        GetDomain().GetFabric()->GetRouter()->GetRoute(GetHost(rank), GetHost(GetRoot()));
    GetSoftware(rank).Send(
        ns3::Create<HostMessageWorm>(MakeMessage(rank, value), GetMessageFlits(), route));
}

void
CentralBarrier::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto& message = static_cast<const HostMessageWorm&>(*worm).GetMessage();
    const auto rank = GetRank(host);
    if (rank == GetRoot())
    {
        Arrive(message.value);
    }
    else
    {
        Leave(rank, message.value);
    }
}

void
CentralBarrier::Arrive(uint64_t value)
{
    m_data = m_nArrived == 0 ? value : CombineValues(m_data, value);
    if (++m_nArrived == GetNMembers())
    {
        m_nArrived = 0;
        const auto result = m_data;
        if (GetNMembers() > 1)
        {
            Distribute(result);
        }
        Leave(GetRoot(), result);
    }
}

} // namespace ns3
