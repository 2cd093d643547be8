/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-message.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostMessage);

TypeId
HostMessage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HostMessage")
                            .SetParent<Header>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<HostMessage>();
    return tid;
}

TypeId
HostMessage::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
HostMessage::Print(std::ostream& os) const
{
    os << "group " << group << " from rank " << from << " to ";
    if (to == ANYONE)
    {
        os << "all";
    }
    else
    {
        os << "rank " << to;
    }
    os << " tag " << tag << " round " << round << " value " << value;
}

uint32_t
HostMessage::GetSerializedSize() const
{
    return 30;
}

void
HostMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(group);
    start.WriteHtonU32(from);
    start.WriteHtonU32(to);
    start.WriteHtonU32(tag);
    start.WriteHtonU64(round);
    start.WriteHtonU64(value);
}

uint32_t
HostMessage::Deserialize(Buffer::Iterator start)
{
    group = start.ReadNtohU16();
    from = start.ReadNtohU32();
    to = start.ReadNtohU32();
    tag = start.ReadNtohU32();
    round = start.ReadNtohU64();
    value = start.ReadNtohU64();
    return GetSerializedSize();
}

HostMessageWorm::HostMessageWorm(const HostMessage& message,
                                 uint64_t flits,
                                 Ptr<const WormRoute> route)
    : Worm(MESSAGE, nullptr, flits, route),
      m_message(message)
{
}

const HostMessage&
HostMessageWorm::GetMessage() const
{
    return m_message;
}

Ptr<const Packet>
HostMessageWorm::MakePacket() const
{
    auto packet = Create<Packet>();
    packet->AddHeader(m_message);
    return packet;
}

} // namespace ns3
