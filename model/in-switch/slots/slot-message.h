// SPDX-License-Identifier: GPL-2.0-only

#ifndef SLOT_MESSAGE_H
#define SLOT_MESSAGE_H

#include "ns3/collective-message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

namespace ns3
{

/// Contents of a message to or from a switch's reduction slots, besides the group.
struct SlotMessage
{
    static constexpr const char* HEADER_NAME = "ns3::SlotMessageHeader";

    /// @return length of its header, bytes
    uint32_t GetHeaderBytes() const
    {
        return 25;
    }

    /// Message kinds.
    enum Kind : uint8_t
    {
        ADMIT, ///< a group requests slots from a switch
        GRANTED,
        REFUSED, ///< no slots are granted: too few are free
        FREE,
        FREED,
        INWARD,  ///< a segment, or its confirmation, towards the tree's top; combined
        OUTWARD, ///< a segment, or notice of it, from the top of the tree to all
        THROUGH, ///< a segment from one member to another
        CREDIT,  ///< confirmation of a THROUGH segment, back over the same path
    };

    Kind kind{ADMIT};
    uint64_t segment{0}; ///< number of the segment, counted from the group's first
    uint32_t bytes{0};   ///< its length, bytes of the vector
    uint32_t slots{0};   ///< ADMIT: slots requested; REFUSED: slots free
    uint16_t from{0};    ///< THROUGH, CREDIT: rank of the segment's sender
    uint16_t to{0};      ///< THROUGH, CREDIT: rank of its receiver
    uint32_t place{0};   ///< ADMIT, FREE and answers: number of the switch

    void Write(Buffer::Iterator start) const
    {
        start.WriteU8(kind);
        start.WriteHtonU64(segment);
        start.WriteHtonU32(bytes);
        start.WriteHtonU32(slots);
        start.WriteHtonU16(from);
        start.WriteHtonU16(to);
        start.WriteHtonU32(place);
    }

    void Read(Buffer::Iterator start)
    {
        kind = static_cast<Kind>(start.ReadU8());
        segment = start.ReadNtohU64();
        bytes = start.ReadNtohU32();
        slots = start.ReadNtohU32();
        from = start.ReadNtohU16();
        to = start.ReadNtohU16();
        place = start.ReadNtohU32();
    }
};

inline std::ostream&
operator<<(std::ostream& os, const SlotMessage& message)
{
    constexpr std::array<const char*, 9> KIND_NAMES{"admit",
                                                    "granted",
                                                    "refused",
                                                    "free",
                                                    "freed",
                                                    "inward",
                                                    "outward",
                                                    "through",
                                                    "credit"};
    return os << KIND_NAMES[message.kind] << " segment " << message.segment << " of "
              << message.bytes << " bytes, " << message.slots << " slots, from rank "
              << message.from << " to " << message.to << ", switch " << message.place;
}

/// A SlotMessage as a header, behind CollectiveMessageHeader: 1 + 8 + 4 + 4 + 2 + 2 + 4 = 25 bytes.
using SlotMessageHeader = MessageHeader<SlotMessage>;

/// What a switch knows of a group with slots there: the switch's place below the top.
struct SlotPlan
{
    static constexpr uint16_t NO_PORT = CollectiveMessage::NO_PORT; ///< no port

    uint16_t parent{NO_PORT};      ///< port towards the top; NO_PORT at the top
    PortSet expected;              ///< ports at which INWARD messages are expected
    std::vector<uint16_t> outward; ///< ports to which OUTWARD messages are forwarded, increasing
    uint16_t root{NO_PORT};        ///< at the top: port of the one member that gets the result
    bool isSpread{false};          ///< whether segments go OUTWARD first, and confirmations INWARD
    std::vector<uint16_t> toMembers; ///< THROUGH, CREDIT: ports towards members, by rank
    uint64_t newsFlits{1};           ///< length of a message without a segment, flits
    uint32_t newsBytes{1};           ///< its length in bytes
    /// Combines contents of the given length, a = a op b; empty if there are no contents.
    std::function<void(uint8_t* a, const uint8_t* b, std::size_t bytes)> combine;
};

/// A worm that carries a SlotMessage.
class SlotWorm : public CollectiveWorm
{
  public:
    /// Contents of a segment; null if only lengths are simulated.
    typedef std::shared_ptr<const std::vector<uint8_t>> Contents;

    /// @param contents contents of its segment; may be null
    SlotWorm(uint16_t group,
             const SlotMessage& message,
             uint64_t flits,
             Ptr<const WormRoute> route,
             Contents contents = nullptr)
        : CollectiveWorm(CollectiveMessage::Of(CollectiveMessage::SLOT, group, message.segment),
                         flits,
                         std::move(route)),
          m_slotMessage(message),
          m_contents(std::move(contents))
    {
    }

    const SlotMessage& GetSlotMessage() const
    {
        return m_slotMessage;
    }

    /// @return contents of its segment; null if there are none
    const Contents& GetContents() const
    {
        return m_contents;
    }

    std::shared_ptr<const SlotPlan> plan; ///< ADMIT: the switch's plan
    Ptr<const WormRoute> back;            ///< ADMIT, FREE: route of the answer

  private:
    Ptr<const Packet> MakePacket() const override
    {
        auto packet =
            m_contents && !m_contents->empty()
                ? Create<Packet>(m_contents->data(), static_cast<uint32_t>(m_contents->size()))
                : Create<Packet>(m_slotMessage.bytes);
        packet->AddHeader(SlotMessageHeader(m_slotMessage));
        packet->AddHeader(CollectiveMessageHeader(GetMessage()));
        return packet;
    }

    SlotMessage m_slotMessage;
    Contents m_contents; ///< contents of its segment; may be null
};

} // namespace ns3

#endif /* SLOT_MESSAGE_H */
