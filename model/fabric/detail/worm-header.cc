/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-header.h"

#include "ns3/address-utils.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WormHeader);

TypeId
WormHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WormHeader")
                            .SetParent<Header>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<WormHeader>();
    return tid;
}

WormHeader::WormHeader(Mac48Address destination, Mac48Address source, uint16_t protocol)
    : m_destination(destination),
      m_source(source),
      m_protocol(protocol)
{
}

void
WormHeader::Print(std::ostream& os) const
{
    os << "to " << m_destination << " from " << m_source << " protocol 0x" << std::hex << m_protocol
       << std::dec;
}

void
WormHeader::Serialize(Buffer::Iterator start) const
{
    WriteTo(start, m_destination);
    WriteTo(start, m_source);
    start.WriteHtonU16(m_protocol);
}

uint32_t
WormHeader::Deserialize(Buffer::Iterator start)
{
    ReadFrom(start, m_destination);
    ReadFrom(start, m_source);
    m_protocol = start.ReadNtohU16();
    return GetSerializedSize();
}

NS_OBJECT_ENSURE_REGISTERED(PaddingTag);

TypeId
PaddingTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WormholePaddingTag")
                            .SetParent<Tag>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<PaddingTag>();
    return tid;
}

void
PaddingTag::Serialize(TagBuffer buffer) const
{
    buffer.WriteU16(bytes);
}

void
PaddingTag::Deserialize(TagBuffer buffer)
{
    bytes = buffer.ReadU16();
}

void
PaddingTag::Print(std::ostream& os) const
{
    os << "padding=" << bytes;
}

} // namespace ns3
