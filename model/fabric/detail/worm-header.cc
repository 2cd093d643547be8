// SPDX-License-Identifier: GPL-2.0-only

#include "worm-header.h"

#include "ns3/address-utils.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WormHeader);

std::ostream&
operator<<(std::ostream& os, const FrameAddresses& addresses)
{
    return os << "to " << addresses.destination << " from " << addresses.source << " protocol 0x"
              << std::hex << addresses.protocol << std::dec;
}

void
FrameAddresses::Write(Buffer::Iterator start) const
{
    WriteTo(start, destination);
    WriteTo(start, source);
    start.WriteHtonU16(protocol);
}

void
FrameAddresses::Read(Buffer::Iterator start)
{
    ReadFrom(start, destination);
    ReadFrom(start, source);
    protocol = start.ReadNtohU16();
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

} // namespace ns3
