/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-message.h"

namespace ns3
{

std::ostream&
operator<<(std::ostream& os, const HostMessage& message)
{
    os << "group " << message.group << " from rank " << message.from << " to ";
    if (message.to == HostMessage::ANYONE)
    {
        os << "all";
    }
    else
    {
        os << "rank " << message.to;
    }
    return os << " tag " << message.tag << " round " << message.round << " value " << message.value;
}

NS_OBJECT_ENSURE_REGISTERED(HostMessageHeader);

TypeId
HostMessageHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HostMessageHeader")
                            .SetParent<Header>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<HostMessageHeader>();
    return tid;
}

HostMessageHeader::HostMessageHeader(const HostMessage& what)
    : message(what)
{
}

TypeId
HostMessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
HostMessageHeader::Print(std::ostream& os) const
{
    os << message;
}

uint32_t
HostMessageHeader::GetSerializedSize() const
{
    return 30;
}

void
HostMessageHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(message.group);
    start.WriteHtonU32(message.from);
    start.WriteHtonU32(message.to);
    start.WriteHtonU32(message.tag);
    start.WriteHtonU64(message.round);
    start.WriteHtonU64(message.value);
}

uint32_t
HostMessageHeader::Deserialize(Buffer::Iterator start)
{
    message.group = start.ReadNtohU16();
    message.from = start.ReadNtohU32();
    message.to = start.ReadNtohU32();
    message.tag = start.ReadNtohU32();
    message.round = start.ReadNtohU64();
    message.value = start.ReadNtohU64();
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
    packet->AddHeader(HostMessageHeader(m_message));
    return packet;
}

} // namespace ns3
