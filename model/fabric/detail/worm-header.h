// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_HEADER_H
#define WORM_HEADER_H

#include "ns3/address-utils.h"
#include "ns3/mac48-address.h"
#include "ns3/new-type.h"
#include "ns3/tag.h"
#include "ns3/wormhole-worm.h"

namespace ns3
{

/// The contents of the header of a network device's frame.
struct FrameAddresses
{
    static constexpr const char* HEADER_NAME = "ns3::WormHeader";

    Mac48Address destination; ///< address of the receiving interface, or of a group
    Mac48Address source;
    uint16_t protocol{0}; ///< Ethernet type of the payload

    static uint32_t GetHeaderBytes()
    {
        return 14;
    }

    void Write(Buffer::Iterator start) const
    {
        WriteTo(start, destination);
        WriteTo(start, source);
        start.WriteHtonU16(protocol);
    }

    void Read(Buffer::Iterator start)
    {
        ReadFrom(start, destination);
        ReadFrom(start, source);
        protocol = start.ReadNtohU16();
    }
};

inline std::ostream&
operator<<(std::ostream& os, const FrameAddresses& addresses)
{
    return os << "to " << addresses.destination << " from " << addresses.source << " protocol 0x"
              << std::hex << addresses.protocol << std::dec;
}

using WormHeader = MessageHeader<FrameAddresses>;

/// Tells the receiving interface how much padding a frame has, which the header does not state.
class PaddingTag : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = NewType::Of<PaddingTag, Tag>("ns3::WormholePaddingTag");
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(bytes);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU16(bytes);
    }

    void Deserialize(TagBuffer buffer) override
    {
        bytes = buffer.ReadU16();
    }

    void Print(std::ostream& os) const override
    {
        os << "padding=" << bytes;
    }

    uint16_t bytes{0}; ///< length of the padding
};

} // namespace ns3

#endif /* WORM_HEADER_H */
