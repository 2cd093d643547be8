/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_WORM_H
#define MESSAGE_WORM_H

#include "worm.h"

#include "ns3/header.h"
#include "ns3/packet.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A message as a header of a packet.
 *
 * @tparam CONTENT the message: it has HEADER_NAME, the header's type name; GetHeaderBytes, its
 * length; a Write to and a Read from a Buffer::Iterator; and an operator<<
 */
template <class CONTENT>
class MessageHeader : public Header
{
  public:
    MessageHeader() = default;

    /// @param what what it says
    explicit MessageHeader(const CONTENT& what)
        : message(what)
    {
    }

    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(CONTENT::HEADER_NAME)
                                .SetParent<Header>()
                                .SetGroupName("Wormhole")
                                .template AddConstructor<MessageHeader<CONTENT>>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    void Print(std::ostream& os) const override
    {
        os << message;
    }

    uint32_t GetSerializedSize() const override
    {
        return message.GetHeaderBytes();
    }

    void Serialize(Buffer::Iterator start) const override
    {
        message.Write(start);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        message.Read(start);
        return message.GetHeaderBytes();
    }

    CONTENT message; ///< what it says
};

/**
 * @ingroup wormhole
 * @brief A worm that carries a message.
 *
 * @tparam CONTENT the message, as MessageHeader needs it
 * @tparam KIND the worm's kind
 */
template <class CONTENT, Worm::Kind KIND>
class MessageWorm : public Worm
{
  public:
    /// @param message what it says @param flits its length @param route its route
    MessageWorm(const CONTENT& message, uint64_t flits, Ptr<const WormRoute> route)
        : Worm(KIND, nullptr, flits, route),
          m_message(message)
    {
    }

    /// @return what it says
    const CONTENT& GetMessage() const
    {
        return m_message;
    }

  private:
    Ptr<const Packet> MakePacket() const override
    {
        auto packet = Create<Packet>();
        packet->AddHeader(MessageHeader<CONTENT>(m_message));
        return packet;
    }

    CONTENT m_message; ///< what it says
};

} // namespace ns3

#endif /* MESSAGE_WORM_H */
