// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_HOST_MESSAGE_H
#define WORMHOLE_HOST_MESSAGE_H

#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief A message of a group: sender, receiver, purpose, round and value.
///
/// The header does not state the message's length; the sender sets how long it is on the wire.
struct HostMessage
{
    /// TypeId name of the header that holds a message.
    static constexpr const char* HEADER_NAME = "ns3::HostMessageHeader";

    /// @return length of the message's header in bytes
    uint32_t GetHeaderBytes() const
    {
        return 30;
    }

    /// Role of a message in the handshake before a long message (rendezvous).
    enum Phase : uint8_t
    {
        DATA,    ///< the message itself, with or without a handshake before it
        REQUEST, ///< asks whether the long message may be sent; the value is the request's number
        CLEAR,   ///< answers the request whose number is the value: the message may be sent
        NOTICE,  ///< is a heartbeat (value 0), reports a dead host (value: its number plus 1), or
                 ///< acknowledges a message
    };

    /// Value of `to` in a message that goes to several processes.
    static constexpr uint32_t ANYONE = UINT32_MAX;

    uint16_t group{0};      ///< group identifier
    uint32_t from{0};       ///< sender's rank in the group
    uint32_t to{0};         ///< receiver's rank in the group; ANYONE in a tree worm
    uint32_t tag{0};        ///< the message's purpose, as the algorithm defines it
    uint64_t round{0};      ///< number of the message's round, counted from 1; below 2^62
    uint64_t value{0};      ///< value carried
    Phase phase{DATA};      ///< role in a handshake
    bool isAwaited{false};  ///< whether SendReturn is "received" for it; not in header
    bool isNumbered{false}; ///< whether it has a Transmission, for acknowledgement; not in header
    uint64_t bytes{0};      ///< length of the message as sent by a process; not in the header

    /// @return whether it is a heartbeat; also true for the acknowledgement of a message of value 0
    bool IsHeartbeat() const
    {
        return phase == NOTICE && value == 0;
    }

    /// Number of bits that hold the round in a header's 64-bit field; the upper two hold the phase.
    static constexpr uint32_t ROUND_BITS = 62;

    void Write(Buffer::Iterator start) const; ///< Writes the header. @param start destination
    void Read(Buffer::Iterator start);        ///< Reads the header. @param start source
};

/// @ingroup wormhole @brief Writes a message in words.
/// @param os output stream
/// @param message the message
/// @return os
std::ostream& operator<<(std::ostream& os, const HostMessage& message);

/// @ingroup wormhole @brief A HostMessage as a header, of 2 + 4 + 4 + 4 + 8 + 8 = 30 bytes.
using HostMessageHeader = MessageHeader<HostMessage>;

/// @ingroup wormhole @brief A worm that carries a HostMessage.
using HostMessageWorm = MessageWorm<HostMessage, Worm::MESSAGE>;

/// @ingroup wormhole
/// @brief Part of the header of a message's packets: tells receivers which message to acknowledge.
struct Transmission : public SimpleRefCount<Transmission>
{
    /// A receiver.
    struct Receiver
    {
        uint32_t host;   ///< number of the receiver's host
        uint64_t number; ///< the message's number, from 1, among those from the sender to `host`
        uint64_t oldest; ///< lowest number of the messages to `host` that are still under way
    };

    uint32_t from{0};                ///< number of the sender's host
    bool isAcknowledgement{false};   ///< true: of message `number`, which the receiver had sent
    std::vector<Receiver> receivers; ///< the message's only receiver; in a tree worm, all receivers
};

/// @ingroup wormhole
/// @brief The packets of one message, and how many of them each host has received.
class PacketAssembly : public SimpleRefCount<PacketAssembly>
{
  public:
    /// @param packets number of packets
    /// @param transmission what receivers acknowledge; null if the message is not acknowledged
    explicit PacketAssembly(uint64_t packets, Ptr<const Transmission> transmission = nullptr)
        : m_packets(packets),
          m_transmission(std::move(transmission))
    {
    }

    /// @return what receivers acknowledge; null if the message is not acknowledged
    const Ptr<const Transmission>& GetTransmission() const
    {
        return m_transmission;
    }

    /// Counts an arrived packet. @param host where it arrived @return whether `host` has all now
    bool Add(uint32_t host)
    {
        return ++m_nCame[host] == m_packets;
    }

  private:
    uint64_t m_packets;                     ///< number of packets
    Ptr<const Transmission> m_transmission; ///< null: the message is not acknowledged
    std::map<uint32_t, uint64_t> m_nCame;   ///< number of arrived packets, by host
};

/// @ingroup wormhole @brief A worm that is one packet of a message.
class HostPacketWorm final : public HostMessageWorm
{
  public:
    /// @param message the whole message
    /// @param flits length of this packet in flits
    /// @param route the packet's route
    /// @param cut all packets of the message
    HostPacketWorm(const HostMessage& message,
                   uint64_t flits,
                   Ptr<const WormRoute> route,
                   Ptr<PacketAssembly> cut)
        : HostMessageWorm(message, flits, std::move(route)),
          m_cut(std::move(cut))
    {
    }

    /// @return the assembly that counts the message's packets
    PacketAssembly& GetCut() const
    {
        return *m_cut;
    }

  private:
    Ptr<PacketAssembly> m_cut; ///< all packets of the message
};

} // namespace ns3

#endif /* WORMHOLE_HOST_MESSAGE_H */
