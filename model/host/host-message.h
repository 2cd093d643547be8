/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_MESSAGE_H
#define HOST_MESSAGE_H

#include "ns3/message-worm.h"

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
    /// Type name of its header.
    static constexpr const char* HEADER_NAME = "ns3::HostMessageHeader";
    /// Length of its header, bytes.
    static constexpr uint32_t BYTES = 30;

    /// Receiver of a message that goes to several processes.
    static constexpr uint32_t ANYONE = UINT32_MAX;

    uint16_t group{0}; ///< group identifier
    uint32_t from{0};  ///< sender's rank in the group
    uint32_t to{0};    ///< receiver's rank in the group; ANYONE in a tree worm
    uint32_t tag{0};   ///< what it is for, by the algorithm's own choice
    uint64_t round{0}; ///< round that it belongs to, counted from 1
    uint64_t value{0}; ///< value carried

    /// Writes all fields. @param start where to
    void Write(Buffer::Iterator start) const;

    /// Reads all fields. @param start where from
    void Read(Buffer::Iterator start);
};

/**
 * @ingroup wormhole
 * @brief Writes a message in words.
 * @param os where to
 * @param message the message
 * @return os
 */
std::ostream& operator<<(std::ostream& os, const HostMessage& message);

/// @ingroup wormhole
/// @brief Such a message as a header, of 2 + 4 + 4 + 4 + 8 + 8 = 30 bytes.
using HostMessageHeader = MessageHeader<HostMessage>;

/// @ingroup wormhole
/// @brief A worm that is such a message.
using HostMessageWorm = MessageWorm<HostMessage, Worm::MESSAGE>;

} // namespace ns3

#endif /* HOST_MESSAGE_H */
