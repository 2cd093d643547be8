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

NS_OBJECT_ENSURE_REGISTERED(CollectiveMessage);

TypeId
CollectiveMessage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CollectiveMessage")
                            .SetParent<Header>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<CollectiveMessage>();
    return tid;
}

TypeId
CollectiveMessage::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CollectiveMessage::Print(std::ostream& os) const
{
    os << TYPE_NAMES[type] << " group " << group << " value " << value;
    if (type == SETUP)
    {
        os << " " << OPERATION_NAMES[static_cast<std::size_t>(operation)] << " of "
           << uint32_t{widthBits} << " bits, parent port " << parent << " children 0x" << std::hex
           << children << std::dec;
    }
}

uint32_t
CollectiveMessage::GetSerializedSize() const
{
    return 24;
}

void
CollectiveMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(type);
    start.WriteHtonU16(group);
    start.WriteU8(static_cast<uint8_t>(operation));
    start.WriteU8(widthBits);
    start.WriteHtonU16(parent);
    start.WriteHtonU64(children);
    start.WriteHtonU64(value);
    start.WriteU8(toMemory);
}

uint32_t
CollectiveMessage::Deserialize(Buffer::Iterator start)
{
    type = static_cast<Type>(start.ReadU8());
    group = start.ReadNtohU16();
    operation = static_cast<CollectiveOperation>(start.ReadU8());
    widthBits = start.ReadU8();
    parent = start.ReadNtohU16();
    children = start.ReadNtohU64();
    value = start.ReadNtohU64();
    toMemory = start.ReadU8() != 0;
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
    packet->AddHeader(m_message);
    return packet;
}

} // namespace ns3
