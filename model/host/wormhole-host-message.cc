// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-host-message.h"

#include <string>

namespace ns3
{

std::ostream&
operator<<(std::ostream& os, const HostMessage& message)
{
    constexpr const char* PHASES[] = {"", " request", " clear", " notice"};
    const auto to =
        message.to == HostMessage::ANYONE ? "all" : "rank " + std::to_string(message.to);
    return os << "group " << message.group << " from rank " << message.from << " to " << to
              << PHASES[message.phase] << " tag " << message.tag << " round " << message.round
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
