/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_MESSAGE_H
#define SLOT_MESSAGE_H

#include "ns3/collective-message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief What a message to or from a switch's reduction slots says, besides its group.
struct SlotMessage
{
    /// Type name of its header.
    static constexpr const char* HEADER_NAME = "ns3::SlotMessageHeader";

    /// @return length of its header, bytes
    uint32_t GetHeaderBytes() const
    {
        return 25;
    }

    /// What it is.
    enum Kind : uint8_t
    {
        ADMIT,   ///< a group asks a switch for slots
        GRANTED, ///< it gets them
        REFUSED, ///< it does not: not as many are free
        FREE,    ///< it gives them back
        FREED,   ///< it has given them back
        INWARD,  ///< a segment, or news of it, on its way to the top of the tree: waits for others
        OUTWARD, ///< a segment, or news of it, from the top of the tree to all
        THROUGH, ///< a segment from one member to another
        CREDIT,  ///< that one has come: back by the same way
    };

    Kind kind{ADMIT};    ///< what it is
    uint64_t segment{0}; ///< number of the segment, counted from the group's first on
    uint32_t bytes{0};   ///< of the vector in it
    uint32_t slots{0};   ///< ADMIT: how many are asked for; REFUSED: how many are free
    uint16_t from{0};    ///< THROUGH, CREDIT: rank of the segment's sender
    uint16_t to{0};      ///< THROUGH, CREDIT: rank of its receiver
    uint32_t place{0};   ///< ADMIT, FREE and answers: number of the switch

    void Write(Buffer::Iterator start) const; ///< Writes all fields. @param start where to
    void Read(Buffer::Iterator start);        ///< Reads all fields. @param start where from
};

/// @ingroup wormhole
/// @brief Writes a message in words.
/// @param os where to
/// @param message the message
/// @return os
std::ostream& operator<<(std::ostream& os, const SlotMessage& message);

/// @ingroup wormhole
/// @brief Such a message as a header, behind a CollectiveMessageHeader: 1 + 8 + 4 + 4 + 2 + 2 + 4 =
/// 25 bytes.
using SlotMessageHeader = MessageHeader<SlotMessage>;

/// @ingroup wormhole @brief What a switch knows of a group that has slots there: its place in the
/// group's tree, which is hung up at its top switch.
struct SlotPlan
{
    static constexpr uint16_t NO_PORT = CollectiveMessage::NO_PORT; ///< no port

    uint16_t parent{NO_PORT};        ///< port towards the top; NO_PORT: this is it
    std::vector<uint16_t> expected;  ///< ports that something INWARD comes by, increasing
    std::vector<uint16_t> outward;   ///< ports by which what is OUTWARD goes on, increasing
    uint16_t root{NO_PORT};          ///< top: port of the one member that gets the result
    bool isSpread{false};            ///< whether segments go OUTWARD first, and news of them INWARD
    std::vector<uint16_t> toMembers; ///< THROUGH, CREDIT: ports to members, by rank
    uint64_t newsFlits{1};           ///< length of a message without a segment, flits
    uint32_t newsBytes{1};           ///< the same in bytes
    /// Combines contents, a = a op b of so many bytes; empty: there are none.
    std::function<void(uint8_t* a, const uint8_t* b, std::size_t bytes)> combine;
};

/// @ingroup wormhole
/// @brief A worm that is such a message.
class SlotWorm : public CollectiveWorm
{
  public:
    /// Contents of a segment; null where lengths alone count.
    typedef std::shared_ptr<const std::vector<uint8_t>> Contents;

    /// @param group the group @param message what it says @param flits its length @param route its
    /// route @param contents contents of its segment; may be null
    SlotWorm(uint16_t group,
             const SlotMessage& message,
             uint64_t flits,
             Ptr<const WormRoute> route,
             Contents contents = nullptr);

    /// @return what it says
    const SlotMessage& GetSlotMessage() const
    {
        return m_slotMessage;
    }

    /// @return contents of its segment; null if there are none
    const Contents& GetContents() const
    {
        return m_contents;
    }

    std::shared_ptr<const SlotPlan> plan; ///< ADMIT: what the switch is to know
    Ptr<const WormRoute> back;            ///< ADMIT, FREE: way of the answer

  private:
    Ptr<const Packet> MakePacket() const override;

    SlotMessage m_slotMessage; ///< what it says
    Contents m_contents;       ///< contents of its segment; may be null
};

} // namespace ns3

#endif /* SLOT_MESSAGE_H */
