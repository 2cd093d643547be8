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

void
HostMessage::Write(Buffer::Iterator start) const
{
    start.WriteHtonU16(group);
    start.WriteHtonU32(from);
    start.WriteHtonU32(to);
    start.WriteHtonU32(tag);
    start.WriteHtonU64(round);
    start.WriteHtonU64(value);
}

void
HostMessage::Read(Buffer::Iterator start)
{
    group = start.ReadNtohU16();
    from = start.ReadNtohU32();
    to = start.ReadNtohU32();
    tag = start.ReadNtohU32();
    round = start.ReadNtohU64();
    value = start.ReadNtohU64();
}

} // namespace ns3
