/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_MESSAGE_H
#define HOST_MESSAGE_H

#include "ns3/header.h"
#include "ns3/worm.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A message from one process of a group to others: who sends it, to whom, what for, in
 *        which round, and a value.
 *
 * How long it is on the wire is the sender's business.
 */
struct HostMessage
{
    /// Receiver of a message that goes to several processes.
    static constexpr uint32_t ANYONE = UINT32_MAX;

    uint16_t group{0}; ///< group identifier
    uint32_t from{0};  ///< sender's rank in the group
    uint32_t to{0};    ///< receiver's rank in the group; ANYONE in a tree worm
    uint32_t tag{0};   ///< what it is for, by the algorithm's own choice
    uint64_t round{0}; ///< round that it belongs to, counted from 1
    uint64_t value{0}; ///< value carried
};

/**
 * @ingroup wormhole
 * @brief Writes a message in words.
 * @param os where to
 * @param message the message
 * @return os
 */
std::ostream& operator<<(std::ostream& os, const HostMessage& message);

/**
 * @ingroup wormhole
 * @brief Such a message as a header, of 2 + 4 + 4 + 4 + 8 + 8 = 30 bytes.
 */
class HostMessageHeader : public Header
{
  public:
    HostMessageHeader() = default;

    /// @param what what it says
    explicit HostMessageHeader(const HostMessage& what);

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

    HostMessage message; ///< what it says
};

/**
 * @ingroup wormhole
 * @brief A worm that is such a message.
 */
class HostMessageWorm : public Worm
{
  public:
    /**
     * @param message what it says
     * @param flits its length
     * @param route its way
     */
    HostMessageWorm(const HostMessage& message, uint64_t flits, Ptr<const WormRoute> route);

    /// @return what it says
    const HostMessage& GetMessage() const;

  private:
    Ptr<const Packet> MakePacket() const override;

    HostMessage m_message; ///< what it says
};

} // namespace ns3

#endif /* HOST_MESSAGE_H */
