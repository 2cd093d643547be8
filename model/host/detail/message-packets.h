// SPDX-License-Identifier: GPL-2.0-only

#ifndef MESSAGE_PACKETS_H
#define MESSAGE_PACKETS_H

#include "ns3/ptr.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{

/// The worms that a message is cut into: its packets; or, if these are more than a limit, so
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

    /// @param fabric the fabric that they cross; null: it is gone
    /// @param addressBytes what the addresses of a tree worm add to each packet
    /// @throws WormholeError if there are more than MAX, or a lane's buffer does not hold one
    MessagePackets(const Settings& settings,
                   Ptr<const WormholeFabric> fabric,
                   uint64_t bytes,
                   uint32_t addressBytes)
        : m_fabric(std::move(fabric)),
          m_bytes(bytes),
          m_headerBytes(uint64_t{settings.headerBytes} + addressBytes),
          m_share(settings.maxBytes)
    {
        if (m_share == 0)
        {
            const auto most = m_fabric ? m_fabric->GetMaxWormBytes() : UINT64_MAX;
            if (most <= m_headerBytes)
            {
                throw WormholeError(
                    "a packet of a message has " + std::to_string(m_headerBytes) +
                    " bytes besides its share, but a lane's buffer holds " + std::to_string(most) +
                    " bytes; with WormholeFabric::Grant = worm it must hold all of it: "
                    "expected a deeper WormholePort::BufferDepth");
            }
            m_share = most - m_headerBytes;
        }
        m_n = bytes == 0 ? 1 : bytes / m_share + (bytes % m_share > 0);
        if (m_fabric)
        {
            m_flits = m_fabric->GetFlits(std::min(bytes, m_share) + m_headerBytes);
            m_lastFlits = m_fabric->GetFlits(GetBytes(m_n - 1) + m_headerBytes);
        }
        if (m_fabric && settings.maxWorms > 0 && m_n > settings.maxWorms)
        {
            const auto all = GetFlits();
            const auto held = m_fabric->GetMaxWormBytes();
            m_flits = std::min(all / settings.maxWorms + (all % settings.maxWorms > 0),
                               held < UINT64_MAX ? m_fabric->GetFlits(held) : held);
            m_n = all / m_flits + (all % m_flits > 0);
            m_lastFlits = all - (m_n - 1) * m_flits;
            m_share = bytes / m_n;
        }
        if (m_n > MAX)
        {
            const std::string reason = settings.maxBytes > 0 ? "HostSoftware::MaxPacketBytes"
                                                             : "what a lane's buffer holds";
            throw WormholeError("a message of " + std::to_string(bytes) + " bytes makes " +
                                std::to_string(m_n) + " packets of " + std::to_string(m_share) +
                                " bytes (" + reason + "); expected at most " + std::to_string(MAX));
        }
    }

    uint64_t GetN() const
    {
        return m_n;
    }

    uint64_t GetFlits(uint64_t worm) const
    {
        return worm + 1 < m_n ? m_flits : m_lastFlits;
    }

    /// @return length of all together, flits
    uint64_t GetFlits() const
    {
        return (m_n - 1) * m_flits + m_lastFlits;
    }

    /// @return bytes of the message in a worm
    uint64_t GetBytes(uint64_t worm) const
    {
        return worm + 1 < m_n ? m_share : m_bytes - (m_n - 1) * m_share;
    }

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
