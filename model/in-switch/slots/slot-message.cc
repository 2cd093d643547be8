/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-message.h"

#include <array>
#include <utility>

namespace ns3
{

namespace
{

/// Names of kinds, in the order of SlotMessage::Kind.
constexpr std::array<const char*, 9> KIND_NAMES{"admit",
                                                "granted",
                                                "refused",
                                                "free",
                                                "freed",
                                                "inward",
                                                "outward",
                                                "through",
                                                "credit"};

CollectiveMessage
MakeEnvelope(uint16_t group, const SlotMessage& message)
{
    CollectiveMessage envelope;
    envelope.type = CollectiveMessage::SLOT;
    envelope.group = group;
    envelope.value = message.segment;
    return envelope;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SlotMessageHeader);

void
SlotMessage::Write(Buffer::Iterator start) const
{
    start.WriteU8(kind);
    start.WriteHtonU64(segment);
    start.WriteHtonU32(bytes);
    start.WriteHtonU32(slots);
    start.WriteHtonU16(from);
    start.WriteHtonU16(to);
    start.WriteHtonU32(place);
}

void
SlotMessage::Read(Buffer::Iterator start)
{
    kind = static_cast<Kind>(start.ReadU8());
    segment = start.ReadNtohU64();
    bytes = start.ReadNtohU32();
    slots = start.ReadNtohU32();
    from = start.ReadNtohU16();
    to = start.ReadNtohU16();
    place = start.ReadNtohU32();
}

std::ostream&
operator<<(std::ostream& os, const SlotMessage& message)
{
    return os << KIND_NAMES[message.kind] << " segment " << message.segment << " of "
              << message.bytes << " bytes, " << message.slots << " slots, from rank "
              << message.from << " to " << message.to << ", switch " << message.place;
}

SlotWorm::SlotWorm(uint16_t group,
                   const SlotMessage& message,
                   uint64_t flits,
                   Ptr<const WormRoute> route,
                   Contents contents)
    : CollectiveWorm(MakeEnvelope(group, message), flits, std::move(route)),
      m_slotMessage(message),
      m_contents(std::move(contents))
{
}

Ptr<const Packet>
SlotWorm::MakePacket() const
{
    auto packet =
        m_contents && !m_contents->empty()
            ? Create<Packet>(m_contents->data(), static_cast<uint32_t>(m_contents->size()))
            : Create<Packet>(m_slotMessage.bytes);
    packet->AddHeader(SlotMessageHeader(m_slotMessage));
    packet->AddHeader(CollectiveMessageHeader(GetMessage()));
    return packet;
}

} // namespace ns3
