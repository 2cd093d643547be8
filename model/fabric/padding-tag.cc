/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "padding-tag.h"

namespace ns3
{

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

TypeId
PaddingTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
PaddingTag::GetSerializedSize() const
{
    return sizeof(bytes);
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
