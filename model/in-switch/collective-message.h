/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_MESSAGE_H
#define COLLECTIVE_MESSAGE_H

#include "ns3/header.h"
#include "ns3/worm.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How a register combines the values of two arrivals.
 */
enum class CollectiveOperation : uint8_t
{
    AND, ///< bit by bit
    OR,  ///< bit by bit
    ADD, ///< sum, modulo 2 to the power of the width
    MIN, ///< less of the two, unsigned
    MAX, ///< greater of the two, unsigned
};

/**
 * @param name AND, OR, ADD, MIN or MAX, in capitals or not
 * @return the operation
 * @throws WormholeError if there is no such operation
 */
CollectiveOperation ParseCollectiveOperation(const std::string& name);

/**
 * @param operation how to combine
 * @param a a value
 * @param b another value
 * @param widthBits width of both, 1 to 64 bits
 * @return both combined, of the same width
 */
uint64_t Combine(CollectiveOperation operation, uint64_t a, uint64_t b, uint32_t widthBits);

/**
 * @ingroup wormhole
 * @brief A message to or from the collective unit of a switch (BTIN paper, Figures 4 and 5).
 *
 * How long it is on the wire is the sender's business, see InSwitchBarrier.
 */
struct CollectiveMessage
{
    /// What a message is.
    enum Type : uint8_t
    {
        REDUCTION,    ///< a member or all below a switch have arrived
        DISTRIBUTION, ///< all have arrived
        SETUP,        ///< write a register
        RELEASE,      ///< free a register
    };

    /// No port: what a register's parent is before it is set up.
    static constexpr uint16_t NO_PORT = UINT16_MAX;

    Type type{REDUCTION};                                    ///< what it is
    uint16_t group{0};                                       ///< group identifier
    CollectiveOperation operation{CollectiveOperation::AND}; ///< SETUP: how to combine
    uint8_t widthBits{1};                                    ///< SETUP: width of the values
    uint16_t parent{NO_PORT}; ///< SETUP: port towards the root; else: port it came by
    uint64_t children{0};     ///< SETUP: ports that arrivals come by, a bit each
    uint64_t value{0};        ///< value reduced or distributed
    bool toMemory{false};     ///< passed on to the host that holds the register
};

/**
 * @ingroup wormhole
 * @brief Writes a message in words.
 * @param os where to
 * @param message the message
 * @return os
 */
std::ostream& operator<<(std::ostream& os, const CollectiveMessage& message);

/**
 * @ingroup wormhole
 * @brief Such a message as a header: all fields in full bytes, 1 + 2 + 1 + 1 + 2 + 8 + 8 + 1 = 24
 *        bytes.
 */
class CollectiveMessageHeader : public Header
{
  public:
    CollectiveMessageHeader() = default;

    /// @param what what it says
    explicit CollectiveMessageHeader(const CollectiveMessage& what);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    CollectiveMessage message; ///< what it says
};

/**
 * @ingroup wormhole
 * @brief A worm that is such a message.
 */
class CollectiveWorm : public Worm
{
  public:
    /**
     * @param message what it says
     * @param flits its length
     * @param route its way
     */
    CollectiveWorm(const CollectiveMessage& message, uint64_t flits, Ptr<const WormRoute> route);

    /// @return what it says
    const CollectiveMessage& GetMessage() const;

  private:
    Ptr<const Packet> MakePacket() const override;

    CollectiveMessage m_message; ///< what it says
};

} // namespace ns3

#endif /* COLLECTIVE_MESSAGE_H */
