/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_HEADER_H
#define WORM_HEADER_H

#include "ns3/header.h"
#include "ns3/mac48-address.h"
#include "ns3/tag.h"

#include <cstdint>

namespace ns3
{

/// Header of a network device's frame: destination, source, protocol; 14 bytes.
class WormHeader : public Header
{
  public:
    static TypeId GetTypeId();

    WormHeader() = default;

    /// @param destination address of the receiving interface, or a group address
    WormHeader(Mac48Address destination, Mac48Address source, uint16_t protocol);

    Mac48Address GetDestination() const
    {
        return m_destination;
    }

    Mac48Address GetSource() const
    {
        return m_source;
    }

    uint16_t GetProtocol() const
    {
        return m_protocol;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    void Print(std::ostream& os) const override;

    uint32_t GetSerializedSize() const override
    {
        return 14;
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    Mac48Address m_destination;
    Mac48Address m_source;
    uint16_t m_protocol{0}; ///< Ethernet type of what follows
};

/// Tells the receiving interface how much padding a frame has: the header does not.
class PaddingTag : public Tag
{
  public:
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(bytes);
    }

    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

    uint16_t bytes{0}; ///< length of the padding
};

} // namespace ns3

#endif /* WORM_HEADER_H */
