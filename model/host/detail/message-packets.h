/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_PACKETS_H
#define MESSAGE_PACKETS_H

#include "ns3/ptr.h"
#include "ns3/wormhole-fabric.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief The worms that a message is cut into: its packets; or, if these are more than a limit, so
/// many worms of equal length that stand for them (S15), each with its share of their headers.
class MessagePackets
{
  public:
    /// What attributes of HostSoftware say.
    struct Settings
    {
        uint32_t maxBytes;    ///< longest part of a message in a packet; 0: what lanes hold
        uint32_t headerBytes; ///< what each packet is longer by
        uint32_t maxWorms;    ///< how many worms stand for all packets; 0: each packet is a worm
    };

    /// Most worms that a message may be cut into.
    static constexpr uint64_t MAX = 1U << 20;

    /// @param settings what attributes say
    /// @param fabric the fabric that they cross; null: it is gone
    /// @param bytes length of the message
    /// @param addressBytes what the addresses of a tree worm add to each packet
    /// @throws WormholeError if there are more than MAX, or a lane's buffer does not hold one
    MessagePackets(const Settings& settings,
                   Ptr<const WormholeFabric> fabric,
                   uint64_t bytes,
                   uint32_t addressBytes);

    /// @return how many there are
    uint64_t GetN() const
    {
        return m_n;
    }

    uint64_t GetFlits(uint64_t worm) const; ///< @return length of one @param worm its number
    uint64_t GetFlits() const;              ///< @return length of all together, flits

    /// @return bytes of the message in a worm @param worm its number
    uint64_t GetBytes(uint64_t worm) const;

  private:
    Ptr<const WormholeFabric> m_fabric; ///< the fabric
    uint64_t m_bytes;                   ///< length of the message
    uint64_t m_headerBytes;             ///< what each packet is longer by, addresses included
    uint64_t m_share;                   ///< bytes of the message in each worm but the last
    uint64_t m_n;                       ///< how many worms there are
    uint64_t m_flits{0};                ///< length of each worm but the last
    uint64_t m_lastFlits{0};            ///< length of that
};

} // namespace ns3

#endif /* MESSAGE_PACKETS_H */
