/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-message.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ns3
{

namespace
{

/// Names of the operations, in the order of CollectiveOperation.
constexpr std::array<const char*, 5> OPERATION_NAMES{"AND", "OR", "ADD", "MIN", "MAX"};

/// Names of the types, in the order of CollectiveMessage::Type.
constexpr std::array<const char*, 4> TYPE_NAMES{"reduction", "distribution", "setup", "release"};

} // namespace

CollectiveOperation
ParseCollectiveOperation(const std::string& name)
{
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    const auto found = std::find(OPERATION_NAMES.begin(), OPERATION_NAMES.end(), upper);
    if (found == OPERATION_NAMES.end())
    {
        throw WormholeError("there is no operation '" + name +
                            "'; it may be AND, OR, ADD, MIN or MAX");
    }
    return static_cast<CollectiveOperation>(found - OPERATION_NAMES.begin());
}

uint64_t
Combine(CollectiveOperation operation, uint64_t a, uint64_t b, uint32_t widthBits)
{
    const uint64_t mask = widthBits >= 64 ? UINT64_MAX : (uint64_t{1} << widthBits) - 1;
    switch (operation)
    {
    case CollectiveOperation::AND:
        return a & b & mask;
    case CollectiveOperation::OR:
        return (a | b) & mask;
    case CollectiveOperation::ADD:
        return (a + b) & mask;
    case CollectiveOperation::MIN:
        return std::min(a & mask, b & mask);
    case CollectiveOperation::MAX:
        return std::max(a & mask, b & mask);
    }
    return 0;
}

std::ostream&
operator<<(std::ostream& os, const CollectiveMessage& message)
{
    os << TYPE_NAMES[message.type] << " group " << message.group << " value " << message.value;
    if (message.type == CollectiveMessage::SETUP)
    {
        os << " " << OPERATION_NAMES[static_cast<std::size_t>(message.operation)] << " of "
           << uint32_t{message.widthBits} << " bits, parent port " << message.parent
           << " children 0x" << std::hex << message.children << std::dec;
    }
    return os;
}

NS_OBJECT_ENSURE_REGISTERED(CollectiveMessageHeader);

TypeId
CollectiveMessageHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CollectiveMessageHeader")
                            .SetParent<Header>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<CollectiveMessageHeader>();
    return tid;
}

CollectiveMessageHeader::CollectiveMessageHeader(const CollectiveMessage& what)
    : message(what)
{
}

TypeId
CollectiveMessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CollectiveMessageHeader::Print(std::ostream& os) const
{
    os << message;
}

uint32_t
CollectiveMessageHeader::GetSerializedSize() const
{
    return 24;
}

void
CollectiveMessageHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(message.type);
    start.WriteHtonU16(message.group);
    start.WriteU8(static_cast<uint8_t>(message.operation));
    start.WriteU8(message.widthBits);
    start.WriteHtonU16(message.parent);
    start.WriteHtonU64(message.children);
    start.WriteHtonU64(message.value);
    start.WriteU8(message.toMemory);
}

uint32_t
CollectiveMessageHeader::Deserialize(Buffer::Iterator start)
{
    message.type = static_cast<CollectiveMessage::Type>(start.ReadU8());
    message.group = start.ReadNtohU16();
    message.operation = static_cast<CollectiveOperation>(start.ReadU8());
    message.widthBits = start.ReadU8();
    message.parent = start.ReadNtohU16();
    message.children = start.ReadNtohU64();
    message.value = start.ReadNtohU64();
    message.toMemory = start.ReadU8() != 0;
    return GetSerializedSize();
}

CollectiveWorm::CollectiveWorm(const CollectiveMessage& message,
                               uint64_t flits,
                               Ptr<const WormRoute> route)
    : Worm(COLLECTIVE, nullptr, flits, route),
      m_message(message)
{
}

const CollectiveMessage&
CollectiveWorm::GetMessage() const
{
    return m_message;
}

Ptr<const Packet>
CollectiveWorm::MakePacket() const
{
    auto packet = Create<Packet>();
    packet->AddHeader(CollectiveMessageHeader(m_message));
    return packet;
}

} // namespace ns3
