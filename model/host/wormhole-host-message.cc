/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-host-message.h"

namespace ns3
{

namespace
{

/// Bits of a header's round; the two above hold the phase.
constexpr uint32_t ROUND_BITS = 62;

} // namespace

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
    constexpr const char* PHASES[] = {"", " request", " clear", " notice"};
    return os << PHASES[message.phase] << " tag " << message.tag << " round " << message.round
              << " value " << message.value;
}

NS_OBJECT_ENSURE_REGISTERED(HostMessageHeader);

void
HostMessage::Write(Buffer::Iterator start) const
{
    start.WriteHtonU16(group);
    start.WriteHtonU32(from);
    start.WriteHtonU32(to);
    start.WriteHtonU32(tag);
    start.WriteHtonU64(round | uint64_t{phase} << ROUND_BITS);
    start.WriteHtonU64(value);
}

void
HostMessage::Read(Buffer::Iterator start)
{
    group = start.ReadNtohU16();
    from = start.ReadNtohU32();
    to = start.ReadNtohU32();
    tag = start.ReadNtohU32();
    const auto both = start.ReadNtohU64();
    phase = static_cast<Phase>(both >> ROUND_BITS);
    round = both & ((uint64_t{1} << ROUND_BITS) - 1);
    value = start.ReadNtohU64();
}

} // namespace ns3
